"""Find the items in the data that a page states, and the lists that they are in.

An item is an object with a type or, in the state of scripts, an object of a list.  Its properties are flattened: those
of an object in it get a path (`offers.price`), and of several objects the first counts, or the names of all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from html import unescape
from typing import Any

from webquarry.model.document import Document
from webquarry.model.nouns import Deferred
from webquarry.page.stated_blocks import OPEN_GRAPH, STATE, Block, local_name, pointer_to, read_typed_blocks

MAX_ITEMS = 2_000
"""Of a list."""
MAX_PROPERTIES = 60
"""Of an item."""
_MAX_VISITED = 60_000  # values of a block that are searched for items
_MAX_DEPTH = 24  # values in each other
_MAX_PATH = 4  # names in a flattened path
_MAX_LISTED = 20  # texts of a list that are joined
_MAX_TEXT = 5_000  # characters of a value
_MIN_STATE_ITEMS = 2
_MIN_SHARED = 0.6  # share of a list's objects that have a property, for it to be one that they have in common
_MIN_SHARED_PROPERTIES = 2  # that objects of a state have in common to be items

_FURNITURE_TYPES = frozenset(
    "BreadcrumbList Organization Corporation WebSite WebPage CollectionPage SearchResultsPage ItemPage AboutPage"
    " SiteNavigationElement ImageObject SearchAction WPHeader WPFooter WPSideBar ContactPoint PostalAddress Person"
    " EntryPoint ListItem ImageGallery ReadAction SpeakableSpecification Brand ContactPage Logo Rating".split()
)
"""Types of what is around the items that a page is for."""
_LIST_TYPES = frozenset(("ItemList", "OfferCatalog", "DataFeed", "BreadcrumbList", "HowToSection"))
_NESTING = frozenset(("@graph", "mainEntity", "item", "hasPart", "dataFeedElement", "itemListElement"))
_LEFT_OUT = frozenset(("@type", "@id", "@context", "__typename", "potentialAction"))
_SCHEMA = re.compile(r"https?://schema\.org/(?=\w+\Z)")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->")
_NO_DATES = ("1970-01-01", "0001-01-01")
"""Written by programs that know no date."""
_TITLES = frozenset(("name", "title", "headline", "label"))
_STATE_TITLES = _TITLES | {"heading", "subject", "displayName", "productName", "fullName", "text", "question"}
_TELLING = re.compile(
    r"(?:price|amount|cost|date|start|image|img|thumbnail|photo|location|address|slug|url|href|link)", re.IGNORECASE
)


@dataclass(frozen=True)
class Stated:
    """A value that a page states."""

    text: str
    node: int
    pointer: str | None = None
    """The JSON pointer of the value in the text of the node; None if the node itself is the value."""
    kind: str = "text"
    """text, number or boolean, as it is written."""

    def address(self, xpath: str) -> str:
        """Write where the value is, given the XPath of its node."""
        return xpath if self.pointer is None else f"{xpath}#{self.pointer}"


@dataclass(frozen=True)
class Item:
    """A thing that a page states properties of."""

    type: str
    node: int
    values: Deferred[Mapping[str, Stated]] = Deferred()  # noqa: RUF009 - a descriptor is one for all
    """By path; flattened on first use, as most items of states are of no interest."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "values": self.values}


@dataclass(frozen=True)
class ItemList:
    """Items of one type, or of one list."""

    type: str
    """Without its vocabulary; empty for items of a state that names none."""
    format: str
    items: tuple[Item, ...]

    @property
    def is_furniture(self) -> bool:
        """True for items that pages have around what they are for."""
        return self.format == OPEN_GRAPH or self.type in _FURNITURE_TYPES

    @property
    def score(self) -> float:
        """The likelihood that these are what the page is for, from 0 to 1."""
        paths = {path for item in self.items[:_SAMPLED] for path in item.values}
        richness = min(1.0, len(paths) / _RICH)
        score = richness * (1 - 1 / (len(self.items) + 1))
        if self.format == STATE:
            score *= _STATE_FACTOR if _tells(paths) else _DUMB_STATE_FACTOR
        return score * (_FURNITURE_FACTOR if self.is_furniture else 1.0)

    def describe(self) -> str:
        """Say how the items are stated: `stated as Product in JSON-LD`."""
        return f"stated as {self.type} in {self.format}" if self.type else f"stated in the {self.format}"


