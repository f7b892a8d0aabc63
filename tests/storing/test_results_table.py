"""CSV and Parquet: the best region of every page in one table."""

from __future__ import annotations

import csv
import io
from datetime import date

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webquarry.model.page import Failure
from webquarry.model.region import PageRegions
from webquarry.storing.formats import open_sink


def stored(name, *pages) -> bytes:
    stream = io.BytesIO()
    sink = open_sink(name, stream=stream)
    for page in pages:
        sink.add(page)
    sink.finish()
    return stream.getvalue()


def csv_rows(*pages) -> list[list[str]]:
    return list(csv.reader(io.StringIO(stored("csv", *pages).decode(), newline="")))


def parquet_table(*pages) -> pa.Table:
    return pq.read_table(io.BytesIO(stored("parquet", *pages)))


A, B = "https://example.org/a", "https://example.org/b"


def test_columns_are_those_of_all_pages_in_order_of_appearance(page_of):
    first = page_of({"title": ["Kettle", "Lamp"], "Unit price": ["12", None]})
    second = page_of({"rating": ["5"], "title": ["Drill"]}, page=B)
    assert csv_rows(first, Failure("https://example.org/c", "gone"), second) == [
        ["_page", "title", "Unit price", "rating"],
        [A, "Kettle", "12", ""],
        [A, "Lamp", "", ""],
        [B, "Drill", "", "5"],
    ]


def test_only_the_best_region_of_a_page_is_stored(page_of, region_of):
    page = PageRegions(A, "static", [region_of({"a": ["1"]}), region_of({"b": ["2", "3"]})])
    assert csv_rows(page) == [["_page", "a"], [A, "1"]]


def test_csv_is_as_rfc_4180_has_it(page_of):
    content = stored("csv", page_of({'say "hi"': ["a,b", 'c"d', "e\r\nf", " g ", "é"]}))
    assert content.decode() == (
        f'_page,"say ""hi"""\r\n{A},"a,b"\r\n{A},"c""d"\r\n{A},"e\r\nf"\r\n{A}, g \r\n{A},é\r\n'
    )


def test_values_that_look_like_formulas_are_left_as_they_are(page_of):
    values = ["=1+1", "+49 30 1234", "@name", "-5"]
    assert [row[1] for row in csv_rows(page_of({"a": values}))[1:]] == values


def test_typed_values_in_csv_are_plain(page_of):
    page = page_of(
        {
            "price": [("12,50 €", 12.5, "EUR"), ("1.290 €", 1290.0, "EUR")],
            "new": [("yes", True), ("no", False)],
            "when": [("15 Nov", date(2026, 11, 15)), None],
        }
    )
    assert csv_rows(page) == [
        ["_page", "price", "price_unit", "price_text", "new", "new_text", "when", "when_text"],
        [A, "12.5", "EUR", "12,50 €", "true", "yes", "2026-11-15", "15 Nov"],
        [A, "1290", "EUR", "1.290 €", "false", "no", "", ""],
    ]


def test_parquet_keeps_types_and_absence(page_of):
    table = parquet_table(page_of({"price": [("12,50 €", 12.5, "EUR"), None], "when": [None, ("x", date(2026, 1, 2))]}))
    assert table.schema.names == ["_page", "price", "price_unit", "price_text", "when", "when_text"]
    assert table.schema.field("price").type == pa.float64()
    assert table.schema.field("when").type == pa.date32()
    assert table["price"].to_pylist() == [12.5, None]
    assert table["when"].to_pylist() == [None, date(2026, 1, 2)]


def test_where_pages_disagree_about_a_type_the_texts_are_kept(page_of):
    first = page_of({"price": [("12,50 €", 12.5, "EUR")], "n": [("007", 7.0)]})
    second = page_of({"price": ["ask us"], "n": [("2 May", date(2026, 5, 2))]}, page=B)
    table = parquet_table(first, second)
    assert table.to_pydict() == {"_page": [A, B], "price": ["12,50 €", "ask us"], "n": ["007", "2 May"]}


def test_a_page_without_values_in_a_column_has_no_say_in_its_type(page_of):
    empty = page_of({"price": [None, None]}, page=B)
    typed = page_of({"price": [("12,50 €", 12.5, "EUR")]})
    for pages in ((empty, typed), (typed, empty)):
        table = parquet_table(*pages)
        assert table.schema.field("price").type == pa.float64()
        assert sorted(table["price"].to_pylist(), key=str) == [12.5, None, None]


def test_numbers_with_and_without_units_are_numbers(page_of):
    table = parquet_table(page_of({"price": [("12", 12.0)]}), page_of({"price": [("9 €", 9.0, "EUR")]}, page=B))
    assert table["price"].to_pylist() == [12.0, 9.0]
    assert table["price_unit"].to_pylist() == [None, "EUR"]


def test_names_of_our_own_columns_stay_ours(page_of):
    with_texts = page_of({"price": [("12 €", 12.0, "EUR")], "_page": ["7"]})
    table = parquet_table(with_texts, page_of({"price_text": ["cheap"]}, page=B))
    assert table.to_pylist() == [
        {"_page": A, "price": 12.0, "price_unit": "EUR", "price_text": "12 €", "_page_2": "7", "price_text_2": None},
        {"_page": B, "price": None, "price_unit": None, "price_text": None, "_page_2": None, "price_text_2": "cheap"},
    ]


def test_fields_of_one_name_stay_apart_and_meet_those_of_other_pages(page_of, field_of):
    twice = page_of([field_of("a", ["1"]), field_of("a", ["2"])])
    again = page_of([field_of("a", ["3"]), field_of("a", ["4"])], page=B)
    assert csv_rows(twice, again) == [["_page", "a", "a_2"], [A, "1", "2"], [B, "3", "4"]]


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_no_records_make_no_file_and_are_said(tmp_path, name):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    sink = open_sink(name, path)
    sink.add(PageRegions(A, "static", []))
    sink.add(Failure(B, "gone"))
    assert sink.finish() == f"no records: nothing was written to {path}"
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_a_file_holds_what_duckdb_reads_back(page_of, tmp_path, name):
    path = tmp_path / f"a.{name}"
    sink = open_sink(name, path)
    sink.add(page_of({"title": ['a\n"b", c', "é漢"], "price": [("1 €", 1.0, "EUR"), ("2 €", 2.0, "EUR")]}))
    sink.add(page_of({"title": ["d"]}, page=B))
    assert sink.finish() == f"3 records of 2 pages in {path}"
    rows = duckdb.sql(f"SELECT _page, title, price FROM '{path}' ORDER BY price").fetchall()
    assert rows == [(A, 'a\n"b", c', 1.0), (A, "é漢", 2.0), (B, "d", None)]
