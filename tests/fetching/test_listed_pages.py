"""Sitemaps and feeds as inputs, from a server on loopback and from disk."""

from __future__ import annotations

import gzip
import io
import logging
import sys
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from webquarry.fetching import downloads
from webquarry.fetching.downloads import fetch_all
from webquarry.fetching.policy import Policy
from webquarry.model.page import Failure, Page

if TYPE_CHECKING:
    from conftest import Server


def sitemap(addresses: Iterable[str], *, index: bool = False) -> bytes:
    outer, inner = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    named = "".join(f"<{inner}><loc>{address}</loc></{inner}>" for address in addresses)
    return f'<{outer} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{named}</{outer}>'.encode()


def rss(addresses: Iterable[str]) -> bytes:
    items = "".join(f"<item><link>{address}</link></item>" for address in addresses)
    return f"<rss version='2.0'><channel>{items}</channel></rss>".encode()


@pytest.fixture
def site(server: Server) -> Server:
    for number in range(6):
        server.routes[f"/{number}"] = server.answer(b"<p>%d" % number)
    return server


def names(results: Iterable[Page | Failure], server: Server) -> list[str]:
    return [
        result.url.removeprefix(server.url("")) if isinstance(result, Page) else f"failed: {result.error}"
        for result in results
    ]


def test_a_sitemap_stands_for_its_pages(site: Server, policy: Policy) -> None:
    site.routes["/sitemap.xml"] = site.answer(sitemap(site.url(f"/{number}") for number in range(3)))
    site.routes["/feed"] = site.answer(rss(["/3", "/4"]))
    steps: list[tuple[int, int | None]] = []
    inputs = [site.url("/5"), site.url("/sitemap.xml"), site.url("/feed")]
    found = fetch_all(inputs, policy=policy, progress=lambda *step: steps.append(step))
    assert names(found, site) == ["/5", "/0", "/1", "/2", "/3", "/4"]
    assert steps[-1] == (6, 6)


@pytest.mark.parametrize("name", ["/sitemap.xml.gz", "/sitemap.xml", "/list.txt"])
def test_packed_and_plain_lists_are_read(site: Server, policy: Policy, name: str) -> None:
    if name == "/list.txt":
        body = f"{site.url('/0')}\n{site.url('/1')}\n".encode()
        site.routes[name] = site.answer(body, Content_Type="text/plain; charset=utf-8")
    else:
        body = sitemap([site.url("/0"), site.url("/1")])
        packed = gzip.compress(body) if name.endswith(".gz") else body
        site.routes[name] = site.answer(packed, Content_Type="application/octet-stream")
    assert names(fetch_all([site.url(name)], policy=policy), site) == ["/0", "/1"]


def test_an_index_leads_to_sitemaps_and_each_page_comes_once(site: Server, policy: Policy) -> None:
    site.routes["/index.xml"] = site.answer(sitemap([site.url("/a.xml"), site.url("/b.xml.gz")], index=True))
    site.routes["/a.xml"] = site.answer(sitemap([site.url("/0"), site.url("/1")]))
    site.routes["/b.xml.gz"] = site.answer(gzip.compress(sitemap([site.url("/1"), site.url("/2")])))
    assert names(fetch_all([site.url("/index.xml")], policy=policy), site) == ["/0", "/1", "/2"]


def test_an_index_that_names_itself_ends(site: Server, policy: Policy) -> None:
    site.routes["/index.xml"] = site.answer(sitemap([site.url("/index.xml"), site.url("/b.xml")], index=True))
    site.routes["/b.xml"] = site.answer(sitemap([site.url("/index.xml"), site.url("/a.xml")], index=True))
    site.routes["/a.xml"] = site.answer(sitemap([site.url("/0")]))
    found = names(fetch_all([site.url("/index.xml")], policy=policy), site)
    assert found[-1] == "/0"
    assert [name.partition(": ")[0] for name in found[:-1]] == ["failed", "failed"]
    assert all("it was read before" in name for name in found[:-1])
    assert site.hits("/index.xml") == 1


