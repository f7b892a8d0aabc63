"""Posts of a discussion: their texts are kept, and what stands beside each of them is not."""

import pytest

from webquarry.model.document import Document
from webquarry.reading.reader import read_blocks

SAID = "Post {} tells of rivers, and of the towns that stand beside them since they were founded long ago."


def make_post(place: int, tag: str = "div", said: str = "") -> str:
    side = f"<b>Ann {place}</b><div>Well-known member</div><div>Messages: 7{place}</div>"
    main = f"<time>May {place}, 2024</time><div class=text>{said or SAID.format(place)}</div><div>3 like it</div>"
    return f"<{tag} class='p bg{place % 2}'><div class=side>{side}</div><div class=main>{main}</div></{tag}>"


def read(markup: str) -> list[str]:
    return read_blocks(Document(f"<title>Rivers</title><body><div id=thread>{markup}</div>")).text.splitlines()


@pytest.mark.parametrize("tag", ["div", "article", "li", "section"])
def test_only_the_texts_of_posts_are_kept(tag):
    posts = "".join(make_post(place, tag) for place in range(4))
    assert read(posts) == [SAID.format(place) for place in range(4)]


def test_a_short_post_is_kept_among_long_ones():
    posts = "".join(make_post(place, said="Thank you!" if place == 2 else "") for place in range(5))
    assert read(posts)[2] == "Thank you!"


def test_what_is_outside_of_the_posts_stays():
    question = "The question of the day is why rivers bend, and whether they would do so without any stones in them."
    posts = "".join(make_post(place) for place in range(4))
    assert read(f"<div><p>{question}</p></div><div>{posts}</div>")[0] == question


def test_paragraphs_and_dated_sections_of_a_text_are_no_posts():
    sections = "".join(
        f"<section><h2>Release {place}</h2><time>May {place}, 2024</time><p>{SAID.format(place)}</p></section>"
        for place in range(4)
    )
    assert [line for line in read(sections) if line.startswith("Release")] == [f"Release {place}" for place in range(4)]
