"""Posts of a discussion: their texts are kept, and names, dates and links beside them are not."""

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


@pytest.mark.parametrize("age", [" weeks ago", "y", "mo", " hrs"])
def test_dates_that_no_class_names_are_signs_of_posts(age):
    posts = "".join(
        f"<div class=x{place}><div>Ann</div><div>{place + 1}{age}</div><section>{SAID.format(place)}</section>"
        f"<div>7 likes</div></div>"
        for place in range(4)
    )
    assert read(posts) == [SAID.format(place) for place in range(4)]


def test_a_heading_that_every_post_repeats_is_left_out():
    posts = "".join(
        f"<div class=post><h3>Re: Rivers</h3><div>0{place + 1}-05-2014, 13:12</div>"
        f"<div class=text>{SAID.format(place)}</div></div>"
        for place in range(4)
    )
    assert read(posts) == [SAID.format(place) for place in range(4)]


def test_signatures_are_left_out_even_as_quotations():
    posts = "".join(
        f"<li class=post><div class=date>May {place}, 2024</div><div><blockquote class=postcontent>{SAID.format(place)}"
        f"</blockquote></div><blockquote class='signature restore'>Sent from my boat on the river</blockquote></li>"
        for place in range(4)
    )
    assert read(f"<ol>{posts}</ol>") == [SAID.format(place) for place in range(4)]


def test_posts_in_rows_of_tables_are_read():
    posts = "".join(
        f"<table id=post{place}><tr><td>05-06-2011, 13:1{place}<tr><td><div>Ann</div><div>Posts: 99</div>"
        f"<td><div>{SAID.format(place)}</div><tr><td>Ann is offline<td><a href=/r>Reply</a></table>"
        for place in range(4)
    )
    assert read(posts) == [SAID.format(place) for place in range(4)]


def test_posts_that_are_called_comments_are_the_content_if_nothing_else_is():
    posts = "".join(
        f"<article class='ipsComment'><time>May {place}, 2024</time><div class=text>{SAID.format(place) * 3}</div>"
        f"</article>"
        for place in range(4)
    )
    assert read(f"<div id=comments>{posts}</div>") == [SAID.format(place) * 3 for place in range(4)]


def test_comments_in_the_markup_of_the_text_before_them_are_a_thread():
    first = f"<div class=thing><form><div class=md>{SAID.format(0) * 3}</div></form></div>"
    replies = "".join(
        f"<div class='thing comment'><p class=tagline>ann, 3 years ago</p>"
        f"<form><div class=md>{SAID.format(place)}</div></form></div>"
        for place in range(1, 5)
    )
    assert [line for line in read(first + replies) if line.startswith("Post")] == [
        SAID.format(0) * 3,
        *(SAID.format(place) for place in range(1, 5)),
    ]


def test_comments_in_other_markup_than_the_text_are_left_out():
    replies = "".join(
        f"<li class=comment><div class=comment-text>{SAID.format(place)}</div></li>" for place in range(5)
    )
    lines = read(f"<div class=entry-content>{SAID.format(9) * 3}</div><ol class=comments>{replies}</ol>")
    assert lines == [SAID.format(9) * 3]


@pytest.mark.parametrize(("asker", "is_thread"), [("/user/ann", True), ("/author/ann", False), ("/user/login", False)])
def test_comments_are_a_thread_where_members_wrote_them_and_the_text(asker, is_thread):
    question = "".join(f"<p>Question {place}: {SAID.format(place)}</p>" for place in range(4))
    comments = "".join(
        f"<div class=comment><a href=/user/{name}>{name}</a><span>{SAID.format(name)}</span></div>"
        for name in ("ben", "eve", "kim")
    )
    text = read(f"<div><a href={asker}>Ann</a><div>{question}</div></div><div class=comments>{comments}</div>")
    assert any("Question 3" in line for line in text)
    assert any("Post eve" in line for line in text) is is_thread


def test_posts_of_who_began_the_thread_may_have_another_class():
    posts = "".join(make_post(place) for place in range(6))
    marked = posts.replace("<div class='p bg0'>", "<div class='p bg0 owner'>")
    assert read(marked) == [SAID.format(place) for place in range(6)]


def test_counts_beside_posts_are_left_out_of_a_discussion():
    stated = '<script type="application/ld+json">{"@type": "QAPage"}</script>'
    posts = "".join(f"<div><div>{40 + place}</div><div><p>{SAID.format(place)}</p></div></div>" for place in range(2))
    assert read(stated + posts) == [SAID.format(0), SAID.format(1)]
    assert "40" in read(posts)
