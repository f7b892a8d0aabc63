"""A run that is stopped keeps what it has: real processes, real signals."""

from __future__ import annotations

import csv
import gzip
import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

LAMPS = "<ul>" + "".join(f"<li><b>Lamp {number}</b><p>A fine lamp</p></li>" for number in range(5)) + "</ul>"
TEXT = "<p>" + "The ferry carries passengers across the river again, after ten years of repairs. " * 3


@pytest.fixture
def stop(work, server, environment):
    """Runs `quarry` on two pages, one that is missing and one that never comes, and stops it while it waits for that.

    The line about the missing page tells that the two before it are done.
    """
    (work / "a.html").write_text(LAMPS + TEXT)
    (work / "b.html").write_text(LAMPS + TEXT)

    def run(command: list[str], options: list[str], number: int = signal.SIGINT) -> subprocess.CompletedProcess[str]:
        pages = ["a.html", "b.html", "gone.html", server.url + "/slow"]
        arguments = [sys.executable, "-m", "webquarry", *command, *pages, "--allow-private", *options]
        with subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work, env=environment
        ) as process:
            told = process.stderr.readline()
            while told and "gone.html" not in told:
                told = process.stderr.readline()
            process.send_signal(number)
            output, errors = process.communicate(timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, output, told + errors)

    return run


def rows_of(path: Path) -> int:
    """Count the records in a file that `mine` has written."""
    if path.suffix == ".duckdb":
        with duckdb.connect(str(path), read_only=True) as connection:
            return connection.execute("SELECT count(*) FROM lamps").fetchone()[0]
    if path.suffix == ".sqlite":
        return sqlite3.connect(path).execute("SELECT count(*) FROM lamps").fetchone()[0]
    if path.suffix == ".parquet":
        return pq.read_table(path).num_rows
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    if ".csv" in path.suffixes:
        return len(list(csv.DictReader(text.splitlines())))
    lines = json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]
    assert "error" in lines[-1]
    return sum(len(region["records"]) for line in lines[:-1] for region in line["regions"])


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("x.json", signal.SIGINT),
        ("x.jsonl", signal.SIGTERM),
        ("x.csv", signal.SIGHUP),
        ("x.parquet", signal.SIGINT),
        ("x.duckdb", signal.SIGTERM),
        ("x.sqlite", signal.SIGHUP),
        ("x.jsonl.gz", signal.SIGINT),
        ("x.csv.gz", signal.SIGTERM),
    ],
)
def test_mine_keeps_the_records_of_the_pages_that_are_done(stop, work, name, number):
    table = ["--table", "lamps"] if name.endswith(("duckdb", "sqlite")) else []
    done = stop(["mine"], ["--static", "-o", name, *table], number)
    assert done.returncode == 128 + number
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()[1:]
    assert line.startswith("quarry: stopped after 3 of 4 pages; partial result: ")
    assert name in line
    assert rows_of(work / name) == 10
    assert sorted(path.name for path in work.iterdir()) == ["a.html", "b.html", name]


@pytest.mark.parametrize(
    ("command", "options", "names"),
    [
        (["clean"], [], ["a.xhtml", "b.xhtml"]),
        (["read", "--method", "blocks"], ["--format", "markdown"], ["a.md", "b.md"]),
    ],
)
def test_a_folder_keeps_the_files_of_the_pages_that_are_done(stop, work, command, options, names):
    done = stop(command, ["-o", "out", *options], signal.SIGTERM)
    assert done.returncode == 143
    (line,) = done.stderr.splitlines()[1:]
    assert line.startswith("quarry: stopped after 3 of 4 pages; partial result: ")
    assert line.endswith("out")
    assert sorted(path.name for path in (work / "out").iterdir()) == names


