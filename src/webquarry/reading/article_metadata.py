"""Read the title, author, date, language and site of an article.

Statements of the page are tried in the order of their trust: JSON-LD, meta elements, microdata, the byline beside the
heading, the address. The first usable one counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from html import unescape
from itertools import chain
from typing import NamedTuple

import numpy as np

from webquarry.model.article import Metadata
from webquarry.model.document import Document
from webquarry.page.stated_data import Statements, read_json_ld, read_marked, read_metas
from webquarry.values.dates import read_dates, read_iso_day, read_leading_date
from webquarry.values.text_value import Locale, find_locale, fold, fold_name

_MAX_HEADINGS = 30  # headings that are examined: the title is among the first
_MARKS = "\u00b6\u00a7\N{LINK SYMBOL}"
"""Signs by which manuals link to a heading."""
_DAY_IN_ADDRESS = re.compile(r"/(\d{4})/(\d\d?)/(\d\d?)(?=/)")


def read_metadata(document: Document) -> Metadata:
    """Read what a page states about its article."""
    return PageStatements(document).to_metadata()


class PageStatements:
    """What a page states about its article, each part read on first use.

    So the metadata can be read again with the names of its site when other pages are known too, also from a pickled
    copy, and the page is not parsed again for it.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._shown: dict[int, Statements] = {}

    @cached_property
    def title(self) -> str:
        """The `title` element."""
        return page_title(self.document)

    @cached_property
    def headings(self) -> dict[int, str]:
        """The headings of the first level by node."""
        return _headings(self.document)

    @cached_property
    def _metas(self) -> Statements:
        return read_metas(self.document)

    @cached_property
    def _linked(self) -> Statements:
        return read_json_ld(
            self.document, _make_title_matcher([*self.headings.values(), self.title, *self._metas.titles])
        )

    @cached_property
    def _language(self) -> str:
        return _first(read_language, [self.document.language, *self._metas.languages, *self._linked.languages])

    @cached_property
    def _address_and_homes(self) -> tuple[str, list[str]]:
        return self.document.web_address, _home_links(self.document, self.headings)

    @cached_property
    def _marked(self) -> Statements:
        return read_marked(self.document)

    def to_metadata(self, shared: Sequence[str] = ()) -> Metadata:
        """Choose the first usable statements; `shared` are names of the site, the best first."""
        metas, linked = self._metas, self._linked
        site = _first(plain, chain(metas.sites, linked.sites, (name for name in shared if name in self.title)))
        address, homes = self._address_and_homes
        names = find_site_names(site, address, [*shared, *homes])
        titles = [plain(each) for each in (*linked.titles, *metas.titles, self.title)]
        title = choose_title(titles, list(self.headings.values()), names)
        locale = find_locale(self._language, [])

        def to_date(text: str) -> str:
            return read_date(text, locale)

        author, date = _find_byline(chain((linked, metas), self._read_body(title, to_date)), names, to_date)
        return Metadata(title, author, date, self._language, site)

    def _read_body(self, title: str, to_date: Callable[[str], str]) -> Iterator[Statements]:
        """Yield what the body of the page states, and its address; these take longer to read than the head."""
        yield self._marked
        heading = _find_heading(self.document, self.headings, title)
        if heading is not None:
            if heading not in self._shown:
                self._shown[heading] = read_shown(self.document, heading, lambda text: bool(to_date(text)))
            yield self._shown[heading]
        days = _DAY_IN_ADDRESS.finditer(self._address_and_homes[0])
        yield Statements(dates=tuple("-".join(match.groups()) for match in days))


def _find_byline(sources: Iterable[Statements], site: SiteNames, to_date: Callable[[str], str]) -> tuple[str, str]:
    """Take author and date, each from the first source that states it.

    The date of the page counts only where there is an author: other pages are mostly no articles.
    """
    author = date = ""
    page_dates: list[str] = []
    for source in sources:
        author = author or join_authors(source.authors, site)
        date = date or _first(to_date, source.dates)
        page_dates += source.page_dates
        if author and date:
            break
    return author, date or (_first(to_date, page_dates) if author else "")


