"""Tell the header rows of a table from its records, and name the columns.

Records are all rows except empty ones, those that one cell covers (titles, sections, sources), and header rows, also
where these are repeated further down.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.mining.table_cells import Entry, Grid, Row
from webquarry.model.document import Document
from webquarry.model.names import distinct

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
