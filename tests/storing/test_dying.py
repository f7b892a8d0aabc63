"""A run that dies leaves the database as it was; others read on."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from webquarry.storing import duckdb_store as duckdb_files, sqlite_store as sqlite_files
from webquarry.storing.formats import open_sink
from webquarry.storing.result_files import remove_abandoned

SYSTEMS = ["duckdb", "sqlite"]
OLD, NEW = 3, 60_000

# what a process does that is to die: it appends many records, with a new column and one whose type must change
RUN = """
import os, resource, signal, sys, threading, time
from pathlib import Path
import pyarrow as pa
from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.table_columns import Field
from webquarry.model.region import PageRegions
from webquarry.storing import duckdb_store as duckdb_files, sqlite_store as sqlite_files
from webquarry.storing.formats import open_sink

system, path, way, count = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
texts = tuple(f"text {number} " * 4 for number in range(count))
fields = tuple(Field(name, "text", texts, (None,) * count) for name in ("title", "price", "new"))
region = Region(Document("<p>x"), 4, ((4, 6),) * count, "records", "visual", "main", 1.0, fields)
sink = open_sink(system, path, table="offers")
sink.add(PageRegions("https://example.org/", "static", [region]))


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def dying(values):
    for number, value in enumerate(values):
        if number == count - 1_000:
            die()
        yield value


if way == "kill":
    region_rows, stored = duckdb_files.region_rows, sqlite_files._stored

    def dying_batches(*given):
        table = region_rows(*given)
        batches = table.to_batches(max_chunksize=500)
        return pa.RecordBatchReader.from_batches(table.schema, (die() if b is batches[-1] else b for b in batches))

    duckdb_files.region_rows = dying_batches
    sqlite_files._stored = lambda column: dying(stored(column))
if way.startswith("full"):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limit = int(way[4:] or path.stat().st_size + 1_000_000)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
print("writing", flush=True)
try:
    print(sink.finish())
except InputError as error:
    print(error)
"""


def rows(system: str, path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(duckdb.connect(str(path)) if system == "duckdb" else sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


@pytest.fixture(params=SYSTEMS)
def system(request):
    return request.param


@pytest.fixture
def path(system, tmp_path, page_of):
    path = tmp_path / f"shop.{system}"
    append(system, path, page_of)
    return path


def append(system, path, page_of) -> None:
    sink = open_sink(system, path, table="offers")
    sink.add(page_of({"title": ["a", "b", "c"], "price": [("1 €", 1.0, "EUR")] * OLD}))
    sink.finish()


def start(system: str, path: Path, way: str, count: int = NEW) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, system, str(path), way, str(count)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "writing\n"
    return process


def finish(process: subprocess.Popen[str]) -> str:
    """What the process says to its end; `communicate` would lose what was read ahead with the first line."""
    with process:
        return process.stdout.read()


def assert_is_as_it_was(system: str, path: Path) -> None:
    assert rows(system, path, "SELECT title, price FROM offers ORDER BY title") == [("a", 1.0), ("b", 1.0), ("c", 1.0)]
    names = [name for _, name, *_ in rows(system, path, "PRAGMA table_info('offers')")]
    assert names == ["_page", "title", "price", "price_unit", "price_text", "_fetched"]


def test_a_process_killed_while_it_writes_leaves_the_old_records(system, path, page_of):
    process = start(system, path, "kill")
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    assert_is_as_it_was(system, path)
    append(system, path, page_of)
    assert rows(system, path, "SELECT count(*), sum(price) FROM offers") == [(2 * OLD, 2.0 * OLD)]


@pytest.mark.parametrize("seconds", [0.02, 0.1, 0.3])
def test_a_process_killed_at_any_time_leaves_all_records_or_none(system, path, seconds):
    process = start(system, path, "no")
    time.sleep(seconds)
    process.kill()
    process.communicate(timeout=120)
    ((count,),) = rows(system, path, "SELECT count(*) FROM offers")
    if count == OLD:
        assert_is_as_it_was(system, path)
    else:
        assert count == OLD + NEW
        assert rows(system, path, "SELECT count(*) FROM offers WHERE new IS NOT NULL AND price IS NOT NULL") == [(NEW,)]
        assert rows(system, path, "SELECT DISTINCT price FROM offers WHERE new IS NULL") == [("1 €",)]


def test_a_new_file_whose_writer_is_killed_takes_the_next_run(system, tmp_path, page_of):
    path = tmp_path / f"new.{system}"
    start(system, path, "kill").communicate(timeout=120)
    append(system, path, page_of)
    assert_is_as_it_was(system, path)


def test_a_full_disk_leaves_the_old_records_and_is_said(system, path):
    said = finish(start(system, path, "full"))
    assert f"{path}: the database refused the records, so table offers is unchanged: " in said
    assert_is_as_it_was(system, path)


@pytest.mark.parametrize("room", [0, 5_000, 13_000, 300_000])
def test_a_first_write_to_a_full_disk_leaves_nothing_and_the_next_one_works(system, tmp_path, page_of, room):
    path = tmp_path / f"new.{system}"
    said = finish(start(system, path, f"full{room}"))
    assert said.startswith(f"{path}: ")
    assert list(tmp_path.iterdir()) == []
    append(system, path, page_of)
    assert_is_as_it_was(system, path)


def test_what_a_killed_first_write_leaves_is_taken_away_by_the_next(system, tmp_path, page_of):
    path = tmp_path / f"new.{system}"
    start(system, path, "kill").communicate(timeout=120)
    assert [each.name[:8] for each in tmp_path.iterdir()] == [".quarry-"]
    remove_abandoned.cache_clear()
    append(system, path, page_of)
    assert list(tmp_path.iterdir()) == [path]


def test_two_first_writes_at_once_store_both(system, tmp_path):
    path = tmp_path / f"new.{system}"
    processes = [start(system, path, "no", 1_000) for _ in range(2)]
    for process in processes:
        process.communicate(timeout=120)
    assert rows(system, path, "SELECT count(*) FROM offers") == [(2_000,)]


def test_a_run_that_lives_stores_everything(system, path):
    said = finish(start(system, path, "no", 1_000))
    assert said == f"1,000 records of 1 page in table offers of {path}\n"
    assert rows(system, path, "SELECT count(*) FROM offers") == [(OLD + 1_000,)]


def test_a_reader_sees_the_old_records_until_all_are_there(system, path, page_of, monkeypatch):
    seen = []
    writer = {"duckdb": (duckdb_files, "region_rows"), "sqlite": (sqlite_files, "_stored")}[system]
    original = getattr(*writer)

    def look(*given):
        seen.append(rows(system, path, "SELECT count(*) FROM offers"))
        return original(*given)

    monkeypatch.setattr(*writer, look)
    append(system, path, page_of)
    assert seen
    assert set(map(tuple, seen)) == {((OLD,),)}
    assert rows(system, path, "SELECT count(*) FROM offers") == [(2 * OLD,)]
