"""Extractions of ours and of other systems are read, and written back without what was dropped."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, strategies as st

import webquarry as wq
from webquarry.cli.demo import find_examples
from webquarry.errors import InputError
from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.validating.extraction_file import read_extraction
from webquarry.validating.foreign_xpaths import Row, map_rows

ARTICLE = Document("<h1>Title</h1><p>One <b>bold</b> word</p><p>Share this</p><pre>a\n  b</pre><p>End</p>", url="u")


def article_line() -> str:
    nodes = np.array([node for node in range(len(ARTICLE)) if ARTICLE.texts[node].strip()], dtype=np.int32)
    kept = np.array([text != "Title" for text in (ARTICLE.texts[node] for node in nodes)])
    reasons = tuple("prose" if each else "header" for each in kept.tolist())
    article = Article(ARTICLE, "blocks", nodes, kept, kept.astype(np.float32), reasons)
    return json.dumps(article.to_dict(), ensure_ascii=False) + "\n"


def test_what_an_article_keeps_is_the_extraction():
    rows = read_extraction(article_line()).rows
    assert [row.text for row in rows if row.left_out is None] == ["One", "bold", "word", "Share this", "a b", "End"]
    assert rows[1] == Row("u", "/html/body/p[1]/text()[1]", "One")


def test_what_an_article_left_out_has_its_reason():
    assert read_extraction(article_line()).rows[0] == Row("u", "/html/body/h1/text()", "Title", left_out="header")
    unreasoned = json.dumps({"page": "u", "nodes": [{"node": "/html/body/h1", "kept": False}]})
    assert read_extraction(unreasoned).rows[0].left_out == ""


def test_what_is_dropped_of_an_article_is_not_kept_and_leaves_its_text():
    line = article_line()
    before, after = json.loads(line), json.loads(read_extraction(line).without([2, 4]))
    assert after["text"] == "One word\na\n  b\nEnd"
    assert [node["kept"] for node in after["nodes"]] == [False, True, False, True, False, True, True]
    del before["text"], before["nodes"], after["text"], after["nodes"]
    assert after == before


def test_dropping_nothing_changes_no_byte():
    line = article_line().replace('", "', '" ,  "')
    assert read_extraction(line).without([]) == line


def mined_line() -> str:
    document = wq.clean(wq.fetch(min((find_examples() / "shops").rglob("*.html"))))
    mined = wq.PageRegions(document.url, document.kind, tuple(wq.mine(document)))
    return json.dumps(mined.to_dict(), ensure_ascii=False) + "\n"


def test_values_of_records_are_rows_and_leave_them_when_dropped():
    line = mined_line()
    file = read_extraction(line)
    before = json.loads(line)
    first = before["regions"][0]["records"][0]
    assert [(row.column, row.text) for row in file.rows[: len(first["nodes"])]] == [
        (name, first["values"][name]) for name in first["nodes"]
    ]
    name = file.rows[1].column
    after = json.loads(file.without([1]))
    for part in ("values", "nodes", "typed"):
        first[part].pop(name, None)
    assert after == before


def test_values_of_records_are_mapped_to_the_nodes_that_they_are_of():
    path = min((find_examples() / "shops").rglob("*.html"))
    document = wq.clean(wq.fetch(path))
    rows = read_extraction(mined_line()).rows
    assert map_rows(document, rows).tolist() == [document.node(row.xpath) for row in rows]


def test_columns_of_other_regions_are_told_apart():
    region = {"records": [{"values": {"a": "x"}, "nodes": {"a": "/html/body/p"}, "typed": {}}]}
    rows = read_extraction(json.dumps({"page": "u", "regions": [region, region]})).rows
    assert [row.column for row in rows] == ["a", "2.a"]


@pytest.fixture(scope="module")
def extraction() -> wq.Extraction:
    pages = [wq.clean(wq.fetch(path)) for path in sorted((find_examples() / "factbook" / "geos").glob("*.html"))[:4]]
    return wq.extract(wq.wrap(pages[:3], name="factbook"), pages[3])


def test_sections_of_a_page_are_rows_with_their_texts(extraction):
    rows = read_extraction(json.dumps(extraction.to_dict())).rows
    told = {row.column: row.text for row in rows}
    paths = list(extraction.to_dict()["nodes"])
    whole = [(path, value.text) for path, value in zip(paths, extraction.values, strict=True) if value.headings]
    assert len(whole) > 20
    assert [(path, told[path]) for path, _ in whole] == whole


def test_sections_of_a_page_are_mapped_to_the_nodes_that_they_are_of(extraction):
    rows = read_extraction(json.dumps(extraction.to_dict())).rows
    document = wq.clean(wq.fetch(extraction.page.removeprefix("file://")))
    assert map_rows(document, rows).tolist() == [document.node(row.xpath) for row in rows]


def test_a_section_leaves_record_nodes_and_types_when_dropped(extraction):
    line = json.dumps(extraction.to_dict())
    file = read_extraction(line)
    typed = list(json.loads(line)["typed"])
    place = next(place for place, row in enumerate(file.rows) if row.column == typed[0] and row.text)
    after = json.loads(file.without([place]))
    assert typed[0] not in after["nodes"]
    assert typed[0] not in after["typed"]
    left = read_extraction(json.dumps(after)).rows
    assert list(left) == [row for row in file.rows if row.column != typed[0]]
    assert json.dumps(after["record"]).count(json.dumps(file.rows[place].text)) + 1 == line.count(
        json.dumps(file.rows[place].text)
    )


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ('{"page": "u", "xpath": "/a"}', [Row("u", "/a")]),
        ('{"URL": "u", "XPath": "/a", "value": 12.5, "Field": "price"}', [Row("u", "/a", "12.5", "price")]),
        ('{"uri": "u", "xpaths": ["/a", "/b"]}', [Row("u", "/a"), Row("u", "/b")]),
        ('{"uri": "u", "xpath": ["/a", "/b"], "text": ["A", "B"]}', [Row("u", "/a", "A"), Row("u", "/b", "B")]),
        ('{"uri": "u", "xpath": ["/a", "/b"], "text": "A B"}', [Row("u", "/a"), Row("u", "/b")]),
        ('{"page": "u", "nodes": ["/a"]}', [Row("u", "/a")]),
        ('{"source": "u", "items": [{"path": "/a", "content": "A", "label": "l"}]}', [Row("u", "/a", "A", "l")]),
        ('{"page": "u", "nodes": {"t": "/a", "p": ["/b"]}}', [Row("u", "/a", None, "t"), Row("u", "/b", None, "p")]),
        ('{"page": "u", "scores": [{"node": "/a", "text": "A", "drop": true}]}', [Row("u", "/a", "A")]),
        ('{"page": "u", "results": []}', []),
    ],
)
def test_lines_of_other_systems_are_read_by_usual_names(line, rows):
    assert list(read_extraction(line).rows) == rows
    assert list(read_extraction(f"[\n{line}\n,\n{line}]").rows) == rows * 2


def test_rows_are_grouped_by_page_in_order():
    lines = "".join(f'{{"page": "{page}", "xpath": "/{number}"}}\n' for number, page in enumerate("abab"))
    assert read_extraction(lines).pages == {"a": [0, 2], "b": [1, 3]}


def test_pages_that_failed_are_counted_and_left_where_they_are():
    lines = '{"page": "u", "error": "no answer"}\n{"page": "v", "xpath": "/a"}\n'
    file = read_extraction(lines)
    assert (file.failures, len(file.rows)) == (1, 1)
    assert file.without([0]) == '{"page": "u", "error": "no answer"}\n'


@pytest.mark.parametrize(
    ("text", "dropped", "left"),
    [
        ('{"url":"u","xpath":"/a"}\r\n{"url":"u" ,"xpath":"/b"}\r\n', [0], '{"url":"u" ,"xpath":"/b"}\r\n'),
        ('{"url":"u","xpath":"/a"}\n{"url":"u","xpath":"/b"}', [1], '{"url":"u","xpath":"/a"}'),
        ('[{"url":"u","xpath":"/a"},\n {"url":"u","xpath":"/b"}]', [1], '[{"url":"u","xpath":"/a"}]'),
        ('[{"url":"u","xpath":"/a"},\n {"url":"u","xpath":"/b"} ]', [0], '[{"url":"u","xpath":"/b"} ]'),
        ('[{"url":"u","xpath":"/a"}]', [0], "[]"),
        ('{\n "url": "u",\n "xpath": "/a"\n}\n{"url":"u","xpath":"/b"}\n', [0], '{"url":"u","xpath":"/b"}\n'),
        ("page,xpath,x\nu,/a,1\n\nu,/b,2\n", [0], "page,xpath,x\nu,/b,2\n"),
        ("page;xpath;text\r\nu;/a;\"A\nB\"\r\nu;/b;'q'\r\n", [0], "page;xpath;text\r\nu;/b;'q'\r\n"),
    ],
)
def test_rows_that_are_items_leave_and_others_stay_byte_for_byte(text, dropped, left):
    assert read_extraction(text).without(dropped) == left


@pytest.mark.parametrize(
    ("text", "dropped", "left"),
    [
        ('{"url":"u","nodes": [ "/a" , "/b","/c" ]}', [1], {"url": "u", "nodes": ["/a", "/c"]}),
        ('{"url":"u","nodes": [ "/a" , "/b","/c" ]}', [1, 2], {"url": "u", "nodes": ["/a"]}),
        (
            '{"url":"u","nodes":["/a"],"n":[1.50,1e3,12345678901234567890,null,true]}',
            [0],
            {"url": "u", "nodes": [], "n": [1.5, 1000.0, 12345678901234567890, None, True]},
        ),
        (
            '{"url":"u","xpath":["/a","/b"],"text":["A","\\u0042"]}',
            [0],
            {"url": "u", "xpath": ["/b"], "text": ["B"]},
        ),
        ('{"url":"u","nodes":{"a": "/a", "b": ["/b", "/c"]}}', [0, 2], {"url": "u", "nodes": {"b": ["/b"]}}),
    ],
)
def test_an_object_that_loses_rows_keeps_all_other_values_in_their_order(text, dropped, left):
    other = '{"url" :"u","xpath":"/x","n":1.50}'
    first, second = read_extraction(f"{text}\n{other}\n").without(dropped).splitlines()
    assert json.dumps(json.loads(first)) == json.dumps(left)
    assert second == other


@pytest.mark.parametrize(("word", "written"), [("caf\u00e9", "caf\u00e9"), ("caf\\u00e9", "caf\\u00e9")])
def test_a_line_that_is_written_anew_escapes_letters_as_it_did(word, written):
    text = f'{{"url":"u","nodes":["/a"],"n":"{word}"}}'
    assert written in read_extraction(text).without([0])


def test_half_a_surrogate_pair_does_not_keep_a_line_from_being_written():
    text = '{"url":"\u00e9","nodes":["/a"],"n":"\\ud800"}'
    assert json.loads(read_extraction(text).without([0]).encode())["n"] == "\ufffd"


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("url,xpath\nu,/a\n", Row("u", "/a")),
        ("\ufeffPage\tXPath\tText\tColumn\nu\t/a\tA, B\tt\n", Row("u", "/a", "A, B", "t")),
        ('node;page;value\n"/a";u;"one ""two"""\n', Row("u", "/a", 'one "two"')),
    ],
)
def test_tables_are_read_by_the_names_in_their_header(table, row):
    assert read_extraction(table).rows == (row,)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "e.jsonl: the file is empty"),
        ('{"page": "u", "xpath": "/a"}\n{"page": "u", "xpath": }\n', "e.jsonl:2: not JSON"),
        ('{"page": "u", "xpath": "/a"}\n{"page"', "e.jsonl:2: not JSON"),
        ("[" * 100_000, "e.jsonl:1: not JSON"),
        ('[{"page": "u", "xpath": "/a"}\n', "e.jsonl:2: not JSON (the array has no end)"),
        ('[{"page": "u", "xpath": "/a"},\n 7]', "e.jsonl:2: expected an object with a page and XPaths, found 7"),
        ('{"title": "T", "xpath": "/a"}', "e.jsonl:1: no page; expected one under page, _page"),
        ('{"title": "T", "xpath": "/a"}', "found title, xpath"),
        ('{"page": "u", "title": "T"}', "e.jsonl:1: no XPaths; expected one under xpath, "),
        ('{"page": "u", "nodes": ["/a", {"title": 1}]}', "e.jsonl:1: nodes[1] has no XPath"),
        ("title,xpath\nT,/a\n", "e.jsonl:1: no column of pages; expected one called page, "),
        ("page,title\nu,T\n", "e.jsonl:1: no column of XPaths"),
        ("page,title\nu,T\n", "found page, title"),
        ("page,xpath\nu,/a\nu\n", "e.jsonl:3: expected page and XPath in cells 1 and 2, found 1 cell"),
        ("page,xpath\nu,/a\n,/b\n", 'e.jsonl:3: the page is missing, cell 1 is ""; name the page of each row'),
        ('{"page": "u", "xpath": "/a"}\n{"page": " ", "xpath": "/a"}', 'e.jsonl:2: the page is missing, page is " "'),
        ('{"url": null, "xpath": "/a"}', "e.jsonl:1: the page is missing, url is null"),
        ('{"page": "", "nodes": [{"node": "/a", "kept": true}]}', 'e.jsonl:1: the page is missing, page is ""'),
        (
            '{"page": "u", "xpath": null}',
            "e.jsonl:1: expected an XPath under xpath, found null; fix the line or remove it",
        ),
        ('{"page": "u", "items": "/a"}', 'e.jsonl:1: expected an XPath under items, found "/a"'),
        ('{"page": "u", "nodes": ["/a", ["/b"]]}', 'e.jsonl:1: expected an XPath under nodes[1], found ["/b"]'),
        ('{"page": "u", "items": [{"path": null}]}', "e.jsonl:1: expected an XPath under items[0].path, found null"),
        ('{"page": "u", "nodes": {"t": 7}}', "e.jsonl:1: expected an XPath under nodes.t, found 7"),
        ('{"page": "u", "nodes": {"t": ["/a", null]}}', "e.jsonl:1: expected an XPath under nodes.t[1], found null"),
    ],
)
def test_errors_name_the_line_what_was_expected_and_what_was_found(text, told):
    with pytest.raises(InputError) as raised:
        read_extraction(text, "e.jsonl")
    assert told in str(raised.value)


