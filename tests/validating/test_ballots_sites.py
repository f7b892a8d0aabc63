"""Which pages are of one site, on pages that are made here."""

import numpy as np
import pytest

from webquarry.model.document import Document
from webquarry.validating.ballots import Sites, cast, host_of

NOTHING = np.zeros(0, dtype=np.int32)


def make_page(menu, text, url=""):
    links = "".join(f"<li><a>{name}</a></li>" for name in menu)
    return Document(f"<nav><ul>{links}</ul></nav><main><p>{text}</p></main>", url=url)


def place_all(documents):
    sites = Sites()
    return [sites.place(cast(document, NOTHING)) for document in documents], sites


RIVERS = ["Rivers", "Towns", "Bridges", "About us"]
STARS = ["Stars", "Planets", "Moons", "About us"]


def test_pages_with_the_same_furniture_are_of_one_site():
    numbers, _ = place_all([make_page(RIVERS, "One"), make_page(STARS, "Two"), make_page(RIVERS, "Three")])
    assert numbers == [0, 1, 0]


def test_strangers_in_one_folder_are_each_of_their_own():
    pages = [make_page(["Home", "About us", str(number)], "One", f"file:///a/{number}.html") for number in range(4)]
    assert place_all(pages)[0] == [0, 1, 2, 3]


def test_pages_of_two_hosts_are_of_two_sites():
    pages = [make_page(RIVERS, "One", f"https://{host}/a.html") for host in ("a.example", "b.example", "www.a.example")]
    numbers, sites = place_all(pages)
    assert numbers == [0, 1, 0]
    assert sites.names == ["a.example", "b.example"]


def test_the_same_words_in_another_place_are_not_the_same_furniture():
    other = Document("<main>" + "".join(f"<p>{name}</p>" for name in RIVERS) + "</main>")
    assert place_all([make_page(RIVERS, "One"), other])[0] == [0, 1]


def test_pages_without_texts_are_each_of_their_own():
    assert place_all([Document(""), Document("")])[0] == [0, 1]


@pytest.mark.parametrize(
    ("markup", "url", "host"),
    [
        ("", "https://www.Example.org:8000/a", "example.org:8000"),
        ('<link rel="Canonical" href="https://example.org/a">', "file:///a.html", "example.org"),
        ('<meta property="og:url" content="http://example.org">', "file:///a.html", "example.org"),
        ('<link rel="canonical" href="/a"><meta property="og:url" content="http://b.example/">', "", "b.example"),
        ('<link rel="canonical" href="https://b.example/a">', "https://a.example/", "a.example"),
        ('<link rel="canonical" href="/a">', "file:///a.html", ""),
    ],
)
def test_the_host_is_that_of_the_address_or_what_the_page_states(markup, url, host):
    assert host_of(Document(markup, url=url)) == host


@pytest.mark.parametrize(
    "hosts", [("a.example", "", "a.example"), ("", "a.example", "a.example"), ("", "", "a.example")]
)
def test_a_page_that_states_no_host_is_of_the_site_that_it_is_like(hosts):
    pages = [
        make_page(RIVERS, str(place), f"https://{host}/" if host else "file:///x") for place, host in enumerate(hosts)
    ]
    numbers, sites = place_all(pages)
    assert numbers == [0, 0, 0]
    assert sites.names == ["a.example"]


def test_a_page_that_states_no_host_joins_no_two_hosts():
    hosts = ("a.example", "", "b.example")
    pages = [
        make_page(RIVERS, str(place), f"https://{host}/" if host else "file:///x") for place, host in enumerate(hosts)
    ]
    assert place_all(pages)[0] == [0, 0, 1]
