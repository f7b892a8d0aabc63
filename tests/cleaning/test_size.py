"""Pages that are deeper, longer or denser than XML readers allow."""

from __future__ import annotations

import lxml.etree
import pytest

import webquarry as wq

LEVELS = 100_000
LONG = 12_000_000


def words(numbers: range) -> str:
    return "".join(f"w{number} " for number in numbers)


def text_of(root: lxml.etree._Element) -> str:
    return "".join(root.itertext(lxml.etree.Element, with_tail=True))


def nested(tag: str, levels: int) -> str:
    return "".join(f"<{tag}>w{number} " for number in range(levels))


@pytest.mark.parametrize("tag", ["div", "o:p"])
def test_a_hundred_thousand_levels_keep_all_text_in_order_and_every_element(to_xhtml, read, tag):
    xhtml = to_xhtml(nested(tag, LEVELS) + f"</{tag}>end" * 3)
    root = read(xhtml)
    assert text_of(root) == words(range(LEVELS)) + "end" * 3
    assert sum(1 for element in root.iter() if str(element.tag).endswith(tag.partition(":")[2] or tag)) == LEVELS
    assert to_xhtml(xhtml) == xhtml


def test_what_follows_a_deep_element_comes_after_it(to_xhtml, read):
    markup = nested("div", 400) + "".join(f"</div>a{number} " for number in range(400))
    assert text_of(read(to_xhtml(markup))) == words(range(400)) + "".join(f"a{number} " for number in range(400))


@pytest.mark.parametrize(
    "levels", [240, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 300, 511, 513]
)
def test_no_level_around_the_limits_is_lost(to_xhtml, read, levels):
    root = read(to_xhtml(nested("div", levels)))
    assert text_of(root) == words(range(levels))
    assert len(root.findall(".//{*}div")) == levels


@pytest.mark.parametrize("markup", ["<template>" + nested("div", 3_000), nested("template", 1_000)])
def test_templates_may_be_deep_too(to_xhtml, read, markup):
    root = read(to_xhtml(markup))
    assert text_of(root).split() == [word for word in markup.replace(">", "> ").split() if word.startswith("w")]


def test_deep_comments_keep_their_place(to_xhtml, read):
    markup = "<div><!--c-->" * 300 + "x"
    assert sum(comment.text == "c" for comment in read(to_xhtml(markup)).iter(lxml.etree.Comment)) == 300


def test_formatting_that_piles_up_stays_small_and_keeps_its_words(to_xhtml, read):
    count = 12_000
    markup = "".join(f"<p><font color={number}>w{number} " for number in range(count))
    assert len(markup) > 300_000
    xhtml = to_xhtml(markup)
    assert len(xhtml) < 3 * len(markup)
    root = read(xhtml)
    assert text_of(root) == words(range(count))
    assert [element.get("color") for element in root.iter() if element.get("color")] == list(map(str, range(count)))


def test_a_little_formatting_is_opened_again_as_browsers_do(read):
    root = read(wq.Document("<p><b><i>one<p>two").to_xhtml())
    assert len(root.findall(".//{*}b")) == len(root.findall(".//{*}i")) == 2


@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [
        ("<p>", "a", "</p>"),
        ("<p>", "é", "</p>"),
        ("<p>", "&amp;", "</p>"),
        ("<title>", "a", "</title>"),
        ("<script>", "if (a < b) ", "</script>"),
    ],
    ids=["letters", "two bytes each", "references", "title", "script"],
)
def test_a_text_of_twelve_million_bytes_is_whole(to_xhtml, read, before, piece, after):
    character = "&" if piece == "&amp;" else piece
    count = LONG // len(piece.encode())
    xhtml = to_xhtml(before + piece * count + after)
    assert text_of(read(xhtml)) == character * count
    assert to_xhtml(xhtml) == xhtml


@pytest.mark.parametrize("length", [9_499_999, 9_500_001, 9_999_999, 10_000_000, 10_000_001])
def test_a_text_around_the_limit_of_readers_is_whole(to_xhtml, read, length):
    assert text_of(read(to_xhtml("<p>" + "a" * length))) == "a" * length


def test_a_comment_of_twelve_million_characters_is_whole(to_xhtml, read):
    comments = [found.text for found in read(to_xhtml(f"<p>x<!--{'a' * LONG}-->")).iter(lxml.etree.Comment)]
    assert "".join(comments) == "a" * LONG


def test_a_value_of_four_megabytes_is_whole(to_xhtml, read):
    value = "data:image/png;base64," + "A" * 4_000_000
    (image,) = read(to_xhtml(f"<img src='{value}'>")).iter("{*}img")
    assert image.get("src") == value


def test_a_value_that_no_reader_accepts_is_cut(to_xhtml, read):
    (image,) = read(to_xhtml(f"<img alt=b src='{'A' * LONG}'>")).iter("{*}img")
    assert image.get("alt") == "b"
    assert 1_000_000 < len(image.get("src")) < LONG


@pytest.mark.parametrize("name", ["@" * 60_000, "o:" + "a" * 60_000, "a" * 60_000], ids=["odd", "prefixed", "plain"])
def test_a_tag_of_sixty_thousand_characters_is_shortened(to_xhtml, read, name):
    assert text_of(read(to_xhtml(f"<p>a<z{name}>b"))) == "ab"


def test_a_value_of_four_megabytes_that_grows_by_its_references_is_cut(to_xhtml, read):
    (image,) = read(to_xhtml(f"<img alt=b src='{'&<' * 2_000_000}'>")).iter("{*}img")
    assert image.get("alt") == "b"
    assert image.get("src").startswith("&<" * 500_000)


def test_an_instruction_of_twelve_million_characters_is_accepted(to_xhtml, read):
    assert text_of(read(to_xhtml(f"<p>x<?a {'y' * LONG}?>"))) == "x"


@pytest.mark.parametrize("name", ["a" * 60_000, "@" * 60_000], ids=["plain", "odd"])
def test_an_attribute_of_sixty_thousand_characters_is_shortened(to_xhtml, read, name):
    (paragraph,) = read(to_xhtml(f"<p {name}=1>")).iter("{*}p")
    assert paragraph.attrib.values() == ["1"]


def test_many_attributes_are_all_kept(to_xhtml, read):
    (paragraph,) = read(to_xhtml("<p " + " ".join(f"a{number}={number}" for number in range(5_000)) + ">")).iter("{*}p")
    assert len(paragraph.attrib) == 5_000


def test_the_columns_of_a_deep_page_have_all_its_text():
    document = wq.Document(nested("div", 20_000))
    assert document.text().split() == words(range(20_000)).split()
    assert document.node(document.xpath(len(document) - 1)) == len(document) - 1


def test_the_columns_of_formatting_that_piles_up_stay_few():
    document = wq.Document("".join(f"<p><font color={number}>w{number} " for number in range(12_000)))
    assert len(document) < 60_000
    assert document.text().split() == words(range(12_000)).split()
