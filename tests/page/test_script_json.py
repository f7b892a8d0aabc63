"""JSON and literals of JavaScript as pages write them, and the state that scripts start from."""

import json

import pytest

from webquarry.page.script_json import MAX_STATE, hydrate, parse_json, parse_literal, read_state


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


def values(text, kind="", name=""):
    return [parsed.value for parsed in read_state(text, kind=kind, name=name)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('window.__INITIAL_STATE__ = {"a": 1};(function(){}())', {"a": 1}),
        ("window['__PRELOADED_STATE__']={a: undefined, b: 'c'}", {"a": None, "b": "c"}),
        (r'window.__APOLLO_STATE__ = JSON.parse("{\"a\": \"b\\\"c\"}");', {"a": 'b"c'}),
        ('var initialData = [{"a": 1}]', [{"a": 1}]),
        (
            'window.__NUXT__=(function(a,b){return {data:[{title:a,price:b}]}}("Kettle",12.5));',
            {"data": [{"title": "Kettle", "price": 12.5}]},
        ),
        (
            'window.__NUXT__=(function(a,b){return {data:[{title:a,price:b}]}})("Kettle",12.5)',
            {"data": [{"title": "Kettle", "price": 12.5}]},
        ),
    ],
)
def test_reads_what_is_assigned_to_names_of_states(text, value):
    assert values(text) == [value]


def test_reads_rows_of_server_components():
    row = '1:["$","div",null,{"items":[{"name":"Kettle"}]}]\n2:"text"\n'
    assert values(f"self.__next_f.push([1,{json.dumps(row)}])") == [
        {"1": ["$", "div", None, {"items": [{"name": "Kettle"}]}]}
    ]


def test_reads_blocks_of_json_and_resolves_those_of_nuxt():
    assert values('{"props": 1}', kind="application/json", name="__NEXT_DATA__") == [{"props": 1}]
    assert values('[["Reactive", 1], {"a": 2}, 5]', kind="application/json", name="__NUXT_DATA__") == [{"a": 5}]


@pytest.mark.parametrize("flat", [[{"a": 0}], [[0, 0]], [[1], [0]], ["x"], [], 5, [{"a": 99}], [["Map", 1], ["x"]]])
def test_resolves_any_array_in_the_end(flat):
    hydrate(flat)


def test_leaves_other_scripts_alone():
    assert values("var __x = 5; if (__state == {}) {}; __data = function() {}") == []
    assert values("__STATE__ = {a: 1}", kind="text/template") == []
    assert values("x" * (MAX_STATE + 1)) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("window.__STATE__ = {" + " " * MAX_STATE + "};", "too long"),
        ('self.__next_f.push([1, "' + " " * MAX_STATE + '"])', "too long"),
        ("window.__STATE__ = JSON.parse('{\"name\": ');", "broken state"),
        (r'self.__next_f.push([1, "1:{\"name\": \n"])', "broken state: 1 row of"),
    ],
)
def test_assigned_states_that_cannot_be_read_are_told(text, fault):
    [parsed] = read_state(text, kind="", name="")
    assert parsed.value is None
    assert fault in parsed.fault


def test_long_programs_are_not_told():
    assert list(read_state("let a = 1;" + " " * MAX_STATE, kind="", name="")) == []


def test_broken_and_overlong_states_are_told():
    assert [parsed.fault for parsed in read_state("__STATE__ = {a: 1", kind="", name="")] != [""]
    [parsed] = read_state(f'["{"x" * MAX_STATE}"]', kind="application/json", name="")
    assert "too long" in parsed.fault
