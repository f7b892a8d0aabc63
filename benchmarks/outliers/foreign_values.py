"""Count how many foreign values among those of records and detail pages are found at 1 % false alarms.

Baselines are the paper's scores, k-NN and HBOS, for each value among the values of its column on the page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.findings import Finding
from benchmarks.halves import ALL, CHECK, TUNE, by_half
from benchmarks.listings import listings
from benchmarks.outliers.injecting import DRAWS, RATE, Injected, inject_listings, inject_sites
from benchmarks.rendered import rendered_listings, static_listings
from benchmarks.wrappers.sites import find_sites
from webquarry.model.report import Selection
from webquarry.rendering.browser import find_browser
from webquarry.validating.column_outliers import validate_columns
from webquarry.validating.outliers import hbos_scores, knn_scores
from webquarry.validating.style_vectors import Vectors, encode
from webquarry.validating.traits import FRAME, KINDS, LOOK, PATH

Floats = NDArray[np.float64]
NEIGHBOURS = 0.5
"""Share of the values of a column; most columns are too short for a fixed number."""


def score_knn(selection: Selection) -> Floats:
    return _by_column(selection, lambda vectors: knn_scores(vectors.matrix, vectors.counts, k=NEIGHBOURS))


def score_hbos(selection: Selection) -> Floats:
    return _by_column(
        selection, lambda vectors: hbos_scores(vectors.matrix, vectors.counts, categories=vectors.categories)
    )


def _by_column(selection: Selection, score: Callable[[Vectors], Floats]) -> Floats:
    scores, names = np.zeros(len(selection)), np.array(selection.columns)
    for name in dict.fromkeys(selection.columns):
        members = np.flatnonzero(names == name)
        vectors = encode([(selection.document, selection.nodes[members])])
        scores[members] = score(vectors)[vectors.rows]
    return scores


FALSE_ALARMS = 0.01
"""Share of genuine values that may be reported as foreign."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Found:
    """The foreign values found; precision, recall and false alarms concern the values that a method drops."""

    foreign: int
    others: int
    at_rate: float
    """The share of foreign values that score higher than all but `FALSE_ALARMS` of the others."""
    has_drops: bool = False
    precision: float = 0.0
    recall: float = 0.0
    false_alarms: float = 0.0


def score_found(scores: NDArray[np.float64], is_foreign: Flags, drops: Flags | None = None) -> Found:
    """Rate scores, and drops if there are any, by the foreign values they reveal.

    >>> score_found(np.array([1.0, 2.0, 9.0]), np.array([False, False, True]), np.array([False, True, True]))
    Found(foreign=1, others=2, at_rate=1.0, has_drops=True, precision=0.5, recall=1.0, false_alarms=0.5)
    """
    others = np.sort(scores[~is_foreign])
    limit = others[len(others) - 1 - int(len(others) * FALSE_ALARMS)]
    foreign, at_rate = int(is_foreign.sum()), float((scores[is_foreign] > limit).mean())
    if drops is None:
        return Found(foreign, len(others), at_rate)
    right, wrong = int((drops & is_foreign).sum()), int((drops & ~is_foreign).sum())
    precision, recall = right / max(right + wrong, 1), right / foreign
    return Found(foreign, len(others), at_rate, True, precision, recall, wrong / len(others))


RECORDS, STATIC, SITES = "records", "records, static", "detail pages of 5 sites, static"

Method = Callable[[Sequence[Injected]], tuple[Floats, Flags | None]]


def run_outlier_records(root: Path, count: int | None = None) -> Finding | None:
    """Compare all methods on records, and score ours on detail pages; None without the corpora or a browser."""
    if not listings(root, count) or not find_sites(root) or find_browser() is None:
        return None
    rendered = list(inject_listings(root, count, rendered_listings))
    texts_only = list(inject_listings(root, count, rendered_listings, looks=False))
    found = {
        RECORDS: _measure(rendered, _judge),
        f"{RECORDS}, by texts and looks": _measure(rendered, partial(_judge, kinds=set(KINDS) - {PATH})),
        f"{RECORDS}, by looks alone": _measure(rendered, partial(_judge, kinds=(LOOK, FRAME))),
        f"{RECORDS}, k-NN, half of the column": _measure(rendered, partial(_rank, score=score_knn)),
        f"{RECORDS}, HBOS": _measure(rendered, partial(_rank, score=score_hbos)),
        f"{RECORDS}, texts exchanged but not looks": _measure(texts_only, _judge),
        STATIC: _measure(list(inject_listings(root, count, static_listings)), _judge),
        SITES: _measure(list(inject_sites(root)), _judge),
    }
    return Finding(
        title="Foreign values",
        note=f"{RATE:.0%} of the values are replaced by other texts of their page, in {DRAWS} draws:"
        f" {found[RECORDS][ALL].foreign} foreign and {found[RECORDS][ALL].others} genuine values of records."
        ' "Found" is the share found by score at 1 % false alarms; the last columns are for the values dropped by'
        " default.",
        heads=("", "found: tune", "found: check", "found: all", "precision", "recall", "false alarms"),
        rows=[_row(title, each) for title, each in found.items()],
        figures={
            "outliers, foreign values found at 1 % false alarms: records": found[RECORDS][ALL].at_rate,
            "outliers, foreign values found at 1 % false alarms: records, static": found[STATIC][ALL].at_rate,
            "outliers, foreign values found at 1 % false alarms: detail pages": found[SITES][ALL].at_rate,
            "outliers, values of records dropped by mistake": found[RECORDS][ALL].false_alarms,
        },
    )


def _measure(pages: Sequence[Injected], method: Method) -> dict[str, Found]:
    """Rate a method on each half."""
    found = {}
    for half, members in by_half(pages, lambda page: page.half).items():
        if members:
            scores, drops = method(members)
            found[half] = score_found(scores, np.concatenate([page.is_foreign for page in members]), drops)
    return found


def _judge(pages: Sequence[Injected], kinds: Collection[str] = KINDS) -> tuple[Floats, Flags]:
    """Validate the columns of each source by our method."""
    sources = [[page.selection for page in each] for _, each in groupby(pages, lambda page: page.source)]
    verdicts = [verdict for source in sources for verdict in validate_columns(source, kinds=kinds)]
    return np.concatenate([each.scores for each in verdicts]), np.concatenate([each.drops for each in verdicts])


def _rank(pages: Sequence[Injected], score: Callable[[Selection], Floats]) -> tuple[Floats, None]:
    """Score each page by a method of the paper, which needs labels to drop anything."""
    return np.concatenate([score(page.selection) for page in pages]), None


def _row(title: str, found: dict[str, Found]) -> list[str]:
    rates = [f"{found[half].at_rate:.3f}" if half in found else "-" for half in (TUNE, CHECK, ALL)]
    every = found[ALL]
    dropped = [f"{every.precision:.3f}", f"{every.recall:.3f}", f"{every.false_alarms:.2%}"]
    return [title, *rates, *(dropped if every.has_drops else "-" * len(dropped))]