def test_index_files_without_end_are_left(site: Server, policy: Policy) -> None:
    for number in range(20):
        body = sitemap([site.url(f"/deep/{number + 1}.xml")], index=True)
        site.routes[f"/deep/{number}.xml"] = site.answer(body)
    (found,) = names(fetch_all([site.url("/deep/0.xml")], policy=policy), site)
    assert "is nested too deeply" in found
    assert sum(site.hits(f"/deep/{number}.xml") for number in range(20)) == downloads.MAX_LIST_DEPTH + 1


def test_wrong_addresses_are_told_and_the_others_fetched(site: Server, policy: Policy, tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("secret")
    secret = (tmp_path / "secret.html").as_uri()
    wrong = ["ftp://example.org/x", "http://", "http://[", secret, site.url("/gone")]
    site.routes["/feed"] = site.answer(rss([*wrong, site.url("/0")]))
    found = names(fetch_all([site.url("/feed")], policy=policy), site)
    assert found[-1] == "/0"
    assert len(found) == 6
    for name, said in zip(found, ("ftp addresses", "address", "address", "may not lead to files", "404"), strict=False):
        assert name.startswith("failed: ")
        assert said in name


@pytest.mark.parametrize("body", [sitemap([]), rss([]), b"<feed><entry/></feed>"])
def test_a_list_of_nothing_is_told(site: Server, policy: Policy, body: bytes) -> None:
    site.routes["/x.xml"] = site.answer(body)
    (found,) = names(fetch_all([site.url("/x.xml")], policy=policy), site)
    assert "without pages" in found


def test_what_is_named_as_a_sitemap_must_be_one(site: Server, policy: Policy) -> None:
    site.routes["/index.xml"] = site.answer(sitemap([site.url("/0")], index=True))
    (found,) = names(fetch_all([site.url("/index.xml")], policy=policy), site)
    assert "but it is not a sitemap" in found


def test_a_feed_that_a_feed_names_is_a_page(site: Server, policy: Policy) -> None:
    site.routes["/feed"] = site.answer(rss([site.url("/other")]))
    site.routes["/other"] = site.answer(rss([site.url("/0")]))
    assert names(fetch_all([site.url("/feed")], policy=policy), site) == ["/other"]


def test_robots_and_guards_hold(site: Server, policy: Policy) -> None:
    from dataclasses import replace

    site.routes["/robots.txt"] = site.answer(b"User-agent: *\nDisallow: /1")
    site.routes["/s.xml"] = site.answer(sitemap([site.url("/0"), site.url("/1")]))
    found = names(fetch_all([site.url("/s.xml")], policy=policy), site)
    assert found[0] == "/0"
    assert "robots.txt" in found[1]
    (refused,) = names(fetch_all([site.url("/s.xml")], policy=replace(policy, allow_private=False)), site)
    assert "--allow-private" in refused


def test_a_bomb_ends_at_the_limit(site: Server, policy: Policy) -> None:
    from dataclasses import replace

    bomb = gzip.compress(sitemap(site.url("/0") + "?" + "x" * 100 for _ in range(2_000)))
    site.routes["/bomb.xml.gz"] = site.answer(bomb)
    (found,) = fetch_all([site.url("/bomb.xml.gz")], policy=replace(policy, max_bytes=20_000))
    assert isinstance(found, Page)  # it stays as it was sent, and cleaning says what it is
    assert site.hits("/0") == 0


@pytest.mark.parametrize(
    ("limit", "given", "left"),
    [(2, ["/5", "/0"], "3 pages left out"), (4, ["/5", "/0", "/1", "/2"], "1 page left out"), (5, None, "")],
)
def test_no_more_pages_are_read_than_wanted(
    site: Server, policy: Policy, caplog: pytest.LogCaptureFixture, *, limit: int, given: list[str] | None, left: str
) -> None:
    site.routes["/s.xml"] = site.answer(sitemap(site.url(f"/{number}") for number in range(4)))
    with caplog.at_level(logging.WARNING, "webquarry"):
        found = names(fetch_all([site.url("/5"), site.url("/s.xml")], policy=policy, max_pages=limit), site)
    assert found == (given or ["/5", "/0", "/1", "/2", "/3"])
    assert [record.getMessage() for record in caplog.records] == (
        [f"{left}, because of --max-pages {limit}"] if left else []
    )
    assert sum(site.hits(f"/{number}") for number in range(6)) == len(found)


def test_sitemaps_that_are_not_needed_are_not_read(
    site: Server, policy: Policy, caplog: pytest.LogCaptureFixture
) -> None:
    site.routes["/index.xml"] = site.answer(sitemap([site.url("/a.xml"), site.url("/b.xml")], index=True))
    site.routes["/a.xml"] = site.answer(sitemap([site.url("/0"), site.url("/1")]))
    assert names(fetch_all([site.url("/index.xml")], policy=policy, max_pages=1), site) == ["/0"]
    assert caplog.messages == ["1 page left out, and 1 sitemap not read, because of --max-pages 1"]
    assert site.hits("/b.xml") == 0


def test_lists_stay_as_they_are_where_addresses_are_wanted_one_by_one(site: Server, policy: Policy) -> None:
    site.routes["/s.xml"] = site.answer(sitemap([site.url("/0")]))
    assert names(fetch_all([site.url("/s.xml")], policy=policy, follow_lists=False), site) == ["/s.xml"]


def test_standard_input_may_be_a_list(site: Server, policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    body = f"{site.url('/0')}\n{site.url('/1')}\n".encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(body)))
    assert names(fetch_all(["-"], policy=policy), site) == ["/0", "/1"]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    for name in ("index.html", "news/a.html", "news/b/index.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def files(results: Iterable[Page | Failure], folder: Path) -> list[tuple[str, str]]:
    return [
        (result.url.removeprefix(folder.as_uri() + "/"), result.address)
        if isinstance(result, Page)
        else ("failed", result.error)
        for result in results
    ]


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "saved.html"])
def test_a_saved_sitemap_leads_to_saved_pages(saved: Path, policy: Policy, name: str) -> None:
    addresses = ["https://example.org/", "https://example.org/news/a.html", "https://example.org/news/b/"]
    body = sitemap(addresses)
    (saved / name).write_bytes(gzip.compress(body) if name.endswith(".gz") else body)
    found = files(fetch_all([saved / name], policy=policy), saved)
    assert found == list(zip(["index.html", "news/a.html", "news/b/index.html"], addresses, strict=True))


