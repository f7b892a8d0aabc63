"""The truth about the pages of each source is written on them, each value after its headings and in their order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import webquarry as wq

FOLDER = Path(__file__).parent
SOURCES = sorted(file.parent for file in FOLDER.glob("*/expected-sections.json"))
PAGES = [page for source in SOURCES for page in sorted(source.glob("*.html"))]


class Reader:
    """Goes down the text of a page, from one thing to the next."""

    def __init__(self, page: Path) -> None:
        self.text = " ".join(wq.clean(wq.fetch(page)).text().split())
        self.place = 0

    def find(self, words: str) -> None:
        found = self.text.find(words, self.place)
        assert found >= 0, f"{words!r} does not follow {self.text[max(0, self.place - 60) : self.place]!r}"
        self.place = found + len(words)


def truth_of(source: Path) -> dict:
    return json.loads((source / "expected-sections.json").read_text(encoding="utf-8"))


def rows_of(page: Path) -> list[dict]:
    return [row for row in truth_of(page.parent).get("rows", []) if row["page"] == page.name]


def new_names(path: list[str], before: list[str]) -> list[str]:
    """The names of the path that the one before it does not begin with: those that a reader meets between the two."""
    same = next((n for n, (a, b) in enumerate(zip(path, before, strict=False)) if a != b), min(len(path), len(before)))
    return [name for name in path[same:] if name != "_text"]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_every_page_of_a_source_has_its_truth(source):
    assert sorted(truth_of(source)["pages"]) == [page.name for page in sorted(source.glob("*.html"))]
    assert all(truth_of(source)["pages"][page.name] or rows_of(page) for page in source.glob("*.html"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_sections_stand_on_their_page_in_order(page):
    reader, before = Reader(page), []
    for section in truth_of(page.parent)["pages"][page.name]:
        for name in new_names(section["path"], before):
            reader.find(name)
        reader.find(section["value"])
        before = section["path"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_rows_stand_on_their_page_in_order(page):
    reader, before = Reader(page), []
    for row in rows_of(page):
        for name in new_names(row["under"], before):
            reader.find(name)
        reader.find(row["heading"])
        for value in row.get("values", []):
            reader.find(value)
        for name, value in row.get("fields", {}).items():
            reader.find(value if name == "_text" else f"{name}: {value}")
        before = [*row["under"], row["heading"]]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_no_section_is_listed_twice(source):
    for page, sections in truth_of(source)["pages"].items():
        paths = [tuple(section["path"]) for section in sections]
        assert sorted(set(paths)) == sorted(paths), page
