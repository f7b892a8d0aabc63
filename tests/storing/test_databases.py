"""Tables of DuckDB and SQLite files: made, widened, appended to, all or nothing."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from webquarry.errors import InputError
from webquarry.model.page import Failure
from webquarry.model.region import PageRegions
from webquarry.storing import schema_growth as databases
from webquarry.storing.formats import open_sink

A, B = "https://example.org/a", "https://example.org/b"
CONNECT: dict[str, Callable[[Path], Any]] = {
    "duckdb": lambda path: duckdb.connect(str(path)),
    "sqlite": sqlite3.connect,
}
OTHER = {"duckdb": "sqlite", "sqlite": "duckdb"}
PRICED = {"title": ["Kettle"], "price": [("12,50 €", 12.5, "EUR")]}


class Database:
    """A file of one of the systems."""

    def __init__(self, system: str, path: Path) -> None:
        self.system, self.path = system, path

    def store(self, *pages: PageRegions | Failure, table: str = "offers") -> str | None:
        sink = open_sink(self.system, self.path, table=table)
        for page in pages:
            sink.add(page)
        return sink.finish()

    def sql(self, query: str) -> list[tuple[Any, ...]]:
        with closing(CONNECT[self.system](self.path)) as connection:
            rows = connection.execute(query).fetchall()
            connection.commit()
            return rows

    def column(self, name: str, table: str = "offers") -> list[Any]:
        return [value for (value,) in self.sql(f'SELECT "{name}" FROM "{table}" ORDER BY rowid')]

    def types(self, table: str = "offers") -> dict[str, str]:
        return {name: kind for _, name, kind, *_ in self.sql(f"PRAGMA table_info('{table}')")}


@pytest.fixture(params=CONNECT)
def database(request, tmp_path):
    return Database(request.param, tmp_path / f"shop.{request.param}")


@pytest.fixture
def short_wait(monkeypatch):
    monkeypatch.setattr(databases, "LOCK_SECONDS", 0.2)


def test_a_table_is_made_with_types_page_and_time(database, page_of):
    columns = {**PRICED, "new": [("yes", True)], "Since": [("15 Nov", date(2026, 11, 15))]}
    assert database.store(page_of(columns)) == f"1 record of 1 page in table offers of {database.path}"
    is_duckdb = database.system == "duckdb"
    text, number = ("VARCHAR", "DOUBLE") if is_duckdb else ("TEXT", "REAL")
    assert database.types() == {
        "_page": text,
        "title": text,
        "price": number,
        "price_unit": text,
        "price_text": text,
        "new": "BOOLEAN",
        "new_text": text,
        "since": "DATE",
        "since_text": text,
        "_fetched": "TIMESTAMP",
    }
    stored_date, fetched = (
        (date(2026, 11, 15), datetime(2026, 11, 15, 12, 30, 45)) if is_duckdb else ("2026-11-15", "2026-11-15 12:30:45")
    )
    assert database.sql("SELECT * FROM offers") == [
        (A, "Kettle", 12.5, "EUR", "12,50 €", True, "yes", stored_date, "15 Nov", fetched)
    ]


def test_the_time_is_in_utc_and_sqlite_understands_it(page_of, tmp_path):
    database = Database("sqlite", tmp_path / "a.db")
    database.store(PageRegions(A, "static", page_of(PRICED).regions))
    assert database.sql("SELECT abs(julianday('now') - julianday(_fetched)) * 86400 < 60 FROM offers") == [(1,)]


def test_records_of_later_runs_are_appended_and_columns_added(database, page_of):
    database.store(page_of({"title": ["Kettle", "Lamp"]}))
    database.store(page_of({"rating": [("5", 5.0)], "title": ["Drill"]}, page=B))
    assert database.sql("SELECT _page, title, rating, rating_text FROM offers ORDER BY rowid") == [
        (A, "Kettle", None, None),
        (A, "Lamp", None, None),
        (B, "Drill", 5.0, "5"),
    ]


def test_two_shops_that_write_names_differently_end_in_one_column(database, page_of):
    database.store(
        page_of({"Unit price": [("12,50 €", 12.5, "EUR")]}),
        page_of({"unitPrice": [("9.00 €", 9.0, "EUR")]}, page=B),
    )
    assert database.sql("SELECT _page, unit_price FROM offers ORDER BY unit_price") == [(B, 9.0), (A, 12.5)]


def test_a_unit_that_appears_later_gets_its_column(database, page_of):
    database.store(page_of({"price": [("12", 12.0)]}))
    database.store(page_of({"price": [("9 €", 9.0, "EUR")]}))
    assert database.column("price_unit") == [None, "EUR"]


def test_a_range_that_appears_later_gets_its_column(database, page_of):
    database.store(page_of({"price": [("9 €", 9.0, "EUR")]}))
    database.store(page_of({"price": [("9-11 €", 9.0, "EUR", 11.0)], "price to": ["Rome"]}))
    database.store(page_of({"price": [("7 €", 7.0, "EUR")], "price to": ["Oslo"]}))
    assert database.column("price_to") == [None, 11.0, None]
    assert database.column("price_to_2") == [None, "Rome", "Oslo"]


def test_a_range_does_not_overwrite_a_column_that_pages_name_like_its_end(database, page_of):
    database.store(page_of({"price": [("9 €", 9.0, "EUR")], "price to": [("5 €", 5.0, "EUR")]}))
    database.store(page_of({"price": [("9-11 €", 9.0, "EUR", 11.0)]}))
    assert database.column("price_to") == [5.0, None]
    assert database.column("price_text") == ["9 €", "9-11 €"]


def test_text_that_comes_to_a_column_of_numbers_makes_it_text_and_texts_are_kept(database, page_of):
    database.store(page_of({"price": [("12,50 €", 12.5, "EUR"), None], "title": ["Kettle", "Lamp"]}))
    database.store(page_of({"price": ["ask us", "007"], "title": ["Drill", "Bond"]}))
    assert database.column("price") == ["12,50 €", None, "ask us", "007"]
    assert database.column("price_text")[:2] == ["12,50 €", None]
    assert database.types()["price"] in ("VARCHAR", "TEXT")
    assert database.column("title") == ["Kettle", "Lamp", "Drill", "Bond"]


@pytest.mark.parametrize(
    "first", [("12", 12.0), ("yes", True), ("15 Nov", date(2026, 11, 15))], ids=["number", "boolean", "date"]
)
@pytest.mark.parametrize(
    "second",
    [("0.30", 0.3), ("no", False), ("16 Nov", date(2026, 11, 16)), "text"],
    ids=["number", "boolean", "date", "text"],
)
def test_any_two_types_that_differ_end_in_texts(database, page_of, first, second):
    database.store(page_of({"x": [first]}))
    database.store(page_of({"x": [second]}))
    texts = [first[0], second if second == "text" else second[0]]
    if second != "text" and type(first[1]) is type(second[1]):
        assert database.column("x_text") == texts
        assert database.types()["x"] not in ("VARCHAR", "TEXT")
    else:
        assert database.column("x") == texts
        assert database.types()["x"] in ("VARCHAR", "TEXT")


def test_numbers_that_come_to_a_column_of_text_come_as_texts(database, page_of):
    database.store(page_of({"price": ["ask us"]}))
    database.store(page_of({"price": [("012,50 €", 12.5, "EUR")]}))
    assert database.column("price") == ["ask us", "012,50 €"]
    assert "price_text" not in database.types()


def test_a_field_without_values_neither_makes_a_column_nor_changes_one(database, page_of):
    database.store(page_of(PRICED))
    before = database.types()
    database.store(page_of({"title": ["Lamp"], "price": [None], "rating": [None]}))
    assert database.types() == before
    assert database.column("price") == [12.5, None]


def test_texts_that_look_like_numbers_stay_as_they_are(database, page_of):
    database.store(page_of({"code": ["007", "1e3", " 5 ", "0x10"]}))
    assert database.column("code") == ["007", "1e3", " 5 ", "0x10"]


def test_a_field_called_as_the_texts_of_another_never_mixes_with_them(database, page_of):
    database.store(page_of({"price": [("12 €", 12.0, "EUR")]}))
    database.store(page_of({"price text": ["cheap"]}))
    database.store(page_of({"price": ["ask us"]}))
    assert database.column("price") == ["12 €", None, "ask us"]
    assert database.column("price_text") == ["12 €", None, None]
    assert database.column("price_text_2") == [None, "cheap", None]


def test_a_column_called_as_texts_that_was_there_before_is_not_taken_for_them(database, page_of):
    database.store(page_of({"price text": ["cheap"]}))
    database.store(page_of({"price": [("12 €", 12.0, "EUR")]}))
    database.store(page_of({"price": ["ask us"]}))
    assert database.column("price") == [None, "12 €", "ask us"]
    assert database.column("price_text") == ["cheap", None, None]


def test_a_table_of_the_user_takes_records_too(database, page_of):
    database.sql("CREATE TABLE offers (\"Title\" VARCHAR, id VARCHAR DEFAULT 'x', price_text VARCHAR)")
    database.sql("INSERT INTO offers (\"Title\", price_text) VALUES ('Old', 'mine')")
    database.store(page_of(PRICED))
    assert database.column("Title") == ["Old", "Kettle"]
    assert database.column("id") == ["x", "x"]
    assert database.column("price_text")[0] == "mine"
    assert database.column("price")[1] == "12,50 €"  # the column for texts is taken


def test_numbers_of_a_users_table_are_neither_rounded_nor_lost(database, page_of):
    database.sql("CREATE TABLE offers (price INTEGER, exact DOUBLE)")
    database.sql("INSERT INTO offers VALUES (740993, 0.30000000000000004)")
    database.store(page_of({"price": [("12,50 €", 12.5, "EUR")], "exact": ["ask us"]}))
    assert database.column("price") == (["740993", "12,50 €"] if database.system == "duckdb" else [740993, 12.5])
    assert float(database.column("exact")[0]) == 0.30000000000000004
    assert database.column("exact")[1] == "ask us"


NAMES = [
    "select",
    "order",
    "group by",
    'a"b',
    "x; DROP TABLE offers; --",
    "2nd",
    "été",
    "価格",
    "rowid",
    "%",
    "a.b",
    "'",
]


def test_any_name_of_a_column_works(database, page_of):
    database.store(page_of({name: [f"value of {name}"] for name in NAMES}))
    database.store(page_of({name: [("5", 5.0)] for name in NAMES}))
    row = database.sql("SELECT * FROM offers WHERE \"order\" LIKE 'value%'")[0]
    assert sorted(row[1:-1]) == sorted(f"value of {name}" for name in NAMES)
    assert set(database.types()) >= {"select", "order", "group_by", "a_b", "a_b_2", "_2nd", "été", "価格", "column"}


@pytest.mark.parametrize("table", ["select", 'a"b', "x; DROP TABLE y; --", "Größe 2", "main.offers", "it's", "[a]"])
def test_any_name_of_a_table_works(database, page_of, table):
    database.store(page_of(PRICED), table=table)
    database.store(page_of({"price": ["ask us"], "x": ["y"]}), table=table)
    quoted = table.replace('"', '""')
    assert database.sql(f'SELECT price, x FROM "{quoted}" ORDER BY price') == [("12,50 €", None), ("ask us", "y")]


def test_tables_of_one_file_leave_each_other_alone(database, page_of):
    database.store(page_of({"a": ["1"]}), table="one")
    database.store(page_of({"a": [("2", 2.0)]}), table="two")
    database.store(page_of({"a": ["3"]}), table="ONE")
    assert database.column("a", "one") == ["1", "3"]
    assert database.column("a", "two") == [2.0]


def test_no_value_is_changed(database, page_of):
    values = ["", " ", "a\0b", "漢\U0001f600", "'; --", "NULL", "nan", "x" * 100_000, "\ud800", None]
    database.store(page_of({"a": values}))
    assert database.column("a") == [*values[:-2], "\ufffd", None]


def test_no_records_make_nothing_and_are_said(database):
    folder = database.path.parent
    database.path = folder / "new" / database.path.name
    said = database.store(PageRegions(A, "static", []), Failure(B, "gone"))
    assert said == f"no records: nothing was written to table offers of {database.path}"
    assert list(folder.iterdir()) == []


def test_folders_above_are_made(database, page_of):
    database.path = database.path.parent / "new" / "deep" / database.path.name
    database.store(page_of(PRICED))
    assert database.column("title") == ["Kettle"]


def test_a_link_is_followed(database, page_of):
    database.store(page_of(PRICED))
    link = database.path.with_name("link.db")
    link.symlink_to(database.path)
    Database(database.system, link).store(page_of(PRICED))
    assert link.is_symlink()
    assert database.column("title") == ["Kettle", "Kettle"]


@pytest.mark.parametrize("table", [None, "", "  "])
def test_a_table_must_be_named(database, table):
    with pytest.raises(InputError, match="needs the name of a table; name one with --table"):
        open_sink(database.system, database.path, table=table)


@pytest.mark.parametrize("table", ["a\0b", "a\nb"])
def test_a_name_no_one_could_write_is_refused(database, table):
    with pytest.raises(InputError, match="cannot be the name of a table"):
        open_sink(database.system, database.path, table=table)


@pytest.mark.parametrize("content", [b"just a text, and long enough to be no header" * 50, b"x"])
def test_a_file_that_is_not_a_database_is_left_as_it_is(database, content):
    database.path.write_bytes(content)
    with pytest.raises(
        InputError, match=r"is not an? \w+ database; the file was not changed; name another one with -o"
    ):
        open_sink(database.system, database.path, table="offers")
    assert database.path.read_bytes() == content


def test_a_file_without_bytes_is_an_empty_database_to_sqlite(tmp_path, page_of):
    database = Database("sqlite", tmp_path / "shop.db")
    database.path.touch()
    database.store(page_of(PRICED))
    assert database.column("title") == ["Kettle"]


def test_a_file_of_the_other_system_is_named_as_such(database, page_of):
    Database(OTHER[database.system], database.path).store(page_of(PRICED))
    before = database.path.read_bytes()
    with pytest.raises(InputError, match=r"is a (DuckDB|SQLite) database, not (DuckDB|SQLite)"):
        open_sink(database.system, database.path, table="offers")
    assert database.path.read_bytes() == before


def test_a_database_with_a_broken_inside_is_an_error_of_ours(database, page_of):
    database.store(page_of({"a": [f"{number}" * 50 for number in range(2_000)]}))
    content = database.path.read_bytes()
    database.path.write_bytes(content[:64] + b"\xff" * (len(content) - 64))
    with pytest.raises(InputError, match=str(database.path)):
        database.store(page_of(PRICED))


def test_a_view_takes_no_records(database, page_of):
    database.sql("CREATE VIEW offers AS SELECT 1 AS a")
    with pytest.raises(
        InputError, match=r"the database refused the records, so table offers is unchanged: .* (VIEW|view)"
    ):
        database.store(page_of(PRICED))


def test_a_constraint_that_refuses_one_record_refuses_the_run(database, page_of):
    database.sql("CREATE TABLE offers (title VARCHAR UNIQUE, price VARCHAR)")
    with pytest.raises(InputError, match=r"refused the records, so table \w+ is unchanged: .*(unique|UNIQUE)"):
        database.store(page_of({"title": ["a", "b"], "new": ["1", "2"]}), page_of({"title": ["a"]}))
    assert database.sql("SELECT count(*) FROM offers") == [(0,)]
    assert list(database.types()) == ["title", "price"]


def test_a_column_with_an_index_that_would_have_to_change_refuses_the_run(database, page_of):
    database.store(page_of(PRICED))
    database.sql("CREATE INDEX by_price ON offers (price)")
    before = database.types()
    with pytest.raises(InputError, match="refused the records"):
        database.store(page_of({"price": ["ask us"], "more": ["x"]}))
    assert database.types() == before
    assert database.column("price") == [12.5]


HOLD = {
    "duckdb": "import duckdb, sys; c = duckdb.connect(sys.argv[1])",
    "sqlite": "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('BEGIN EXCLUSIVE')",
}


@pytest.fixture
def hold(database):
    """Lets another process lock the database."""
    started = []

    def start() -> subprocess.Popen[str]:
        code = HOLD[database.system] + "; print('ready', flush=True); sys.stdin.read()"
        process = subprocess.Popen(
            [sys.executable, "-c", code, database.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in started:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def test_a_database_that_another_program_has_locked_is_refused_before_any_page_is_mined(
    database, page_of, hold, short_wait
):
    database.store(page_of(PRICED))
    hold()
    with pytest.raises(InputError, match="another program has locked the database; close it there"):
        open_sink(database.system, database.path, table="offers")


def test_a_lock_that_goes_away_is_waited_for(database, page_of, hold, monkeypatch):
    monkeypatch.setattr(databases, "LOCK_SECONDS", 120.0)  # on a busy machine the other program takes long to end
    database.store(page_of(PRICED))
    sink = open_sink(database.system, database.path, table="offers")
    sink.add(page_of(PRICED))
    process = hold()
    threading.Timer(0.5, process.stdin.close).start()
    sink.finish()
    assert database.column("title") == ["Kettle", "Kettle"]
