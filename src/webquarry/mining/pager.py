# ruff: noqa: RUF001, RUF002 - signs of pagers look like others
"""Where a listing goes on: the address of its next page.

What the page says for machines comes first, then the number after the current one, then words, then arrows.  A link
that leads to another host or back to this page never counts.  It fails on pages that go on by scripts alone, on
forms, and on pagers of pictures without any label.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from webquarry.html.columns import Kind
from webquarry.html.urls import Resolver, make_resolver
from webquarry.model.document import Document

# MERGED mining/listings/anchors: The links of a document, each with its labels.
LARGEST = 60
"""Nodes of a link that is looked into: one around a whole card has no label."""
_PAGE = re.compile(r"(https?|file)://", re.IGNORECASE)


@dataclass(frozen=True)
class Anchor:
    """A link that a person sees and that leads to a page."""

    node: int
    address: str
    """Without fragment."""
    labels: tuple[str, ...]
    """What is written in it, and what its aria-label, its title and the alt of its images say; never empty texts."""
    relations: frozenset[str]
    """The words of its `rel`."""


def find_anchors(document: Document) -> list[Anchor]:
    """All links in document order."""
    resolve, hidden = make_resolver(document), document.hidden
    anchors = []
    for node in elements(document, "a"):
        address = None if hidden[node] else find_page(resolve, document.attributes[node].get("href"))
        if address is not None:
            relations = frozenset((document.attributes[node].get("rel") or "").lower().split())
            anchors.append(Anchor(node, address, tuple(_labels(document, node)), relations))
    return anchors


def find_page(resolve: Resolver, written: str | None) -> str | None:
    """The absolute address, without fragment, of the page that a link leads to; None when it leads to none."""
    address = resolve(written or "")
    return address.partition("#")[0] if address is not None and _PAGE.match(address) else None


def elements(document: Document, tag: str) -> Iterator[int]:
    """All elements of a tag, in document order."""
    yield from document.has_tag([tag]).nonzero()[0].tolist()


def is_named(document: Document, node: int, pattern: re.Pattern[str], *attributes: str) -> bool:
    """Whether a word of one of the attributes fits."""
    values = document.attributes[node]
    return any(pattern.search(word) is not None for name in attributes for word in (values.get(name) or "").split())


def _labels(document: Document, node: int) -> Iterator[str]:
    stop = int(document.ends[node])
    if stop - node <= LARGEST:
        yield from filter(None, [_text(document, node, stop)])
    for inner in range(node, min(stop, node + LARGEST)):
        for name in ("aria-label", "title", "alt"):
            label = " ".join((document.attributes[inner].get(name) or "").split())
            if label:
                yield label


def _text(document: Document, node: int, stop: int) -> str:
    hidden = document.hidden
    texts = [
        document.texts[inner] for inner in range(node, stop) if document.kinds[inner] == Kind.TEXT and not hidden[inner]
    ]
    return " ".join(" ".join(texts).split())


# MERGED mining/listings/next_words: What links to the next page of a listing say.
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
"""In any language; a label may have other words beside it only if they are of COMPANIONS."""
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
"""Those that may mean the last page, when another arrow stands beside them, come last."""
_EDGES = "‹›«»<>←→❮❯⟨⟩◀▶◂▸►◄⇐⇒⟪⟫≪≫[](){}|·•.…,:;-–—_/\\ \t\n\u00a0\u200b\u200e\u200f\ufe0e\ufe0f"
_JAPANESE = re.compile(r"次の?\d*(件|ページ|頁)?へ?|次へ")


def says_next(label: str) -> bool:
    """Whether a label says that the next page follows, and nothing else.

    >>> [says_next(label) for label in ("Next »", "Nächste Seite", "Page suivante", "Next 20 results", "次の20件")]
    [True, True, True, True, True]
    >>> [says_next(label) for label in ("Next article", "Next month", "What comes next?", "20", "")]
    [False, False, False, False, False]
    """
    words = [word for word in (each.strip(_EDGES) for each in label.casefold().split()) if word]
    if _JAPANESE.fullmatch("".join(words)):
        return True
    known = [word in NEXT for word in words]
    return any(known) and all(
        is_next or word in COMPANIONS or word.isdecimal() for word, is_next in zip(words, known, strict=True)
    )


def is_arrow(label: str) -> bool:
    """Whether a label is an arrow that points on, and nothing else.

    >>> [is_arrow(label) for label in ("›", "»", " > ", "‹", "> all")]
    [True, True, True, False, False]
    """
    return "".join(label.split()).rstrip("\ufe0e\ufe0f") in ARROWS


def has_words(label: str) -> bool:
    """Whether a label has any letter.

    >>> has_words("› 2"), has_words("› zwei")
    (False, True)
    """
    return any(character.isalpha() for character in label)


# MERGED mining/listings/page_numbers: Rows of numbers that lead to the pages of a listing.
LONGEST_NUMBER = 4
"""Digits of the number of a page."""
CALENDAR = 20
"""Numbers in one place that are the days of a month."""
LARGEST_ITEM = 20
"""Nodes of what holds the number of one page."""

_CURRENT_NAME = re.compile(r"(^|[-_])(current|active|selected|aktiv|actual|on)($|[-_])", re.IGNORECASE)
_BRACKETS = "[](){}| \t\n\u00a0"


@dataclass(frozen=True)
class Number:
    """A number that stands alone: the text, and the link that it is, if it is one."""

    node: int
    value: int
    anchor: Anchor | None


def find_runs(document: Document, anchors: Sequence[Anchor]) -> list[list[Number]]:
    """Rows of numbers that rise, with nothing but marks between them: what the numbers of pages look like."""
    runs: list[list[Number]] = [[]]
    places = iter(anchors)
    anchor = next(places, None)
    for node in (document.kinds == Kind.TEXT).nonzero()[0].tolist():
        text = document.texts[node].strip(_BRACKETS)
        if document.hidden[node] or not any(map(str.isalnum, text)):
            continue
        while anchor is not None and document.ends[anchor.node] <= node:
            anchor = next(places, None)
        if not (text.isdecimal() and len(text) <= LONGEST_NUMBER):
            runs.append([])
            continue
        number = Number(node, int(text), anchor if anchor is not None and anchor.node < node else None)
        if runs[-1] and number.value <= runs[-1][-1].value:
            runs.append([])
        runs[-1].append(number)
    return [run for run in runs if 2 <= len(run) < CALENDAR and any(number.anchor for number in run)]


def find_current(document: Document, run: Sequence[Number], here: str) -> int | None:
    """The number of this page: marked as such, or no link, or a link to here, or the one in a style of its own."""
    tests: tuple[Callable[[Number], bool], ...] = (
        lambda number: _is_marked(document, number),
        lambda number: number.anchor is None,
        lambda number: number.anchor is not None and number.anchor.address == here,
    )
    for test in tests:
        found = [number.value for number in run if test(number)]
        if len(found) == 1:
            return found[0]
    return _odd_style(document, run)


def _is_marked(document: Document, number: Number) -> bool:
    node = int(document.parents[number.node])
    for _ in range(3):
        current = document.attributes[node].get("aria-current")
        if (current and current != "false") or is_named(document, node, _CURRENT_NAME, "class", "id"):
            return True
        node = max(0, int(document.parents[node]))
        if document.ends[node] - node > LARGEST_ITEM or _count_numbers(document, node) > 1:
            return False  # it holds the numbers of other pages too
    return False


def _count_numbers(document: Document, node: int) -> int:
    return sum(document.texts[inner].strip().isdecimal() for inner in range(node, int(document.ends[node])))


def _odd_style(document: Document, run: Sequence[Number]) -> int | None:
    """The value of the one number that looks unlike all others."""
    layout = document.layout
    if layout is None or len(run) < 3:
        return None
    names = [name for name in ("font-weight", "color", "background-color") if name in layout.properties]
    looks = [tuple(layout.style(int(document.parents[number.node]), name) for name in names) for number in run]
    odd = [number.value for number, look in zip(run, looks, strict=True) if looks.count(look) == 1]
    return odd[0] if len(odd) == 1 and len(set(looks)) == 2 else None


LONGEST_LABEL = 4
"""Words; what says more names an article, not a page."""
CLIMB = 4
"""Levels from a link to what may be its pager."""
PAGER_TEXT = 250
"""Characters of a pager at most."""
PAGER_NODES = 500
"""Nodes of a pager at most."""

_PAGER_NAME = re.compile(r"pag(e|es|er|ing|inat|ina)|seiten?|blaetter", re.IGNORECASE)
_NAMED_NEXT = re.compile(r"(^|[-_])next($|[-_])", re.IGNORECASE)
_DISABLED_NAME = re.compile(r"(^|[-_])(disabled|inactive)($|[-_])", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+")


def find_next(document: Document) -> str | None:
    """The absolute address of the page that goes on where this one ends; None when there is none to be seen."""
    page = _Listing(document)
    candidates = (address for rule in RULES for address in rule(page))
    return next(candidates, None)


class _Listing:
    """A document, its links that could lead on, and its numbers."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.here = document.url.partition("#")[0]
        self.anchors = find_anchors(document)
        self.onward = [anchor for anchor in self.anchors if self.leads_on(anchor.address) and self._is_usable(anchor)]
        self.runs = find_runs(document, self.anchors)
        self._onward = {anchor.node for anchor in self.onward}
        self._numbers = [number.node for run in self.runs for number in run]

    def leads_on(self, address: str) -> bool:
        return address != self.here and _host(address) == _host(self.here) and _scheme(address) == _scheme(self.here)

    def onward_at(self, run: Sequence[Number], value: int) -> list[Anchor]:
        """The links of a number in a run, if they lead on."""
        return [each.anchor for each in run if each.value == value and each.anchor and each.anchor.node in self._onward]

    def around(self, node: int) -> Iterator[int]:
        """The node and those around it, as far as a pager may reach."""
        for _ in range(CLIMB):
            if node <= 0 or self.document.tag(node) in ("body", "html"):
                return
            yield node
            node = int(self.document.parents[node])

    def in_pager(self, anchor: Anchor) -> bool:
        """Whether a link stands among the pages of a listing, by name or by what is beside it."""
        for node in self.around(anchor.node):
            stop = int(self.document.ends[node])
            count = bisect_left(self._numbers, stop) - bisect_left(self._numbers, node)
            if stop - node > PAGER_NODES or count >= CALENDAR or len(self.document.text(node)) > PAGER_TEXT:
                return False
            if count >= 2 or is_named(self.document, node, _PAGER_NAME, "class", "id", "aria-label"):
                return True
        return differs_in_one_number(self.here, anchor.address)

    def _is_usable(self, anchor: Anchor) -> bool:
        attributes = self.document.attributes[anchor.node]
        return attributes.get("aria-disabled") != "true" and not any(
            is_named(self.document, node, _DISABLED_NAME, "class")
            for node in (anchor.node, int(self.document.parents[anchor.node]))
        )


