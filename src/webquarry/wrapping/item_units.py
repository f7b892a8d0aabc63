"""The units of text, pictures and links that a template of detail pages is made of."""

from __future__ import annotations

from dataclasses import dataclass, field

TEXT, LIST, PAIRS, IMAGE, LINK = "text", "list", "pairs", "image", "link"
Group = dict[int, int]
"""An element by page."""
Groups = dict[int, list[int]]
"""Elements by page."""


_SIGNS_THAT_COUNT = frozenset("$€£¥₹★☆")


def says_something(text: str) -> bool:
    """Tell whether a text is more than punctuation: a level of prices, `€€`, or of stars is a value too."""
    return any(map(str.isalnum, text)) or not _SIGNS_THAT_COUNT.isdisjoint(text)


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
