"""Where style sheets and pictures of a page come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.pipeline import fetch_pages, render_pages
from webquarry.rendering.renderer import Renderer
from webquarry.rendering.requests import refers_to_resources, sets_rules

RED = b"p { color: rgb(255, 0, 0) }"
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="70" height="30"/>'


def colour(document: Document) -> str:
    return document.layout.style(document.node("/html/body/p"), "color")


def is_red(document: Document) -> bool:
    return colour(document) == "rgb(255, 0, 0)"


def write(folder: Path, **files: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_bytes(content)


@pytest.mark.parametrize(
    "head",
    [
        "<link rel=stylesheet href=style.css>",
        "<link rel=stylesheet href=/style.css>",
        "<style>@import 'style.css';</style>",
        "<base href=http://disk.invalid/><link rel=stylesheet href=style.css>",
        "<base href=sub/><link rel=stylesheet href=../style.css>",
    ],
)
def test_a_page_on_disk_finds_its_style_sheet(renderer, tmp_path, head):
    write(tmp_path, page_html=f"{head}<p>x".encode(), style_css=RED)
    page = fetch_pages.fetch(tmp_path / "page.html")
    assert is_red(renderer.render(page, page.body.decode()))


def test_a_page_on_disk_finds_its_pictures(renderer, tmp_path):
    write(tmp_path, page_html=b"<!DOCTYPE html><img src=a.svg><p>x", a_svg=PICTURE)
    page = fetch_pages.fetch(tmp_path / "page.html")
    document = renderer.render(page, page.body.decode())
    assert document.layout.boxes[document.node("/html/body/img")].tolist()[2:] == [70, 30]


def test_a_page_on_disk_finds_what_is_above_it_below_a_root(browser, tmp_path):
    write(tmp_path, style_css=RED)
    write(tmp_path / "pages", one_html=b"<link rel=stylesheet href=../style.css><p>x")
    page = fetch_pages.fetch(tmp_path / "pages" / "one.html")
    assert not is_red(render_pages.render(page))
    assert is_red(render_pages.render(page, roots=[tmp_path]))


def test_a_page_on_disk_fetches_nothing_from_the_web(browser, site, tmp_path):
    site.files["/style.css"] = ("text/css", RED)
    write(tmp_path, page_html=f"<link rel=stylesheet href={site.url}/style.css><p>x".encode())
    document = render_pages.render(
        fetch_pages.fetch(tmp_path / "page.html"), allow_private=True, cache=tmp_path / "cache"
    )
    assert not is_red(document)
    assert site.asked == []


MHTML = b"""MIME-Version: 1.0
Content-Type: multipart/related; boundary="--b"; type="text/html"

----b
Content-Type: text/html
Content-Location: https://example.org/a/page.html

<!DOCTYPE html><link rel=stylesheet href="cid:css-1@mhtml.blink"><link rel=stylesheet href="../two.css">
<iframe src="cid:frame-1@mhtml.blink"></iframe><p>x
----b
Content-Type: text/css
Content-ID: <css-1@mhtml.blink>

p { color: rgb(255, 0, 0) }
----b
Content-Type: text/css
Content-Location: https://example.org/two.css

p { font-weight: 900 }
----b
Content-Type: text/html
Content-ID: <frame-1@mhtml.blink>

<p>Inner
----b--
"""


def test_an_archive_brings_what_its_page_needs(renderer, tmp_path):
    write(tmp_path, page_mhtml=MHTML)
    page = fetch_pages.fetch(tmp_path / "page.mhtml")
    document = renderer.render(page, page.body.decode())
    assert is_red(document)
    assert document.layout.style(document.node("/html/body/p"), "font-weight") == "900"
    assert [frame.text() for _, frame in document.layout.frames] == ["Inner"]
    assert document.url == "https://example.org/a/page.html"
    assert document == renderer.render(page, page.body.decode())


def test_addresses_in_an_archive_stay_as_they_are(renderer):
    page = Page(
        "https://example.org/", b"", parts=(Page("cid:a", PICTURE, headers=(("Content-Type", "image/svg+xml"),)),)
    )
    document = renderer.render(page, "<div><template shadowrootmode=open><img src=cid:a></template></div>")
    image = document.node("/html/body/div/img")
    assert document.attributes[image]["src"] == "cid:a"
    assert document.layout.boxes[image].tolist()[2:] == [70, 30]


def test_a_page_from_the_web_loads_what_it_needs_through_our_fetching(browser, site, tmp_path):
    site.files["/a/page.html"] = ("text/html", b"<link rel=stylesheet href=../s.css><img src=/a.svg><p>x")
    site.files["/s.css"] = ("text/css", RED)
    site.files["/a.svg"] = ("image/svg+xml", PICTURE)
    policy = {"allow_private": True, "cache": tmp_path}
    page = fetch_pages.fetch(f"{site.url}/a/page.html", **policy)
    document = render_pages.render(page, **policy)
    assert is_red(document)
    assert document.layout.boxes[document.node("/html/body/img")].tolist()[2:] == [70, 30]
    assert "/robots.txt" in site.asked


def test_the_policy_of_fetching_holds_for_what_a_page_needs(browser, site, tmp_path):
    site.files["/s.css"] = ("text/css", RED)
    page = Page(f"{site.url}/page.html", b"<link rel=stylesheet href=s.css><p>x")
    assert not is_red(render_pages.render(page, cache=tmp_path))  # loopback is refused
    assert not is_red(render_pages.render(page, cache=tmp_path, allow_private=True, offline=True))
    assert "/s.css" not in site.asked


def test_what_fails_to_load_is_left_out(browser):
    def load(address: str) -> Page:
        raise RuntimeError(address)  # a fault of ours, not one that fetching reports

    with Renderer(browser=browser, load=load, timeout=60) as renderer:
        page = Page("http://site.test/", b"")
        assert renderer.render(page, "<link rel=stylesheet href=s.css><p>x").text() == "x"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>Plain<a href=x.html>link</a>", False),
        ("<img src='data:image/png;base64,xx'>", False),
        ("<style>p { background: url(data:x) }</style>", False),
        ("<img src=a.png>", True),
        ("<img srcset='a.png 2x'>", True),
        ("<LINK rel=stylesheet href=a>", True),
        ("<td background=a.gif>", True),
        ("<p style='background:url(a.gif)'>", True),
        ("<svg><use href='a.svg#b'/></svg>", True),
    ],
)
def test_tells_whether_a_page_refers_to_resources(markup, expected):
    assert refers_to_resources(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<meta http-equiv=content-type content=x>", False),
        ('<META HTTP-EQUIV="Content-Type">', False),
        ('<meta http-equiv="X-UA-Compatible" content="IE=edge">', False),
        ("<meta http-equiv=pragma>", False),
        ("<meta http-equiv=pragma><meta http-equiv=refresh content=0>", True),
        ("<meta http-equiv=pragma-refresh>", True),
        ("<meta http-equiv='refresh' content=0>", True),
        ("<meta http-equiv=Content-Security-Policy content=x>", True),
    ],
)
def test_tells_whether_a_page_sets_rules(markup, expected):
    assert sets_rules(markup) == expected


def test_the_policy_of_one_page_does_not_bind_the_next(renderer):
    page = Page("stdin:", b"")
    strict = "<meta http-equiv=Content-Security-Policy content=\"style-src 'none'\"><style>p{color:red}</style><p>x"
    for _ in range(renderer.tabs):
        assert not is_red(renderer.render(page, strict))
    for _ in range(renderer.tabs):
        assert is_red(renderer.render(page, "<style>p{color:red}</style><p>x"))
