from __future__ import annotations

from hypothesis import given, strategies as st

from webquarry.mining.mdr import edit_distance, is_within

WORDS = st.text("abc", max_size=12)


def by_the_book(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for place, mine in enumerate(one, start=1):
        last, row = row, [place]
        for column, theirs in enumerate(other):
            row.append(min(last[column] + (mine != theirs), last[column + 1] + 1, row[column] + 1))
    return row[-1]


@given(WORDS, WORDS)
def test_the_distance_is_that_of_the_whole_table(one, other):
    assert edit_distance(one, other) == by_the_book(one, other)


@given(WORDS, WORDS, st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0, 2.0]))
def test_the_cheap_answers_are_right(one, other, share):
    assert is_within(one, other, share) == (by_the_book(one, other) <= share * (len(one) + len(other)) / 2)


def test_long_strings_are_compared_in_bounded_time():
    assert edit_distance("ab" * 5_000, "ba" * 5_000) == 2
