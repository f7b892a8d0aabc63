"""The single steps from records to columns."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest

from webquarry.html.urls import make_resolver
from webquarry.mining.alignment import find_links, image_address
from webquarry.mining.column_labels import find_labels
from webquarry.mining.column_splits import fill_slots
from webquarry.mining.record_pieces import Pieces, find_pieces
from webquarry.model.document import Document
from webquarry.model.names import distinct
from webquarry.page.leaves import find_leaves


def pieces_of(*contents: str) -> Pieces:
    document = Document("".join(f"<article>{content}</article>" for content in contents))
    found = [document.node(f"/html/body/article[{place + 1}]") for place in range(len(contents))]
    spans = [(node, int(document.ends[node])) for node in found if node is not None]
    return find_pieces(document, spans, find_leaves(document))


PIECES = [
    pytest.param("<p>One</p><p>Two</p>", ["One", "Two"], id="blocks part"),
    pytest.param("One<br>Two", ["One", "Two"], id="a break parts"),
    pytest.param("<b>Brand:</b> Acme", ["Brand:", "Acme"], id="a label is no highlight"),
    pytest.param("<a>In</a> | <a>Out</a>", ["In", "Out"], id="separators are no pieces"),
    pytest.param("<i>a</i>, <i>b</i> (<i>c</i>)", ["a", "b", "c"], id="nor are commas and brackets"),
    pytest.param("<td>-</td>", ["-"], id="a dash alone is one"),
    pytest.param("<p>A<img src=x>B</p>", ["A", "", "B"], id="an image parts, and is one"),
    pytest.param("<b>Wa</b>ter", ["Water"], id="parts of a word are one"),
    pytest.param("<a>One</a><a>Two</a>", ["One", "Two"], id="links are whole"),
    pytest.param("  One \n two  ", ["One two"], id="white space is folded"),
    pytest.param("<p>one<!-- x --> two</p>", ["one two"], id="comments part nothing"),
    pytest.param("<p>seen<span hidden>unseen</span></p>", ["seen"], id="hidden text is none"),
]


@pytest.mark.parametrize(("content", "texts"), PIECES)
def test_pieces(content, texts):
    assert pieces_of(content).texts == texts


def test_a_piece_of_several_texts_stands_at_the_element_that_holds_them():
    pieces = pieces_of("<p>The <b>big</b> cat sat on a <b>red</b> mat</p>", "<p>No <b>dog</b> was ever seen there</p>")
    assert pieces.texts == ["The big cat sat on a red mat", "No dog was ever seen there"]
    assert [pieces.document.tag(node) for node in pieces.nodes] == ["p", "p"]


LABELS = [
    pytest.param("<p>Size: 3</p>", ["Size"], [6], id="before a colon"),
    pytest.param("<p>Size : 3</p>", ["Size"], [7], id="with a space"),
    pytest.param("<p>12:30</p>", [None], [0], id="a time has none"),
    pytest.param("<p>https://example.org</p>", [None], [0], id="nor has an address"),
    pytest.param("<b>Size:</b> 3", ["Size", "Size"], [0, 0], id="an element before"),
    pytest.param("<p>Size:</p>", [None], [0], id="not without a value"),
]


@pytest.mark.parametrize(("content", "names", "starts"), LABELS)
def test_labels(content, names, starts):
    pieces = pieces_of(content, content)
    half = len(pieces) // 2
    labels = find_labels(pieces, [*range(half), *range(half)])
    assert labels.names[:half] == names
    assert labels.starts[:half] == starts


def slots_of(*records: list[str]) -> list[list[str | None]]:
    """Texts in slots; before and after each stand the same neighbours."""
    pieces = pieces_of(*("".join(f"<p>{text}</p>" for text in texts) for texts in records))
    column: dict[int, list[int]] = {}
    for piece, record in enumerate(pieces.records):
        column.setdefault(record, []).append(piece)
    found = fill_slots(pieces, column, lambda: [(-1, -1)] * len(pieces))
    return [
        [", ".join(pieces.texts[piece] for piece in slot[record]) if record in slot else None for record in column]
        for slot in found
    ]


def test_slots_are_told_by_the_look_of_what_stands_in_them():
    assert slots_of(["oak", "12"], ["7"], ["elm", "9"]) == [["oak", None, "elm"], ["12", "7", "9"]]


def test_without_any_sign_the_first_slots_are_filled():
    assert slots_of(["oak", "fir"], ["elm"]) == [["oak", "elm"], ["fir", None]]


def test_pieces_in_varying_number_that_look_alike_are_a_list():
    assert slots_of(["a", "b", "c"], ["d"], ["e", "f"]) == [["a, b, c", "d", "e, f"]]


def test_facts_that_differ_from_place_to_place_are_no_list():
    found = slots_of(["38 KB", "2017-02-06", "new"], ["44 KB", "2017-02-10"], ["51 KB", "2016-01-02", "old"])
    assert found == [["38 KB", "44 KB", "51 KB"], ["2017-02-06", "2017-02-10", "2016-01-02"], ["new", None, "old"]]


ADDRESSES = [
    ("b.html", "https://example.org/a/b.html"),
    (" /b ", "https://example.org/b"),
    ("//cdn.example.org/x", "https://cdn.example.org/x"),
    ("?page=2", "https://example.org/a/list?page=2"),
    ("https://example.net/x", "https://example.net/x"),
    ("mailto:a@example.org", "mailto:a@example.org"),
    ("#top", None),
    ("", None),
    ("javascript:go()", None),
    ("http://[bad", "http://[bad"),
]


@pytest.mark.parametrize(("written", "address"), ADDRESSES)
def test_addresses_are_absolute(written, address):
    assert make_resolver(Document("<p>", url="https://example.org/a/list"))(written) == address


def test_the_base_of_a_page_may_be_relative():
    resolve = make_resolver(Document("<base href='../b/'>", url="https://example.org/a/list"))
    assert resolve("x") == "https://example.org/b/x"


def test_nodes_in_links_know_them():
    document = Document("<a href=1><b>in</b></a><b>out</b><a>no address</a>")
    nodes = [document.node(path) for path in ("/html/body/a[1]/b", "/html/body/b", "/html/body/a[2]")]
    assert find_links(document, nodes, nodes[0]) == [document.node("/html/body/a[1]"), -1, -1]


def test_drawings_have_no_address():
    document = Document("<svg></svg>", url="https://example.org/")
    drawing = next(node for node in range(len(document)) if document.tag(node) == "svg")
    assert image_address(document, drawing, make_resolver(document)) is None


def test_names_stay_unique_when_a_name_with_a_number_is_there_already():
    assert distinct(["text_2", "text", "text", "text"], ignore_case=True) == ["text_2", "text", "text_3", "text_4"]


@pytest.mark.parametrize(
    "url", ["https://example.org", "https://example.org/a/", "https://example.org/a/b?c=d/e", "file:///a/b.html", ""]
)
@pytest.mark.parametrize(
    "written",
    [
        "x",
        "x.png",
        "x/y",
        "/x/y.html?q=1",
        "x?q=1&r=2",
        "a//b",
        "x.tar.gz",
        "../x",
        "../../../x/y.html#z",
        "../x/../y",
        "x#y",
        "./x",
        "/.x",
        "x?",
        "/x:y",
        "x;y",
        "/a@b/~c,d/",
    ],
)
def test_the_short_way_to_an_address_ends_where_the_long_one_does(url, written):
    assert make_resolver(Document("<p>", url=url))(written) == urljoin(url, written)