def _first(read: Callable[[str], str], texts: Iterable[str]) -> str:
    return next((said for text in texts if (said := read(text))), "")


def _headings(document: Document, tags: Sequence[str] = ("h1",)) -> dict[int, str]:
    """Map the nodes of visible headings to their texts."""
    nodes = np.flatnonzero(document.has_tag(tags) & ~document.hidden)[:_MAX_HEADINGS].tolist()
    return {node: text for node in nodes if (text := " ".join(document.text(node).rstrip(_MARKS).split()))}


def _find_heading(document: Document, headings: Mapping[int, str], title: str) -> int | None:
    """Find the heading that repeats the title, else the first `h1`."""
    name = fold_name(title)
    for tags in (("h1",), ("h2", "h3")):
        for node, text in (headings if "h1" in tags else _headings(document, tags)).items():
            if fold_name(text) == name:
                return node
    return next(iter(headings), None)


def _home_links(document: Document, headings: Mapping[int, str]) -> list[str]:
    """List the headings that are a link to the first page of the site, as its name is."""
    attributes, anchors = document.attributes, np.flatnonzero(document.has_tag(["a"]))
    found = []
    for node, text in headings.items():
        inside = anchors[slice(*anchors.searchsorted((node, document.ends[node])))].tolist()
        if any(_HOME.fullmatch(attributes[each].get("href", "")) for each in inside[:1]):
            found.append(text)
    return found


def page_title(document: Document) -> str:
    """Read the `title` element."""
    nodes = np.flatnonzero(document.has_tag(["title"]) & (document.namespaces == 0)).tolist()
    return " ".join("".join(document.texts[nodes[0] + 1 : document.ends[nodes[0]]]).split()) if nodes else ""


def _make_title_matcher(titles: Iterable[str]) -> Callable[[str], bool]:
    """Make a predicate: does a text begin with one of the titles, or a title with it?"""
    folded = [name for each in titles if (name := fold_name(plain(each)))]

    def is_title(text: str) -> bool:
        own = fold_name(plain(text))
        return bool(own) and any(each.startswith(own) or own.startswith(each) for each in folded)

    return is_title


_PARTING = re.compile(r"\s+[-|–—·•:»«/~]+\s+|\s*[|»]+\s*|\s+::\s+|: ")  # noqa: RUF001 - dashes of all kinds


def choose_title(stated: Sequence[str], headings: Sequence[str], site: SiteNames) -> str:
    """Choose the heading that agrees with a stated title, else the first stated title.

    The name of the site is cut off stated titles, and is a title itself only where there is no other.
    """
    names = [cut_site(each, site) for each in dict.fromkeys(stated) if each]
    titles = [each for each in names if not site.have(each)]
    headings = [each for each in headings if not site.have(each)]
    folded = [fold_name(each) for each in titles]
    for heading in headings:
        own = fold_name(heading)
        if own and own in folded:
            return titles[folded.index(own)] if heading.isupper() else heading
    for heading in headings:
        own = fold_name(heading)
        if own and any(_begins_or_ends(each, own) for each in folded):
            return heading
    return next(iter([*titles, *headings, *filter(None, stated)]), "")


def cut_site(title: str, site: SiteNames) -> str:
    """Remove the site's name from either end of a title, unless nothing would be left.

    >>> cut_site("Salt - a history | Salt Museum", find_site_names("The Salt Museum", ""))
    'Salt - a history'
    >>> [cut_site(title, find_site_names("", "https://www.bose.com/")) for title in ("Bose: Headphones", "Bose")]
    ['Headphones', 'Bose']
    """
    for _ in range(2):  # the site's name before and behind, or twice in two forms
        marks = list(_PARTING.finditer(title))
        if not marks:
            break
        if site.are_in(title[marks[-1].end() :]):
            title = title[: marks[-1].start()]
        elif site.are_in(title[: marks[0].start()]):
            title = title[marks[0].end() :]
        else:
            break
    return title.strip()


