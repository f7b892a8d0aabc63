"""`quarry sql` as a user meets it."""

from __future__ import annotations

import csv
import io
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import webquarry as wq
from webquarry.cli.sql import _report_failures
from webquarry.model.page import Failure
from webquarry.querying.query_nouns import Answer

EXAMPLES = Path(__file__).parents[2] / "examples"
SAMPLES = ("am", "bv", "cd", "dm", "es")
AREAS = "SELECT country, geography.area.total FROM factbook WHERE country IN ('Kestria', 'Estovar') ORDER BY country"
ALL = "SELECT country, geography.area.total FROM factbook"
BIG = "SELECT country, geography.area FROM factbook ORDER BY geography.area.total DESC"


@pytest.fixture(scope="module")
def wrapped(tmp_path_factory) -> Path:
    """A fact book of 14 countries, and its wrapper."""
    folder = tmp_path_factory.mktemp("wrapped") / "book"
    shutil.copytree(EXAMPLES / "factbook", folder)
    samples = [wq.clean(wq.fetch(folder / "geos" / f"{code}.html")) for code in SAMPLES]
    named = [f"geos/{code}.html" for code in SAMPLES]
    places = {"pages": "geos/{code}.html", "key": "country", "index_page": "index.html", "samples": named}
    wq.save_wrapper(folder / "factbook.toml", wq.wrap(samples, name="factbook", **places))
    return folder


@pytest.fixture
def book(wrapped, work) -> Path:
    """The same in a folder of its own, that is the catalog `book`."""
    return Path(shutil.copytree(wrapped, work / "book"))


@pytest.fixture
def ask(quarry, book):
    def run(query: str, *arguments: str | Path, **given: bytes):
        return quarry("sql", query, "--catalog", "book", *arguments, **given)

    return run


def lines(content: bytes) -> list[str]:
    return content.decode().splitlines()


def test_rows_go_to_a_pipe_as_json_lines(ask):
    done = ask(AREAS)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [json.loads(line) for line in lines(done.stdout)] == [
        {"country": "Estovar", "total": 344110.0},
        {"country": "Kestria", "total": 75000.0},
    ]


def test_the_catalog_is_this_folder_unless_named(quarry, work, wrapped):
    shutil.copytree(wrapped, work, dirs_exist_ok=True)
    assert quarry("sql", AREAS, "--format", "csv").stdout == b"country,total\r\nEstovar,344110\r\nKestria,75000\r\n"


def test_a_query_comes_from_standard_input(ask):
    assert ask("-", given=AREAS.encode()).stdout == ask(AREAS).stdout


def test_nested_values_are_json_in_csv(ask):
    done = ask("SELECT geography.area FROM factbook WHERE country = 'Kestria'", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(done.stdout.decode()))
    assert json.loads(row["area"])["land"] == 72850


@pytest.mark.parametrize(("file", "connect"), [("a.duckdb", duckdb.connect), ("a.sqlite", sqlite3.connect)])
def test_a_database_gets_the_rows_and_is_added_to(ask, work, file, connect):
    for _ in range(2):
        done = ask(AREAS, "-o", file, "--table", "areas")
        assert (done.returncode, done.stdout) == (0, b"")
        assert lines(done.stderr) == [f"2 rows in table areas of {file}"]
    with closing(connect(str(work / file))) as connection:
        assert connection.execute("SELECT sum(total), count(*) FROM areas").fetchall() == [(2 * 419110, 4)]


def test_a_file_is_reported(ask, work):
    done = ask(AREAS, "-o", "areas.parquet")
    assert (done.returncode, done.stdout, lines(done.stderr)) == (0, b"", ["2 rows in areas.parquet"])
    assert duckdb.sql(f"SELECT count(*) FROM '{work / 'areas.parquet'}'").fetchall() == [(2,)]


def test_no_rows_are_an_answer(ask):
    done = ask("SELECT country FROM factbook WHERE country = 'Atlantis'", "--format", "table")
    assert done.returncode == 0
    assert lines(done.stdout)[-1] == "0 rows"


def test_what_found_no_page_is_told_with_what_is_near(ask, book):
    done = ask("SELECT government.capital FROM factbook WHERE country IN ('Kestra', 'Norrund', 'Qqq')")
    assert done.returncode == 0
    assert b"factbook has no country 'Kestra'; the nearest are Kestria" in done.stderr
    assert b"factbook has no country 'Qqq'\n" in done.stderr
    assert b"names.csv" in done.stderr
    (book / "names.csv").write_text("source,name,canonical\nfactbook,Kestria,Kestra\n")
    done = ask("SELECT country, government.capital FROM factbook WHERE country = 'Kestra'")
    assert (json.loads(done.stdout), done.stderr) == ({"country": "Kestra", "capital": "Zellen"}, b"")


