"""Write a table as an Excel workbook: numbers, dates and booleans as such, texts always as texts, never as formulas."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, date, datetime
from importlib import import_module
from math import isfinite
from typing import Any

from webquarry.errors import InputError
from webquarry.model.table_columns import Column
from webquarry.model.wording import count

INSTALL = "pip install 'webquarry[excel]'"
MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_CELL_CHARACTERS = 32_767
"""The limits of a worksheet, from Microsoft's page on specifications of Excel."""
FIRST_DAY = date(1900, 3, 1)
"""Earlier days are texts: Excel has none before 1900, and counts a 29 February of that year."""
_EXACT = 2**53  # larger integers are not all floats
_WIDTHS = (8, 60)  # characters
_ROWS_FOR_WIDTH = 200
_MADE = datetime(2000, 1, 1, tzinfo=UTC)  # not the time of writing, so that equal results are equal files


def to_xlsx(columns: Sequence[Column]) -> bytes:
    """Write columns as a workbook of one sheet, with a header row that stays in view."""
    rows = len(columns[0].values) if columns else 0
    _check_size(columns, rows)
    writer = _load_writer()
    file = io.BytesIO()
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
    with writer.Workbook(file, plain) as book:
        book.set_properties({"created": _MADE})
        bold = book.add_format({"bold": True})
        formats = {
            "date": book.add_format({"num_format": "yyyy-mm-dd"}),
            "timestamp": book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
        }
        sheet = book.add_worksheet("records")
        for index, column in enumerate(columns):
            sheet.write_string(0, index, column.name, bold)
            sheet.set_column(index, index, _width(column))
            _write_column(sheet, index, column, formats.get(column.kind))
        sheet.freeze_panes(1, 0)
        if rows:
            sheet.autofilter(0, 0, rows, len(columns) - 1)
    return file.getvalue()


def _load_writer() -> Any:
    try:
        return import_module("xlsxwriter")
    except ImportError as error:
        raise InputError(f"Excel workbooks need a package that is not installed; get it with: {INSTALL}") from error


def _check_size(columns: Sequence[Column], rows: int) -> None:
    advice = "write .parquet or .csv instead"
    if rows + 1 > MAX_ROWS:
        raise InputError(f"a worksheet holds {MAX_ROWS - 1:,} records, and there are {rows:,}; {advice}")
    if len(columns) > MAX_COLUMNS:
        raise InputError(f"a worksheet holds {MAX_COLUMNS:,} columns, and there are {len(columns):,}; {advice}")
    for column in columns:
        for row, value in enumerate(column.values, 1):
            if isinstance(value, str) and len(value.encode("utf-16-le")) > 2 * MAX_CELL_CHARACTERS:
                raise InputError(
                    f"a cell of a worksheet holds {count(MAX_CELL_CHARACTERS, 'character')}, and column {column.name} "
                    f"of record {row} has {len(value):,}; {advice}"
                )


def _write_column(sheet: Any, index: int, column: Column, shown: Any) -> None:
    for row, value in enumerate(column.values, 1):
        if value is None:
            continue
        if isinstance(value, bool):
            sheet.write_boolean(row, index, value)
        elif isinstance(value, date) and _day(value) >= FIRST_DAY:
            sheet.write_datetime(row, index, _without_zone(value), shown)
        elif _is_exact(value):
            sheet.write_number(row, index, value)
        else:
            sheet.write_string(row, index, str(value))


def _day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def _without_zone(value: date) -> date:
    """Return a time in UTC, as Excel has no zones."""
    return value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) and value.tzinfo else value


def _is_exact(value: object) -> bool:
    """Tell whether Excel, whose numbers are finite floats, can hold a value as a number."""
    return abs(value) <= _EXACT if isinstance(value, int) else isinstance(value, float) and isfinite(value)


def _width(column: Column) -> int:
    """Choose the width of a column by its first values."""
    shown = (len(str(value)) for value in column.values[:_ROWS_FOR_WIDTH] if value is not None)
    return min(max(len(column.name), _WIDTHS[0], *shown, 0), _WIDTHS[1])
