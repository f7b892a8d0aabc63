"""Selections to verdicts on articles: how odd every node is, which to drop, and why.

Values of records are judged in `columns/`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import find_inside
from webquarry.model.document import Document
from webquarry.model.layout import VISUAL_VALIDATION
from webquarry.model.report import Selection, Verdicts
from webquarry.validating.ballots import Sites, cast
from webquarry.validating.deletion import find_spans, find_stop, rank, sum_bytes
from webquarry.validating.outliers import hbos_scores, knn_scores, pyod_hbos_scores
from webquarry.validating.reasons import describe_styles
from webquarry.validating.selections import split_verdicts
from webquarry.validating.style_vectors import Vectors, encode
from webquarry.validating.votes import Decision

Nodes = NDArray[np.int32]
Floats = NDArray[np.float64]

_HALF = 0.5


def judge_by_score(
    selections: Sequence[Selection],
    score: Callable[[Vectors], Floats],
    decisions: Sequence[Decision],
    *,
    scaled: bool = False,
    alpha: bool = False,
) -> list[Verdicts]:
    """By how rarely nodes look so: from the oddest on they are dropped, to where the vote says to stop.

    `score` gives a number for each distinct vector; `decisions` are those of the vote, a page each.
    """
    vectors = encode([(each.document, each.nodes) for each in selections], scaled=scaled, alpha=alpha)
    scores = score(vectors)[vectors.rows]
    drops = np.zeros(len(scores), dtype=np.bool_)
    drops[rank(selections, scores)[: find_stop(selections, scores, decisions)]] = True
    told = describe_styles(VISUAL_VALIDATION, vectors.values, vectors.counts)
    reasons = [told[row] for row in vectors.rows.tolist()]
    return split_verdicts(selections, scores, drops, reasons)


def judge_by_vote(selection: Selection, decision: Decision) -> Verdicts:
    """By what the vote per style class decided on a page.

    An element is dropped when more than half of its text is; one without text, such as an image, has no vote.  Scores
    are from 0 to 1: what is dropped has one of .5 at least, what is kept of .5 at most.
    """
    document = selection.document
    spans = find_spans(document, selection.nodes, decision.nodes)
    shown, kept, liked = sum_bytes(document, decision.nodes, spans, decision.kept, decision.scores)
    is_hidden = document.hidden[selection.nodes] & (shown == 0)  # a holder without a box may hold what is shown
    drops = is_hidden | (kept < _HALF * shown)
    shares = np.divide(liked, shown, out=(~is_hidden).astype(np.float64), where=shown > 0)
    scores = (1 - shares + drops) / 2  # where more than the share decided, as for labels, the drop counts too
    fates = zip(*(each.tolist() for each in (*spans, drops, is_hidden)), strict=True)
    reasons = tuple(
        _tell(decision, range(start, stop), drop=drop, hidden=hidden) for start, stop, drop, hidden in fates
    )
    added = decision.kept & ~np.isin(decision.nodes, find_texts(selection))
    additions = tuple((int(decision.nodes[place]), decision.reasons[place]) for place in np.flatnonzero(added).tolist())
    return Verdicts(selection, scores, drops, reasons, additions)


def find_texts(selection: Selection) -> Nodes:
    """The texts of a selection: those that it has, and those in its elements."""
    document = selection.document
    is_selected = np.zeros(len(document), dtype=np.bool_)
    is_selected[selection.nodes] = True
    texts = document.seen_texts
    found: Nodes = texts[find_inside(document.ends, is_selected)[texts]]
    return found


def _tell(decision: Decision, texts: range, *, drop: bool, hidden: bool) -> str:
    """The reason for the first text of a node that fared as the node does."""
    if hidden:
        return "it is not shown on the page"
    return next((decision.reasons[text] for text in texts if bool(decision.kept[text]) != drop), "")


# MERGED validating/scoring: How odd looks are, by each of the methods that rank nodes.
def score_by_knn(vectors: Vectors, k: float) -> Floats:
    """By the distance to the k nearest others, as in the paper."""
    return knn_scores(vectors.matrix, vectors.counts, k=k)


def score_by_hbos(vectors: Vectors, _k: float) -> Floats:
    """By how rare the values of the properties are, as in the paper, in bins of equal width."""
    return hbos_scores(vectors.matrix, vectors.counts, categories=vectors.categories)


def score_by_dynamic_hbos(vectors: Vectors, _k: float) -> Floats:
    """The same, in bins of equally many nodes."""
    return hbos_scores(vectors.matrix, vectors.counts, categories=vectors.categories, dynamic=True)


def score_by_pyod_hbos(vectors: Vectors, _k: float) -> Floats:
    """The variant of PyOD."""
    return pyod_hbos_scores(vectors.matrix, vectors.counts)


SCORES: dict[str, Callable[[Vectors, float], Floats]] = {
    "knn": score_by_knn,
    "hbos": score_by_hbos,
    "hbos-dynamic": score_by_dynamic_hbos,
    "hbos-pyod": score_by_pyod_hbos,
}
"""They give a number for each distinct vector; one of them has a use for a number of neighbours."""


# MERGED validating/grouping: Pages that are judged together.
_NOBODY = np.zeros(0, dtype=np.int32)


def group_by_site(documents: Sequence[Document]) -> list[list[int]]:
    """The places of the documents of each site."""
    sites = Sites()
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        groups[sites.place(cast(document, _NOBODY))].append(place)
    return list(groups.values())