def test_show_tables_and_describe(ask):
    assert b"factbook" in ask("SHOW TABLES", "--format", "table").stdout
    assert b"geography" in ask("DESCRIBE factbook", "--format", "table").stdout


def test_verbose_tells_what_the_answer_took(quarry, book):
    done = quarry("-v", "sql", AREAS, "--catalog", "book")
    told = [line for line in lines(done.stderr) if "fetched (factbook 3)" in line]
    assert told[0].startswith("quarry: INFO: 3 pages fetched (factbook 3), ")


def test_explain_tells_the_plan_and_fetches_no_page(ask, book):
    for page in (book / "geos").iterdir():
        page.unlink()
    done = ask(AREAS, "--explain")
    assert (done.returncode, done.stderr) == (0, b"")
    told = lines(done.stdout)
    assert told[0].startswith("1. factbook: ")
    assert any("geography.area.total" in line for line in told)
    assert told[-1].endswith("pages in all")
    (step,) = json.loads(ask(AREAS, "--explain", "--format", "json").stdout)["steps"]
    assert (step["source"], step["key"], step["sections"]) == ("factbook", "country", ["geography.area.total"])


def test_a_page_that_fails_is_reported_and_the_answer_is_partial(ask, book):
    (book / "geos" / "ks.html").unlink()
    done = ask(AREAS)
    assert done.returncode == 1
    assert [json.loads(line)["country"] for line in lines(done.stdout)] == ["Estovar"]
    failed, partial = lines(done.stderr)
    assert "ks.html" in failed
    assert partial == "quarry: partial result: 1 of 3 pages failed, so rows may be missing"


def test_of_many_pages_that_fail_the_first_are_told_and_how_many_there_are(ask, book):
    for code in ("am", "bv", "cd", "dm", "es", "fw", "gd", "hv"):
        (book / "geos" / f"{code}.html").unlink()
    done = ask(ALL)
    told = lines(done.stderr)
    assert done.returncode == 1
    assert len(lines(done.stdout)) == 6
    assert len(told) == 2
    assert told[0].endswith("geos/cd.html and 5 more: there is no such file or folder; check the path")
    assert told[1] == "quarry: partial result: 8 of 15 pages failed, so rows may be missing"


def test_of_many_reasons_the_first_are_told(caplog):
    failures = tuple(Failure(f"{number}.html", f"{number}.html: reason {number}") for number in range(8))
    _report_failures(Answer(pa.table({"n": [1]}), failures, {"book": 8}))
    told = caplog.messages
    assert len(told) == 7
    assert told[4:6] == ["4.html: reason 4", "and 3 more pages failed"]


def test_what_a_failure_says_does_not_command_the_terminal(capsys):
    answer = Answer(pa.table({"n": [1]}), (Failure("x", "x\x1b[2J: gone\nquarry: all is well"),), {"book": 4})
    assert _report_failures(answer) == 1
    told = capsys.readouterr().err
    assert "\x1b" not in told
    assert len(told.splitlines()) == 2


def test_strict_gives_no_rows_when_a_page_fails(ask, book, work):
    (book / "geos" / "ks.html").unlink()
    done = ask(AREAS, "--strict")
    assert (done.returncode, done.stdout) == (1, b"")
    assert "ks.html" in done.stderr.decode()
    assert ask(AREAS, "--strict", "-o", "a.csv").returncode == 1
    assert not (work / "a.csv").exists()


