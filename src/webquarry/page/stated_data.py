"""What one place of a page states, as it is written there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import Any

import numpy as np

from webquarry.model.document import Document
from webquarry.values.text_value import fold


@dataclass(frozen=True)
class Statements:
    """What one place of a page states of its article; of each thing the most trusted first."""

    titles: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    """Each one person, or a line that names several."""
    dates: tuple[str, ...] = ()
    """When it was published."""
    page_dates: tuple[str, ...] = ()
    """When the page was put up or changed: it may be an article's, and most pages of a site that are none state it."""
    languages: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()


# MERGED reading/metadata/json_texts: JSON as pages hold it: often with faults that make the whole unreadable
_DECODER = json.JSONDecoder(strict=False)  # line breaks in strings are the commonest fault
_WRAPPING = re.compile(r"\A\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>|;)\s*\Z")
_COMMENT = re.compile(r"^[ \t]*+//.*$|/\*[^*]*+\*/", re.MULTILINE)
_COMMA_TOO_MANY = re.compile(r",(?=\s*[}\]])")
_STRING = r'"((?:[^"\\\n]|\\.)*)"'
_PAIR = re.compile(rf'"(@type|headline|datePublished|dateModified|inLanguage)"\s*:\s*{_STRING}')
_AUTHOR = re.compile(rf'"author"\s*:\s*(?:[\[{{\s]|"(?!name")[@\w]+"\s*:\s*{_STRING}\s*,)*(?:"name"\s*:\s*)?{_STRING}')
_LONGEST_BROKEN = 200_000
"""Characters of a broken text that are looked through: what an article says of itself is never longer."""


def parse_json(text: str) -> Any:
    """The value that a text says.

    Comments, commas too many and line breaks in strings are passed over.  Of a text that is broken beyond that, the
    first of each plain statement is read, as one object; None when there is none.

    >>> parse_json('{"headline": "A", }'), parse_json('{"headline": "A" "author": {"name": "B"}')
    ({'headline': 'A'}, {'headline': 'A', 'author': 'B'})
    """
    for repair in (str.strip, _repaired):
        try:
            return _DECODER.decode(repair(text))
        except (ValueError, RecursionError):
            continue
    return _scan(text[:_LONGEST_BROKEN])


def _repaired(text: str) -> str:
    return _COMMA_TOO_MANY.sub("", _COMMENT.sub("", _WRAPPING.sub("", text)))


def _scan(text: str) -> dict[str, str] | None:
    found: dict[str, str] = {}
    for name, said in _PAIR.findall(text):
        found.setdefault(name, _unquoted(said))
    if author := _AUTHOR.search(text):
        found["author"] = _unquoted(author[2])
    return found or None


def _unquoted(said: str) -> str:
    try:
        return str(_DECODER.decode(f'"{said}"'))
    except ValueError:
        return said


# MERGED reading/metadata/json_ld: What the JSON-LD of a page states of its article.
Item = Mapping[str, Any]

_MAIN = (
    ("Article", "Posting", "Report"),
    ("Recipe", "HowTo", "Question", "Review", "Course", "Event", "Book", "Blog"),
    ("Product", "ProductGroup", "SoftwareApplication", "Movie", "VideoObject", "PodcastEpisode"),
)
"""Ends of the names of types that a page can be about, the likeliest first: an article may have questions below it."""
_PAGES = ("Page", "WebPage", "WebSite")
_HOLDERS = ("@graph", "mainEntity", "mainEntityOfPage", "itemReviewed")
_DEEPEST = 8
"""Items and lists in each other that are followed; real ones are three or four deep."""


