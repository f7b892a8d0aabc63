"""Selections to verdicts on articles: how odd every node is, which to drop, and why.

Values of records are judged by `columns.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Selection, Verdicts
from webquarry.model.layout import VISUAL_VALIDATION
from webquarry.validating.deleting import rank
from webquarry.validating.reasons import describe_styles
from webquarry.validating.stopping import find_stop
from webquarry.validating.vectors import Vectors, encode
from webquarry.validating.voting import Decision, decide

Nodes = NDArray[np.int32]
Floats = NDArray[np.float64]

_HALF = 0.5


def judge_by_score(
    selections: Sequence[Selection],
    score: Callable[[Vectors], Floats],
    voted: Sequence[Nodes],
    *,
    scaled: bool = False,
    alpha: bool = False,
) -> list[Verdicts]:
    """By how rarely nodes look so: from the oddest on they are dropped, to where a voter's opinion says to stop.

    `score` gives a number for each distinct vector; `voted` are for each page the texts that the voter calls content.
    """
    vectors = encode([(each.document, each.nodes) for each in selections], scaled=scaled, alpha=alpha)
    scores = score(vectors)[vectors.rows]
    drops = np.zeros(len(scores), dtype=np.bool_)
    drops[rank(selections, scores)[: find_stop(selections, scores, voted)]] = True
    told = describe_styles(VISUAL_VALIDATION, vectors.values, vectors.counts)
    reasons = [told[row] for row in vectors.rows.tolist()]
    bounds = np.cumsum([0, *map(len, selections)]).tolist()
    return [
        Verdicts(each, scores[start:stop], drops[start:stop], tuple(reasons[start:stop]))
        for each, start, stop in zip(selections, bounds[:-1], bounds[1:], strict=True)
    ]


def judge_by_vote(selections: Sequence[Selection], voted: Sequence[Nodes]) -> tuple[list[Verdicts], list[str]]:
    """By the vote per style class of pages of one site; and what there is to say of the site."""
    decisions = decide([each.document for each in selections], voted)
    verdicts = [_judge_page(each, decision) for each, decision in zip(selections, decisions, strict=True)]
    return verdicts, list(dict.fromkeys(each.note for each in decisions if each.note))


def find_texts(selection: Selection) -> Nodes:
    """The texts of a selection: those that it has, and those in its elements."""
    is_inside = np.zeros(len(selection.document), dtype=np.bool_)
    for node in selection.nodes.tolist():
        is_inside[node : selection.document.ends[node]] = True
    texts = selection.document.seen_texts
    found: Nodes = texts[is_inside[texts]]
    return found


def _judge_page(selection: Selection, decision: Decision) -> Verdicts:
    """An element is dropped when more than half of its text is."""
    document = selection.document
    weights = np.array([len(document.texts[node].strip()) for node in decision.nodes.tolist()], dtype=np.float64)
    starts = np.searchsorted(decision.nodes, selection.nodes)
    stops = np.searchsorted(decision.nodes, document.ends[selection.nodes])
    shown = np.concatenate([[0.0], np.cumsum(weights)])
    kept = np.concatenate([[0.0], np.cumsum(weights * decision.kept)])
    liked = np.concatenate([[0.0], np.cumsum(weights * decision.scores)])
    total = shown[stops] - shown[starts]
    is_shown = total > 0  # what a person does not see has no vote
    drops = ~is_shown | (kept[stops] - kept[starts] < _HALF * total)
    scores = 1 - np.divide(liked[stops] - liked[starts], total, out=np.zeros(len(total)), where=is_shown)
    reasons = tuple(
        decision.reasons[start] if is_seen else "it is not shown on the page"
        for start, is_seen in zip(starts.tolist(), is_shown.tolist(), strict=True)
    )
    added = decision.kept & ~np.isin(decision.nodes, find_texts(selection))
    additions = tuple((int(decision.nodes[place]), decision.reasons[place]) for place in np.flatnonzero(added).tolist())
    return Verdicts(selection, scores, drops, reasons, additions)
