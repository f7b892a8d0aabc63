"""Traits: what values of a column are compared by.

`texts.py` has what texts say and how they are written, `looks.py` styles and boxes, `paths.py` the elements that hold
values, and `places.py` where on their page they stand.  `trait.py` is what all of them give.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind
from webquarry.model.document import Document
from webquarry.model.layout import Layout
from webquarry.values.column_values import read_value
from webquarry.values.locale import Locale

# MERGED validating/columns/traits/trait: Traits: what values of a column are compared by.
KINDS = TEXT, LOOK, FRAME, PATH = "text", "look", "frame", "path"
"""What traits are about; those of one kind go together, so that the second of them says less than the first."""
TYPE = "type"
"""The name of the trait that is the type of a text."""
NUMBER = "a number"
"""What stands for every number at the beginning or the end of a text."""


@dataclass(frozen=True)
class Trait:
    """One trait of many values: either of which two are the same or not, or numbers that can be near each other."""

    name: str
    kind: str
    weight: float
    values: Sequence[Hashable] = ()
    numbers: Sequence[NDArray[np.float64]] = ()
    """Several when values that are near in one of them are near."""
    tolerance: float | None = None
    """How far apart numbers are that are near each other."""
    is_of_page: bool = False
    """Whether values are compared with all others of their page, instead of those of their column."""

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """A number for each value, the same for the same."""
        return to_codes(self.values)


def to_codes(values: Iterable[Hashable]) -> NDArray[np.int64]:
    """A number for each value, the same for the same.

    >>> to_codes(["a", "b", "a"]).tolist()
    [0, 1, 0]
    """
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


# MERGED validating/columns/traits/paths: What the places of values in their trees are compared by: the eleme
Nodes = NDArray[np.int32]
Values = tuple[Document, Nodes]
"""A page, and the nodes of values on it."""

MOST_LEVELS = 100
"""Elements around a value that are looked at: trees as deep are faults or attacks."""
HIGHLIGHTS = frozenset("b em i mark strong u".split())
"""Elements in which words stand that were searched for: a value that is nothing else is in its place."""


def find_path_traits(pages: Sequence[Values]) -> list[Trait]:
    """The traits of where nodes stand."""
    chains = [
        (document, _chain(document, element))
        for document, nodes in pages
        for element in owners_of(document, nodes).tolist()
    ]
    return [
        Trait("path", PATH, 1.0, [_tags(document, chain) for document, chain in chains]),
        Trait("element", PATH, 0.5, [_step(document, chain[:1]) for document, chain in chains]),
        Trait("holder", PATH, 0.5, [_step(document, chain[1:2]) for document, chain in chains]),
    ]


def owners_of(document: Document, nodes: Nodes) -> Nodes:
    """The element that each node is, or that holds it."""
    owners: Nodes = np.where(document.kinds[nodes] == Kind.ELEMENT, nodes, np.maximum(document.parents[nodes], 0))
    return owners


def _chain(document: Document, element: int) -> list[int]:
    """An element and those that hold it, outwards; what only highlights the text is passed over."""
    while document.tag(element) in HIGHLIGHTS and "class" not in document.attributes[element]:
        element = int(document.parents[element])
    chain: list[int] = []
    while element > 0 and len(chain) < MOST_LEVELS:
        chain.append(element)
        element = int(document.parents[element])
    return chain


def _tags(document: Document, chain: Sequence[int]) -> tuple[str, ...]:
    """The tags of a chain from the outermost inwards, without those that highlight the text."""
    tags = [document.tag(element) for element in reversed(chain)]
    while tags and tags[-1] in HIGHLIGHTS:
        tags.pop()
    return tuple(tags)


def _step(document: Document, elements: Iterable[int]) -> str:
    """An element as its tag and classes; nothing when there is none."""
    for element in elements:
        classes = sorted(document.attributes[element].get("class", "").split())
        return ".".join([document.tag(element), *classes])
    return ""


# MERGED validating/columns/traits/looks: What the looks of values are compared by: the style of the element
Floats = NDArray[np.float64]
Placed = tuple[Layout, Nodes, Nodes]
"""The layout of a page, the nodes of values on it, and the element of each."""

_SIDES = ("top", "right", "bottom", "left")
LETTERS = ("font-size", "color", "font-weight", "font-style", "text-decoration", "text-align")
FRAMES = {
    "background-color": ("background-color",),
    "display": ("display",),
    "position": ("position",),
    "padding": tuple(f"padding-{side}" for side in _SIDES),
    "margin": tuple(f"margin-{side}" for side in _SIDES),
    "border": tuple(f"border-{side}-width" for side in _SIDES),
    "border-radius": ("border-top-left-radius", "border-top-right-radius"),
}
"""By what a reader would call them, the properties of what is around the letters: it tells less, for records that are
set apart from the others differ in it."""
_ALIGNED = 3.0
"""Pixels: edges that are no further apart look as one line."""


def find_look_traits(pages: Sequence[Values]) -> list[Trait]:
    """The traits of nodes by the layouts of their pages; none when a page has no layout."""
    placed = [(layout, nodes, owners_of(document, nodes)) for document, nodes in pages if (layout := document.layout)]
    if len(placed) < len(pages):
        return []
    traits = [Trait(name, LOOK, 1.0, _styles(placed, name)) for name in LETTERS]
    for name, properties in FRAMES.items():
        sides = zip(*(_styles(placed, each) for each in properties), strict=True)
        traits.append(Trait(name, FRAME, 0.5, [_shorten(each) for each in sides]))
    return traits + _box_traits(placed)


def _styles(placed: Sequence[Placed], name: str) -> list[str]:
    """For each value what its element has for a property; of a decoration the line."""
    found: list[str] = []
    for layout, _, owners in placed:
        if name not in layout.properties:
            found += [""] * len(owners)
            continue
        values = [value.partition(" ")[0] if name == "text-decoration" else value for value in (*layout.values, "")]
        found += [values[code] for code in layout.styles[owners, layout.properties.index(name)].tolist()]
    return found


def _shorten(sides: Sequence[str]) -> str:
    """The values of several sides, once when they are the same."""
    return sides[0] if len(set(sides)) == 1 else " ".join(sides)


def _box_traits(placed: Sequence[Placed]) -> list[Trait]:
    none = np.empty((0, 4))
    boxes: Floats = np.concatenate([none, *(_boxes(*each) for each in placed)])
    left, width, height = boxes[:, 0], boxes[:, 2], boxes[:, 3]
    return [
        Trait("edges", FRAME, 0.25, numbers=[left, left + width / 2, left + width], tolerance=_ALIGNED),
        Trait("height", FRAME, 0.25, numbers=[height], tolerance=_ALIGNED),
    ]


def _boxes(layout: Layout, nodes: Nodes, owners: Nodes) -> Floats:
    """The box of each node, else of its element; those that have none are all at the origin."""
    own = layout.boxes[nodes].astype(np.float64)
    return np.nan_to_num(np.where(np.isnan(own), layout.boxes[owners], own))


# MERGED validating/columns/traits/places: Where values of a page stand: what holds most of them, as the list
MOST = 0.8
"""Share of the values of a page that a holder has to hold."""


def find_place_traits(pages: Sequence[Values]) -> list[Trait]:
    """For each value the element that holds most values of its page, or else the largest beside it."""
    places: list[str] = []
    for document, nodes in pages:
        holder = find_holder(document, nodes)
        address = document.xpath(holder)
        inside = (nodes >= holder) & (nodes < document.ends[holder])
        places += [
            address if is_inside else document.xpath(_find_beside(document, node, holder))
            for node, is_inside in zip(nodes.tolist(), inside.tolist(), strict=True)
        ]
    return [Trait("place", PATH, 1.0, places, is_of_page=True)]


def find_holder(document: Document, nodes: Nodes) -> int:
    """The innermost element that holds most of some nodes; the document when no other does."""
    if not len(nodes):
        return 0
    ordered = np.sort(nodes)
    node = int(ordered[len(ordered) // 2])  # what holds most of them holds the one in their middle
    while node > 0 and _count_inside(document, ordered, node) < MOST * len(ordered):
        node = int(document.parents[node])
    return max(node, 0)


def _find_beside(document: Document, node: int, holder: int) -> int:
    """The outermost that holds a node and does not hold the holder."""
    while not (parent := int(document.parents[node])) <= holder < document.ends[parent]:
        node = parent
    return node


def _count_inside(document: Document, ordered: Nodes, node: int) -> int:
    first, stop = np.searchsorted(ordered, [node, document.ends[node]])
    return int(stop - first)


# MERGED validating/columns/traits/texts: What texts of a column are compared by: what they say, how they beg
_ADDRESS = re.compile(r"(?:https?|ftp|mailto|tel):/{0,2}[^/\s]*|www\.[^/\s]+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_TWICE = 1.0
"""In logarithms to the base 2: lengths of which one is twice the other are near each other."""


def find_text_traits(texts: Sequence[str], locales: Iterable[Locale]) -> list[Trait]:
    """The traits of texts, each read as its page writes numbers and dates."""
    words = [_WORD.findall(text.lower()) for text in texts]
    kinds = [_kind(text, locale) for text, locale in zip(texts, locales, strict=True)]
    lengths = np.log2(np.array([len(text) + 1 for text in texts], dtype=np.float64))
    return [
        Trait(TYPE, TEXT, 1.0, kinds),
        Trait("letters", TEXT, 1.0, [_LETTER.search(text) is not None for text in texts]),
        Trait("digits", TEXT, 0.5, [_DIGIT.search(text) is not None for text in texts]),
        Trait("beginning", TEXT, 0.5, [_fold(each[0]) if each else "" for each in words]),
        Trait("end", TEXT, 0.5, [_fold(each[-1]) if each else "" for each in words]),
        Trait("text", TEXT, 0.5, [text.lower() for text in texts]),
        Trait("capital", TEXT, 0.5, [text[:1].isupper() for text in texts]),
        Trait("length", TEXT, 1.0, numbers=[lengths], tolerance=_TWICE),
    ]


def _kind(text: str, locale: Locale) -> str:
    if _ADDRESS.match(text):
        return "link"
    found = read_value(text, locale)
    return "text" if found is None else found[0]


def _fold(word: str) -> str:
    return NUMBER if word.isdecimal() else word