_SAMPLED = 5  # items by which a list is judged
_RICH = 3  # properties from which on items say enough to be a table
_STATE_FACTOR, _DUMB_STATE_FACTOR, _FURNITURE_FACTOR = 0.7, 0.08, 0.05  # states hold menus and translations too


def _tells(paths: Iterable[str]) -> bool:
    """Tell whether properties are those of things: a name, and what one wants to know of things with names."""
    known = list(paths)
    return any(path.lower() in _TITLES for path in known) and any(_TELLING.search(path) for path in known)


_TITLE_KEY = re.compile(r"""\b(?:name|title|headline|label)\\?["']?\s*:""", re.IGNORECASE)
_TELLING_KEY = re.compile(rf"""{_TELLING.pattern}\w{{0,20}}\\?["']?\s*:""", re.IGNORECASE)
_LOOKED_AT = 200_000  # characters of a script that could not be read


def looks_like_items(text: str) -> bool:
    """Tell whether a script that could not be read has names and what one wants to know of things with names.

    >>> looks_like_items('{"name": "Kettle", "price": 3, {"name": "Lamp", "price": 4')
    True
    """
    start = text[:_LOOKED_AT]
    return all(len(pattern.findall(start)) >= _MIN_STATE_ITEMS for pattern in (_TITLE_KEY, _TELLING_KEY))


def find_item_lists(blocks: Sequence[Block]) -> list[ItemList]:
    """Find the lists of items in blocks, the likeliest to be what the page is for first."""
    found: dict[tuple[str, ...], list[Item]] = {}
    types: dict[tuple[str, ...], str] = {}
    for number, block in enumerate(blocks):
        finder = _Finder(block, number)
        for key, item in finder.items():
            members = found.setdefault(key, [])
            types.setdefault(key, item.type)
            if len(members) < MAX_ITEMS:
                members.append(item)
    lists = [
        ItemList(
            types[key] if key[0] != "list" or key[3] == "" else key[3], key[1], tuple(sorted(members, key=_node_of))
        )
        for key, members in found.items()
        if key[1] != STATE or len(members) >= _MIN_STATE_ITEMS
    ]
    scores = {place: each.score for place, each in enumerate(lists)}
    return [lists[place] for place in sorted(scores, key=lambda place: -scores[place]) if scores[place]]


