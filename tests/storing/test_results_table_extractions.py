"""What wrappers find, in every format: nested where it can be, flat where it cannot, whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings, strategies as st
from rich.cells import cell_len

from webquarry.errors import InputError
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.page import Failure
from webquarry.model.wrapper import FieldRule, ListingRule, Section, Source, Wrapper
from webquarry.storing.formats import FORMATS, open_sink
from webquarry.storing.terminal_tables import to_outline
from webquarry.values.text_value import Value

DATABASES = ("duckdb", "sqlite")
CONNECT: dict[str, Callable[[Path], Any]] = {
    "duckdb": lambda path: duckdb.connect(str(path)),
    "sqlite": sqlite3.connect,
}
AREA = Section("area", (Section("total", type="number"), Section("land")))
BORDERS = Section("borders", (Section("length"),), is_repeated=True)


def book(*sections: Section) -> Wrapper:
    return Wrapper(Source("book", key="country"), grammar=Section("", sections))


BOOK = book(Section("geography", (Section("location"), AREA, BORDERS)), Section("people"))
SHOP = Wrapper(
    Source("shop", kind="records"),
    listing=ListingRule("ul", "li", fields=(FieldRule("title"), FieldRule("price", "money"))),
)


def page(key: str, values: dict[tuple[str | int, ...], Any]) -> Extraction:
    """An extraction of texts, or of (text, value) or (text, value, unit), by their paths."""
    return Extraction(
        f"https://example.org/{key.lower()}", "static", "book", tuple(_value(*each) for each in values.items()), key=key
    )


def _value(path: tuple[str | int, ...], cell: Any) -> SectionValue:
    text, *typed = cell if isinstance(cell, tuple) else (cell,)
    headings = tuple(part if isinstance(part, int) or part[0] == "_" else part.capitalize() for part in path)
    return SectionValue(path, headings, text, "/html/body", Value(*typed) if typed else None)


ELMLAND = page(
    "Elmland",
    {
        ("geography", "location"): "North",
        ("geography", "area", "total"): ("1,200 sq km", 1200.0, "sq km"),
        ("geography", "borders", 0, "_heading"): "Oakland",
        ("geography", "borders", 0, "length"): "12 km",
        ("people",): "Many",
    },
)
OAKLAND = page("Oakland", {("people",): 'Few, and "old"'})
ASHLAND = page("Ashland", {("geography", "area", "total"): ("n/a",)})


def store(path: Path, wrapper: Wrapper, *pages: Extraction | Failure, table: str | None = None) -> str | None:
    name = path.suffix[1:]
    with closing(
        open_sink(name, path, table=table or ("book" if name in DATABASES else None), wrapper=wrapper)
    ) as sink:
        for each in pages:
            sink.add(each)
        return sink.finish()


def query(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(CONNECT[path.suffix[1:]](path)) as connection:
        return connection.execute(sql).fetchall()


def columns(path: Path) -> dict[str, str]:
    return {name: kind for _, name, kind, *_ in query(path, "PRAGMA table_info('book')")}


def test_json_has_a_line_a_page_and_failures_with_their_errors(tmp_path):
    path = tmp_path / "book.jsonl"
    store(path, BOOK, ELMLAND, Failure("https://example.org/b", "gone"))
    first, second = map(json.loads, path.read_text().splitlines())
    assert first == ELMLAND.to_dict()
    assert second == {"page": "https://example.org/b", "error": "gone"}


def test_csv_has_dotted_names_and_lists_as_json(tmp_path):
    path = tmp_path / "book.csv"
    assert store(path, BOOK, ELMLAND, OAKLAND, Failure("x", "y")) == f"2 records of 2 pages in {path}"
    first, second = csv.DictReader(io.StringIO(path.read_bytes().decode()))
    assert json.loads(first.pop("geography.borders")) == [{"_heading": "Oakland", "_text": None, "length": "12 km"}]
    assert first == {
        "country": "Elmland",
        "geography._text": "",
        "geography.location": "North",
        "geography.area._text": "",
        "geography.area.total": "1200",
        "geography.area.total_unit": "sq km",
        "geography.area.total_text": "1,200 sq km",
        "geography.area.land": "",
        "people": "Many",
        "_other": "",
        "_page": "https://example.org/elmland",
    }
    assert second["people"] == 'Few, and "old"'
    assert second["geography.borders"] == ""


def test_parquet_keeps_sections_in_sections(tmp_path):
    path = tmp_path / "book.parquet"
    store(path, BOOK, ELMLAND, OAKLAND)
    first, second = pq.read_table(path).to_pylist()
    assert first["geography"]["area"]["total"] == 1200.0
    assert first["geography"]["borders"][0]["_heading"] == "Oakland"
    assert second["geography"] is None


def test_duckdb_answers_by_the_names_of_sections(tmp_path):
    path = tmp_path / "book.duckdb"
    assert store(path, BOOK, ELMLAND, OAKLAND) == f"2 records of 2 pages in table book of {path}"
    sql = "SELECT country, geography.area.total, geography.borders[1]._heading, people FROM book ORDER BY country"
    assert query(path, sql) == [
        ("Elmland", 1200.0, "Oakland", "Many"),
        ("Oakland", None, None, 'Few, and "old"'),
    ]


def test_sqlite_has_dotted_names_and_lists_as_json(tmp_path):
    path = tmp_path / "book.sqlite"
    store(path, BOOK, ELMLAND, OAKLAND)
    sql = (
        'SELECT "geography.area.total", json_extract("geography.borders", \'$[0]._heading\') FROM book ORDER BY country'
    )
    assert query(path, sql) == [(1200.0, "Oakland"), (None, None)]
    assert columns(path)["geography.area.total"] == "REAL"


@pytest.mark.parametrize("system", DATABASES)
def test_records_say_when_they_were_had(tmp_path, system):
    path = tmp_path / f"book.{system}"
    store(path, BOOK, ELMLAND)
    ((fetched,),) = query(path, "SELECT CAST(_fetched AS VARCHAR) FROM book")
    age = datetime.now(UTC).replace(tzinfo=None) - datetime.fromisoformat(fetched)
    assert timedelta(seconds=-1) < age < timedelta(minutes=10)


@pytest.mark.parametrize("system", DATABASES)
def test_a_second_run_appends(tmp_path, system):
    path = tmp_path / f"book.{system}"
    store(path, BOOK, ELMLAND)
    before = columns(path)
    store(path, BOOK, OAKLAND, ASHLAND)
    assert query(path, "SELECT country FROM book ORDER BY rowid") == [("Elmland",), ("Oakland",), ("Ashland",)]
    assert columns(path) == before


def dotted(system: str, name: str) -> str:
    return name if system == "duckdb" else f'"{name}"'


GAINED = book(
    Section("geography", (Section("area", (Section("water"), Section("total", type="number"))), Section("climate"))),
    Section("economy"),
)
WIDER = page(
    "Pineland",
    {
        ("geography", "area", "water"): "wet",
        ("geography", "area", "total"): ("7", 7.0),
        ("geography", "climate"): "mild",
        ("economy",): "small",
    },
)


@pytest.mark.parametrize("system", DATABASES)
@pytest.mark.parametrize("runs", [((BOOK, ELMLAND), (GAINED, WIDER)), ((GAINED, WIDER), (BOOK, ELMLAND))])
def test_sections_that_a_wrapper_gains_or_loses_are_added_or_left_empty(tmp_path, system, runs):
    path = tmp_path / f"book.{system}"
    for wrapper, each in runs:
        store(path, wrapper, each)
    names = ["geography.area.total", "geography.area.water", "geography.location", "geography.climate", "economy"]
    sql = f"SELECT {', '.join(dotted(system, name) for name in names)}, people FROM book ORDER BY country"
    assert query(path, sql) == [
        (1200.0, None, "North", None, None, "Many"),
        (7.0, "wet", None, "mild", "small", None),
    ]


@pytest.mark.parametrize("system", DATABASES)
@pytest.mark.parametrize("is_first", [True, False])
def test_where_types_differ_the_texts_of_the_page_are_stored(tmp_path, system, is_first):
    path = tmp_path / f"book.{system}"
    plain = book(Section("geography", (Section("area", (Section("total"),)),)))
    runs = [(BOOK, ELMLAND), (plain, page("Pineland", {("geography", "area", "total"): "007"}))]
    for wrapper, each in runs if is_first else reversed(runs):
        store(path, wrapper, each)
    sql = f"SELECT {dotted(system, 'geography.area.total')} FROM book ORDER BY country"
    assert query(path, sql) == [("1,200 sq km",), ("007",)]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_section_that_gets_sub_sections_keeps_its_text(tmp_path, is_first):
    path = tmp_path / "book.duckdb"
    before = book(Section("geography", (Section("area", type="number"),)))
    runs = [
        (before, page("Pineland", {("geography", "area"): ("7 acres", 7.0)})),
        (before, page("Birchland", {("motto",): "Rest"})),
        (BOOK, ELMLAND),
    ]
    for wrapper, each in runs if is_first else reversed(runs):
        store(path, wrapper, each)
    sql = "SELECT geography.area._text, geography.area.total, geography.area IS NULL FROM book ORDER BY country"
    assert query(path, sql) == [(None, None, True), (None, 1200.0, False), ("7 acres", None, False)]


def test_rows_of_lists_gain_sections_too(tmp_path):
    path = tmp_path / "book.duckdb"
    store(path, BOOK, ELMLAND)
    rivers = Section("rivers", (Section("name"),), is_repeated=True)
    wider = book(
        Section("geography", (Section("borders", (Section("length", type="number"), rivers), is_repeated=True),))
    )
    borders = ("geography", "borders", 0)
    store(path, wider, page("Pineland", {(*borders, "length"): ("9", 9.0), (*borders, "rivers", 0, "name"): "Rill"}))
    sql = "SELECT geography.borders[1].length, geography.borders[1].rivers[1].name FROM book ORDER BY country"
    assert query(path, sql) == [("12 km", None), ("9", "Rill")]
    deeper = Section("rivers", (Section("name"), Section("depth")), is_repeated=True)
    deep = book(Section("geography", (Section("borders", (deeper,), is_repeated=True),)))
    store(path, deep, page("Quinland", {(*borders, "rivers", 0, "depth"): "1 m"}))
    sql = "SELECT geography.borders[1].rivers[1] FROM book ORDER BY country"
    assert query(path, sql) == [(None,), ({**named("Rill"), "depth": None},), ({**named(None), "depth": "1 m"},)]


def named(name: str | None) -> dict[str, str | None]:
    return {"_heading": None, "_text": None, "name": name}


def test_a_list_that_was_none_is_refused_and_the_table_is_as_it_was(tmp_path):
    path = tmp_path / "book.duckdb"
    store(path, BOOK, ELMLAND)
    before = columns(path), query(path, "FROM book")
    once = book(Section("economy"), Section("geography", (Section("borders", (Section("length"),)),)))
    with pytest.raises(InputError, match=r"table book is unchanged: column geography\.borders is a list .*--table"):
        store(path, once, page("Pineland", {("economy",): "x", ("geography", "borders", "length"): "9 km"}))
    assert (columns(path), query(path, "FROM book")) == before


def test_names_that_sql_would_not_take_are_quoted(tmp_path):
    path = tmp_path / "book.duckdb"
    sections = (Section("select", (Section("order"), Section("größe"))), Section("_2nd"))
    store(path, book(*sections), page("A", {("select", "order"): "1", ("_2nd",): "x"}), table='odd "name"')
    wider = book(Section("select", (Section("order"), Section("größe"), Section("group"))))
    store(path, wider, page("B", {("select", "group"): "2", ("select", "größe"): "3"}), table='odd "name"')
    sql = 'SELECT "select"."order", "select"."group", "select".größe, "_2nd" FROM "odd ""name""" ORDER BY country'
    assert query(path, sql) == [("1", None, None, "x"), (None, "2", "3", None)]


