"""Querying a catalog on the workbench, with a real browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import webquarry as wq

pytestmark = pytest.mark.needs_browser

BOOK = Path(__file__).parents[2] / "examples" / "factbook"


def make_catalog(folder: Path, book: Path = BOOK) -> Path:
    documents = [wq.clean(wq.fetch(book / "geos" / f"{code}.html")) for code in ("am", "bv", "cd")]
    wrapper = wq.wrap(
        documents,
        name="book",
        kind="sections",
        base=str(book),
        pages="geos/{code}.html",
        key="country",
        index_page="index.html",
    )
    folder.mkdir()
    wq.save_wrapper(folder / "book.toml", wrapper)
    return folder


@pytest.fixture
def bench(serve, window: Page, tmp_path) -> Page:
    window.goto(serve(make_catalog(tmp_path / "catalog")).address)
    window.get_by_role("navigation", name="Sources").get_by_text("geography.area.total", exact=True).wait_for()
    return window


QUERY = "SELECT country, geography.area.total FROM book WHERE country LIKE 'K%'"


def test_a_query_is_planned_and_run(bench):
    bench.get_by_label("SQL").fill(QUERY)
    bench.get_by_role("button", name="Plan").click()
    expect(bench.get_by_label("Plan", exact=True).last).to_contain_text("geography.area.total")
    bench.get_by_role("button", name="Run").click()
    expect(bench.get_by_role("cell", name="Kestria")).to_have_count(1)
    expect(bench.get_by_role("status")).to_contain_text("row")


def test_names_are_completed(bench):
    editor = bench.get_by_label("SQL")
    editor.press_sequentially("SELECT geography.area.to")
    bench.locator(".suggestion").first.wait_for()
    editor.press("Tab")
    expect(editor).to_have_value("SELECT geography.area.total")


def test_a_wrong_query_is_told_and_an_answer_is_saved(bench, tmp_path):
    editor = bench.get_by_label("SQL")
    editor.fill("SELECT nothing FROM nowhere")
    bench.get_by_role("button", name="Run").click()
    expect(bench.locator(".message.error")).to_contain_text("nowhere")
    editor.fill(QUERY)
    editor.press("Control+Enter")
    expect(bench.get_by_role("cell", name="Kestria")).to_have_count(1)
    bench.get_by_role("button", name="Save answer").click()
    bench.get_by_role("button", name="Save table").click()
    expect(bench.get_by_role("status")).to_contain_text("answer.csv")
    assert "Kestria" in (tmp_path / "answer.csv").read_text()
    editor.fill("SELEC country FROM book")
    editor.press("Control+Enter")
    expect(bench.locator(".message.error")).to_contain_text("SELEC")
    expect(bench.get_by_role("cell", name="Kestria")).to_have_count(0)  # it is not the answer to this query


def test_the_sources_of_a_catalog_are_all_in_view(serve, window, tmp_path):
    folder = make_catalog(tmp_path / "catalog")
    (folder / "other.toml").write_text((folder / "book.toml").read_text().replace('name = "book"', 'name = "other"'))
    window.goto(serve(folder).address)
    sources = window.get_by_role("navigation", name="Sources")
    other = sources.get_by_text("other 181 columns")
    expect(other).to_be_in_viewport()
    expect(sources.get_by_text("geography.area.total", exact=True).first).to_be_hidden()
    other.click()
    expect(sources.get_by_text("geography.area.total", exact=True).last).to_be_visible()


IS_MARKED = """() => {
    const paper = document.querySelector("canvas.marks");
    return paper.width && paper.getContext("2d").getImageData(0, 0, paper.width, paper.height).data.some(Boolean);
}"""


def lit_text(bench: Page) -> str:
    """The text of the element that the page on screen lights up, by the mark that its view was given."""
    bench.get_by_role("region", name="Page", exact=True).and_(bench.locator("[aria-busy=false]")).wait_for()
    bench.wait_for_function(IS_MARKED)
    where = bench.evaluate("fetch('/state?page=0').then((answer) => answer.json())")["where"]
    number = next(each["place"][0] for each in where["nodes"] if each["node"] == where["node"])
    return bench.evaluate(
        "(number) => document.querySelector('iframe').contentDocument.querySelectorAll('*')[number].textContent", number
    )


def test_a_value_opens_its_page_with_the_node_lit(bench):
    bench.get_by_label("SQL").fill(f"WITH c AS ({QUERY}) SELECT c.total, c.country, 7 AS seven FROM c")
    bench.get_by_role("button", name="Run").click()
    expect(bench.locator("iframe")).to_have_count(0)
    bench.get_by_role("cell", name="75000").click()
    assert "75,000 sq km" in lit_text(bench)
    expect(bench.get_by_role("region", name="Page", exact=True)).to_contain_text("ks.html")
    axe = Axe().run(bench)
    assert [each["id"] for each in axe.response["violations"] if each["impact"] in ("serious", "critical")] == []
    bench.get_by_role("cell", name="7", exact=True).click()
    expect(bench.get_by_role("status")).to_contain_text("not made of values of pages")
    expect(bench.locator("iframe")).to_have_count(0)


def test_the_places_of_an_aggregate_are_gone_through_by_keyboard(bench):
    editor = bench.get_by_label("SQL")
    editor.fill("SELECT 'area', sum(geography.area.total) FROM book WHERE country LIKE 'A%' OR country LIKE 'K%'")
    editor.press("Control+Enter")
    bench.get_by_role("cell", name="area").focus()
    bench.keyboard.press("ArrowRight")
    bench.keyboard.press("Enter")
    origin = bench.get_by_role("region", name="Where the value comes from")
    expect(origin).to_contain_text("made of values at 2 places")
    assert "43,000 sq km" in lit_text(bench)
    origin.get_by_role("button", name="Next place").press("Enter")
    expect(origin).to_contain_text("2 of 2")
    expect(origin).to_contain_text("ks.html")
    assert "75,000 sq km" in lit_text(bench)
    origin.get_by_role("button", name="Close page").press("Enter")
    expect(origin).to_have_count(0)


def test_a_page_that_is_gone_is_told_and_the_answer_stays(serve, tmp_path):
    book = Path(shutil.copytree(BOOK, tmp_path / "book"))
    bench = serve(make_catalog(tmp_path / "catalog", book)).bench
    assert bench.act({"version": 1, "action": "where"})[1]["error"].startswith("run a query first")
    assert bench.act({"version": 1, "action": "run", "query": QUERY})[0] == 200
    (book / "geos" / "ks.html").unlink()
    for given in ({"row": 0, "column": 1}, {"row": 9, "column": 1}, {"row": "0", "column": 1}):
        status, said = bench.act({"version": 2, "action": "where", **given})
        assert status == 422
        assert said["error"]
    assert bench.show(0)["answer"]["rows"] == [["Kestria", "75000"]]
    assert bench.show(0)["where"] is None
