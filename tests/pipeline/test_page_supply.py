"""Pages of a query, and which of them are remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

import webquarry as wq
from webquarry.fetching.policy import Policy
from webquarry.model.page import Failure
from webquarry.pipeline import source_tables
from webquarry.pipeline.source_tables import PageSupply


@pytest.fixture
def pages(tmp_path: Path) -> list[str]:
    paths = [tmp_path / f"{number}.html" for number in range(4)]
    for path in paths:
        path.write_bytes(b"x" * 10)
    return [path.as_uri() for path in paths]


def change(address: str) -> None:
    Path(address.removeprefix("file://")).write_bytes(b"changed!")


def test_a_page_of_two_sources_is_read_once(supply: PageSupply, pages: list[str]):
    supply.add_source()
    supply.add_source()
    first = supply.fetch(pages[0])
    change(pages[0])
    assert supply.fetch(pages[0]) == first
    assert next(iter(supply.fetch_all(pages[:1]))) == first


def test_pages_of_one_source_are_not_kept(supply: PageSupply, pages: list[str]):
    supply.add_source()
    list(supply.fetch_all(pages))
    change(pages[0])
    assert supply.fetch(pages[0]).body == b"changed!"


def test_the_oldest_pages_are_forgotten_first(supply: PageSupply, pages: list[str], monkeypatch):
    monkeypatch.setattr(source_tables, "MAX_BYTES_KEPT", 30)
    supply.is_shared = True
    list(supply.fetch_all(pages))
    for address in pages:
        change(address)
    assert [page.body for page in supply.fetch_all(pages[1:])] == [b"x" * 10] * 3
    assert supply.fetch(pages[0]).body == b"changed!"


def test_what_cannot_be_had_is_a_failure_in_its_place_or_an_error(supply: PageSupply, pages: list[str]):
    results = list(supply.fetch_all([pages[0], "file:///not/there.html", "ftp://host/page", pages[1]]))
    assert [isinstance(result, Failure) for result in results] == [False, True, True, False]
    with pytest.raises(wq.InputError, match="no such file"):
        supply.fetch("file:///not/there.html")


def test_passwords_are_not_told(tmp_path: Path):
    with PageSupply(Policy(cache=tmp_path, offline=True)) as supply:
        (failure,) = supply.fetch_all(["http://user:secret@book.test/"])
    assert failure.page == "http://book.test/"
    assert "secret" not in failure.error
