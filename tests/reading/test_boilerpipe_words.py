"""Words as Boilerpipe counts them, and lines of 80 characters."""

from __future__ import annotations

import numpy as np
import pytest

from webquarry.reading.boilerpipe import fill_lines, find_words


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("one two", [3, 3]),
        ("don't well-known a/b x@example.org 3.14 $5", [5, 10, 3, 13, 4, 2]),
        ("(in brackets)", [3, 9]),
        ("black—white", [5, 5]),
        ("over 40%", [4, 2]),
        ("—.b", [3]),  # nothing parts marks from each other, and a full stop does not part words
        (".—b", [1]),
        ("• — …", []),
        ("____ __", []),
        ("snake_case _a_", [10, 3]),
        ("日本語 Ελληνικά", [3, 8]),
        ("a\xa0b\u2003c\td", [1, 1, 1, 1]),
        ("\ud800", []),
        ("", []),
    ],
)
def test_words_are_parted_by_spaces_and_unusual_marks(text, lengths):
    assert find_words([text]).lengths.tolist() == lengths


def test_each_word_knows_its_text(blocks):
    assert find_words(["", "a b", "—", "c"]).places.tolist() == [1, 1, 3]


def wrap_word_by_word(lengths: list[int]) -> tuple[int, int]:
    lines, filled, last = 0, -1, 0
    for length in lengths:
        filled, last = filled + length + 1, last + 1
        if filled > 80:
            lines, filled, last = lines + 1, length, 1
    return (len(lengths) - last, lines) if lines else (len(lengths), 1)


@pytest.mark.parametrize(
    "lengths",
    [[], [80], [81], [39, 40], [40, 40], [79, 1], [5] * 100, [200], [3, 200, 3], [200, 200], [1] * 41, list(range(60))],
)
def test_lines_are_filled_word_by_word(lengths):
    before, after = [7] * 30, [90]
    numbers = np.array([*before, *lengths, *after], dtype=np.int64)
    start, stop = len(before), len(before) + len(lengths)
    lines = fill_lines(numbers, np.array([start]), np.array([stop]))
    assert (int(lines.words[0]), int(lines.counts[0])) == wrap_word_by_word(lengths)