MIN_PAGES_OF_SITE = 3
"""Pages that can share the name of their site; two have much in common by chance."""
_MIN_SHARE_OF_NAME = 0.5
"""Share of the pages of a site that begin or head their title with its name."""
_MIN_SHARE_OF_ENDING = 0.1
"""Share of the pages that end their title with a name: a site may have several parts."""


def find_shared_names(pages: Sequence[PageStatements]) -> list[str]:
    """Find the names of a site that its pages share in their titles or first headings, the commonest first.

    >>> pages = [Document(f"<title>Salt {number} | The Museum</title><h1>Salt {number}</h1>") for number in range(3)]
    >>> find_shared_names([*map(PageStatements, pages)])
    ['The Museum']
    """
    if len(pages) < MIN_PAGES_OF_SITE:
        return []
    begins, ends = Counter[str](), Counter[str]()
    for page in pages:
        first, *others = [part.strip() for part in _PARTING.split(page.title)]
        heading = next(iter(page.headings.values()), "")
        begins.update({first, heading} if others else {heading})
        ends.update(others[-1:])
    count = len(pages)
    found = {name: having for name, having in begins.items() if having > _MIN_SHARE_OF_NAME * count}
    for name, having in ends.items():
        if having >= max(MIN_PAGES_OF_SITE, _MIN_SHARE_OF_ENDING * count):
            found[name] = found.get(name, 0) + having
    found.pop("", None)
    return sorted(found, key=lambda name: -found[name])


def _begins_or_ends(text: str, part: str) -> bool:
    return text.startswith(f"{part} ") or text.endswith(f" {part}")


