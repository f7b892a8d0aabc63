"""Excel workbooks, read back by another library."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime

import openpyxl
import pytest

from webquarry.errors import InputError
from webquarry.model.table_columns import Column
from webquarry.storing import formats
from webquarry.storing.formats import to_xlsx


def read_back(*columns: Column) -> list[list[object]]:
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(columns)))
    return [[cell.value for cell in row] for row in book.active.iter_rows(max_row=len(columns[0].values) + 1)]


def test_types_are_kept():
    rows = read_back(
        Column("title", "text", ["Kettle", None]),
        Column("price", "number", [12.5, None]),
        Column("day", "date", [date(2026, 5, 3), None]),
        Column("new", "boolean", [True, None]),
        Column("seen", "timestamp", [datetime(2026, 5, 3, 14, tzinfo=UTC), None]),
    )
    assert rows[0] == ["title", "price", "day", "new", "seen"]
    assert rows[1] == ["Kettle", 12.5, datetime(2026, 5, 3), True, datetime(2026, 5, 3, 14)]
    assert rows[2] == [None] * 5


@pytest.mark.parametrize("text", ["=1+1", "{=SUM(A1)}", "https://example.org/", "mailto:a@b", "007", "", "a\nb", "'x"])
def test_a_text_is_a_text(text):
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx([Column("text", "text", [text])])))
    cell = book.active["A2"]
    assert (cell.value or "", cell.hyperlink) == (text, None)
    assert cell.data_type != "f"


def test_what_excel_cannot_hold_as_a_number_or_day_is_a_text():
    rows = read_back(
        Column("number", "integer", [2**53 + 1, float("nan"), float("inf")]),
        Column("day", "date", [date(1850, 1, 1), date(1900, 2, 28), date(1900, 3, 1)]),
    )
    assert [row[0] for row in rows[1:]] == ["9007199254740993", "nan", "inf"]
    assert [row[1] for row in rows[1:]] == ["1850-01-01", "1900-02-28", datetime(1900, 3, 1)]


def test_equal_tables_are_equal_files():
    columns = [Column("title", "text", ["Kettle"])]
    assert to_xlsx(columns) == to_xlsx(columns)


def test_what_does_not_fit_is_refused_and_not_cut_off(monkeypatch):
    with pytest.raises(InputError, match=r"column text of record 2 has 32,768; write \.parquet or \.csv instead"):
        to_xlsx([Column("text", "text", ["short", "x" * 32_768])])
    monkeypatch.setattr(formats, "MAX_ROWS", 3)
    with pytest.raises(InputError, match="a worksheet holds 2 records, and there are 3"):
        to_xlsx([Column("text", "text", ["a", "b", "c"])])
    monkeypatch.setattr(formats, "MAX_COLUMNS", 1)
    with pytest.raises(InputError, match="a worksheet holds 1 columns, and there are 2"):
        to_xlsx([Column("a", "text", []), Column("b", "text", [])])
