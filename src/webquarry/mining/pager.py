# ruff: noqa: RUF001, RUF002 - signs of pagers look like others
"""Find the next page of a listing.

Machine-readable links come first, then the number after the current one, then words, then arrows.  A link to another
host or back to this page never counts.  Fails on pages that load more by scripts alone, on forms, and on pagers of
images without any label.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from webquarry.html.columns import Kind
from webquarry.html.urls import Resolver, make_resolver
from webquarry.model.document import Document

MAX_LINK_NODES = 60  # nodes of a link whose text is read: one around a whole card has no label
MAX_LABEL_WORDS = 4  # a longer label names an article, not a page
MAX_PAGER_LEVELS = 4  # from a link up to its pager
MAX_PAGER_TEXT = 250  # characters
MAX_PAGER_NODES = 500
MAX_NUMBER_DIGITS = 4  # of a page number
MIN_CALENDAR = 20  # numbers in one place that are the days of a month
MAX_NUMBER_NODES = 20  # nodes of what holds the number of one page

_WEB_PAGE = re.compile(r"(https?|file)://", re.IGNORECASE)
_PAGER_NAME = re.compile(r"pag(e|es|er|ing|inat|ina)|seiten?|blaetter", re.IGNORECASE)
_NEXT_NAME = re.compile(r"(^|[-_])next($|[-_])", re.IGNORECASE)
_DISABLED_NAME = re.compile(r"(^|[-_])(disabled|inactive)($|[-_])", re.IGNORECASE)
_CURRENT_NAME = re.compile(r"(^|[-_])(current|active|selected|aktiv|actual|on)($|[-_])", re.IGNORECASE)
_BRACKETS = "[](){}| \t\n\u00a0"
_NUMBERS = re.compile(r"\d+")

NEXT = frozenset(
    """
    next forward older
    weiter nächste nächster vorwärts folgende
    suivant suivante suivants suivantes
    siguiente siguientes
    próximo próxima próximos próximas seguinte seguintes
    successivo successiva successivi successive avanti prossima
    volgende verder
    następna następny dalej další následující ďalší következő следующая следующий следующие далее вперед вперёд наступна
    næste neste nästa seuraava
    sonraki ileri επόμενη επόμενο următoarea următorul înainte sljedeća naslednja следваща
    berikutnya selanjutnya tiếp sau
    التالي التالية הבא הבאה بعدی ถัดไป
    다음 次 次へ 次頁 次ページ 次のページ 下一页 下一頁 下页 下頁 后页 下一步
    """.split()
)
"""Words for the next page; beside them a label may only have words of COMPANIONS."""
COMPANIONS = frozenset(
    """
    page pages results items entries products offers posts go to the show
    seite seiten ergebnisse treffer einträge angebote zur zu
    la le les résultats página páginas resultados pagina pagine risultati
    de resultaten strona strany stránka страница страницы side sida sivu sayfa σελίδα oldal trang
    الصفحة עמוד דף صفحه หน้า 페이지 件 页 頁
    """.split()
)
ARROWS = ("›", "→", ">", "❯", "⟩", "▸", "▶", "►", "»", ">>", "⇒", "⟫", "≫")
"""Arrows that point on; those that can mean the last page beside another arrow come last."""
_EDGES = "‹›«»<>←→❮❯⟨⟩◀▶◂▸►◄⇐⇒⟪⟫≪≫[](){}|·•.…,:;-–—_/\\ \t\n\u00a0\u200b\u200e\u200f\ufe0e\ufe0f"
_JAPANESE = re.compile(r"次の?\d*(件|ページ|頁)?へ?|次へ")


def find_next(document: Document) -> str | None:
    """Find the absolute address of the page that continues this one, if any."""
    page = _ListingPage(document)
    return next((address for rule in RULES for address in rule(page)), None)


class _ListingPage:
    """A document with its links and rows of numbers; `onward` links may lead to the next page."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.here = document.web_address.partition("#")[0]
        self.anchors = _find_anchors(document)
        self.onward = [anchor for anchor in self.anchors if self.leads_on(anchor.address) and self._is_usable(anchor)]
        self.runs = _find_runs(document, self.anchors)
        self._onward = {anchor.node for anchor in self.onward}
        self._numbers = [number.node for run in self.runs for number in run]

    def leads_on(self, address: str) -> bool:
        return address != self.here and _host(address) == _host(self.here) and _scheme(address) == _scheme(self.here)

    def onward_at(self, run: Sequence[Number], value: int) -> list[Anchor]:
        """List the links of a number in a run that may lead on."""
        return [each.anchor for each in run if each.value == value and each.anchor and each.anchor.node in self._onward]

    def in_pager(self, anchor: Anchor) -> bool:
        """Tell whether a link is in a pager, by a name around it, numbers beside it, or its address."""
        document, node = self.document, anchor.node
        for _ in range(MAX_PAGER_LEVELS):
            if node <= 0 or document.tag(node) in ("body", "html"):
                break
            stop = document.ends.item(node)
            count = bisect_left(self._numbers, stop) - bisect_left(self._numbers, node)
            if stop - node > MAX_PAGER_NODES or count >= MIN_CALENDAR or len(document.text(node)) > MAX_PAGER_TEXT:
                return False
            if count >= 2 or _is_named(document, node, _PAGER_NAME, "class", "id", "aria-label"):
                return True
            node = document.parents.item(node)
        return _differ_in_one_number(self.here, anchor.address)

    def _is_usable(self, anchor: Anchor) -> bool:
        attributes = self.document.attributes[anchor.node]
        return attributes.get("aria-disabled") != "true" and not any(
            _is_named(self.document, node, _DISABLED_NAME, "class")
            for node in (anchor.node, int(self.document.parents[anchor.node]))
        )


