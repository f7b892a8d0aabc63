"""Sitemaps and feeds: what they are, and the addresses in them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.html.page_lists import read_list, sniff

BASE = "https://example.org/lists/x.xml"
SITEMAP = """<?xml version="1.0" encoding="UTF-8"?><!-- made by hand -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://example.org/a?x=1&amp;y=2 </loc></url><url><loc>https://example.org/b#top</loc></url>
<url><loc>https://example.org/b</loc></url></urlset>"""
INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.org/1.xml</loc></sitemap></sitemapindex>"""
RSS = """<rss version="2.0"><channel><link>https://example.org/</link>
<item><title>One &nbsp; more</title><link>https://example.org/1</link><guid isPermaLink="false">x</guid></item>
<item><guid>https://example.org/2</guid></item><item><guid isPermaLink="false">tag:3</guid></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/blog/"><link href="/"/>
<entry><link rel="self" href="x.atom"/><link rel="alternate" type="text/html" href="1.html"/></entry>
<entry xml:base="old/"><link href="2.html"/></entry>
<entry><link type="application/pdf" href="3.pdf"/><link type="text/html" href="3.html"/></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="https://example.org/"><link>https://example.org/</link></channel>
<item rdf:about="https://example.org/1"><link>https://example.org/1</link></item>
<item rdf:about="https://example.org/2"/></rdf:RDF>"""
JSON = """{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "https://example.org/1"},
{"id": "https://example.org/2"}, {"external_url": "/3"}, 4]}"""
TEXT = "https://example.org/a\n\n# a remark\nhttps://example.org/b\n"


@pytest.mark.parametrize(
    ("text", "kind", "addresses"),
    [
        (SITEMAP, "a sitemap", ["a?x=1&y=2", "b"]),
        (INDEX, "a sitemap index", ["1.xml"]),
        (RSS, "an RSS feed", ["1", "2"]),
        (ATOM, "an Atom feed", ["blog/1.html", "blog/old/2.html", "blog/3.html"]),
        (RDF, "an RDF feed", ["1", "2"]),
        (JSON, "a JSON feed", ["1", "2", "3"]),
        (TEXT, "a list of addresses", ["a", "b"]),
    ],
)
def test_addresses_are_found(text, kind, addresses):
    body = text.encode()
    assert sniff(body, may_be_text=True) == kind
    found = read_list(body, kind, BASE)
    assert list(found.addresses) == [f"https://example.org/{address}" for address in addresses]
    assert found.is_index == (kind == "a sitemap index")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_other_encodings_are_read(encoding):
    body = SITEMAP.replace("UTF-8", encoding.removesuffix("-sig")).encode(encoding)
    assert len(read_list(body, sniff(body), BASE).addresses) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<!doctype html><html><body><rss>",
        "<p>feed",
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF>',
        '{"version": 3}',
        "{",
        "https://example.org/ is a nice page\n",
        "plain words",
    ],
)
def test_what_is_no_list_is_none(text):
    assert sniff(text.encode(), may_be_text=True) is None


def test_lines_of_addresses_are_a_list_only_where_a_text_may_be():
    assert sniff(TEXT.encode()) is None


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY a "aaaaaaaaaa">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1 or str()};" * 10}">' for n in range(1, 12)),
        '<!ENTITY a11 SYSTEM "file:///etc/hostname">',
        '<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x; <!ENTITY a11 "https://example.org/evil">',
    ],
)
def test_entities_are_not_resolved(subset):
    body = f"<!DOCTYPE urlset [{subset}]><urlset><url><loc>&a11;</loc></url><url><loc>/b</loc></url></urlset>".encode()
    assert sniff(body) == "a sitemap"
    assert set(read_list(body, "a sitemap", BASE).addresses) <= {"https://example.org/b"}


def test_what_is_cut_off_is_read_as_far_as_it_goes():
    cut = SITEMAP[: SITEMAP.index("<url><loc>https://example.org/b#top")].encode()
    assert read_list(cut, "a sitemap", BASE).addresses == ("https://example.org/a?x=1&y=2",)


@settings(deadline=None, derandomize=True, max_examples=100, database=None)
@given(st.sampled_from([SITEMAP, RSS, ATOM, RDF, JSON, INDEX]), st.integers(0, 700), st.binary(max_size=20))
def test_any_damage_gives_a_list_or_none(text, place, noise):
    body = text.encode()
    damaged = body[:place] + noise + body[place + len(noise) :]
    kind = sniff(damaged, may_be_text=True)
    if kind is not None:
        read_list(damaged, kind, BASE)
