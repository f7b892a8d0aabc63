"""Queries over servers that fail: a partial answer that says so or a clear error, and never a wrong row."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

import webquarry as wq
from webquarry.pipeline.open_catalogs import Connection

LOGIN = b"<!doctype html><title>Log in</title><h1>Log in</h1><form><p>Name <input></p><p>Password <input></p></form>"
AREAS = "SELECT country, geography.area FROM book ORDER BY country"
WHOLE = {"Brindle": 9031, "Elmland": 1200, "Holmark": 44, "Oakia": 860}
OAKIA = "/geos/oa.html"
Ask = Callable[..., Connection]


@pytest.fixture
def ask(book: Path, learnt: wq.Wrapper, server, tmp_path: Path) -> Ask:
    """Connects to a book of four countries on the server; knobs of fetching are taken."""
    server.faults = {}

    sound = server.RequestHandlerClass

    def serve(handler) -> None:
        fault = server.faults.get(handler.path)
        if fault is None:
            sound.do_GET(handler)
            return
        server.asked[handler.path] += 1
        handler.close_connection = True
        fault(handler)

    server.RequestHandlerClass = type("Faulty", (sound,), {"do_GET": serve})
    for page in (book / "geos").iterdir():
        server.pages[f"/geos/{page.name}"] = page.read_bytes()
    source = replace(learnt.source, base=server.url, pages="geos/{code}.html", key="country", index_page="index.html")
    wq.save_wrapper(book / "book.toml", replace(learnt, source=source))
    links = (line.split(",") for line in (book / "index.csv").read_text().splitlines()[1:])
    listed = "".join(f"<li><a href='geos/{code}.html'>{country}</a>" for country, code in links)
    server.pages["/index.html"] = f"<h1>Countries</h1><ul>{listed}</ul>".encode()
    given = {"cache": tmp_path / "cache", "allow_private": True, "requests_per_second": math.inf, "backoff": 0.01}
    return lambda **knobs: wq.connect(book, **given | knobs)


def send(status: int, body: bytes, *headers: tuple[str, str], kind: str = "text/html", missing: int = 0):
    """A fault: this answer; its last bytes may be `missing`."""

    def fault(handler) -> None:
        handler.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
            *headers,
        ):
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body[: len(body) - missing])

    return fault


def areas_of(answer) -> dict[str, float]:
    return {row["country"]: row["area"] for row in answer.table.to_pylist()}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (send(500, b"<h1>Oops</h1>"), "500"),
        (send(429, b"", ("Retry-After", "3600")), "wait 3600 seconds"),
        (send(200, b"<h1>Oakia</h1><h2>Geography</h2><h3>Area</h3><p>8600", missing=1), "broke off"),
        (send(200, b"\x89PNG\r\n\x1a\n" + bytes(200), kind="image/png"), "PNG"),
        (send(200, b""), "page does not match wrapper"),
        (send(302, b"", ("Location", "/login")), "page does not match wrapper"),
        (send(302, b"", ("Location", OAKIA)), "redirects"),
        (send(302, b"", ("Location", "file:///etc/hostname")), "not followed"),
    ],
)
def test_a_page_that_fails_gives_no_row_and_is_reported(ask: Ask, server, fault, said):
    server.pages["/login"], server.faults[OAKIA] = LOGIN, fault
    answer = ask(retries=1).sql(AREAS)
    assert areas_of(answer) == {country: area for country, area in WHOLE.items() if country != "Oakia"}
    assert [failure.page for failure in answer.failures] == [server.url + OAKIA]
    assert said in answer.failures[0].error


def test_a_server_that_asks_for_patience_gets_it(ask: Ask, server):
    def be_busy_once(handler) -> None:
        server.faults.clear()
        send(429, b"", ("Retry-After", "0"))(handler)

    server.faults[OAKIA] = be_busy_once
    answer = ask().sql(AREAS)
    assert (areas_of(answer), answer.is_partial) == (WHOLE, False)


def test_a_template_that_changes_in_mid_query_gives_no_rows_of_the_new_one(ask: Ask, server):
    """Its sums are those of the pages that were left."""
    for code in ("oa", "br"):
        table = f"<table><tr><td>Name<td>{code}<tr><td>Extent<td>77 acres</table>".encode()
        server.faults[f"/geos/{code}.html"] = send(200, table)
    answer = ask().sql("SELECT count(*) AS pages, sum(geography.area) AS area FROM book WHERE geography.area > 0")
    assert answer.table.to_pylist() == [{"pages": 2, "area": 1244}]
    assert len(answer.failures) == 2


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (send(404, b""), "404"),
        (send(200, LOGIN), "none of its links"),
        (send(302, b"", ("Location", "/login")), "none"),
    ],
)
def test_an_index_that_is_gone_is_an_error(ask: Ask, server, fault, said):
    server.pages["/login"], server.faults["/index.html"] = LOGIN, fault
    with pytest.raises(wq.WebquarryError, match=f"index.html.*{said}"):
        ask().sql(AREAS)


def test_pages_that_robots_txt_disallows_are_told_and_not_asked_for(ask: Ask, server):
    server.pages["/robots.txt"] = f"User-agent: *\nDisallow: {OAKIA}".encode()
    answer = ask().sql(AREAS)
    assert "robots.txt" in answer.failures[0].error
    assert (len(answer.failures), server.asked[OAKIA]) == (1, 0)
    assert areas_of(ask(ignore_robots=True).sql(AREAS)) == WHOLE


def test_what_was_had_answers_offline_and_what_was_not_is_reported(ask: Ask, server):
    ask().sql("SELECT geography.area FROM book WHERE country <> 'Oakia'")
    asked = server.asked.total()
    answer = ask(offline=True).sql(AREAS)
    assert areas_of(answer) == {country: area for country, area in WHOLE.items() if country != "Oakia"}
    assert "not in the cache" in answer.failures[0].error
    assert server.asked.total() == asked


def test_strict_has_no_rows_and_names_the_page(ask: Ask, server):
    server.faults[OAKIA] = send(500, b"")
    with pytest.raises(wq.WebquarryError, match=rf"{OAKIA}.*500"):
        ask().sql(AREAS, strict=True)


def test_keys_that_pages_made_up_ask_nobody_else(book: Path, learnt: wq.Wrapper, server, tmp_path: Path):
    """They are arguments of the address, however they look."""
    source = replace(learnt.source, base=server.url, pages="geos/{code}.html", key="code", index_file="")
    wq.save_wrapper(book / "book.toml", replace(learnt, source=source))
    server.pages[OAKIA] = (book / "geos" / "oa.html").read_bytes()
    connection = wq.connect(book, cache=tmp_path / "cache", allow_private=True, requests_per_second=math.inf)
    hostile = [
        "../oa",
        "//elsewhere.test/x",
        "file:///etc/hostname",
        "a\r\nHost: elsewhere.test",
        "\0",
        "?a=1",
        "",
        "..",
    ]
    connection.register("found", pa.table({"code": [*hostile, "oa", None]}))
    answer = connection.sql("SELECT code, geography.area FROM found JOIN book USING (code)")
    assert answer.table.to_pylist() == [{"code": "oa", "area": 860}]
    assert len(answer.failures) == len(hostile)
    assert all(path == "/robots.txt" or path.startswith("/geos/") for path in server.asked)
    assert server.asked[OAKIA] == 1


@pytest.mark.parametrize(
    ("file", "key", "query"),
    [
        ("select.toml", "order", """SELECT "order", geography.area FROM "select" WHERE "order" = 'Oakia'"""),
        ("Zürich Län.toml", "Ключ", "SELECT geography.area FROM zürich_län WHERE ключ = 'Oakia'"),
        ("2020.toml", "a b", "SELECT geography.area FROM _2020 WHERE a_b = 'Oakia'"),
        ("duckdb_tables.toml", "main", "SELECT geography.area FROM duckdb_tables AS main WHERE main = 'Oakia'"),
    ],
)
def test_files_and_keys_may_be_named_as_nothing_in_sql_is(book: Path, file: str, key: str, query: str):
    wrapper = wq.load_wrapper(book / "book.toml")
    wq.save_wrapper(book / file, replace(wrapper, source=replace(wrapper.source, key=key)))
    (book / "index.csv").write_text((book / "index.csv").read_text().replace("country", key, 1))
    answer = wq.connect(book).sql(query)
    assert (answer.table.column("area").to_pylist(), sum(answer.pages.values())) == ([860], 1)


def test_many_keys_and_deep_queries_fetch_what_short_ones_do(book: Path):
    keys = ", ".join(f"'no. {number}'" for number in range(2_000))
    chain = "".join(f", c{depth} AS (SELECT * FROM c{depth - 1})" for depth in range(1, 60))
    first = f"c0 AS (SELECT country, geography.area FROM book WHERE country IN ('Oakia', {keys}))"
    answer = wq.connect(book).sql(f"WITH {first}{chain} SELECT country, area FROM c59")
    assert (areas_of(answer), answer.pages) == ({"Oakia": 860}, {"book": 1})
