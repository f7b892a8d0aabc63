"""The default miner: records are what comes again, looks alike, and takes up the page.

Everything is judged on columns, with the layout where there is one, else by the tree alone.  It fails on pages whose
records have nothing in common but their place, and where a menu says more than the list beside it.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.alignment import align_fields
from webquarry.mining.candidates import Candidates, find_candidates
from webquarry.mining.measures import LONG, Floats, Measures, measure
from webquarry.mining.region_members import settle_members, split_rows
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.page.landmarks import find_furniture, find_lone_links
from webquarry.page.leaves import Leaves, find_leaves, range_sums

# MERGED mining/records/choosing: Regions out of scored candidates: the best first, each part of the page in
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


# MERGED mining/records/scoring: The score of a candidate: a product of what a person would look for in a lis
RICH = 2.0
"""Bits of parts, that is three different ones, that make a record rich."""
POOR_SCORING = 0.25
"""What records are worth that have but one part in common, beside rich ones; less if it comes many times in each."""
PROSE = 0.05
"""The same where that part is long: they may be paragraphs."""
MOSTLY_LINKS = 0.5
"""Share of lone links from which a group looks like a menu."""
MENU_PENALTY = 0.8
FURNITURE_PENALTY = 0.8
VARIED = 0.5
"""Share of different parts below which records look like lists of something smaller."""
STRANGERS = 0.25
"""Overlap of neighbours below which a group is a chance meeting."""
STRANGE_RUNS = 0.5
"""The same for runs of siblings, which nothing but their regularity speaks for."""
CHANCE_PENALTY = 0.8


def score(candidates: Candidates, measures: Measures) -> Floats:
    """For each candidate between 0 and 1 how good a list of records it is."""
    size = np.sqrt(measures.share * measures.area)
    is_prose = measures.is_prose | (measures.length >= LONG)
    poor = np.where(is_prose, PROSE, POOR_SCORING) / np.maximum(1, measures.leaves) ** 2
    is_poor = (measures.richness < 2) | (measures.usual < 2)
    rich = np.where(measures.is_prose, PROSE, np.minimum(1, np.log2(1 + measures.richness) / RICH))
    richness = np.where(is_poor, poor, rich)
    links = np.maximum(0, measures.links - MOSTLY_LINKS) / (1 - MOSTLY_LINKS)
    is_chance = measures.neighbours < np.where(measures.is_runs, STRANGE_RUNS, STRANGERS)
    return (
        size
        * measures.alike**2
        * richness
        * measures.alignment
        * (1 - 1 / candidates.sizes)
        * (1 - MENU_PENALTY * links)
        * (1 - FURNITURE_PENALTY * measures.furniture)
        * np.minimum(1, measures.variety / VARIED) ** 0.7
        * (1 - CHANCE_PENALTY * is_chance)
    )


# MERGED mining/records/single: A page with one record only: the block that dominates the page.
MOST = 0.5
"""Share of the weight outside page furniture that the block holds."""
LITTLE = 0.2
"""Share of what holds it that stands beside it, for it to be only a part of the record."""
LEAST_PARTS = 3
"""Different tag paths of its leaves; what has fewer is a text."""


def find_single(document: Document, leaves: Leaves, furniture: NDArray[np.bool_]) -> int | None:
    """The innermost element that holds most of the page's content, with the little that stands beside it there."""
    content = leaves.weights * ~furniture
    weights = range_sums(content, leaves.starts[:-1], leaves.starts[document.ends])
    holding = np.flatnonzero((document.tags >= 0) & (weights > MOST * content.sum()))
    if not len(holding):
        return None
    node = int(holding[-1])
    while document.tag(parent := int(document.parents[node])) not in ("", "body", "html"):
        if weights[node] < (1 - LITTLE) * weights[parent]:
            break
        node = parent
    owners = leaves.owners[leaves.starts[node] : leaves.starts[document.ends[node]]]
    return node if len(np.unique(leaves.paths[owners])) >= LEAST_PARTS else None


POOR = 0.03
"""The score below which a page has hardly a list: it may have a single record instead."""


def mine_visual(document: Document) -> list[Region]:
    """All regions of records, the best first."""
    leaves = find_leaves(document)
    furniture, lone_links = find_furniture(document, leaves), find_lone_links(document, leaves)
    candidates = find_candidates(document, leaves, lone_links)
    measures = measure(document, leaves, candidates, lone_links, furniture)
    regions = choose(document, leaves, candidates, measures, score(candidates, measures))
    if regions and regions[0].score >= POOR:
        return regions
    single = find_single(document, leaves, furniture)
    return regions if single is None else [_region_of_one(document, leaves, single), *regions]


def _region_of_one(document: Document, leaves: Leaves, node: int) -> Region:
    spans = ((node, int(document.ends[node])),)
    return Region(
        document=document,
        node=int(document.parents[node]),
        spans=spans,
        fields=partial(align_fields, document, spans, leaves),
        kind="records",
        method="visual",
        role="main",
        score=POOR,
        reasons=("nothing comes again that is worth a list", "1 record with most of what is on the page"),
    )
