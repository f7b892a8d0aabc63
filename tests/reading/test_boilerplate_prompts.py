"""Lines and boxes that talk to the visitor stay out of the text."""

import pytest

from webquarry.model.document import Document
from webquarry.reading.reader import read_blocks

SAID = "The ferry left the harbour at noon, an hour late, with forty passengers and a piano on deck."
STORY = f"<p>{SAID}</p>" * 6


def read(body: str) -> list[str]:
    return read_blocks(Document(f"<body><main><h1>A piano at sea</h1>{body}</main>")).text.splitlines()


@pytest.mark.parametrize(
    "line",
    [
        "Advertisement",
        "- Anzeige -",
        "Article continues below this ad",
        "Share this article",
        "5 min read",
        "Lesezeit: 4 Minuten",
        "Back to top ↑",
        "Loading…",
        "Was this page helpful?",
    ],
)
def test_leaves_out_lines_that_talk_to_the_visitor(line):
    assert read(f"{STORY}<div>{line}</div>{STORY}") == [SAID] * 12


@pytest.mark.parametrize(
    "line", ["Share prices fell.", "He paid for the advertisement.", "5 minutes", "The back of the boat"]
)
def test_keeps_lines_that_only_begin_so(line):
    assert line in read(f"{STORY}<div>{line}</div>{STORY}")


def test_keeps_such_words_in_tables_and_headings():
    table = "<table><tr><th>Kind<th>Cost<tr><td>Advertisement<td>40<tr><td>Loading<td>12</table>"
    text = "\n".join(read(f"{STORY}<h2>Loading</h2>{STORY}{table}"))
    assert "Loading\n" in text
    assert "Advertisement" in text


@pytest.mark.parametrize("field", ["type=email", "name=your_mail", "placeholder='E-Mail-Adresse'"])
def test_leaves_out_a_box_that_asks_for_an_address(field):
    box = (
        "<div class=k9><h3>Morgenpost</h3><p>Was in der Bucht geschieht, lesen Sie jeden Morgen um sieben in Ihrem"
        f" Postfach, kostenlos.</p><div><input {field}><span>Los</span></div></div>"
    )
    assert read(f"{STORY}{box}{STORY}") == [SAID] * 12


def test_keeps_the_text_of_a_page_that_is_a_form():
    about = "<p>Write to us and we answer within a week, even in summer, when most of us are at sea.</p>"
    assert read(f"<div>{about}<input type=email></div>")
