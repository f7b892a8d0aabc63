from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from webquarry.validating.outliers import hbos_scores, pyod_hbos_scores
from webquarry.validating.style_vectors import find_distinct

VALUES = st.sampled_from([0.0, 1.0, 2.0, 16.0, 255.0, -40.0, 0.5])
TABLES = arrays.arrays(np.float64, st.tuples(st.integers(1, 20), st.integers(1, 4)), elements=VALUES)
BINS = st.none() | st.integers(1, 12)
DYNAMIC = st.booleans()
PYOD_CASES = [(10, 0.1), (3, 0.5)]
PYOD_SCORES = Path(__file__).with_name("pyod-scores.json")


def ones(table: np.ndarray) -> np.ndarray:
    return np.ones(len(table), dtype=np.int64)


def heights_of_equal_width(column: list[float], bins: int) -> list[float]:
    low, high = min(column), max(column)
    places = [min(int((value - low) / (high - low) * bins), bins - 1) if high > low else 0 for value in column]
    return [places.count(place) for place in places]


def heights_of_equal_counts(column: list[float], bins: int) -> list[float]:
    groups: list[list[float]] = [[]]
    for value in sorted(column):
        if len(groups[-1]) >= len(column) / bins and value != groups[-1][-1]:
            groups.append([])
        groups[-1].append(value)
    middles = [(one[-1] + other[0]) / 2 for one, other in pairwise(groups)]
    edges = [min(column), *middles, max(column)]
    heights = {
        value: len(group) / (end - start) if end > start else 1.0
        for group, (start, end) in zip(groups, pairwise(edges), strict=True)
        for value in group
    }
    return [heights[value] for value in column]


def score_slowly(table: np.ndarray, bins: int | None, heights) -> list[float]:
    scores = [0.0] * len(table)
    for column in table.T.tolist():
        found = heights(column, bins or max(1, round(math.sqrt(len(table)))))
        scores = [score + math.log(max(found) / height) for score, height in zip(scores, found, strict=True)]
    return scores


@given(TABLES, BINS)
def test_equal_width_adds_the_logarithms_of_inverse_heights(table, bins):
    expected = score_slowly(table, bins, heights_of_equal_width)
    assert hbos_scores(table, ones(table), bins=bins) == pytest.approx(expected, abs=1e-9)


@given(TABLES, BINS)
def test_dynamic_bins_hold_equally_many_and_are_higher_when_narrow(table, bins):
    expected = score_slowly(table, bins, heights_of_equal_counts)
    assert hbos_scores(table, ones(table), bins=bins, dynamic=True) == pytest.approx(expected, abs=1e-9)


@given(TABLES, BINS, DYNAMIC)
def test_rows_with_a_multiplicity_score_as_repeated_rows(table, bins, dynamic):
    found = find_distinct(table)
    merged = hbos_scores(table[found.first], found.counts, bins=bins, dynamic=dynamic)[found.places]
    assert merged == pytest.approx(hbos_scores(table, ones(table), bins=bins, dynamic=dynamic), abs=1e-9)


@given(TABLES, BINS, DYNAMIC, st.randoms())
def test_scores_do_not_depend_on_the_order(table, bins, dynamic, random):
    order = list(range(len(table)))
    random.shuffle(order)
    expected = hbos_scores(table, ones(table), bins=bins, dynamic=dynamic)[order]
    assert hbos_scores(table[order], ones(table), bins=bins, dynamic=dynamic) == pytest.approx(expected, abs=1e-9)


def test_each_value_of_a_category_is_a_bin():
    table = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]], dtype=float)
    scores = hbos_scores(table, np.array([8, 4, 2, 1]), categories=[slice(0, 3)])
    assert scores == pytest.approx([0, math.log(2), math.log(4), math.log(8)])


def test_categories_stand_beside_numbers():
    table = np.array([[16, 1, 0], [16, 0, 1], [32, 1, 0]], dtype=float)
    scores = hbos_scores(table, np.array([8, 1, 1]), categories=[slice(1, 3)], bins=2)
    assert scores == pytest.approx([0, math.log(9), math.log(9)])


def test_nothing_has_no_scores():
    nothing = np.empty((0, 3)), np.empty(0, dtype=np.int64)
    assert hbos_scores(*nothing, categories=[slice(0, 2)]).tolist() == []
    assert pyod_hbos_scores(*nothing).tolist() == []


@given(TABLES)
def test_variant_of_pyod_takes_multiplicities_too(table):
    found = find_distinct(table)
    merged = pyod_hbos_scores(table[found.first], found.counts)[found.places]
    assert merged == pytest.approx(pyod_hbos_scores(table, ones(table)), abs=1e-9)


def make_pyod_table(bins: int) -> np.ndarray:
    numbers = np.random.RandomState(bins)  # gives the same numbers with every version of NumPy
    table = numbers.choice([0.0, 1.0, 0.1, 12.8, 16.0, 255.0, 9999.0], (400, 12))
    table[:, 3] = 7.5
    return table


@pytest.mark.parametrize(("bins", "alpha"), PYOD_CASES)
def test_variant_of_pyod_equals_pyod(bins, alpha):
    table, expected = make_pyod_table(bins), json.loads(PYOD_SCORES.read_text("utf-8"))
    found = find_distinct(table)
    scores = pyod_hbos_scores(table[found.first], found.counts, bins=bins, alpha=alpha)[found.places]
    assert scores == pytest.approx(expected[f"HBOS: bins {bins}, alpha {alpha}"], abs=1e-6)
