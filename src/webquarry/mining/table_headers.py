"""Which rows of a table name its columns, which are records, and the names.

Records are all rows but those that say nothing, those that one cell takes whole (titles, sections, sources), and
those that name the columns, also when they are repeated further down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.mining.table_cells import (
    Entry,
    Grid,
    Row,
    are_mostly_broken,
    has_digit,
    is_number_like,
    is_year,
    stands_out,
)
from webquarry.model.document import Document

_LONGEST_NAME = 60  # characters: what is longer tells something rather than naming it
_LOOKED_AT = 30  # rows that tell what a column is like
_TELLING_WIDTH = 3  # columns: in a table of two without headers the first row is mostly one more pair


@dataclass(frozen=True, slots=True)
class Reading:
    """The rows and columns of a table by what they are."""

    header: tuple[int, ...]
    records: tuple[int, ...]
    titles: tuple[int, ...]
    """Rows that one cell takes whole."""
    columns: tuple[int, ...]
    """The columns that say something of their own."""
    is_marked: bool
    """Whether the markup says which rows name the columns."""


def read_rows(document: Document, grid: Grid) -> Reading:
    """Tell header rows from records."""
    spoken = [row for row in range(len(grid.rows)) if not grid.is_empty(row)]
    titles = tuple(row for row in spoken if grid.is_title(row))
    rows = sorted(set(spoken) - set(titles))
    header = _marked_header(grid, rows)
    is_marked = bool(header)
    while len(header) < len(rows) - 1 and _is_unfinished(grid, header):
        if not _seems_header(document, grid, rows[len(header) :]):
            break
        header = rows[: len(header) + 1]
    said = {_texts(grid, row) for row in header}
    ends = {texts[-1] for texts in said}  # a look at one slot spares most rows the rest
    records = tuple(
        row
        for row in rows[len(header) :]
        if (last.text if (last := grid.rows[row][-1]) else "") not in ends or _texts(grid, row) not in said
    )
    return Reading(tuple(header), records, titles, _find_columns(grid, header, records), is_marked)


def _find_columns(grid: Grid, header: Sequence[int], records: Sequence[int]) -> tuple[int, ...]:
    """The columns that say something of their own.

    Left out are empty ones, and those where only such cells say something as belong to the column beside it as well:
    a stripe of colour before the names, where a line of totals begins further left.
    """
    heads = [grid.rows[row] for row in header]
    bodies = [grid.rows[row] for row in records]
    kept: list[int] = []
    for column in range(grid.width):
        spoken = [row for row in bodies if (each := row[column]) and each.text]
        beside = kept[-1:] + [column + 1] * (column + 1 < grid.width)
        if spoken and not any(
            all(row[column] is row[other] for row in spoken) and _is_one_name(heads, column, other) for other in beside
        ):
            kept.append(column)
    return tuple(kept)


def _is_one_name(heads: Sequence[Row], column: int, other: int) -> bool:
    return all(row[column] is row[other] or not (row[column] and row[column].text) for row in heads)  # type: ignore[union-attr]


def name_columns(grid: Grid, reading: Reading) -> list[str]:
    """A name for each column that says something: what the header rows say above it, each name once."""
    header, columns = reading.header, reading.columns
    firsts = [grid.rows[row][columns[0]] for row in reading.records]
    are_pairs = len(columns) == 2 and not header and len({each.text for each in firsts if each}) == len(firsts)
    unnamed = ["label", "value"] if are_pairs else [f"column_{place + 1}" for place in range(len(columns))]
    names = [_name(grid, header, column) or other for column, other in zip(columns, unnamed, strict=True)]
    taken = Counter[str]()
    unique: list[str] = []
    for name in names:
        taken[name] += 1
        candidate = name
        while taken[name] > 1 and ((candidate := f"{name}_{taken[name]}") in taken or candidate in names):
            taken[name] += 1
        unique.append(candidate)
    return unique


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
    """The rows at the top that the markup says to be headers."""
    header: list[int] = []
    reach = 0  # the row after the last one that a spanning header takes part in
    for row in rows:
        if not (_is_header(grid, row) or (row < reach and header)):
            break
        header.append(row)
        own = grid.own(row)
        if any(each.cell.width > 1 for each in own):
            reach = max([reach, *(each.cell.row + each.cell.height for each in own if each.is_header)])
    return header if len(header) < len(rows) else header[:1]


def _is_unfinished(grid: Grid, header: list[int]) -> bool:
    """Whether the names so far leave room for more: there are none, or one of the last row spans columns."""
    return not header or any(each.cell.width > 1 for each in grid.own(header[-1]))


def _is_header(grid: Grid, row: int) -> bool:
    if grid.table.groups[row] == "thead":
        return True
    own = grid.own(row)
    marked = [each for each in own if each.is_header and not each.heads_row]
    spoken = [each for each in own if each.text]
    if not spoken or not all(each in marked for each in spoken):
        return False
    return len(marked) >= min(2, len(own)) or marked[0] is not own[0]  # a lone one in front heads its row


def _seems_header(document: Document, grid: Grid, rows: list[int]) -> bool:
    """Whether the first row names the columns although the markup does not say so of all of it."""
    below = [grid.rows[row] for row in rows[1 : 1 + _LOOKED_AT]]
    first = [
        (column, each)
        for column, each in enumerate(grid.rows[rows[0]])
        if each and each.text and not (each.is_header and _are_headers(below, column))
    ]
    if not below or len(first) < 2 or any(len(each.text) > _LONGEST_NAME for _, each in first):
        return False
    over_numbers = [each.text for column, each in first if _share_of_numbers(below, column) > 0.5]
    if any(each.is_header for _, each in first) or not all(map(has_digit, over_numbers)):
        return True
    if stands_out(document, [each for _, each in first], below):
        return True
    if any(is_number_like(text) and not is_year(text) for text in over_numbers):
        return False
    if len({each.text for _, each in first}) < max(grid.width, _TELLING_WIDTH):
        return False
    return not _is_repeated(first, below) and not are_mostly_broken(below)


def _are_headers(rows: Sequence[Row], column: int) -> bool:
    """Whether most cells of a column are marked as headers."""
    marked = sum(bool(each and each.is_header) for each in (row[column] for row in rows))
    return marked * 2 > len(rows)


def _share_of_numbers(rows: Sequence[Row], column: int) -> float:
    texts = [each.text for row in rows if (each := row[column]) and each.text]
    return sum(map(is_number_like, texts)) / len(texts) if texts else 0.0


def _is_repeated(first: Sequence[tuple[int, Entry]], below: Sequence[Row]) -> bool:
    """Whether a text of the first row stands again below it, as names do not."""
    return any(other and other.text == each.text for row in below for column, each in first for other in [row[column]])
