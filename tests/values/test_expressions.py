"""Regular expressions that all releases of Python 3.11 match alike."""

from __future__ import annotations

import re
from pathlib import Path

import webquarry

POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+(?=[^,\s=])")
"""A group that is repeated without a way back, such as `(?:ab)*+`: 3.11.2 matches too much by it, or raises."""


def test_groups_are_repeated_in_atomic_groups():
    assert POSSESSIVE_GROUP.search(r"(?:[.,]\d++)*+$")
    for path in Path(webquarry.__file__).parent.rglob("*.py"):
        assert not POSSESSIVE_GROUP.search(path.read_text("utf-8")), path
