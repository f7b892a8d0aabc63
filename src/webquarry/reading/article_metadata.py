"""What a page states about its article, of each thing the first statement that is any good."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from typing import NamedTuple

import numpy as np

from webquarry.html.columns import Kind
from webquarry.model.article import Metadata
from webquarry.model.document import Document
from webquarry.page.stated_data import Statements, fold_name, plain, read_json_ld, read_marked, read_metas, squeeze
from webquarry.values.dates import read_dates, read_leading_date
from webquarry.values.locale import Locale, find_locale
from webquarry.values.text_value import fold

# MERGED reading/metadata/sites: What a site is called.
_HOST = re.compile(r"\w+://(?:[^/?#@]*@)?(?:www\.)?([^/?#:]*)")


class SiteNames(NamedTuple):
    """The names of a site as `squeeze` gives them."""

    stated: str
    hosts: frozenset[str]
    """The host of its address, and the parts of that."""

    def have(self, text: str) -> bool:
        """Whether a text is one of them."""
        own = squeeze(text)
        return own == self.stated or own in self.hosts

    def are_in(self, text: str) -> bool:
        """Whether a part of a title is the site's name, in one form or another."""
        own, stated = squeeze(text), self.stated
        if not own or own in self.hosts:
            return True
        return (own in stated and 2 * len(own) >= len(stated)) or bool(stated and stated in own)


def find_site_names(stated: str, url: str) -> SiteNames:
    """The names of a site by its own statement and by an address of it.

    >>> sorted(find_site_names("", "https://www.salt-museum.co.uk/a").hosts)
    ['co', 'saltmuseum', 'saltmuseumcouk']
    """
    match = _HOST.match(url)
    host = match[1] if match else ""
    return SiteNames(squeeze(stated), frozenset(filter(None, (squeeze(host), *map(squeeze, host.split(".")[:-1])))))


# MERGED reading/metadata/authors: Names of authors.
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
"""What programs put in the place of a name."""
_LONGEST = 12
"""Words of a name, with titles and the like: longer ones are sentences about the author."""


def join_authors(stated: Iterable[str], site: SiteNames) -> str:
    """The names that are any good, each once, parted by commas; that of the site is not."""
    found: dict[str, str] = {}
    for text in stated:
        name = _BY.sub("", plain(text).strip(" ,;|·-"), count=1).strip(" ,;|·-@")
        if _is_name(name) and not _is_site(name, site):
            found.setdefault(fold_name(name), name)
    return ", ".join(found.values())


def _is_site(name: str, site: SiteNames) -> bool:
    """Whether a name is that of the site; people have hosts too, and are written in words."""
    return squeeze(name) == site.stated or (" " not in name and site.have(name))


def _is_name(text: str) -> bool:
    folded = fold_name(text)
    return bool(folded) and folded not in _NOBODY and len(text.split()) <= _LONGEST and not _ADDRESS.search(text)


# MERGED reading/metadata/dates: Dates as pages state them, in ISO 8601.
_YEARS = range(1000, 2200)
_NO_DATE = "1970-01-01"
"""What programs write when they do not know."""
_DAY = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)(?!\d)")
_LOOSE_ZONE = re.compile(r"(?<=:\d\d)\s+(?:([+-]\d\d:?\d\d)(?: \S+)?|UTC|GMT)\Z")
"""A zone that stands apart from its time, and perhaps is named twice."""
_LONGEST_DATES = 80  # characters of a line that states a date


def read_date(text: str, locale: Locale) -> str:
    """The date, or date and time, that a text states; nothing when it states none.

    >>> [read_date(text, Locale()) for text in ("2024-07-05T10:00:00Z", "2024-7-5 10:00", "July 5, 2024", "0001-01-01")]
    ['2024-07-05T10:00:00+00:00', '2024-07-05', '2024-07-05', '']
    """
    plain = fold(text)
    said = "" if len(plain) > _LONGEST_DATES else _read_iso(plain) or _read_day(plain) or _read_words(plain, locale)
    return "" if said.startswith(_NO_DATE) else said


def _read_iso(text: str) -> str:
    try:
        said = datetime.fromisoformat(_LOOSE_ZONE.sub(_zone, text))
    except ValueError:
        return ""
    if said.year not in _YEARS:
        return ""
    return said.isoformat() if ":" in text or "T" in text else said.date().isoformat()


def _zone(match: re.Match[str]) -> str:
    return match[1] or "+00:00"


def _read_day(text: str) -> str:
    match = _DAY.match(text)
    if match is None:
        return ""
    try:
        said = date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return ""
    return said.isoformat() if said.year in _YEARS else ""


