from collections import Counter

import pytest
from benchmarks.hostile import DEEP, FAMILIES, deep_page
from benchmarks.lost_words import find_lost, words_of


@pytest.mark.parametrize(
    ("wanted", "found", "lost"),
    [
        ("one two", "two one", []),
        ("one two", "onetwo", []),
        ("onetwo", "one two", []),
        ("one two", "one", ["two"]),
        ("one one", "one", ["one"]),
        ("one", "one and more", []),
        ("", "", []),
    ],
)
def test_a_word_is_lost_if_its_characters_are(wanted, found, lost):
    assert find_lost(Counter(wanted.split()), Counter(found.split())) == lost


def test_words_lack_characters_that_xml_does_not_allow():
    assert words_of(["a\x01b\ud800c d\x0ce"]) == Counter(["abc", "d", "e"])


@pytest.mark.parametrize("kind", DEEP)
def test_deep_pages_have_their_words(kind):
    markup, words = deep_page(kind, 30)
    assert words
    assert all(word in markup for word in words)


@pytest.mark.parametrize("family", FAMILIES)
def test_families_grow(family):
    make = FAMILIES[family]
    assert 3.5 * len(make(200)) < len(make(800)) < 5 * len(make(200))
