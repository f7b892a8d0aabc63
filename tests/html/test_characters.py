"""Characters that XML cannot hold, and those that it writes as references."""

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.html.xhtml_names import (
    QUOTE,
    escape_quoted,
    escape_text,
    escape_value,
    is_legal,
    legal_comment,
    legal_text,
)

quick = settings(deadline=None, derandomize=True, max_examples=100, database=None)
ILLEGAL = [*map(chr, range(9)), "\x0b", *map(chr, range(14, 32)), "\ud800", "\udfff", "\ufffe", "\uffff"]
LEGAL = ["\t", "\n", "\r", " ", "\x7f", "\x85", "\xa0", "\ud7ff", "\ue000", "\ufffd", "\U00010000", "\U0010ffff"]


@pytest.mark.parametrize("character", ILLEGAL, ids=ascii)
def test_illegal_characters_are_left_out(character):
    assert not is_legal(f"a{character}b")
    assert legal_text(f"a{character}b") == "ab"


@pytest.mark.parametrize("character", LEGAL, ids=ascii)
def test_legal_characters_stay(character):
    assert is_legal(f"a{character}b")
    assert legal_text(f"a{character}b") == f"a{character}b"


def test_a_form_feed_parts_words():
    assert not is_legal("a\x0cb")
    assert legal_text("a\x0cb") == "a b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" a ", " a "),
        ("a-b", "a-b"),
        ("a--b", "a- -b"),
        ("a---b", "a- - -b"),
        ("a----", "a- - - - "),
        ("-", "- "),
        ("a-", "a- "),
        (">", " >"),
        ("->", " ->"),
        ("a->", "a->"),
    ],
)
def test_comments_hold_no_double_hyphen_and_no_early_end(text, expected):
    assert legal_comment(text) == expected
    assert legal_comment(expected) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a<b>", "a&lt;b&gt;"), ("", ""), ("&amp;", "&amp;amp;"), ('"\t\n', '"\t\n'), ("\r", "&#13;")],
)
def test_texts_are_escaped_as_xml_asks(text, expected):
    assert escape_text(text) == expected


def test_values_keep_their_white_space_by_references():
    assert escape_value('"a\t\n\r&') == "&quot;a&#9;&#10;&#13;&amp;"


@quick
@given(value=st.text(st.sampled_from('a<&\r"\n\t='), max_size=12))
def test_values_that_are_escaped_within_their_quotes_are_the_same(value):
    written = value.replace('"', QUOTE)
    assert escape_quoted(f'a="{written}"') == f'a="{escape_value(value)}"'
