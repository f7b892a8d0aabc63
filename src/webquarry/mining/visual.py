"""The default miner: records are what comes again, looks alike, and takes up the page.

Everything is judged on columns, with the layout where there is one, else by the tree alone.  It fails on pages whose
records have nothing in common but their place, and where a menu says more than the list beside it.
"""

from __future__ import annotations

from functools import partial

from webquarry.mining.fields.aligning import align_fields
from webquarry.mining.leaves import Leaves, find_leaves
from webquarry.mining.records.choosing import choose
from webquarry.mining.records.furniture import find_furniture, find_lone_links
from webquarry.mining.records.grouping import find_candidates
from webquarry.mining.records.measures import measure
from webquarry.mining.records.scoring import score
from webquarry.mining.records.single import find_single
from webquarry.model import Document, Region

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
