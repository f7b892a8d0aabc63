"""What a reader sees in each cell of a table, read in one walk over the tables of a document.

Left out are footnote marks, and keys to sort by: what is not displayed, and what says by its class that style sheets
hide it.  A footnote mark is a raised text, or a link within the page, that stands in brackets or has no letter; a
raised link within the page always is one.  So the 2 of km² stays, and so does a bracketed link to elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from webquarry.html.columns import Kind
from webquarry.html.tables import Cell, Table
from webquarry.model.document import Document

_BREAKS = frozenset(
    "address article aside blockquote br center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 "
    "h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre section summary table ul".split()
)
_BLOCKS = frozenset(
    "article aside blockquote dl fieldset figure form h1 h2 h3 h4 h5 h6 hr iframe nav ol section ul".split()
)
_CONTROLS = frozenset("button input meter progress select textarea".split())
_IMAGES = frozenset("img picture svg".split())
_HIDING_CLASSES = re.compile(
    r"(?:^|\s)(?:sort[-_]?(?:key|value)|sr-only|visually-?hidden|screen-reader(?:-text|-only)?|element-invisible)(?:$|\s)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[.*\]|\(\w{1,3}\)")
_WITHOUT_LETTER = re.compile(r"[\W_]+")
_NUMBER_OR_LETTER = re.compile(r"\d{1,3}|[^\W\d_]|[ivx]{1,5}", re.IGNORECASE)
_LONGEST_MARK = 32  # nodes, and characters: what is longer is text


class Content:
    """What stands in one cell, not counting the tables in it."""

    __slots__ = ("blocks", "breaks", "controls", "links", "parts", "size", "tables")

    def __init__(self) -> None:
        self.parts: list[str] = []  # pieces of text as they come, "" where a table stands between them
        self.tables: list[int] = []  # those right within
        self.size = 0  # characters of text, without white space that stands alone
        self.links = 0  # characters of links
        self.blocks = 0  # elements that structure a page rather than a value: headings, lists, forms
        self.breaks = 0  # line breaks behind a text
        self.controls = 0

    def text(self, text_of: Callable[[int], str]) -> str:
        """The text in one line; `text_of` gives that of a table within."""
        if not self.tables:
            return " ".join("".join(self.parts).split())
        tables = iter(self.tables)
        return " ".join("".join(part or f" {text_of(next(tables))} " for part in self.parts).split())


def read_contents(document: Document, tables: Iterable[Table]) -> dict[int, Content]:
    """What stands in each cell, by the node of the cell."""
    contents = {cell.node: Content() for table in tables for row in table.cells for cell in row}
    walk = _Walk(document, contents)
    stop = 0
    for table in tables:
        if table.node >= stop:
            stop = int(document.ends[table.node])
            walk.read(table.node, stop)
    return contents


class _Walk:
    """Goes over nodes in document order and gives what it finds to the innermost cell.

    A handler takes a node and says where to go on.
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
        self._content = Content()  # for what stands between cells
        self._open: list[tuple[int, Content | None]] = []
        self._link_end = 0

    def read(self, start: int, stop: int) -> None:
        """Read the outermost table that goes from one node to before another."""
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
            **dict.fromkeys(["td", "th"], self._open_cell),
            **dict.fromkeys("abbr b i small span strong".split(), self._pass_over_hidden),
            "a": self._link,
            "sup": self._raise,
            "table": self._nest,
        }

    def _close(self, node: int) -> None:
        """Leave the cells, and the elements with lines of their own, that end before a node."""
        while self._open and node >= self._open[-1][0]:
            around = self._open.pop()[1]
            if around is None:
                self._content.parts.append(" ")
            else:
                self._content = around

    def _write(self, node: int) -> int:
        text, content = self._texts[node], self._content
        content.parts.append(text or " ")  # "" is the place of a table
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
        self._content.breaks += self._content.size > 0
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
        attributes = self._attributes[node]
        if attributes and "class" in attributes and _HIDING_CLASSES.search(attributes["class"]):
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
        """Whether a raised text, or a link within the page, is a footnote mark."""
        stop = self._ends[node]
        if stop - node > _LONGEST_MARK:
            return False
        inner = range(node, stop)
        text = "".join(self._texts[each] for each in inner if not self._skipped[each]).strip()
        if len(text) > _LONGEST_MARK or not text:
            return False
        if _BRACKETED.fullmatch(text) or _WITHOUT_LETTER.fullmatch(text):
            return True
        links = not raised or any(self._attributes[each].get("href", "").startswith("#") for each in inner)
        raised = raised or any(self._tags[each] == self._raised for each in inner)
        return links and raised and _NUMBER_OR_LETTER.fullmatch(text) is not None


