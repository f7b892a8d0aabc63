"""What the JSON-LD of a page states of its article."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from webquarry.model.document import Document
from webquarry.reading.metadata.json_texts import parse_json
from webquarry.reading.metadata.statements import Statements

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
