"""Read the cells of tables as a person sees them, in one walk over the tables of a document.

Footnote marks are left out, and sort keys: text that is not displayed, or hidden by a well-known class.
A footnote mark is a raised text, or a link within the page, that is in brackets or has no letter; a raised link within
the page always is one.  So the 2 of km² stays, and so does a bracketed link to another page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from webquarry.html.columns import HEADING_TAGS, Kind
from webquarry.html.tables import Cell, Table
from webquarry.html.visibility import BREAKING, CELLS, is_for_screen_readers
from webquarry.model.document import Document
from webquarry.page.data_tables import lay_out_slots

_BREAKS = BREAKING - {"tbody", "tfoot", "thead", "tr"}
_BLOCKS = HEADING_TAGS | frozenset(
    "article aside blockquote dl fieldset figure form hr iframe nav ol section ul".split()
)
_CONTROLS = frozenset("button input meter progress select textarea".split())
_IMAGES = frozenset("img picture svg".split())
_SORT_KEYS = re.compile(r"(?:^|\s)sort[-_]?(?:key|value)(?:$|\s)", re.IGNORECASE)
_BRACKETED = re.compile(r"\[.*\]|\(\w{1,3}\)")
_WITHOUT_LETTER = re.compile(r"[\W_]+")
_NUMBER_OR_LETTER = re.compile(r"\d{1,3}|[^\W\d_]|[ivx]{1,5}", re.IGNORECASE)
_MAX_MARK = 32  # nodes, and characters, of a footnote mark


class Content:
    """The content of one cell, without that of tables in it."""

    __slots__ = ("blocks", "controls", "links", "parts", "size", "tables")

    def __init__(self) -> None:
        self.parts: list[str] = []  # texts in order, "" in the place of a table
        self.tables: list[int] = []  # those directly in it
        self.size = 0  # characters of text, without white space of its own
        self.links = 0  # characters of links
        self.blocks = 0  # elements that structure a page rather than a value: headings, lists, forms
        self.controls = 0

    def text(self, text_of: Callable[[int], str]) -> str:
        """Return the text in one line; `text_of` gives that of a table in the cell."""
        if not self.tables:
            return " ".join("".join(self.parts).split())
        tables = iter(self.tables)
        return " ".join("".join(part or f" {text_of(next(tables))} " for part in self.parts).split())


def read_contents(document: Document, tables: Iterable[Table]) -> dict[int, Content]:
    """Read the content of each cell, by the node of the cell."""
    contents = {cell.node: Content() for table in tables for row in table.cells for cell in row}
    walk = _Walk(document, contents)
    stop = 0
    for table in tables:
        if table.node >= stop:
            stop = document.ends.item(table.node)
            walk.read(table.node, stop)
    return contents


class _Walk:
    """A walk over nodes in document order that adds what it finds to the innermost cell.

    A handler takes a node and returns the node to go on with.
    """

    def __init__(self, document: Document, contents: dict[int, Content]) -> None:
        self._contents = contents
        self._texts, self._attributes = document.texts, document.attributes
        self._ends: list[int] = document.ends.tolist()
        self._tags: list[int] = document.tags.tolist()
        self._skipped = _skipped(document)
        by_name = self._handlers()
        self._by_tag = [*map(by_name.get, document.tag_names), self._write]  # text has the tag -1
        self._raised = document.tag_names.index("sup") if "sup" in document.tag_names else None
        self._content = Content()  # for what is between cells
        self._open: list[tuple[int, Content | None]] = []
        self._link_end = 0

    def read(self, start: int, stop: int) -> None:
        """Read the outermost table that covers these nodes."""
        ends, skipped = self._ends, self._skipped
        handlers = list(map(self._by_tag.__getitem__, self._tags[start:stop]))
        self._open = [(stop, None)]
        node = start
        while node < stop:
            if skipped[node]:
                node = ends[node]
                continue
            if node >= self._open[-1][0]:
                self._close(node)
            handler = handlers[node - start]
            node = handler(node) if handler else node + 1
        self._close(stop)

    def _handlers(self) -> dict[str, Callable[[int], int]]:
        return {
            **dict.fromkeys(_BREAKS, self._break),
            **dict.fromkeys(_BLOCKS, self._break_off),
            **dict.fromkeys(_CONTROLS, self._count_control),
            **dict.fromkeys(_IMAGES, self._pass_over),
            **dict.fromkeys(CELLS, self._open_cell),
            **dict.fromkeys("abbr b i small span strong".split(), self._pass_over_hidden),
            "a": self._link,
            "sup": self._raise,
            "table": self._nest,
        }

    def _close(self, node: int) -> None:
        """Leave the cells and blocks that end before a node."""
        while self._open and node >= self._open[-1][0]:
            around = self._open.pop()[1]
            if around is None:
                self._content.parts.append(" ")
            else:
                self._content = around

    def _write(self, node: int) -> int:
        text, content = self._texts[node], self._content
        content.parts.append(text or " ")  # "" marks a table
        if not text.isspace():
            content.size += len(text)
            if node < self._link_end:
                content.links += len(text)
        return node + 1

    def _open_cell(self, node: int) -> int:
        if node in self._contents:
            self._open.append((self._ends[node], self._content))
            self._content = self._contents[node]
        return node + 1

    def _break(self, node: int) -> int:
        self._content.parts.append(" ")
        self._open.append((self._ends[node], None))
        return node + 1

    def _break_off(self, node: int) -> int:
        self._content.blocks += 1
        return self._break(node)

    def _nest(self, node: int) -> int:
        self._content.parts.append("")
        self._content.tables.append(node)
        return node + 1

    def _count_control(self, node: int) -> int:
        self._content.controls += 1
        return self._ends[node]

    def _pass_over(self, node: int) -> int:
        return self._ends[node]

    def _pass_over_hidden(self, node: int) -> int:
        classes = self._attributes[node].get("class")
        if classes and (is_for_screen_readers(classes) or _SORT_KEYS.search(classes)):
            return self._ends[node]
        return node + 1

    def _link(self, node: int) -> int:
        target = self._attributes[node].get("href")
        if target is None:
            return node + 1
        if target.startswith("#") and self._is_mark(node, raised=False):
            return self._ends[node]
        self._link_end = max(self._link_end, self._ends[node])
        return self._pass_over_hidden(node)

    def _raise(self, node: int) -> int:
        return self._ends[node] if self._is_mark(node, raised=True) else node + 1

    def _is_mark(self, node: int, *, raised: bool) -> bool:
        """Tell whether a raised text, or a link within the page, is a footnote mark."""
        stop = self._ends[node]
        if stop - node > _MAX_MARK:
            return False
        inner = range(node, stop)
        text = "".join(self._texts[each] for each in inner if not self._skipped[each]).strip()
        if len(text) > _MAX_MARK or not text:
            return False
        if _BRACKETED.fullmatch(text) or _WITHOUT_LETTER.fullmatch(text):
            return True
        links = not raised or any(self._attributes[each].get("href", "").startswith("#") for each in inner)
        raised = raised or any(self._tags[each] == self._raised for each in inner)
        return links and raised and _NUMBER_OR_LETTER.fullmatch(text) is not None


def _skipped(document: Document) -> list[bool]:
    """Tell for each node whether to skip it.

    White space in visible elements is read even without a box: it has none where a line was broken at it.
    """
    skipped = document.hidden | ~np.isin(document.kinds, (Kind.ELEMENT, Kind.TEXT))
    if document.layout is not None:
        boxless = np.flatnonzero(document.hidden & (document.kinds == Kind.TEXT) & ~document.hidden[document.parents])
        for node in boxless.tolist():
            skipped[node] = not document.texts[node].isspace()
    unread: list[bool] = skipped.tolist()
    return unread


class Entry(NamedTuple):
    """A cell with its text."""

    cell: Cell
    text: str
    is_header: bool  # the markup makes it the header of other cells
    heads_row: bool  # the markup makes it the header of its row, not of its column


Row = tuple[Entry | None, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a table, each with its slots; None where there is no cell."""

    table: Table
    rows: tuple[Row, ...]

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0

    def own(self, row: int) -> list[Entry]:
        """List the entries that begin in a row."""
        return list({id(each): each for each in self.rows[row] if each and each.cell.row == row}.values())

    def is_empty(self, row: int) -> bool:
        """Tell whether a row has no text."""
        return not any(each and each.text for each in self.rows[row])

    def is_title(self, row: int) -> bool:
        """Tell whether one cell covers more than half of a row, and no other cell of it has text."""
        slots = self.rows[row]
        middle = slots[len(slots) // 2]
        if len(slots) < 2 or middle is None or middle.cell.width < 2 or not middle.text:
            return False
        filled = [each for each in slots if each and each.text]
        return len(filled) * 2 > len(slots) and all(each is middle for each in filled)


def lay_out(
    document: Document, table: Table, contents: dict[int, Content], text_of: Callable[[int], str]
) -> Grid | None:
    """Read a table as a grid; None where spans make it far larger than its cells account for."""
    attributes = document.attributes
    cells = [cell for row in table.cells for cell in row]
    named = {name for cell in cells for name in attributes[cell.node].get("headers", "").split()}

    def read(cell: Cell) -> Entry:
        own, content = attributes[cell.node], contents[cell.node]
        is_header = cell.is_header or (bool(own) and own.get("id") in named)
        heads_row = "scope" in own and own["scope"].lower() in ("row", "rowgroup")
        return Entry(cell, content.text(text_of), is_header, heads_row)

    slots = lay_out_slots(table, read)
    return None if slots is None else Grid(table, tuple(map(tuple, slots)))
