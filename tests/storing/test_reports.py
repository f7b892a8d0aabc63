"""Reports in every format."""

import io
import json

import duckdb
import numpy as np
import pyarrow.parquet as pq

from webquarry.model.document import Document
from webquarry.model.page import Failure
from webquarry.model.report import Report, Selection, Verdicts
from webquarry.storing.query_tables import store_report


def verdicts_on(url: str, drops: list[bool], scores: list[float]) -> Verdicts:
    document = Document("<p>One</p><p>Two</p>", url=url)
    nodes = [document.node(path) for path in ("/html/body/p[1]", "/html/body/p[2]")]
    selection = Selection(document, np.array(nodes, dtype=np.int32), ("One", "Two"))
    return Verdicts(selection, np.array(scores), np.array(drops), ("first", "second"))


REPORT = Report(
    "knn",
    (
        verdicts_on("https://example.org/news/a.html", [False, True], [0.1, 1 / 3]),
        verdicts_on("https://example.org/news/about.html", [True, False], [2 / 3, 0.1]),
    ),
    failures=(Failure("https://example.org/gone", "it is gone"),),
)


def show(report: Report, name: str) -> str:
    stream = io.BytesIO()
    store_report(report, name, stream=stream)
    return stream.getvalue().decode()


def test_a_table_has_what_is_dropped_the_oddest_first():
    lines = [line.split() for line in show(REPORT, "table").splitlines()]
    assert lines[0] == ["page", "text", "score", "reason"]
    assert lines[2:4] == [["about.html", "One", "0.6667", "first"], ["a.html", "Two", "0.3333", "second"]]


def test_a_table_of_nothing_is_not_written():
    assert show(Report("knn", ()), "table") == ""
    assert show(Report("knn", (verdicts_on("https://example.org/", [False, False], [0, 0]),)), "table") == ""


def test_json_has_every_page_and_what_failed():
    lines = [json.loads(line) for line in show(REPORT, "jsonl").splitlines()]
    assert [line["page"].rpartition("/")[2] for line in lines] == ["a.html", "about.html", "gone"]
    assert lines[2]["error"] == "it is gone"
    assert json.loads(show(REPORT, "json")) == lines


def test_files_have_every_node(tmp_path):
    path = tmp_path / "x.parquet"
    assert store_report(REPORT, "parquet", path) == f"4 rows in {path}"
    assert pq.read_table(path)["drop"].to_pylist() == [False, True, True, False]
    store_report(REPORT, "duckdb", tmp_path / "x.duckdb", table_name="odd")
    with duckdb.connect(tmp_path / "x.duckdb") as database:
        assert database.sql("SELECT text, reason FROM odd WHERE score > .5").fetchall() == [("One", "first")]


def test_one_page_is_counted_in_the_singular(tmp_path):
    alone = Report("knn", REPORT.pages[:1])
    assert store_report(alone, "jsonl", tmp_path / "x.jsonl") == f"1 page in {tmp_path / 'x.jsonl'}"
