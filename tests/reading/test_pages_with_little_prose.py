"""What the default reader keeps of pages that have no text to speak of: too much is better than nothing."""

from __future__ import annotations

import pytest

from webquarry.model.document import Document
from webquarry.reading.reader import read_blocks

MENU = "<nav><ul>" + "".join(f"<li><a href=/{each}>Section {each}</a>" for each in range(12)) + "</ul></nav>"
FOOTER = "<footer><p>Harbour Gazette, all rights reserved.</p></footer>"
SENTENCE = "The ferry left the harbour at noon, an hour late, with a piano on deck."
LINES = ("Upright piano", "Walnut", "88 keys", "210 kg", "Made in 1911")


def read(body: str) -> str:
    return read_blocks(Document(f"<!doctype html><body>{body}</body>")).text


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        ("<p>Closed today", ["Closed today"]),
        ("Closed today", ["Closed today"]),
        (f"<p>{SENTENCE}", [SENTENCE]),
        (f"<h1>Late again</h1><p>{SENTENCE}</p>", [SENTENCE]),
        ("".join(f"<div>{line}</div>" for line in LINES), list(LINES)),
        ("".join(f"<span>{line}</span><br><br>" for line in LINES), list(LINES)),
        (f"<table><tr><td>{'<tr><td>'.join(LINES)}</table>", list(LINES)),
        (f"<table><tr><td><b>Notice</b><td><font>{SENTENCE}</font></table>", [SENTENCE]),
        (f"<form>{''.join(f'<div>{line}</div>' for line in LINES * 2)}<input type=submit></form>", list(LINES)),
        (f"<form><p>{SENTENCE}</p><p>{SENTENCE}</p></form>", [SENTENCE, SENTENCE]),
        ("".join(f"<article><h2>{line}</h2><span>{place} crowns</span></article>" for place, line in enumerate(LINES)),
         ["Walnut", "1 crowns"]),
        ("".join(f"<article><a href=/{line[0]}>{line}, seen from the side</a></article>" for line in LINES),
         [f"{line}, seen from the side" for line in LINES]),
        ("<ul>" + "".join(f"<li><a href=/{line[0]}>{line}, for sale</a></li>" for line in LINES) + "</ul>",
         [f"{line}, for sale" for line in LINES]),
        ("<dl>" + "".join(f"<dt>{line}</dt><dd>{place}</dd>" for place, line in enumerate(LINES)) + "</dl>",
         ["Upright piano", "0", "Walnut"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_framed", [False, True])
def test_keeps_what_a_page_without_much_prose_has(page, kept, is_framed):
    lines = read(f"{MENU}{page}{FOOTER}" if is_framed else page).replace("\t", "\n").split("\n")
    assert [line for line in kept if line not in lines] == []
    assert "Section 3" not in lines
    assert "Harbour Gazette, all rights reserved." not in lines


def test_says_where_all_that_is_not_furniture_was_kept():
    article = read_blocks(Document(MENU + "".join(f"<div>{line}</div>" for line in LINES)))
    assert set(article.reasons) == {"navigation", "all that is not furniture"}
    assert article.scores[article.kept].min() >= 0.5


@pytest.mark.parametrize(
    ("sentences", "head", "has_facts"),
    [
        (1, "", True),
        (12, "", False),
        (1, "<meta property=article:published_time content=2024-05-01>", False),
    ],
)
def test_the_facts_of_an_offer_are_content_where_it_has_little_prose(sentences, head, has_facts):
    facts = "".join(f"<li>{line}, {place}</li>" for place, line in enumerate(LINES * 4))
    story = "".join(f"<p>{SENTENCE} It was sold {place} times.</p>" for place in range(sentences))
    page = f"{MENU}<div><h1>A piano</h1><ul>{facts}</ul><div><h2>Description</h2><div>{story}</div></div></div>{FOOTER}"
    text = read_blocks(Document(f"<!doctype html><head>{head}</head><body>{page}</body>")).text
    assert SENTENCE in text
    assert ("Walnut, 1" in text) is has_facts
