"""Sections that their headings tell not to be part of the text."""

import pytest

from webquarry.model.document import Document
from webquarry.reading.reader import read_blocks

SENTENCE = "Sentence {} tells of rivers, and of the towns that stand beside them since they were founded long ago."
TEXT = "".join(f"<p>{SENTENCE.format(place)}</p>" for place in range(6))
LINKS = "".join(f"<div><a href=/{place}>The bridge number {place} of the town</a></div>" for place in range(2))
SAID = "<p>I was there and saw all of it, and it was much finer than the photographs could ever tell.</p>"


def read(markup: str) -> list[str]:
    return read_blocks(Document(f"<title>Rivers</title><body><div class=a>{markup}</div>")).text.splitlines()


SENTENCES = [SENTENCE.format(place) for place in range(6)]


@pytest.mark.parametrize(
    "section",
    [
        f"<div><h3>Comments (2)</h3>{SAID}{SAID}</div>",
        f"<h3>3 Kommentare</h3>{SAID}",
        f"<div><div><h2>Leave a reply</h2></div>{SAID}</div>",
        f"<div><h4>About the author</h4>{SAID}</div>",
        f"<section><h3>Sign up to our newsletter</h3>{SAID}</section>",
        f"<section><div>Stay up to date</div>{SAID}</section>",
        f"<div><h2>Customer reviews</h2>{SAID}</div>",
        f"<div><h2>Related articles</h2>{LINKS}</div>",
        f"<div><h2>Das könnte Sie auch interessieren</h2>{LINKS}</div>",
        f"<div><p>You may also like…</p>{LINKS}</div>",
    ],
)
def test_a_section_goes_with_its_heading(section):
    assert read(TEXT + section) == SENTENCES


@pytest.mark.parametrize(
    ("section", "kept"),
    [
        (f"<h2>Comments</h2>{SAID}<h2>Method</h2><p>{SENTENCE.format(9)}</p>", ["Method", SENTENCE.format(9)]),
        (f"<h2>Related articles</h2>{LINKS}<p>{SENTENCE.format(9)}</p>", [SENTENCE.format(9)]),
    ],
)
def test_what_follows_a_section_without_an_element_stays(section, kept):
    assert read(TEXT + section) == [*SENTENCES, *kept]


@pytest.mark.parametrize(
    "section",
    [
        f"<div><h3>Comments on the treaty of 1815</h3><p>{SENTENCE.format(9)}</p></div>",
        f"<div><h2>Related work</h2><p>{SENTENCE.format(9)}</p></div>",
        f"<div><h2>Related products</h2><p>{SENTENCE.format(9)}</p></div>",
    ],
)
def test_a_part_of_the_text_with_such_a_word_in_its_heading_stays(section):
    assert SENTENCE.format(9) in read(TEXT + section)


def test_a_section_with_most_of_the_page_stays():
    assert read(f"<div><h2>Newsletter</h2>{TEXT}</div>")[-6:] == SENTENCES
    assert read(f"<div><h2>Comments</h2>{TEXT}</div>")[-6:] == SENTENCES


def test_comments_go_with_their_heading_though_they_are_most_of_the_page():
    assert read(f"{TEXT}<div><h2>Comments</h2>{SAID * 60}</div>") == SENTENCES


def test_comments_are_the_content_of_a_discussion():
    markup = f"<div itemscope itemtype=https://schema.org/QAPage>{TEXT}<div><h2>3 comments</h2>{SAID}</div></div>"
    assert SAID.removeprefix("<p>").removesuffix("</p>") in read(markup)


def test_the_reason_tells_what_the_section_is():
    article = read_blocks(Document(f"<body><div>{TEXT}<div><h3>Comments</h3>{SAID}</div></div>"))
    assert [reason for _, reason in article.left_out] == ["comments", "comments"]
