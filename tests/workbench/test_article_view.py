"""Correcting what is kept of an article by clicking, with a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import webquarry as wq

pytestmark = pytest.mark.needs_browser

NEWS = Path(__file__).parents[2] / "examples" / "news" / "articles"
FERRY = NEWS / "ferry-returns.html"
KEPT = "The flat-bottomed boat last ran in the autumn of 2012"
LEFT_OUT = "Galoshes by Puddock"


@pytest.fixture
def bench(serve, window: Page) -> Page:
    window.goto(serve(FERRY, article=True).address)
    window.get_by_role("list", name="Texts").wait_for()
    expect(window.get_by_role("region", name="Page")).to_have_attribute("aria-busy", "false")
    return window


def said(bench: Page):
    return bench.get_by_role("status")


def box(bench: Page, text: str):
    return bench.get_by_role("checkbox", name=text)


def save(bench: Page, button: str) -> None:
    bench.get_by_role("button", name="Save", exact=True).click()
    bench.get_by_role("button", name=button).click()
    expect(bench.get_by_role("group", name="Save")).to_have_count(0)


def test_texts_are_kept_or_left_out_with_score_and_reason(bench):
    expect(box(bench, KEPT)).to_be_checked()
    expect(box(bench, LEFT_OUT)).not_to_be_checked()
    row = bench.get_by_role("listitem").filter(has_text=LEFT_OUT)
    article = wq.read(wq.clean(wq.fetch(FERRY)))
    (entry,) = [node for node in article.to_dict()["nodes"] if LEFT_OUT in node["text"]]
    expect(row).to_contain_text(f"left out{entry['score']:.2f}{entry['reason']}")


def test_a_correction_makes_labels_that_validate_reads_and_markdown(bench, tmp_path):
    box(bench, LEFT_OUT).check()
    expect(said(bench)).to_contain_text(f'keep "{LEFT_OUT}')
    box(bench, KEPT).uncheck()
    expect(said(bench)).to_contain_text(f'leave out "{KEPT}')
    save(bench, "Save labels")
    expect(said(bench)).to_contain_text("2 corrections, in ferry_returns-labels.jsonl")
    save(bench, "Save text")
    expect(said(bench)).to_contain_text("ferry_returns.md")
    article = wq.read(wq.clean(wq.fetch(FERRY)))
    extraction = tmp_path / "ferry.jsonl"
    extraction.write_text(json.dumps(article.to_dict()))
    labels, notes = wq.load_labels(tmp_path / "ferry_returns-labels.jsonl", [wq.load_extraction(str(extraction))])
    assert notes == ()
    differing = {
        text
        for label, text, kept in zip(
            labels, [article.document.texts[n] for n in article.nodes], article.kept, strict=True
        )
        if label.content != kept
    }
    assert {text.strip()[: len(KEPT)] for text in differing if KEPT in text} == {KEPT}
    assert len(differing) == 2
    markdown = (tmp_path / "ferry_returns.md").read_text()
    assert LEFT_OUT in markdown
    assert KEPT not in markdown


def test_a_click_on_the_page_corrects_the_text_there(bench):
    found = bench.frame_locator("iframe").get_by_text(KEPT).bounding_box()
    layer = bench.get_by_role("application").bounding_box()
    place = {"x": found["x"] + 5 - layer["x"], "y": found["y"] + 8 - layer["y"]}
    bench.get_by_role("application").click(position=place)
    expect(said(bench)).to_contain_text(f'leave out "{KEPT}')
    expect(box(bench, KEPT)).not_to_be_checked()
    bench.get_by_role("application").click(position=place)
    expect(box(bench, KEPT)).to_be_checked()
    bench.get_by_role("application").click(position={"x": 2, "y": place["y"]})  # beside all texts
    expect(bench.get_by_role("button", name="History")).to_have_text("History (2)")


def test_a_whole_line_is_corrected_and_undone_at_once(bench):
    words = ("Read also:", "The oven that has not gone out for a hundred years")
    boxes = [bench.get_by_role("listitem").filter(has_text=words[0]).get_by_role("checkbox")]
    boxes.append(bench.locator("li").filter(has_text=words[0]).locator("+ li").get_by_role("checkbox"))
    bench.get_by_role("button", name=f"Whole line {words[0]}").click()
    expect(said(bench)).to_have_text(f'keep "{words[0]}" and 1 text of its line')
    for each in boxes:
        expect(each).to_be_checked()
    bench.get_by_role("button", name="Undo").click()
    for each in boxes:
        expect(each).not_to_be_checked()
    found = bench.frame_locator("iframe").get_by_text(words[0]).bounding_box()
    layer = bench.get_by_role("application").bounding_box()
    place = {"x": found["x"] + 5 - layer["x"], "y": found["y"] + found["height"] / 2 - layer["y"]}
    bench.get_by_role("application").click(position=place, modifiers=["Shift"])
    for each in boxes:
        expect(each).to_be_checked()


def test_the_keyboard_alone_corrects_an_article(bench, tmp_path):
    box(bench, KEPT).focus()
    bench.keyboard.press("Space")
    expect(box(bench, KEPT)).not_to_be_checked()
    bench.keyboard.press("ArrowDown")
    expect(box(bench, "A group of retired boatbuilders")).to_be_focused()
    bench.keyboard.press("Control+z")
    expect(box(bench, KEPT)).to_be_checked()
    bench.keyboard.press("Control+y")
    expect(box(bench, KEPT)).not_to_be_checked()
    bench.keyboard.press("Control+s")
    expect(said(bench)).to_contain_text("1 correction,")
    assert (tmp_path / "ferry_returns-labels.jsonl").exists()


def test_several_articles_are_read_together_and_saved_into_a_folder(serve, window, tmp_path):
    names = ("bus-timetable", "cycle-bridge", "ferry-returns", "kite-record", "library-roof")
    window.goto(serve(*(NEWS / f"{name}.html" for name in names), article=True, name="news").address)
    window.get_by_role("combobox", name="Page").select_option("2")
    expect(box(window, KEPT)).to_be_checked()
    expect(window.get_by_role("listitem").filter(has_text=KEPT)).to_contain_text("On the pages of this site")
    box(window, KEPT).uncheck()
    expect(said(window)).to_contain_text("leave out")
    save(window, "Save text")
    expect(said(window)).to_contain_text("of 5 pages to news-texts")
    written = {path.name: path.read_text() for path in (tmp_path / "news-texts").iterdir()}
    assert sorted(written) == [f"{name}.md" for name in names]
    assert KEPT not in written["ferry-returns.md"]
    assert "A group of retired boatbuilders" in written["ferry-returns.md"]


def test_nothing_about_the_view_is_a_serious_barrier(bench):
    assert bench.evaluate("document.documentElement.scrollWidth") <= 1280
    for scheme in ("light", "dark"):
        bench.emulate_media(color_scheme=scheme)
        found = Axe().run(bench, options={"iframes": False, "resultTypes": ["violations"]}).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
