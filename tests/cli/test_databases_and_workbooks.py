"""Commands that write to PostgreSQL and to Excel workbooks."""

from __future__ import annotations

import json

import openpyxl
import pytest
from adbc_driver_postgresql import dbapi

LAMPS = "<ul>" + "".join(f"<li><b>Lamp {n}</b> <p>${n}.50</p></li>" for n in range(1, 6)) + "</ul>"
TEXT = "<h1>Ferry</h1><p>" + "The ferry carries passengers across the river again, after ten years of repairs. " * 3


@pytest.fixture
def pages(work, postgresql):
    (work / "lamps.html").write_text(LAMPS)
    (work / "ferry.html").write_text(TEXT)
    rows_of(postgresql, "DROP TABLE IF EXISTS things")
    return work


def rows_of(address: str, query: str) -> list[tuple]:
    with dbapi.connect(address) as connection, connection.cursor() as cursor:
        cursor.execute(query)
        rows = cursor.fetchall() if query.startswith("SELECT") else []
        connection.commit()
        return rows


def test_mine_extract_read_and_sql_write_to_postgresql(quarry, pages, postgresql):
    place = ["-o", postgresql, "--table", "things"]
    assert quarry("mine", "lamps.html", "--static", *place).returncode == 0
    assert rows_of(postgresql, "SELECT count(*), sum(price) FROM things") == [(5, 17.5)]
    learnt = quarry("wrap", "lamps.html", "--kind", "records", "--static", "--name", "lamps", "-o", "lamps.toml")
    assert learnt.returncode == 0, learnt.stderr
    for command in (
        ["extract", "lamps.toml", "lamps.html"],
        ["read", "ferry.html"],
        ["sql", "SELECT 1 AS one, {'a': 2} AS two"],
    ):
        rows_of(postgresql, "DROP TABLE things")
        done = quarry(*command, *place)
        assert (done.returncode, done.stdout) == (0, b""), done.stderr
        assert rows_of(postgresql, "SELECT count(*) FROM things")[0][0] in (1, 5)


def test_the_same_command_again_doubles_nothing_with_a_key(quarry, pages, postgresql):
    for option in ("--unique", "--key"):
        rules = [option, "title", "--on-conflict", "replace"]
        done = quarry("mine", "lamps.html", "--static", "-o", postgresql, "--table", "things", *rules)
        assert done.returncode == 0, done.stderr
    assert rows_of(postgresql, "SELECT count(*) FROM things") == [(5,)]


def test_a_failed_page_leaves_the_others_in_the_table(quarry, pages, postgresql):
    done = quarry("mine", "gone.html", "lamps.html", "--static", "-o", postgresql, "--table", "things")
    assert done.returncode == 1
    assert b"gone.html" in done.stderr
    assert rows_of(postgresql, "SELECT count(*) FROM things") == [(5,)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "postgresql://localhost/x"], "is a database; name the table to add to with --table"),
        (["-o", "postgresql://localhost/x", "--format", "csv"], "leave the format out"),
        (["-o", "x.csv", "--unique", "title"], "are for PostgreSQL"),
        (["--flat"], "are for PostgreSQL"),
        (["-o", "postgresql://localhost/x", "--table", "t", "--on-conflict", "skip"], "needs --unique"),
        (["-o", "postgresql://h/x", "--table", "t", "--unique", "a", "--on-conflict", "merge"], "fail, skip, replace"),
    ],
)
def test_wrong_options_are_told(quarry, work, options, said):
    (work / "lamps.html").write_text(LAMPS)
    done = quarry("mine", "lamps.html", "--static", *options)
    assert (done.returncode, said in done.stderr.decode()) == (2, True), done.stderr


def test_a_server_that_is_not_there_is_one_line_before_any_page_is_read(quarry, work):
    done = quarry("mine", "gone.html", "-o", "postgresql://me:s3cr3t@localhost:1/x", "--table", "t")
    (line,) = done.stderr.decode().splitlines()
    assert done.returncode == 1
    assert line.startswith("quarry: postgresql://localhost:1/x: cannot connect: ")
    assert "s3cr3t" not in line


def test_tables_are_written_as_workbooks(quarry, work):
    (work / "lamps.html").write_text(LAMPS)
    assert quarry("mine", "lamps.html", "--static", "-o", "x.xlsx").returncode == 0
    assert quarry("sql", "SELECT 'a' AS name, [1, 2] AS list", "-o", "y.xlsx").returncode == 0
    sheet = openpyxl.load_workbook(work / "x.xlsx").active
    names = [cell.value for cell in sheet[1]]
    assert sheet.max_row == 6
    assert sheet.cell(2, names.index("price") + 1).value == 1.5
    row = [cell.value for cell in openpyxl.load_workbook(work / "y.xlsx").active[2]]
    assert (row[0], json.loads(row[1])) == ("a", [1, 2])