def _by_relation(page: _Listing) -> Iterator[str]:
    """`<link rel=next>` and `<a rel=next>`, unless a title says that an article follows."""
    document = page.document
    resolve = make_resolver(document)
    for node in elements(document, "link"):
        attributes = document.attributes[node]
        if "next" not in (attributes.get("rel") or "").lower().split() or _names_article([attributes.get("title")]):
            continue
        address = find_page(resolve, attributes.get("href"))
        if address is not None and page.leads_on(address):
            yield address
    for anchor in page.onward:
        if "next" in anchor.relations and not _names_article(anchor.labels):
            yield anchor.address


def _by_number(page: _Listing) -> Iterator[str]:
    """The link with the number after the current one."""
    for run in page.runs:
        current = find_current(page.document, run, page.here)
        if current is not None:
            yield from (each.address for each in page.onward_at(run, current + 1))


def _by_words(page: _Listing) -> Iterator[str]:
    """The link that says so: when several do and lead to different pages, the one in a pager."""
    yield from _single(page, [anchor for anchor in page.onward if _is_next(anchor.labels)])


def _by_gap(page: _Listing) -> Iterator[str]:
    """The link after the one number that is missing among the links: some pagers leave the current page out."""
    for run in page.runs:
        linked = [number for number in run if number.anchor is not None]
        values = [number.value for number in linked]
        if len(values) < 2 or len(linked) < len(run) or values[0] > 2:
            continue
        missing = [value for value in range(1, values[-1]) if value not in values]
        if len(missing) == 1:
            following = page.onward_at(run, missing[0] + 1)
            yield from (each.address for each in following if page.in_pager(each))


