"""Whole pages that we wrote: `pages/<slug>/page.html` and in `expected-regions.json` what a person would take from it.

The file says in `case` what the page shows, then of the main region:
`records`, in order, each with words that it holds and words around it that it lacks;
`fields`, the columns that matter: for each record the text, or null where the record has none;
`named`, when the keys of `fields` are names that the page itself states; otherwise they only help the reader;
`unwritten`, further columns by name, whose values are shown but not written so: stars, cents without a mark;
`typed`, what the texts of a column say, with one unit for all, and in `to` the upper ends of ranges;
`addresses`, columns of links and images, as written in the page.
`static` says whether the records can be told without rendering; `other_roles` name regions by a text in them, with
their role, or two roles with a bar between them where people differ: links at the side may be seen as a menu.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from urllib.parse import urljoin

import pytest

import webquarry as wq
from webquarry.rendering.browser import find_browser

EXPECTED = {
    file.parent: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).parents[1] / "pages").glob("*/expected-regions.json"))
}
CASES = [
    pytest.param((folder, kind), id=f"{folder.name}-{kind}", marks=marks)
    for folder, expected in EXPECTED.items()
    for kind, marks in (("rendered", pytest.mark.needs_browser), ("static", ()))
    if kind == "rendered" or expected["static"]
]
Regions = list[wq.Region]


def cases_that_tell(key: str) -> list:
    """The cases whose expectations say something of this; what says nothing is not a test."""
    return [case for case in CASES if key in (expected := EXPECTED[case.values[0][0]]) or key in expected["main"]]


@pytest.fixture(scope="session")
def documents() -> dict[tuple[Path, str], wq.Document]:
    """Each page by folder and kind, rendered in one browser where there is one."""
    pages = {folder: wq.fetch(folder / "page.html") for folder in EXPECTED}
    documents = {(folder, "static"): wq.clean(page) for folder, page in pages.items()}
    if find_browser() is not None:
        rendered = zip(pages, wq.render_all(list(pages.values())), strict=True)
        documents |= {(folder, "rendered"): document for folder, document in rendered}
    return documents


@pytest.fixture(scope="session")
def mined() -> dict[tuple[Path, str], Regions]:
    """What was mined so far: each claim about a page is a test of its own, and none changes a region."""
    return {}


@pytest.fixture
def case(request: pytest.FixtureRequest) -> tuple[Path, str]:
    return request.param


@pytest.fixture
def expected(case: tuple[Path, str]) -> dict:
    return EXPECTED[case[0]]


@pytest.fixture
def regions(case, documents, mined) -> Regions:
    if case not in mined:
        mined[case] = wq.mine(documents[case])
    return mined[case]


@pytest.fixture
def main(regions) -> wq.Region:
    assert regions, "no region at all"
    return regions[0]


def folded(text: str | None) -> str | None:
    return None if text is None else " ".join(text.split())


def texts_of(region: wq.Region, count: int) -> list[str]:
    """The texts of the first records; nothing for those that are missing."""
    texts = [folded(record.text) or "" for record in region.records]
    return [*texts, *[""] * count][:count]


def columns_of(region: wq.Region) -> dict[str, list[str | None]]:
    return {field.name: [folded(value) for value in field.values] for field in region.fields}


def plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value


@pytest.mark.parametrize("case", CASES, indirect=True)
def test_the_best_region_has_the_records_of_the_page_and_no_others(main, expected):
    assert len(main.records) == len(expected["main"]["records"])


@pytest.mark.parametrize("case", CASES, indirect=True)
def test_the_best_region_is_the_main_one(main):
    assert main.role == "main"


@pytest.mark.parametrize("case", CASES, indirect=True)
def test_each_record_in_order_holds_its_words(main, expected):
    records = expected["main"]["records"]
    missing = [
        (place, word)
        for place, (record, text) in enumerate(zip(records, texts_of(main, len(records)), strict=True))
        for word in record["text_has"]
        if word not in text
    ]
    assert missing == []


@pytest.mark.parametrize("case", CASES, indirect=True)
def test_no_record_holds_what_is_around_it(main, expected):
    records = expected["main"]["records"]
    strange = [
        (place, word)
        for place, (record, text) in enumerate(zip(records, texts_of(main, len(records)), strict=True))
        for word in record["lacks"]
        if word in text
    ]
    assert strange == []


@pytest.mark.parametrize("case", CASES, indirect=True)
def test_each_column_is_a_field(main, expected):
    found = columns_of(main)
    assert {name: column for name, column in expected["main"]["fields"].items() if column not in found.values()} == {}


@pytest.mark.parametrize("case", cases_that_tell("named"), indirect=True)
def test_columns_have_the_names_that_the_page_states(main, expected):
    found = {name.casefold(): column for name, column in columns_of(main).items()}
    stated = {name.casefold(): column for name, column in expected["main"]["fields"].items()}
    assert {name: found.get(name) for name in stated} == stated


@pytest.mark.parametrize("case", cases_that_tell("unwritten"), indirect=True)
def test_values_that_are_not_written_are_columns(main, expected):
    found, wanted = columns_of(main), expected["main"]["unwritten"]
    assert {name: found.get(name) for name in wanted} == wanted


@pytest.mark.parametrize("case", cases_that_tell("addresses"), indirect=True)
def test_links_and_images_are_absolute(main, expected):
    found = list(columns_of(main).values())
    wanted = {
        name: [address and urljoin(main.document.url, address) for address in addresses]
        for name, addresses in expected["main"]["addresses"].items()
    }
    assert {name: column for name, column in wanted.items() if column not in found} == {}


@pytest.mark.parametrize("case", cases_that_tell("typed"), indirect=True)
def test_columns_have_the_type_and_the_values_that_their_texts_say(main, expected):
    wanted = expected["main"]["typed"]
    columns = expected["main"]["fields"] | expected["main"].get("unwritten", {})
    found = {}
    for name in wanted:
        column = columns[name]
        field = next((field for field in main.fields if [folded(value) for value in field.values] == column), None)
        typed = field.typed if field else ()
        units = {value.unit for value in typed if value}
        found[name] = {
            "type": field.type if field else "not found",
            "values": [plain(value.value) if value else None for value in typed],
            "unit": units.pop() if len(units) == 1 else sorted(units, key=str),
        }
        if "to" in wanted[name]:
            found[name]["to"] = [value.to if value else None for value in typed]
    assert found == wanted


@pytest.mark.parametrize("case", cases_that_tell("other_roles"), indirect=True)
def test_other_regions_have_their_role(regions, expected):
    found = [(region.role, folded(" ".join(record.text for record in region.records)) or "") for region in regions]
    missing = [
        other
        for other in expected["other_roles"]
        if not any(role in other["role"].split("|") and other["text_has"] in text for role, text in found)
    ]
    assert missing == []
