"""Whatever pages say, in whatever order: every text that is stored is found again in its record."""

from __future__ import annotations

import csv
import io
import itertools
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from webquarry.storing.formats import open_sink

NAMES = st.sampled_from(
    ["price", "Price", "price_text", "price text", "price_unit", "price_2", "_page", "_fetched", "é"]
)
TEXTS = st.sampled_from(["007", "1", "1.0", "true", "2026-01-01", "", " x ", "12,50 €", "a\nb", "\0"])
CELLS: dict[str, st.SearchStrategy[Any]] = {
    "text": TEXTS,
    "number": st.tuples(TEXTS, st.floats(allow_nan=False)),
    "money": st.tuples(TEXTS, st.floats(-1e6, 1e6), st.just("EUR")),
    "date": st.tuples(TEXTS, st.dates(date(1, 1, 1), date(9999, 12, 31))),
    "boolean": st.tuples(TEXTS, st.booleans()),
}
OURS = {"csv": ("_page",), "duckdb": ("_page", "_fetched"), "sqlite": ("_page", "_fetched")}
"""The columns that are not the page's own."""
COUNT = 2
FIELDS = st.sampled_from(sorted(CELLS)).flatmap(
    lambda kind: st.tuples(NAMES, st.lists(CELLS[kind] | st.none(), min_size=COUNT, max_size=COUNT))
)
PAGES = st.lists(FIELDS, min_size=1, max_size=4)
RUNS = st.lists(st.lists(PAGES, min_size=1, max_size=2), min_size=1, max_size=4)


def texts_of(cells) -> list[list[str]]:
    """For each record the texts of its fields."""
    by_record = zip(*(values for _, values in cells), strict=True)
    return [
        [cell[0] if isinstance(cell, tuple) else cell for cell in record if cell is not None] for record in by_record
    ]


def assert_holds(row: dict[str, Any], texts: list[str], ours: tuple[str, ...]) -> None:
    left = [value for name, value in row.items() if isinstance(value, str) and name not in ours]
    for text in texts:
        assert text in left, f"{text!r} is lost in {row}"
        left.remove(text)


def read_csv(path: Path) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))


def read_table(connect: Callable[[str], Any]) -> Callable[[Path], list[dict[str, Any]]]:
    def read(path: Path) -> list[dict[str, Any]]:
        with closing(connect(str(path))) as connection:
            found = connection.execute("SELECT * FROM offers ORDER BY rowid")
            names = [each[0] for each in found.description]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    return read


READERS = {"csv": read_csv, "duckdb": read_table(duckdb.connect), "sqlite": read_table(sqlite3.connect)}


@pytest.mark.parametrize("name", READERS)
@settings(deadline=None, derandomize=True, max_examples=25, database=None, suppress_health_check=list(HealthCheck))
@given(runs=RUNS)
def test_no_text_is_lost_or_changed(name, runs, page_of, field_of, tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "shop"
    if name == "csv":  # a file is replaced, so there is one run
        runs = [list(itertools.chain.from_iterable(runs))]
    expected, number = [], itertools.count()
    for pages in runs:
        sink = open_sink(name, path, table=None if name == "csv" else "offers")
        for cells in pages:
            address = f"page {next(number)}"
            sink.add(page_of([field_of(*field) for field in cells], page=address))
            expected += [(address, texts) for texts in texts_of(cells)]
        sink.finish()
    rows = READERS[name](path)
    assert [row["_page"] for row in rows] == [address for address, _ in expected]
    for row, (_, texts) in zip(rows, expected, strict=True):
        assert_holds(row, texts, OURS[name])
