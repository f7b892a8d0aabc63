"""Whole pages: `pages/<slug>/page.html` and what each noun made of it should be, `expected-<noun>.json`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import webquarry as wq

PAGES = sorted(file.parent for file in (Path(__file__).parent / "pages").glob("*/expected-document.json"))


@pytest.fixture(params=PAGES, ids=lambda folder: folder.name)
def folder(request) -> Path:
    return request.param


@pytest.fixture
def expected(folder) -> dict:
    return json.loads((folder / "expected-document.json").read_text(encoding="utf-8"))


def lines_of(document: wq.Document) -> list[str]:
    return [line for line in document.text().splitlines() if line.strip()]


def test_a_reader_sees_these_lines(folder, expected):
    assert lines_of(wq.clean(wq.fetch(folder / "page.html"))) == expected["lines"]


def test_these_nodes_are_at_these_addresses(folder, expected):
    document = wq.clean(wq.fetch(folder / "page.html"))
    assert {address: document.text(document.node(address)) for address in expected["nodes"]} == expected["nodes"]


def test_this_is_written_and_every_reader_accepts_it(folder, expected, method, read):
    xhtml = wq.clean(wq.fetch(folder / "page.html"), method=method).to_xhtml()
    assert [piece for piece in expected["written"] if piece not in xhtml] == []
    assert read(xhtml).findtext("{*}head/{*}title") == expected["title"]


def test_no_line_is_missing_from_what_is_written(folder, expected, method, read):
    xhtml = wq.clean(wq.fetch(folder / "page.html"), method=method).to_xhtml()
    text = "".join(read(xhtml).itertext())
    assert [word for line in expected["lines"] for word in line.split() if word not in text] == []


def test_it_is_the_same_page_after_cleaning(folder, method):
    document = wq.clean(wq.fetch(folder / "page.html"), method=method)
    again = wq.clean(wq.Page(url="", body=document.to_xhtml().encode()), method=method)
    assert again.to_xhtml() == document.to_xhtml()
    assert lines_of(again) == lines_of(document)
