"""The pieces of a page: runs of text in one format, line by line."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from webquarry.formats.elements import Elements
from webquarry.formats.trees import BLANK, BREAK, RULE, ColumnsTree, MarkupTree, Tree
from webquarry.model import Document

LONGEST_LABEL = 60
"""Characters of a label that shares its text with its value, as in `Phone: 555`."""
_LABEL = re.compile(rf"[^\W\d_][^:.;!?\n]{{0,{LONGEST_LABEL}}}:(?=\s)")
_WHOLE = ("h1", "h2", "h3", "h4", "h5", "h6", "caption", "legend", "summary")  # a heading is not parted at its colon
_SETTING_IN = " \xa0\u3000"
_SPACE = re.compile(r"[ \t\r\n\f]+")
COLON = " :"
"""Ends the signature of a piece that ends with a colon."""
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


def find_pieces(document: Document) -> list[Piece]:
    """All pieces of a document, seen or not when rendered; nodes are numbers."""
    return read_pieces(ColumnsTree(document))


def open_tree(document: Document) -> Tree[Any]:
    """What is quickest to read the document's formats from."""
    if document.tree is None and document.method == "html5":
        return MarkupTree(document.markup)
    return ColumnsTree(document)


def read_pieces(
    tree: Tree[Any],
    classes: Collection[str] | None = None,
    hidden: Collection[str] = (),
    content: Sequence[str] = (),
) -> list[Piece]:
    """The pieces of a tree that its markup does not hide, of the element that `content` leads to where there is one."""
    elements = Elements(tree, classes, hidden, content)
    around, within = _Builder(), _Builder()
    for node, text, parent in tree.leaves():
        if text is BLANK:
            around.add_gap()
            within.add_gap()
            continue
        element = elements(parent)
        builder = within if element.matched < 0 else around
        if text is BREAK:
            builder.break_line()
        elif text is RULE:
            builder.rule()
        elif not element.is_hidden:
            builder.begin(element.block, element.cell)
            if element.is_preformatted:
                builder.add_lines(node, parent, text, element.signature)
            else:
                builder.add(node, parent, text, element.signature)
    return within.pieces or around.pieces


class _Builder:
    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._line = 0
        self._block: Any = None
        self._is_new = True  # whether the next piece begins a line
        self._indent = 0
        self._gap = ""
        self._rules = 0
        self._cell: Any = None

    def begin(self, block: Any, cell: Any) -> None:
        self._cell = cell
        if block is not self._block and block != self._block:
            self._block = block
            self.break_line()

    def add_gap(self) -> None:
        self._gap = " "

    def rule(self) -> None:
        self._rules += 1
        self.break_line()

    def break_line(self) -> None:
        self._is_new = True
        self._indent = 0

    def add_lines(self, node: Any, element: Any, text: str, signature: str) -> None:
        """Preformatted text, each of its lines a line of its own."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.break_line()
            if line and not line.isspace():
                self.add(node, element, line.expandtabs(), signature)

    def add(self, node: Any, element: Any, text: str, signature: str) -> None:
        folded = _SPACE.sub(" ", text)
        stripped = folded.strip(_SETTING_IN)
        if not stripped:
            self._gap = " "
            self._indent += len(folded)
            return
        gap = self._gap if folded[0] not in " \xa0" else " "
        self._gap = " " if folded[-1] in " \xa0" else ""
        if self._is_new:
            indent = self._indent + len(text) - len(text.lstrip(_SETTING_IN))
            self._start_line(node, element, stripped, signature, indent)
            return
        last = self.pieces[-1]
        if not any(map(str.isalnum, stripped)) or last.signature == signature:
            last.text += gap + stripped
            if last.text.endswith(":"):
                last.signature = _with_colon(last.signature)
            return
        if stripped[0] == ":":  # the colon of the label before it
            last.text += ":"
            last.signature = _with_colon(last.signature)
            stripped = stripped[1:].lstrip()
        self._append(Piece(node, element, stripped, self._line, signature, gap=gap))

    def _start_line(self, node: Any, element: Any, text: str, signature: str, indent: int) -> None:
        self._line += 1
        self._is_new = False
        is_whole = signature.startswith(_WHOLE) or self._cell is not None
        label = None if is_whole else _LABEL.match(text)
        if label is None:
            self._append(Piece(node, element, text, self._line, signature, indent))
            return
        rest = text[label.end() :].lstrip()
        self.pieces.append(
            Piece(node, element, label.group(), self._line, signature + RUN_IN, indent, rules=self._rules)
        )
        self._append(Piece(node, element, rest, self._line, signature))

    def _append(self, piece: Piece) -> None:
        if piece.text.endswith(":"):
            piece.signature += COLON
        piece.rules, piece.cell = self._rules, self._cell
        self.pieces.append(piece)


def _with_colon(signature: str) -> str:
    return signature if signature.endswith((COLON, RUN_IN)) else signature + COLON
