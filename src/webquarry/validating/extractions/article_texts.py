"""The text of an article without some of the pieces that it was made of."""

from __future__ import annotations

import re
from collections.abc import Sequence

_GAPS = ("\n", "\t", " ")
"""What parts pieces, the strongest first."""


def without_pieces(text: str, pieces: Sequence[str], dropped: Sequence[bool]) -> str:
    """The text without the pieces that are dropped; pieces are all that the text is made of, in order.

    White space may have been folded in pieces.  Pieces that are not in the text are passed over.

    >>> without_pieces("One two\\nShare\\nThree", ["One", "two", "Share", "Three"], [False, False, True, False])
    'One two\\nThree'
    """
    parts: list[str] = []
    gap, place = "", 0
    for piece, is_dropped in zip(pieces, dropped, strict=True):
        found = _find(text, piece, place)
        if found is None:
            continue
        gap = _stronger(gap, text[place : found[0]])
        if not is_dropped:
            parts += [gap if parts else "", text[found[0] : found[1]]]
            gap = ""
        place = found[1]
    return "".join(parts)


def _find(text: str, piece: str, place: int) -> tuple[int, int] | None:
    words = piece.split()
    if not words:
        return None
    start = text.find(piece, place)
    if start >= 0:
        return start, start + len(piece)
    match = re.compile(r"\s+".join(map(re.escape, words))).search(text, place)
    return match.span() if match else None


def _stronger(one: str, other: str) -> str:
    """The gap that parts more."""
    return next((each for mark in _GAPS for each in (one, other) if mark in each), one or other)
