"""Deletion of what looks oddest, node by node, and what it does to precision, recall and F1.

Potvin and Villemaire, "When Different is Wrong", section 5: nodes go in descending score, and the number of relevant
bytes stays what it was.  Where only the extracted nodes have labels, recall is not known; it is then assumed, and the
relevant bytes are those extracted divided by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Selection
from webquarry.model.equality import same_fields

RECALLS = (0.65, 0.75, 0.85, 0.95)
"""Of the extraction, as the paper assumes them (section 5.2)."""


@dataclass(frozen=True, eq=False)
class Curve:  # noqa: PLW1641 - arrays have no hash
    """What is left while nodes are deleted one by one; the first point is before any deletion."""

    left: NDArray[np.float64]
    """At each point the weight of all that is left: bytes, or a number of nodes."""
    true: NDArray[np.float64]
    """Of that the weight of content."""
    total: float
    """The weight of all content of the pages, extracted or not."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Curve):
            return NotImplemented
        return same_fields(self, other)

    def __len__(self) -> int:
        return len(self.left)

    @property
    def precision(self) -> NDArray[np.float64]:
        """At each point the share of content in what is left; 0 when nothing is."""
        return _divide(self.true, self.left)

    @property
    def recall(self) -> NDArray[np.float64]:
        """At each point the share of the content that is left."""
        return _divide(self.true, np.full(len(self), self.total))

    @property
    def f1(self) -> NDArray[np.float64]:
        """At each point the harmonic mean of precision and recall."""
        return _divide(2 * self.true, self.left + self.total)

    @property
    def deleted(self) -> NDArray[np.float64]:
        """At each point the share of the extracted weight that is gone."""
        return 1 - _divide(self.left, np.full(len(self), self.left[0]))

    @property
    def best(self) -> int:
        """The oracle's stop: how many deletions give the highest F1, the fewest if several do."""
        return int(np.argmax(self.f1))

    def assume(self, recall: float) -> Curve:
        """The curve if the extraction had this recall."""
        return replace(self, total=float(self.true[0]) / recall)


def rank(selections: Sequence[Selection], scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """The places of the nodes of all pages in the order of their deletion: by descending score, then as they stand."""
    pages = np.repeat(np.arange(len(selections)), [len(selection) for selection in selections])
    nodes = np.concatenate([np.zeros(0, dtype=np.int32), *(selection.nodes for selection in selections)])
    return np.lexsort((nodes, pages, -scores))


def weigh(texts: Iterable[str]) -> NDArray[np.float64]:
    """The bytes of each text in UTF-8, white space folded."""
    return np.array([len(" ".join(text.split()).encode(errors="replace")) for text in texts], dtype=np.float64)


def follow(
    order: NDArray[np.intp],
    content: NDArray[np.bool_ | np.float64],
    weights: NDArray[np.float64],
    total: float | None = None,
) -> Curve:
    """The curve of a deletion in this order.

    `content` tells for each node whether it is, or which share of it; `weights` are bytes, or ones to count nodes;
    `total` is the weight of all content of the pages, without which all of it counts as extracted.
    """
    true = weights * content
    relevant = float(true.sum()) if total is None else total
    return Curve(_left(weights[order]), _left(true[order]), relevant)


def best_stop(curves: Sequence[Curve]) -> int:
    """How many deletions give the highest F1 in the mean of the curves, which differ in the recall that is assumed.

    The paper too has one stop a row: in each row of its Table 1 all four recalls fell by the same share.
    """
    return int(np.argmax(np.mean([curve.f1 for curve in curves], axis=0)))


@dataclass(frozen=True)
class Row:
    """A row of the paper's Tables 1 and 2; the recalls are those that were assumed, or the one that is known."""

    name: str
    precision: float
    recalls: tuple[float, ...]
    f1s: tuple[float, ...]
    """One for each recall."""
    deleted_nodes: float
    """As a share; so is `deleted_bytes`."""
    deleted_bytes: float


def tabulate(name: str, curves: Sequence[Curve], nodes: Curve, stop: int) -> Row:
    """The row of Table 1 for a stop, of the curves by bytes for each recall, and one by nodes."""
    return Row(
        name,
        float(curves[0].precision[stop]),
        tuple(float(curve.recall[stop]) for curve in curves),
        tuple(float(curve.f1[stop]) for curve in curves),
        float(nodes.deleted[stop]),
        float(curves[0].deleted[stop]),
    )


def compare(row: Row, before: Row) -> Row:
    """The row of Table 2: by which share each figure is above that without deletion."""
    return replace(
        row,
        precision=_increase(row.precision, before.precision),
        recalls=tuple(map(_increase, row.recalls, before.recalls)),
        f1s=tuple(map(_increase, row.f1s, before.f1s)),
    )


@dataclass(frozen=True, eq=False)
class Distribution:  # noqa: PLW1641 - arrays have no hash
    """How many nodes have which score: the paper's Figure 2."""

    edges: NDArray[np.float64]
    """Of the bins, one more than there are bins."""
    content: NDArray[np.int64]
    others: NDArray[np.int64]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return same_fields(self, other)


def distribute(scores: NDArray[np.float64], content: NDArray[np.bool_], bins: int = 50) -> Distribution:
    """The scores of content and of the others, counted in bins of equal width."""
    edges = np.histogram_bin_edges(scores, bins)
    counts = [np.histogram(scores[which], edges)[0].astype(np.int64) for which in (content, ~content)]
    return Distribution(edges, counts[0], counts[1])


def _left(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is left before the first deletion and after each: summed from the end, so that it ends in an exact 0."""
    return np.concatenate([np.cumsum(weights[::-1])[::-1], [0.0]])


def _divide(some: NDArray[np.float64], all_: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(some, all_, out=np.zeros(len(some)), where=all_ > 0)


def _increase(value: float, before: float) -> float:
    return value / before - 1 if before else 0.0
