"""The rows of a table for a terminal."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from webquarry.model.plain_values import is_number, list_values, to_line
from webquarry.storing.text_tables import UNKNOWN_WIDTH, TextColumn, describe_cuts, lay_out, printable

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_SHOWN = 50
"""On a terminal: about a screen; nobody reads on from there, and what was printed before would be gone."""


def to_rows(table: pa.Table, *, width: int | None = None, most: int | None = None) -> str:
    """The rows, or the first so many, in lines of at most this width, by default that of the terminal; how many there
    are, and what is left out.
    """
    width = width or shutil.get_terminal_size((UNKNOWN_WIDTH, 24)).columns
    shown = table if most is None else table.slice(0, most)
    columns = [_column(*each) for each in zip(table.column_names, shown.columns, strict=True)]
    text, hidden, is_cut = lay_out(columns, width)
    is_short = shown.num_rows < table.num_rows
    count = f"{table.num_rows:,} row{'s' * (table.num_rows != 1)}{f', the first {most} shown' * is_short}"
    return f"{text}{describe_cuts(count, hidden, is_cut=is_cut, is_short=is_short)}\n"


def _column(name: str, column: pa.ChunkedArray) -> TextColumn:
    """Where room is short, a reader can best do without what is empty, and then without where it came from."""
    texts = [printable(to_line(value)) for value in list_values(column)]
    rank = (not any(texts), name.startswith("_"))
    return TextColumn(printable(name), texts, is_number=is_number(column.type), rank=rank)
