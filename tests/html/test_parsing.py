"""Markup to a tree in bounded memory."""

from __future__ import annotations

import pytest

from webquarry.html.parsing import (
    DOCTYPE,
    MAX_ATTRIBUTES,
    MAX_ROOT_TAGS,
    OUR_ROOT,
    bounded,
    parse_html,
    parse_ours,
    tame,
)
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


@pytest.mark.parametrize("count", [2_000, 4_000])
def test_short_pages_are_bounded_too(count):
    markup = "".join(f"<p><font color={number}>w{number} " for number in range(count))
    assert len(parse_html(markup).select("*")) < 3 * count


@pytest.mark.parametrize("unit", ["<p><font {}></p>", "<font {}></x>", "<b {}><i {}></b></i>", "</p><b title='>{}'>"])
def test_no_way_to_open_formatting_again_gets_around_the_bound(unit):
    markup = "".join(unit.replace("{}", f"a{number}=1") for number in range(5_000))
    assert len(parse_html(markup).select("*")) < 100_000


@pytest.mark.parametrize("name", ["body", "font", "template"])
def test_formatting_within_a_stray_quotation_mark_counts_too(name):
    fonts = "".join(f"<p><font color={number}>" for number in range(4_000))
    assert len(parse_html(f'<{name} x=a">{fonts}"').select("*")) < 12_000


@pytest.mark.parametrize("name", ["body", "html", "BODY"])
def test_the_attributes_of_many_roots_are_left_out_and_nothing_else(name):
    attributes = [f"<{name} a{number}='>{number}'>w{number} " for number in range(5_000)]
    tree = parse_html("<textarea><body x></textarea> " + "".join(attributes))
    (root,) = tree.select(name.lower())
    assert len(root.attrs) == MAX_ROOT_TAGS
    assert root.attrs["a1"] == ">1"
    assert tree.text.split() == ["<body", "x>", *(f"w{number}" for number in range(5_000))]


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


@pytest.mark.parametrize("tag", ["p", "html", "svg"])
def test_an_element_keeps_its_first_thousands_of_attributes(tag):
    several = "".join(f" @a{number}='<&lt;{number}'" for number in range(MAX_ATTRIBUTES + 1_000))
    xhtml = to_xhtml(f"<{tag}{several}><b>shown</b>")
    assert xhtml.count(" _x0040_a") == MAX_ATTRIBUTES
    assert f'_x0040_a{MAX_ATTRIBUTES - 1}="&lt;&lt;{MAX_ATTRIBUTES - 1}"' in xhtml
    assert "<b>shown</b>" in xhtml
