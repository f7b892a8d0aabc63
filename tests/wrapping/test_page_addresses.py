from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given, strategies as st

from webquarry.errors import InputError
from webquarry.wrapping.page_addresses import (
    fill,
    find_key,
    index_from_links,
    index_from_rows,
    is_function,
    match,
    template_arguments as arguments_of,
)

ARGUMENTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: text not in (".", ".."))


@pytest.mark.parametrize(
    ("template", "names"),
    [
        ("geos/{code}.html", ("code",)),
        ("{ region }/{code}?of={region}", ("region", "code")),
        ("{+path}", ("path",)),
        ("index.html", ()),
        ("", ()),
    ],
)
def test_a_template_names_its_arguments_once(template: str, names: tuple[str, ...]) -> None:
    assert arguments_of(template) == names


@pytest.mark.parametrize(
    ("template", "fault"),
    [
        ("geos/{code.html", "a { that is never closed"),
        ("geos/code}.html", "a } that closes nothing"),
        ("{a{b}", "a { that is never closed"),
        ("geos/{}.html", "braces without a name"),
        ("geos/{+ }.html", "braces without a name"),
    ],
)
def test_a_broken_template_is_reported(template: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        arguments_of(template)


@pytest.mark.parametrize(
    ("template", "arguments", "address"),
    [
        ("geos/{code}.html", {"code": "fr", "name": "France"}, "geos/fr.html"),
        ("geos/{code}.html", {"code": "a/b c?d#e&f%g"}, "geos/a%2Fb%20c%3Fd%23e%26f%25g.html"),
        ("q?name={name}&again={name}", {"name": "Vélaine"}, "q?name=V%C3%A9laine&again=V%C3%A9laine"),
        ("{+url}", {"url": "https://example.org/a b?c=%20"}, "https://example.org/a%20b?c=%20"),
        ("a/../{+path}", {"path": "../b"}, "a/../../b"),
    ],
)
def test_arguments_are_escaped_for_their_place(template: str, arguments: dict[str, str], address: str) -> None:
    assert fill(template, arguments) == address


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"name": "France", "region": "Europe"}, "'code' of the template .* is missing; there are name, region"),
        ({}, "'code' .* is missing; there are none"),
        ({"code": ""}, "'code' .* is empty"),
        ({"code": ".."}, r"'code' is '\.\.', which would lead to another folder"),
    ],
)
def test_an_argument_that_cannot_be_used_is_named(arguments: dict[str, str], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        fill("{code}/index.html", arguments)


@pytest.mark.parametrize(
    ("template", "address", "arguments"),
    [
        ("geos/{code}.html", "geos/fr.html", {"code": "fr"}),
        ("geos/{code}.html", "geos/fr.html#people", {"code": "fr"}),
        ("geos/{code}.html", "geos/fr.htm", None),
        ("geos/{code}.html", "geos/fr.html?print=1", None),
        ("geos/{code}.html", "geos/eu/fr.html", None),
        ("geos/{code}.html", "geos/.html", None),
        ("geos/{code}.html", "old/geos/fr.html", None),
        ("geosX{code}.html", "geosX1.html", {"code": "1"}),
        ("geos.{code}", "geosXfr", None),
        ("{region}/{code}", "eu/V%c3%a9laine", {"region": "eu", "code": "Vélaine"}),
        ("{region}/{code}", "eu/Vélaine", {"region": "eu", "code": "Vélaine"}),
        ("~a b/{code}", "%7Ea%20b/x", {"code": "x"}),
        ("{code}/{code}1.html", "fr/fr1.html", {"code": "fr"}),
        ("{code}/{code}.html", "fr/it.html", None),
        ("p#{part}", "p#one", {"part": "one"}),
        ("https://example.org/{+path}", "https://example.org/a%2Fb/c?d", {"path": "a%2Fb/c?d"}),
        ("{a}", "%E9t%E9", {"a": "\udce9t\udce9"}),
        ("index.html", "index.html", {}),
    ],
)
def test_an_address_gives_its_arguments(template: str, address: str, arguments: dict[str, str] | None) -> None:
    assert match(template, address) == arguments


@given(ARGUMENTS, ARGUMENTS)
def test_matching_undoes_filling(first: str, second: str) -> None:
    arguments = {"first": first, "second": second}
    address = fill("a/{first}/{second}.html?again={first}", arguments)
    assert match("a/{first}/{second}.html?again={first}", address) == arguments
    assert address == f"a/{quote(first, safe='')}/{quote(second, safe='')}.html?again={quote(first, safe='')}"


def test_bytes_that_are_not_utf_8_survive_matching_and_filling() -> None:
    arguments = match("geos/{name}.html", "geos/V%E9laine.html")
    assert arguments is not None
    assert fill("geos/{name}.html", arguments) == "geos/V%E9laine.html"


@pytest.mark.parametrize(
    ("pages", "claim"),
    [
        ("mappings:address_of", True),
        ("my.mappings:_address", True),
        ("geos/{code}.html", False),
        ("https://example.org", False),
        ("mappings:", False),
        ("a:{b}", False),
        ("", False),
    ],
)
def test_functions_are_told_from_templates(pages: str, claim: bool) -> None:
    assert is_function(pages) is claim


def test_the_links_of_an_index_page_give_keys_and_arguments() -> None:
    links = [
        ("Home", "https://example.org/"),
        ("", "https://example.org/geos/fr.html"),
        (" France\n(1) ", "https://example.org/geos/fr.html"),
        ("more", "https://example.org/geos/fr.html#people"),
        ("Italy", "https://example.org/geos/it.html"),
        ("France (1)", "https://example.org/geos/fx.html"),
    ]
    assert index_from_links(links, "https://example.org/geos/{code}.html") == [
        ("France (1)", {"code": "fr"}),
        ("Italy", {"code": "it"}),
        ("France (1)", {"code": "fx"}),
    ]


@pytest.mark.parametrize("pages", ["", "index.html", "mappings:address_of"])
def test_links_cannot_be_matched_without_arguments(pages: str) -> None:
    with pytest.raises(InputError, match=r"write a template .*, or use a CSV file"):
        index_from_links([], pages)


ROWS = [
    {"country": "France", "region": "Europe", "code": "fr"},
    {"country": " Italy ", "region": "Europe", "code": " it "},
    {"country": "Nowhere", "region": "", "code": ""},
    {"country": "", "region": "", "code": "xx"},
]


def test_the_rows_of_a_table_give_keys_and_arguments() -> None:
    expected = [("France", {"code": "fr"}), ("Italy", {"code": "it"})]
    assert index_from_rows(ROWS, "country", "geos/{code}.html") == expected


def test_case_does_not_count_in_the_names_of_columns_where_one_alone_is_alike() -> None:
    row = {"Country": "France", "CODE": "fr"}
    assert index_from_rows([row], "country", "geos/{code}.html") == [("France", {"code": "fr"})]
    assert index_from_rows([row], "country", "mappings:address_of") == [("France", row)]
    with pytest.raises(InputError, match="no column 'Code', only country, code, CODE"):
        index_from_rows([{"country": "France", "code": "fr", "CODE": "FR"}], "country", "geos/{Code}.html")


def test_a_function_is_given_all_columns() -> None:
    assert index_from_rows(ROWS[:1], "country", "mappings:address_of") == [("France", ROWS[0])]


@pytest.mark.parametrize(
    ("key", "pages", "fault"),
    [
        ("name", "geos/{code}.html", "no column 'name', only country, region, code"),
        ("country", "geos/{iso}.html", "no column 'iso', only country, region, code"),
        ("", "geos/{code}.html", "has no `key`.*; columns are country, region, code"),
    ],
)
def test_columns_that_are_missing_are_named_with_those_that_are_there(key: str, pages: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        index_from_rows(ROWS, key, pages)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("France", "France"), ("FRANCE", "France"), ("it", "it"), ("IT", "IT"), ("It", None), ("Spain", None)],
)
def test_keys_are_found_as_written_or_in_any_case_when_only_one_is_alike(wanted: str, found: str | None) -> None:
    assert find_key(["France", "IT", "it"], wanted) == found
