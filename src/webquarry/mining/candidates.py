"""Find groups of elements, or of runs of siblings, that could be the records of one list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS
from webquarry.html.visibility import CELLS
from webquarry.model.document import Document
from webquarry.page.data_tables import find_data_tables
from webquarry.page.leaves import INLINE_TAGS, Leaves, count_before, find_distinct, number_values, range_sums

MIN_SHARE = 0.02  # of the page's weight, for a group worth judging
MAX_PAIRS = 3_000_000  # records times their leaves, over all candidates; only pages thousands of levels deep have more
WIDTH_STEP = 14, 0.08  # pixels, and share of the width, by which records of two kinds differ at least
NEVER_RECORDS = INLINE_TAGS | frozenset("br button img input option select".split())
WRAPPERS = frozenset(["a", "button", "label", "span"])  # inline elements that some pages wrap whole records in

# Menus
MIN_MENU_ENTRIES = 3
MAX_MENU_LEVELS = 6  # elements around a link that hold nothing else

# Runs of siblings
MIN_SHARE_OF_PARENT = 0.05  # of the page's weight, for an element whose children may be parts of records
MIN_CHILDREN = 4
MAX_CUTS = 3  # ways to cut the children of one element that are tried
MIN_SHARE_OF_COMMONEST = 0.4  # of the number of the most frequent beginning, for others to be tried
HEADINGS = HEADING_TAGS | {"caption", "dt", "legend", "summary"}
MAX_LATE_HEADINGS = 0.2  # share of records that may hold a heading without beginning with one
MAX_OVERLAP_WITHIN = 0.4  # of a record's first part with its others; above, the parts are records themselves

Nodes = NDArray[np.int64]
Spans = tuple[Nodes, Nodes]
"""The first nodes of a group's records, and the numbers after their last nodes."""


