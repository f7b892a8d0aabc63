"""The truth about the pages for mining agrees with the pages: a wrong one would judge every miner wrongly."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import webquarry as wq

FOLDERS = sorted(file.parent for file in (Path(__file__).parents[1] / "pages").glob("*/expected-regions.json"))
TYPES = {"number", "money", "date", "boolean"}


@pytest.fixture(params=FOLDERS, ids=lambda folder: folder.name)
def folder(request) -> Path:
    return request.param


@cache
def document_of(folder: Path) -> wq.Document:
    return wq.clean(wq.fetch(folder / "page.html"))


@pytest.fixture
def document(folder) -> wq.Document:
    return document_of(folder)


@pytest.fixture
def text(document) -> str:
    """All that the page shows, white space folded."""
    return " ".join(document.text().split())


@pytest.fixture
def expected(folder) -> dict:
    return json.loads((folder / "expected-regions.json").read_text(encoding="utf-8"))


@pytest.fixture
def main(expected) -> dict:
    return expected["main"]


def test_every_word_of_a_record_is_on_the_page(main, text):
    assert [word for record in main["records"] for word in record["text_has"] if word not in text] == []


def test_what_a_record_lacks_is_on_the_page_elsewhere(main, text):
    assert [word for record in main["records"] for word in record["lacks"] if word not in text] == []


def test_no_record_lacks_what_it_holds(main):
    contradictions = [
        (word, own)
        for record in main["records"]
        for word in record["lacks"]
        for own in record["text_has"]
        if word in own
    ]
    assert contradictions == []


def test_records_are_in_the_order_of_the_page(main, text):
    """Each record is known by its first word, which is looked for after that of the record before."""
    place, misplaced = 0, []
    for record in main["records"]:
        word = record["text_has"][0]
        found = text.find(word, place)
        if found < 0:
            misplaced.append(word)
        else:
            place = found + len(word)
    assert misplaced == []


def test_every_value_of_a_column_is_on_the_page(main, text):
    values = [value for column in main["fields"].values() for value in column if value is not None]
    assert [value for value in values if value not in text] == []


def test_every_column_has_a_value_or_none_for_each_record(main):
    columns = {**main["fields"], **main.get("unwritten", {}), **main.get("addresses", {})}
    for name, column in main.get("typed", {}).items():
        columns |= {f"typed {name} {key}": column[key] for key in ("values", "to") if key in column}
    assert {name: len(column) for name, column in columns.items() if len(column) != len(main["records"])} == {}


def test_a_typed_column_has_its_texts_among_the_fields(main):
    texts = main["fields"] | main.get("unwritten", {})
    for name, column in main.get("typed", {}).items():
        assert column["type"] in TYPES
        assert [value is None for value in column["values"]] == [text is None for text in texts[name]]


def test_every_address_is_in_the_page(main, document):
    known = "\n".join(value for attributes in document.attributes for value in attributes.values())
    addresses = [address for column in main.get("addresses", {}).values() for address in column if address]
    assert [address for address in addresses if address not in known] == []


def test_other_regions_are_on_the_page(expected, text):
    others = expected.get("other_roles", [])
    assert [other for other in others if other["text_has"] not in text] == []
    assert {role for other in others for role in other["role"].split("|")} <= {"menu", "side"}


def test_style_sheets_and_images_lie_beside_the_page(folder, document):
    names = [
        attributes[name]
        for node, attributes in enumerate(document.attributes)
        for name, tag in (("src", "img"), ("href", "link"))
        if attributes and document.tag(node) == tag and attributes.get(name)
    ]
    beside = [name for name in names if "//" not in name and not name.startswith(("/", "data:"))]
    assert [name for name in beside if not (folder / name).is_file()] == []
