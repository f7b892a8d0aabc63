"""Blocks are fused and dropped, and know what they were made of."""

from __future__ import annotations

import numpy as np

from webquarry.reading.boilerpipe import Label


def test_a_fused_block_has_the_sums_the_least_level_and_all_labels(blocks):
    fused = blocks(
        [10, 5, 7],
        linked=[1, 2, 3],
        levels=[4, 3, 6],
        labels=[Label.TITLE, Label.ITEM, 0],
        content=[0, 1, 0],
        texts=["a", "b", "c"],
    ).fuse(np.array([False, True, False]))
    assert fused.words.tolist() == [15, 7]
    assert fused.linked.tolist() == [3, 3]
    assert fused.levels.tolist() == [3, 6]
    assert fused.labels.tolist() == [Label.TITLE | Label.ITEM, 0]
    assert fused.content.tolist() == [True, False]
    assert (fused.starts.tolist(), fused.stops.tolist()) == ([0, 2], [1, 2])
    assert list(fused.read_texts()) == ["a b", "c"]
    assert fused.chosen.tolist() == [True, True, False]


def test_dropped_blocks_are_not_chosen_and_the_others_stay_where_they_were(blocks):
    kept = blocks([1, 2, 3], content=[1, 0, 1], texts=["a", "b", "c"]).keep(np.array([False, False, True]))
    assert (kept.words.tolist(), kept.starts.tolist()) == ([3], [2])
    assert list(kept.read_texts()) == ["c"]
    assert kept.chosen.tolist() == [False, False, True]


def test_densities_are_words_in_links_and_words_a_line(blocks):
    made = blocks([10, 0], linked=[4, 0], lines=[2, 1])
    assert made.link_densities.tolist() == [0.4, 0]
    assert made.text_densities.tolist() == [5, 0]


def test_steps_leave_the_blocks_that_they_are_given_as_they_are(blocks):
    given = blocks([10, 5], content=[1, 0])
    given.mark(Label.TITLE, np.array([True, True]))
    given.decide(np.array([False, False]))
    assert (given.labels.tolist(), given.content.tolist()) == ([0, 0], [True, False])