def _by_relation(page: _ListingPage) -> Iterator[str]:
    """Yield `<link rel=next>` and `<a rel=next>`, unless a title shows that an article follows."""
    document = page.document
    resolve = make_resolver(document)
    for node in document.has_tag(["link"]).nonzero()[0].tolist():
        attributes = document.attributes[node]
        if "next" not in (attributes.get("rel") or "").lower().split() or _names_article([attributes.get("title")]):
            continue
        address = _find_page(resolve, attributes.get("href"))
        if address is not None and page.leads_on(address):
            yield address
    for anchor in page.onward:
        if "next" in anchor.relations and not _names_article(anchor.labels):
            yield anchor.address


def _by_number(page: _ListingPage) -> Iterator[str]:
    """Yield the link with the number after the current one."""
    for run in page.runs:
        current = _find_current(page.document, run, page.here)
        if current is not None:
            yield from (each.address for each in page.onward_at(run, current + 1))


def _by_words(page: _ListingPage) -> Iterator[str]:
    """Yield the link whose label says next; of several to different pages the one in a pager."""
    yield from _single(page, [anchor for anchor in page.onward if _is_next(anchor.labels)])


def _by_gap(page: _ListingPage) -> Iterator[str]:
    """Yield the link after the one number missing among the links: some pagers leave the current page out."""
    for run in page.runs:
        linked = [number for number in run if number.anchor is not None]
        values = [number.value for number in linked]
        if len(values) < 2 or len(linked) < len(run) or values[0] > 2:
            continue
        missing = [value for value in range(1, values[-1]) if value not in values]
        if len(missing) == 1:
            following = page.onward_at(run, missing[0] + 1)
            yield from (each.address for each in following if page.in_pager(each))


def _by_shape(page: _ListingPage) -> Iterator[str]:
    """Yield the link of a pager that is an arrow pointing on, or is named next in the markup."""
    ranked = [(rank, anchor) for anchor in page.onward if (rank := _shape_rank(page.document, anchor)) is not None]
    inside = [(rank, anchor) for rank, anchor in ranked if page.in_pager(anchor) and not _names_article(anchor.labels)]
    best = min((rank for rank, _ in inside), default=0)
    yield from _single(page, [anchor for rank, anchor in inside if rank == best])


RULES: tuple[Callable[[_ListingPage], Iterator[str]], ...] = (_by_relation, _by_number, _by_words, _by_gap, _by_shape)
"""The most reliable first."""


def _single(page: _ListingPage, anchors: Sequence[Anchor]) -> Iterator[str]:
    """Yield the one address that links lead to; of several the one in a pager, else the one with this page's path."""
    placed = [anchor for anchor in anchors if page.in_pager(anchor)]
    own = [anchor for anchor in placed or anchors if _path(anchor.address) == _path(page.here)]
    for chosen in (anchors, placed, own):
        addresses = {anchor.address for anchor in chosen}
        if len(addresses) == 1:
            yield from addresses
            return


