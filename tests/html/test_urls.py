"""Addresses of links, and those of saved pages on the web."""

from __future__ import annotations

import pickle

import pytest

from webquarry.html.urls import make_resolver
from webquarry.model.document import Document
from webquarry.page.trees import MarkupTree

FILE = "file:///home/u/saved/list.html"
CANONICAL = "<link rel=canonical href='https://shop.example/list/'>"
OG = "<meta property=og:url content='https://shop.example/og/'>"
SAVED = "<!-- saved from url=(0029)https://saved.example/a/b?c=1 -->"
AWAY = "<a href='https://other.example/1'>1</a><a href='https://other.example/2'>2</a>"


def address(markup: str, url: str = FILE, given: str = "") -> str:
    return Document(markup, url=url, address=given).web_address


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (f"<p>Nothing{AWAY}", FILE),
        (CANONICAL, "https://shop.example/list/"),
        ("<link rel='Canonical shortlink' href=' https://shop.example/a '>", "https://shop.example/a"),
        (OG, "https://shop.example/og/"),
        (f"{OG}{CANONICAL}", "https://shop.example/list/"),
        (f"<!doctype html>{SAVED}<html>{CANONICAL}", "https://saved.example/a/b?c=1"),
        (f"<html>{SAVED}{CANONICAL}", "https://saved.example/a/b?c=1"),
        ("<!-- saved from url=(0014)about:internet --><p>", FILE),
        ("<!--\n Page saved with SingleFile \n url: https://s.example/a \n saved date: Mon -->", "https://s.example/a"),
        ("<!-- Mirrored from m.example/a.html by HTTrack Website Copier/3.x [XR] -->", "https://m.example/a.html"),
        ("<base href='https://shop.example/base/'>", "https://shop.example/base/"),
        ("<link rel=canonical href='/list/'>", FILE),
        ("<link rel=canonical href='ftp://shop.example/'>", FILE),
        ("<link rel=canonical href='https://'>", FILE),
    ],
)
def test_a_saved_page_states_its_address(markup, expected):
    assert address(markup) == expected


@pytest.mark.parametrize(
    "markup", [f"<html>{SAVED}{CANONICAL}", CANONICAL, OG, CANONICAL + AWAY, f"<base href='/sub/'>{CANONICAL}", "<p>"]
)
def test_links_are_the_same_without_columns(markup):
    document = Document(markup, url=FILE)
    assert make_resolver(document, MarkupTree(markup))("a") == make_resolver(document)("a")


def test_a_given_address_counts_first():
    assert address(CANONICAL, given="https://given.example/") == "https://given.example/"


def test_a_fetched_page_keeps_its_address():
    assert address(SAVED + CANONICAL, url="https://copy.example/list") == "https://copy.example/list"


def test_a_canonical_link_to_another_host_than_most_links_does_not_count():
    assert address(CANONICAL + AWAY) == FILE
    assert address(f"{CANONICAL}{OG.replace('shop', 'other')}{AWAY}") == "https://other.example/og/"
    relative = "<a href='/1'>1</a><a href='2'>2</a><a href='mailto:a@b.example'>m</a>"
    assert address(CANONICAL + AWAY + relative) == "https://shop.example/list/"
    own = "<a href='https://www.Shop.example/1'>1</a>" * 2
    assert address(CANONICAL + AWAY + own) == "https://shop.example/list/"


def test_links_of_a_saved_page_are_those_of_the_web():
    resolve = make_resolver(Document(CANONICAL, url=FILE))
    links = ["/a", "b?c", "?page=2", "//cdn.example/i.png", "https://x.example/", "../d", "#top", "#/offer/7"]
    assert [resolve(each) for each in links] == [
        "https://shop.example/a",
        "https://shop.example/list/b?c",
        "https://shop.example/list/?page=2",
        "https://cdn.example/i.png",
        "https://x.example/",
        "https://shop.example/d",
        None,
        "https://shop.example/list/#/offer/7",
    ]


def test_a_relative_base_is_relative_to_the_address():
    resolve = make_resolver(Document(f"<base href='/sub/'>{CANONICAL}", url=FILE))
    assert resolve("a") == "https://shop.example/sub/a"


def test_files_that_a_browser_saved_beside_a_page_stay_files():
    resolve = make_resolver(Document(SAVED, url=FILE))
    assert resolve("./list_files/1.jpg") == "file:///home/u/saved/list_files/1.jpg"
    assert resolve("1.jpg") == "https://saved.example/a/1.jpg"


def test_the_given_address_survives_pickle():
    document = Document("<p>", url=FILE, address="https://given.example/")
    assert pickle.loads(pickle.dumps(document)).web_address == "https://given.example/"
