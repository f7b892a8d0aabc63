"""Delete nodes in descending score, follow precision, recall and F1, and decide where to stop.

Potvin and Villemaire, "When Different is Wrong", section 5: the number of relevant bytes stays what it was while nodes
go.  Where only the extracted nodes have labels, recall is unknown; it is then assumed, and the relevant bytes are those
extracted divided by it.  The paper stops where labels say that F1 is highest.

Repair: a stop without labels.  The scores alone do not tell: no rule on their gaps or their shape was safe.  The vote
does (`votes.py`), with any extractor as the voter.  What it calls content is taken for the truth, with all looks that
are on few pages only: boilerplate is on many, and on few the voter's mistakes would decide.  Deletion stops where F1
against that is highest, if that is worth it; else nothing goes.

Measured on three sites, 60 pages of each to choose the constants on and 60 to check them, with three extractions,
Boilerpipe and trafilatura as voters, and 16 scores.  Of the gain that labels would give .81 is kept on the pages of a
site that were chosen on and .82 on the others, and from 5 pages .93 and .87; no case of them lost more than .1 %.  It
fails where a voter is wrong about a style on most pages, and finds nothing where labels would gain less than 1 %.
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

Nodes = NDArray[np.int32]
Floats = NDArray[np.float64]

RECALLS = (0.65, 0.75, 0.85, 0.95)
"""Of the extraction, as the paper assumes them (section 5.2)."""


@dataclass(frozen=True, eq=False)
class Curve:  # noqa: PLW1641 - arrays have no hash
    """What is left while nodes are deleted one by one; the first point is before any deletion."""

    left: Floats
    """At each point the weight of all that is left: bytes, or a number of nodes."""
    true: Floats
    """The weight of content in it."""
    total: float
    """The weight of all content of the pages, extracted or not."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Curve):
            return NotImplemented
        return same_fields(self, other)

    def __len__(self) -> int:
        return len(self.left)

    @property
    def precision(self) -> Floats:
        """At each point the share of content in what is left; 0 when nothing is."""
        return _divide(self.true, self.left)

    @property
    def recall(self) -> Floats:
        """At each point the share of the content that is left."""
        return _divide(self.true, np.full(len(self), self.total))

    @property
    def f1(self) -> Floats:
        """At each point the harmonic mean of precision and recall."""
        return _divide(2 * self.true, self.left + self.total)

    @property
    def deleted(self) -> Floats:
        """At each point the share of the extracted weight that is gone."""
        return 1 - _divide(self.left, np.full(len(self), self.left[0]))

    @property
    def best(self) -> int:
        """The oracle's stop: the number of deletions with the highest F1, the fewest if several have it."""
        return int(np.argmax(self.f1))

    def assume(self, recall: float) -> Curve:
        """Return the curve if the extraction had this recall."""
        return replace(self, total=float(self.true[0]) / recall)


def _divide(some: Floats, all_: Floats) -> Floats:
    return np.divide(some, all_, out=np.zeros(len(some)), where=all_ > 0)


def rank(selections: Sequence[Selection], scores: Floats) -> NDArray[np.intp]:
    """Order the nodes of all pages for deletion: by descending score, ties in document order."""
    pages = np.repeat(np.arange(len(selections)), [len(selection) for selection in selections])
    nodes = np.concatenate([np.zeros(0, dtype=np.int32), *(selection.nodes for selection in selections)])
    return np.lexsort((nodes, pages, -scores))


def weigh(texts: Iterable[str]) -> Floats:
    """Count the bytes of each text in UTF-8, white space collapsed."""
    return np.array([len(" ".join(text.split()).encode(errors="replace")) for text in texts], dtype=np.float64)


def follow(
    order: NDArray[np.intp],
    content: NDArray[np.bool_ | np.float64],
    weights: Floats,
    total: float | None = None,
) -> Curve:
    """Follow a deletion in this order.

    `content` has for each node whether it is content, or the share of it that is; `weights` are bytes, or ones to count
    nodes; `total` is the weight of all content of the pages, by default all of it counts as extracted.
    """
    true = weights * content
    # Summed from the end, so that the last point is an exact 0.
    left, true_left = (np.concatenate([np.cumsum(each[order][::-1])[::-1], [0.0]]) for each in (weights, true))
    return Curve(left, true_left, float(true.sum()) if total is None else total)


