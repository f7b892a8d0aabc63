"""A format by its name, by the ending of a file, or by what suits standard output."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from webquarry.errors import InputError
from webquarry.storing.formats import FORMATS, choose_format, open_sink


@pytest.mark.parametrize(
    ("output", "name", "expected"),
    [
        (None, None, "jsonl"),
        (None, "csv", "csv"),
        (None, "parquet", "parquet"),
        ("a.json", None, "json"),
        ("a.jsonl", None, "jsonl"),
        ("a.ndjson", None, "jsonl"),
        ("a.CSV", None, "csv"),
        ("a.parquet", None, "parquet"),
        ("a.duckdb", None, "duckdb"),
        ("a.sqlite", None, "sqlite"),
        ("a.sqlite3", None, "sqlite"),
        ("a.db", None, "sqlite"),
        ("a.db", "sqlite", "sqlite"),
        ("a.json", "jsonl", "jsonl"),
        ("a.txt", "table", "table"),
        ("a", "duckdb", "duckdb"),
        ("a.jsonl.gz", None, "jsonl"),
        ("a.b.CSV.GZ", None, "csv"),
        ("a.gz", "csv", "csv"),
    ],
)
def test_a_format_follows_from_name_or_ending(output, name, expected):
    assert choose_format(output and Path(output), name, is_terminal=False) == expected


def test_a_terminal_gets_a_table():
    assert choose_format(None, None, is_terminal=True) == "table"
    assert choose_format(None, "json", is_terminal=True) == "json"


@pytest.mark.parametrize(
    ("output", "name", "words"),
    [
        (None, "excel", "no such format; choose from table, json, jsonl, csv, parquet, xlsx, duckdb, sqlite"),
        ("a.ods", None, "a.ods: unknown file ending; name a format with --format, or use one of .json,"),
        ("results", None, "results: unknown file ending"),
        ("a.gz", None, "unknown file ending"),
        (".", None, ".: is a folder; name a file in it that ends in one of .json,"),
        ("a.duckdb", "csv", "would replace the database"),
        ("a.db", "duckdb", "would replace the database"),
        (None, "sqlite", "a database is a file; name one with -o"),
        (None, "parquet", "a terminal cannot show it"),
    ],
)
def test_what_cannot_be_is_refused_with_a_way_out(output, name, words):
    with pytest.raises(InputError, match=words.replace(".", r"\.")):
        choose_format(output and Path(output), name, is_terminal=True)


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"duckdb", "sqlite"}))
def test_a_table_is_named_for_a_database_alone(tmp_path, name):
    with pytest.raises(InputError, match=r"--table offers: .* has no tables"):
        open_sink(name, tmp_path / "a", table="offers")


@pytest.mark.parametrize("name", FORMATS)
def test_a_place_that_cannot_be_written_is_refused_before_any_page_is_mined(tmp_path, name):
    table = "offers" if name in ("duckdb", "sqlite") else None
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(
        InputError, match=r"file/b/a: cannot be written: .*/file is not a writable folder; name another"
    ):
        open_sink(name, tmp_path / "file" / "b" / "a", table=table)
    with pytest.raises(InputError, match=f"{tmp_path}: is a folder; name a file with -o"):
        open_sink(name, tmp_path, table=table)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_device_is_written_to_where_no_file_could_be_made(page_of, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    sink = open_sink("csv", Path("/dev/null"))
    sink.add(page_of({"title": ["Kettle"]}))
    assert sink.finish() == "1 record of 1 page in /dev/null"


def test_importing_the_stage_leaves_heavy_libraries_alone():
    heavy = {"duckdb", "pyarrow", "numpy", "pandas", "rich", "sqlite3"}
    code = f"import sys, webquarry.storing.formats; print(*sorted({heavy} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""


def test_json_csv_and_sqlite_need_neither_duckdb_nor_arrow(tmp_path):
    code = """
import io, sys
from pathlib import Path
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.table_columns import Field
from webquarry.model.region import PageRegions
from webquarry.storing.formats import open_sink
from webquarry.values.text_value import Value
price = Field("price", "money", ("1 €",), (None,), (Value(1.0, "EUR"),))
region = Region(Document("<p>1 €"), 4, ((4, 6),), "records", "visual", "main", 1.0, (price,))
for name, table in (("csv", None), ("sqlite", "offers")):
    sink = open_sink(name, Path(sys.argv[1]) / name, table=table)
    sink.add(PageRegions("https://example.org/", "static", [region]))
    sink.finish()
print(*sorted({"duckdb", "pyarrow", "pandas"} & set(sys.modules)))
"""
    result = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""
    assert {path.name for path in tmp_path.iterdir()} == {"csv", "sqlite"}


@pytest.mark.parametrize("output", ["a.parquet.gz", "a.duckdb.gz"])
def test_what_is_packed_already_is_not_packed_again(output):
    with pytest.raises(InputError, match=r"leave \.gz out"):
        choose_format(Path(output), None, is_terminal=False)
