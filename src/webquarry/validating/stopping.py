"""Where to stop deleting when nobody has labelled the nodes.

The scores alone do not tell: no rule on their gaps or their shape was safe.  The vote does (`voting.py`), which any
extractor can be the voter of, that of the extraction too.  What it calls content is taken for the truth, and with it
all that looks like nothing else on most pages: furniture stands on many, and what stands on few was judged by mistakes
of the voter on these.  The deletion stops where F1 is highest against that, if it is worth it; else nothing goes.

Measured on three sites, 60 pages of each to choose the constants on and 60 to check them, with three extractions,
Boilerpipe and trafilatura as voters, and 16 scores.  Of the gain that labels would give .81 is kept on the pages of a
site that were chosen on and .82 on the others, and from 5 pages .93 and .87; no case of them lost more than .1 %.  It
fails where a voter is wrong about a style on most pages, and finds nothing where labels would gain less than 1 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Document, Selection
from webquarry.validating.deleting import Curve, follow, rank, weigh
from webquarry.validating.looks.styles import gather_styles
from webquarry.validating.shares import find_spans, sum_bytes
from webquarry.validating.votes.voting import Decision

FEWEST_PAGES = 5
"""Without which nothing is deleted: with 4, one draw in 36 lost up to 11 % of F1."""
FEWEST_OF_A_STYLE = 3
"""Pages on which a style must stand to be judged; with all styles judged a page with much code could cost 20 %."""
SHARE_OF_A_STYLE = 0.25
"""Of all pages, on which it must stand too; from a quarter to a half all gave the same."""
WORTH = 0.01
"""By which share F1 must rise; with half of it a little more is gained, and lost in some cases."""
_WHOLE = np.int32(0)
"""The node that holds all of a page."""

Floats = NDArray[np.float64]
Nodes = NDArray[np.int32]


class Belief(NamedTuple):
    """What is taken for the content of a page."""

    nodes: Nodes
    """The texts that a reader sees and that are not blank."""
    content: NDArray[np.bool_]


def find_stop(selections: Sequence[Selection], scores: Floats, decisions: Sequence[Decision]) -> int:
    """How many nodes to delete, in the order of `rank`; nodes of one score go together or stay together.

    `scores` are those of the nodes of all pages, `decisions` are for each page what the vote decided.
    """
    if len(selections) < FEWEST_PAGES:
        return 0
    return find_stop_by(selections, scores, believe([selection.document for selection in selections], decisions))


def find_stop_by(selections: Sequence[Selection], scores: Floats, beliefs: Sequence[Belief]) -> int:
    """The same, when it is known what is taken for content."""
    shares, totals = zip(*map(_share_content, selections, beliefs), strict=True)
    order = rank(selections, scores)
    weights = weigh(text for selection in selections for text in selection.texts)
    return choose_stop(follow(order, np.concatenate(shares), weights, sum(totals)), scores[order])


def believe(documents: Sequence[Document], decisions: Sequence[Decision]) -> list[Belief]:
    """For each page what is taken for its content: what the vote keeps, and what is too rare to be judged."""
    styles = gather_styles((document, each.nodes) for document, each in zip(documents, decisions, strict=True))
    pages = np.repeat(np.arange(len(documents)), styles.sizes)
    stands_on = np.unique(styles.places * len(documents) + pages) // len(documents)
    counts = np.bincount(stands_on, minlength=len(styles.codes))
    is_rare = counts < max(FEWEST_OF_A_STYLE, SHARE_OF_A_STYLE * len(documents))
    rare = np.split(is_rare[styles.places], np.cumsum(styles.sizes)[:-1])
    return [Belief(each.nodes, each.kept | some) for each, some in zip(decisions, rare, strict=True)]


def choose_stop(curve: Curve, scores: Floats) -> int:
    """Where F1 is highest, if it is worth it; `scores` are in the order of the deletion."""
    is_between = np.concatenate([[True], scores[1:] != scores[:-1], [True]])[: len(curve)]
    stop = int(np.argmax(np.where(is_between, curve.f1, 0.0)))
    return stop if curve.f1[stop] >= (1 + WORTH) * curve.f1[0] else 0


def _share_content(selection: Selection, belief: Belief) -> tuple[Floats, float]:
    """For each node of a selection which share of its text is content, and how much content the page has.

    What holds no text that is seen is left alone.
    """
    document = selection.document
    spans = find_spans(document, np.append(selection.nodes, _WHOLE), belief.nodes)
    held, true = sum_bytes(document, belief.nodes, spans, belief.content)
    shares = np.divide(true, held, out=np.ones(len(held)), where=held > 0)
    return shares[:-1], float(true[-1])
