"""The kinds of nodes."""

from __future__ import annotations

from enum import IntEnum


class Kind(IntEnum):
    """What a node is, in the numbers of the DOM standard."""

    ELEMENT = 1
    TEXT = 3
    INSTRUCTION = 7
    COMMENT = 8
    DOCUMENT = 9
    DOCTYPE = 10