def read_json_ld(document: Document, is_title: Callable[[str], bool]) -> Statements:
    """What is stated of the item that the page is about.

    Where several are articles, it is the one that is called as the page is, or has its address: the others are
    linked to.
    """
    items = [item for value in _values(document) for item in _walk(value)]
    if not items:
        return Statements()
    by_id = {each["@id"]: each for each in reversed(items) if isinstance(each.get("@id"), str) and len(each) > 1}
    main = _main_item(items, document.url, is_title)
    pages = [each for each in items if _is_a(each, _PAGES)]
    own = [main, *pages] if main else pages
    return Statements(
        titles=tuple(_texts(main, "headline", "name")) if main else (),
        authors=tuple(_people(own, by_id)),
        dates=tuple(_texts(main, "datePublished", "dateCreated", "uploadDate")) if main else (),
        page_dates=tuple(text for each in own for text in _texts(each, "datePublished", "dateModified")),
        languages=tuple(text for each in own for text in _texts(each, "inLanguage")),
        sites=tuple(_sites(items, main, by_id)),
    )


def _values(document: Document) -> Iterator[Any]:
    attributes, texts = document.attributes, document.texts
    for node in np.flatnonzero(document.has_tag(["script"])).tolist():
        if "ld+json" in attributes[node].get("type", "").lower():
            yield parse_json("".join(texts[node + 1 : document.ends[node]]))


def _walk(value: Any, depth: int = 0) -> Iterator[Item]:
    """The items of a value that stand for themselves, each before those that it holds."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for each in value:
            yield from _walk(each, depth + 1)
    elif isinstance(value, dict):
        yield value
        for name in _HOLDERS:
            if name in value:
                yield from _walk(value[name], depth + 1)


def _main_item(items: list[Item], url: str, is_title: Callable[[str], bool]) -> Item | None:
    for ends in _MAIN:
        candidates = [each for each in items if _is_a(each, ends)]
        if len(candidates) == 1:
            return candidates[0]
        for each in candidates:
            if url in _addresses(each) or any(is_title(text) for text in _texts(each, "headline", "name")):
                return each
    return None


def _addresses(item: Item) -> list[str]:
    """Where an item says that it stands."""
    page = item.get("mainEntityOfPage")
    return [*_texts(item, "url", "mainEntityOfPage"), *(_texts(page, "@id", "url") if isinstance(page, dict) else ())]


def _is_a(item: Item, ends: tuple[str, ...]) -> bool:
    return any(text.endswith(ends) for text in _strings(item.get("@type")))


def _people(own: list[Item], by_id: Mapping[str, Item]) -> Iterator[str]:
    """The authors of the first item that names any."""
    for item in own:
        for role in ("author", "creator"):
            names = [name for each in _listed(item.get(role)) for name in _names(each, by_id)]
            if names:
                yield from names
                return


def _sites(items: list[Item], main: Item | None, by_id: Mapping[str, Item]) -> Iterator[str]:
    for each in items:
        if _is_a(each, ("WebSite",)):
            yield from _texts(each, "name")
        for part in _listed(each.get("isPartOf")):
            if isinstance(part, dict) and _is_a(part, ("WebSite",)):
                yield from _texts(part, "name")
    if main:
        for each in _listed(main.get("publisher")):
            yield from _names(each, by_id)


def _names(value: Any, by_id: Mapping[str, Item]) -> list[str]:
    """The name of a person or organisation, stated as a text, as an object, or by its number elsewhere."""
    if isinstance(value, dict):
        named = value if "name" in value else by_id.get(str(value.get("@id")), value)
        return list(_texts(named, "name"))
    return [value] if isinstance(value, str) else []


def _texts(item: Item, *names: str) -> Iterator[str]:
    for name in names:
        yield from _strings(item.get(name))


def _strings(value: Any) -> list[str]:
    return [each for each in _listed(value) if isinstance(each, str) and each.strip()]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


# MERGED reading/metadata/metas: What the `meta` elements of a page state: Open Graph, Dublin Core, and names
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


# MERGED reading/metadata/marked: What is marked on the page itself: microdata, RDFa, `time`, `rel=author`.
_AUTHORS_MARKED = ("author", "creator")
_DATES_MARKED = ("datePublished", "dateCreated")
_REVISIONS_MARKED = ("dateModified",)
_WANTED = frozenset((*_AUTHORS_MARKED, *_DATES_MARKED, *_REVISIONS_MARKED))
_OTHERS = re.compile(r"Comment|Answer|Review|Rating|Person|Organization|ListItem|Offer|Image|Video")
"""Types of items that are not what the page is about."""
_MOST = 100
"""Properties of a page, and nodes of a property, that are looked at: an article's own are among the first."""
_VALUES_IN = ("content", "datetime")
"""Attributes that hold a value in the place of the text."""


