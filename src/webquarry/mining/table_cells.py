"""Read the cells of tables as a person sees them, tell header rows from records, and name the columns.

Footnote marks are left out, and sort keys: text that is not displayed, or hidden by a well-known class.
A footnote mark is a raised text, or a link within the page, that is in brackets or has no letter; a raised link within
the page always is one.  So the 2 of km² stays, and so does a bracketed link to another page.

Records are all rows except empty ones, those that one cell covers (titles, sections, sources), and header rows, also
where these are repeated further down.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from webquarry.html.columns import HEADING_TAGS, Kind
from webquarry.html.tables import Cell, Table
from webquarry.html.visibility import BREAKING, CELLS, is_for_screen_readers
from webquarry.model.document import Document
from webquarry.model.names import distinct
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

# Header rows
_MAX_NAME_LENGTH = 60  # characters: a longer text is a statement rather than a name
_SAMPLE_ROWS = 30  # rows that show what a column is like
_MIN_UNMARKED_WIDTH = 3  # columns: in a table of two without marked headers the first row is mostly one more pair
_SAMPLE_LOOKS = 10  # rows that a header row must stand out from
_BOLD = 600  # the least font weight that is shown bold where a font has only two
_TRANSPARENT = "rgba(0, 0, 0, 0)"
_DIGITS = re.compile(r"\d")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:\s*[-/\u2013]\s*\d{2,4})?")
_LETTERS = re.compile(r"[^\W\d_]")

Look = tuple[bool, str]
"""Whether a cell is bold, and its background; empty if it has none of its own."""
_PLAIN: Look = (False, "")


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


@dataclass(frozen=True, slots=True)
class Reading:
    """The rows and columns of a table by what they are."""

    header: tuple[int, ...]
    records: tuple[int, ...]
    titles: tuple[int, ...]  # rows that one cell covers
    columns: tuple[int, ...]  # those with texts of their own
    is_marked: bool  # the markup marks the header rows


def read_rows(document: Document, grid: Grid) -> Reading:
    """Tell header rows from records."""
    filled = [row for row in range(len(grid.rows)) if not grid.is_empty(row)]
    titles = tuple(row for row in filled if grid.is_title(row))
    rows = sorted(set(filled) - set(titles))
    header = _marked_header(grid, rows)
    is_marked = bool(header)
    while len(header) < len(rows) - 1 and _is_unfinished(grid, header):
        if not _seems_header(document, grid, rows[len(header) :]):
            break
        header = rows[: len(header) + 1]
    names = {_texts(grid, row) for row in header}
    ends = {texts[-1] for texts in names}  # comparing one slot rules out most rows
    records = tuple(
        row
        for row in rows[len(header) :]
        if (last.text if (last := grid.rows[row][-1]) else "") not in ends or _texts(grid, row) not in names
    )
    return Reading(tuple(header), records, titles, _find_columns(grid, header, records), is_marked)


def _find_columns(grid: Grid, header: Sequence[int], records: Sequence[int]) -> tuple[int, ...]:
    """Find the columns with texts of their own.

    A column is left out if it is empty, or if every text in it is in a cell that also covers the column beside it:
    a coloured stripe before the names, covered by a row of totals that begins further left.
    """
    heads = [grid.rows[row] for row in header]
    bodies = [grid.rows[row] for row in records]
    kept: list[int] = []
    for column in range(grid.width):
        filled = [row for row in bodies if (each := row[column]) and each.text]
        beside = kept[-1:] + [column + 1] * (column + 1 < grid.width)
        if filled and not any(
            all(row[column] is row[other] for row in filled) and _is_one_name(heads, column, other) for other in beside
        ):
            kept.append(column)
    return tuple(kept)


def _is_one_name(heads: Sequence[Row], column: int, other: int) -> bool:
    return all(row[column] is row[other] or not (row[column] and row[column].text) for row in heads)  # type: ignore[union-attr]


def name_columns(grid: Grid, reading: Reading) -> list[str]:
    """Name each column by the header rows above it, each name once."""
    header, columns = reading.header, reading.columns
    firsts = [grid.rows[row][columns[0]] for row in reading.records]
    are_pairs = len(columns) == 2 and not header and len({each.text for each in firsts if each}) == len(firsts)
    unnamed = ["label", "value"] if are_pairs else [f"column_{place + 1}" for place in range(len(columns))]
    return distinct(_name(grid, header, column) or other for column, other in zip(columns, unnamed, strict=True))


def _name(grid: Grid, header: Sequence[int], column: int) -> str:
    levels: list[str] = []
    for row in header:
        entry = grid.rows[row][column]
        if entry and entry.text and entry.text not in levels:
            levels.append(entry.text)
    return " ".join(levels)


def _texts(grid: Grid, row: int) -> tuple[str, ...]:
    return tuple(each.text if each else "" for each in grid.rows[row])


def _marked_header(grid: Grid, rows: list[int]) -> list[int]:
    """Find the rows at the top that the markup makes headers."""
    header: list[int] = []
    reach = 0  # the row after the last one that a spanning header reaches
    for row in rows:
        if not (_is_header(grid, row) or (row < reach and header)):
            break
        header.append(row)
        own = grid.own(row)
        if any(each.cell.width > 1 for each in own):
            reach = max([reach, *(each.cell.row + each.cell.height for each in own if each.is_header)])
    return header if len(header) < len(rows) else header[:1]


def _is_unfinished(grid: Grid, header: list[int]) -> bool:
    """Tell whether more header rows may follow: there are none yet, or one of the last row spans columns."""
    return not header or any(each.cell.width > 1 for each in grid.own(header[-1]))


def _is_header(grid: Grid, row: int) -> bool:
    if grid.table.groups[row] == "thead":
        return True
    own = grid.own(row)
    marked = [each for each in own if each.is_header and not each.heads_row]
    filled = [each for each in own if each.text]
    if not filled or not all(each in marked for each in filled):
        return False
    return len(marked) >= min(2, len(own)) or marked[0] is not own[0]  # a lone one in front heads its row


def _seems_header(document: Document, grid: Grid, rows: list[int]) -> bool:
    """Tell whether the first row names the columns although the markup does not mark all of it."""
    below = [grid.rows[row] for row in rows[1 : 1 + _SAMPLE_ROWS]]
    first = [
        (column, each)
        for column, each in enumerate(grid.rows[rows[0]])
        if each and each.text and not (each.is_header and _are_headers(below, column))
    ]
    if not below or len(first) < 2 or any(len(each.text) > _MAX_NAME_LENGTH for _, each in first):
        return False
    over_numbers = [each.text for column, each in first if _share_of_numbers(below, column) > 0.5]
    if any(each.is_header for _, each in first) or not all(map(_DIGITS.search, over_numbers)):
        return True
    if _stands_out(document, [each for _, each in first], below):
        return True
    if any(is_number_like(text) and not _YEAR.fullmatch(text) for text in over_numbers):
        return False
    if len({each.text for _, each in first}) < max(grid.width, _MIN_UNMARKED_WIDTH):
        return False
    return not _is_repeated(first, below)


def _are_headers(rows: Sequence[Row], column: int) -> bool:
    """Tell whether most cells of a column are marked as headers."""
    marked = sum(bool(each and each.is_header) for each in (row[column] for row in rows))
    return marked * 2 > len(rows)


def _share_of_numbers(rows: Sequence[Row], column: int) -> float:
    texts = [each.text for row in rows if (each := row[column]) and each.text]
    return sum(map(is_number_like, texts)) / len(texts) if texts else 0.0


def _is_repeated(first: Sequence[tuple[int, Entry]], below: Sequence[Row]) -> bool:
    """Tell whether a text of the first row recurs below it, as names do not."""
    return any(other and other.text == each.text for row in below for column, each in first for other in [row[column]])


def _stands_out(document: Document, first: Sequence[Entry], below: Sequence[Row]) -> bool:
    """Tell whether all entries look alike, and hardly anything below them looks so."""
    looks = {_look(document, each) for each in first}
    if len(looks) != 1 or looks == {_PLAIN}:
        return False
    others = [_look(document, each) for row in below[:_SAMPLE_LOOKS] for each in row if each and each.text]
    return sum(look in looks for look in others) * 5 < len(others)


def _look(document: Document, entry: Entry) -> Look:
    node = entry.cell.node
    texts = document.texts
    inner = next((each for each in range(node + 1, document.ends.item(node)) if texts[each].strip()), node)
    holder = document.parents.item(inner) if inner != node else node
    row = document.parents.item(node)
    if document.layout is None:
        return _is_bold(document, holder, node), _background(document, node) or _background(document, row)
    style = document.layout.style
    weight = style(holder, "font-weight")
    grounds = (style(each, "background-color") for each in (node, row))
    return weight.isdigit() and int(weight) >= _BOLD, next((each for each in grounds if each != _TRANSPARENT), "")


def _is_bold(document: Document, holder: int, cell: int) -> bool:
    """Tell whether the markup makes the text of an element in a cell bold."""
    row = document.parents.item(cell)
    if any("bold" in document.attributes[each].get("style", "") for each in (cell, row)):
        return True
    while holder > cell:
        if document.tag(holder) in ("b", "strong"):
            return True
        holder = document.parents.item(holder)
    return False


def _background(document: Document, node: int) -> str:
    attributes = document.attributes[node]
    if "bgcolor" in attributes:
        return attributes["bgcolor"]
    declared = (part.partition(":") for part in attributes.get("style", "").lower().split(";"))
    return next((value.strip() for name, _, value in declared if name.strip().startswith("background")), "")


def is_number_like(text: str) -> bool:
    """Tell whether a text is mostly digits and does not begin with a letter: a number, an amount, a numeric date.

    >>> [is_number_like(text) for text in ("1,234", "$12", "12 km", "2-1", "Apollo 11", "EN57", "")]
    [True, True, True, True, False, False, False]
    """
    digits = len(_DIGITS.findall(text))
    return digits > 0 and digits >= len(_LETTERS.findall(text)) and _LETTERS.match(text) is None
