"""`import webquarry` is quick and gives the names that are promised."""

from __future__ import annotations

import subprocess
import sys

import pytest

import webquarry as wq

HEAVY = ("numpy", "lxml", "turbohtml", "httpx2", "hishel", "typer", "fastwarc")


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout


def test_importing_loads_nothing_heavy():
    loaded = run(f"import sys, webquarry; print([name for name in {HEAVY} if name in sys.modules])")
    assert loaded.strip() == "[]"


@pytest.mark.parametrize("name", wq.__all__)
def test_every_public_name_is_there(name):
    assert getattr(wq, name).__name__ == name


def test_public_names_are_those_of_the_design():
    assert {"Document", "Page", "clean", "fetch", "fetch_all"} <= set(wq.__all__)
    assert sorted(wq.__all__) == list(wq.__all__)


def test_a_star_import_gives_all_names():
    given = run("from webquarry import *; print(*[name for name in dir() if not name.startswith('_')])")
    assert given.split() == sorted(wq.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'webquarry' has no attribute 'scrape'"):
        _ = wq.scrape
    assert not hasattr(wq, "scrape")


def test_dir_shows_all_names_before_they_are_loaded():
    shown = run("import webquarry; print(*[name for name in dir(webquarry) if name in webquarry.__all__])")
    assert shown.split() == sorted(wq.__all__)


def test_errors_form_one_tree():
    assert issubclass(wq.RefusedError, wq.FetchError)
    assert issubclass(wq.FetchError, wq.WebquarryError)
    assert issubclass(wq.InputError, wq.WebquarryError)
    assert not issubclass(wq.InputError, wq.FetchError)


def test_commands_that_ask_nothing_load_no_database():
    heavy = ("duckdb", "sqlglot", "pyarrow", "pandas")
    stages = "webquarry.pipeline.fetch_pages, webquarry.pipeline.mine_pages"
    loaded = run(f"import sys, {stages}; print([name for name in {heavy} if name in sys.modules])")
    assert loaded.strip() == "[]"
