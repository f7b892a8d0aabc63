"""Whole sources that we wrote: a wrapper learnt from the first pages reads all of them.

The expected sections are in `pages-of-sources/<source>/expected-sections.json`; the README there says what is in it.
A section is right when its words are nearly those expected, as `ALIKE` says.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import webquarry as wq
from webquarry.model.extraction import Extraction
from webquarry.model.wrapper import Source, Wrapper
from webquarry.rendering.browser import find_browser
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.section_reader import Reader
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

ALIKE = 0.9
"""Of the words, as the harmonic mean of precision and recall."""
SAMPLES = 4
FOLDER = Path(__file__).parents[1] / "pages-of-sources"
EXPECTED = {
    file.parent.name: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted(FOLDER.glob("*/expected-sections.json"))
}
KNOWN_MISSES = {
    # sections whose own text is beside a note only, and sub-sections that few pages have
    "factbook-bars": 12,
    "factbook-captions": 12,
    "factbook-definition-lists": 3,
    "factbook-label-cells": 12,
    "factbook-small-bars": 12,
    "factbook-small-headings": 12,
    "factbook-definition-links": 12,
}
"""How many sections of a source are not right, over all of its pages."""
KNOWN_MISSED_ROWS = {
    # a section that is on a page twice is one section, its values joined
    "filings-in-pre": {"FORMER COMPANY"},
    # variants look like the sections around them, and are taken for sections
    "genes-numbered-capitals": {row["heading"] for row in EXPECTED["genes-numbered-capitals"]["rows"]},
    # an advertisement is between two jobs in the format of their texts, and goes to the first
    "job-listings": {"Senior Programmer"},
}
KINDS = [pytest.param("static"), pytest.param("rendered", marks=pytest.mark.needs_browser)]
with_kinds = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture(scope="module")
def documents() -> dict[tuple[str, str], list[wq.Document]]:
    """The pages of each source by its name and by kind, rendered in one browser where there is one."""
    pages = {name: [wq.fetch(FOLDER / name / page) for page in truth["pages"]] for name, truth in EXPECTED.items()}
    found = {(name, "static"): [wq.clean(page) for page in each] for name, each in pages.items()}
    if find_browser() is not None:
        rendered = iter(list(wq.render_all([page for each in pages.values() for page in each[:SAMPLES]])))
        found |= {(name, "rendered"): [next(rendered) for _ in each[:SAMPLES]] for name, each in pages.items()}
    return found


@pytest.fixture(scope="module")
def wrappers(documents) -> dict[tuple[str, str], Wrapper]:
    return {key: learn_sections(pages[:SAMPLES], Source(key[0])) for key, pages in documents.items()}


@pytest.fixture(scope="module")
def read(documents, wrappers) -> dict[tuple[str, str], dict[str, Extraction]]:
    """What is read of the static pages of each source, by the name of the page."""
    return {
        (name, kind): dict(
            zip(EXPECTED[name]["pages"], map(Reader(wrapper).read, documents[name, "static"]), strict=True)
        )
        for (name, kind), wrapper in wrappers.items()
    }


def plain(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.lower().replace("_", " ")))


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def are_alike(true: str, said: str) -> bool:
    first, second = words(true), words(said)
    return bool(first or second) and 2 * (first & second).total() >= ALIKE * (first.total() + second.total())


def at(record: Any, path: list[str]) -> Any:
    for name in path:
        named = {key if key.startswith("_") else plain(key): value for key, value in record.items()}
        record = named.get(name if name.startswith("_") else plain(name), {})
        if not isinstance(record, dict):
            return record if name == path[-1] else None
    return record or None


def text_of(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{'' if key.startswith('_') else key} {text_of(each)}" for key, each in value.items())
    return " ".join(map(text_of, value)) if isinstance(value, list) else str(value or "")


def cells_of(rows: list[dict[str, str]]) -> list[list[str]]:
    """The rows of a table below their header."""
    return [list(dict.fromkeys(name for row in rows for name in row)), *(list(row.values()) for row in rows)]


def is_right(section: dict, record: dict) -> bool:
    path, table = section["path"], section.get("table")
    found = at(record, path)
    if isinstance(found, list):
        return table is not None and [row[1:] for row in cells_of(found)] == [row[1:] for row in table]
    return are_alike(section["value"], text_of(found))


def wrong_sections(source: str, page: str, record: dict) -> list[list[str]]:
    """Of those that stand in the record under their own names: neither own text nor labels of any section."""
    scored = [
        each for each in EXPECTED[source]["pages"][page] if each["path"][-1] != "_text" and "any_section" not in each
    ]
    return [section["path"] for section in scored if not is_right(section, record)]


def repeated(record: Any, under: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict]]:
    """The repeated sections of a record, each with the headings above it."""
    if isinstance(record, list):
        for each in record:
            if isinstance(each, dict) and "_heading" in each:
                yield under, each
                yield from repeated(each, (*under, each["_heading"]))
    elif isinstance(record, dict):
        for name, each in record.items():
            yield from repeated(each, (*under, name) if isinstance(each, dict) else under)


def is_found(row: dict, found: list[tuple[tuple[str, ...], dict]]) -> bool:
    for under, section in found:
        if (list(under), section["_heading"]) != (row["under"], row["heading"]):
            continue
        if "values" in row:
            return words(" ".join(row["values"])) == words(section.get("_text", ""))
        return all(are_alike(text, section.get(name, "")) for name, text in row["fields"].items())
    return False


@with_kinds
@pytest.mark.parametrize("source", [name for name, truth in EXPECTED.items() if any(truth["pages"].values())])
def test_every_section_is_read(source, kind, read):
    wrong = [
        (page, *path)
        for page, extraction in read[source, kind].items()
        for path in wrong_sections(source, page, extraction.record)
    ]
    assert len(wrong) == KNOWN_MISSES.get(source, 0), wrong


@with_kinds
@pytest.mark.parametrize("source", [name for name, truth in EXPECTED.items() if truth.get("rows")])
def test_every_repeated_section_is_read(source, kind, read):
    rows = EXPECTED[source]["rows"]
    found = {page: list(repeated(extraction.record)) for page, extraction in read[source, kind].items()}
    missed = {row["heading"] for row in rows if not is_found(row, found[row["page"]])}
    assert missed == KNOWN_MISSED_ROWS.get(source, set())


@with_kinds
@pytest.mark.parametrize("source", EXPECTED)
def test_a_wrapper_from_its_file_reads_alike(source, kind, documents, wrappers, read):
    again = Reader(read_wrapper(write_wrapper(wrappers[source, kind])))
    assert [again.read(page) for page in documents[source, "static"]] == list(read[source, kind].values())


@pytest.mark.parametrize("source", EXPECTED)
def test_values_stand_where_they_say(source, documents, read):
    for document, extraction in zip(documents[source, "static"], read[source, "static"].values(), strict=True):
        for value in extraction.values:
            node = document.node(value.node)
            assert node is not None
            first = value.text.split("\n")[0]
            start = re.findall(r"\w+", first)[:1]
            assert set(start) <= set(re.findall(r"\w+", document.text(node))), value


@with_kinds
def test_the_page_of_figure_1_gives_the_rules_of_figure_3(kind, wrappers):
    """Figure 3 has three rules and leaves the rest to the reader; the note is on the page of Figure 1."""
    grammar = wrappers["figure-1", kind].grammar
    rules = {path: [child.name for child in section.children] for path, section in [((), grammar), *grammar.walk()]}
    assert rules[()] == ["geography", "people", "government", "economy", "transportation"]
    assert rules["geography",] == ["location", "map_references", "area", "land_boundaries", "coastline"]
    assert rules["geography", "area"] == ["total_area", "land_area", "comparative_area", "note"]
    assert wrappers["figure-1", kind].steps == (0, 0)
