"""Traits by which values of a column are compared: their texts, looks, boxes, elements and places on the page."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.model.document import Document, Layout
from webquarry.model.report import Selection
from webquarry.values.column_values import read_value
from webquarry.values.text_value import Locale, Value, find_locale

Floats = NDArray[np.float64]
Nodes = NDArray[np.int32]
PageNodes = tuple[Document, Nodes]
"""A page, and the nodes of values on it."""

KINDS = TEXT, LOOK, FRAME, PATH = "text", "look", "frame", "path"
"""Kinds of traits; those of one kind go together, so that the second of them says less than the first."""
TYPE = "type"
"""The name of the trait that is the type of a text."""
NUMBER = "a number"
"""In place of any number at the beginning or the end of a text."""


@dataclass(frozen=True)
class Trait:
    """One trait of many values: either values that are equal or not, or numbers that can be near each other."""

    name: str
    kind: str
    weight: float
    values: Sequence[Hashable] = ()
    numbers: Sequence[Floats] = ()
    """Several if values that are near in one of them are near."""
    tolerance: float | None = None
    """How far apart numbers are that are near each other."""
    is_of_page: bool = False
    """Whether values are compared with all others of their page, instead of those of their column."""

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """A number for each value, the same for equal ones."""
        return to_codes(self.values)


def to_codes(values: Iterable[Hashable]) -> NDArray[np.int64]:
    """Number the values, equal ones the same.

    >>> to_codes(["a", "b", "a"]).tolist()
    [0, 1, 0]
    """
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


def find_traits(selections: Sequence[Selection]) -> list[Trait]:
    """Find the traits of all values, one selection after the other."""
    texts = [text for each in selections for text in each.texts]
    locales = [
        locale for each in selections for locale in [find_locale(each.document.language, each.texts)] * len(each)
    ]
    pages = [(each.document, each.nodes) for each in selections]
    return [
        *find_text_traits(texts, locales),
        *find_look_traits(pages),
        *find_path_traits(pages),
        *find_place_traits(pages),
    ]


_LINK = re.compile(r"(?:https?|ftp|mailto|tel):/{0,2}[^/\s]*|www\.[^/\s]+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_LENGTH_TOLERANCE = 1.0
"""In logarithms to the base 2: one length is near another if it is at most twice as long."""


def find_text_traits(texts: Sequence[str], locales: Iterable[Locale]) -> list[Trait]:
    """Find the traits of texts: what they say, how they begin and end, and how long they are.

    Numbers and dates are read in the locale of each text's page.
    """
    words = [_WORD.findall(text.lower()) for text in texts]
    kinds = [read_typed(text, locale)[0] for text, locale in zip(texts, locales, strict=True)]
    lengths = np.log2(np.array([len(text) + 1 for text in texts], dtype=np.float64))
    return [
        Trait(TYPE, TEXT, 1.0, kinds),
        Trait("letters", TEXT, 1.0, [_LETTER.search(text) is not None for text in texts]),
        Trait("digits", TEXT, 0.5, [_DIGIT.search(text) is not None for text in texts]),
        Trait("beginning", TEXT, 0.5, [_fold(each[0]) if each else "" for each in words]),
        Trait("end", TEXT, 0.5, [_fold(each[-1]) if each else "" for each in words]),
        Trait("text", TEXT, 0.5, [text.lower() for text in texts]),
        Trait("capital", TEXT, 0.5, [text[:1].isupper() for text in texts]),
        Trait("length", TEXT, 1.0, numbers=[lengths], tolerance=_LENGTH_TOLERANCE),
    ]


@lru_cache(maxsize=1 << 16)  # each value is asked for twice, and many are equal
def read_typed(text: str, locale: Locale) -> tuple[str, Value | None]:
    """Return the type of a text, and its value if it has one."""
    if _LINK.match(text):
        return "link", None
    return read_value(text, locale) or ("text", None)


def _fold(word: str) -> str:
    return NUMBER if word.isdecimal() else word


_SIDES = ("top", "right", "bottom", "left")
_LETTER_STYLES = ("font-size", "color", "font-weight", "font-style", "text-decoration", "text-align")
_FRAME_STYLES = {
    "background-color": ("background-color",),
    "display": ("display",),
    "position": ("position",),
    "padding": tuple(f"padding-{side}" for side in _SIDES),
    "margin": tuple(f"margin-{side}" for side in _SIDES),
    "border": tuple(f"border-{side}-width" for side in _SIDES),
    "border-radius": ("border-top-left-radius", "border-top-right-radius"),
}
"""Properties of what is around the letters, by their common names; they tell less, as highlighted records differ in
them."""
_MAX_MISALIGNMENT = 3.0
"""Pixels: edges that are no further apart look aligned."""


def find_look_traits(pages: Sequence[PageNodes]) -> list[Trait]:
    """Find the traits of the style and box of each node's element; none if a page has no layout."""
    placed = [(layout, nodes, _owners_of(document, nodes)) for document, nodes in pages if (layout := document.layout)]
    if len(placed) < len(pages):
        return []

    def styles(name: str) -> list[str]:
        return [value for layout, _, owners in placed for value in _style_values(layout, owners, name)]

    traits = [Trait(name, LOOK, 1.0, styles(name)) for name in _LETTER_STYLES]
    for name, properties in _FRAME_STYLES.items():
        sides = zip(*map(styles, properties), strict=True)
        traits.append(Trait(name, FRAME, 0.5, [each[0] if len(set(each)) == 1 else " ".join(each) for each in sides]))
    boxes: Floats = np.concatenate([np.empty((0, 4)), *(_boxes_of(*each) for each in placed)])
    left, width, height = boxes[:, 0], boxes[:, 2], boxes[:, 3]
    edges = [left, left + width / 2, left + width]
    return [
        *traits,
        Trait("edges", FRAME, 0.25, numbers=edges, tolerance=_MAX_MISALIGNMENT),
        Trait("height", FRAME, 0.25, numbers=[height], tolerance=_MAX_MISALIGNMENT),
    ]


