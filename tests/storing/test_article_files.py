"""Articles in every format."""

import csv
import io
import json
from contextlib import closing

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest

from webquarry.errors import InputError
from webquarry.model.article import Article, Metadata
from webquarry.model.document import Document
from webquarry.model.page import Failure
from webquarry.storing.article_files import open_article_sink

PAGE = "https://example.org/ferry"
MARKUP = "<html><body><nav>Home</nav><h2>Ferry</h2><p>It sails <b>again</b>.</p></body></html>"


def make_article(url=PAGE, markup=MARKUP, **metadata):
    document = Document(markup, url=url)
    nodes = np.array([n for n, text in enumerate(document.texts) if text.strip()], dtype=np.int32)
    kept = np.array([document.tag(int(document.parents[n])) != "nav" for n in nodes])
    return Article(
        document, "blocks", nodes, kept, kept.astype(np.float32), ("because",) * len(nodes), Metadata(**metadata)
    )


def store(name, results, output=None, **knobs):
    stream = io.BytesIO()
    with closing(open_article_sink(name, output, stream=stream, **knobs)) as sink:
        for result in results:
            sink.add(result)
        told = sink.finish()
    return told if output is not None else stream.getvalue().decode()


def test_text_is_what_was_kept():
    assert store("text", [make_article(title="Other")]) == "Ferry\nIt sails again.\n"


def test_texts_of_many_pages_stand_under_their_addresses():
    assert store("text", [make_article()], many=True).startswith(f"{PAGE}\n\nFerry\n")


def test_markdown_begins_with_the_title_once():
    assert store("markdown", [make_article(title="The ferry")]).startswith("# The ferry\n\n## Ferry\n")
    own = make_article(markup="<h1>The ferry</h1><p>It sails.", title="The ferry")
    assert store("markdown", [own]).count("The ferry") == 1


def test_json_lines_have_every_node_with_its_reason():
    line = json.loads(store("jsonl", [make_article(author="Ann")]))
    assert line["author"] == "Ann"
    assert [(each["text"], each["kept"]) for each in line["nodes"]] == [
        ("Home", False),
        ("Ferry", True),
        ("It sails", True),
        ("again", True),
        (".", True),
    ]
    assert line["nodes"][3]["node"] == "/html/body/p/b/text()"


def test_a_failure_is_a_line_with_its_error_and_no_row():
    failed = Failure("https://example.org/x", "gone")
    assert json.loads(store("jsonl", [failed])) == {"page": "https://example.org/x", "error": "gone"}
    assert store("text", [failed]) == ""
    assert len(list(csv.reader(io.StringIO(store("csv", [failed, make_article()]))))) == 2


def test_tables_have_a_row_for_each_page(tmp_path):
    articles = [make_article(date="2026-03-01"), make_article(url="https://example.org/b", title="B")]
    rows = list(csv.DictReader(io.StringIO(store("csv", articles))))
    assert [row["_page"] for row in rows] == [PAGE, "https://example.org/b"]
    assert rows[0]["date"] == "2026-03-01"
    assert rows[0]["text"] == "Ferry\nIt sails again."
    store("parquet", articles, tmp_path / "a.parquet")
    assert pq.read_table(tmp_path / "a.parquet").column("title").to_pylist() == [None, "B"]
    store("duckdb", articles, tmp_path / "a.duckdb", table="news")
    with duckdb.connect(tmp_path / "a.duckdb") as database:
        assert database.sql("SELECT count(*) FROM news").fetchall() == [(2,)]


def test_no_article_is_a_table_without_rows():
    assert store("csv", []).strip() == "_page,title,author,date,language,site,text"


def test_many_pages_go_to_a_folder_a_file_each(tmp_path):
    told = store("markdown", [make_article(), make_article()], tmp_path / "texts", many=True)
    assert sorted(path.name for path in (tmp_path / "texts" / "example.org").iterdir()) == ["ferry-2.md", "ferry.md"]
    assert told.startswith("2 files in ")


def test_one_file_can_hold_the_texts_of_many_pages(tmp_path):
    store("text", [make_article(), make_article()], tmp_path / "all.txt", many=True)
    assert (tmp_path / "all.txt").read_text().count(PAGE) == 2


def test_what_is_not_finished_leaves_no_file(tmp_path):
    with closing(open_article_sink("text", tmp_path / "a.txt")) as sink:
        sink.add(make_article())
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_reported_before_the_work(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        open_article_sink("text", tmp_path / "file" / "a.txt")


@pytest.mark.parametrize("name", ["text", "markdown"])
def test_control_characters_do_not_reach_a_terminal(name):
    class Terminal(io.BytesIO):
        def isatty(self):
            return True

    stream = Terminal()
    sink = open_article_sink(name, stream=stream)
    sink.add(make_article(markup="<p>clear\x1b[2Jall"))
    assert b"\x1b" not in stream.getvalue()


def test_a_line_of_json_is_one_line_for_every_reader():
    article = make_article(markup="<p>one\u2028two\u2029three\x85four")
    written = store("jsonl", [article])
    assert len(written.splitlines()) == 1
    assert json.loads(written)["text"] == article.text
