"""Reproduce the paper's Tables 1 and 2: Boilerpipe on whole sites, with assumed recalls."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.findings import Finding
from benchmarks.outliers.deletion import BOILERPIPE, POOLED, extract, truth_of
from benchmarks.outliers.methods import Extracted
from benchmarks.outliers.sites import SITES
from webquarry.errors import BrowserError
from webquarry.validating.deletion import RECALLS, Row, best_stop, compare, follow, rank, tabulate

BEFORE = Row("Boilerpipe", 0.8442, (), (0.7345, 0.7943, 0.8471, 0.8940), 0, 0)
PAPER = (
    Row("10-NN", 0.8575, (), (0.7361, 0.7968, 0.8503, 0.8980), 0.0478, 0.0232),
    Row("50-NN", 0.8786, (), (0.7410, 0.8029, 0.8577, 0.9066), 0.1079, 0.0529),
    Row("100-NN", 0.9389, (), (0.7478, 0.8130, 0.8712, 0.9233), 0.3492, 0.1405),
    Row("200-NN", 0.9883, (), (0.7566, 0.8245, 0.8852, 0.9398), 0.4818, 0.1946),
    Row("500-NN", 0.9963, (), (0.7589, 0.8272, 0.8883, 0.9434), 0.5262, 0.2010),
    Row("HBOS", 0.9450, (), (0.7592, 0.8250, 0.8836, 0.9361), 0.3040, 0.1280),
)
"""Table 1 of the paper, without the recalls, which follow from the rest."""


def run_outlier_claims(root: Path, count: int | None = None) -> Finding | None:
    """Measure the paper's methods on all pages together, like the paper, and by site; None if it cannot run."""
    if not all((root / "sites" / site).is_dir() for site in SITES):
        return None
    try:
        ours = {scope: extract(truth_of(root, scope, count), BOILERPIPE) for scope in (POOLED, *SITES)}
    except BrowserError:
        return None
    return Finding(
        title="Visual outliers, the paper's tables",
        note=(
            "Change against no deletion, at the stop with the highest mean F1 over assumed recalls of .65, .75, .85"
            " and .95: precision, F1 at the lowest and at the highest recall, and in brackets the share of nodes and"
            " bytes deleted."
        ),
        heads=(
            "",
            f"paper (P {BEFORE.precision})",
            *(f"{scope} (P {_precision(each):.4f})" for scope, each in ours.items()),
        ),
        rows=[
            [row.name, _show(compare(row, BEFORE)), *(_show(_measure(each, row.name)) for each in ours.values())]
            for row in PAPER
        ],
    )


def _precision(extracted: Extracted) -> float:
    truth, kept = extracted.truth, extracted.kept
    return float(truth.bytes[kept & truth.content].sum() / truth.bytes[kept].sum())


def _measure(extracted: Extracted, method: str) -> Row:
    """Compute a row of Table 2."""
    truth, kept = extracted.truth, extracted.kept
    order = rank(extracted.selections, extracted.score(method))
    content = truth.content[kept]
    by_bytes, by_nodes = (follow(order, content, weights) for weights in (truth.bytes[kept], np.ones(len(order))))
    curves = [by_bytes.assume(recall) for recall in RECALLS]
    before, after = (tabulate(method, curves, by_nodes, stop) for stop in (0, best_stop(curves)))
    return compare(after, before)


def _show(row: Row) -> str:
    changes = f"P {row.precision:+.2%}, F1 {row.f1s[0]:+.2%} to {row.f1s[-1]:+.2%}"
    return f"{changes} ({row.deleted_nodes:.1%}, {row.deleted_bytes:.1%})"
