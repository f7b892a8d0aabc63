"""Tables of a real PostgreSQL server: made, grown, added to, all or nothing."""

from __future__ import annotations

import json
import threading
from datetime import date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from adbc_driver_postgresql import dbapi

from webquarry.errors import InputError
from webquarry.storing import postgres_store
from webquarry.storing.formats import open_sink
from webquarry.storing.postgres_store import append_table
from webquarry.storing.result_files import Addition, Server

PRICED = {"title": ["Kettle"], "price": [("12,50 €", 12.5, "EUR")]}
AREA = pa.struct({"total": pa.float64(), "water": pa.string()})


class Database:
    """The server, with an empty schema for each test."""

    def __init__(self, address: str) -> None:
        self.server = Server(address)

    def sql(self, query: str) -> list[tuple]:
        with dbapi.connect(self.server.uri) as connection, connection.cursor() as cursor:
            cursor.execute(query)
            rows = cursor.fetchall() if query.startswith("SELECT") else []
            connection.commit()
            return rows

    def store(self, *pages, addition: Addition | None = None, table: str = "offers") -> str | None:
        sink = open_sink("postgresql", self.server, table=table, **({"addition": addition} if addition else {}))
        for page in pages:
            sink.add(page)
        return sink.finish()

    def add(self, columns: dict, **rules) -> None:
        append_table(self.server, "offers", pa.table(columns), Addition(**rules))

    def types(self, table: str = "offers") -> dict[str, str]:
        query = "SELECT column_name::text, udt_name::text FROM information_schema.columns WHERE table_name = '{}'"
        return dict(self.sql(query.format(table)))


@pytest.fixture
def database(postgresql):
    database = Database(postgresql)
    database.sql("DROP SCHEMA public CASCADE")
    database.sql("CREATE SCHEMA public")
    return database


def test_makes_a_table_with_typed_columns(database, page_of):
    columns = {**PRICED, "day": [("3 May 2026", date(2026, 5, 3))], "new": [("yes", True)]}
    said = database.store(page_of(columns))
    assert said == f"1 record of 1 page in table offers of {database.server}"
    row = database.sql("SELECT title, price, price_unit, price_text, day, new, _page, _fetched FROM offers")
    address, fetched = "https://example.org/a", datetime(2026, 11, 15, 12, 30, 45)
    assert row == [("Kettle", 12.5, "EUR", "12,50 €", date(2026, 5, 3), True, address, fetched)]


def test_adds_columns_and_turns_others_into_the_texts_of_the_page(database, page_of):
    database.store(page_of(PRICED))
    database.store(page_of({"title": ["Lamp"], "price": ["on request"], "stock": ["2"]}))
    rows = database.sql("SELECT title, price, stock FROM offers ORDER BY title")
    assert rows == [("Kettle", "12,50 €", None), ("Lamp", "on request", "2")]


def test_a_page_without_a_value_changes_no_type(database):
    database.add({"price": [1.5]})
    database.add({"price": pa.nulls(1)})
    assert database.sql("SELECT price FROM offers") == [(1.5,), (None,)]


def test_a_column_of_integers_takes_fractions_by_becoming_one_of_floats(database):
    database.sql("CREATE TABLE offers (number integer)")
    database.add({"number": [3.0]})
    assert database.types() == {"number": "int4"}
    database.add({"number": [2.5]})
    assert database.types() == {"number": "float8"}
    assert database.sql("SELECT number FROM offers") == [(3.0,), (2.5,)]


def test_large_integers_stay_exact(database):
    for number in (2**53 + 1, 2**62 + 1):
        database.add({"number": [number]})
    assert database.sql("SELECT number FROM offers") == [(2**53 + 1,), (2**62 + 1,)]


def test_a_table_of_others_keeps_its_types(database):
    database.sql("CREATE TABLE offers (title varchar(20), price numeric(8,2), seen timestamptz, about jsonb)")
    seen = pa.array([datetime(2026, 5, 3, 12)], pa.timestamp("us"))
    database.add({"title": ["Kettle"], "price": [12.5], "seen": seen, "about": ["fine"]})
    rows = database.sql("SELECT title, price::text, seen AT TIME ZONE 'UTC', about->>'_text' FROM offers")
    assert rows == [("Kettle", "12.50", datetime(2026, 5, 3, 12), "fine")]
    assert database.types() == {"title": "varchar", "price": "numeric", "seen": "timestamptz", "about": "jsonb"}


def test_sections_become_jsonb_and_lists_arrays(database):
    area = pa.array([{"total": 5.0, "water": None}, None], AREA)
    database.add({"area": area, "borders": pa.array([["Andorra", "Spain"], None], pa.list_(pa.string()))})
    rows = database.sql("SELECT area::text, borders FROM offers")
    assert [(text and json.loads(text), borders) for text, borders in rows] == [
        ({"total": 5.0, "water": None}, ["Andorra", "Spain"]),
        (None, None),
    ]
    assert database.types() == {"area": "jsonb", "borders": "_text"}


def test_flat_gives_a_column_for_each_section(database):
    database.add({"area": pa.array([{"total": 5.0, "water": "none"}], AREA)}, flat=True)
    assert database.types() == {"area.total": "float8", "area.water": "text"}


