"""Tables, such as answers, in every format."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webquarry.errors import InputError
from webquarry.storing.query_tables import check_table_place, store_table

FILES = {"json": "a.json", "jsonl": "a.jsonl", "csv": "a.csv", "parquet": "a.parquet", "table": "a.txt"}
DATABASES = {"duckdb": "a.duckdb", "sqlite": "a.sqlite"}
CET = timezone(timedelta(hours=1))
AREA = pa.struct([("total", pa.float64()), ("total_text", pa.string()), ("seas", pa.list_(pa.string()))])
BORDERS = pa.list_(pa.struct([("with", pa.string()), ("since", pa.date32())]))
ROWS = pa.table(
    {
        "country": ["Arland", "Bel, land", None],
        "area": pa.array([{"total": 1250.0, "total_text": "1,250 km", "seas": ["North", "West"]}, None, {}], AREA),
        "borders": pa.array([[{"with": "Bel", "since": date(1815, 6, 9)}, {"with": "Cor"}], [], None], BORDERS),
        "people": pa.array([9007199254740993, 12, None], pa.int64()),
        "share": pa.array([0.5, 2.0, None]),
        "price": pa.array([Decimal("12.50"), Decimal("0.10"), None]),
        "is_island": [True, False, None],
        "at": pa.array([datetime(2026, 1, 2, 3, 4, 5, 600, CET), None, None], pa.timestamp("us", "Europe/Paris")),
        "day": pa.array([date(2026, 1, 2), None, None]),
    }
)


def stored(table: pa.Table, name: str) -> bytes:
    stream = io.BytesIO()
    store_table(table, name, stream=stream)
    return stream.getvalue()


def shown(table: pa.Table) -> list[str]:
    return stored(table, "table").decode().splitlines()


def query(path: Path, sql: str) -> list[tuple]:
    connect = duckdb.connect if path.suffix == ".duckdb" else sqlite3.connect
    with closing(connect(str(path))) as connection:
        return connection.execute(sql).fetchall()


@pytest.fixture(params=DATABASES)
def database(request, tmp_path):
    path = tmp_path / DATABASES[request.param]

    def store(table: pa.Table) -> Path:
        store_table(table, request.param, path, table_name="t")
        return path

    return store


def test_json_holds_all_values_nested_and_null_where_there_is_none():
    first, second, third = json.loads(stored(ROWS, "json"))
    assert first == {
        "country": "Arland",
        "area": {"total": 1250.0, "total_text": "1,250 km", "seas": ["North", "West"]},
        "borders": [{"with": "Bel", "since": "1815-06-09"}, {"with": "Cor", "since": None}],
        "people": 9007199254740993,
        "share": 0.5,
        "price": 12.5,
        "is_island": True,
        "at": "2026-01-02T02:04:05.000600+00:00",
        "day": "2026-01-02",
    }
    assert (second["area"], second["borders"], second["at"]) == (None, [], None)
    assert third["area"] == {"total": None, "total_text": None, "seas": None}


def test_json_lines_are_the_elements_of_json():
    assert [json.loads(line) for line in stored(ROWS, "jsonl").splitlines()] == json.loads(stored(ROWS, "json"))


def test_json_has_no_number_that_is_none_and_rounds_no_decimal():
    long = Decimal("0.12345678901234567890")
    table = pa.table({"x": [float("nan"), float("inf")], "y": [long, Decimal("1.00000000000000000000")]})
    assert json.loads(stored(table, "json")) == [{"x": None, "y": str(long)}, {"x": None, "y": 1}]


def test_csv_has_nested_values_as_json_and_nothing_where_there_is_none():
    first, second, third = csv.DictReader(io.StringIO(stored(ROWS, "csv").decode(), newline=""))
    assert json.loads(first.pop("area"))["seas"] == ["North", "West"]
    assert json.loads(first.pop("borders"))[1] == {"with": "Cor", "since": None}
    assert first == {
        "country": "Arland",
        "people": "9007199254740993",
        "share": "0.5",
        "price": "12.5",
        "is_island": "true",
        "at": "2026-01-02 02:04:05.000600+00:00",
        "day": "2026-01-02",
    }
    assert (second["country"], second["share"], second["area"]) == ("Bel, land", "2", "")
    assert third["country"] == ""


def test_parquet_holds_the_table_as_it_is():
    assert pq.read_table(io.BytesIO(stored(ROWS, "parquet"))).equals(ROWS)


def test_what_parquet_cannot_hold_is_reported(tmp_path):
    table = pa.table({"x": pa.array([pa.MonthDayNano([1, 2, 3])])})
    with pytest.raises(InputError, match="cast that column"):
        store_table(table, "parquet", tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


def test_duckdb_holds_sections_in_sections_and_times_in_utc(tmp_path):
    path = tmp_path / "a.duckdb"
    assert store_table(ROWS, "duckdb", path, table_name="t") == f"3 rows in table t of {path}"
    assert query(path, 'SELECT area.total, area.seas[2], borders[1].with, people, price, "at" FROM t LIMIT 1') == [
        (1250.0, "West", "Bel", 9007199254740993, Decimal("12.50"), datetime(2026, 1, 2, 2, 4, 5, 600))
    ]
    assert query(path, "SELECT count(*), count(country), count(area) FROM t") == [(3, 2, 2)]


def test_sqlite_holds_nested_values_as_json(tmp_path):
    path = tmp_path / "a.sqlite"
    store_table(ROWS, "sqlite", path, table_name="t")
    columns = "json_extract(area, '$.total'), people, typeof(people), price, is_island, at, day"
    assert query(path, f"SELECT {columns} FROM t LIMIT 1") == [
        (1250.0, 9007199254740993, "integer", 12.5, 1, "2026-01-02 02:04:05.000600", "2026-01-02")
    ]


def test_a_table_of_a_database_is_added_to(database):
    database(ROWS)
    path = database(ROWS.select(["day", "country"]))
    assert query(path, "SELECT count(*), count(people), count(day) FROM t") == [(6, 2, 2)]
    database(ROWS)
    assert query(path, "SELECT sum(people) FROM t") == [(2 * 9007199254740993 + 24,)]


def test_columns_of_a_database_are_the_same_whatever_their_case(database):
    database(pa.table({"Country": ["Arland"]}))
    path = database(pa.table({"COUNTRY": ["Belland"]}))
    assert query(path, "SELECT * FROM t") == [("Arland",), ("Belland",)]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (pa.array([1], pa.int32()), pa.array([2**40], pa.int64()), [1, 2**40]),
        (pa.array([2**40], pa.int64()), pa.array([1], pa.int8()), [2**40, 1]),
        (pa.array([1], pa.int64()), pa.array([0.5]), [1, 0.5]),
        (pa.array([0.5]), pa.array([1], pa.int64()), [0.5, 1]),
        (pa.array([0.5]), pa.array([Decimal("1.25")]), [0.5, 1.25]),
        (pa.array([7], pa.int64()), pa.array([None], pa.null()), [7, None]),
        (pa.array([None], pa.null()), pa.array(["x"]), [None, "x"]),
        (pa.array([1], pa.int64()), pa.array(["x"]), ["1", "x"]),
        (pa.array([1], pa.uint64()), pa.array([-1], pa.int64()), [1, -1]),
    ],
)
def test_types_that_differ_fit_without_loss(database, first, second, expected):
    database(pa.table({"x": first}))
    path = database(pa.table({"x": second}))
    assert [value for (value,) in query(path, "SELECT x FROM t")] == expected


def test_sums_of_integers_are_integers_in_duckdb(tmp_path):
    path = tmp_path / "a.duckdb"
    sums = duckdb.sql("SELECT sum(i) AS small, 2::HUGEINT ** 100 AS large FROM range(5) r(i)").to_arrow_table()
    store_table(sums, "duckdb", path, table_name="t")
    assert query(path, "SELECT small, typeof(small), large FROM t") == [(10, "BIGINT", 2**100)]


def test_what_does_not_fit_leaves_the_table_as_it_was(tmp_path):
    path = tmp_path / "a.duckdb"
    store_table(pa.table({"x": [1]}), "duckdb", path, table_name="t")
    with pytest.raises(InputError, match="list on one side"):
        store_table(pa.table({"x": [[1]], "y": [2]}), "duckdb", path, table_name="t")
    assert query(path, "SELECT * FROM t") == [(1,)]


TWICE = pa.table([pa.array([1]), pa.array([2]), pa.array([3]), pa.array([4])], names=["n", "n", "n_2", "N"])


@pytest.mark.parametrize("name", ["json", "jsonl", "csv", "parquet"])
def test_columns_of_the_same_name_are_told_apart(name):
    content = stored(TWICE, name)
    if name == "parquet":
        rows = pq.read_table(io.BytesIO(content)).to_pylist()
    elif name == "csv":
        rows = [
            {key: int(value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(content.decode()))
        ]
    else:
        rows = json.loads(content) if name == "json" else [json.loads(content)]
    assert rows == [{"n": 1, "n_3": 2, "n_2": 3, "N": 4}]


def test_columns_of_the_same_name_are_told_apart_in_databases(database):
    database(TWICE)
    assert query(database(TWICE), "SELECT n, n_3, n_2, n_4 FROM t") == [(1, 2, 3, 4)] * 2


def test_an_answer_without_rows_has_its_columns(tmp_path):
    nothing = ROWS.slice(0, 0)
    assert json.loads(stored(nothing, "json")) == []
    assert stored(nothing, "jsonl") == b""
    assert stored(nothing, "csv").decode().split(",")[:2] == ["country", "area"]
    assert pq.read_table(io.BytesIO(stored(nothing, "parquet"))).schema.equals(ROWS.schema)
    assert shown(nothing.select(["country", "share"])) == ["country  share", "-------  -----", "0 rows"]


def test_a_table_of_a_database_is_made_without_rows(database):
    path = database(ROWS.slice(0, 0))
    assert query(path, "SELECT count(*), count(area) FROM t") == [(0, 0)]


def test_a_terminal_sees_nested_values_readably_and_numbers_to_the_right(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    assert shown(ROWS.select(["country", "area", "people", "is_island"])) == [
        "country    area                                                                people  is_island",
        "---------  --------------------------------------------------------  ----------------  ---------",
        "Arland     {total: 1250, total_text: 1,250 km, seas: [North, West]}  9007199254740993  true",
        "Bel, land                                                                          12  false",
        "           {}",
        "3 rows",
    ]


def test_many_rows_go_to_every_format(tmp_path):
    count = 20_000
    many = pa.table({"n": range(count), "s": pa.array([{"a": n} for n in range(count)])})
    for name, file in (FILES | DATABASES).items():
        store_table(many, name, tmp_path / file, table_name="t" if name in DATABASES else None)
    assert len(json.loads((tmp_path / "a.json").read_bytes())) == count
    assert (tmp_path / "a.jsonl").read_bytes().count(b"\n") == count
    assert (tmp_path / "a.csv").read_bytes().count(b"\r\n") == count + 1
    assert (tmp_path / "a.txt").read_bytes().count(b"\n") == count + 3
    assert pq.read_table(tmp_path / "a.parquet").num_rows == count
    for file in DATABASES.values():
        assert query(tmp_path / file, "SELECT count(*), sum(n) FROM t") == [(count, count * (count - 1) // 2)]


class Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_the_first_rows_of_many_and_a_note():
    many = pa.table({"n": range(10_000)})
    terminal = Terminal()
    store_table(many, "table", stream=terminal)
    lines = terminal.getvalue().decode().splitlines()
    assert lines[2].strip() == "0"
    assert len(lines) == 53
    assert lines[-1] == "10,000 rows, the first 50 shown; -o FILE has everything"
    assert len(shown(many)) == 10_003


def test_no_line_is_wider_than_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    lines = shown(ROWS)
    assert max(map(len, lines[:-1])) <= 40
    assert "hidden" in lines[-1]
    assert "long values cut" in lines[-1]


def test_columns_that_say_least_are_hidden_first(monkeypatch):
    monkeypatch.setenv("COLUMNS", "24")
    table = pa.table(
        {"_page": ["file:///a"], "empty": pa.nulls(1), "name": ["Arland"], "capital": ["Arlby-by-the-sea"]}
    )
    lines = shown(table)
    assert lines[0].split() == ["name", "capital"]
    assert "2 columns hidden (_page, empty)" in lines[-1]


def test_what_a_page_says_does_not_command_the_terminal():
    table = pa.table({"a\x1b[2J": [{"b\x1b[2J": "c\x1b[2J\nd"}]})
    assert "\x1b" not in "".join(shown(table))
    assert len(shown(table)) == 4


@pytest.mark.parametrize("name", FILES | DATABASES)
def test_values_of_every_type_of_duckdb_are_stored(name, tmp_path):
    table = duckdb.sql(
        "SELECT uuid() u, MAP {'a': [1]} m, 'x'::BLOB b, TIME '10:00' t, 'a'::ENUM('a') e, NULL n, [1, 2]::INT[2] f, "
        "TIMESTAMP_NS '2026-01-01 10:00:00.123456789' ns, TIMESTAMP 'infinity' i, DATE '0044-03-15 (BC)' bc"
    ).to_arrow_table()
    path = tmp_path / (FILES | DATABASES)[name]
    store_table(table, name, path, table_name="t" if name in DATABASES else None)
    assert path.stat().st_size > 0


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_replaced_whole(name, tmp_path):
    path = tmp_path / FILES[name]
    path.write_bytes(b"old")
    store_table(ROWS, name, path)
    assert path.read_bytes() == stored(ROWS, name)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["json", "jsonl", "csv", "table"])
def test_a_value_that_cannot_be_told_leaves_the_file_as_it_was(name, tmp_path):
    path = tmp_path / FILES[name]
    path.write_bytes(b"old")
    times = pa.array([[0]] * 5000 + [[2**62]]).cast(pa.list_(pa.timestamp("us")))
    with pytest.raises(InputError, match="cast it to VARCHAR in the query"):
        store_table(pa.table({"x": times}), name, path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", FILES)
def test_a_full_disk_is_reported_with_the_name_of_the_file(name):
    with pytest.raises(InputError, match="/dev/full: cannot be written: No space left on device"):
        store_table(ROWS, name, Path("/dev/full"))


@pytest.mark.parametrize("name", DATABASES)
def test_what_keeps_a_table_from_being_stored_is_reported_before(name, tmp_path):
    path = tmp_path / DATABASES[name]
    with pytest.raises(InputError, match="--table"):
        check_table_place(name, path)
    path.write_bytes(b"something else than a database")
    with pytest.raises(InputError, match=r"is not a \w+ database"):
        check_table_place(name, path, "t")
    with pytest.raises(InputError, match="is a folder"):
        check_table_place(name, tmp_path, "t")
    check_table_place(name, tmp_path / "new" / DATABASES[name], "t")
    assert not (tmp_path / "new").exists()