def _by_shape(page: _Listing) -> Iterator[str]:
    """The arrow that points on, or the link named so in the markup, in a pager."""
    placed = [anchor for anchor in page.onward if _shape(page.document, anchor) is not None]
    inside = [anchor for anchor in placed if page.in_pager(anchor) and not _names_article(anchor.labels)]
    best = min((_shape(page.document, anchor) or 0 for anchor in inside), default=0)
    yield from _single(page, [anchor for anchor in inside if (_shape(page.document, anchor) or 0) == best])


RULES: tuple[Callable[[_Listing], Iterator[str]], ...] = (_by_relation, _by_number, _by_words, _by_gap, _by_shape)
"""The surest first."""


def _single(page: _Listing, anchors: Sequence[Anchor]) -> Iterator[str]:
    """The one address to which links lead; of several, that in a pager or else that of this page's own path."""
    placed = [anchor for anchor in anchors if page.in_pager(anchor)]
    own = [anchor for anchor in placed or anchors if _path(anchor.address) == _path(page.here)]
    for chosen in (anchors, placed, own):
        addresses = {anchor.address for anchor in chosen}
        if len(addresses) == 1:
            yield from addresses
            return


def _is_next(labels: Sequence[str]) -> bool:
    """Whether one label says so and no other says what else it is, as in `<a title="Next month">next</a>`."""
    return any(map(says_next, labels)) and all(says_next(label) for label in labels if has_words(label))


