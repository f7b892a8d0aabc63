"""Attributes that XHTML asks for."""

from __future__ import annotations

import pytest

from webquarry.html.xhtml import BOOLEAN, Ids, complete_attributes


@pytest.mark.parametrize(
    ("tag", "attributes", "expected"),
    [
        ("p", {}, {}),
        ("input", {"checked": ""}, {"checked": "checked"}),
        ("input", {"checked": "yes"}, {"checked": "yes"}),
        ("p", {"title": ""}, {"title": ""}),
        ("a", {"name": "x"}, {"name": "x", "id": "x"}),
        ("a", {"name": "x", "id": "y"}, {"name": "x", "id": "y"}),
        ("input", {"name": "x"}, {"name": "x"}),
        ("p", {"lang": "fr"}, {"lang": "fr", "xml:lang": "fr"}),
        ("p", {"xml:lang": "fr"}, {"xml:lang": "fr", "lang": "fr"}),
        ("p", {"lang": "fr", "xml:lang": "de"}, {"lang": "fr", "xml:lang": "de"}),
    ],
)
def test_attributes_are_completed(tag, attributes, expected):
    before = dict(attributes)
    assert complete_attributes(tag, attributes, Ids([])) == expected
    assert attributes == before


@pytest.mark.parametrize("name", sorted(BOOLEAN))
def test_no_boolean_attribute_is_minimised(name):
    assert complete_attributes("p", {name: ""}, Ids([])) == {name: name}


def test_ids_are_given_once():
    ids = Ids(["a", "a_2"])
    given = [ids.give(name) for name in ("a", "a", "b", "b", "", "", "a b", "9")]
    assert given == ["a_3", "a_4", "b", "b_2", "id", "id_2", "a_x0020_b", "_x0039_"]


def test_many_equal_names_are_written_quickly():
    ids = Ids([])
    assert len({ids.give("top") for _ in range(20_000)}) == 20_000
