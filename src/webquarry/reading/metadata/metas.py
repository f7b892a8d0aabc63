"""What the `meta` elements of a page state: Open Graph, Dublin Core, and names that publishers have agreed on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from webquarry.model.document import Document
from webquarry.reading.metadata.statements import Statements

_TITLES = ("og:title", "citation_title", "dc.title", "dcterms.title", "parsely-title", "sailthru.title")
_MORE_TITLES = ("twitter:title", "title")
_AUTHORS = ("author", "citation_author", "dc.creator", "dcterms.creator", "article:author", "parsely-author")
_MORE_AUTHORS = ("sailthru.author", "og:author", "dc.contributor", "byl", "article.author", "cre")
_DATES = (
    *("article:published_time", "article:published", "og:published_time", "article:first_published_time"),
    *("citation_publication_date", "citation_online_date", "dc.date.issued", "dcterms.issued", "dcterms.created"),
    *("dc.date.created", "dc.date", "dcterms.date", "parsely-pub-date", "sailthru.date", "datepublished"),
    *("publish_date", "publish-date", "published_date", "publication_date", "publicationdate", "pubdate", "pdate"),
    *("published", "og:publish_date", "article.published", "date", "datecreated", "created", "originalpublicationdate"),
)
_LABELLED = (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2"))
_WRITTEN_BY = (
    "written by",
    "author",
    "by",
    "verfasst von",
    "geschrieben von",
    "écrit par",
    "escrito por",
    "scritto da",
)
_REVISIONS = ("article:modified_time", "og:updated_time", "dcterms.modified", "dc.date.modified", "datemodified")
_LANGUAGES = ("content-language", "og:locale", "dc.language", "dcterms.language", "language", "inlanguage")
_SITES = ("og:site_name", "citation_journal_title", "application-name", "apple-mobile-web-app-title")

_NAMES_IN = ("property", "name", "itemprop", "http-equiv")
"""The attributes that say what a `meta` element is about."""
_SUBJECTS = {*_TITLES, *_MORE_TITLES, *_AUTHORS, *_MORE_AUTHORS, *_DATES, *_REVISIONS, *_LANGUAGES, *_SITES}
_SUBJECTS.update(*_LABELLED)


def read_metas(document: Document) -> Statements:
    """What is stated, of each thing in the order of the names above."""
    found: dict[str, list[str]] = {}
    for node in np.flatnonzero(document.has_tag(["meta"])).tolist():
        attributes = document.attributes[node]
        content = attributes.get("content")
        if content:
            for subject in _subjects(attributes):
                found.setdefault(subject, []).append(content)
    return Statements(
        titles=_pick(found, _TITLES + _MORE_TITLES),
        authors=_pick_authors(found),
        dates=_pick(found, _DATES),
        page_dates=_pick(found, _REVISIONS),
        languages=_pick(found, _LANGUAGES),
        sites=_pick(found, _SITES),
    )


def _subjects(attributes: Mapping[str, str]) -> list[str]:
    said = " ".join([attributes[name] for name in _NAMES_IN if name in attributes]).lower()
    if said.startswith("dc"):
        said = said.replace(":", ".")
    return [name for name in said.split() if name in _SUBJECTS]


def _pick(found: Mapping[str, list[str]], names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(content for name in names for content in found.get(name, ()))


def _pick_authors(found: dict[str, list[str]]) -> tuple[str, ...]:
    """All of one name together: several authors are stated one by one, and again under other names."""
    for label, data in _LABELLED:
        if found.get(label, [""])[0].lower() in _WRITTEN_BY:
            found.setdefault("byl", found.get(data, []))
    return next((tuple(found[name]) for name in _AUTHORS + _MORE_AUTHORS if _has_name(found.get(name, ()))), ())


def _has_name(contents: list[str] | tuple[()]) -> bool:
    return any("/" not in each for each in contents)