_BY = re.compile(
    r"(?:(?:written|posted|published|article|words|story|reviewed|geschrieben) )?"
    r"(?:by|von|par|por|di|door|av|af)\b:?\s+|authors?\s*:\s+",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?:|www\.|^/|\w@\w|\.(?:com|org|net|html?|php)\b", re.IGNORECASE)
_NOBODY = frozenset(
    "admin administrator anonymous author authors by editor editorial guest nobody none null root site staff system"
    " undefined unknown user webmaster wordpress wpadmin".split()
)
"""Placeholders of publishing systems."""


def join_authors(stated: Iterable[str], site: SiteNames) -> str:
    """Join the usable names by commas, each once, without that of the site."""
    found: dict[str, str] = {}
    for text in stated:
        name = _BY.sub("", plain(text).strip(" ,;|·-"), count=1).strip(" ,;|·-@")
        if _is_name(name) and not _is_site(name, site):
            found.setdefault(fold_name(name), name)
    return ", ".join(found.values())


def _is_site(name: str, site: SiteNames) -> bool:
    """Tell whether a name is that of the site; a person of several words may own the host."""
    return squeeze(name) == site.stated or (" " not in name and site.have(name))


def _is_name(text: str) -> bool:
    folded = fold_name(text)
    return bool(folded) and folded not in _NOBODY and not _ADDRESS.search(text)


_HOME = re.compile(r"https?://[^/?#]+/?|/|(?:\.\.?/)+|(?:/|\./|(?:\.\./)*)index\.\w+", re.IGNORECASE)
"""Addresses of the first page of a site."""
_HOST = re.compile(r"\w+://(?:[^/?#@]*@)?(?:www\.)?([^/?#:]*)")


class SiteNames(NamedTuple):
    """Names of a site, as `squeeze` writes them."""

    stated: str
    others: frozenset[str]
    """What its pages share, and the host of its address, whole and in parts."""

    def have(self, text: str) -> bool:
        """Tell whether a text is one of them."""
        own = squeeze(text)
        return own == self.stated or own in self.others

    def are_in(self, text: str) -> bool:
        """Tell whether a part of a title is the site's name in some form."""
        own, stated = squeeze(text), self.stated
        if not own or own in self.others:
            return True
        return (own in stated and 2 * len(own) >= len(stated)) or bool(stated and stated in own)


def find_site_names(stated: str, url: str, shared: Iterable[str] = ()) -> SiteNames:
    """Find the names of a site by its own statement, by an address of it and by what its pages share.

    >>> sorted(find_site_names("", "https://www.salt-museum.co.uk/a").others)
    ['co', 'saltmuseum', 'saltmuseumcouk']
    """
    match = _HOST.match(url)
    host = match[1] if match else ""
    others = map(squeeze, (host, *host.split(".")[:-1], *shared))
    return SiteNames(squeeze(stated), frozenset(filter(None, others)))


_TEXTS_BEFORE, _TEXTS_AFTER = 6, 15  # texts around the heading among which a byline is
_NODES_PER_TEXT = 10  # nodes that are searched for each text; pages have about four
_MAX_ANCESTORS = 3  # elements around a text whose classes count
_AUTHOR = re.compile(r"(?<![a-z])(?:author|byline|username|contributor)(?!s?[-_ ]?(?:bio|box|date|meta|image|avatar))")
_LABEL = re.compile(
    r"\A[\W_]*(?:(?:first |last )?(?:published|posted|updated|modified|reviewed|created|date|on|veröffentlicht|stand"
    r"|publié|publicado|pubblicato|am|le|el|il)\b[\s:]*)+",
    re.IGNORECASE,
)
_REVISED = re.compile(r"updat|modif|revi|review|edited|aktualisiert|actualiz|mis à jour|aggiorn", re.IGNORECASE)
_BY_SHOWN = re.compile(
    r"(?:(?:written|posted|published|article|words|story) )?(?:by|von|par|por)\b:?\s*", re.IGNORECASE
)
_BYLINE_PARTING = re.compile(
    r"\s*[|·•]\s*|\s+[–—-]\s+|(?<=\d),?\s+(?=(?:by|von|par|por)\s)"  # noqa: RUF001 - dashes of all kinds
    r"|,?\s+(?:on|am|le|el)\s+(?=\S*\s?\d)",
    re.IGNORECASE,
)
"""What parts a person from a day in `By Ann Miller on May 6, 2024` or `6 May 2024 | Ann Miller`."""
_NO_NAME = re.compile(r"(?:visit|view|follow|more|read|see|all|about|share)\b|.*[:?!|]\Z", re.IGNORECASE)
_DIGIT = frozenset("0123456789")
_MAX_BYLINE, _MAX_DATE, _MIN_NAME, _MAX_NAME = 120, 60, 3, 50  # characters


def read_shown(document: Document, heading: int, is_date: Callable[[str], bool]) -> Statements:
    """Read the byline beside the heading: dates, and texts that are marked as authors or follow a "by"."""
    authors: list[str] = []
    dates: list[str] = []
    revisions: list[str] = []
    after_by = False
    for node, text in _byline_parts(document, heading):
        stated = _machine_date(document, node) or (_LABEL.sub("", text) if _may_be_date(text) else "")
        by = _BY_SHOWN.match(text)
        name = text[by.end() :] if by else text
        if stated and is_date(stated):
            (revisions if _REVISED.search(text) else dates).append(stated)
        elif not authors and _may_be_name(name):
            is_named = name[0].isupper() and (after_by or by is not None)
            if is_named or _AUTHOR.search(_names_around(document, node)):
                authors.append(name)
        after_by = not name
    return Statements(authors=tuple(authors), dates=(*dates, *revisions))


def _byline_parts(document: Document, heading: int) -> Iterator[tuple[int, str]]:
    """Yield the texts beside the heading with their nodes; those that name a person and a day are taken apart."""
    for node in _texts_beside(document, heading):
        text = " ".join(document.texts[node].split())
        parts = _BYLINE_PARTING.split(text) if len(text) <= _MAX_BYLINE else [text]
        yield from ((node, part) for part in parts if part)


def _may_be_date(text: str) -> bool:
    return len(text) <= _MAX_DATE and not _DIGIT.isdisjoint(text)


def _may_be_name(text: str) -> bool:
    return _MIN_NAME <= len(text) <= _MAX_NAME and not _NO_NAME.match(text)


def _machine_date(document: Document, node: int) -> str:
    """Return the `datetime` of the element around a text."""
    for _ in range(2):
        node = int(document.parents[node])
        if "datetime" in (own := document.attributes[node]):
            return own["datetime"]
    return ""


def _texts_beside(document: Document, heading: int) -> list[int]:
    end = int(document.ends[heading])
    before = _texts(document, max(0, heading - _NODES_PER_TEXT * _TEXTS_BEFORE), heading)
    return before[-_TEXTS_BEFORE:] + _texts(document, end, end + _NODES_PER_TEXT * _TEXTS_AFTER)[:_TEXTS_AFTER]


def _texts(document: Document, start: int, stop: int) -> list[int]:
    """List the visible texts from one node to before another."""
    seen = document.seen_texts
    first, last = seen.searchsorted([start, stop])
    nodes: list[int] = seen[first:last].tolist()
    return nodes


def _names_around(document: Document, node: int) -> str:
    """Join the classes, ids and `rel` of elements around a text, in lower case."""
    marks = []
    for _ in range(_MAX_ANCESTORS):
        node = int(document.parents[node])
        if node <= 0:
            break
        own = document.attributes[node]
        marks.append(f"{own.get('class', '')} {own.get('rel', '')} {own.get('id', '')}")
    return " ".join(marks).lower()


_YEARS = ("1000", "2200")
_NO_DATE = "1970-01-01"
"""Written by programs that know no date."""


def read_date(text: str, locale: Locale) -> str:
    """Read a date as ISO 8601, without the time that may follow it; nothing when a text states none.

    >>> [read_date(text, Locale()) for text in ("2024-07-05T10:00:00Z", "2024-7-5 10:00", "July 5, 2024", "0001-01-01")]
    ['2024-07-05', '2024-07-05', '2024-07-05', '']
    """
    plain = fold(text)
    day = read_iso_day(plain)
    said = str(day.value) if day else _read_words(plain, locale)
    return said if _YEARS[0] <= said < _YEARS[1] and said != _NO_DATE else ""


def _read_words(text: str, locale: Locale) -> str:
    found = read_dates([text], locale)
    said = found[0] if found else read_leading_date(text, locale)
    return str(said.value)[: len("2024-07-05")] if said else ""


_LANGUAGE_TAG = re.compile(
    r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?(?:[-_.@,;\s].*)?", re.DOTALL
)


def read_language(text: str) -> str:
    """Read the BCP 47 language tag that a text begins with; nothing when there is none.

    >>> [read_language(text) for text in ("en_us", "zh-hant-tw", "de, en", "English", "en-US.UTF-8")]
    ['en-US', 'zh-Hant-TW', 'de', '', 'en-US']
    """
    match = _LANGUAGE_TAG.fullmatch(text.strip())
    if match is None:
        return ""
    language, script, region = match.groups()
    parts = (language.lower(), script and script.title(), region and region.upper())
    return "-".join(part for part in parts if part)


_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def plain(text: str) -> str:
    """Remove tags and character references, which stated texts often contain.

    >>> plain("Salt &amp; <i>pepper</i>  here")
    'Salt & pepper here'
    """
    if "&" in text:
        text = unescape(text)
    if "<" in text:
        text = _TAG.sub("", text)
    return " ".join(text.split())


def squeeze(text: str) -> str:
    """Write a name as a host name would.

    >>> squeeze("The Salt Museum")
    'thesaltmuseum'
    """
    return fold_name(text).replace(" ", "")
