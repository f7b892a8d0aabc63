from __future__ import annotations

import pytest

import webquarry as wq
from webquarry.html.columns import Kind
from webquarry.model.document import Document
from webquarry.page.looks import indents, rendered_look, static_look

STYLED = """
<style>h2 { font-size: 21.3px; color: rgb(10, 20, 30); font-weight: 500 } p { font: italic bold 12px serif;
text-decoration: underline }</style><h2>Area</h2><p>9 <b>km</b>
"""


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("p", "16px"),
        ("h1", "32px bold"),
        ("h4 > a", "16px bold"),
        ("td:1/2 > b :", "16px bold"),
        ("p > i", "16px italic"),
        ("p > u", "16px underlined"),
        ("p > small", "13.5px"),
        ("p > font[size=5 color=red]", "24px red"),
        ("p > font[size=+1]", "19px"),
        ("p > font[size=-2]", "11px"),
        ("p > font[size=huge]", "16px"),
        ("p[font-size:10px]", "10px"),
        ("p[font-size:2em font-style:italic]", "32px italic"),
        ("p[font-size:150%]", "24px"),
        ("p[font-size:larger]", "16px"),
        ("p[font-weight:700]", "16px bold"),
        ("b > span[font-weight:normal]", "16px"),
        ("p[text-decoration:underline color:#fff]", "16px underlined #fff"),
        ("", "16px"),
    ],
)
def test_a_signature_says_how_its_text_looks_without_style_sheets(signature, words):
    assert static_look(signature).to_words() == words


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>here", 0),
        ("<ul><li>here", 40),
        ("<ul><li><ul><li>here", 80),
        ("<dl><dd>here", 40),
        ("<blockquote><p>here", 40),
        ("<p style='margin-left: 10px; padding-left: 3PX'>here", 13),
        ("<p style='text-indent: 2em'>here", 32),
        ("<p style='margin-left: auto'>here", 0),
        ("<p style='margin-left: .px'>here", 0),
    ],
)
def test_markup_sets_in(markup, expected):
    document = Document(markup)
    assert indents(document)[document.texts.index("here")] == expected


def test_rendered_text_looks_as_it_was_painted(browser):
    document = wq.render(wq.Page(url="https://example.org/", body=STYLED.encode()))
    looks = {
        document.texts[node].strip(): rendered_look(document.layout, int(document.parents[node])).to_words()
        for node in range(len(document))
        if document.kinds[node] == Kind.TEXT and not document.hidden[node] and document.texts[node].strip()
    }
    assert looks == {
        "Area": "21.5px #0a141e",
        "9": "12px bold italic underlined #000000",
        "km": "12px bold italic #000000",
    }
