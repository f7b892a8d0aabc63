"""Accepting and rejecting the outliers of an extraction, with a real browser."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import webquarry as wq

pytestmark = pytest.mark.needs_browser

BANNER = "Get the card and save!"


def stock() -> str:
    names = [f"Item {number}" for number in range(1, 8)] + ["Rope"]
    rows = "".join(f"<tr><td>{name}<td class=price>{number}.50 EUR" for number, name in enumerate(names, start=1))
    return f"<table><tr><th>Name<th>Price{rows}<tr><td>Item 9<td><a>{BANNER}</a></table>"


@pytest.fixture
def extraction(tmp_path) -> Path:
    """What a system extracted from a page with one outlier, and from a page that is gone."""
    page = tmp_path / "stock.html"
    page.write_text(stock())
    file = tmp_path / "stock.csv"
    with file.open("w", newline="") as out:
        write = csv.writer(out, lineterminator="\n")
        write.writerow(["page", "xpath", "column"])
        for row in range(2, 11):
            for number, column in enumerate(("name", "price"), start=1):
                write.writerow(["stock.html", f"/html/body/table/tbody/tr[{row}]/td[{number}]", column])
        write.writerow(["gone.html", "/html/body/p[1]", "name"])
    return file


@pytest.fixture
def bench(serve, window: Page, extraction) -> Page:
    window.goto(serve(extraction).address)
    window.get_by_role("list", name="Outliers, the worst first").wait_for()
    expect(window.get_by_role("region", name="Page")).to_have_attribute("aria-busy", "false")
    return window


def said(bench: Page):
    return bench.get_by_role("status")


def drop(bench: Page) -> None:
    bench.get_by_role("button", name="Drop", exact=True).click()
    bench.get_by_role("button", name="Write file").click()
    expect(said(bench)).to_contain_text("wrote")


def verdict(bench: Page, name: str):
    return bench.get_by_role("button", name=name, exact=True)


def test_the_worst_comes_first_with_score_and_reason_and_lost_pages_are_told(bench, extraction):
    first = bench.get_by_role("listitem").first
    expect(first).to_contain_text(BANNER)
    report = wq.validate_extractions([wq.load_extraction(str(extraction))], rendered=False).report
    ((_, text, reason),) = report.pages[0].dropped
    assert text == BANNER
    expect(first).to_contain_text(reason)
    given = [text for text, why in zip(report.pages[0].selection.texts, report.pages[0].reasons, strict=True) if why]
    expect(bench.get_by_role("list", name="Outliers").get_by_role("listitem")).to_have_count(len(given))
    expect(first).to_contain_text(f"{report.pages[0].scores.max():.2f}")
    expect(bench.locator(".warning")).to_contain_text("gone.html")


def test_dropping_writes_the_file_that_validate_writes(bench, extraction, tmp_path):
    drop(bench)
    loaded = wq.load_extraction(str(extraction))
    expected = wq.validate_extractions([loaded], rendered=False).without_drops(0, loaded)
    assert (tmp_path / "stock-kept.csv").read_text() == expected
    assert len(expected) < len(extraction.read_text())


def test_what_is_accepted_stays_and_what_is_rejected_goes(bench, extraction, tmp_path):
    verdict(bench, f"Accept {BANNER}").click()
    expect(said(bench)).to_have_text(f'accept "{BANNER}"')
    expect(verdict(bench, f"Accept {BANNER}")).to_have_attribute("aria-pressed", "true")
    found = bench.frame_locator("iframe").get_by_text("Item 3").bounding_box()
    layer = bench.get_by_role("application").bounding_box()
    place = {"x": found["x"] + 5 - layer["x"], "y": found["y"] + found["height"] / 2 - layer["y"]}
    bench.get_by_role("application").click(position=place)
    expect(said(bench)).to_have_text('reject "Item 3"')
    expect(verdict(bench, "Reject Item 3")).to_have_attribute("aria-pressed", "true")
    drop(bench)
    before, after = (set(path.read_text().split()) for path in (extraction, tmp_path / "stock-kept.csv"))
    (lost,) = before - after
    assert lost == "stock.html,/html/body/table/tbody/tr[4]/td[1],name"


def test_the_keyboard_alone_accepts_and_rejects(bench):
    verdict(bench, f"Show {BANNER}").focus()
    bench.keyboard.press("a")
    expect(said(bench)).to_have_text(f'accept "{BANNER}"')
    bench.keyboard.press("ArrowDown")
    second = bench.get_by_role("listitem").nth(1).get_by_role("button").first
    expect(second).to_be_focused()
    bench.keyboard.press("r")
    expect(said(bench)).to_contain_text('reject "')
    bench.keyboard.press("Control+z")
    expect(said(bench)).to_contain_text('undone: reject "')


def test_labels_are_saved_as_validate_reads_them(bench, extraction, tmp_path):
    verdict(bench, f"Reject {BANNER}").click()
    expect(said(bench)).to_have_text(f'reject "{BANNER}"')
    bench.keyboard.press("Control+s")
    expect(said(bench)).to_contain_text("1 correction, in stock-labels.jsonl")
    file = tmp_path / "stock-labels.jsonl"
    labels, _ = wq.load_labels(file, [wq.load_extraction(str(extraction))])
    assert [label.content for label in labels].count(False) == 1
    report = wq.validate_extractions([wq.load_extraction(str(extraction))], rendered=False).report
    assert wq.measure(report, labels, [0.9]).rows[1].precision == 1
    assert {json.loads(line)["label"] for line in file.read_text().splitlines()} == {"content", "boilerplate"}


def test_a_table_of_records_is_shown_and_says_that_it_cannot_lose_values(serve, window, tmp_path):
    (tmp_path / "stock.html").write_text(stock())
    lines = "".join(f"stock.html,Item {n},{n}.50 EUR\n" for n in range(1, 8))
    (tmp_path / "mined.csv").write_text(f"_page,name,price\n{lines}stock.html,Item 9,{BANNER}\n")
    window.goto(serve(tmp_path / "mined.csv").address)
    verdict(window, f"Reject {BANNER}").click()
    expect(said(window)).to_have_text(f'reject "{BANNER}"')
    window.get_by_role("button", name="Drop", exact=True).click()
    window.get_by_role("button", name="Write file").click()
    expect(window.locator(".message.error")).to_contain_text("a table cannot lose single values")


def test_nothing_about_the_view_is_a_serious_barrier(bench):
    assert bench.evaluate("document.documentElement.scrollWidth") <= 1280
    for scheme in ("light", "dark"):
        bench.emulate_media(color_scheme=scheme)
        found = Axe().run(bench, options={"iframes": False, "resultTypes": ["violations"]}).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []


def test_curves_are_drawn_when_there_are_labels(serve, window, extraction, tmp_path):
    labels = tmp_path / "labels.csv"
    rows = [f"stock.html,/html/body/table/tbody/tr[{row}],{'no' if row == 10 else 'yes'}" for row in range(2, 11)]
    labels.write_text("\n".join(["page,node,label", *rows]))
    window.goto(serve(extraction, labels=labels).address)
    curves = window.get_by_role("img", name="Precision, recall and F1")
    expect(curves).to_be_visible()
    expect(curves.locator("polyline")).to_have_count(3)
    expect(window.locator("figcaption")).to_contain_text("best F1")


def test_saved_labels_give_curves(bench):
    expect(bench.locator("figure")).to_have_count(0)
    bench.get_by_role("button", name="Save", exact=True).click()
    bench.get_by_role("button", name="Save labels").click()
    expect(bench.get_by_role("img", name="Precision, recall and F1")).to_be_visible()