def test_a_plain_column_that_gets_sections_keeps_its_text(database):
    database.add({"area": [5.0], "area_text": ["5 km²"]})
    database.add({"area": pa.array([{"total": 7.0, "water": None}], AREA)})
    database.add({"area": ["unknown"]})
    rows = database.sql("SELECT area->>'_text', area->>'total' FROM offers")
    assert rows == [("5 km²", None), (None, "7.0"), ("unknown", None)]


def test_a_list_on_one_side_only_is_refused(database):
    database.add({"tags": ["a, b"]})
    with pytest.raises(InputError, match="column tags is a list on one side only"):
        database.add({"tags": [["a", "b"]]})
    assert database.sql("SELECT tags FROM offers") == [("a, b",)]


def test_lists_of_other_types_become_lists_of_texts(database):
    database.add({"sizes": [[1.5, 2.0]]})
    database.add({"sizes": [["small"]]})
    assert database.sql("SELECT sizes FROM offers") == [(["1.5", "2"],), (["small"],)]


@pytest.mark.parametrize(
    ("action", "expected"),
    [("skip", [("Kettle", 1.0), ("Lamp", 8.0)]), ("replace", [("Kettle", 3.0), ("Lamp", 9.0)])],
)
def test_records_that_the_table_has_are_skipped_or_replaced(database, action, expected):
    database.add({"title": ["Kettle"], "price": [1.0]}, unique=["title"])
    incoming = {"title": ["Kettle", "Kettle", "Lamp", "Lamp"], "price": [2.0, 3.0, 8.0, 9.0]}
    database.add(incoming, unique=["title"], on_conflict=action)
    assert database.sql("SELECT title, price FROM offers ORDER BY title") == expected


def test_records_that_the_table_has_fail_the_whole_run_otherwise(database):
    database.add({"title": ["Kettle"]}, unique=["title"])
    with pytest.raises(InputError, match=r"table offers is unchanged: duplicate key .*; add --on-conflict skip"):
        database.add({"title": ["Lamp", "Kettle"]}, unique=["title"])
    assert database.sql("SELECT title FROM offers") == [("Kettle",)]


def test_an_unknown_key_is_told_with_the_columns_there_are(database):
    with pytest.raises(InputError, match="--unique name: the records have no such column; choose from title, price"):
        database.add({"title": ["Kettle"], "price": [1.0]}, unique=["name"])
    assert database.types() == {}


def test_what_pages_state_is_one_column_of_jsonb(database, page_of):
    database.store(page_of({"title": ["Kettle"], "data.sku": ["K-15"], "data.brand": ["Brill"]}))
    assert database.sql("SELECT data->>'sku', data->>'brand' FROM offers") == [("K-15", "Brill")]


def test_a_lost_connection_leaves_the_table_as_it_was(database, monkeypatch):
    database.add({"title": ["Kettle"]})
    write = postgres_store._insertion

    def hang_up(*given):
        database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        return write(*given)

    with monkeypatch.context() as patch:
        patch.setattr(postgres_store, "_insertion", hang_up)
        with pytest.raises(InputError, match="so table offers is unchanged"):
            database.add({"title": ["Lamp"], "stock": ["2"]})
    assert database.types() == {"title": "text"}
    database.add({"title": ["Lamp"], "stock": ["2"]})
    assert database.sql("SELECT title FROM offers") == [("Kettle",), ("Lamp",)]


def test_characters_that_the_server_cannot_hold_are_replaced(database):
    nested = pa.array([{"water": "a\0b", "total": None}], AREA)
    database.add({"title": ["Ket\0tle"], "area": nested})
    assert database.sql("SELECT title, area->>'water' FROM offers") == [("Ket\ufffdtle", "a\ufffdb")]


def test_long_names_stay_apart_and_are_found_again(database, page_of):
    long = "a very long name of a column that goes on and on and on until it is too long for the server"
    for _ in range(2):
        database.store(page_of({long + " one": [("1", 1.0)], long + " two": ["x"]}))
    names = [name for name in database.types() if name.startswith("a_very")]
    assert len(names) == 3  # the number, its text, and the other one
    assert max(len(name.encode()) for name in names) <= 63
    assert database.sql("SELECT count(*) FROM offers") == [(2,)]


def test_a_dot_separates_schema_and_table(database):
    database.sql("CREATE SCHEMA IF NOT EXISTS shop")
    append_table(database.server, "shop.offers", pa.table({"title": ["Kettle"]}))
    assert database.sql("SELECT title FROM shop.offers") == [("Kettle",)]
    database.sql("DROP SCHEMA shop CASCADE")


def test_two_runs_at_once_make_one_table(database):
    runs = [threading.Thread(target=database.add, args=[{f"column_{n}": [n]}]) for n in range(6)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert database.sql("SELECT count(*) FROM offers") == [(6,)]
    assert len(database.types()) == 6


def test_sums_and_other_types_of_answers_are_stored(database):
    database.add({"sum": [Decimal(12)], "at": pa.array([3600], pa.time32("s")), "nothing": pa.nulls(1)})
    assert database.sql("SELECT sum, at, nothing FROM offers") == [(12.0, "01:00:00", None)]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:s3cr3t@localhost:1/shop",
        "postgresql://me:s3cr3t/x@localhost:1/shop",
        "postgresql://localhost:1/shop?password=s3cr3t",
    ],
)
def test_no_message_has_the_password(address):
    with pytest.raises(InputError) as caught:
        postgres_store.check(Server(address), "offers")
    assert "s3cr3t" not in str(caught.value)
    assert "s3cr3t" not in repr(Server(address))
