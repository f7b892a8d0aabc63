"""What the files of a folder are to a query."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import webquarry as wq
from webquarry.errors import QueryError
from webquarry.pipeline import open_catalogs as catalogs
from webquarry.pipeline.open_catalogs import Lazy, find_parts
from webquarry.querying.query_run import answer


@pytest.fixture
def folder(book: Path) -> Path:
    (book / "pyproject.toml").write_text("[project]\nname = 'a book'\n[tool.ruff]\n")
    (book / "Rich-Lands.sql").write_text("SELECT country FROM book WHERE geography.area > 1000;\n")
    (book / "groups.csv").write_text("name\nnorth\n")
    (book / "prices.parquet").write_bytes(b"")
    (book / "data.duckdb").write_bytes(b"")
    (book / "notes.txt").write_text("no table")
    (book / ".hidden.csv").write_text("name\n")
    return book


def test_files_are_what_their_endings_say(folder: Path):
    parts = find_parts(folder)
    assert parts.wrappers == {"book": folder / "book.toml"}
    assert parts.views == {"rich_lands": folder / "Rich-Lands.sql"}
    assert parts.files == {
        "prices": folder / "prices.parquet",
        "groups": folder / "groups.csv",
        "index": folder / "index.csv",
    }
    assert parts.databases == {"data": folder / "data.duckdb"}


def test_a_wrapper_counts_before_a_file_of_its_name(folder: Path):
    (folder / "book.csv").write_text("a\n")
    (folder / "book.duckdb").write_bytes(b"")
    (folder / "pyproject.csv").write_text("a\n")
    parts = find_parts(folder)
    assert parts.wrappers["book"] == folder / "book.toml"
    assert parts.hidden == {"book": [folder / "book.csv"]}
    assert "pyproject" in parts.files
    assert "book" in parts.databases  # its tables have names of two parts


def test_parts_can_be_named_one_by_one(folder: Path, learnt: wq.Wrapper):
    parts = find_parts([learnt, folder / "groups.csv", str(folder / "Rich-Lands.sql")])
    assert (parts.wrappers, list(parts.files), list(parts.views)) == ({"book": learnt}, ["groups"], ["rich_lands"])
    assert find_parts(folder / "book.toml").wrappers == {"book": folder / "book.toml"}
    assert find_parts([learnt, folder]).hidden == {"book": [folder / "book.toml"]}


@pytest.mark.parametrize(("named", "said"), [("nowhere", "no such folder"), ("notes.txt", "cannot be a table")])
def test_what_is_not_a_catalog_is_reported(folder: Path, named: str, said: str):
    with pytest.raises(wq.InputError, match=said):
        find_parts(folder / named)
    with pytest.raises(TypeError, match="not of a int"):
        find_parts([3])  # type: ignore[list-item]


def test_what_is_not_asked_for_is_not_loaded():
    loaded = []

    def load(name: str, place: Path) -> str:
        loaded.append(name)
        return str(place)

    lazy = Lazy({"one": Path("1"), "two": Path("2")}, {}, load)
    assert (list(lazy), len(lazy), "two" in lazy, "three" in lazy) == (["one", "two"], 2, True, False)
    assert loaded == []
    assert (lazy["two"], lazy["two"], lazy.get("three")) == ("2", "2", None)
    assert loaded == ["two"]


def test_a_wrapper_with_mistakes_harms_nobody_who_does_not_ask_for_it(folder: Path, caplog):
    (folder / "broken.toml").write_text("[source]\nname = 3\n")
    with wq.connect(folder)._open() as catalog:
        assert catalog.sources["book"].key == "country"
        assert set(catalog.sources) == {"book", "broken"}
        assert caplog.messages == []
        listed = answer(replace(catalog, databases={}), "SHOW TABLES").table
        assert listed.filter(pc.equal(listed["kind"], "source"))["name"].to_pylist() == ["book"]
        (told,) = caplog.messages
        assert told.startswith(f"broken is left out: {folder / 'broken.toml'}:1: `format` is missing")
        assert told.endswith(" and 2 more")
        with pytest.raises(wq.WrapperError, match=r"broken\.toml"):
            _ = catalog.sources["broken"]


def test_of_many_wrappers_one_is_parsed(folder: Path, monkeypatch):
    for number in range(5):
        shutil.copy(folder / "book.toml", folder / f"book_{number}.toml")
    parsed = []
    monkeypatch.setattr(catalogs, "load_wrapper", lambda path: parsed.append(path.name) or wq.load_wrapper(path))
    with wq.connect(folder)._open() as catalog:
        assert len(catalog.sources) == 6
        assert "book_3" in catalog.sources
        assert catalog.sources["book_3"].name == "book_3"
    assert parsed == ["book_3.toml"]


def test_a_broken_database_is_told_and_the_others_are_listed(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "broken.duckdb").write_text("not a database")
    (tmp_path / "good.csv").write_text("a,b\n1,2\n")
    with duckdb.connect(str(tmp_path / "whole.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS x")
    listed = wq.connect(tmp_path).sql("SHOW TABLES").table
    assert sorted(listed["name"].to_pylist()) == ["good", "whole.t"]
    (told,) = caplog.messages
    assert told.startswith(f"broken is left out: {tmp_path / 'broken.duckdb'}: the database cannot be opened")


@pytest.mark.parametrize("content", [b"caf\xe9,b\n1,2\n", b"a,b\n1,caf\xe9\n"])
def test_a_file_that_is_not_in_utf_8_is_named(tmp_path: Path, content: bytes):
    (tmp_path / "menu.csv").write_bytes(content)
    with pytest.raises(wq.QueryError, match=r"menu\.csv: the file is not in UTF-8; save it in UTF-8"):
        wq.connect(tmp_path).sql("SELECT * FROM menu")


def test_a_file_whose_name_is_not_in_utf_8_is_named(tmp_path: Path):
    (tmp_path / os.fsdecode(b"caf\xe9.csv")).write_text("a,b\n1,2\n")
    (tmp_path / "good.csv").write_text("a,b\n1,2\n")
    connection = wq.connect(tmp_path)
    with pytest.raises(wq.QueryError, match="the name of the file is not in UTF-8; rename it"):
        connection.sql("SELECT * FROM caf")
    assert connection.sql("SELECT a FROM good").table["a"].to_pylist() == [1]


def write_shards(folder, *parts):
    folder.mkdir(parents=True)
    for number, rows in enumerate(parts):
        pq.write_table(pa.table({"town": rows}), folder / f"part-{number:05d}.parquet")


def test_a_folder_of_parquet_files_is_one_table(tmp_path):
    write_shards(tmp_path / "catalog" / "all-towns", ["Ash", "Elm"], ["Oak"])
    connection = wq.connect(tmp_path / "catalog")
    assert connection.sql("SELECT town FROM all_towns ORDER BY town").table["town"].to_pylist() == ["Ash", "Elm", "Oak"]
    (tmp_path / "catalog" / "empty").mkdir()
    with pytest.raises(QueryError, match="empty"):
        connection.sql("SELECT * FROM empty")


def test_the_folder_of_a_batch_can_be_named_as_the_catalog(tmp_path):
    write_shards(tmp_path / "towns", ["Ash"], ["Oak"])
    (tmp_path / "towns" / "_batch.json").write_text("{}")
    assert wq.connect(tmp_path / "towns").sql("SELECT count(*) AS n FROM towns").table["n"].to_pylist() == [2]
    assert wq.connect([tmp_path / "towns"]).sql("SELECT count(*) AS n FROM towns").table["n"].to_pylist() == [2]


def test_the_folder_of_a_batch_that_has_no_file_yet_is_said(tmp_path):
    (tmp_path / "towns").mkdir()
    (tmp_path / "towns" / "_batch.json").write_text("{}")
    with pytest.raises(QueryError, match="no Parquet file in this folder yet"):
        wq.connect(tmp_path).sql("SELECT * FROM towns")
