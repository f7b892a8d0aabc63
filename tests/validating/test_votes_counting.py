"""Sums by class over many pages."""

import numpy as np

from webquarry.validating import votes as counting
from webquarry.validating.votes import Counts


def keys_of(*numbers):
    return np.array(numbers, dtype=np.uint64)


def test_sums_of_pages_are_found_by_class():
    counts = Counts(2)
    counts.add(keys_of(3, 7), np.array([[1.0, 10.0], [1.0, 5.0]]))
    counts.add(keys_of(7), np.array([[1.0, 2.0]]))
    assert counts.find(keys_of(7, 3)).tolist() == [[2.0, 7.0], [1.0, 10.0]]


def test_unknown_classes_have_zeros():
    counts = Counts(1)
    assert counts.find(keys_of(5)).tolist() == [[0.0]]
    counts.add(keys_of(3), np.array([[1.0]]))
    assert counts.find(keys_of(2, 3, 9)).tolist() == [[0.0], [1.0], [0.0]]


def test_pages_can_be_added_after_sums_were_asked_for():
    counts = Counts(1)
    counts.add(keys_of(3), np.array([[1.0]]))
    counts.find(keys_of(3))
    counts.add(keys_of(3, 4), np.array([[1.0], [1.0]]))
    assert counts.find(keys_of(3, 4)).tolist() == [[2.0], [1.0]]


def test_memory_does_not_grow_with_classes_that_one_page_has_alone(monkeypatch):
    monkeypatch.setattr(counting, "_MAX_WAITING", 100)
    counts = Counts(1)
    for page in range(2_000):
        counts.add(keys_of(1, 1_000 + page), np.array([[1.0], [1.0]]))
    assert counts.find(keys_of(1)).tolist() == [[2_000.0]]
    assert len(counts) < 500
