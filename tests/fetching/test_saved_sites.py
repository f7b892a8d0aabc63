"""Addresses of saved pages, given by users."""

from __future__ import annotations

import logging

import pytest

from webquarry.errors import InputError
from webquarry.fetching.downloads import fetch, fetch_all
from webquarry.fetching.policy import Policy
from webquarry.fetching.saved_sites import read_url_map


@pytest.fixture
def pages(tmp_path):
    (tmp_path / "site").mkdir()
    for name in ("a.html", "b.html"):
        (tmp_path / "site" / name).write_text(f"<p>{name}")
    return tmp_path


def test_a_page_has_the_given_address_beside_that_of_its_file(pages):
    page = fetch(pages / "site" / "a.html", policy=Policy(base_url="https://a.example/"))
    assert (page.url, page.address) == ((pages / "site" / "a.html").as_uri(), "https://a.example/")
    assert fetch(pages / "site" / "a.html").address == ""


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_url_map_names_files_relative_to_its_folder(pages, separator, monkeypatch):
    urls = pages / "urls.csv"
    urls.write_text(f"URL{separator}note{separator}File\nhttps://b.example/{separator}{separator}site/b.html\n")
    monkeypatch.chdir(pages / "site")
    found = fetch_all(["."], policy=Policy(url_map="../urls.csv", base_url="https://else.example/"))
    assert [page.address for page in found] == ["https://else.example/", "https://b.example/"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("file,address\na.html,https://a.example/", "no column url; its columns are file, address"),
        ("name\nx", "no column file and no column url"),
        ("file,url", "it has no rows"),
        ("file,url\nsite/a.html,a.example", "the url of site/a.html is 'a.example'; it must be an http"),
        ("file,url\n,https://a.example/", "a row has no file"),
        ("file,url\na.html,https://a.example/", "none of its files exists, such as .*a.html; files are relative"),
        ("file,url\nsite/a.html,http://a.example/\nsite/a.html,http://b.example/", "site/a.html has two urls"),
    ],
)
def test_faults_of_a_url_map_are_told(pages, text, message):
    (pages / "urls.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        read_url_map(pages / "urls.csv")


def test_a_url_map_that_is_not_there_is_told(pages):
    with pytest.raises(InputError, match=r"urls.csv: cannot be read \(there is no such file\)"):
        read_url_map(pages / "urls.csv")


def test_some_files_of_a_url_map_that_are_not_there_are_a_warning(pages, caplog):
    (pages / "urls.csv").write_text("file,url\nsite/a.html,http://a.example/\ngone.html,http://g.example/")
    with caplog.at_level(logging.WARNING):
        assert list(read_url_map(pages / "urls.csv").values()) == ["http://a.example/", "http://g.example/"]
    assert "1 of its 2 files do not exist, such as" in caplog.text


def test_an_address_that_is_not_of_the_web_is_refused():
    with pytest.raises(ValueError, match="not an http or https address"):
        Policy(base_url="shop.example")