def _read_words(text: str, locale: Locale) -> str:
    found = read_dates([text], locale)
    said = found[0] if found else read_leading_date(text, locale)
    return str(said.value) if said else ""


# MERGED reading/metadata/languages: Language tags.
_TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?(?:[-_.@,;\s].*)?", re.DOTALL)


def read_language(text: str) -> str:
    """The tag that a text begins with, as in BCP 47; nothing when it is none.

    >>> [read_language(text) for text in ("en_us", "zh-hant-tw", "de, en", "English", "en-US.UTF-8")]
    ['en-US', 'zh-Hant-TW', 'de', '', 'en-US']
    """
    match = _TAG.fullmatch(text.strip())
    if match is None:
        return ""
    language, script, region = match.groups()
    parts = (language.lower(), script and script.title(), region and region.upper())
    return "-".join(part for part in parts if part)


# MERGED reading/metadata/shown: Author and date as they stand beside the heading of an article, for its read
_BEFORE, _AFTER = 6, 15
"""Texts before and behind the heading that are looked at: a byline stands there, or none does."""
_NODES_A_TEXT = 10
"""Nodes that are looked through for a text: there are four or so for each."""
_HOLDERS = 3
"""Elements around a text whose classes count."""
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
_NO_NAME = re.compile(r"(?:visit|view|follow|more|read|see|all|about|share)\b|.*[:?!|]\Z", re.IGNORECASE)
_DIGIT = frozenset("0123456789")
_LONGEST_DATE, _SHORTEST_NAME, _LONGEST_NAME = 60, 3, 50  # characters


def read_shown(document: Document, heading: int, is_date: Callable[[str], bool]) -> Statements:
    """What stands beside the heading: dates, and texts that are marked as authors or follow a "by"."""
    authors: list[str] = []
    dates: list[str] = []
    revisions: list[str] = []
    after_by = False
    for node in _beside(document, heading):
        text = " ".join(document.texts[node].split())
        stated = _stamp(document, node) or (_LABEL.sub("", text) if _may_be_date(text) else "")
        by = _BY_SHOWN.match(text)
        name = text[by.end() :] if by else text
        if stated and is_date(stated):
            (revisions if _REVISED.search(text) else dates).append(stated)
        elif not authors and _may_be_name(name):
            is_named = name[0].isupper() and (after_by or by is not None)
            if is_named or _AUTHOR.search(_marks(document, node)):
                authors.append(name)
        after_by = not name
    return Statements(authors=tuple(authors), dates=(*dates, *revisions))


def _may_be_date(text: str) -> bool:
    return len(text) <= _LONGEST_DATE and not _DIGIT.isdisjoint(text)


def _may_be_name(text: str) -> bool:
    return _SHORTEST_NAME <= len(text) <= _LONGEST_NAME and not _NO_NAME.match(text)


def _stamp(document: Document, node: int) -> str:
    """What the `time` element that holds a text says for machines."""
    for _ in range(2):
        node = int(document.parents[node])
        if "datetime" in (own := document.attributes[node]):
            return own["datetime"]
    return ""


def _beside(document: Document, heading: int) -> list[int]:
    end = int(document.ends[heading])
    before = _texts(document, max(0, heading - _NODES_A_TEXT * _BEFORE), heading)
    return before[-_BEFORE:] + _texts(document, end, end + _NODES_A_TEXT * _AFTER)[:_AFTER]


def _texts(document: Document, start: int, stop: int) -> list[int]:
    """Texts that a reader sees, of the nodes from one to before another."""
    seen = (document.kinds[start:stop] == Kind.TEXT) & ~document.hidden[start:stop]
    return [node for node in (np.flatnonzero(seen) + start).tolist() if not document.texts[node].isspace()]


def _marks(document: Document, node: int) -> str:
    """The classes and the like of elements around a text, in small letters."""
    marks = []
    for _ in range(_HOLDERS):
        node = int(document.parents[node])
        if node <= 0:
            break
        own = document.attributes[node]
        marks.append(f"{own.get('class', '')} {own.get('rel', '')} {own.get('id', '')}")
    return " ".join(marks).lower()


# MERGED reading/metadata/titles: The title of an article, of what a page states and of its largest headings.
_PARTING = re.compile(r"\s+[-|–—·•:»«/~]+\s+|\s*[|»]+\s*|\s+::\s+|: ")  # noqa: RUF001 - dashes of all kinds
_LONGEST_HEADING = 40
"""Words: a longer first heading is a paragraph that was to be large."""


