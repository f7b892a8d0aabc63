"""Lengths that XML readers refuse."""

from __future__ import annotations

import pytest

from webquarry.html.xhtml import MAX_BYTES, MAX_CHARACTERS, cut_value, is_long, pieces


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False),
        ("a" * MAX_BYTES, False),
        ("a" * (MAX_BYTES + 1), True),
        ("é" * (MAX_BYTES // 2), False),
        ("é" * (MAX_BYTES // 2 + 1), True),
    ],
    ids=["nothing", "letters", "one more", "two bytes each", "one more of them"],
)
def test_length_is_that_in_utf_8(text, expected):
    assert is_long(text) is expected


def test_pieces_are_short_and_lose_nothing():
    text = "abc" * MAX_CHARACTERS
    parts = list(pieces(text))
    assert "".join(parts) == text
    assert not any(map(is_long, parts))
    assert list(pieces("")) == [""]


def test_only_values_that_are_too_long_are_cut():
    value = "a" * 4_000_000
    assert cut_value(value) is value
    assert len(cut_value("&" * 4_000_000)) * len("&amp;") <= MAX_BYTES
    assert len(cut_value('"' * (MAX_BYTES + 1))) * len("&quot;") <= MAX_BYTES