def _is_next(labels: Sequence[str]) -> bool:
    """Tell whether a label says next and no other contradicts it, as in `<a title="Next month">next</a>`."""
    return any(map(_says_next, labels)) and all(_says_next(label) for label in labels if _has_words(label))


def _names_article(labels: Iterable[str | None]) -> bool:
    return any(len((label or "").split()) > MAX_LABEL_WORDS and not _says_next(label or "") for label in labels)


def _shape_rank(document: Document, anchor: Anchor) -> int | None:
    """Rank how clearly the shape of a link points on, lowest best; None if it does not."""
    arrows = ["".join(label.split()) for label in anchor.labels if _is_arrow(label)]
    if arrows:
        return 1 + ARROWS.index(arrows[0].rstrip("\ufe0e\ufe0f"))
    if any(map(_has_words, anchor.labels)):
        return None
    nodes = (anchor.node, document.parents.item(anchor.node))
    return 0 if any(_is_named(document, node, _NEXT_NAME, "class", "id") for node in nodes) else None


def _differ_in_one_number(one: str, other: str) -> bool:
    """Tell whether two addresses differ in one number only, or one is the other with a number at the end.

    >>> _differ_in_one_number("https://a.example/list?p=2&q=x", "https://a.example/list?p=3&q=x")
    True
    >>> _differ_in_one_number("https://a.example/list", "https://a.example/list?page=2")
    True
    >>> _differ_in_one_number("https://a.example/list", "https://a.example/terms")
    False
    """
    if _NUMBERS.sub("0", one) == _NUMBERS.sub("0", other):
        pairs = zip(_NUMBERS.findall(one), _NUMBERS.findall(other), strict=True)
        return [mine != theirs for mine, theirs in pairs].count(True) == 1
    shorter, longer = sorted((one.rstrip("/"), other.rstrip("/")), key=len)
    return longer.startswith(shorter) and re.fullmatch(r"[/?&;]?[a-z_]*[-=/_]?\d+", longer[len(shorter) :]) is not None


def _path(address: str) -> str:
    return address.partition("?")[0]


def _host(address: str) -> str:
    """Return the host of an address without user and www.

    >>> _host("https://user@www.Example.org:8080/a?b#c")
    'example.org:8080'
    """
    place = re.split(r"[/?#]", address.partition("://")[2], maxsplit=1)[0]
    return place.rpartition("@")[2].lower().removeprefix("www.")


def _scheme(address: str) -> str:
    """Return the scheme of an address, `http` for https too."""
    return address.partition(":")[0].lower().removesuffix("s")


@dataclass(frozen=True)
class Anchor:
    """A visible link to a page."""

    node: int
    address: str  # without fragment
    labels: tuple[str, ...]  # its text, aria-labels, titles and the alt texts of its images; never empty ones
    relations: frozenset[str]  # the words of its `rel`


def _find_anchors(document: Document) -> list[Anchor]:
    """Find all visible links to pages, in document order."""
    resolve, hidden = make_resolver(document), document.hidden
    anchors = []
    for node in document.has_tag(["a"]).nonzero()[0].tolist():
        address = None if hidden[node] else _find_page(resolve, document.attributes[node].get("href"))
        if address is not None:
            relations = frozenset((document.attributes[node].get("rel") or "").lower().split())
            anchors.append(Anchor(node, address, tuple(_labels(document, node)), relations))
    return anchors


def _find_page(resolve: Resolver, written: str | None) -> str | None:
    """Resolve the address of a page, without fragment; None if it is of something else."""
    address = resolve(written or "")
    return address.partition("#")[0] if address is not None and _WEB_PAGE.match(address) else None


def _is_named(document: Document, node: int, pattern: re.Pattern[str], *attributes: str) -> bool:
    """Tell whether a word of one of the attributes matches."""
    values = document.attributes[node]
    return any(pattern.search(word) is not None for name in attributes for word in (values.get(name) or "").split())


def _labels(document: Document, node: int) -> Iterator[str]:
    stop = document.ends.item(node)
    if stop - node <= MAX_LINK_NODES:
        texts = (
            document.texts[inner]
            for inner in range(node, stop)
            if document.kinds[inner] == Kind.TEXT and not document.hidden[inner]
        )
        if text := " ".join(" ".join(texts).split()):
            yield text
    for inner in range(node, min(stop, node + MAX_LINK_NODES)):
        for name in ("aria-label", "title", "alt"):
            label = " ".join((document.attributes[inner].get(name) or "").split())
            if label:
                yield label


