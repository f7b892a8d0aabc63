"""Markup as columns of tokens."""

from __future__ import annotations

import pytest

from webquarry.html.tokens import (
    CLOSE,
    COMMENT,
    EMPTY,
    OPAQUE_CLOSE,
    OPAQUE_OPEN,
    OPEN,
    TEXT_ONLY,
    join_tokens,
    read_tokens,
)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("", []),
        ("a", [(TEXT_ONLY, "", "a")]),
        ("<p>a</p>b", [(OPEN, "<p>", "a"), (CLOSE, "</p>", "b")]),
        ("<P Class=A>", [(OPEN, '<p class="A">', "")]),
        ("<br>a<br/>b</img>c", [(EMPTY, "<br/>", "a"), (EMPTY, "<br/>", "bc")]),
        ("<x/>a", [(EMPTY, "<x/>", "a")]),
        ("<x a=b/>", [(OPEN, '<x a="b/">', "")]),
        ("<x a=b />", [(EMPTY, '<x a="b"/>', "")]),
        ("<!--c-->a", [(COMMENT, "<!--c-->", "a")]),
        ("<?php b?>a", [(COMMENT, "<!--?php b?-->", "a")]),
        ("<!DOCTYPE html>a", [(TEXT_ONLY, "", "a")]),
        ("<script>a<b</script>c", [(OPAQUE_OPEN, "<script>", "a&lt;b"), (OPAQUE_CLOSE, "</script>", "c")]),
        ("<script src=a />b", [(OPAQUE_OPEN, '<script src="a">', "b"), (OPAQUE_CLOSE, "</script>", "")]),
        ("<style>a", [(OPAQUE_OPEN, "<style>", "a"), (OPAQUE_CLOSE, "</style>", "")]),
        ("<input checked>", [(EMPTY, '<input checked="checked"/>', "")]),
        ("<p @a='\"'>", [(OPEN, '<p _x0040_a="&quot;">', "")]),
    ],
)
def test_tokens_are_written_as_xhtml_with_the_text_that_follows(markup, expected):
    tokens = read_tokens(markup)
    found = [(tokens.whats[number], tokens.parts[number], tokens.tails[number]) for number in range(len(tokens))]
    assert [token for token in found if token != (TEXT_ONLY, "", "")] == expected


def test_a_tag_without_attributes_is_made_once():
    tokens = read_tokens("")
    assert tokens.tag(OPEN, "o:p") == tokens.tag(OPEN, "o:p") != tokens.tag(CLOSE, "o:p")
    assert tokens.parts[tokens.tag(CLOSE, 'a"b')] == "</a_x0022_b>"


def test_tokens_join_to_a_page_with_empty_elements_closed():
    tokens = read_tokens("<html><p></p><b>x</b><script></script></html>")
    written = join_tokens(tokens, range(1, len(tokens)))
    assert written.endswith('<html xmlns="http://www.w3.org/1999/xhtml"><p/><b>x</b><script/></html>')
