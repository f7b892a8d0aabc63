"""Read what a page states about its article: JSON-LD, meta elements, microdata and RDFa.

Of microdata and RDFa this also reads properties outside of an item (98 of 421 pages of articles), and of meta elements
all names that publishing systems use, not only `og:` (278 pages have others): `stated_blocks` reads only what is whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import Any

import numpy as np

from webquarry.model.document import Document
from webquarry.page.stated_blocks import read_json_ld_blocks


@dataclass(frozen=True)
class Statements:
    """Statements of one source about the article, the most trusted first."""

    titles: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    """Each one person, or a line that names several."""
    dates: tuple[str, ...] = ()
    """Dates of publication."""
    page_dates: tuple[str, ...] = ()
    """Dates of the page, which may be those of its article; most other pages state one too."""
    languages: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()


Item = Mapping[str, Any]

_MAIN_TYPES = (
    ("Article", "Posting", "Report"),
    ("Recipe", "HowTo", "Question", "Review", "Course", "Event", "Book", "Blog"),
    ("Product", "ProductGroup", "SoftwareApplication", "Movie", "VideoObject", "PodcastEpisode"),
)
"""Ends of names of types that a page can be about, the likeliest first: an article may have questions below it."""
_PAGE_TYPES = ("Page", "WebPage", "WebSite")
_NESTING_PROPERTIES = ("@graph", "mainEntity", "mainEntityOfPage", "itemReviewed")
_MAX_DEPTH = 8  # items and lists in each other; real ones are three or four deep


def read_json_ld(document: Document, is_title: Callable[[str], bool]) -> Statements:
    """Read the JSON-LD item that the page is about.

    Of several articles that is the one with the title or the address of the page: the others are linked to.
    """
    items = [item for block in read_json_ld_blocks(document) for item in _walk_items(block.value)]
    if not items:
        return Statements()
    by_id = {each["@id"]: each for each in reversed(items) if isinstance(each.get("@id"), str) and len(each) > 1}
    main = _find_main_item(items, document.web_address, is_title)
    pages = [each for each in items if _is_a(each, _PAGE_TYPES)]
    own = [main, *pages] if main else pages
    return Statements(
        titles=tuple(_texts(main, "headline", "name")) if main else (),
        authors=tuple(_find_authors(own, by_id)),
        dates=tuple(_texts(main, "datePublished", "dateCreated", "uploadDate")) if main else (),
        page_dates=tuple(text for each in own for text in _texts(each, "datePublished", "dateModified")),
        languages=tuple(text for each in own for text in _texts(each, "inLanguage")),
        sites=tuple(_find_sites(items, main, by_id)),
    )


_MIN_STATED_TEXT = 80
"""Letters of a stated text that says something: a line or more."""


def read_stated_text(document: Document) -> str:
    """Read the text of what the page is about from its JSON-LD: the body of an article, or a description.

    >>> item = '{"@type": "Product", "description": "<p>Thrown on a wheel.</p><p>%s</p>"}' % ("Blue. " * 20)
    >>> read_stated_text(Document(f"<script type=application/ld+json>{item}</script>"))[:24]
    'Thrown on a wheel.\\nBlue.'
    """
    items = [item for block in read_json_ld_blocks(document) for item in _walk_items(block.value)]
    main = _find_main_item(items, document.web_address, lambda _: False)
    for text in _texts(main or {}, "articleBody", "text", "description"):
        shown = Document(unescape(text) if "&lt;" in text else text).text().strip()
        if len(shown) >= _MIN_STATED_TEXT:
            return shown
    return ""


def _walk_items(value: Any, depth: int = 0) -> Iterator[Item]:
    """Yield the independent items of a value, each before those nested in it."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for each in value:
            yield from _walk_items(each, depth + 1)
    elif isinstance(value, dict):
        yield value
        for name in _NESTING_PROPERTIES:
            if name in value:
                yield from _walk_items(value[name], depth + 1)