@dataclass(frozen=True)
class Number:
    """A text that is only a number, with its link if it has one."""

    node: int
    value: int
    anchor: Anchor | None


def _find_runs(document: Document, anchors: Sequence[Anchor]) -> list[list[Number]]:
    """Find rows of rising numbers with nothing but punctuation between them, as page numbers are."""
    runs: list[list[Number]] = [[]]
    places = iter(anchors)
    anchor = next(places, None)
    for node in (document.kinds == Kind.TEXT).nonzero()[0].tolist():
        text = document.texts[node].strip(_BRACKETS)
        if document.hidden[node] or not any(map(str.isalnum, text)):
            continue
        while anchor is not None and document.ends[anchor.node] <= node:
            anchor = next(places, None)
        if not (text.isdecimal() and len(text) <= MAX_NUMBER_DIGITS):
            runs.append([])
            continue
        number = Number(node, int(text), anchor if anchor is not None and anchor.node < node else None)
        if runs[-1] and number.value <= runs[-1][-1].value:
            runs.append([])
        runs[-1].append(number)
    return [run for run in runs if 2 <= len(run) < MIN_CALENDAR and any(number.anchor for number in run)]


def _find_current(document: Document, run: Sequence[Number], here: str) -> int | None:
    """Find the number of this page: marked as current, or not a link, or a link to here, or in a style of its own."""
    tests: tuple[Callable[[Number], bool], ...] = (
        lambda number: _is_marked(document, number),
        lambda number: number.anchor is None,
        lambda number: number.anchor is not None and number.anchor.address == here,
    )
    for test in tests:
        found = [number.value for number in run if test(number)]
        if len(found) == 1:
            return found[0]
    return _number_of_own_style(document, run)


def _is_marked(document: Document, number: Number) -> bool:
    node = document.parents.item(number.node)
    for _ in range(3):
        current = document.attributes[node].get("aria-current")
        if (current and current != "false") or _is_named(document, node, _CURRENT_NAME, "class", "id"):
            return True
        node = max(0, document.parents.item(node))
        if document.ends[node] - node > MAX_NUMBER_NODES or _count_numbers(document, node) > 1:
            return False  # it holds other page numbers too
    return False


def _count_numbers(document: Document, node: int) -> int:
    return sum(document.texts[inner].strip().isdecimal() for inner in range(node, document.ends.item(node)))


def _number_of_own_style(document: Document, run: Sequence[Number]) -> int | None:
    """Find the one number that looks unlike all others."""
    layout = document.layout
    if layout is None or len(run) < 3:
        return None
    names = [name for name in ("font-weight", "color", "background-color") if name in layout.properties]
    looks = [tuple(layout.style(document.parents.item(number.node), name) for name in names) for number in run]
    odd = [number.value for number, look in zip(run, looks, strict=True) if looks.count(look) == 1]
    return odd[0] if len(odd) == 1 and len(set(looks)) == 2 else None


def _says_next(label: str) -> bool:
    """Tell whether a label says that the next page follows, and nothing else.

    >>> [_says_next(label) for label in ("Next »", "Nächste Seite", "Page suivante", "Next 20 results", "次の20件")]
    [True, True, True, True, True]
    >>> [_says_next(label) for label in ("Next article", "Next month", "What comes next?", "20", "")]
    [False, False, False, False, False]
    """
    words = [word for word in (each.strip(_EDGES) for each in label.casefold().split()) if word]
    if _JAPANESE.fullmatch("".join(words)):
        return True
    known = [word in NEXT for word in words]
    return any(known) and all(
        is_next or word in COMPANIONS or word.isdecimal() for word, is_next in zip(words, known, strict=True)
    )


def _is_arrow(label: str) -> bool:
    """Tell whether a label is an arrow that points on, and nothing else.

    >>> [_is_arrow(label) for label in ("›", "»", " > ", "‹", "> all")]
    [True, True, True, False, False]
    """
    return "".join(label.split()).rstrip("\ufe0e\ufe0f") in ARROWS


def _has_words(label: str) -> bool:
    """Tell whether a label has any letter."""
    return any(character.isalpha() for character in label)
