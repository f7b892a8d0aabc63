"""Test the counting, timing and reading that the benchmarks of queries rely on."""

from __future__ import annotations

from collections import Counter
from urllib.error import HTTPError
from urllib.request import urlopen

import lxml.html
import pytest
from benchmarks.queries.catalogs import GROUPS
from benchmarks.queries.planning import LEAVES, WideWeb, count_leaves, read_queries
from benchmarks.queries.reading import read_field, read_groups, read_items
from benchmarks.queries.server import serve
from benchmarks.queries.timing import measure

FIELD = """<table><tr><td><div id="field"><a title="Definitions and Notes: {name}">{name}</a>:</div></td></tr>
<tr><td id="data">{data}</td></tr></table>"""


@pytest.mark.parametrize(
    ("data", "text", "items"),
    [
        ('<div class="category_data">$5\n billion (2010)</div>', "$5 billion (2010)", [""]),
        (
            "<div>$5</div><span>country comparison to the world:</span> <span>7</span><div>$4</div><div>note: x</div>",
            "$5 $4",
            ["", ""],
        ),
        (
            "<div>total: <span>9 sq km</span></div><div>land: <span>8</span></div>",
            "total: 9 sq km land: 8",
            ["9 sq km", "8"],
        ),
        ("", None, []),
    ],
)
def test_a_field_is_read_without_notes_and_ranks(data, text, items):
    tree = lxml.html.fromstring(FIELD.format(name="Area", data=data) + FIELD.format(name="Areas", data="<p>no</p>"))
    assert read_field(tree, "Area") == text
    assert read_items(tree, "Area") == items
    assert read_field(tree, "Flag") is None


def test_the_page_of_groups_has_the_twelve_countries_of_the_eec():
    groups = list(read_groups(lxml.html.fromstring(GROUPS.read_bytes())))
    assert len(set(groups)) == len(groups)
    counts = Counter(group for group, _ in groups)
    assert counts["EEC"] == 12
    assert {country for group, country in groups if group == "EEC"} < {c for g, c in groups if g == "Europe"}


def test_the_server_counts_existing_pages(tmp_path):
    (tmp_path / "b.html").write_bytes(b"from a file")
    with serve({"/a.html": b"at hand", "/b.html": tmp_path / "b.html"}) as server:
        bodies = [urlopen(f"{server.address}{name}").read() for name in ("a.html", "b.html", "a.html")]
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{server.address}robots.txt")
        assert bodies == [b"at hand", b"from a file", b"at hand"]
        assert server.take_counts() == {"/a.html": 2, "/b.html": 1}
        assert not server.take_counts()


def test_runs_take_turns():
    seen = []
    costs = measure({"a": lambda: seen.append("a"), "b": lambda: seen.append("b")}, rounds=2)
    assert seen == ["a", "b", "a", "b"]
    assert costs.keys() == {"a", "b"}


def test_widened_sources_have_720_leaves(tmp_path):
    web = WideWeb(tmp_path)
    leaves = {name: sum(count_leaves(field.type) for field in source.schema) for name, source in web.sources.items()}
    assert set(leaves.values()) == {LEAVES}
    assert {name for query in read_queries() for name in query.least} <= leaves.keys()


def test_pages_of_widened_sources_are_counted_once(tmp_path):
    web = WideWeb(tmp_path)
    source = web.sources["groups"]
    source.read(list(source.site.pages), [], lambda: None)
    assert web.take_counts() == {"groups": 1}
    assert web.take_counts() == {}
