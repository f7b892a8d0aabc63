"""Deletion in descending score, and the paper's tables and figures."""

import numpy as np
import pytest
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.model.report import Selection
from webquarry.validating.deletion_curves import RECALLS, Row, best_stop, compare, follow, rank, tabulate, weigh

PRECISION = 0.8442
# As printed, except that the paper has 08980 for 0.8980: precision, R and F1 by recall, nodes and bytes deleted.  All
# recalls fall to the same share of what was assumed, but for 0.8126 of 100-NN, where precision and bytes give 0.8125.
TABLE_1 = [
    Row("10-NN", 0.8575, (0.6449, 0.7441, 0.8433, 0.9425), (0.7361, 0.7968, 0.8503, 0.8980), 0.0478, 0.0232),
    Row("50-NN", 0.8786, (0.6407, 0.7392, 0.8378, 0.9364), (0.7410, 0.8029, 0.8577, 0.9066), 0.1079, 0.0529),
    Row("100-NN", 0.9389, (0.6213, 0.7169, 0.8126, 0.9081), (0.7478, 0.8130, 0.8712, 0.9233), 0.3492, 0.1405),
    Row("200-NN", 0.9883, (0.6129, 0.7072, 0.8015, 0.8958), (0.7566, 0.8245, 0.8852, 0.9398), 0.4818, 0.1946),
    Row("500-NN", 0.9963, (0.6129, 0.7072, 0.8015, 0.8958), (0.7589, 0.8272, 0.8883, 0.9434), 0.5262, 0.2010),
    Row("HBOS", 0.9450, (0.6345, 0.7321, 0.8297, 0.9273), (0.7592, 0.8250, 0.8836, 0.9361), 0.3040, 0.1280),
]
# In %: precision, R and F1 by recall.  Of 500-NN all R must be equal, and the paper has two values.
TABLE_2 = {
    "10-NN": (1.57, (-0.79, -0.79, -0.79, -0.79), (0.22, 0.31, 0.38, 0.45)),
    "50-NN": (4.07, (-1.43, -1.43, -1.43, -1.43), (0.89, 1.08, 1.25, 1.41)),
    "100-NN": (11.22, (-4.41, -4.41, -4.41, -4.41), (1.81, 2.36, 2.84, 3.27)),
    "200-NN": (17.07, (-5.71, -5.71, -5.71, -5.71), (3.01, 3.79, 4.49, 5.12)),
    "500-NN": (18.00, (-5.70, -5.70, -5.71, -5.71), (3.33, 4.14, 4.86, 5.52)),
    "HBOS": (11.94, (-2.39, -2.39, -2.39, -2.39), (3.37, 3.87, 4.31, 4.71)),
}
# Table 2 was made from figures that the paper does not print: from the printed ones F1 of 10-NN and precision and F1 of
# 500-NN are off by up to 0.017 %.  These round to the printed ones (precision and bytes deleted) and give all of it.
UNROUNDED_PRECISION = 0.84424
UNROUNDED = {
    "10-NN": (0.85750, 0.02324),
    "50-NN": (0.87861, 0.05290),
    "100-NN": (0.93892, 0.14046),
    "200-NN": (0.98834, 0.19456),
    "500-NN": (0.99626, 0.20096),
    "HBOS": (0.94502, 0.12797),
}
BEFORE_F1 = (0.7345, 0.7943, 0.8471, 0.8940)


def rows_of(before: float, after: float, deleted_bytes: float, deleted_nodes: float) -> tuple[Row, Row]:
    """The rows of a deletion of 10,000 nodes that changes precision so when these shares of bytes and nodes are gone.

    Before and after are asked for, not whether more or less deletion would be better.
    """
    true_left = after * (1 - deleted_bytes)
    true_gone = before - true_left
    content = np.zeros(10_000, dtype=np.bool_)
    content[[0, -1]] = True
    weights = np.zeros(10_000)
    weights[[0, 1]] = true_gone, deleted_bytes - true_gone
    weights[[-1, -2]] = true_left, 1 - deleted_bytes - true_left
    order = np.arange(10_000)
    by_bytes, by_nodes = follow(order, content, weights), follow(order, content, np.ones(10_000))
    curves = [by_bytes.assume(recall) for recall in RECALLS]
    stop = round(deleted_nodes * 10_000)
    return tabulate("after", curves, by_nodes, stop), tabulate("before", curves, by_nodes, 0)


