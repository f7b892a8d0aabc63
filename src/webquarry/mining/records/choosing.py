"""Regions out of scored candidates: the best first, each part of the page in one of them only."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.fields.aligning import align_fields
from webquarry.mining.leaves import Leaves
from webquarry.mining.records.candidates import Candidates
from webquarry.mining.records.measures import Measures
from webquarry.mining.records.members import settle_members
from webquarry.mining.records.rows import split_rows
from webquarry.model import Document, Region

TAKEN = 0.1
"""Share of a candidate's leaves that may belong to better regions."""
BY_CHANCE = 0.5
"""Overlap of neighbours up to which a further region is none, but blocks of the page that happen to be alike."""
LEAST_SCORE = 1e-6
MOST_REGIONS = 40
NEARLY_BEST = 0.5
"""Share of the best score from which a further region is a main one too."""
MENU_LINKS = 0.8
"""Share of lone links that makes a menu."""
MENU_PARTS = 2
"""Different parts that an entry of a menu has at most: a link, and how much is behind it."""
FURNITURE = 0.5
"""Share of its weight that makes a region one of the page's furniture."""


def choose(
    document: Document, leaves: Leaves, candidates: Candidates, measures: Measures, scores: NDArray[np.float64]
) -> list[Region]:
    """The regions of a page, none of which shares leaves with a better one."""
    order = np.argsort(-scores, kind="stable")
    worthy = order[scores[order] >= LEAST_SCORE].tolist()
    taken = _Taken(leaves)
    regions: list[Region] = []
    for group in worthy:
        if len(regions) == MOST_REGIONS:
            break
        if regions and measures.neighbours[group] <= BY_CHANCE:
            continue
        spans = candidates.spans[candidates.records(group)]
        if taken.shares(spans).mean() > TAKEN:
            continue
        score, chosen = float(scores[group]), group
        if not _is_menu(measures, group):
            chosen = split_rows(document, candidates, measures, order, group)
            here = candidates.records(chosen)
            spans = settle_members(document, leaves, candidates.spans[here], measures.likeness[here])
        spans = spans[taken.shares(spans) == 0]
        if not len(spans):
            continue
        taken.add(spans)
        best = regions[0].score if regions else score
        records = tuple((first, stop) for first, stop in spans.tolist())
        region = Region(
            document=document,
            node=_holder(document, spans),
            spans=records,
            fields=partial(align_fields, document, records, leaves),
            kind="records",
            method="visual",
            role=_role(measures, chosen, score >= NEARLY_BEST * best),
            score=score,
            reasons=_reasons(measures, chosen, len(spans)),
        )
        regions.append(region)
    return regions


class _Taken:
    """The leaves that belong to regions so far."""

    def __init__(self, leaves: Leaves) -> None:
        self._starts = leaves.starts
        self._is_taken = np.zeros(len(leaves), dtype=np.bool_)
        self._before = np.zeros(len(leaves) + 1, dtype=np.int64)

    def add(self, spans: NDArray[np.int64]) -> None:
        for start, stop in self._starts[spans].tolist():
            self._is_taken[start:stop] = True
        np.cumsum(self._is_taken, out=self._before[1:])

    def shares(self, spans: NDArray[np.int64]) -> NDArray[np.float64]:
        """For each span the share of its leaves that are taken."""
        starts, stops = self._starts[spans].T
        shares: NDArray[np.float64] = (self._before[stops] - self._before[starts]) / np.maximum(1, stops - starts)
        return shares


def _holder(document: Document, spans: NDArray[np.int64]) -> int:
    """The innermost element that holds all records."""
    node, last = int(document.parents[spans[0, 0]]), int(spans[:, 1].max())
    while document.ends[node] < last or node > spans[:, 0].min():
        node = int(document.parents[node])
    return node


def _role(measures: Measures, group: int, is_nearly_best: bool) -> str:
    is_furniture = measures.furniture[group] > FURNITURE
    if _is_menu(measures, group):
        return "menu"
    return "main" if is_nearly_best and not is_furniture else "side"


def _is_menu(measures: Measures, group: int) -> bool:
    return bool(measures.links[group] >= MENU_LINKS and measures.richness[group] <= MENU_PARTS)


def _parts(count: float) -> str:
    return f"{count:.0f} different parts in a record" if count >= 2 else "one part in a record"


def _reasons(measures: Measures, group: int, count: int) -> tuple[str, ...]:
    reasons = [
        f"{count} records with {measures.share[group]:.0%} of the page's text",
        f"neighbours have {measures.neighbours[group]:.0%} of their parts in common",
        _parts(float(measures.richness[group])),
    ]
    if measures.boxes is not None:
        reasons.append(f"aligned to {measures.alignment[group]:.0%}")
    if _is_menu(measures, group):
        reasons.append("nothing but links")
    if measures.furniture[group] > FURNITURE:
        reasons.append("stands in navigation, header, footer or side bar")
    return tuple(reasons)
