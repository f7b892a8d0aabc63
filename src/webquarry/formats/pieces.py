"""The pieces of a page: runs of text in one format, line by line."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from webquarry.formats.elements import IN_TABLE, Elements
from webquarry.formats.trees import BREAK, RULE, ColumnsTree, Leaf, MarkupTree, Tree
from webquarry.html.parsing import OUR_START
from webquarry.model import Document

LONGEST_LABEL = 60
"""Characters of a label that shares its text with its value, as in `Phone: 555`."""
_LABEL = re.compile(rf"(?=[^:]*[^\W\d_])[^\W_][^:.;!?\n]{{0,{LONGEST_LABEL}}}:(?=\s)")
_WHOLE = ("h1", "h2", "h3", "h4", "h5", "h6", "caption", "legend", "summary")  # a heading is not parted at its colon
_SETTING_IN = " \xa0\u3000"
_EMPHASISED = re.compile(r"\b(?:b|strong|i|em|u|th|dt|a)\b")
_BREAKING = (BREAK, RULE)
_WORD = re.compile(r"[^\W_]")
_ODD_SPACE = re.compile(r"[\t\r\n\f]|  ")
_SPACE = re.compile(r"[ \t\r\n\f]+")
COLON = " :"
"""Ends the signature of a piece that ends with a colon."""
CAPITALS = " AA"
"""Ends the signature of a line of capitals that nothing else tells from running text."""
FEWEST_CAPITALS = 4
RUN_IN = " :…"
"""Ends the signature of a label whose value stands in the same text."""


@dataclass(slots=True)
class Piece:
    """A run of text in one format.  Spaces are folded."""

    node: Any
    """The text that it begins in."""
    element: Any
    """The element that holds that."""
    text: str
    line: int
    """The number of its line; those of one line follow each other."""
    signature: str
    indent: int = 0
    """Spaces before it, where they are kept: in preformatted text, or as no-break spaces."""
    gap: str = " "
    """What parts it from the piece before it in its line."""
    rules: int = 0
    """How many lines are drawn above it."""
    cell: Any = None
    """The cell of a data table that it stands in."""


def open_tree(document: Document) -> Tree[Any]:
    """What is quickest to read the document's formats from."""
    if document.tree is None and document.method == "html5" and not document.markup.startswith(OUR_START):
        return MarkupTree(document.markup)
    return ColumnsTree(document)


def read_pieces(
    tree: Tree[Any],
    classes: Collection[str] | None = None,
    hidden: Collection[str] = (),
    content: Sequence[str] = (),
) -> list[Piece]:
    """The pieces of a tree that its markup does not hide, of the elements that `content` leads to if there are any."""
    elements = Elements(tree, classes, hidden)
    return gather_pieces(elements, tree.leaves(elements.follow(content)))


def gather_pieces(elements: Elements, leaves: Sequence[Leaf]) -> list[Piece]:
    """The pieces that leaves are or are parts of, those aside that are hidden."""
    lines = _Lines()
    for node, text, parent, is_spaced in leaves:
        if text in _BREAKING:
            lines.end(is_rule=text == RULE)
            continue
        block, signature, is_hidden, is_preformatted, _, _, cell = elements(parent)
        if is_spaced:
            lines.gap = " "
        if is_hidden:
            continue
        if block != lines.block:
            lines.block = block
            lines.end()
        lines.cell = None if cell is IN_TABLE else cell
        if is_preformatted:
            _add_lines(lines, node, parent, text, signature)
        else:
            lines.add(node, parent, text, signature)
    _mark_capitals(lines.pieces)
    return lines.pieces


def _mark_capitals(pieces: Sequence[Piece]) -> None:
    before = -1
    for place, piece in enumerate(pieces):
        line = piece.line
        if line != before and piece.text.isupper() and (place + 1 == len(pieces) or pieces[place + 1].line != line):
            is_plain = not piece.signature.startswith(_WHOLE) and _EMPHASISED.search(piece.signature) is None
            if is_plain and sum(map(str.isalpha, piece.text)) >= FEWEST_CAPITALS and piece.text[-1] != ":":
                piece.signature += CAPITALS
        before = line


def _add_lines(lines: _Lines, node: Any, parent: Any, text: str, signature: str) -> None:
    """Preformatted text, each of its lines a line of its own."""
    for number, line in enumerate(text.split("\n")):
        if number:
            lines.end()
        if line and not line.isspace():
            lines.add(node, parent, line.expandtabs(), signature, is_kept=True)


class _Lines:
    """The lines of a page, as far as they are read."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.block: Any = None
        self.cell: Any = None
        self.gap = ""
        """What parts the next piece from the last one in its line."""
        self._line = 0
        self._is_new = True  # whether the next piece begins a line
        self._indent = 0
        self._rules = 0

    def end(self, *, is_rule: bool = False) -> None:
        """The next piece begins a new line."""
        self._is_new = True
        self._indent = 0
        self._rules += is_rule

    def add(self, node: Any, element: Any, text: str, signature: str, *, is_kept: bool = False) -> None:
        """A text of the present line, or the first of a new one; `is_kept` when its spaces are."""
        folded = _SPACE.sub(" ", text) if _ODD_SPACE.search(text) else text
        stripped = folded.strip(_SETTING_IN)
        if not stripped:
            self.gap = " "
            self._indent += _count_no_break(folded)
            return
        gap = self.gap if stripped[0] == folded[0] else " "
        self.gap = "" if stripped[-1] == folded[-1] else " "
        if self._is_new:
            indent = self._indent + (len(text) - len(text.lstrip(" ")) if is_kept else _count_no_break(folded))
            self._start(node, element, stripped, signature, indent)
            return
        last = self.pieces[-1]
        if last.signature == signature or not _WORD.search(stripped):
            last.text += gap + stripped
            if stripped[-1] == ":":
                last.signature = _with_colon(last.signature)
            return
        if stripped[0] == ":":  # the colon of the label before it
            last.text += ":"
            last.signature = _with_colon(last.signature)
            stripped = stripped[1:].lstrip()
        self._append(Piece(node, element, stripped, self._line, signature, 0, gap))

    def _start(self, node: Any, element: Any, text: str, signature: str, indent: int) -> None:
        self._line += 1
        self._is_new = False
        label = None
        if self.cell is None and ":" in text and not signature.startswith(_WHOLE):
            label = _LABEL.match(text)
        if label is None:
            self._append(Piece(node, element, text, self._line, signature, indent))
            return
        self._append(Piece(node, element, label.group(), self._line, signature, indent), RUN_IN)
        self._append(Piece(node, element, text[label.end() :].lstrip(), self._line, signature))

    def _append(self, piece: Piece, mark: str = "") -> None:
        piece.signature += mark or (COLON if piece.text[-1] == ":" else "")
        piece.rules, piece.cell = self._rules, self.cell
        self.pieces.append(piece)


def _count_no_break(text: str) -> int:
    """How many spaces a text begins with, from its first no-break space to the last: others are folded."""
    return len(text[: len(text) - len(text.lstrip(_SETTING_IN))].strip(" "))


def without_colon(signature: str) -> str:
    """The signature without the mark that a colon gives it.

    >>> without_colon("p > b :"), without_colon("p :…")
    ('p > b', 'p')
    """
    return signature.removesuffix(RUN_IN).removesuffix(COLON)


def _with_colon(signature: str) -> str:
    return signature if signature.endswith((COLON, RUN_IN)) else signature + COLON
