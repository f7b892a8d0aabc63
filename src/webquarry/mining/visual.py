"""The default miner: records are what comes again, looks alike, and takes up the page.

Everything is judged on columns, with the layout where there is one, else by the tree alone.  It fails on pages whose
records have nothing in common but their place, and where a menu says more than the list beside it.
"""

from __future__ import annotations

import numpy as np

from webquarry.mining.candidates import find_candidates, weights_of
from webquarry.mining.choosing import choose
from webquarry.mining.furniture import find_furniture, find_lone_links
from webquarry.mining.leaves import find_leaves
from webquarry.mining.measures import measure
from webquarry.mining.scoring import score
from webquarry.model import Document, Region


def mine_visual(document: Document) -> list[Region]:
    """All regions of records, the best first, their fields not yet aligned."""
    leaves = find_leaves(document)
    weights = weights_of(document, leaves)
    candidates = find_candidates(document, leaves, weights)
    if not candidates.count:
        return []
    links, furniture = find_lone_links(document, leaves), find_furniture(document, leaves, weights)
    measures = measure(document, leaves, candidates, links, furniture)
    scores = score(candidates, measures)
    return choose(document, leaves, candidates, measures, np.nan_to_num(scores))