def test_render_keeps_the_files_of_the_pages_that_are_done(work, server, environment):
    pages = [f"{number}.html" for number in range(12)]  # more than are in flight at a time
    for name in pages:
        (work / name).write_text(LAMPS)
    arguments = ["render", *pages, server.url + "/slow", "--allow-private", "-o", "out"]
    with subprocess.Popen(
        [sys.executable, "-m", "webquarry", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=work,
        env=environment,
    ) as process:
        assert server.asked.wait(120)
        shown = process.stdout.readline()  # the summary of a page
        process.send_signal(signal.SIGTERM)
        others, errors = process.communicate(timeout=120)
    assert process.returncode == 143
    finished = len(list((work / "out").iterdir()))
    assert 1 <= len((shown + others).splitlines()) <= finished <= 12
    assert errors == f"quarry: stopped after {finished} of 13 pages; partial result: out\n"
    for path in (work / "out").iterdir():
        json.loads(path.read_text())


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.duckdb"])
def test_read_keeps_the_texts_of_the_pages_that_are_done(stop, work, name):
    table = ["--table", "texts"] if name.endswith("duckdb") else []
    done = stop(["read", "--method", "blocks"], ["-o", name, *table])
    assert done.returncode == 130
    assert name in done.stderr.splitlines()[1]
    if name.endswith("duckdb"):
        with duckdb.connect(str(work / name), read_only=True) as connection:
            assert connection.execute("SELECT count(*) FROM texts").fetchone() == (2,)
    else:
        assert (work / name).read_text().count("a.html") == 1


def test_extract_keeps_the_records_of_the_pages_that_are_done(stop, work, quarry):
    (work / "a.html").write_text(LAMPS + TEXT)
    learnt = quarry("wrap", "a.html", "--kind", "records", "--static", "--name", "lamps", "-o", "lamps.toml")
    assert learnt.returncode == 0, learnt.stderr
    done = stop(["extract", "lamps.toml"], ["-o", "x.jsonl"], signal.SIGHUP)
    assert done.returncode == 129
    assert done.stderr.splitlines()[1] == "quarry: stopped after 3 of 4 pages; partial result: 2 pages in x.jsonl"
    lines = [json.loads(line) for line in (work / "x.jsonl").read_text().splitlines()]
    assert ["error" in line for line in lines] == [False, False, True]


def test_a_table_on_standard_output_is_shown_as_far_as_it_came(stop):
    done = stop(["mine"], ["--static", "--format", "csv"])
    assert done.returncode == 130
    assert len(list(csv.DictReader(done.stdout.splitlines()))) == 10
    assert done.stderr.splitlines()[1] == ("quarry: stopped after 3 of 4 pages; partial result: standard output")


def test_a_wrapper_is_not_learnt_from_a_part(work, server, environment):
    (work / "a.html").write_text(LAMPS)
    arguments = ["wrap", "a.html", server.url + "/slow", "--allow-private", "--static", "--name", "x", "-o", "x.toml"]
    with subprocess.Popen(
        [sys.executable, "-m", "webquarry", *arguments], stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        assert server.asked.wait(120)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (130, b"quarry: stopped\n")
    assert not (work / "x.toml").exists()


def test_an_extraction_is_not_validated_by_a_part(work, server, environment):
    lines = [
        {"page": f"{server.url}/{name}", "nodes": [{"node": "/html/body/p", "text": "x"}]} for name in ("a", "slow")
    ]
    (work / "x.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    arguments = ["validate", "x.jsonl", "--static", "--allow-private", "-o", "y.jsonl", "--report", "y.html"]
    with subprocess.Popen(
        [sys.executable, "-m", "webquarry", *arguments], stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        assert server.asked.wait(120)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (143, b"quarry: stopped\n")
    assert [path.name for path in work.iterdir()] == ["x.jsonl"]


IMPATIENT = """
import os, signal, sys
from webquarry.cli import stopping
from webquarry.cli.program import main
from webquarry.storing import duckdb_store, sqlite_store
from webquarry.storing.result_files import Pieces

stopping.PATIENCE = 0

def interrupted(work):
    def call(*given, **options):
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGINT)
        result = work(*given, **options)
        os.kill(os.getpid(), signal.SIGINT)
        return result
    return call

Pieces.finish = interrupted(Pieces.finish)
duckdb_store._insert = interrupted(duckdb_store._insert)
sqlite_store._append = interrupted(sqlite_store._append)
sys.argv = ["quarry", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("name", ["x.json", "x.csv", "x.duckdb", "x.sqlite"])
def test_further_signals_while_results_are_written_leave_no_half_file(work, environment, name):
    (work / "a.html").write_text(LAMPS + TEXT)
    table = ["--table", "lamps"] if name.endswith(("duckdb", "sqlite")) else []
    arguments = ["mine", "a.html", "--static", "-o", name, *table]
    done = subprocess.run(
        [sys.executable, "-c", IMPATIENT, *arguments], check=False, capture_output=True, cwd=work, env=environment
    )
    assert (done.returncode, done.stdout) == (130, b"")
    assert b"Traceback" not in done.stderr
    assert sorted(path.name for path in work.iterdir()) == ["a.html", name]
    if name == "x.json":
        (line,) = json.loads((work / name).read_text())
        assert len(line["regions"][0]["records"]) == 5
    else:
        assert rows_of(work / name) == 5


def test_a_page_that_is_written_while_a_signal_comes_is_counted(work, environment):
    for name in ("a.html", "b.html"):
        (work / name).write_text(LAMPS)
    arguments = ["clean", "a.html", "b.html", "-o", "out"]
    done = subprocess.run(
        [sys.executable, "-c", IMPATIENT, *arguments], check=False, capture_output=True, cwd=work, env=environment
    )
    assert (done.returncode, done.stderr) == (130, b"quarry: stopped after 1 of 2 pages; partial result: out\n")
    assert [path.name for path in (work / "out").iterdir()] == ["a.xhtml"]