@pytest.mark.parametrize("name", ["csv", "parquet", "duckdb", "sqlite"])
def test_an_empty_list_is_none_of_the_absent_ones(tmp_path, name):
    path = tmp_path / f"book.{name}"
    empty = SectionValue(("crops",), ("Crops",), "none", "/html/body", ())
    pages = [replace(page(key, {}), values=values) for key, values in (("A", (empty,)), ("B", OAKLAND.values))]
    store(path, book(Section("crops", type="list"), Section("people")), *pages)
    expected = {"csv": ["[]", ""], "sqlite": ["[]", None]}.get(name, [[], None])
    assert read_column(path, "crops") == expected


def read_column(path: Path, column: str) -> list[Any]:
    if path.suffix == ".csv":
        return [row[column] for row in csv.DictReader(io.StringIO(path.read_bytes().decode()))]
    if path.suffix == ".parquet":
        return pq.read_table(path).column(column).to_pylist()
    return [value for (value,) in query(path, f"SELECT {column} FROM book ORDER BY country")]


def test_sqlite_leaves_out_empty_columns_rather_than_have_too_many(tmp_path):
    path = tmp_path / "book.sqlite"
    wide = book(*(Section(f"section_{number}", type="number") for number in range(700)))
    store(path, wide, page("Elmland", {("section_5",): ("7 km", 7.0, "km")}))
    store(path, wide, page("Oakland", {("section_699",): ("8", 8.0)}))
    assert query(path, "SELECT section_5, section_699 FROM book ORDER BY country") == [(7.0, None), (None, 8.0)]