def _find_main_item(items: list[Item], url: str, is_title: Callable[[str], bool]) -> Item | None:
    for types in _MAIN_TYPES:
        candidates = [each for each in items if _is_a(each, types)]
        if len(candidates) == 1:
            return candidates[0]
        for each in candidates:
            page = each.get("mainEntityOfPage")
            urls = [
                *_texts(each, "url", "mainEntityOfPage"),
                *(_texts(page, "@id", "url") if isinstance(page, dict) else ()),
            ]
            if url in urls or any(is_title(text) for text in _texts(each, "headline", "name")):
                return each
    return None


def _find_authors(own: list[Item], by_id: Mapping[str, Item]) -> list[str]:
    """List the authors of the first item that names any."""
    for item in own:
        for role in ("author", "creator"):
            if names := [name for each in _as_list(item.get(role)) for name in _names(each, by_id)]:
                return names
    return []


def _find_sites(items: list[Item], main: Item | None, by_id: Mapping[str, Item]) -> Iterator[str]:
    for each in items:
        parts = [each, *(part for part in _as_list(each.get("isPartOf")) if isinstance(part, dict))]
        for site in (part for part in parts if _is_a(part, ("WebSite",))):
            yield from _texts(site, "name")
    if main:
        for each in _as_list(main.get("publisher")):
            yield from _names(each, by_id)


def _names(value: Any, by_id: Mapping[str, Item]) -> list[str]:
    """List the names of a person or organisation, given as a text, as an object or by id."""
    if isinstance(value, dict):
        named = value if "name" in value else by_id.get(str(value.get("@id")), value)
        return list(_texts(named, "name"))
    return [value] if isinstance(value, str) else []


def _is_a(item: Item, types: tuple[str, ...]) -> bool:
    return any(text.endswith(types) for text in _texts(item, "@type"))


def _texts(item: Item, *names: str) -> Iterator[str]:
    for name in names:
        for each in _as_list(item.get(name)):
            if isinstance(each, str) and each.strip():
                yield each


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