def choose_title(stated: Sequence[str], headings: Sequence[str], site: SiteNames) -> str:
    """The title as the page's heading says it, where a statement says the same; else the first statement.

    The name of the site is cut off what is stated, and is a title only where there is no other.
    """
    names = [cut_site(each, site) for each in dict.fromkeys(stated) if each]
    titles = [each for each in names if not site.have(each)]
    headings = [each for each in headings if len(each.split()) <= _LONGEST_HEADING and not site.have(each)]
    folded = [fold_name(each) for each in titles]
    for heading in headings:
        own = fold_name(heading)
        if own and own in folded:
            return titles[folded.index(own)] if heading.isupper() else heading
    for heading in headings:
        own = fold_name(heading)
        if own and any(_begins_or_ends(each, own) for each in folded):
            return heading
    return next(iter([*titles, *headings, *names]), "")


def cut_site(title: str, site: SiteNames) -> str:
    """A title without the site's name before or behind it; the title alone where nothing else would be left.

    >>> from webquarry.reading.article_metadata import find_site_names
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


def _begins_or_ends(text: str, part: str) -> bool:
    return text.startswith(f"{part} ") or text.endswith(f" {part}")


_MOST_HEADINGS = 30
"""Headings that are looked at: the title is among the first."""
_DAY_IN_ADDRESS = re.compile(r"/(\d{4})/(\d\d?)/(\d\d?)(?=/)")


def read_metadata(document: Document) -> Metadata:
    """Title, author, date, language and site as the page states them."""
    headings = _headings(document)
    metas, named = read_metas(document), _title(document)
    linked = read_json_ld(document, _matcher([*headings.values(), named, *metas.titles]))
    language = _first(read_language, [document.language, *metas.languages, *linked.languages])
    site = _first(plain, chain(metas.sites, linked.sites))
    names = find_site_names(site, document.url)
    titles = [plain(each) for each in (*linked.titles, *metas.titles, named)]
    title = choose_title(titles, list(headings.values()), names)
    locale = find_locale(language, [])

    def to_date(text: str) -> str:
        return read_date(text, locale)

    author, date = _find_byline(chain((linked, metas), _places(document, headings, title, to_date)), names, to_date)
    return Metadata(title, author, date, language, site)


def _places(
    document: Document, headings: Mapping[int, str], title: str, to_date: Callable[[str], str]
) -> Iterator[Statements]:
    """What the page itself states; looking for it takes longer than reading its head."""
    yield read_marked(document)
    heading = _find_heading(document, headings, title)
    if heading is not None:
        yield read_shown(document, heading, lambda text: bool(to_date(text)))
    yield Statements(dates=tuple("-".join(match.groups()) for match in _DAY_IN_ADDRESS.finditer(document.url)))


def _find_byline(places: Iterable[Statements], site: SiteNames, to_date: Callable[[str], str]) -> tuple[str, str]:
    """Author and date, each from the first place that states it.

    Of pages without an author the date of the page itself is not taken: those are mostly no articles.
    """
    author = date = ""
    page_dates: list[str] = []
    for place in places:
        author = author or join_authors(place.authors, site)
        date = date or _first(to_date, place.dates)
        page_dates += place.page_dates
        if author and date:
            break
    return author, date or (_first(to_date, page_dates) if author else "")


def _first(read: Callable[[str], str], texts: Iterable[str]) -> str:
    return next((said for text in texts if (said := read(text))), "")


def _headings(document: Document, tags: Sequence[str] = ("h1",)) -> dict[int, str]:
    """The largest headings that a reader sees, by their nodes."""
    nodes = np.flatnonzero(document.has_tag(tags) & ~document.hidden)[:_MOST_HEADINGS].tolist()
    return {node: text for node in nodes if (text := " ".join(document.text(node).split()))}


def _find_heading(document: Document, headings: Mapping[int, str], title: str) -> int | None:
    """The heading of the article: that which says its title, else the first of the largest."""
    name = fold_name(title)
    for candidates in (headings, {} if headings else _headings(document, ("h2", "h3"))):
        for node, text in candidates.items():
            if fold_name(text) == name:
                return node
    return next(iter(headings), None)


def _title(document: Document) -> str:
    nodes = np.flatnonzero(document.has_tag(["title"]) & (document.namespaces == 0)).tolist()
    return " ".join("".join(document.texts[nodes[0] + 1 : document.ends[nodes[0]]]).split()) if nodes else ""


def _matcher(titles: Iterable[str]) -> Callable[[str], bool]:
    """Whether a text says the same as one of the titles, or the beginning of it."""
    folded = [name for each in titles if (name := fold_name(plain(each)))]

    def is_title(text: str) -> bool:
        own = fold_name(plain(text))
        return bool(own) and any(each.startswith(own) or own.startswith(each) for each in folded)

    return is_title
