"""Word messages: counts, and page text made safe for files and terminals."""

from __future__ import annotations

import re

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
# Marks that change the direction of the rest of the line; right-to-left text needs none
_DIRECTION_MARKS = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")


def count(number: int, thing: str) -> str:
    """Count things, in the singular for one.

    >>> count(1, "node"), count(1204, "node")
    ('1 node', '1,204 nodes')
    """
    return f"{number:,} {thing}{'s' * (number != 1)}"


def whole(text: str) -> str:
    """Join or replace halves of surrogate pairs, which scripts can make and no file can hold."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def printable(text: str) -> str:
    """Put a text on one line that is safe for a terminal.

    >>> printable("one\\n two\\x1b[2J")
    'one two\ufffd[2J'
    """
    return printable_line(" ".join(text.split()))


def printable_line(line: str) -> str:
    """Replace control characters, which could move the cursor or hide earlier output; keep spaces."""
    return _CONTROLS.sub("\ufffd", _DIRECTION_MARKS.sub("", whole(line)))
