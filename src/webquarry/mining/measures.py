"""What can be counted of candidates: how alike their records are, how rich, how aligned, how much of the page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.html.tag_paths import paths_below
from webquarry.mining.candidates import INLINE, Candidates
from webquarry.model.document import Document
from webquarry.page.leaves import Leaves, range_sums

Floats = NDArray[np.float64]
USUAL = 0.55
"""Share of the records that have a part, for it to be one that all should have."""
FREQUENT = 0.3
"""Share of the records that have a part, for it to be no stranger."""
STRANGE = 0.25
"""Likeness below which a record is none."""
SAME_EDGE = 6
"""Pixels that left edges may differ."""
SAME_WIDTH = 8
"""Pixels that widths may differ."""
MOST_EDGES = 6
"""Records that stand side by side in one row."""
TOUCHING = 4
"""Pixels by which boxes side by side may reach into each other."""
LONG = 80
"""Characters of a text, on average, from which it is prose."""
OVERLAPPING = 0.2
"""Share of the smaller box that two have in common, for them to lie over each other."""


@dataclass(frozen=True)
class Measures:
    """Columns: for each record, and for each group; all shares are between 0 and 1."""

    weights: Floats
    """Of each record."""
    likeness: Floats
    """Of each record to its group: has the parts that are usual, and few others."""
    overlaps: Floats
    """Of each record with the next of its group: the share of their parts that both have."""
    boxes: Floats | None
    """Left, top, right and bottom of each record; None without a layout."""
    share: Floats
    """For each group its share of the page's weight."""
    area: Floats
    """For each group its share of the page's area; without a layout that of the weight."""
    alike: Floats
    """For each group the mean of its records' likeness and overlaps."""
    neighbours: Floats
    """For each group the mean overlap alone."""
    is_runs: NDArray[np.bool_]
    """For each group whether its records are runs of siblings."""
    richness: Floats
    """For each group the median number of different parts in a record."""
    usual: NDArray[np.int64]
    """For each group the number of parts that most of its records have."""
    leaves: Floats
    """For each group the mean number of leaves in a record."""
    is_prose: NDArray[np.bool_]
    """For each group whether its records are paragraphs of running text, whatever links and marks are in it."""
    length: Floats
    """For each group the mean weight of a leaf."""
    variety: Floats
    """For each group the share of leaves that are different parts: low where records hold lists."""
    links: Floats
    """For each group the share of its leaves, or of its weight if that is more, that are lone links."""
    furniture: Floats
    """For each group the share of its weight that stands in page furniture."""
    alignment: Floats
    """For each group how few left edges and widths its records have, and how few of them lie over each other."""


def measure(
    document: Document,
    leaves: Leaves,
    candidates: Candidates,
    lone_links: NDArray[np.bool_],
    furniture: NDArray[np.bool_],
) -> Measures:
    """The measures of all candidates, worked out together."""
    starts, stops = leaves.starts[candidates.first], leaves.starts[candidates.stop]
    weights = range_sums(leaves.weights, starts, stops)
    total = np.maximum(candidates.sums(weights), 1e-9)
    parts = _Parts(document, leaves, candidates, starts, stops)
    neighbours = candidates.sums(parts.overlaps) / np.maximum(1, candidates.sizes - 1)
    link_weight = candidates.sums(range_sums(leaves.weights * lone_links, starts, stops)) / total
    link_count = candidates.sums(range_sums(lone_links, starts, stops)) / candidates.sums(stops - starts)
    boxes = _record_boxes(document, leaves, candidates, starts, stops)
    belongs = parts.likeness >= STRANGE
    share = _sums_with_strangers(candidates, weights, belongs) / max(1.0, float(leaves.weights.sum()))
    return Measures(
        weights=weights,
        likeness=parts.likeness,
        overlaps=parts.overlaps,
        boxes=boxes,
        share=share,
        area=share if boxes is None else _area(document, candidates, boxes, belongs),
        alike=(candidates.sums(parts.likeness) / candidates.sizes + neighbours) / 2,
        neighbours=neighbours,
        is_runs=candidates.sums(document.ends[candidates.first] < candidates.stop) > 0,
        richness=_medians(candidates, parts.different),
        usual=parts.usual,
        leaves=candidates.sums(stops - starts) / candidates.sizes,
        is_prose=_are_paragraphs(document, leaves, candidates) & (total >= LONG * candidates.sizes),
        length=total / candidates.sums(stops - starts),
        variety=candidates.sums(parts.different) / candidates.sums(stops - starts),
        links=np.maximum(link_weight, link_count),
        furniture=candidates.sums(range_sums(leaves.weights * furniture, starts, stops)) / total,
        alignment=np.ones(candidates.count) if boxes is None else _alignment(candidates, boxes),
    )


