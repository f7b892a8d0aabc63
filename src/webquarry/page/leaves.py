"""Find the leaves of a document: the visible texts and images, in order."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Attributes, Kind, find_inside
from webquarry.html.node_paths import depths_of, places_among, tag_paths
from webquarry.html.urls import IMAGE_ATTRIBUTES
from webquarry.html.visibility import BLOCKS, CELLS
from webquarry.model.document import Document
from webquarry.model.nouns import once

Number = TypeVar("Number", bound=np.generic)

INLINE_TAGS = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rp rt ruby s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
"""Elements that text flows through, as browsers display them without a style sheet."""
ICON_TAGS = frozenset(["i", "mat-icon", "span"])
ICON_FONT = "material-"
"""In class names of icon fonts that draw words: `material-icons`, `material-symbols-outlined`."""
IMAGES = frozenset(["canvas", "img", "picture", "svg", "video"])
MAX_TEXT_WEIGHT = 200  # characters; longer texts weigh no more: one long article is not a list
MIN_CELLS_OF_ROW, MIN_ROWS = 3, 3  # of tables that are built of other elements
IMAGE_WEIGHT = 30  # characters that an image weighs as much as
MAX_EMPTY_HOLDERS = 4  # elements around a missing image that take no room either
MIN_IMAGE_SIDE = 16  # pixels; smaller ones are bullets, spacers and icons


@dataclass(frozen=True)
class Leaves:
    """Columns with one entry a leaf, then with one a node of the document."""

    nodes: NDArray[np.int64]
    owners: NDArray[np.int64]  # the parent of a text, or the image itself
    texts: list[str]  # without white space around them; empty for images
    weights: NDArray[np.float64]  # characters of a text, up to a limit
    is_image: NDArray[np.bool_]
    boxes: NDArray[np.float64] | None  # left, top, right, bottom; None without a layout

    paths: NDArray[np.uint64]  # tag paths
    shapes: NDArray[np.uint64]  # tag paths with the places of cells in their rows, which tell columns apart
    depths: NDArray[np.int64]  # number of ancestors
    starts: NDArray[np.int64]  # number of leaves before the node, and before the end of the document
    counts: NDArray[np.int64]  # number of leaves in the node
    totals: NDArray[np.float64]  # weight of the leaves in the node

    def __len__(self) -> int:
        return len(self.nodes)


@once
def find_leaves(document: Document) -> Leaves:
    """Find the leaves that are visible and not too small to matter."""
    paths = tag_paths(document.ends, document.tags)
    nodes = np.concatenate([_texts(document), _images(document)])
    nodes.sort()
    is_image = document.kinds[nodes] == Kind.ELEMENT
    texts = [document.texts[node].strip() for node in nodes.tolist()]
    lengths = np.array(list(map(len, texts)), dtype=np.float64)
    weights = np.where(is_image, IMAGE_WEIGHT, np.minimum(lengths, MAX_TEXT_WEIGHT))
    is_leaf = np.zeros(len(document) + 1, dtype=np.bool_)
    is_leaf[nodes + 1] = True
    starts = is_leaf.cumsum(dtype=np.int64)
    counts = starts[document.ends] - starts[:-1]
    return Leaves(
        nodes=nodes,
        owners=np.where(is_image, nodes, document.parents[nodes]),
        texts=texts,
        weights=weights,
        is_image=is_image,
        boxes=_corners(document, nodes),
        paths=paths,
        shapes=_with_places(document, paths, counts),
        depths=depths_of(document.ends),
        starts=starts,
        counts=counts,
        totals=range_sums(weights, starts[:-1], starts[document.ends]),
    )


def range_sums(values: NDArray[np.generic], starts: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.float64]:
    """Sum the values from each start to before each stop.

    >>> range_sums(np.array([1, 2, 4]), np.array([0, 1]), np.array([3, 2])).tolist()
    [7.0, 2.0]
    """
    before = np.zeros(len(values) + 1)
    values.cumsum(dtype=np.float64, out=before[1:])
    sums: NDArray[np.float64] = before[stops] - before[starts]
    return sums


def count_before(marks: NDArray[np.generic]) -> NDArray[np.int64]:
    """Count the marks before each place, and before the end; numbers are summed, and overflow does no harm.

    >>> count_before(np.array([True, False, True])).tolist()
    [0, 1, 1, 2]
    """
    before = np.zeros(len(marks) + 1, dtype=np.int64)
    marks.cumsum(dtype=np.int64, out=before[1:])
    return before


def count_distinct(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the distinct values in order, and how often each occurs; quicker than `np.unique`.

    >>> [column.tolist() for column in count_distinct(np.array([7, 3, 7]))]
    [[3, 7], [1, 2]]
    """
    ordered = np.sort(values)
    is_last = np.ones(len(values), dtype=np.bool_)
    is_last[:-1] = ordered[1:] != ordered[:-1]
    lasts = is_last.nonzero()[0]
    counts = lasts + 1
    counts[1:] -= counts[:-1].copy()
    return ordered[lasts], counts


