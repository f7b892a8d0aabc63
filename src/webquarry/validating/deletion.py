"""Deletion of what looks oddest, node by node, and what it does to precision, recall and F1.

Potvin and Villemaire, "When Different is Wrong", section 5: nodes go in descending score, and the number of relevant
bytes stays what it was.  Where only the extracted nodes have labels, recall is not known; it is then assumed, and the
relevant bytes are those extracted divided by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.model.nouns import same_fields
from webquarry.model.report import Selection
from webquarry.validating.style_vectors import gather_styles
from webquarry.validating.votes import Decision

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


# MERGED validating/shares: How much of the text of each node is what: a node is judged by the texts that it
Nodes = NDArray[np.int32]
Floats = NDArray[np.float64]


class Spans(NamedTuple):
    """For each of some nodes where the texts that it is or holds begin and end among all texts."""

    starts: NDArray[np.intp]
    stops: NDArray[np.intp]


def find_spans(document: Document, nodes: Nodes, texts: Nodes) -> Spans:
    """The spans of nodes among texts that are in document order.

    >>> document = Document("<p>a</p><p>b</p>")
    >>> starts, stops = find_spans(document, np.array([4, 7, 0]), np.array([5, 7]))
    >>> starts.tolist(), stops.tolist()
    ([0, 1, 0], [1, 2, 2])
    """
    return Spans(np.searchsorted(texts, nodes), np.searchsorted(texts, document.ends[nodes]))


def sum_bytes(document: Document, texts: Nodes, spans: Spans, *shares: NDArray[np.bool_ | np.floating]) -> Floats:
    """For each span the bytes of its texts, in the first row; below it a row for each of the shares of these.

    `shares` have an entry a text, from 0 to 1.
    """
    weights = weigh(document.texts[text] for text in texts.tolist())
    sums = np.zeros((1 + len(shares), len(texts) + 1))
    np.cumsum([weights, *(weights * share for share in shares)], axis=1, out=sums[:, 1:])
    return sums[:, spans.stops] - sums[:, spans.starts]


# MERGED validating/stopping: Where to stop deleting when nobody has labelled the nodes.
# MERGED
# MERGED The scores alone do not tell: no rule on their gaps or their shape was safe.  The vote does (`voting
# MERGED extractor can be the voter of, that of the extraction too.  What it calls content is taken for the t
# MERGED all that looks like nothing else on most pages: furniture stands on many, and what stands on few was
# MERGED of the voter on these.  The deletion stops where F1 is highest against that, if it is worth it; else
# MERGED
# MERGED Measured on three sites, 60 pages of each to choose the constants on and 60 to check them, with thre
# MERGED Boilerpipe and trafilatura as voters, and 16 scores.  Of the gain that labels would give .81 is kept
# MERGED site that were chosen on and .82 on the others, and from 5 pages .93 and .87; no case of them lost m
# MERGED fails where a voter is wrong about a style on most pages, and finds nothing where labels would gain
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
