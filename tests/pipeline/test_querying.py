"""Connections: what a query is given to work with."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

import webquarry as wq
from webquarry.pipeline.wrapped_tables import WrappedTable
from webquarry.rendering import renderer as rendering
from webquarry.rendering.browser import Browser


def test_a_catalog_holds_sources_views_and_files(book: Path):
    (book / "large.sql").write_text("SELECT * FROM book;\n")
    with wq.connect(book)._open() as catalog:
        reading = catalog.sources["book"].read(["Oakia"], [("geography", "area")], lambda: None)
        assert reading.rows.column("geography")[0].as_py()["area"] == 860
        assert dict(catalog.views) == {"large": "SELECT * FROM book"}
        assert dict(catalog.files) == {"index": str(book / "index.csv")}


def test_each_query_looks_at_the_catalog_anew(book: Path):
    connection = wq.connect(book)
    (book / "more.csv").write_text("a\n1\n")
    with connection._open() as catalog:
        assert "more" in catalog.files


def test_wrappers_at_hand_are_sources(book: Path, learnt: wq.Wrapper):
    connection = wq.connect(each for each in [learnt, book / "index.csv"])
    for _ in range(2):
        with connection._open() as catalog:
            assert (list(catalog.sources), list(catalog.files)) == (["book"], ["index"])


def test_tables_at_hand_come_before_files(book: Path):
    connection = wq.connect(book)
    connection.register("Index", pa.table({"a": [1]}))
    connection.register("index", pd.DataFrame({"a": [2]}, index=[7]))
    connection.register("BOOK", pa.table({"a": [3]}))
    with connection._open() as catalog:
        assert {name: table.to_pydict() for name, table in catalog.tables.items()} == {
            "index": {"a": [2]},
            "BOOK": {"a": [3]},
        }
        assert not catalog.sources
        assert not catalog.files


@pytest.mark.parametrize(("knobs", "rendered"), [({}, False), ({"render": True}, True), ({"scripts": True}, True)])
def test_pages_are_rendered_as_told(book: Path, knobs, rendered):
    with wq.connect(book, **knobs)._open() as catalog:
        assert catalog.sources["book"].is_rendered is rendered


def test_two_tables_of_one_name_are_told_when_one_is_used(book: Path, caplog):
    (book / "book.csv").write_text("a\n")
    with wq.connect(book)._open() as catalog:
        assert caplog.messages == []
        _ = catalog.sources["book"]
    assert caplog.messages == [f"using {book / 'book.toml'} for book; ignoring {book / 'book.csv'} with the same name"]


def test_mistakes_are_told_at_once(book: Path):
    with pytest.raises(wq.InputError, match="no such folder"):
        wq.connect(book / "nowhere")
    with pytest.raises(TypeError, match="speed"):
        wq.connect(book, speed=3)


def test_rendered_pages_use_the_style_sheets_of_their_source(book: Path, browser: str):
    """What a style sheet hides is not read."""
    (book / "style.css").write_text("h2 ~ p.hidden { display: none }")
    page = book / "geos" / "oa.html"
    text = page.read_text().replace("<h1>", "<link rel=stylesheet href='../style.css'><h1>")
    page.write_text(text.replace("860 sq km</p>", "860 sq km</p><p class=hidden>or 17 acres</p>"))
    read = {}
    for render in (True, False):
        with wq.connect(book, render=render, browser=browser)._open() as catalog:
            reading = catalog.sources["book"].read(["Oakia", "Elmland"], [("geography", "area_text")], lambda: None)
            read[render] = [row["geography"]["area_text"] for row in reading.rows.to_pylist()]
    assert read == {True: ["860 sq km", "1200 sq km"], False: ["860 sq km\nor 17 acres", "1200 sq km"]}


LARGE = (
    "SELECT book.country, atlas.people.population AS people FROM book JOIN atlas USING (country) "
    "WHERE book.geography.area > 1000 LIMIT 2"
)


@pytest.fixture
def started(monkeypatch) -> list[Browser]:
    """The browsers that are started."""
    browsers: list[Browser] = []

    def start(program: str) -> Browser:
        browsers.append(Browser(program))
        return browsers[-1]

    monkeypatch.setattr(rendering, "Browser", start)
    return browsers


@pytest.mark.needs_browser
def test_a_query_has_one_browser_however_often_its_sources_are_read(book: Path, started, monkeypatch):
    shutil.copy(book / "book.toml", book / "atlas.toml")
    read = []
    original = WrappedTable.read
    monkeypatch.setattr(WrappedTable, "read", lambda table, *rest: read.append(table.name) or original(table, *rest))
    answer = wq.connect(book, render=True).sql(LARGE)
    assert answer.table.to_pydict() == {"country": ["Elmland", "Brindle"], "people": [8400, 63217]}
    assert set(read) == {"book", "atlas"}
    assert len(read) > 2
    (browser,) = started
    assert browser.gone


@pytest.mark.needs_browser
def test_ctrl_c_ends_the_browser_of_a_query(book: Path, started, threads_left):
    def stop(_done: int, _planned: int) -> None:
        if started:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wq.connect(book, render=True).sql("SELECT geography.area FROM book", progress=stop)
    (browser,) = started
    assert browser.gone
    assert threads_left() == []


def test_a_query_without_rendered_pages_starts_no_browser(book: Path, started):
    assert wq.connect(book).sql("SELECT sum(geography.area) AS area FROM book").table.to_pydict() == {"area": [11135]}
    assert wq.connect(book, render=True).sql("SELECT count(*) AS n FROM book").table.to_pydict() == {"n": [4]}
    assert started == []


def test_tables_of_databases_are_listed_described_and_joined(book: Path):
    with duckdb.connect(book / "prices.duckdb") as database:
        database.execute("CREATE TABLE offers AS SELECT 'Oakia' AS country, 12.5 AS price")
    connection = wq.connect(book)
    names = connection.sql("SHOW TABLES").table.column("name").to_pylist()
    assert names == ["book", "index", "prices.offers"]
    assert connection.sql("DESCRIBE prices.offers").table.column("column").to_pylist() == ["country", "price"]
    answer = connection.sql("SELECT price, geography.area FROM prices.offers JOIN book USING (country)")
    assert (answer.table.to_pylist(), dict(answer.pages)) == ([{"price": 12.5, "area": 860.0}], {"book": 1})


def test_a_file_that_is_not_a_database_is_reported_by_name(book: Path):
    (book / "prices.duckdb").write_text("no database")
    with pytest.raises(wq.QueryError, match=r"prices\.duckdb: the database cannot be opened"):
        wq.connect(book).sql("SELECT * FROM prices.offers")
    assert wq.connect(book).sql("SELECT count(*) FROM book").table.num_rows == 1


@pytest.mark.parametrize("key", ["../secret", "..%2fsecret", "a\x00b", "x" * 5000, "/secret", "file:///etc/hostname"])
def test_keys_do_not_lead_out_of_the_folder_of_a_source(book: Path, learnt: wq.Wrapper, key: str):
    text = (book / "geos" / "oa.html").read_text()
    (book / "secret.html").write_text(text)
    for pages in ("geos/{code}.html", "geos/{+code}.html"):
        source = replace(learnt.source, base=str(book), pages=pages, key="code", index_file="", index_page="")
        connection = wq.connect([replace(learnt, source=source)])
        connection.register("keys", pa.table({"code": [key, "oa"]}))
        answer = connection.sql("SELECT b.code FROM keys JOIN book b USING (code)")
        assert answer.table.column("code").to_pylist() == ["oa"]
        assert len(answer.failures) == 1
        assert len(answer.failures[0].error) < 500
