"""Markup to a tree in bounded memory."""

from __future__ import annotations

import pytest

from webquarry.html.parsing import DOCTYPE, OUR_ROOT, bounded, expected_elements, parse_ours, tame
from webquarry.html.xhtml import to_xhtml

PILE = "".join(f"<p><font color={number}><B class=x>word</p>" for number in range(20_000))


def test_formatting_that_would_fill_the_memory_is_read_as_span():
    tamed = tame(PILE)
    assert "<font" not in tamed
    assert "<B" not in tamed
    assert tamed.startswith("<p><span color=0><span class=x>word</p>")
    assert tamed.count("word") == 20_000


@pytest.mark.parametrize(
    "markup",
    [
        "<p><font color=1>x",
        "<b>x</b>" * 50_000,
        "<body><br><button><base>" * 50_000,
        "<p>" + "<strong>x</strong> y " * 20_000,
    ],
    ids=["short", "closed", "other names", "dense"],
)
def test_ordinary_formatting_stays(markup):
    assert tame(markup) is markup


def test_large_pages_are_bounded_only_where_formatting_piles_up():
    plain = "<p>" + "<b>x</b> <i class=y>z</i> " * 30_000
    assert bounded(plain) is plain
    unclosed = "<b>x" * 150_000  # of equal elements a browser opens three again
    assert bounded(unclosed) is unclosed
    assert bounded(PILE) == tame(PILE) != PILE


def test_a_dense_page_has_no_more_elements_than_expected():
    assert expected_elements("<p><b><i>x" * 1_000) < 3_000
    assert expected_elements("<p>some words of a paragraph" * 1_000) > 1_000
    assert expected_elements("") > 3


def test_our_xhtml_is_read_as_xml():
    tree = parse_ours(to_xhtml("<p>x"))
    assert tree is not None
    assert tree.root.tag == "html"


@pytest.mark.parametrize(
    "markup",
    [
        "",
        "<p>x",
        DOCTYPE,
        DOCTYPE + "<html>",
        f"{DOCTYPE}{OUR_ROOT}><p></html>",
        f"<!--x-->{DOCTYPE}{OUR_ROOT}></html>",
    ],
)
def test_anything_else_is_not_ours(markup):
    assert parse_ours(markup) is None
