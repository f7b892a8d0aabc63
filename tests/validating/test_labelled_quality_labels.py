"""Labels in files."""

import pytest

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.validating.labelled_quality import (
    BOILERPLATE,
    CONTENT,
    UNKNOWN,
    Label,
    match_labels,
    parse_labels as parse,
)

LABELS = [Label("https://a.example/1", "/html/body/p[1]", True, 1), Label("b.html", "/html/body/nav", False, 2)]


def test_reads_json_lines() -> None:
    text = (
        '{"page": "https://a.example/1", "node": "/html/body/p[1]", "label": true}\n'
        '{"page": "b.html", "node": "/html/body/nav", "label": "boilerplate", "by": "me"}\n\n'
    )
    assert parse(text) == LABELS


def test_reads_csv_with_columns_in_any_order() -> None:
    text = '\ufeffNode,label,page\r\n/html/body/p[1],1,"https://a.example/1"\r\n/html/body/nav,No,b.html\r\n'
    assert [(label.page, label.node, label.content) for label in parse(text)] == [
        (label.page, label.node, label.content) for label in LABELS
    ]
    assert [label.line for label in parse(text)] == [2, 3]


def test_a_heading_alone_gives_no_labels() -> None:
    assert parse("page,node,label\n") == []


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "truth.csv:1: the header row lacks page, node, label"),
        ("page,xpath,label\n", "truth.csv:1: the header row lacks node"),
        ("page,node,label\na,/html,1\nb,/html\n", "truth.csv:3: label missing"),
        ("page,node,label\na,/html,perhaps\n", "truth.csv:2: 'perhaps' is not a label; use true or false"),
        ('{"page": "a", "node": "/html", "label": null}', "truth.csv:1: label missing"),
        (
            '{"page": "a", "node": "/html", "label": 1}\n[1]',
            "truth.csv:2: expected an object with page, node, label",
        ),
        ('{"page": "a", "node": "/html", "label": 1}\n{"page"', "truth.csv:2: not JSON "),
        ("page,node,label\na," + "x" * 200_000 + ",1\n", "truth.csv:2: not CSV [(]field larger than field limit"),
    ],
)
def test_errors_name_the_line(text: str, error: str) -> None:
    with pytest.raises(InputError, match=f"^{error.replace('.', '[.]')}"):
        parse(text, "truth.csv")


PAGE = Document("<p>One <b>two</b></p><div>Three<i>four</i></div>five", url="file:///site/posts/1.html")


def labels_of(*labels: tuple[str, bool], page: str = "file:///site/posts/1.html") -> dict[str, int]:
    (found,), missing = match_labels([Label(page, node, content, 7) for node, content in labels], [PAGE])
    assert not missing
    return {text: int(found[node]) for node, text in enumerate(PAGE.texts) if text}


def test_the_label_of_an_element_holds_for_the_texts_in_it() -> None:
    found = labels_of(("/html/body/p", True), ("/html/body/div", False))
    assert found == {"One ": CONTENT, "two": CONTENT, "Three": 0, "four": BOILERPLATE, "five": UNKNOWN}


def test_the_innermost_label_counts_whatever_comes_first() -> None:
    labels = [("/html/body/div/i", True), ("/html/body/div", False), ("/html/body/div/text()", True), ("/html", False)]
    assert labels_of(*labels) == labels_of(*labels[::-1])
    assert labels_of(*labels) == {"One ": 0, "two": 0, "Three": 1, "four": 1, "five": 0}


@pytest.mark.parametrize("page", ["posts/1.html", "./posts/1.html", "1.html"])
def test_a_page_is_known_by_how_its_address_ends(page: str) -> None:
    assert labels_of(("/html/body/p", True), page=page)["two"] == CONTENT


def test_says_which_labels_stand_for_nothing() -> None:
    other = Document("<p>x", url="file:///site/other/1.html")
    labels = [
        Label("2.html", "/html", True, 2),
        Label("posts/1.html", "/html/body/ul", True, 3),
        Label("1.html", "", True, 4),
    ]
    found, missing = match_labels(labels, [PAGE, other], "truth.csv")
    assert missing == [
        "truth.csv:2: no such page: 2.html",
        "truth.csv:3: no such node: /html/body/ul of posts/1.html",
        "truth.csv:4: no such page: 1.html",
    ]
    assert all((each == UNKNOWN).all() for each in found)