@pytest.mark.parametrize("paper", TABLE_1)
def test_gives_table_1_of_the_paper(paper: Row) -> None:
    row, before = rows_of(PRECISION, paper.precision, paper.deleted_bytes, paper.deleted_nodes)
    assert before.recalls == pytest.approx(RECALLS)
    assert before.f1s == pytest.approx(BEFORE_F1, abs=1e-4)
    assert row.precision == pytest.approx(paper.precision)
    assert row.recalls == pytest.approx(paper.recalls, abs=1e-4)
    assert row.f1s == pytest.approx(paper.f1s, abs=1e-4)
    assert (row.deleted_nodes, row.deleted_bytes) == pytest.approx((paper.deleted_nodes, paper.deleted_bytes))


@pytest.mark.parametrize("name", TABLE_2)
def test_gives_table_2_of_the_paper(name: str) -> None:
    precision, recalls, f1s = TABLE_2[name]
    increase = compare(*rows_of(UNROUNDED_PRECISION, *UNROUNDED[name], 0.5))
    assert increase.precision == pytest.approx(precision / 100, abs=1e-4)
    assert increase.recalls == pytest.approx([each / 100 for each in recalls], abs=1e-4)
    assert increase.f1s == pytest.approx([each / 100 for each in f1s], abs=1e-4)


def test_the_figures_behind_table_2_round_to_those_of_table_1() -> None:
    assert round(UNROUNDED_PRECISION, 4) == PRECISION
    for row in TABLE_1:
        precision, deleted = UNROUNDED[row.name]
        assert (round(precision, 4), round(deleted, 4)) == (row.precision, row.deleted_bytes)


def texts_of(markup: str, *nodes: int) -> Selection:
    document = Document(markup)
    return Selection(document, np.array(nodes, dtype=np.int32), tuple(document.texts[node] for node in nodes))


def test_deletes_in_descending_score_and_equals_in_document_order() -> None:
    first, second = texts_of("<p>a<p>b<p>c", 9, 5), texts_of("<p>d<p>e", 5, 7)
    order = rank([first, second], np.array([2.0, 2.0, 7.0, 2.0]))
    assert order.tolist() == [2, 1, 0, 3]


def test_nothing_to_delete_is_a_curve_of_one_point() -> None:
    curve = follow(rank([], np.zeros(0)), np.zeros(0, dtype=np.bool_), weigh([]))
    assert (curve.best, curve.f1.tolist(), curve.deleted.tolist()) == (0, [0.0], [1.0])


def test_weighs_texts_by_their_bytes_with_white_space_folded() -> None:
    assert weigh([" né\n\n  de ", "\ud800", " "]).tolist() == [6, 1, 0]


CONTENT = np.array([False, True, False, True])
WEIGHTS = np.array([10.0, 20.0, 30.0, 40.0])


def test_precision_recall_and_f1_along_the_whole_way() -> None:
    curve = follow(np.array([2, 0, 1, 3]), CONTENT, WEIGHTS, total=80.0)
    assert curve.precision == pytest.approx([0.6, 60 / 70, 1, 1, 0])
    assert curve.recall == pytest.approx([0.75, 0.75, 0.75, 0.5, 0])
    assert curve.f1 == pytest.approx([120 / 180, 120 / 150, 120 / 140, 80 / 120, 0])
    assert curve.deleted == pytest.approx([0, 0.3, 0.4, 0.6, 1])
    assert curve.best == 2


def test_without_a_total_all_content_counts_as_extracted() -> None:
    assert follow(np.arange(4), CONTENT, WEIGHTS).recall[0] == 1


def test_an_assumed_recall_is_that_before_any_deletion() -> None:
    curve = follow(np.array([1, 0, 2, 3]), CONTENT, WEIGHTS).assume(0.65)
    assert curve.recall[:2] == pytest.approx([0.65, 0.65 * 40 / 60])


def test_a_higher_assumed_recall_deletes_no_less_and_one_stop_lies_between() -> None:
    generator = np.random.default_rng(4)
    content = generator.random(400) < np.linspace(0.2, 1, 400)  # the odder, the more often wrong
    curve = follow(np.arange(400), content, generator.random(400))
    curves = [curve.assume(recall) for recall in RECALLS]
    stops = [each.best for each in curves]
    assert stops == sorted(stops)
    assert stops[0] < stops[-1]
    assert stops[0] <= best_stop(curves) <= stops[-1]


def brute_force(order: NDArray[np.intp], stop: int) -> tuple[float, float]:
    left = order[stop:]
    true = WEIGHTS[left][CONTENT[left]].sum()
    return true / WEIGHTS[left].sum(), true / WEIGHTS[CONTENT].sum()


def test_sums_are_those_of_the_nodes_that_are_left() -> None:
    order = np.array([3, 0, 2, 1])
    curve = follow(order, CONTENT, WEIGHTS)
    for stop in range(4):
        assert (curve.precision[stop], curve.recall[stop]) == pytest.approx(brute_force(order, stop))
