"""Find the headings above groups of records: a date above its concerts, a state above its parks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from webquarry.html.columns import HEADING_TAGS
from webquarry.model.document import Document
from webquarry.page.leaves import Leaves

MIN_GROUPS = 2
MAX_LENGTH = 80  # characters of a heading
MAX_LEAVES_OF_GAP = 12  # leaves between groups: headings, and notes such as `See more`
MAX_LEAVES_BEFORE = 40  # leaves before the first record among which its heading is looked for
MIN_DISTINCT = 0.7  # share of the headings that must be different


class GroupHeadings(NamedTuple):
    """The heading of each record's group; None for records without one."""

    texts: list[str | None]
    nodes: list[int | None]


def find_group_headings(document: Document, spans: Sequence[tuple[int, int]], leaves: Leaves) -> GroupHeadings | None:
    """Find texts of one kind that stand between records, each above a group of them; None if there are none.

    Fails on pages where something else recurs between groups, such as an advertisement with a text of its own.
    """
    if len(spans) < MIN_GROUPS or list(spans) != sorted(spans):
        return None
    gaps = _find_gaps(spans, leaves)
    path = _common_path(document, gaps, leaves)
    if path is None:
        return None
    first = int(leaves.starts[spans[0][0]])
    gaps[0] = range(max(0, first - MAX_LEAVES_BEFORE), first)
    heads = {record: head for record, gap in gaps.items() if (head := _last_of_path(leaves, gap, path)) is not None}
    texts = {head: " ".join(document.texts[leaves.nodes[head]].split()) for head in heads.values()}
    if len(heads) < MIN_GROUPS or len(set(texts.values())) < MIN_DISTINCT * len(heads):
        return None
    if any(len(text) > MAX_LENGTH for text in texts.values()):
        return None
    found = GroupHeadings([], [])
    head = None
    for record in range(len(spans)):
        head = heads.get(record, head)
        found.texts.append(None if head is None else texts[head])
        found.nodes.append(None if head is None else int(leaves.nodes[head]))
    return found


def _find_gaps(spans: Sequence[tuple[int, int]], leaves: Leaves) -> dict[int, range]:
    """Find the leaves between each record and the one before it, where there are any, but not too many."""
    bounds = np.array(spans, dtype=np.int64)
    starts, stops = leaves.starts[bounds[1:, 0]], leaves.starts[bounds[:-1, 1]]
    sizes = starts - stops
    between = np.flatnonzero((sizes > 0) & (sizes <= MAX_LEAVES_OF_GAP)).tolist()
    return {place + 1: range(int(stops[place]), int(starts[place])) for place in between}


def _common_path(document: Document, gaps: dict[int, range], leaves: Leaves) -> int | None:
    """Find the tag path of short texts that most gaps have, headings first."""
    counts: Counter[tuple[bool, int]] = Counter()
    for gap in gaps.values():
        counts.update({(_is_heading(document, leaves, leaf), int(leaves.paths[leaves.owners[leaf]])) for leaf in gap})
    if not counts:
        return None
    (_, path), count = max(counts.items(), key=lambda item: (item[0][0], item[1]))
    return path if 2 * count >= len(gaps) else None


def _last_of_path(leaves: Leaves, gap: range, path: int) -> int | None:
    return next((leaf for leaf in reversed(gap) if int(leaves.paths[leaves.owners[leaf]]) == path), None)


def _is_heading(document: Document, leaves: Leaves, leaf: int) -> bool:
    node = int(leaves.owners[leaf])
    return document.tag(node) in HEADING_TAGS or document.tag(int(document.parents[node])) in HEADING_TAGS