def test_relative_addresses_are_files_beside_the_list(saved: Path, policy: Policy) -> None:
    (saved / "feed.xml").write_bytes(rss(["news/a.html", "../secret.html", "gone.html"]))
    (saved.parent / "secret.html").write_text("secret")
    found = files(fetch_all([saved / "feed.xml"], policy=policy), saved)
    assert found[0] == ("news/a.html", "")
    assert [name for name, _ in found[1:]] == ["failed", "failed"]
    assert "outside of" in found[1][1]


def test_a_base_url_a_map_and_a_root_say_which_files_are_meant(saved: Path, policy: Policy, tmp_path: Path) -> None:
    from dataclasses import replace

    (tmp_path / "lists").mkdir()
    feed = tmp_path / "lists" / "feed.xml"
    feed.write_bytes(rss(["/news/a.html", "https://example.org/mapped"]))
    mapped = {str(saved / "index.html"): "https://example.org/mapped"}
    known = replace(policy, base_url="https://example.org/feed.xml", url_map=mapped)
    found = files(fetch_all([feed], policy=known, roots=[tmp_path, saved]), saved)
    assert found[1] == ("index.html", "https://example.org/mapped")
    inside = saved / "feed.xml"
    inside.write_bytes(feed.read_bytes())
    found = files(fetch_all([inside], policy=known), saved)
    assert found == [("news/a.html", "https://example.org/news/a.html"), ("index.html", "https://example.org/mapped")]


def test_pages_that_are_not_saved_come_from_the_web(site: Server, policy: Policy, saved: Path) -> None:
    (saved / "sitemap.xml").write_bytes(sitemap([site.url("/0"), site.url("/news/a.html")]))
    found = list(fetch_all([saved / "sitemap.xml"], policy=policy))
    assert [page.url for page in found] == [site.url("/0"), (saved / "news/a.html").as_uri()]


def test_a_feed_in_a_folder_is_a_page_like_the_others(saved: Path, policy: Policy) -> None:
    (saved / "feed.html").write_bytes(rss(["https://example.org/x"]))
    assert len(list(fetch_all([saved], policy=policy))) == 4
