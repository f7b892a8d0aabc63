"""Regions out of scored candidates: the best first, each part of the page in one of them only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.candidates import Candidates
from webquarry.mining.leaves import Leaves
from webquarry.mining.measures import Measures
from webquarry.mining.rows import split_rows
from webquarry.model import Document, Region

STRANGE = 0.25
"""Likeness below which a record is none."""
TAKEN = 0.1
"""Share of a candidate's leaves that may belong to better regions."""
LEAST_SCORE = 0.001
MOST_REGIONS = 40
NEARLY_BEST = 0.5
"""Share of the best score from which a further region is a main one too."""
MENU_LINKS = 0.8
"""Share of lone links that makes a menu."""
FURNITURE = 0.5
"""Share of its weight that makes a region one of the page's furniture."""


def choose(
    document: Document, leaves: Leaves, candidates: Candidates, measures: Measures, scores: NDArray[np.float64]
) -> list[Region]:
    """The regions of a page, none of which shares leaves with a better one."""
    order = np.argsort(-scores, kind="stable").tolist()
    taken = np.zeros(len(leaves) + 1, dtype=np.int64)
    regions: list[Region] = []
    for group in order:
        if scores[group] < LEAST_SCORE or len(regions) == MOST_REGIONS:
            break
        if _share_taken(leaves, candidates, group, taken) > TAKEN:
            continue
        chosen = split_rows(document, candidates, measures, order, group)
        here = candidates.records(chosen)
        kept = measures.likeness[here] >= STRANGE
        spans = np.column_stack([candidates.first[here], candidates.stop[here]])[kept]
        if not len(spans):
            continue
        for first, stop in spans.tolist():
            taken[leaves.starts[first] : leaves.starts[stop]] = 1
        best = regions[0].score if regions else float(scores[group])
        regions.append(
            Region(
                document=document,
                node=_holder(document, spans),
                spans=tuple((first, stop) for first, stop in spans.tolist()),
                fields=(),
                kind="records",
                method="visual",
                role=_role(measures, chosen, float(scores[group]) >= NEARLY_BEST * best),
                score=float(scores[group]),
                reasons=_reasons(measures, chosen, len(spans)),
            )
        )
    return regions


def _share_taken(leaves: Leaves, candidates: Candidates, group: int, taken: NDArray[np.int64]) -> float:
    here = candidates.records(group)
    starts, stops = leaves.starts[candidates.first[here]], leaves.starts[candidates.stop[here]]
    sums = np.concatenate([[0], np.cumsum(taken)])
    return float((sums[stops] - sums[starts]).sum() / (stops - starts).sum())


def _holder(document: Document, spans: NDArray[np.int64]) -> int:
    """The innermost element that holds all records."""
    node, last = int(document.parents[spans[0, 0]]), int(spans[:, 1].max())
    while document.ends[node] < last or node > spans[:, 0].min():
        node = int(document.parents[node])
    return node


def _role(measures: Measures, group: int, is_nearly_best: bool) -> str:
    is_furniture = measures.furniture[group] > FURNITURE
    if measures.links[group] >= MENU_LINKS:
        return "menu"
    return "main" if is_nearly_best and not is_furniture else "side"


def _reasons(measures: Measures, group: int, count: int) -> tuple[str, ...]:
    reasons = [
        f"{count} records with {measures.share[group]:.0%} of the page's text",
        f"neighbours have {measures.neighbours[group]:.0%} of their parts in common",
        f"{measures.richness[group]:.0f} different parts in a record",
    ]
    if measures.boxes is not None:
        reasons.append(f"aligned to {measures.alignment[group]:.0%}")
    if measures.links[group] >= MENU_LINKS:
        reasons.append("nothing but links")
    if measures.furniture[group] > FURNITURE:
        reasons.append("stands in navigation, header, footer or side bar")
    return tuple(reasons)
