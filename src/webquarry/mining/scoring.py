"""The score of a candidate: a product of what a person would look for in a list of records."""

from __future__ import annotations

import numpy as np

from webquarry.mining.candidates import Candidates
from webquarry.mining.measures import Floats, Measures

RICH = 2.0
"""Bits of parts, that is three different ones, that make a record rich."""
POOR = 0.25
"""What a record of a single part is worth beside a rich one: it may be a paragraph."""
MOSTLY_LINKS = 0.5
"""Share of lone links from which a group looks like a menu."""
MENU_PENALTY = 0.8
FURNITURE_PENALTY = 0.8
VARIED = 0.5
"""Share of different parts below which records look like lists of something smaller."""
STRANGERS = 0.25
"""Overlap of neighbours below which a group is a chance meeting."""


def score(candidates: Candidates, measures: Measures) -> Floats:
    """For each candidate between 0 and 1 how good a list of records it is."""
    size = np.sqrt(measures.share * measures.area)
    richness = np.where(measures.richness > 1, np.minimum(1, np.log2(1 + measures.richness) / RICH), POOR)
    links = np.maximum(0, measures.links - MOSTLY_LINKS) / (1 - MOSTLY_LINKS)
    return (
        size
        * measures.alike**2
        * richness
        * measures.alignment
        * (1 - 1 / candidates.sizes)
        * (1 - MENU_PENALTY * links)
        * (1 - FURNITURE_PENALTY * measures.furniture)
        * np.minimum(1, measures.variety / VARIED) ** 0.7
        * np.where(measures.neighbours < STRANGERS, 0.2, 1)
    )
