"""Plain values as JSON on one line, whatever a reader takes for the end of a line."""

from __future__ import annotations

import json
from typing import Any

from webquarry.model.tabling import whole

_ENDS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}
"""Marks that JSON allows in a text, and that Unicode, and with it many a program, takes for the end of a line."""


def to_json(plain: Any) -> str:
    """The value as JSON, without an end of a line in it.

    >>> to_json({"text": "one\\u2028two"})
    '{"text": "one\\\\u2028two"}'
    """
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    return text if text.isascii() else whole(text).translate(_ENDS)