def best_stop(curves: Sequence[Curve]) -> int:
    """Find the stop with the highest mean F1 of curves that differ in the assumed recall.

    The paper too has one stop per row: in each row of its Table 1 all four recalls fell by the same share.
    """
    return int(np.argmax(np.mean([curve.f1 for curve in curves], axis=0)))


class Stop(NamedTuple):
    """Where a person lets deletion stop."""

    kind: str
    """`best-f1` by labels, or after so many `nodes`, a `share` of the nodes, or down to a `score`."""
    amount: float = 0.0

    def count(self, scores: Floats, curves: Sequence[Curve] = ()) -> int:
        """Count the nodes to delete; `scores` are in the order of deletion, `curves` needed for the best F1 alone.

        >>> scores = np.array([5.0, 3.0, 3.0, 1.0])
        >>> [parse_stop(each).count(scores) for each in ("nodes:1", "nodes:9", "share:0.5", "score:3")]
        [1, 4, 2, 3]
        """
        match self.kind:
            case "nodes":
                return min(int(self.amount), len(scores))
            case "share":
                return round(self.amount * len(scores))
            case "score":
                return int((scores >= self.amount).sum())
        return best_stop(curves)


STOPS = "best-f1, nodes:40, share:0.1 or score:2.5"
"""The forms of a stop, for errors."""


def parse_stop(text: str) -> Stop:
    """Read a stop as it is written; raise ValueError for any other text.

    >>> parse_stop("share:0.1"), parse_stop("best-f1")
    (Stop(kind='share', amount=0.1), Stop(kind='best-f1', amount=0.0))
    """
    if text == "best-f1":
        return Stop(text)
    kind, _, written = text.partition(":")
    try:
        amount = float(written)
    except ValueError:
        amount = np.nan
    is_right = {
        "nodes": amount >= 0 and amount == np.floor(amount) and amount < np.inf,
        "share": 0 <= amount <= 1,
        "score": bool(np.isfinite(amount)),
    }
    if not is_right.get(kind, False):
        raise ValueError(f"{text!r} is not a stop; write {STOPS}")
    return Stop(kind, amount)


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
    """Make the row of Table 1 for a stop, from the curves by bytes for each recall, and one by nodes."""
    return Row(
        name,
        float(curves[0].precision[stop]),
        tuple(float(curve.recall[stop]) for curve in curves),
        tuple(float(curve.f1[stop]) for curve in curves),
        float(nodes.deleted[stop]),
        float(curves[0].deleted[stop]),
    )


def compare(row: Row, before: Row) -> Row:
    """Make the row of Table 2: by which share each figure is above that without deletion."""

    def increase(value: float, base: float) -> float:
        return value / base - 1 if base else 0.0

    return replace(
        row,
        precision=increase(row.precision, before.precision),
        recalls=tuple(map(increase, row.recalls, before.recalls)),
        f1s=tuple(map(increase, row.f1s, before.f1s)),
    )


class Spans(NamedTuple):
    """For each of some nodes where its texts, or itself, begin and end among all texts."""

    starts: NDArray[np.intp]
    stops: NDArray[np.intp]


def find_spans(document: Document, nodes: Nodes, texts: Nodes) -> Spans:
    """Find the spans of nodes among texts that are in document order.

    >>> document = Document("<p>a</p><p>b</p>")
    >>> starts, stops = find_spans(document, np.array([4, 7, 0]), np.array([5, 7]))
    >>> starts.tolist(), stops.tolist()
    ([0, 1, 0], [1, 2, 2])
    """
    return Spans(np.searchsorted(texts, nodes), np.searchsorted(texts, document.ends[nodes]))