def find_inner(document: Document, nodes: Nodes) -> Nodes:
    """Find for each node the element around its first visible text, which has the style of its letters."""
    texts = np.append(document.seen_texts, len(document)).astype(np.int64)
    first = texts[np.searchsorted(texts, nodes)]
    has_text = first < document.ends[nodes]
    inner: Nodes = np.where(has_text, document.parents[np.where(has_text, first, 0)], _owners_of(document, nodes))
    return np.maximum(inner, 0)


def _style_values(layout: Layout, owners: Nodes, name: str) -> list[str]:
    """Return what each element has for a property; for a decoration its line."""
    if name not in layout.properties:
        return [""] * len(owners)
    values = [value.partition(" ")[0] if name == "text-decoration" else value for value in (*layout.values, "")]
    return [values[code] for code in layout.styles[owners, layout.properties.index(name)].tolist()]


def _boxes_of(layout: Layout, nodes: Nodes, owners: Nodes) -> Floats:
    """Return the box of each node, else of its element; an empty one at the origin if neither has any."""
    own = layout.boxes[nodes].astype(np.float64)
    return np.nan_to_num(np.where(np.isnan(own), layout.boxes[owners], own))


MAX_LEVELS = 100
"""Ancestors of a value that are compared: deeper trees are faults or attacks."""
_HIGHLIGHTS = frozenset("b em i mark strong u".split())
"""Elements around words that were searched for: a value that is nothing else is in its place."""


def find_path_traits(pages: Sequence[PageNodes]) -> list[Trait]:
    """Find the traits of the elements around each node."""
    chains = [
        (document, _ancestors(document, element))
        for document, nodes in pages
        for element in _owners_of(document, nodes).tolist()
    ]
    return [
        Trait("path", PATH, 1.0, [_tags_of(document, chain) for document, chain in chains]),
        Trait("element", PATH, 0.5, [_name_element(document, chain[:1]) for document, chain in chains]),
        Trait("holder", PATH, 0.5, [_name_element(document, chain[1:2]) for document, chain in chains]),
    ]


def _owners_of(document: Document, nodes: Nodes) -> Nodes:
    """Return each element itself, and the parents of other nodes."""
    owners: Nodes = np.where(document.kinds[nodes] == Kind.ELEMENT, nodes, np.maximum(document.parents[nodes], 0))
    return owners


def _ancestors(document: Document, element: int) -> list[int]:
    """List an element and its ancestors, outwards, without what only highlights the text."""
    while document.tag(element) in _HIGHLIGHTS and "class" not in document.attributes[element]:
        element = int(document.parents[element])
    chain: list[int] = []
    while element > 0 and len(chain) < MAX_LEVELS:
        chain.append(element)
        element = int(document.parents[element])
    return chain


def _tags_of(document: Document, chain: Sequence[int]) -> tuple[str, ...]:
    """Return the tags of a chain from the outermost inwards, without those that highlight the text."""
    tags = [document.tag(element) for element in reversed(chain)]
    while tags and tags[-1] in _HIGHLIGHTS:
        tags.pop()
    return tuple(tags)


def _name_element(document: Document, elements: Sequence[int]) -> str:
    """Name the first element by its tag and classes; empty if there is none."""
    if not elements:
        return ""
    classes = sorted(document.attributes[elements[0]].get("class", "").split())
    return ".".join([document.tag(elements[0]), *classes])


MIN_SHARE_OF_HOLDER = 0.8
"""The share of a page's values that their common element has to contain."""


def find_place_traits(pages: Sequence[PageNodes]) -> list[Trait]:
    """Find for each value the element that contains most values of its page, or else the largest beside it."""
    places: list[str] = []
    for document, nodes in pages:
        holder = find_holder(document, nodes)
        path = document.xpath(holder)
        inside = (nodes >= holder) & (nodes < document.ends[holder])
        places += [
            path if is_inside else document.xpath(_find_beside(document, node, holder))
            for node, is_inside in zip(nodes.tolist(), inside.tolist(), strict=True)
        ]
    return [Trait("place", PATH, 1.0, places, is_of_page=True)]


def find_holder(document: Document, nodes: Nodes) -> int:
    """Find the innermost element that contains most of some nodes; the document if no other does."""
    if not len(nodes):
        return 0
    ordered = np.sort(nodes)
    node = int(ordered[len(ordered) // 2])  # an element with most of them contains the one in their middle
    while node > 0:
        first, stop = np.searchsorted(ordered, [node, document.ends[node]])
        if stop - first >= MIN_SHARE_OF_HOLDER * len(ordered):
            break
        node = int(document.parents[node])
    return max(node, 0)


def _find_beside(document: Document, node: int, holder: int) -> int:
    """Find the outermost ancestor of a node that does not contain the holder."""
    while not (parent := int(document.parents[node])) <= holder < document.ends[parent]:
        node = parent
    return node
