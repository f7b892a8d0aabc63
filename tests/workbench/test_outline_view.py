"""Correcting sections by clicking, with a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import webquarry as wq
from webquarry.wrapping.wrapper_file import write_wrapper

pytestmark = pytest.mark.needs_browser

BOOK = Path(__file__).parents[2] / "examples" / "factbook" / "geos"
CODES = ("am", "bv", "cd")


@pytest.fixture
def served(serve):
    return serve(*(BOOK / f"{code}.html" for code in CODES), name="factbook", kind="sections")


@pytest.fixture
def bench(served, window: Page) -> Page:
    window.goto(served.address)
    window.get_by_role("button", name="Section geography", exact=True).wait_for()
    expect(window.get_by_role("region", name="Page")).to_have_attribute("aria-busy", "false")
    return window


def section(bench: Page, path: str):
    bench.get_by_role("button", name=f"Section {path}", exact=True).click()
    return bench.get_by_role("group", name=f"Section {path}", exact=True)


def said(bench: Page):
    return bench.get_by_role("status")


def test_a_section_is_renamed_as_the_library_does(bench, served):
    panel = section(bench, "geography")
    panel.get_by_label("Name").fill("land")
    panel.get_by_role("button", name="Rename").click()
    expect(said(bench)).to_have_text('rename "geography" --name "land"')
    bench.get_by_role("button", name="Section land", exact=True).wait_for()
    documents = [wq.clean(wq.fetch(BOOK / f"{code}.html")) for code in CODES]
    learnt = wq.wrap(documents, name="factbook", kind="sections", samples=served.bench.work.wrapper.source.samples)
    corrected = wq.correct(learnt, documents, "rename", "geography", name="land")
    assert write_wrapper(served.bench.work.wrapper) == write_wrapper(corrected)


def test_a_section_is_moved_and_joined(bench, served):
    section(bench, "economy").get_by_label("Move into").select_option("government")
    expect(said(bench)).to_have_text('move "economy" --to "government"')
    bench.get_by_role("button", name="Section government.economy", exact=True).wait_for()
    bench.get_by_role("button", name="Undo").click()
    bench.get_by_role("button", name="Section economy", exact=True).wait_for()


def test_a_heading_is_dropped_alone_or_with_its_format(bench, served):
    section(bench, "geography.area").get_by_role("button", name="Drop this heading").click()
    expect(said(bench)).to_contain_text('drop "geography.area"')
    expect(bench.get_by_role("button", name="Section geography.area", exact=True)).to_have_count(0)
    bench.get_by_role("button", name="Undo").click()
    expect(bench.get_by_role("button", name="Section geography.area", exact=True)).to_have_count(1)
    section(bench, "geography").get_by_role("button", name="Drop all of its format").click()
    expect(said(bench)).to_contain_text("--class")
    expect(bench.get_by_role("button", name="Section geography", exact=True)).to_have_count(0)


def test_a_text_is_made_a_heading(bench):
    bench.get_by_label("Text on the page").fill("nowhere on the page")
    bench.get_by_role("button", name="Make it a heading").click()
    expect(bench.locator(".message.error")).to_contain_text("nowhere on the page")


def test_the_record_of_the_page_on_screen_is_shown(bench):
    before = bench.locator(".outline").inner_text()
    bench.get_by_role("button", name="Next page").click()
    expect(bench.locator(".outline .title")).not_to_have_text(before.splitlines()[0])
    assert bench.locator(".outline").inner_text() != before


def test_a_click_on_a_text_of_the_page_offers_it_as_a_heading(bench):
    layer, text = bench.get_by_role("application"), bench.frame_locator("iframe").get_by_text("Fact Book").first
    place, around = text.bounding_box(), layer.bounding_box()
    assert place is not None
    assert around is not None
    layer.click(position={"x": place["x"] + 5 - around["x"], "y": place["y"] + place["height"] / 2 - around["y"]})
    expect(bench.get_by_label("Text on the page")).to_have_value(re.compile("Fact Book"))


def test_the_fields_of_an_item_are_shown_and_corrected(serve, window):
    lamps = Path(__file__).parents[2] / "examples" / "shops" / "lumen" / "leuchten"
    served = serve(*sorted(lamps.glob("lu-41*.html"))[:4], name="lamps", kind="item")
    window.goto(served.address)
    window.get_by_role("button", name="Section price", exact=True).wait_for()
    expect(window.locator(".outline li", has_text="title").first).to_contain_text("Halden Desk Lamp HD-210")
    panel = section(window, "brand")
    panel.get_by_label("Name").fill("maker")
    panel.get_by_role("button", name="Rename").click()
    expect(said(window)).to_have_text('rename "brand" --name "maker"')
    window.get_by_role("button", name="Section maker", exact=True).wait_for()
    window.get_by_role("button", name="Next page").click()
    expect(window.locator(".outline li", has_text="title").first).to_contain_text("Halden Floor Lamp HF-340")


@pytest.fixture
def lands(serve, window, tmp_path):
    for number, side in enumerate(("west", "east", "north")):
        (tmp_path / f"{number}.html").write_text(
            f"<h1>Land {number}</h1><h2>Geography</h2><p>In the {side}, with a Climate that is mild and wet.</p>"
            f"<h2>People</h2><p>Many {number} folks of the {side}.</p>"
        )
    served = serve(*(tmp_path / f"{number}.html" for number in range(3)), name="lands", kind="sections")
    window.goto(served.address)
    window.get_by_role("button", name="Section geography", exact=True).wait_for()
    expect(window.get_by_role("region", name="Page")).to_have_attribute("aria-busy", "false")
    return window


def test_a_part_of_a_text_is_made_a_heading(lands):
    lands.get_by_label("Text on the page").fill("Climate")
    lands.get_by_role("button", name="Make it a heading").click()
    expect(said(lands)).to_have_text('add "Climate"')
    expect(lands.locator(".outline li", has_text="climate")).to_contain_text("that is mild and wet.")


def test_text_that_is_selected_on_the_page_is_offered_as_a_heading(lands):
    layer = lands.get_by_role("application")
    around = layer.bounding_box()
    left, right, top = lands.frames[1].evaluate(
        """() => {
          const text = document.querySelector("p").firstChild, at = text.data.indexOf("Climate");
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, at + 7);
          const box = range.getBoundingClientRect();
          return [box.left, box.right, (box.top + box.bottom) / 2];
        }"""
    )
    scale = lands.locator("iframe").bounding_box()["width"] / lands.frames[1].evaluate("innerWidth")
    lands.mouse.move(around["x"] + left * scale + 1, around["y"] + top * scale)
    lands.mouse.down()
    lands.mouse.move(around["x"] + right * scale - 1, around["y"] + top * scale, steps=4)
    lands.mouse.up()
    expect(lands.get_by_label("Text on the page")).to_have_value("Climate")


def test_a_section_is_joined_and_typed(bench, served):
    section(bench, "geography.coastline").get_by_label("Type").select_option("text")
    expect(said(bench)).to_contain_text("retype")
    section(bench, "economy").get_by_label("Join with").select_option("government")
    expect(said(bench)).to_contain_text('join "economy" --to "government"')
    expect(bench.get_by_role("button", name="Section economy", exact=True)).to_have_count(0)


def test_the_keyboard_alone_corrects_sections(bench):
    bench.get_by_role("button", name="Section geography", exact=True).focus()
    bench.keyboard.press("Enter")
    bench.keyboard.press("Control+a")
    bench.keyboard.type("land")
    bench.keyboard.press("Enter")
    expect(said(bench)).to_have_text('rename "geography" --name "land"')
    bench.keyboard.press("Control+z")
    expect(said(bench)).to_contain_text("undone")
    bench.keyboard.press("Control+s")
    expect(said(bench)).to_contain_text("saved factbook.toml; it reads other pages too")


def test_nothing_about_the_view_is_a_serious_barrier(bench):
    for scheme in ("light", "dark"):
        bench.emulate_media(color_scheme=scheme)
        found = Axe().run(bench, options={"iframes": False, "resultTypes": ["violations"]}).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []


def test_a_field_of_an_item_is_split_and_added(serve, window):
    lamps = Path(__file__).parents[2] / "examples" / "shops" / "lumen" / "leuchten"
    served = serve(*sorted(lamps.glob("lu-41*.html"))[:4], name="lamps", kind="item")
    window.goto(served.address)
    panel = section(window, "title")
    panel.get_by_text("Split", exact=True).first.click()
    panel.get_by_label("Or this part of a value").fill("HD-210")
    panel.get_by_label("New column").fill("model")
    panel.get_by_role("button", name="Split").click()
    expect(said(window)).to_have_text('split "title" --part "HD-210" --name "model"')
    expect(window.locator(".outline li", has_text="model").first).to_contain_text("HD-210")
    section(window, "model").get_by_role("button", name="Drop this field").click()
    expect(said(window)).to_have_text('drop "model"')


def test_a_wrapper_of_the_papers_method_is_corrected(serve, window, tmp_path):
    documents = [wq.clean(wq.fetch(BOOK / f"{code}.html")) for code in CODES]
    wq.save_wrapper(tmp_path / "book.toml", wq.wrap(documents, name="book", method="ashish"))
    served = serve(tmp_path / "book.toml")
    window.goto(served.address)
    panel = section(window, "geography")
    panel.get_by_label("Name").fill("land")
    panel.get_by_role("button", name="Rename").click()
    expect(said(window)).to_have_text('rename "geography" --name "land"')
    expect(window.locator(".outline li", has_text="land").first).to_be_visible()
    learnt = wq.load_wrapper(tmp_path / "book.toml")
    corrected = wq.correct(learnt, documents, "rename", "geography", name="land")
    assert write_wrapper(served.bench.work.wrapper) == write_wrapper(corrected)
    window.get_by_role("button", name="Undo").click()
    expect(said(window)).to_contain_text("undone")