def read_marked(document: Document) -> Statements:
    """What is stated of the first item that is not a comment or the like."""
    marked = list(_own(document, islice(_find_properties(document), _MOST)))
    authors = [node for node, name in marked if name in _AUTHORS_MARKED] or _links_to_author(document)
    return Statements(
        authors=tuple(_name(document, node) for node in _first_scope(document, authors)),
        dates=tuple(_values_marked(document, marked, _DATES_MARKED)),
        page_dates=tuple(_values_marked(document, marked, _REVISIONS_MARKED)),
    )


def _find_properties(document: Document) -> Iterator[tuple[int, str]]:
    """Elements with the property that they are marked as; of a name with a prefix what follows it."""
    attributes = document.attributes
    elements = np.flatnonzero(document.tags >= 0).tolist()
    for node in [each for each in elements if "itemprop" in (own := attributes[each]) or "property" in own]:
        own = attributes[node]
        for name in f"{own.get('itemprop', '')} {own.get('property', '')}".split():
            if (bare := name.rpartition(":")[2]) in _WANTED:
                yield node, bare


def _own(document: Document, marked: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Those that are not of a comment, an answer or the like."""
    for node, name in marked:
        scope = _scope(document, node)
        if scope < 0 or not _OTHERS.search(_type(document, scope)):
            yield node, name


def _scope(document: Document, node: int) -> int:
    """The item that a property is of; -1 when it is of none."""
    above = int(document.parents[node])
    while above > 0 and not ({"itemscope", "typeof"} & document.attributes[above].keys()):
        above = int(document.parents[above])
    return above if above > 0 else -1


def _type(document: Document, scope: int) -> str:
    own = document.attributes[scope]
    return own.get("itemtype", "") + own.get("typeof", "")


def _first_scope(document: Document, nodes: list[int]) -> list[int]:
    return [node for node in nodes if _scope(document, node) == _scope(document, nodes[0])]


def _values_marked(document: Document, marked: list[tuple[int, str]], names: tuple[str, ...]) -> Iterator[str]:
    for wanted in names:
        for node, name in marked:
            if name == wanted:
                yield _value(document, node)


def _value(document: Document, node: int) -> str:
    own = document.attributes[node]
    return next((own[name] for name in _VALUES_IN if own.get(name)), "") or document.text(node)


def _name(document: Document, node: int) -> str:
    """The name of a person, who is often an item with a name in it."""
    for below in range(node + 1, min(node + _MOST, int(document.ends[node]))):
        own = document.attributes[below]
        if "name" in f"{own.get('itemprop', '')} {own.get('property', '')}".replace(":", " ").split():
            return _value(document, below)
    return _value(document, node)


def _links_to_author(document: Document) -> list[int]:
    attributes = document.attributes
    links = np.flatnonzero(document.has_tag(["a"]) & ~document.hidden).tolist()
    return [node for node in links if "author" in attributes[node].get("rel", "").split()][:1]


# MERGED reading/metadata/texts: Texts of statements in plain characters.
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_WORD = re.compile(r"\w+")


def plain(text: str) -> str:
    """The text without tags and references, which statements often hold although they are read as they stand.

    >>> plain("Salt &amp; <i>pepper</i>  here")
    'Salt & pepper here'
    """
    if "&" in text:
        text = unescape(text)
    if "<" in text:
        text = _TAG.sub("", text)
    return " ".join(text.split())


def fold_name(text: str) -> str:
    """What is left to compare titles and names by: words in small letters.

    >>> fold_name("Salt & Pepper: A Story")
    'salt pepper a story'
    """
    return " ".join(_WORD.findall(fold(text).casefold()))


def squeeze(text: str) -> str:
    """The text as a host would name it.

    >>> squeeze("The Salt Museum")
    'thesaltmuseum'
    """
    return fold_name(text).replace(" ", "")
