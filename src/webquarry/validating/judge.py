"""Judge the texts of articles: how odd each node is, whether to drop it, and why.

Values of records are judged in `column_outliers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import find_inside
from webquarry.model.layout import VISUAL_VALIDATION
from webquarry.model.report import Selection, Verdicts
from webquarry.validating.deletion import find_spans, find_stop, rank, sum_bytes
from webquarry.validating.reasons import describe_styles
from webquarry.validating.selections import split_verdicts
from webquarry.validating.style_vectors import Vectors, encode
from webquarry.validating.votes import Decision

_HALF = 0.5


def judge_by_score(
    selections: Sequence[Selection],
    score: Callable[[Vectors], NDArray[np.float64]],
    decisions: Sequence[Decision],
    *,
    scaled: bool = False,
    alpha: bool = False,
) -> list[Verdicts]:
    """Judge by how rare looks are: drop nodes in descending score, down to where the vote says to stop.

    `score` gives a number for each distinct vector; `decisions` are those of the vote, one per page.
    """
    vectors = encode([(each.document, each.nodes) for each in selections], scaled=scaled, alpha=alpha)
    scores = score(vectors)[vectors.rows]
    drops = np.zeros(len(scores), dtype=np.bool_)
    drops[rank(selections, scores)[: find_stop(selections, scores, decisions)]] = True
    described = describe_styles(VISUAL_VALIDATION, vectors.values, vectors.counts)
    return split_verdicts(selections, scores, drops, [described[row] for row in vectors.rows.tolist()])


def judge_by_vote(selection: Selection, decision: Decision) -> Verdicts:
    """Judge by what the vote per style class decided on a page.

    An element is dropped when more than half of its text is; one without text, such as an image, has no vote.  Scores
    are from 0 to 1: at least .5 for what is dropped, at most .5 for what is kept.
    """
    document = selection.document
    spans = find_spans(document, selection.nodes, decision.nodes)
    shown, kept, liked = sum_bytes(document, decision.nodes, spans, decision.kept, decision.scores)
    is_hidden = document.hidden[selection.nodes] & (shown == 0)  # an element without a box may have visible text
    drops = is_hidden | (kept < _HALF * shown)
    shares = np.divide(liked, shown, out=(~is_hidden).astype(np.float64), where=shown > 0)
    scores = (1 - shares + drops) / 2  # the drop counts too, as more than the share decides on labels
    fates = zip(*(each.tolist() for each in (*spans, drops, is_hidden)), strict=True)
    reasons = tuple(_find_reason(decision, range(start, stop), drop, hidden) for start, stop, drop, hidden in fates)
    added = decision.kept & ~np.isin(decision.nodes, find_texts(selection))
    additions = tuple((int(decision.nodes[place]), decision.reasons[place]) for place in np.flatnonzero(added).tolist())
    return Verdicts(selection, scores, drops, reasons, additions)


def _find_reason(decision: Decision, texts: range, drop: bool, hidden: bool) -> str:
    """Find the reason of the first text of a node that fared as the node does."""
    if hidden:
        return "it is not visible on the page"
    return next((decision.reasons[text] for text in texts if bool(decision.kept[text]) != drop), "")


def find_texts(selection: Selection) -> NDArray[np.int32]:
    """Find the visible texts of a selection: its own, and those in its elements."""
    document = selection.document
    is_selected = np.zeros(len(document), dtype=np.bool_)
    is_selected[selection.nodes] = True
    texts = document.seen_texts
    found: NDArray[np.int32] = texts[find_inside(document.ends, is_selected)[texts]]
    return found