@pytest.mark.parametrize("name", ["csv", "parquet", "duckdb", "sqlite"])
def test_pages_without_values_write_nothing(tmp_path, name):
    path = tmp_path / f"book.{name}"
    assert store(path, BOOK, page("Elmland", {}), Failure("x", "y")).startswith("no records: nothing was written to ")
    assert not path.exists()


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_not_finished_leaves_nothing(tmp_path, name):
    path = tmp_path / f"book.{name}"
    sink = open_sink(name, path, table="book" if name in DATABASES else None, wrapper=BOOK)
    sink.add(ELMLAND)
    sink.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"json", "jsonl"}))
def test_results_of_another_kind_are_not_lost_in_silence(tmp_path, name):
    sink = open_sink(name, tmp_path / "book", table="book" if name in DATABASES else None)
    with closing(sink), pytest.raises(TypeError, match="wrapper"):
        sink.add(ELMLAND)


RECORDS = page(
    "a",
    {
        ("records", 0, "title"): "Kettle",
        ("records", 0, "price"): ("9 €", 9.0, "EUR"),
        ("records", 1, "title"): "Lamp",
    },
)


@pytest.mark.parametrize("system", DATABASES)
def test_records_of_a_listing_are_rows(tmp_path, system):
    path = tmp_path / f"shop.{system}"
    assert store(path, SHOP, RECORDS) == f"2 records of 1 page in table book of {path}"
    store(path, SHOP, RECORDS)
    sql = "SELECT title, price, price_unit, price_text, _page FROM book ORDER BY rowid"
    rows = [("Kettle", 9.0, "EUR", "9 €", RECORDS.page), ("Lamp", None, None, None, RECORDS.page)]
    assert query(path, sql) == rows * 2