@dataclass(frozen=True)
class Candidates:
    """Columns with one entry a record; those of a group are adjacent and in document order."""

    first: Nodes  # the first node of each record
    stop: Nodes  # the number after the last node of each record
    groups: Nodes  # the group of each record
    offsets: Nodes  # where each group begins, and where the last one ends

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self.offsets) - 1

    @cached_property
    def sizes(self) -> Nodes:
        """The number of records of each group."""
        return self.offsets[1:] - self.offsets[:-1]

    @cached_property
    def spans(self) -> Nodes:
        """First node and stop of each record, side by side."""
        return np.column_stack([self.first, self.stop])

    def records(self, group: int) -> slice:
        """Return the places of a group's records."""
        return slice(self._bounds[group], self._bounds[group + 1])

    @cached_property
    def _bounds(self) -> list[int]:
        """The offsets as numbers of Python, which make slices quicker."""
        bounds: list[int] = self.offsets.tolist()
        return bounds

    def sums(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """Sum the values of the records of each group."""
        return np.bincount(self.groups, values, self.count).astype(np.float64, copy=False)


def find_candidates(
    document: Document, leaves: Leaves, lone_links: NDArray[np.bool_], *, min_share: float = MIN_SHARE
) -> Candidates:
    """Find all groups of at least two records that hold a share of the page worth judging.

    Elements of one tag path are a group, which unites records of one kind whatever holds them; so are those of them
    of one width, of one parent, of one parent and class, and of one class below one grandparent: records that are
    each in a wrapper, among wrappers of other things.  Further groups are elements of one class at several depths,
    menus, and runs of siblings.
    """
    if len(leaves) < 2:  # there is no list without two
        return _gather(leaves, [])
    elements = _possible_records(document, leaves)
    classes = _class_codes(document, elements)
    least = min_share * leaves.totals[0]
    ends = document.ends.astype(np.int64)
    groups: dict[bytes, Spans] = {}
    for nodes in _partition(leaves, elements, _labellings(document, leaves, elements, classes), least):
        if (key := nodes.tobytes()) not in groups:
            groups[key] = nodes, ends[nodes]
    for nodes in _partition(leaves, elements, [classes], least):
        if len(set(leaves.depths[nodes].tolist())) > 1 and document.values_of("class").get(nodes.item(0)):
            groups.setdefault(nodes.tobytes(), (nodes, _stops_before_nested(document, leaves, nodes)))
    for first, stop in _find_menus(document, leaves, lone_links):
        groups.setdefault(first.tobytes(), (first, stop))
    return _gather(leaves, [*groups.values(), *_find_runs(document, leaves)])


def _gather(leaves: Leaves, groups: list[Spans]) -> Candidates:
    """Turn groups into columns, in order until they hold too many leaves together; the first in any case."""
    none = np.zeros(0, dtype=np.int64)
    first, stop = (np.concatenate([none, *(group[side] for group in groups)]) for side in (0, 1))
    offsets = np.array([0, *accumulate([len(nodes) for nodes, _ in groups])])
    pairs = (leaves.starts[stop] - leaves.starts[first]).cumsum()
    count = min(len(groups), max(1, int(pairs[offsets[1:] - 1].searchsorted(MAX_PAIRS, side="right"))))
    size, offsets = int(offsets[count]), offsets[: count + 1]
    return Candidates(first[:size], stop[:size], np.arange(count).repeat(offsets[1:] - offsets[:-1]), offsets)


def _possible_records(document: Document, leaves: Leaves) -> Nodes:
    can_be = document.has_tag(frozenset(document.tag_names) - NEVER_RECORDS - {"html", "body"}) & (leaves.counts > 0)
    return (can_be | (document.has_tag(WRAPPERS) & (leaves.counts > 1))).nonzero()[0]


def _class_codes(document: Document, elements: Nodes) -> Nodes:
    """Number the elements so that those of the same tag and class share a number."""
    classes = document.values_of("class")
    names = [classes.get(node, "") for node in elements.tolist()]
    return number_values(zip(document.tags[elements].tolist(), names, strict=True))


def _labellings(document: Document, leaves: Leaves, elements: Nodes, classes: Nodes) -> list[Nodes]:
    """List ways to group the elements: arrays with the same number for those of one group."""
    paths = find_distinct(leaves.paths[elements])[1]
    parents, kinds = document.parents[elements], int(classes.max(initial=0)) + 1
    siblings = paths * len(document) + parents
    cousins = paths * len(document) + document.parents[np.maximum(parents, 0)]
    found = [paths, siblings, siblings * kinds + classes, cousins * kinds + classes]
    if document.layout is not None:
        found.insert(1, _width_steps(paths, np.fmax(document.layout.boxes[elements, 2], 0)))
    return found


def _width_steps(paths: Nodes, widths: NDArray[np.float32]) -> Nodes:
    """Number the widths within each path, nearly equal ones alike.

    >>> _width_steps(np.zeros(4, dtype=np.int64), np.array([300, 100, 310, 102], dtype=np.float32)).tolist()
    [1, 0, 1, 0]
    """
    order = np.lexsort((widths, paths))
    widths, paths = widths[order], paths[order]
    least, share = WIDTH_STEP
    is_step = widths[1:] - widths[:-1] > np.maximum(least, share * widths[1:])
    steps = np.zeros(len(widths), dtype=np.int64)
    steps[order[1:]] = (is_step | (paths[1:] != paths[:-1])).cumsum()
    return steps


def _partition(leaves: Leaves, nodes: Nodes, labellings: Sequence[Nodes], least: float) -> Iterator[Nodes]:
    """Yield the nodes of each label of each labelling that has several, with enough weight in them."""
    if not len(nodes):
        return
    labels = np.stack(labellings)
    order = labels.argsort(axis=1, kind="stable")
    labels = labels[np.arange(len(labels))[:, np.newaxis], order]
    is_first = np.ones(labels.shape, dtype=np.bool_)
    is_first[:, 1:] = labels[:, 1:] != labels[:, :-1]
    bounds = np.concatenate([is_first.ravel().nonzero()[0], [labels.size]])
    starts, stops = bounds[:-1], bounds[1:]
    nodes = nodes[order].ravel()
    worthy = (stops - starts > 1) & (range_sums(leaves.totals[nodes], starts, stops) >= least)
    for start, stop in zip(starts[worthy].tolist(), stops[worthy].tolist(), strict=True):
        yield nodes[start:stop]


def _stops_before_nested(document: Document, leaves: Leaves, nodes: Nodes) -> Nodes:
    """End each record where it ends, or before what holds the first record nested in it."""
    stops = document.ends[nodes].astype(np.int64)
    for place in (nodes[1:] < stops[:-1]).nonzero()[0].tolist():
        holder = int(nodes[place + 1])
        while leaves.starts[document.parents[holder]] == leaves.starts[holder]:
            holder = document.parents.item(holder)
        stops[place] = max(holder, int(nodes[place]) + 1)
    return stops


def _by_parent(document: Document, nodes: Nodes, least: int) -> Iterator[Nodes]:
    """Group nodes by parent, each group in its order; return groups that are large enough."""
    parents = document.parents[nodes]
    order = parents.argsort(kind="stable")
    nodes, parents = nodes[order], parents[order]
    bounds = (parents[1:] != parents[:-1]).nonzero()[0] + 1
    for start, stop in pairwise([0, *bounds.tolist(), len(nodes)]):
        if stop - start >= least:
            yield nodes[start:stop]


def _find_menus(document: Document, leaves: Leaves, lone_links: NDArray[np.bool_]) -> Iterator[Spans]:
    """Find sibling entries that hold a single link each, however small their share of the page."""
    entries = leaves.owners[lone_links]
    for _ in range(MAX_MENU_LEVELS):
        above = document.parents[entries]
        is_alone = leaves.counts[above] == 1
        if not is_alone.any():
            break
        entries = np.where(is_alone, above, entries)
    for nodes in _by_parent(document, entries, MIN_MENU_ENTRIES):
        yield nodes.astype(np.int64), document.ends[nodes].astype(np.int64)


def _find_runs(document: Document, leaves: Leaves) -> Iterator[Spans]:
    """Find records that no element wraps: runs of siblings that begin alike, as in h3, p, p, h3, p."""
    is_large = leaves.totals >= max(1.0, MIN_SHARE_OF_PARENT * leaves.totals[0])
    parts = ((leaves.counts[1:] > 0) & is_large[document.parents[1:]]).nonzero()[0] + 1
    headings = count_before(document.has_tag(HEADINGS))
    texts = count_before(~leaves.is_image)[leaves.starts]
    headed, worded = (before[document.ends] > before[:-1] for before in (headings, texts))
    codes = (leaves.shapes[leaves.owners] * np.uint64(2) + leaves.is_image).tolist()
    is_data = find_data_tables(document)
    for children in _by_parent(document, parts, MIN_CHILDREN):
        if _are_rows_of_data(document, children, is_data):
            continue
        bounds = [*leaves.starts[children].tolist(), int(leaves.starts[document.ends[children[-1]]])]
        paths = [frozenset(codes[start:stop]) for start, stop in pairwise(bounds)]
        yield from _cut(document, children, paths, headed[children].tolist(), worded[children].tolist())


def _are_rows_of_data(document: Document, children: Nodes, is_data: NDArray[np.bool_]) -> bool:
    """Tell whether children are rows with as many cells each below a header row: no record has several of them."""
    holder = document.parents.item(children[0])
    table = holder if document.tag(holder) == "table" else document.parents.item(holder)
    if table < 0 or not is_data[table]:
        return False
    return len({sum(document.tag(cell) in CELLS for cell in document.children(row)) for row in children.tolist()}) == 1


def _cut(
    document: Document, children: Nodes, parts: list[frozenset[int]], headed: list[bool], worded: list[bool]
) -> Iterator[Spans]:
    """Yield ways to cut children into records.

    `parts` has for each child the paths to its leaves, its own tag included; `headed` and `worded` tell which of them
    hold a heading, and a text.
    """
    classes = _classes_of(document, children)
    if len(set(parts)) == len(set(classes)) == 1:
        return  # a plain list, whose items are records as they are
    tried: set[tuple[int, ...]] = set()
    for places in _beginnings(parts, classes, headed):
        if tuple(places) in tried:
            continue
        tried.add(tuple(places))
        stops = [*places[1:], _last_stop(parts, places)]
        runs = list(zip(places, stops, strict=True))
        is_long = _are_apart([*places, stops[-1]])
        if is_long and not _repeats_within(parts, runs) and not _has_late_headings(headed, worded, runs):
            yield children[places], document.ends[children[np.array(stops) - 1]].astype(np.int64)


def _classes_of(document: Document, children: Nodes) -> list[tuple[int, str] | None]:
    """Return for each child its tag with its class, if it has one."""
    names = map(document.values_of("class").get, children.tolist())
    return [(tag, name) if name else None for tag, name in zip(document.tags[children].tolist(), names, strict=True)]


def _beginnings(
    parts: list[frozenset[int]], classes: list[tuple[int, str] | None], headed: list[bool]
) -> list[list[int]]:
    """Find the children that records may begin with: those sharing a sign that recurs, but not in every child."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place, found_here in enumerate(parts):
        for sign in found_here:
            places[sign].append(place)
    for place, name in enumerate(classes):
        if name is not None:
            places[name].append(place)
    periodic = [found for found in places.values() if len(found) > 1 and _are_apart(found)]
    least = MIN_SHARE_OF_COMMONEST * max(map(len, periodic), default=0)
    frequent = [found for found in periodic if len(found) >= least or all(headed[place] for place in found)]
    return sorted(frequent, key=lambda found: (found[0], -len(found), found))[:MAX_CUTS]


def _are_apart(places: list[int]) -> bool:
    """Tell whether the median distance of places is two or more."""
    gaps = sorted([after - before for before, after in pairwise(places)])
    return gaps[(len(gaps) - 1) // 2] + gaps[len(gaps) // 2] >= 2 * 2


def _last_stop(parts: list[frozenset[int]], places: list[int]) -> int:
    """End the last record: it has only parts that others have, and is no longer than the longest of them."""
    known = frozenset[int]().union(*parts[places[0] : places[-1]])
    longest = max(after - before for before, after in pairwise(places))
    stop = places[-1] + 1
    while stop < min(len(parts), places[-1] + longest) and parts[stop] <= known:
        stop += 1
    return stop


def _repeats_within(parts: list[frozenset[int]], runs: list[tuple[int, int]]) -> bool:
    """Tell whether the later parts of records look like their first: then each part is a record itself."""
    highest = [
        max((len(parts[start] & part) / (len(parts[start] | part) or 1) for part in parts[start + 1 : stop]), default=0)
        for start, stop in runs
    ]
    return sum(highest) > MAX_OVERLAP_WITHIN * len(highest)


def _has_late_headings(headed: list[bool], worded: list[bool], runs: list[tuple[int, int]]) -> bool:
    """Tell whether records have a heading after their first words: it belongs to what follows it."""
    firsts = [next((place for place in range(start, stop) if worded[place]), start) for start, stop in runs]
    late = sum(
        any(headed[start + 1 : stop]) and not headed[first] for first, (start, stop) in zip(firsts, runs, strict=True)
    )
    return late > MAX_LATE_HEADINGS * len(runs)
