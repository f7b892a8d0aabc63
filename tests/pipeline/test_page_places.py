"""Where keys lead to."""

from __future__ import annotations

from pathlib import Path

import pytest

import webquarry as wq
from webquarry.model.wrapper import Source
from webquarry.pipeline.source_pages import PagePlaces


@pytest.mark.parametrize(
    ("base", "pages", "key", "way"),
    [
        ("", "geos/{code}.html", "a/b", "/books/atlas/geos/a%2Fb.html"),
        ("", "../pages/{+way}.html", "a/b", "/books/pages/a/b.html"),
        ("", "{+way}", "/books/atlas/a.html", "/books/atlas/a.html"),
        ("/maps", "{+way}", "a/../b.html", "/maps/b.html"),
    ],
)
def test_a_key_is_filled_into_the_template(base, pages, key, way):
    assert PagePlaces(Source("atlas", base=base, pages=pages), Path("/books/atlas")).find_one(key) == f"file://{way}"


def test_a_key_may_be_an_address():
    places = PagePlaces(Source("news", pages="{+link}"), Path("/books"))
    assert places.find_one("https://news.test/a?b=1") == "https://news.test/a?b=1"


@pytest.mark.parametrize(
    ("base", "pages", "key"),
    [
        ("", "{+link}", "file:///etc/passwd"),
        ("https://news.test/", "{+link}", "file:///etc/passwd"),
        ("", "news/{+way}", "../../../etc/passwd"),
        ("", "news/{+way}", "../other/a.html"),
    ],
)
def test_keys_do_not_lead_to_files_that_are_none_of_the_source(base, pages, key):
    with pytest.raises(wq.InputError, match="it is not read"):
        PagePlaces(Source("news", base=base, pages=pages), Path("/books")).find_one(key)


@pytest.mark.parametrize(
    ("base", "roots"), [("", [Path("/books")]), ("a b", [Path("/books/a b")]), ("https://news.test/", [])]
)
def test_files_of_a_source_are_in_its_folder(base, roots):
    assert PagePlaces(Source("news", base=base, pages="{code}"), Path("/books")).roots == roots