def test_a_terminal_shows_records_of_a_listing_side_by_side():
    assert to_outline(SHOP, RECORDS, 80).splitlines() == [
        "https://example.org/a",
        "Title   Price",
        "------  -----",
        "Kettle  9 €",
        "Lamp",
        "2 records",
        "",
    ]


def test_a_terminal_shows_sections_indented_under_their_names():
    extraction = page(
        "a",
        {
            ("geography", "_text"): "Hilly\n\x1b[2J",
            ("geography", "area", "total"): "9 km",
            ("geography", "borders", 0, "_heading"): "Oakland",
            ("geography", "borders", 0, "_text"): "open",
            ("geography", "borders", 0, "length"): "12 km",
            ("geography", "borders", 1, "length"): "1 km",
            ("motto",): "A very long motto that nobody would care to read to the end",
        },
    )
    assert to_outline(BOOK, extraction, 40).splitlines() == [
        "https://example.org/a",
        "Geography: Hilly \ufffd[2J",
        "  Area:",
        "    Total: 9 km",
        "  Borders:",
        "    - Oakland: open",
        "      Length: 12 km",
        "    -",
        "      Length: 1 km",
        "Motto: A very long motto that nobody wo…",
        "7 values; long values cut; -o FILE has everything",
        "",
    ]


def test_a_terminal_shows_page_after_page():
    stream = io.BytesIO()
    sink = open_sink("table", stream=stream, wrapper=BOOK)
    for each in (OAKLAND, Failure("x", "y"), page("Elmland", {})):
        sink.add(each)
    assert stream.getvalue().decode().split("\n\n") == [
        'https://example.org/oakland\nPeople: Few, and "old"\n1 value',
        "https://example.org/elmland\nnothing found",
        "",
    ]


NAMES = st.lists(st.sampled_from(["geography", "größe", "東京", 0]), min_size=1, max_size=14)


@settings(max_examples=50)
@given(st.lists(st.tuples(NAMES, st.text(max_size=60))), st.integers(1, 60))
def test_no_line_of_an_outline_is_wider_than_the_terminal(values, width):
    extraction = page("a", {("x", *path): text for path, text in values})
    body = to_outline(BOOK, extraction, width).splitlines()[1:-2]
    assert all(cell_len(line) <= width for line in body)