_TITLE_NAMES = tuple(
    "og:title citation_title dc.title dcterms.title parsely-title sailthru.title twitter:title title".split()
)
_AUTHOR_NAMES = tuple(
    "author citation_author dc.creator dcterms.creator article:author parsely-author sailthru.author og:author "
    "dc.contributor byl article.author cre".split()
)
_DATE_NAMES = tuple(
    "article:published_time article:published og:published_time article:first_published_time "
    "citation_publication_date citation_online_date dc.date.issued dcterms.issued dcterms.created "
    "dc.date.created dc.date dcterms.date parsely-pub-date sailthru.date datepublished "
    "publish_date publish-date published_date publication_date publicationdate pubdate pdate "
    "published og:publish_date article.published date datecreated created originalpublicationdate".split()
)
_REVISION_NAMES = tuple("article:modified_time og:updated_time dcterms.modified dc.date.modified datemodified".split())
_LANGUAGE_NAMES = tuple("content-language og:locale dc.language dcterms.language language inlanguage".split())
_SITE_NAMES = tuple("og:site_name citation_journal_title application-name apple-mobile-web-app-title".split())
_LABELLED = (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2"))
_AUTHOR_LABELS = frozenset(
    ["written by", "author", "by", "verfasst von", "geschrieben von", "écrit par", "escrito por", "scritto da"]
)
_KNOWN_NAMES = {*_TITLE_NAMES, *_AUTHOR_NAMES, *_DATE_NAMES, *_REVISION_NAMES, *_LANGUAGE_NAMES, *_SITE_NAMES}
_KNOWN_NAMES.update(*_LABELLED)
_NAMING_ATTRIBUTES = ("property", "name", "itemprop", "http-equiv")


def read_metas(document: Document) -> Statements:
    """Read the meta elements: Open Graph, Dublin Core and the names that publishing systems use."""
    found: dict[str, list[str]] = {}
    for node in np.flatnonzero(document.has_tag(["meta"])).tolist():
        attributes = document.attributes[node]
        if content := attributes.get("content"):
            for name in _names_of_meta(attributes):
                found.setdefault(name, []).append(content)

    def pick(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(content for name in names for content in found.get(name, ()))

    return Statements(
        titles=pick(_TITLE_NAMES),
        authors=_pick_authors(found),
        dates=pick(_DATE_NAMES),
        page_dates=pick(_REVISION_NAMES),
        languages=pick(_LANGUAGE_NAMES),
        sites=pick(_SITE_NAMES),
    )


def _names_of_meta(attributes: Mapping[str, str]) -> list[str]:
    names = " ".join([attributes[name] for name in _NAMING_ATTRIBUTES if name in attributes]).lower()
    if names.startswith("dc"):
        names = names.replace(":", ".")
    return [name for name in names.split() if name in _KNOWN_NAMES]


def _pick_authors(found: dict[str, list[str]]) -> tuple[str, ...]:
    """Pick all authors of one name: several are stated one by one, and again under other names."""
    for label, data in _LABELLED:
        if found.get(label, [""])[0].lower() in _AUTHOR_LABELS:
            found.setdefault("byl", found.get(data, []))
    lists = (found[name] for name in _AUTHOR_NAMES if name in found)
    return next((tuple(authors) for authors in lists if any("/" not in each for each in authors)), ())


_AUTHOR_PROPERTIES = ("author", "creator")
_DATE_PROPERTIES = ("datePublished", "dateCreated")
_REVISION_PROPERTIES = ("dateModified",)
_PROPERTIES = frozenset((*_AUTHOR_PROPERTIES, *_DATE_PROPERTIES, *_REVISION_PROPERTIES))
_FOREIGN_TYPES = re.compile(r"Comment|Answer|Review|Rating|Person|Organization|ListItem|Offer|Image|Video")
"""Types of items that are not what the page is about."""
_MAX_PROPERTIES = 100  # of a page, and nodes of a property: those of the article are among the first


def read_marked(document: Document) -> Statements:
    """Read microdata and RDFa of the first item that is not a comment or the like, and links with `rel=author`."""
    marked = [
        (node, name, scope)
        for node, name in islice(_find_properties(document), _MAX_PROPERTIES)
        if (scope := _find_scope(document, node)) < 0 or not _FOREIGN_TYPES.search(_type_of(document, scope))
    ]
    authors = [(node, scope) for node, name, scope in marked if name in _AUTHOR_PROPERTIES]
    named = [node for node, scope in authors if scope == authors[0][1]] or _links_to_author(document)

    def values(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_value(document, node) for wanted in names for node, name, _ in marked if name == wanted)

    return Statements(
        authors=tuple(_name_of_person(document, node) for node in named),
        dates=values(_DATE_PROPERTIES),
        page_dates=values(_REVISION_PROPERTIES),
    )


def _find_properties(document: Document) -> Iterator[tuple[int, str]]:
    """Yield elements with their properties, without prefixes."""
    attributes = document.attributes
    elements = np.flatnonzero(document.tags >= 0).tolist()
    for node in [each for each in elements if "itemprop" in (own := attributes[each]) or "property" in own]:
        for name in _properties_of(attributes[node]):
            if (bare := name.rpartition(":")[2]) in _PROPERTIES:
                yield node, bare


def _properties_of(attributes: Mapping[str, str]) -> list[str]:
    return f"{attributes.get('itemprop', '')} {attributes.get('property', '')}".split()


def _find_scope(document: Document, node: int) -> int:
    """Find the item that a property belongs to; -1 when there is none."""
    above = int(document.parents[node])
    while above > 0 and not ({"itemscope", "typeof"} & document.attributes[above].keys()):
        above = int(document.parents[above])
    return above if above > 0 else -1


def _type_of(document: Document, scope: int) -> str:
    own = document.attributes[scope]
    return own.get("itemtype", "") + own.get("typeof", "")


def _value(document: Document, node: int) -> str:
    own = document.attributes[node]
    return own.get("content") or own.get("datetime") or document.text(node)


def _name_of_person(document: Document, node: int) -> str:
    """Return the name of a person, who is often an item with a name in it."""
    for below in range(node + 1, min(node + _MAX_PROPERTIES, int(document.ends[node]))):
        if any(name == "name" or name.endswith(":name") for name in _properties_of(document.attributes[below])):
            return _value(document, below)
    return _value(document, node)


def _links_to_author(document: Document) -> list[int]:
    attributes = document.attributes
    links = np.flatnonzero(document.has_tag(["a"]) & ~document.hidden).tolist()
    return [node for node in links if "author" in attributes[node].get("rel", "").split()][:1]