@pytest.mark.parametrize("node", ["null", '["/a"]'])
@pytest.mark.parametrize(
    ("line", "where"),
    [
        ('{"page": "u", "nodes": [{"node": "/a", "kept": true}, {"node": NODE, "kept": true}]}', "nodes[1].node"),
        (
            '{"page": "u", "regions": [{"records": [{"values": {"t": "T"}, "nodes": {"t": NODE}}]}]}',
            "regions[0].records[0].nodes.t",
        ),
        ('{"page": "u", "record": {"t": "T"}, "nodes": {"t": NODE}}', "nodes.t"),
    ],
)
def test_errors_name_the_place_of_a_wrong_xpath_in_our_own_lines(line, where, node):
    with pytest.raises(InputError) as raised:
        read_extraction('{"page": "u", "xpath": "/a"}\n' + line.replace("NODE", node), "e.jsonl")
    assert str(raised.value).startswith(f"e.jsonl:2: expected an XPath under {where}, found {node}; ")


def test_a_column_that_is_null_has_no_row():
    assert read_extraction('{"page": "u", "nodes": {"t": null, "p": "/b"}}').rows == (Row("u", "/b", None, "p"),)


def test_a_text_that_is_null_is_not_reported():
    line = '{"page": "u", "text": null, "nodes": [{"node": "/a", "text": null, "kept": true}]}'
    file = read_extraction(line)
    assert file.rows == (Row("u", "/a", None),)
    assert file.without([0]) == line.replace("true", "false")


