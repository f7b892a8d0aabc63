"""What a report is worth, where somebody has labelled nodes: rows of the paper's tables, and the curve of deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.model.report import Report, Selection
from webquarry.validating.content_labels import CONTENT, UNKNOWN, Label, match_labels
from webquarry.validating.deletion import Curve, Row, best_stop, follow, rank, tabulate, weigh
from webquarry.validating.report_charts import Deletion

BEFORE, DROPPED, BEST = "as extracted", "without what is dropped", "at the best F1"


@dataclass(frozen=True)
class Measure:
    """What deletion does to precision, recall and F1."""

    rows: tuple[Row, ...]
    """Before deletion, without what the report drops, and where labels say that deletion by score should stop."""
    recalls: tuple[float, ...]
    """Those that were assumed for the extraction; none when the labels tell."""
    deletion: Deletion
    """By score, and for the first recall if some were assumed."""
    notes: tuple[str, ...]


def measure(report: Report, labels: Sequence[Label], recalls: Sequence[float] = ()) -> Measure:
    """What the report is worth by labels.

    Those are labels of all texts of the pages; or, when recalls are assumed, of the extracted nodes alone.  An
    extracted node without a label counts as no content.
    """
    selections = [page.selection for page in report.pages]
    known, missing = match_labels(labels, [each.document for each in selections])
    told = _of_nodes(known, selections)
    if not (told == CONTENT).any():
        raise InputError("the labels call none of the extracted nodes content; check the pages and XPaths in them")
    total = None if recalls else _weigh_content(known, selections)
    deleting = _Deleting(told == CONTENT, weigh(text for each in selections for text in each.texts), total, recalls)
    scores, drops = _join(report)
    by_score = rank(selections, scores)
    drops_first = by_score[np.argsort(~drops[by_score], kind="stable")]
    curves = deleting.follow(by_score)
    best = best_stop(curves)
    rows = (
        deleting.tabulate(BEFORE, by_score, 0),
        deleting.tabulate(DROPPED, drops_first, int(drops.sum())),
        deleting.tabulate(BEST, by_score, best),
    )
    stops = {**_find_stop(by_score, drops), "best F1": best}
    return Measure(rows, tuple(recalls), _to_deletion(curves[0], stops), tuple(_tell(told, missing)))


def follow_scores(report: Report) -> Deletion:
    """How the scores fall along deletion, from 1 for the highest, and where the report stops; for want of labels."""
    selections = [page.selection for page in report.pages]
    scores, drops = _join(report)
    order = rank(selections, scores)
    curve = follow(order, np.ones(len(order)), weigh(text for each in selections for text in each.texts))
    low, high = scores.min(initial=np.inf), scores.max(initial=-np.inf)
    shares = (scores[order] - low) / (high - low) if high > low else np.zeros(len(order))
    following = np.concatenate([shares, shares[-1:] * 0])  # behind the last node none goes next
    return Deletion(curve.deleted.tolist(), {"score": following.tolist()}, _find_stop(order, drops))


@dataclass(frozen=True)
class _Deleting:
    """Nodes to be deleted in any order."""

    content: NDArray[np.bool_]
    weights: NDArray[np.float64]
    total: float | None
    recalls: Sequence[float]

    def follow(self, order: NDArray[np.intp]) -> list[Curve]:
        """A curve by bytes for each recall that is assumed, or the one that labels tell."""
        curve = follow(order, self.content, self.weights, self.total)
        return [curve.assume(recall) for recall in self.recalls] or [curve]

    def tabulate(self, name: str, order: NDArray[np.intp], stop: int) -> Row:
        """A row of the paper's Table 1."""
        return tabulate(name, self.follow(order), follow(order, self.content, np.ones(len(self.content))), stop)


def _join(report: Report) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The scores of all nodes, and which are dropped."""
    scores = np.concatenate([np.zeros(0), *(page.scores for page in report.pages)])
    return scores, np.concatenate([np.zeros(0, np.bool_), *(page.drops for page in report.pages)])


def _of_nodes(known: Sequence[NDArray[np.int8]], selections: Sequence[Selection]) -> NDArray[np.int8]:
    parts = (labels[selection.nodes] for labels, selection in zip(known, selections, strict=True))
    return np.concatenate([np.zeros(0, np.int8), *parts])


def _weigh_content(known: Sequence[NDArray[np.int8]], selections: Sequence[Selection]) -> float:
    """The bytes of all content of the pages, extracted or not."""
    texts = (
        selection.document.texts[node]
        for labels, selection in zip(known, selections, strict=True)
        for node in selection.document.seen_texts[labels[selection.document.seen_texts] == CONTENT].tolist()
    )
    return float(weigh(texts).sum())


def _find_stop(order: NDArray[np.intp], drops: NDArray[np.bool_]) -> dict[str, int]:
    """Where the report stops in this order; nowhere when it drops others than the first, as a vote may."""
    count = int(drops.sum())
    return {"dropped": count} if drops[order[:count]].all() else {}


def _to_deletion(curve: Curve, stops: Mapping[str, int]) -> Deletion:
    measures = {"precision": curve.precision, "recall": curve.recall, "F1": curve.f1}
    return Deletion(curve.deleted.tolist(), {name: each.tolist() for name, each in measures.items()}, stops)


def _tell(told: NDArray[np.int8], missing: Sequence[str]) -> list[str]:
    notes = []
    if unlabelled := int((told == UNKNOWN).sum()):
        notes.append(f"{unlabelled:,} of {len(told):,} extracted nodes have no label and count as no content")
    if missing:
        notes.append(f"{len(missing):,} labels were not found, the first: {missing[0]}")
    return notes