def _names_article(labels: Iterable[str | None]) -> bool:
    return any(len((label or "").split()) > LONGEST_LABEL and not says_next(label or "") for label in labels)


def _shape(document: Document, anchor: Anchor) -> int | None:
    """How sure the shape of a link is that it leads on, lowest best; None when it does not look so."""
    arrows = ["".join(label.split()) for label in anchor.labels if is_arrow(label)]
    if arrows:
        return 1 + ARROWS.index(arrows[0].rstrip("\ufe0e\ufe0f"))
    if any(map(has_words, anchor.labels)):
        return None
    nodes = (anchor.node, int(document.parents[anchor.node]))
    return 0 if any(is_named(document, node, _NAMED_NEXT, "class", "id") for node in nodes) else None


def differs_in_one_number(one: str, other: str) -> bool:
    """Whether two addresses are the same but for one number, or one of them has a number at the end and the other none.

    >>> differs_in_one_number("https://a.example/list?p=2&q=x", "https://a.example/list?p=3&q=x")
    True
    >>> differs_in_one_number("https://a.example/list", "https://a.example/list?page=2")
    True
    >>> differs_in_one_number("https://a.example/list", "https://a.example/terms")
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
    """The host of an address as people think of it.

    >>> _host("https://user@www.Example.org:8080/a?b#c")
    'example.org:8080'
    """
    place = re.split(r"[/?#]", address.partition("://")[2], maxsplit=1)[0]
    return place.rpartition("@")[2].lower().removeprefix("www.")


def _scheme(address: str) -> str:
    """What is fetched in the same way: `http`, also for https, or `file`."""
    return address.partition(":")[0].lower().removesuffix("s")
