from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from webquarry.validating import outliers as knn
from webquarry.validating.outliers import count_neighbours, knn_scores
from webquarry.validating.style_vectors import find_distinct

VALUES = st.sampled_from([0.0, 1.0, 0.25, 16.0, 255.0, -40.0, 9999.0])
TABLES = arrays.arrays(np.float64, st.tuples(st.integers(1, 14), st.integers(1, 5)), elements=VALUES)
NEIGHBOURS = st.integers(1, 16) | st.floats(0.01, 0.99)
PYOD_CASES = [(distinct, k) for k in (1, 10, 200) for distinct in (60, 900)]
PYOD_SCORES = Path(__file__).with_name("pyod-scores.json")


def score(table: np.ndarray, k: float) -> np.ndarray:
    found = find_distinct(table)
    return knn_scores(table[found.first], found.counts, k=k)[found.places]


def score_slowly(table: np.ndarray, k: int) -> np.ndarray:
    distances = np.sqrt(((table[:, None] - table[None]) ** 2).sum(axis=2))
    return np.array([np.sort(np.delete(row, place))[:k].mean() for place, row in enumerate(distances)])


def make_styles(seed: int, count: int, distinct: int) -> np.ndarray:
    """Make rows like vectors of styles: mostly zeros, colours, lengths and marks, a few of them very common."""
    numbers = np.random.RandomState(seed)  # gives the same numbers with every version of NumPy
    table = np.where(numbers.random((distinct, 40)) < 0.3, numbers.randint(0, 256, (distinct, 40)), 0).astype(float)
    table[:, 20:] = table[:, 20:] > 128
    return table[(numbers.pareto(1, count) * distinct / 20).astype(int) % distinct]


@given(TABLES, NEIGHBOURS)
def test_gives_the_mean_distance_to_the_nearest_others(table, k):
    neighbours = count_neighbours(k, len(table))
    expected = score_slowly(table, neighbours) if neighbours else np.zeros(len(table))
    assert score(table, k) == pytest.approx(expected, abs=1e-9)


@given(TABLES, NEIGHBOURS)
def test_gives_the_distance_to_the_kth_nearest_other(table, k):
    neighbours, found = count_neighbours(k, len(table)), find_distinct(table)
    distances = np.sqrt(((table[:, None] - table[None]) ** 2).sum(axis=2))
    kth = [np.sort(np.delete(row, place))[neighbours - 1] if neighbours else 0 for place, row in enumerate(distances)]
    assert knn_scores(table[found.first], found.counts, k=k, kth=True)[found.places] == pytest.approx(kth, abs=1e-9)


@given(TABLES, NEIGHBOURS)
def test_rows_with_a_multiplicity_score_as_repeated_rows(table, k):
    apart = knn_scores(table, np.ones(len(table), dtype=np.int64), k=k)
    assert score(table, k) == pytest.approx(apart, abs=1e-9)


@given(TABLES, NEIGHBOURS, st.randoms())
def test_scores_do_not_depend_on_the_order(table, k, random):
    order = list(range(len(table)))
    random.shuffle(order)
    assert score(table[order], k) == pytest.approx(score(table, k)[order], abs=1e-9)


@given(TABLES, NEIGHBOURS, VALUES)
def test_a_column_of_one_value_changes_nothing(table, k, value):
    wider = np.column_stack([np.full(len(table), value), table])
    assert np.array_equal(score(wider, k), score(table, k))


def test_many_rows_are_gone_over_chunk_by_chunk(monkeypatch):
    table = make_styles(1, 300, 120)
    expected = score(table, 20)
    monkeypatch.setattr(knn, "_MAX_DISTANCES", 500)
    assert score(table, 20) == pytest.approx(expected, abs=1e-9)


def test_more_twins_than_neighbours_give_exactly_0():
    table = np.repeat([[0.1, 33554400.0], [0.3, 7.7]], [4, 1], axis=0)
    assert score(table, 3)[:4].tolist() == [0, 0, 0, 0]


def test_close_rows_far_from_all_others_keep_their_distance():
    table = np.array([[0.0, 0.0], [1.0, 0.0], [33554400.0, 0.25], [33554400.0, 0.5], [33554400.0, 0.25]])
    assert score(table, 1) == pytest.approx([1, 1, 0, 0.25, 0], abs=1e-9)


@pytest.mark.parametrize(("k", "total", "expected"), [(5, 100, 5), (200, 100, 99), (0.2, 100, 20), (0.001, 100, 1)])
def test_k_is_a_number_or_a_share_of_the_points(k, total, expected):
    assert count_neighbours(k, total) == expected


def test_alone_or_without_any_point_there_is_nothing_to_be_far_from():
    assert knn_scores(np.ones((1, 3)), np.array([1]), k=5).tolist() == [0]
    assert knn_scores(np.ones((0, 3)), np.array([], dtype=np.int64), k=5).tolist() == []


def make_pyod_table(distinct: int, k: int) -> np.ndarray:
    return make_styles(k, 900, distinct)


@pytest.mark.parametrize(("distinct", "k"), PYOD_CASES)
def test_equals_pyod(distinct, k):
    expected = json.loads(PYOD_SCORES.read_text("utf-8"))[f"KNN: {distinct} distinct, k {k}"]
    assert score(make_pyod_table(distinct, k), k) == pytest.approx(expected, abs=1e-4)