def sum_bytes(document: Document, texts: Nodes, spans: Spans, *shares: NDArray[np.bool_ | np.floating]) -> Floats:
    """Sum for each span the bytes of its texts, in the first row; below it a row for each of the shares of these.

    `shares` have an entry for each text, from 0 to 1.
    """
    weights = weigh(document.texts[text] for text in texts.tolist())
    sums = np.zeros((1 + len(shares), len(texts) + 1))
    np.cumsum([weights, *(weights * share for share in shares)], axis=1, out=sums[:, 1:])
    return sums[:, spans.stops] - sums[:, spans.starts]


MIN_PAGES = 5
"""For any deletion: with 4, one draw in 36 lost up to 11 % of F1."""
MIN_PAGES_WITH_STYLE = 3
"""Pages that must have a style for it to be judged; if all styles are judged, a page with much code can cost 20 %."""
MIN_SHARE_WITH_STYLE = 0.25
"""The share of all pages that must have it too; from a quarter to a half all gave the same."""
MIN_GAIN = 0.01
"""The share by which F1 must rise; half of it gains a little more, but loses in some cases."""
_DOCUMENT = np.int32(0)
"""The node that contains all others."""


class AssumedContent(NamedTuple):
    """What is taken for the content of a page."""

    nodes: Nodes
    """The texts that a reader sees and that are not blank."""
    content: NDArray[np.bool_]


def find_stop(selections: Sequence[Selection], scores: Floats, decisions: Sequence[Decision]) -> int:
    """Decide how many nodes to delete, in the order of `rank`; nodes with the same score go or stay together.

    `scores` are those of the nodes of all pages, `decisions` those of the vote, one per page.
    """
    if len(selections) < MIN_PAGES:
        return 0
    assumed = assume_content([selection.document for selection in selections], decisions)
    return find_stop_against(selections, scores, assumed)


def find_stop_against(selections: Sequence[Selection], scores: Floats, assumed: Sequence[AssumedContent]) -> int:
    """Decide as `find_stop` does, given what is taken for content."""
    shares, totals = zip(*map(_share_content, selections, assumed), strict=True)
    order = rank(selections, scores)
    weights = weigh(text for selection in selections for text in selection.texts)
    return choose_stop(follow(order, np.concatenate(shares), weights, sum(totals)), scores[order])


def assume_content(documents: Sequence[Document], decisions: Sequence[Decision]) -> list[AssumedContent]:
    """Take for content what the vote keeps, and what is too rare to be judged."""
    styles = gather_styles((document, each.nodes) for document, each in zip(documents, decisions, strict=True))
    pages = np.repeat(np.arange(len(documents)), styles.sizes)
    style_of_pair = np.unique(styles.places * len(documents) + pages) // len(documents)
    counts = np.bincount(style_of_pair, minlength=len(styles.codes))
    is_rare = counts < max(MIN_PAGES_WITH_STYLE, MIN_SHARE_WITH_STYLE * len(documents))
    rare = np.split(is_rare[styles.places], np.cumsum(styles.sizes)[:-1])
    return [AssumedContent(each.nodes, each.kept | some) for each, some in zip(decisions, rare, strict=True)]


def choose_stop(curve: Curve, scores: Floats) -> int:
    """Choose the stop with the highest F1, if it is worth it; `scores` are in the order of the deletion."""
    is_between = np.concatenate([[True], scores[1:] != scores[:-1], [True]])[: len(curve)]
    stop = int(np.argmax(np.where(is_between, curve.f1, 0.0)))
    return stop if curve.f1[stop] >= (1 + MIN_GAIN) * curve.f1[0] else 0


def _share_content(selection: Selection, assumed: AssumedContent) -> tuple[Floats, float]:
    """Return for each node the share of its text that is content, and the bytes of content of the page.

    Nodes without visible text count as content.
    """
    document = selection.document
    spans = find_spans(document, np.append(selection.nodes, _DOCUMENT), assumed.nodes)
    held, true = sum_bytes(document, assumed.nodes, spans, assumed.content)
    shares = np.divide(true, held, out=np.ones(len(held)), where=held > 0)
    return shares[:-1], float(true[-1])
