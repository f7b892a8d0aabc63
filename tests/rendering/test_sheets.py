from __future__ import annotations

import pytest

from webquarry.model.page import Page
from webquarry.rendering.renderer import Renderer

HINT = " (--root names the folder of the site)"


@pytest.fixture
def told(browser, tmp_path, caplog):
    """Render pages from disk in one browser and return what was logged."""

    def render(*pages: str) -> list[str]:
        with Renderer(browser=browser) as renderer:
            for number, markup in enumerate(pages):
                path = tmp_path / f"{number}.html"
                path.write_text(f"<!DOCTYPE html>{markup}<p>Text")
                renderer.render(Page(path.as_uri(), path.read_bytes()), path.read_text())
        return caplog.messages

    return render


def test_missing_style_sheets_are_told_in_one_line(told, tmp_path):
    (tmp_path / "there.css").write_text("@import 'gone.css'; p {}")
    links = "".join(
        f"<link rel=stylesheet href={name}>" for name in ("there.css", "a.css", "https://example.org/b.css")
    )
    (said,) = told(links)
    assert said == f"{(tmp_path / '0.html').as_uri()}: missing style sheets: 3 of 4; the layout may be off{HINT}"


def test_only_the_first_page_is_named(told):
    page = "<link rel=stylesheet href=gone.css>"
    first, others = told(page, page, "", page)
    assert "missing style sheets: 1 of 1" in first
    assert others == "missing style sheets also on 2 more pages"


@pytest.mark.parametrize(
    "page",
    [
        "<link rel=stylesheet href=there.css>",
        "<link rel=stylesheet media=print href=gone.css>",
        "<link rel=stylesheet href=https://fonts.example.org/css>",
        "<link rel=alternate href=gone.css>",
        "<img src=gone.png>",
    ],
)
def test_what_the_layout_does_not_need_is_not_missed(told, tmp_path, page):
    (tmp_path / "there.css").write_text("p {}")
    assert told(page) == []


@pytest.mark.parametrize(
    ("page", "is_unstyled"),
    [
        ("<link rel=stylesheet href=there.css>", False),
        (
            "<link rel=stylesheet href=there.css><link rel=stylesheet href=b.css><link rel=stylesheet href=a.css>",
            False,
        ),
        ("<link rel=stylesheet href=there.css><link rel=stylesheet href=a.css>", True),
        ("<style>p {}</style><link rel=stylesheet href=a.css>", True),
        ("<style>p {}</style>", False),
        ("<script>'<style>'</script>", True),
    ],
)
def test_a_layout_says_that_it_is_hardly_that_of_the_page(browser, tmp_path, page, is_unstyled):
    for name in ("there.css", "b.css"):
        (tmp_path / name).write_text("p {}")
    path = tmp_path / "page.html"
    path.write_text(f"<!DOCTYPE html>{page}<p>Text")
    with Renderer(browser=browser) as renderer:
        document = renderer.render(Page(path.as_uri(), path.read_bytes()), path.read_text())
    assert document.layout is not None
    assert document.layout.is_unstyled == is_unstyled


def test_a_page_without_an_address_misses_all_its_style_sheets(browser, caplog):
    markup = (
        "<!DOCTYPE html><link rel='stylesheet' href=/a.css><link rel=stylesheet href=https://example.org/b.css><p>x"
    )
    with Renderer(browser=browser) as renderer:
        renderer.render(Page("stdin:", markup.encode()), markup)
    assert caplog.messages == ["stdin:: missing style sheets: 2 of 2; the layout may be off"]


@pytest.mark.parametrize(
    "link",
    [
        """<link rel=stylesheet media=print href=late.css onload="this.media='all'">""",
        """<link rel="preload" as="style" href=late.css onload="this.onload=null;this.rel='stylesheet'">""",
    ],
)
def test_a_style_sheet_that_waits_for_its_own_script_is_applied(renderer, tmp_path, link):
    (tmp_path / "late.css").write_text("p { display: none }")
    markup = f"<!DOCTYPE html>{link}<p>Unseen</p>Seen"
    document = renderer.render(Page((tmp_path / "page.html").as_uri(), b""), markup)
    assert document.text() == "Seen"
    assert document.markup == markup
