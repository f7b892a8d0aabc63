"""Characters that XML cannot hold, and those that it writes as references."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webquarry.html.characters import escape_texts, escape_values, is_legal, legal_comment, legal_text

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


def test_texts_are_escaped_each_for_itself():
    assert escape_texts(["a<b>", "", "&amp;", '"\t\n', "\r"]) == ["a&lt;b&gt;", "", "&amp;amp;", '"\t\n', "&#13;"]
    assert escape_texts([]) == []


def test_values_keep_their_white_space_by_references():
    assert escape_values(['"a\t\n\r', "&"]) == ["&quot;a&#9;&#10;&#13;", "&amp;"]


@quick
@given(texts=st.lists(st.text(st.sampled_from('a<&\0\r"\n'), max_size=8), max_size=8))
def test_no_text_moves_into_its_neighbour(texts):
    kept = [text.replace("\0", "") for text in texts]
    assert escape_texts(texts) == [
        text.replace("&", "&amp;").replace("<", "&lt;").replace("\r", "&#13;") for text in kept
    ]
