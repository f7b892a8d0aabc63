from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from webquarry.validating import style_vectors as distinct
from webquarry.validating.style_vectors import find_distinct

SMALL = st.sampled_from([0.0, 1.0, 2.0, 255.0, -3.5, 1e7])
SHAPES = st.tuples(st.integers(0, 12), st.integers(1, 4))
TABLES = arrays.arrays(np.float64, SHAPES, elements=SMALL) | arrays.arrays(
    np.int32, SHAPES, elements=st.integers(-1, 3)
)


@given(TABLES)
def test_gives_each_row_its_twin_and_counts_them(table):
    found = find_distinct(table)
    assert np.array_equal(table[found.first][found.places], table)
    assert found.counts.tolist() == [found.places.tolist().count(place) for place in range(len(found.first))]
    assert len({tuple(row) for row in table.tolist()}) == len(found.first)
    assert found.first.tolist() == sorted(found.first.tolist())


def test_rows_are_told_apart_when_their_hashes_are_not(monkeypatch):
    monkeypatch.setattr(distinct, "_hash", lambda bits: np.zeros(len(bits), dtype=np.uint64))
    found = find_distinct(np.array([[2, 1], [1, 1], [2, 1]], dtype=np.int32))
    assert (found.first.tolist(), found.places.tolist(), found.counts.tolist()) == ([0, 1], [0, 1, 0], [2, 1])


def test_goes_over_many_rows_block_by_block(monkeypatch):
    monkeypatch.setattr(distinct, "_ROWS_HASHED", 3)
    found = find_distinct(np.arange(10, dtype=np.float64)[:, None] % 4)
    assert found.places.tolist() == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]


def test_hashes_of_round_numbers_differ():
    colours = np.array(np.meshgrid(*[np.arange(0, 256, 8.0)] * 3)).reshape(3, -1).T
    assert len(np.unique(distinct._hash(np.ascontiguousarray(colours).view(np.uint64)))) == len(colours)
