"""Wrapper files written by earlier versions: they are read, extract the same values, and can be undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import webquarry as wq
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

FILES = Path(__file__).with_name("kept-files")
REPOSITORY = Path(__file__).parents[2]


def read(wrapper: wq.Wrapper, page: str) -> dict[str, Any]:
    document = wq.clean(wq.Page(url=f"https://example.org/{page}", body=(REPOSITORY / page).read_bytes()))
    extraction: dict[str, Any] = json.loads(json.dumps(wq.extract(wrapper, document).to_dict(), default=str))
    return extraction


@pytest.mark.parametrize("name", ["sections", "ashish", "item", "records", "tables"])
def test_kept_wrapper_file_reads_as_it_did(name: str) -> None:
    text = (FILES / f"{name}.toml").read_text("utf-8")
    expected = json.loads((FILES / f"{name}.json").read_text("utf-8"))
    wrapper = read_wrapper(text, name)
    assert write_wrapper(wrapper) == text
    assert read(wrapper, expected["page"]) == expected["read"]
    assert read(wq.undo(wrapper), expected["page"]) == expected["undone"]
    assert expected["read"] != expected["undone"]