def find_distinct(values: NDArray[Number]) -> tuple[NDArray[Number], NDArray[np.int64]]:
    """Find the distinct values in order, and the place of each value among them.

    >>> [column.tolist() for column in find_distinct(np.array([7, 3, 7]))]
    [[3, 7], [1, 0, 1]]
    """
    order = values.argsort()
    ordered = values[order]
    is_first = np.ones(len(values), dtype=np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    places = np.empty(len(values), dtype=np.int64)
    places[order] = is_first.cumsum() - 1
    return ordered[is_first], places


def number_values(values: Iterable[Hashable]) -> NDArray[np.int64]:
    """Number the values in the order in which they first occur, equal ones the same.

    >>> number_values(["p", "a", "p"]).tolist()
    [0, 1, 0]
    """
    every = list(values)
    numbers = {value: number for number, value in enumerate(dict.fromkeys(every))}
    return np.fromiter(map(numbers.__getitem__, every), dtype=np.int64, count=len(every))


def expand_ranges(starts: NDArray[np.int64], stops: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """List all numbers of all ranges, each with the number of its range.

    >>> [column.tolist() for column in expand_ranges(np.array([0, 5]), np.array([2, 8]))]
    [[0, 0, 1, 1, 1], [0, 1, 5, 6, 7]]
    """
    lengths = stops - starts
    ranges = np.repeat(np.arange(len(starts)), lengths)
    before = lengths.cumsum() - lengths
    return ranges, np.arange(len(ranges)) - np.repeat(before - starts, lengths)


def _with_places(document: Document, paths: NDArray[np.uint64], counts: NDArray[np.int64]) -> NDArray[np.uint64]:
    is_cell = document.has_tag(CELLS) | _are_cells(document, counts)
    if not is_cell.any():
        return paths
    places = places_among(document.parents, is_cell)
    tags = (document.tags + places * len(document.tag_names)).astype(np.int32)
    return tag_paths(document.ends, tags)


def _are_cells(document: Document, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which elements are cells of rows that are built without a table.

    Such rows are siblings with as many children of one tag; in several rows each child has one leaf.
    """
    children = ((document.tags >= 0) & (document.parents >= 0)).nonzero()[0]
    parents, tags, size = document.parents[children], document.tags[children], len(document)
    widths = np.bincount(parents, minlength=size)
    plain = np.bincount(parents, counts[children] == 1, minlength=size)
    cells = np.zeros(size, dtype=np.bool_)
    if np.count_nonzero((widths >= MIN_CELLS_OF_ROW) & (plain == widths)) < MIN_ROWS:
        return cells
    first_tags = np.full(size, -1)
    first_tags[parents[::-1]] = tags[::-1]
    others = np.bincount(parents, tags != first_tags[parents], minlength=size)
    rows = ((widths >= MIN_CELLS_OF_ROW) & (others == 0)).nonzero()[0]
    rows = rows[document.parents[rows] >= 0]
    tables = find_distinct(document.parents[rows] * np.int64(size) + widths[rows])[1]
    full = np.bincount(tables, plain[rows] == widths[rows])  # rows whose cells have one leaf each
    is_row = np.zeros(size, dtype=np.bool_)
    is_row[rows[full[tables] >= MIN_ROWS]] = True
    cells[children[is_row[parents]]] = True
    return cells


def _texts(document: Document) -> NDArray[np.int64]:
    """Find texts, without the names of drawings that a font shows instead of them."""
    texts = document.seen_texts.astype(np.int64)
    owners = document.parents[texts]
    may_draw = document.has_tag(ICON_TAGS, owners).nonzero()[0]
    names = document.values_of("class")
    drawn = [
        place
        for place, owner in zip(may_draw.tolist(), owners[may_draw].tolist(), strict=True)
        if ICON_FONT in names.get(owner, "")
    ]
    return _on_page(document, np.delete(texts, drawn) if drawn else texts)


def _images(document: Document) -> NDArray[np.int64]:
    """Find images, the outermost of nested ones."""
    is_missing = _are_missing(document)
    nodes = ((document.has_tag(IMAGES) & ~document.hidden) | is_missing).nonzero()[0]
    reached = np.maximum.accumulate(np.concatenate([[0], document.ends[nodes]]))[:-1]
    outermost = nodes[nodes >= reached]
    if document.layout is None:
        return np.array([node for node in outermost.tolist() if not _is_declared_small(document.attributes[node])], int)
    is_large = (document.layout.boxes[outermost, 2:] >= MIN_IMAGE_SIDE).all(axis=1)
    return _on_page(document, outermost[is_large | is_missing[outermost]])


def _are_missing(document: Document) -> NDArray[np.bool_]:
    """Tell which nodes are images that take no room because their files are missing, in places that are seen."""
    is_missing = np.zeros(len(document), dtype=np.bool_)
    if document.layout is not None:
        nodes = (document.has_tag(["img"]) & document.hidden).nonzero()[0]
        nodes = nodes[(document.layout.boxes[nodes, 2:] == 0).all(axis=1)]
        is_missing[[node for node in nodes.tolist() if _is_missing(document, node)]] = True
    return is_missing


def _is_missing(document: Document, node: int) -> bool:
    attributes, layout = document.attributes[node], document.layout
    is_picture = any(attributes.get(name, "data:")[:5] != "data:" for name in IMAGE_ATTRIBUTES)
    if layout is None or not is_picture or _is_declared_small(attributes):
        return False
    if layout.style(node, "visibility") == "hidden":
        return False
    holder = document.parents.item(node)
    for _ in range(MAX_EMPTY_HOLDERS):
        if not document.hidden[holder]:
            return True
        if document.text(holder).strip():  # it is hidden for another reason
            return False
        holder = document.parents.item(holder)
    return False


def _is_declared_small(attributes: Attributes) -> bool:
    sides = (attributes.get(name, "").removesuffix("px") for name in ("width", "height"))
    return any(side.isdecimal() and int(side) < MIN_IMAGE_SIDE for side in sides)


def _on_page(document: Document, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Keep nodes that are on the page, not beside it or above, or that can be scrolled to within it."""
    layout = document.layout
    if layout is None:
        return nodes
    x, y, width, height = layout.boxes[nodes].T
    is_right = x >= layout.width
    if is_right.any():
        scrolls = [code for code, value in enumerate(layout.values) if value in ("auto", "scroll")]
        is_scrolled = np.isin(layout.styles[:, layout.properties.index("overflow-x")], scrolls)
        is_right &= ~find_inside(document.ends, is_scrolled)[nodes]
    kept: NDArray[np.int64] = nodes[(x + width > 0) & (y + height > 0) & ~is_right]
    return kept


def _corners(document: Document, nodes: NDArray[np.int64]) -> NDArray[np.float64] | None:
    if document.layout is None:
        return None
    boxes = document.layout.boxes[nodes].astype(np.float64)
    boxes[:, 2:] += boxes[:, :2]
    return boxes


_BEGIN_LINES = BLOCKS | CELLS


def find_line_holders(document: Document, texts: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """Find for each text the nearest element that begins a new line: texts of one holder are read as one.

    >>> find_line_holders(Document("<p>A <b>bold</b> word"), np.array([5, 7, 8])).tolist()
    [4, 4, 4]
    """
    is_holder = document.has_tag(_BEGIN_LINES)
    is_holder[0] = True
    holders: NDArray[np.int32] = document.parents[texts]
    while len(inline := (~is_holder[holders]).nonzero()[0]):
        holders[inline] = document.parents[holders[inline]]
    return holders