class PageData:
    """The typed data of a page, read on first use."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def blocks(self) -> list[Block]:
        """JSON-LD, microdata and RDFa."""
        return read_typed_blocks(self._document)

    @cached_property
    def lists(self) -> list[ItemList]:
        """The lists of items in them."""
        return find_item_lists(self.blocks)


def _node_of(item: Item) -> int:
    return item.node


class _Finder:
    """Finds the items of a block."""

    def __init__(self, block: Block, number: int) -> None:
        self._block, self._number = block, number
        self._left = _MAX_VISITED

    def items(self) -> Iterator[tuple[tuple[str, ...], Item]]:
        """Yield items with the key of their list."""
        walk = self._walk_state if self._block.format == STATE else self._walk_typed
        return walk(self._block.value, "", 0)

    def _walk_typed(
        self, value: Any, pointer: str, depth: int, *, is_independent: bool = True
    ) -> Iterator[tuple[tuple[str, ...], Item]]:
        self._left -= 1
        if depth > _MAX_DEPTH or self._left < 0:
            return
        if isinstance(value, list):
            several = len(value) > 1
            for place, each in enumerate(value):
                yield from self._walk_typed(
                    each, f"{pointer}/{place}", depth + 1, is_independent=is_independent or several
                )
        elif isinstance(value, dict):
            kind = type_of(value)
            if kind in _LIST_TYPES:
                yield from self._walk_list(value, kind, pointer, depth)
                return
            if kind and is_independent:
                yield ("type", self._block.format, kind), self._make_item(kind, value, pointer)
            for name, each in value.items():
                if isinstance(each, dict | list):
                    yield from self._walk_typed(
                        each, pointer_to(pointer, name), depth + 1, is_independent=name in _NESTING or not kind
                    )

    def _walk_list(
        self, holder: dict[str, Any], kind: str, pointer: str, depth: int
    ) -> Iterator[tuple[tuple[str, ...], Item]]:
        """Yield the elements of a list, each the item that it stands for."""
        name = next((each for each in ("itemListElement", "dataFeedElement") if each in holder), "")
        elements, here = holder.get(name), pointer_to(pointer, name)
        if isinstance(elements, dict):
            elements, here = [elements], ""
        for place, element in enumerate(elements if isinstance(elements, list) else ()):
            below = f"{here}/{place}" if here else pointer_to(pointer, name)
            if not isinstance(element, dict):
                continue
            inner, inner_pointer = element, below
            item = element.get("item")
            if isinstance(item, list) and len(item) == 1:  # marked items
                item, below = item[0], f"{below}/item/0"
            elif isinstance(item, dict):
                below = f"{below}/item"
            if isinstance(item, dict) and len(item) > 1:
                inner, inner_pointer = item, below
            own = type_of(inner) or "ListItem"
            if own in _LIST_TYPES:
                yield from self._walk_list(inner, own, inner_pointer, depth + 1)
                continue
            listed = kind if kind == "BreadcrumbList" else ""
            key = ("list", self._block.format, f"{self._number}{pointer}", listed)
            yield key, self._make_item(own, inner, inner_pointer)

    def _walk_state(
        self, value: Any, pointer: str, depth: int, path: str = ""
    ) -> Iterator[tuple[tuple[str, ...], Item]]:
        """Yield the objects of lists of alike objects, those of lists in items of a list together."""
        self._left -= 1
        if depth > _MAX_DEPTH or self._left < 0:
            return
        if isinstance(value, list):
            if (kind := _common_type(value)) is not None:
                for place, each in enumerate(value):
                    if isinstance(each, dict):
                        key = ("state", STATE, f"{self._number}{path}", kind)
                        yield key, self._make_item(kind, each, f"{pointer}/{place}")
            for place, each in enumerate(value):
                if isinstance(each, dict | list):
                    yield from self._walk_state(each, f"{pointer}/{place}", depth + 1, f"{path}/*")
        elif isinstance(value, dict):
            yield from self._walk_object(value, pointer, depth, path)

    def _walk_object(
        self, value: dict[str, Any], pointer: str, depth: int, path: str
    ) -> Iterator[tuple[tuple[str, ...], Item]]:
        if not depth and _has_title(value, value):  # many blocks of one kind may each hold an item
            kind = str(value.get("__typename") or "")
            key = ("blocks", STATE, ",".join(sorted(value)[:MAX_PROPERTIES]), kind)
            yield key, self._make_item(kind, value, pointer)
        for name, each in value.items():
            if isinstance(each, dict) and isinstance(each.get("__typename"), str) and ":" in name:  # a cache of Apollo
                yield (
                    ("cache", STATE, each["__typename"]),
                    self._make_item(each["__typename"], each, pointer_to(pointer, name)),
                )
            if isinstance(each, dict | list):
                yield from self._walk_state(each, pointer_to(pointer, name), depth + 1, pointer_to(path, name))

    def _make_item(self, kind: str, value: dict[str, Any], pointer: str) -> Item:
        return Item(kind, self._node(pointer), partial(self._flatten_all, value, pointer))

    def _flatten_all(self, value: dict[str, Any], pointer: str) -> dict[str, Stated]:
        values: dict[str, Stated] = {}
        for path, stated in self._flatten(value, pointer, ()):
            if path not in values:
                values[path] = stated
                if len(values) == MAX_PROPERTIES:
                    break
        return values

    def _node(self, pointer: str) -> int:
        nodes = self._block.nodes
        return self._block.node if nodes is None else nodes.get(pointer, self._block.node)

    def _flatten(self, value: dict[str, Any], pointer: str, above: tuple[str, ...]) -> Iterator[tuple[str, Stated]]:
        for name, each in value.items():
            if name in _LEFT_OUT or (name.startswith("@") and name != "@value"):
                continue
            path = above if name == "@value" else (*above, name)
            yield from self._flatten_value(each, pointer_to(pointer, name), path)

    def _flatten_value(self, value: Any, pointer: str, path: tuple[str, ...]) -> Iterator[tuple[str, Stated]]:
        if isinstance(value, list):
            if len(value) == 1:
                yield from self._flatten_value(value[0], f"{pointer}/0", path)
            elif value and all(isinstance(each, str | int | float) for each in value):
                texts = [text for each in value[:_MAX_LISTED] if (text := _to_text(each))]
                is_addresses = texts and all(text.startswith(("http://", "https://", "//", "/")) for text in texts)
                joined = texts[0] if is_addresses else ", ".join(texts)
                place = f"{pointer}/0" if self._block.nodes is not None or is_addresses else pointer
                if joined:
                    yield ".".join(path), self._stated(joined, place, "text")
            elif value and isinstance(value[0], dict):
                yield from self._flatten_several(value, pointer, path)
        elif isinstance(value, dict):
            if len(path) < _MAX_PATH:
                yield from self._flatten(value, pointer, path)
        elif value is not None and (text := _to_text(value)):
            kind = "boolean" if isinstance(value, bool) else "number" if isinstance(value, int | float) else "text"
            yield ".".join(path), self._stated(text, pointer, kind)

    def _flatten_several(self, values: list[Any], pointer: str, path: tuple[str, ...]) -> Iterator[tuple[str, Stated]]:
        """Flatten several objects of a property: their names, else the first of them."""
        objects = [each for each in values[:_MAX_LISTED] if isinstance(each, dict)]
        names = [text for each in objects if (text := _to_text(_first(each.get("name"))))]
        if names and len(names) == len(objects):
            yield ".".join((*path, "name")), self._stated(", ".join(names), f"{pointer}/0/name", "text")
        elif len(path) < _MAX_PATH:
            yield from self._flatten(objects[0], f"{pointer}/0", path)

    def _stated(self, text: str, pointer: str, kind: str) -> Stated:
        if self._block.nodes is None:
            return Stated(text, self._block.node, pointer, kind)
        return Stated(text, self._nearest(pointer), None, kind)

    def _nearest(self, pointer: str) -> int:
        """Find the node of a marked value, or of what holds it."""
        nodes = self._block.nodes or {}
        while pointer:
            if pointer in nodes:
                return nodes[pointer]
            pointer = pointer.rpartition("/")[0]
        return self._block.node


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def type_of(value: Mapping[str, Any]) -> str:
    """Return the first type of an object, without its vocabulary; empty if it has none."""
    kind = _first(value.get("@type"))
    return local_name(kind) if isinstance(kind, str) else ""


def _common_type(values: list[Any]) -> str | None:
    """Return the type that objects of a list share, which may be unnamed; None if they are not items of one kind."""
    objects = [each for each in values[:50] if isinstance(each, dict)]
    if len(objects) < _MIN_STATE_ITEMS or len(objects) < _MIN_SHARED * min(len(values), 50):
        return None
    counts: dict[str, int] = {}
    for each in objects:
        for name in each:
            counts[name] = counts.get(name, 0) + 1
    shared = {name for name, count in counts.items() if count >= _MIN_SHARED * len(objects)}
    if len(shared) < _MIN_SHARED_PROPERTIES or not _has_title(shared, objects[0]):
        return None
    kinds = {str(each.get("__typename") or each.get("@type") or "") for each in objects}
    return kinds.pop() if len(kinds) == 1 else ""


def _has_title(names: Collection[str], first: Mapping[str, Any]) -> bool:
    """Tell whether objects have a title, themselves or in an object around it: others are settings of programs."""
    if not _STATE_TITLES.isdisjoint(names):
        return True
    return any(isinstance(each, dict) and not _STATE_TITLES.isdisjoint(each) for each in first.values())


def _to_text(value: Any) -> str:
    """Write a plain value as a text, without the tags and character references that stated texts often hold."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else str(value)
    if not isinstance(value, str):
        return ""
    text = value[:_MAX_TEXT].replace("\\n", " ")  # escaped twice, as one of the calendars of WordPress does
    if "&" in text:
        text = unescape(text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    text = _SCHEMA.sub("", " ".join(text.split()))
    return "" if text.startswith(_NO_DATES) else text
