"""What a page states about its article, of each thing the first statement that is any good."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from webquarry.model.article import Metadata
from webquarry.model.document import Document
from webquarry.reading.metadata.authors import join_authors
from webquarry.reading.metadata.dates import read_date
from webquarry.reading.metadata.json_ld import read_json_ld
from webquarry.reading.metadata.languages import read_language
from webquarry.reading.metadata.marked import read_marked
from webquarry.reading.metadata.metas import read_metas
from webquarry.reading.metadata.shown import read_shown
from webquarry.reading.metadata.sites import SiteNames, find_site_names
from webquarry.reading.metadata.statements import Statements
from webquarry.reading.metadata.texts import fold_name, plain
from webquarry.reading.metadata.titles import choose_title
from webquarry.values.locale import find_locale

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
