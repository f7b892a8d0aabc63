"""The units of text, pictures and links that a template of detail pages is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from webquarry.values.column_values import read_value
from webquarry.values.locale import Locale

TEXT, LIST, PAIRS, IMAGE, LINK = "text", "list", "pairs", "image", "link"
Group = dict[int, int]
"""An element by page."""
Groups = dict[int, list[int]]
"""Elements by page."""


_SIGNS_THAT_COUNT = frozenset("$€£¥₹★☆")


def says_something(text: str) -> bool:
    """Tell whether a text is more than punctuation: a level of prices, `€€`, or of stars is a value too."""
    return any(map(str.isalnum, text)) or not _SIGNS_THAT_COUNT.isdisjoint(text)


def differ_in_type(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether each place of the rows of several pages has texts of a type of its own; the last may be empty.

    >>> differ_in_type([["3 May 2026", "40 min", "+44 20 55"], ["9 June 2026", "5 min"]]), differ_in_type([["a", "b"]])
    (True, False)
    """
    types = [list(map(_type_of, row)) for row in rows]
    longest = max(types, key=len)
    return len(set(longest)) == len(longest) and all(row == longest[: len(row)] for row in types)


def _type_of(text: str) -> tuple[str, str]:
    read = read_value(text, Locale())
    if read is not None:
        return read[0], read[1].unit or ""
    return "address" if "@" in text else "text" if any(map(str.isalpha, text)) else "code", ""


@dataclass(eq=False)
class Unit:
    """A part of the template with text, or with the address of a picture or link."""

    kind: str
    nodes: Groups
    values: dict[int, list[str]]
    label: str = ""
    """The label that is in the elements, or before them."""
    leaf: bool = False
    """Whether the values are texts directly in the elements."""
    is_last: bool = False
    """Whether the labels of pairs are behind their values."""
    places: dict[int, int] = field(default_factory=dict)
    """For a leaf, which of the texts directly in its element it is, by page."""
    name: str = ""
    """The name, if it is known already."""
    attribute: str = ""
    """The attributes with the address of a picture or link."""

    @property
    def texts(self) -> list[str]:
        """The value of each page that has one; a list as one text."""
        return [", ".join(values) for values in self.values.values() if values]
