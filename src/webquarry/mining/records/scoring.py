"""The score of a candidate: a product of what a person would look for in a list of records."""

from __future__ import annotations

import numpy as np

from webquarry.mining.records.candidates import Candidates
from webquarry.mining.records.measures import LONG, Floats, Measures

RICH = 2.0
"""Bits of parts, that is three different ones, that make a record rich."""
POOR = 0.25
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
    poor = np.where(is_prose, PROSE, POOR) / np.maximum(1, measures.leaves) ** 2
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