def test_too_many_pages_are_not_fetched(ask):
    done = ask(ALL, "--max-pages", "5")
    assert (done.returncode, done.stdout) == (1, b"")
    assert "5" in done.stderr.decode()
    assert ask(AREAS, "--max-pages", "3").returncode == 0


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELEC 1", "SELEC"),
        ("SELECT nothing FROM factbook", "nothing"),
        ("SELECT * FROM nowhere", "nowhere"),
        ("SELECT 1 +", ""),
        ("DROP TABLE factbook", ""),
        ("COPY factbook TO 'x.csv'", ""),
        ("SELECT country FROM factbook; SELECT 1", ""),
        ("SELECT count(\n\t*\n) FROM factbook\nWHERE\x1b x = 1", ""),
    ],
)
def test_a_mistake_in_sql_is_a_few_clear_lines(ask, query, message):
    done = ask(query)
    told = lines(done.stderr)
    assert (done.returncode, done.stdout) == (1, b"")
    assert 1 <= len(told) <= 6
    assert told[0].startswith("quarry: ")
    assert message in done.stderr.decode()
    assert b"\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([""], "there is no query"),
        (["-"], "there is no query"),
        (["areas.sql"], "quarry sql - < areas.sql"),
        (["SELECT 1", "--format", "xml"], "choose from table"),
        (["SELECT 1", "-o", "a.duckdb"], "--table"),
        (["SELECT 1", "-o", "a.csv", "--table", "t"], "csv has no tables"),
        (["SELECT 1", "--max-pages", "-1"], "--max-pages"),
        (["SELECT 1", "--scripts", "--static"], "--scripts"),
        (["SELECT 1", "--explain", "-o", "a.csv"], "leave -o"),
        (["SELECT 1", "--explain", "--format", "csv"], "a plan is text, or json"),
        (["SELECT 1", "--offline", "--refresh"], "cannot be used together"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(quarry, arguments, message):
    done = quarry("sql", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert len(lines(done.stderr)) == 1
    assert message in done.stderr.decode()


def test_a_place_that_cannot_be_written_is_reported_before_any_page_is_fetched(ask, book):
    shutil.rmtree(book / "geos")
    done = ask(ALL, "-o", "book")
    assert done.returncode == 2
    done = ask(ALL, "-o", "book/index.html/a.csv")
    assert (done.returncode, len(lines(done.stderr))) == (1, 1)
    assert "cannot be written" in done.stderr.decode()


def test_a_catalog_that_is_not_there_is_reported(quarry):
    done = quarry("sql", "SELECT 1", "--catalog", "nowhere")
    assert (done.returncode, done.stdout, len(lines(done.stderr))) == (1, b"", 1)
    assert "nowhere" in done.stderr.decode()


@pytest.fixture
def web(wrapped, work, server) -> Path:
    """A catalog whose source is on a server, and has pages for keys that a query gives alone."""
    wrapper = wq.load_wrapper(wrapped / "factbook.toml")
    source = replace(wrapper.source, base=f"{server.url}/", pages="{country}", index_page="", samples=())
    (work / "web").mkdir()
    wq.save_wrapper(work / "web" / "factbook.toml", replace(wrapper, source=source))
    server.pages["/ks"] = (wrapped / "geos" / "ks.html").read_bytes()
    return work / "web"


def test_a_server_that_lacks_a_page_gives_a_partial_answer(quarry, web):
    query = "SELECT country, geography.area.total FROM factbook WHERE country IN ('ks', 'gone')"
    done = quarry("sql", query, "--catalog", "web", "--allow-private", "--format", "csv")
    assert (done.returncode, done.stdout) == (1, b"country,total\r\nks,75000\r\n")
    failed, partial = lines(done.stderr)
    assert "/gone" in failed
    assert "404" in failed
    assert "1 of 2 pages failed" in partial


def test_a_key_that_nothing_binds_is_reported(quarry, web):
    done = quarry("sql", ALL, "--catalog", "web")
    assert (done.returncode, done.stdout) == (1, b"")
    assert "factbook" in lines(done.stderr)[0]
    assert "country" in done.stderr.decode()


def test_ctrl_c_ends_quietly_and_leaves_no_file(web, work, server, environment):
    query = "SELECT country, geography.area.total FROM factbook WHERE country IN ('ks', 'slow')"
    options = ["--catalog", "web", "--allow-private", "-o", "out.csv"]
    command = [sys.executable, "-m", "webquarry", "sql", query, *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        assert server.asked.wait(120)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
    assert (process.returncode, output, errors) == (130, b"", b"quarry: stopped\n")
    assert list(work.iterdir()) == [web]


def test_a_terminal_gets_a_table_as_wide_as_it_is_and_what_it_took(on_terminal, book):
    done = on_terminal("sql", BIG, "--catalog", "book", COLUMNS="60", TERM="dumb")
    told = [line for line in done.stdout.decode().splitlines() if line.strip()]
    assert done.returncode == 0
    start = next(place for place, line in enumerate(told) if line.startswith("country"))
    assert told[start + 2].startswith("Galdora")
    assert "{total: 713800" in told[start + 2]
    assert max(map(len, told[start : start + 16])) <= 60
    assert told[start + 16] == "14 rows; long values cut; -o FILE has everything"
    assert told[start + 17].startswith("15 pages fetched (factbook 15), ")
