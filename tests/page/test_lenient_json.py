"""JSON and literals of JavaScript as pages write them."""

from __future__ import annotations

import pytest

from webquarry.page.lenient_json import parse_json, parse_literal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ('// <![CDATA[\n{"a": 1}\n// ]]>', {"a": 1}),
        ('<!-- {"a": "b"} -->', {"a": "b"}),
        ('{"a": "one\ntwo"};', {"a": "one\ntwo"}),
        ('/* about */ {"a": 1}', {"a": 1}),
    ],
)
def test_reads_json_with_common_faults_without_a_word(text, value):
    assert parse_json(text) == (value, "")


@pytest.mark.parametrize("text", ['{"a": ', "[" * 100_000, "{'a': 1}", "undefined", "\ud800", "{{page.json}}"])
def test_tells_the_fault_of_broken_json(text):
    assert parse_json(text).fault


def test_an_empty_block_is_told():
    assert parse_json(" \n") == (None, "empty block")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 'it\\'s', \"b\": !1, c: void 0, 4: .5,}", {"a": "it's", "b": False, "c": None, "4": 0.5}),
        ("[0x1F, -2e3, `plain`, new Date('2026-01-02'), other]", [31, -2000.0, "plain", "2026-01-02", None]),
        ("/* c */ {a /* d */ : // e\n '\\u0041\\x42\\n'}", {"a": "AB\n"}),
    ],
)
def test_reads_literals_of_javascript(text, value):
    assert parse_literal(text, 0)[0] == value


@pytest.mark.parametrize("text", ["", "{a}", "[1", "{a: 'b}", "[" * 5000, "{a: function() {}}", "{,}"])
def test_refuses_what_is_no_literal(text):
    with pytest.raises(ValueError, match="at character"):
        parse_literal(text, 0)