class _Parts:
    """The parts of records: the different paths to their leaves, from the element that a record is or that holds it."""

    def __init__(
        self,
        document: Document,
        leaves: Leaves,
        candidates: Candidates,
        starts: NDArray[np.int64],
        stops: NDArray[np.int64],
    ) -> None:
        count = len(starts)
        records, places = _expand(starts, stops)
        codes = _codes(document, leaves, candidates, records, places)
        width = int(codes.max(initial=0)) + 1
        keys, repeats = np.unique(records * width + codes, return_counts=True)
        holders, kinds = keys // width, keys % width
        groups = candidates.groups[holders]
        in_group, place, counts = np.unique(groups * width + kinds, return_inverse=True, return_counts=True)
        frequency = counts / candidates.sizes[in_group // width]
        usual = np.where(frequency >= USUAL, frequency, 0.0)
        self.usual = np.bincount(in_group[frequency >= USUAL] // width, minlength=candidates.count)
        expected = np.bincount(in_group // width, usual, candidates.count)[candidates.groups]

        self.different = np.bincount(holders, minlength=count)
        had = np.bincount(holders, usual[place], count) / np.maximum(1e-9, expected)
        known = np.bincount(holders, np.where(frequency[place] >= FREQUENT, repeats, 0), count)
        familiar = known / np.maximum(1, stops - starts)
        self.likeness = np.sqrt(had * familiar)

        has_next = np.zeros(count, dtype=np.bool_)
        has_next[:-1] = candidates.groups[1:] == candidates.groups[:-1]
        wanted = keys + width
        found = keys[np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)] == wanted if len(keys) else wanted
        common = np.bincount(holders, found & has_next[holders], count)
        either = self.different + np.append(self.different[1:], 0) - common
        self.overlaps = np.where(has_next, common / np.maximum(1, either), 0.0)


def _codes(
    document: Document, leaves: Leaves, candidates: Candidates, records: NDArray[np.int64], places: NDArray[np.int64]
) -> NDArray[np.int64]:
    """For each leaf of each record the number of its part, small numbers."""
    first = candidates.first
    is_one = (document.ends[first] >= candidates.stop) & (document.tags[first] >= 0)
    above = np.where(is_one, first, document.parents[first])[records]
    owners = leaves.owners[places]
    below = paths_below(leaves.shapes[owners], leaves.shapes[above], leaves.depths[owners] - leaves.depths[above])
    codes: NDArray[np.int64] = np.unique(below * np.uint64(2) + leaves.is_image[places], return_inverse=True)[1]
    return codes


def _expand(starts: NDArray[np.int64], stops: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All numbers of all ranges, each with the number of its range.

    >>> [column.tolist() for column in _expand(np.array([0, 5]), np.array([2, 8]))]
    [[0, 0, 1, 1, 1], [0, 1, 5, 6, 7]]
    """
    lengths = stops - starts
    ranges = np.repeat(np.arange(len(starts)), lengths)
    before = np.cumsum(lengths) - lengths
    return ranges, np.arange(len(ranges)) - np.repeat(before - starts, lengths)


def _are_paragraphs(document: Document, leaves: Leaves, candidates: Candidates) -> NDArray[np.bool_]:
    """For each group whether it is of p elements most of which begin with a text of their own."""
    first = candidates.first
    is_paragraph = document.has_tag(["p"], first)
    is_single = document.ends[first] == candidates.stop
    begins = np.append(leaves.owners, -1)[leaves.starts[first]] == first
    return candidates.sums(is_paragraph & is_single & begins) > candidates.sizes / 2


def _medians(candidates: Candidates, values: NDArray[np.int64]) -> Floats:
    ordered = values[np.lexsort((values, candidates.groups))]
    middles = candidates.offsets[:-1] + (candidates.sizes - 1) // 2
    others = candidates.offsets[:-1] + candidates.sizes // 2
    medians: Floats = (ordered[middles] + ordered[others]) / 2
    return medians


def _record_boxes(
    document: Document,
    leaves: Leaves,
    candidates: Candidates,
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
) -> Floats | None:
    """Left, top, right and bottom of each record: of the element that it is, else of all its leaves.

    What is several siblings is as wide as what holds them: how long its lines are says nothing of its place.
    """
    if document.layout is None or leaves.boxes is None:
        return None
    ranges = np.column_stack([starts, stops]).ravel()
    padded = np.vstack([leaves.boxes, np.zeros(4)])  # a range may end behind the last leaf
    least, most = np.minimum.reduceat(padded, ranges)[::2], np.maximum.reduceat(padded, ranges)[::2]
    boxes = np.column_stack([least[:, :2], most[:, 2:]]) if len(starts) else np.zeros((0, 4))
    first = candidates.first
    own = document.layout.boxes[first].astype(np.float64)
    is_block = (document.tags[first] >= 0) & ~document.has_tag(INLINE, first)
    has_own = (document.ends[first] == candidates.stop) & is_block & (own[:, 2] * own[:, 3] > 0)
    boxes[has_own] = np.column_stack([own[:, :2], own[:, :2] + own[:, 2:]])[has_own]
    is_run = document.ends[first] < candidates.stop
    holders = document.layout.boxes[document.parents[first[is_run]]].astype(np.float64)
    holders[:, 2] += holders[:, 0]
    boxes[is_run, ::2] = np.where(np.isnan(holders[:, :1]), boxes[is_run, ::2], holders[:, ::2])
    return boxes


def _sums_with_strangers(candidates: Candidates, values: Floats, belongs: NDArray[np.bool_]) -> Floats:
    """For each group the sum of what its records have, a stranger no more than the mean of those that belong.

    Strangers leave the group in the end: a large one must not speak for it.
    """
    means = candidates.sums(values * belongs) / np.maximum(1, candidates.sums(belongs))
    return candidates.sums(np.where(belongs, values, np.minimum(values, means[candidates.groups])))


def _area(document: Document, candidates: Candidates, boxes: Floats, belongs: NDArray[np.bool_]) -> Floats:
    layout = document.layout
    page = max(1, min(layout.width, layout.viewport) * layout.height) if layout else 1
    return np.minimum(1.0, _sums_with_strangers(candidates, _areas(boxes), belongs) / page)


def _areas(boxes: Floats) -> Floats:
    areas: Floats = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return areas


def _alignment(candidates: Candidates, boxes: Floats) -> Floats:
    sizes = candidates.sizes
    edges = _most_common(candidates, boxes[:, 0] / SAME_EDGE, np.clip(sizes // 2, 1, MOST_EDGES))
    tops = _most_common(candidates, boxes[:, 1] / SAME_EDGE, np.ones(candidates.count, dtype=np.int64))
    edges = np.where(tops == 1, 1.0, edges)  # all of them in one row
    widths = _most_common(candidates, (boxes[:, 2] - boxes[:, 0]) / SAME_WIDTH, np.full(candidates.count, 2))
    over = candidates.sums(_lie_over_next(candidates, boxes)) / np.maximum(1, sizes - 1)
    return edges * (0.5 + 0.5 * widths) * (1 - over)


def _most_common(candidates: Candidates, values: Floats, limits: NDArray[np.int64]) -> Floats:
    """For each group the share of records with one of its most common values, as many values as the limit says."""
    rounded = np.round(values).astype(np.int64)
    rounded -= rounded.min(initial=0)
    width = int(rounded.max(initial=0)) + 1
    keys, counts = np.unique(candidates.groups * width + rounded, return_counts=True)
    groups = keys // width
    order = np.lexsort((-counts, groups))
    rank = np.arange(len(keys)) - np.searchsorted(groups[order], groups[order])
    is_common = rank < limits[groups[order]]
    return np.bincount(groups[order], np.where(is_common, counts[order], 0), candidates.count) / candidates.sizes


def _lie_over_next(candidates: Candidates, boxes: Floats) -> NDArray[np.bool_]:
    over = np.zeros(len(boxes), dtype=np.bool_)
    one, next_one = boxes[:-1], boxes[1:]
    common = np.minimum(one[:, 2:], next_one[:, 2:]) - np.maximum(one[:, :2], next_one[:, :2])
    smaller = np.maximum(np.minimum(_areas(one), _areas(next_one)), 1e-9)
    lies = (common > TOUCHING).all(axis=1) & (common.prod(axis=1) > OVERLAPPING * smaller)
    over[:-1] = lies & (candidates.groups[1:] == candidates.groups[:-1])
    return over
