"""Sitemaps and feeds as inputs of commands."""

from __future__ import annotations

import csv
import json

import pytest

PROSE = "<p>" + "The ferry carries passengers across the river again, after ten years of repairs. " * 3
LAMPS = "<ul>" + "".join(f"<li><b>Lamp {number}</b><p>A fine lamp</p></li>" for number in range(5)) + "</ul>"


@pytest.fixture
def feed(work):
    """A feed beside the pages that it names."""
    for name in ("a", "b", "c"):
        (work / "site" / name).mkdir(parents=True)
        (work / "site" / name / "index.html").write_text(f"<title>{name}</title>{LAMPS}{PROSE}")
    items = "".join(f"<item><link>https://example.org/{name}/</link></item>" for name in ("a", "b", "c"))
    (work / "site" / "feed.xml").write_text(f"<rss version='2.0'><channel>{items}</channel></rss>")
    return "site/feed.xml"


def test_clean_and_read_write_a_file_for_each_page(quarry, work, feed):
    assert quarry("clean", feed, "-o", "out").returncode == 0
    assert quarry("read", feed, "--format", "markdown", "-o", "texts").returncode == 0
    assert len(list((work / "out").rglob("*.xhtml"))) == 3
    assert len(list((work / "texts").rglob("*.md"))) == 3


def test_mine_check_wrap_and_extract_take_feeds(quarry, work, feed):
    done = quarry("mine", feed, "--static", "-o", "x.csv")
    assert done.returncode == 0, done.stderr
    assert len(list(csv.DictReader((work / "x.csv").read_text().splitlines()))) == 15
    done = quarry("wrap", feed, "--kind", "records", "--static", "--name", "lamps", "-o", "lamps.toml")
    assert done.returncode == 0, done.stderr
    assert b"learnt from 3 pages" in done.stderr
    assert quarry("check", "lamps.toml", feed).returncode == 0
    done = quarry("extract", "lamps.toml", feed, "--max-pages", "2", "--format", "jsonl")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 2
    assert b"1 page left out, because of --max-pages 2" in done.stderr


def test_pages_have_their_addresses_on_the_web(quarry, feed):
    lines = quarry("read", feed, "--max-pages", "1").stdout.decode().splitlines()
    assert json.loads(lines[0])["page"].endswith("/site/a/index.html")


def test_a_feed_by_http_is_read(quarry, work, server):
    server.pages["/feed"] = f"<rss><channel><item><link>{server.url}/page</link></item></channel></rss>".encode()
    done = quarry("clean", f"{server.url}/feed", "--allow-private", "-o", "out")
    assert done.returncode == 0, done.stderr
    (found,) = (work / "out").rglob("*.xhtml")
    assert "fetched" in found.read_text()


def test_a_second_page_never_replaces_the_first(quarry, work, server):
    items = f"<item><link>{server.url}/page</link></item><item><link>{server.url}/page?2</link></item>"
    server.pages["/odd"] = f"<rss><channel>{items}</channel></rss>".encode()
    server.pages["/page?2"] = b"<p>second"
    done = quarry("clean", f"{server.url}/odd", "--allow-private", "-o", "x.xhtml")
    assert done.returncode == 1
    assert "name a folder for all with -o DIR" in done.stderr.decode()
    assert "fetched" in (work / "x.xhtml").read_text()


def test_a_feed_saved_as_a_page_in_a_folder_is_no_article(quarry, work, feed):
    (work / "site" / "feed.html").write_text((work / feed).read_text())
    done = quarry("read", "site", "-o", "x.jsonl")
    assert done.returncode == 1
    assert "feed.html: not a web page but an RSS feed; name it as an input of its own" in done.stderr.decode()