def _skipped(document: Document) -> list[bool]:
    """For each node whether nothing of it is read.

    White space in shown elements is read although, where a line was broken at it, it has no box.
    """
    skipped = document.hidden | ~np.isin(document.kinds, (Kind.ELEMENT, Kind.TEXT))
    if document.layout is not None:
        boxless = np.flatnonzero(document.hidden & (document.kinds == Kind.TEXT) & ~document.hidden[document.parents])
        for node in boxless.tolist():
            skipped[node] = not document.texts[node].isspace()
    unread: list[bool] = skipped.tolist()
    return unread


# MERGED mining/tables/grid: A table as rows of slots, each with the cell that covers it: what is read off a
_SLOTS_PER_CELL = 50  # real tables have under 10; more is made to exhaust memory
_SLOTS_ANYWAY = 10_000


class Entry(NamedTuple):
    """A cell with what it says."""

    cell: Cell
    text: str
    is_header: bool
    """Whether it is marked as the header of other cells."""
    heads_row: bool
    """Whether it is marked as the header of its row, not of its column."""
    is_broken: bool
    """Whether it is set in several lines."""


Row = tuple[Entry | None, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a table.  Columns in which no cell begins are left out: browsers give them no width."""

    table: Table
    rows: tuple[Row, ...]
    """For each row of the table its slots; None where no cell is."""

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.rows[0]) if self.rows else 0

    def own(self, row: int) -> list[Entry]:
        """The entries that begin in a row."""
        return [each for each in _distinct(self.rows[row]) if each.cell.row == row]

    def is_empty(self, row: int) -> bool:
        """Whether a row says nothing."""
        return not any(each and each.text for each in self.rows[row])

    def is_title(self, row: int) -> bool:
        """Whether one cell takes more than half of a row of several columns, and nothing else in it says a word."""
        slots = self.rows[row]
        middle = slots[len(slots) // 2]
        if len(slots) < 2 or middle is None or middle.cell.width < 2 or not middle.text:
            return False
        spoken = [each for each in slots if each and each.text]
        return len(spoken) * 2 > len(slots) and all(each is middle for each in spoken)


def are_mostly_broken(rows: Sequence[Row]) -> bool:
    """Whether most of what rows say is set in several lines, as cards are and values are not."""
    spoken = [each.is_broken for row in rows for each in row if each and each.text]
    return sum(spoken) * 2 > len(spoken)


def lay_out(
    document: Document, table: Table, contents: dict[int, Content], text_of: Callable[[int], str]
) -> Grid | None:
    """The grid of a table, or None where spans make it far greater than its cells account for."""
    cells = [cell for row in table.cells for cell in row]
    columns = sorted({cell.column for cell in cells})
    if len(columns) * len(table.rows) > _SLOTS_PER_CELL * len(cells) + _SLOTS_ANYWAY:
        return None
    place = {column: number for number, column in enumerate(columns)}
    heading = _referred(document, cells)
    rows: list[list[Entry | None]] = [[None] * len(columns) for _ in table.rows]
    attributes = document.attributes
    for cell in cells:
        node = cell.node
        own = attributes[node]
        heads_row = "scope" in own and own["scope"].lower() in ("row", "rowgroup")
        content = contents[node]
        is_header = cell.is_header or node in heading
        entry = Entry(cell, content.text(text_of), is_header, heads_row, content.breaks > 0)
        first = place[cell.column]
        if cell.width == cell.height == 1:
            rows[cell.row][first] = entry
            continue
        stop = first + 1
        while stop < len(columns) and columns[stop] < cell.column + cell.width:
            stop += 1
        for row in rows[cell.row : cell.row + cell.height]:
            row[first:stop] = [entry] * (stop - first)
    return Grid(table, tuple(map(tuple, rows)))


def _distinct(row: Row) -> list[Entry]:
    return list({id(each): each for each in row if each is not None}.values())


def _referred(document: Document, cells: list[Cell]) -> set[int]:
    """The cells that others name in their `headers`."""
    attributed = [(cell.node, own) for cell in cells if (own := document.attributes[cell.node])]
    names = {name for _, own in attributed for name in own.get("headers", "").split()}
    return {node for node, own in attributed if own.get("id") in names}


# MERGED mining/tables/cell_looks: How cells look: by the layout of a rendered document, else as far as the m
_LOOKED_AT = 10  # rows: what stands out does so against the next ones
_BOLD = 600  # the least font weight that is shown bold where a font has only two
_TRANSPARENT = "rgba(0, 0, 0, 0)"

Look = tuple[bool, str]
"""Whether a cell is bold, and its background; nothing where it has none of its own."""
_PLAIN: Look = (False, "")


def stands_out(document: Document, first: Sequence[Entry], below: Sequence[Row]) -> bool:
    """Whether all of some entries are set in a way that hardly anything below them is."""
    looks = {_look(document, each) for each in first}
    if len(looks) != 1 or looks == {_PLAIN}:
        return False
    others = [_look(document, each) for row in below[:_LOOKED_AT] for each in row if each and each.text]
    return sum(look in looks for look in others) * 5 < len(others)


def _look(document: Document, entry: Entry) -> Look:
    node = entry.cell.node
    texts = document.texts
    inner = next((each for each in range(node + 1, int(document.ends[node])) if texts[each].strip()), node)
    holder = int(document.parents[inner]) if inner != node else node
    row = int(document.parents[node])
    if document.layout is None:
        return _is_bold(document, holder, node), _background(document, node) or _background(document, row)
    style = document.layout.style
    weight = style(holder, "font-weight")
    grounds = (style(each, "background-color") for each in (node, row))
    return weight.isdigit() and int(weight) >= _BOLD, next((each for each in grounds if each != _TRANSPARENT), "")


def _is_bold(document: Document, holder: int, cell: int) -> bool:
    """Whether the markup makes bold what an element within a cell holds."""
    row = int(document.parents[cell])
    if any("bold" in document.attributes[each].get("style", "") for each in (cell, row)):
        return True
    while holder > cell:
        if document.tag(holder) in ("b", "strong"):
            return True
        holder = int(document.parents[holder])
    return False


def _background(document: Document, node: int) -> str:
    attributes = document.attributes[node]
    if "bgcolor" in attributes:
        return attributes["bgcolor"]
    declared = (part.partition(":") for part in attributes.get("style", "").lower().split(";"))
    return next((value.strip() for name, _, value in declared if name.strip().startswith("background")), "")


# MERGED mining/tables/texts: What kind of text a text is, at a glance.
_DIGITS = re.compile(r"\d")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:\s*[-/\u2013]\s*\d{2,4})?")
_LETTERS = re.compile(r"[^\W\d_]")


def is_number_like(text: str) -> bool:
    """Whether a text is mostly digits, and begins with no letter: a number, an amount, a date in figures.

    >>> [is_number_like(text) for text in ("1,234", "$12", "12 km", "2-1", "Apollo 11", "EN57", "")]
    [True, True, True, True, False, False, False]
    """
    digits = len(_DIGITS.findall(text))
    return digits > 0 and digits >= len(_LETTERS.findall(text)) and _LETTERS.match(text) is None


def has_digit(text: str) -> bool:
    """Whether there is a digit in a text."""
    return _DIGITS.search(text) is not None


def is_year(text: str) -> bool:
    """Whether a text is a year, or a span of years.

    >>> [is_year(text) for text in ("1998", "2009-10", "3000", "12")]
    [True, True, False, False]
    """
    return _YEAR.fullmatch(text) is not None
