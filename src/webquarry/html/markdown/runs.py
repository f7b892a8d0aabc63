"""The texts of a paragraph with their marks, as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

BREAK = "<br>"


class Mark(NamedTuple):
    """An element that says something of the texts in it; marks are nested in the order of `rank`."""

    rank: int
    node: int
    tag: str
    address: str = ""

    @property
    def start(self) -> str:
        """Its start tag."""
        return f'<{self.tag} href="{escape(self.address)}">' if self.address else f"<{self.tag}>"


MARKS = {
    "a": "a",
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("i", "em"), "em"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
}
"""What Markdown has a mark for, by the names of elements."""
RANKS = {tag: rank for rank, tag in enumerate(dict.fromkeys(MARKS.values()))}


class Piece(NamedTuple):
    """A text, an image or a line break as HTML, with the marks that it stands in, the outermost first."""

    marks: tuple[Mark, ...]
    html: str

    @property
    def is_blank(self) -> bool:
        """Whether nothing of it is seen."""
        return not self.html or self.html.isspace()


def trimmed(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces of one paragraph: without breaks before and behind, and with one where several follow each other."""
    kept: list[Piece] = []
    gap: list[Piece] = []
    for piece in pieces:
        if _is_gap(piece):
            gap.append(piece)
            continue
        if kept:
            kept += next(([each] for each in gap if each.html == BREAK), gap)
        kept.append(piece)
        gap = []
    return kept


def paragraphs(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """The pieces of each paragraph: two breaks with nothing between them leave a line empty, and so part them."""
    start = breaks = 0
    for place, piece in enumerate(pieces):
        if piece.html == BREAK:
            breaks += 1
        elif not piece.is_blank:
            if breaks > 1 and (paragraph := trimmed(pieces[start:place])):
                yield paragraph
                start = place
            breaks = 0
    if paragraph := trimmed(pieces[start:]):
        yield paragraph


def to_html(pieces: Sequence[Piece]) -> str:
    """The pieces with their marks, each opened once for all that stand in it side by side.

    >>> strong = Mark(1, 7, "strong")
    >>> to_html([Piece((), "a "), Piece((strong,), "b"), Piece((strong, Mark(2, 9, "em")), "c")])
    'a <strong>b<em>c</em></strong>'
    """
    parts: list[str] = []
    opened: tuple[Mark, ...] = ()
    for marks, group in groupby(pieces, key=lambda piece: piece.marks):
        shared = _shared(opened, marks)
        parts += [f"</{mark.tag}>" for mark in reversed(opened[shared:])]
        parts += [mark.start for mark in marks[shared:]]
        parts += [piece.html for piece in group]
        opened = marks
    return "".join([*parts, *(f"</{mark.tag}>" for mark in reversed(opened))])


def _shared(first: tuple[Mark, ...], second: tuple[Mark, ...]) -> int:
    """How many marks two texts share, from the outermost inwards."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(first), len(second)))


def _is_gap(piece: Piece) -> bool:
    return piece.html == BREAK or piece.is_blank
