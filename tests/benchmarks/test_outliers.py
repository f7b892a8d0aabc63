from __future__ import annotations

import numpy as np
import pytest
from benchmarks.outliers.speed import DIFFERENT, FLOORED, HBOS, KNN, Comparison, _report, take_nodes
from benchmarks.results import check_figures

from webquarry.model.document import Document


def test_repeats_pages_until_there_are_enough_nodes():
    document = Document("<p>One")
    pages = [(document, np.arange(3, dtype=np.int32)), (document, np.arange(5, dtype=np.int32))]
    assert [len(nodes) for _, nodes in take_nodes(pages, 10)] == [3, 5, 2]
    assert [len(nodes) for _, nodes in take_nodes(pages, 8)] == [3, 5]


def test_nodes_are_visible_texts():
    document = Document("<title>Hidden</title><p>One</p> <p hidden>Two</p><b>Three</b>")
    assert [document.texts[node] for node in document.seen_texts] == ["One", "Three"]


@pytest.mark.parametrize("share", [1, 10])
def test_figures_of_whole_runs_have_floors(share):
    compared = [Comparison(name, FLOORED[name] // share, 9, 1.0, 500.0, 0.0) for name in (KNN, HBOS)]
    finding = _report([*compared, Comparison(DIFFERENT, 10, 10, 1.0, 1.0, 0.0)], pages=3)
    checks = [check for check in check_figures(finding.figures) if check.figure is not None]
    assert all(check.holds for check in checks)
    assert len(checks) == (4 if share == 1 else 2)