@given(
    st.recursive(
        st.text(max_size=4) | st.none() | st.integers(),
        lambda inside: (
            st.lists(inside, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "page",
                        "xpath",
                        "nodes",
                        "regions",
                        "records",
                        "record",
                        "values",
                        "text",
                        "node",
                        "kept",
                        "error",
                    ]
                ),
                inside,
                max_size=4,
            )
        ),
    )
)
def test_any_json_is_read_or_told_to_be_wrong(value):
    text = json.dumps(value) + "\n"
    try:
        file = read_extraction(text)
    except InputError:
        return
    assert file.without([]) == text
    file.without(range(len(file.rows)))


def test_a_table_of_records_is_values_with_the_texts_of_typed_columns():
    text = (
        "_page,_fetched,title,link,price,price_unit,price_text,data.sku\n"
        "u,2026,Lamp,https://a.test/l,9.0,EUR,9 €,7\n"
        "u,2026,Saw,,,,,8\n"
    )
    file = read_extraction(text)
    assert [(row.page, row.xpath, row.text, row.column) for row in file.rows] == [
        ("u", "", "Lamp", "title"),
        ("u", "", "9 €", "price"),
        ("u", "", "Saw", "title"),
    ]
    with pytest.raises(InputError, match="--format jsonl"):
        file.without([0])


@pytest.mark.parametrize(
    "text", ["page,xpath,text\nx.html,/a,\nx.html,/b, ", '{"page": "x.html", "xpath": "/a", "text": " "}']
)
def test_a_blank_text_says_nothing_of_the_node(text):
    assert {row.text for row in read_extraction(text).rows} == {None}
