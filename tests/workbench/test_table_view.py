"""Correcting the table of a page by clicking, with a real browser."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import webquarry as wq
from webquarry.pipeline.correct_wrappers import reads_rendered
from webquarry.wrapping.wrapper_file import write_wrapper

pytestmark = pytest.mark.needs_browser

SHOP = Path(__file__).parents[2] / "examples" / "shops" / "lumen" / "index.html"


def offers(*, banner: bool = True) -> str:
    cards = "".join(
        f'<div class="offer"><h3><a href="/o/{n}">Lamp model {n}</a></h3><p class="price">{n}0.50 €</p>'
        f'<p class="note">A sturdy lamp for desk number {n}.</p></div>'
        for n in range(1, 9)
    )
    club = '<div class="offer banner"><h3><a href="/club">Join the lamp club</a></h3><p class="price">5.00 €</p></div>'
    news = "".join(
        f'<li class="news"><a href="/n/{n}">News item {n}</a> <span>{n} May 2024</span></li>' for n in range(1, 6)
    )
    return f"<main><div class=list>{cards}{club if banner else ''}</div></main><aside><ul>{news}</ul></aside>"


@pytest.fixture
def served(serve, tmp_path):
    (tmp_path / "lamps.html").write_text(offers())
    return serve(tmp_path / "lamps.html")


@pytest.fixture
def bench(served, window: Page) -> Page:
    window.goto(served.address)
    window.get_by_role("table").wait_for()
    return window


def column(bench: Page, name: str):
    bench.get_by_role("button", name=f"Column {name}", exact=True).click()
    return bench.get_by_role("group", name=f"Column {name}", exact=True)


def said(bench: Page):
    return bench.get_by_role("status")


def heads(bench: Page) -> list[str]:
    names = bench.locator("thead button").evaluate_all("all => all.map((each) => each.getAttribute('aria-label'))")
    return [name.removeprefix("Column ") for name in names]


def place_of(bench: Page, text: str) -> dict[str, float]:
    """Where a text of the page is on the layer that is clicked."""
    found = bench.frame_locator("iframe").get_by_text(text).bounding_box()
    layer = bench.get_by_role("application").bounding_box()
    assert found is not None
    assert layer is not None
    return {"x": found["x"] + 5 - layer["x"], "y": found["y"] + found["height"] / 2 - layer["y"]}


def test_a_column_is_renamed(bench, served):
    panel = column(bench, "price")
    panel.get_by_label("Name").fill("cost")
    panel.get_by_role("button", name="Rename").click()
    expect(said(bench)).to_have_text('rename "price" --name "cost"')
    assert "cost" in heads(bench)
    assert "cost" in [field.name for field in served.bench.work.wrapper.listing.fields]


def test_a_column_is_dropped_undone_and_done_again(bench):
    before = heads(bench)
    column(bench, "price").get_by_role("button", name="Drop column").click()
    expect(said(bench)).to_have_text('drop "price"')
    assert heads(bench) == [name for name in before if name != "price"]
    bench.get_by_role("button", name="Undo").click()
    expect(said(bench)).to_contain_text("undone")
    assert heads(bench) == before
    bench.keyboard.press("Control+y")
    expect(said(bench)).to_have_text('drop "price"')
    assert "price" not in heads(bench)


def test_the_type_of_a_column_is_changed(bench, served):
    column(bench, "price").get_by_label("Type").select_option("text")
    expect(said(bench)).to_have_text('retype "price" --to "text"')
    assert {field.name: field.type for field in served.bench.work.wrapper.listing.fields}["price"] == "text"


def test_a_column_is_moved(bench):
    first, second, *_ = heads(bench)
    column(bench, first).get_by_role("button", name="Move right").click()
    expect(said(bench)).to_contain_text("move")
    assert heads(bench)[:2] == [second, first]


def test_a_column_is_merged_with_the_next_one(bench):
    panel = column(bench, "price")
    panel.get_by_role("button", name="Merge with").click()
    expect(said(bench)).to_contain_text('merge "price" --to')
    expect(bench.get_by_role("cell", name="10.50 € A sturdy lamp for desk number 1.")).to_have_count(1)


def test_a_column_is_split_at_a_separator_or_by_a_part(bench, served):
    panel = column(bench, "price")
    panel.get_by_text("Split", exact=True).first.click()
    panel.get_by_label("At the separator").fill(".")
    panel.get_by_label("New column").fill("cents")
    panel.get_by_role("button", name="Split").click()
    expect(said(bench)).to_have_text('split "price" --at "." --name "cents"')
    assert heads(bench)[heads(bench).index("price") + 1] == "cents"
    expect(bench.get_by_role("cell", name="50 €").first).to_be_visible()
    panel = column(bench, "title")
    panel.get_by_text("Split", exact=True).first.click()
    panel.get_by_label("Or this part of a value").fill("3")
    panel.get_by_label("New column").fill("number")
    panel.get_by_role("button", name="Split").click()
    expect(said(bench)).to_have_text('split "title" --part "3" --name "number"')
    assert {field.name: field.type for field in served.bench.work.wrapper.fields}["number"] == "number"


def test_what_is_no_record_is_left_out(bench):
    expect(bench.get_by_role("cell", name="Join the lamp club")).to_have_count(1)
    bench.get_by_role("button", name="Record 9").click()
    bench.get_by_role("button", name="Not a record").click()
    expect(said(bench)).to_contain_text("--record")
    expect(bench.get_by_role("cell", name="Join the lamp club")).to_have_count(0)
    expect(bench.get_by_role("cell", name="Lamp model 8")).to_have_count(1)


def test_a_click_on_another_list_takes_it(bench):
    bench.get_by_role("application").click(position=place_of(bench, "News item 3"))
    expect(said(bench)).to_contain_text('choose "News item 3')
    expect(bench.get_by_role("cell", name="News item 5")).to_have_count(1)


def test_the_next_best_list_is_taken(bench):
    bench.get_by_role("button", name="Next list").click()
    expect(bench.get_by_role("cell", name="News item 5")).to_have_count(1)
    expect(said(bench)).to_have_text("took list 2 of 2; Undo goes back")
    bench.get_by_role("button", name="Next list").click()
    expect(bench.get_by_role("cell", name="Lamp model 8")).to_have_count(1)


def test_another_list_is_shown_from_its_first_column(serve, window):
    window.goto(serve(SHOP).address)
    window.get_by_role("cell", name="Sofort lieferbar").first.scroll_into_view_if_needed()
    table = window.locator(".found .scroll")
    assert table.evaluate("(each) => each.scrollLeft") > 0
    window.get_by_role("button", name="Next list").click()
    expect(said(window)).to_contain_text("took list 2")
    assert table.evaluate("(each) => each.scrollLeft") == 0


def test_a_record_that_was_left_out_is_added_by_its_words(bench):
    bench.get_by_role("button", name="Record 9").click()
    bench.get_by_role("button", name="Not a record").click()
    expect(bench.get_by_role("cell", name="Join the lamp club")).to_have_count(0)
    bench.get_by_role("button", name="Add record").click()
    panel = bench.get_by_role("group", name="Add record")
    panel.get_by_label("Words of the record").fill("Join the lamp club")
    panel.get_by_role("button", name="Add record").click()
    expect(bench.get_by_role("cell", name="Join the lamp club")).to_have_count(1)


def test_the_pager_is_followed(serve, window):
    served = serve(SHOP)
    window.goto(served.address)
    window.get_by_role("button", name="Follow pager").click()
    expect(window.get_by_role("combobox", name="Page")).to_have_value("1")
    expect(window.get_by_role("cell", name="Pell Laser Measure LM-30")).to_have_count(0)
    assert [page.title for page in served.bench.work.pages] == ["index.html", "page-2.html"]
    assert served.bench.work.wrapper.source.samples == served.bench.work.wrapper.source.samples[:1]


def test_pointing_at_the_page_finds_the_cell_and_back(bench):
    bench.get_by_role("application").hover(position=place_of(bench, "Lamp model 2"))
    expect(bench.locator("td.active")).to_have_text("Lamp model 2")
    bench.get_by_role("cell", name="Lamp model 4").hover()
    expect(bench.locator("td.active")).to_have_text("Lamp model 4")


def test_wrapper_and_table_are_saved(bench, served, tmp_path):
    panel = column(bench, "price")
    panel.get_by_label("Name").fill("cost")
    panel.get_by_role("button", name="Rename").click()
    expect(said(bench)).to_contain_text("rename")
    bench.get_by_role("button", name="Save", exact=True).click()
    bench.get_by_role("button", name="Save wrapper").click()
    expect(said(bench)).to_contain_text("saved lamps.toml; it reads other pages too")
    bench.get_by_role("button", name="Save", exact=True).click()
    expect(bench.get_by_role("group", name="Save")).to_contain_text(f"Files go to {tmp_path}")
    bench.get_by_role("button", name="Save table").click()
    expect(said(bench)).to_have_text("wrote 9 records of 1 page to lamps.csv")
    rows = list(csv.DictReader((tmp_path / "lamps.csv").read_text().splitlines()))
    assert [float(row["cost"]) for row in rows[:2]] == [10.5, 20.5]
    learnt = wq.wrap([wq.clean(wq.fetch("lamps.html"))], name="lamps", kind="records", samples=["lamps.html"])
    documents = [wq.clean(wq.fetch("lamps.html"))]
    corrected = wq.correct(learnt, documents, "rename", "price", name="cost")
    assert (tmp_path / "lamps.toml").read_text() == write_wrapper(corrected)


def test_a_correction_that_cannot_be_is_told(bench):
    panel = column(bench, "price")
    panel.get_by_label("Name").fill("title")
    panel.get_by_role("button", name="Rename").click()
    expect(said(bench)).to_contain_text("is taken by another field")
    assert "price" in heads(bench)


def test_the_keyboard_alone_suffices(bench):
    bench.get_by_role("button", name="Column price", exact=True).focus()
    bench.keyboard.press("Enter")
    bench.keyboard.press("Control+a")
    bench.keyboard.type("cost")
    bench.keyboard.press("Enter")
    expect(said(bench)).to_have_text('rename "price" --name "cost"')
    bench.get_by_role("cell", name="Lamp model 1").focus()
    bench.keyboard.press("ArrowDown")
    expect(bench.locator("td.active")).to_have_text("Lamp model 2")
    bench.keyboard.press("Control+z")
    expect(said(bench)).to_contain_text("undone")
    bench.keyboard.press("Control+s")
    expect(said(bench)).to_contain_text("saved lamps.toml; it reads other pages too")


def test_escape_closes_a_panel(bench):
    panel = column(bench, "price")
    bench.keyboard.press("Escape")
    expect(panel).to_have_count(0)


def test_two_windows_do_not_overwrite_each_other(bench, served, chromium):
    other = chromium.new_page()
    other.goto(served.address)
    other.get_by_role("table").wait_for()
    column(bench, "price").get_by_role("button", name="Drop column").click()
    expect(said(bench)).to_have_text('drop "price"')
    panel = column(other, "price")
    panel.get_by_label("Name").fill("cost")
    panel.get_by_role("button", name="Rename").click()
    expect(said(other)).to_contain_text("another window")
    assert heads(other) == heads(bench)
    other.close()


def test_a_page_that_fails_is_told_beside_the_others(serve, window, tmp_path):
    (tmp_path / "lamps.html").write_text(offers())
    served = serve(tmp_path / "lamps.html", tmp_path / "gone.html", kind="records")
    window.goto(served.address)
    expect(window.locator(".warning")).to_contain_text("gone.html")
    expect(window.get_by_role("cell", name="Lamp model 8")).to_have_count(1)


def test_samples_are_gone_through(serve, window, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text(offers(banner=name == "a"))
    served = serve(tmp_path / "a.html", tmp_path / "b.html", kind="records", name="lamps")
    window.goto(served.address)
    expect(window.get_by_role("cell", name="Join the lamp club")).to_have_count(1)
    window.get_by_role("button", name="Next page").click()
    expect(window.get_by_role("cell", name="Join the lamp club")).to_have_count(0)
    window.get_by_role("combobox", name="Page").select_option("0")
    expect(window.get_by_role("cell", name="Join the lamp club")).to_have_count(1)


def test_the_example_shop_is_shown_as_rendered_and_nothing_is_serious(serve, window):
    served = serve(SHOP, rendered=True)
    window.goto(served.address)
    expect(window.get_by_role("cell", name="Pell Laser Measure LM-30")).to_have_count(1)
    assert window.evaluate("document.documentElement.scrollWidth") <= 1280
    tags = served.bench.work.pages[0].numbers.tags
    window.frames[1].wait_for_load_state()
    assert (
        window.evaluate("[...frames[0].document.getElementsByTagName('*')].map((e) => e.localName).join(' ')") == tags
    )
    for scheme in ("light", "dark"):
        window.emulate_media(color_scheme=scheme)
        found = Axe().run(window, options={"iframes": False, "resultTypes": ["violations"]}).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []


SCRIPTED = """<main><ul id=list></ul></main><aside><ul id=news></ul></aside><script>
const add = (list, text) => document.getElementById(list).insertAdjacentHTML("beforeend", text);
for (let n = 1; n < 9; n++) {
  add("list", `<li><h3><a href=/${n}>Lamp model ${n}</a></h3><p>${n}0.50 €</p><p>Sturdy, number ${n}.</p></li>`);
}
for (let n = 1; n < 6; n++) add("news", `<li><a href=/n/${n}>News item ${n}</a> <span>${n} May 2024</span></li>`);
</script>"""


def test_a_page_after_scripts_is_a_picture_with_its_boxes(serve, window, tmp_path):
    (tmp_path / "lamps.html").write_text(SCRIPTED)
    served = serve(tmp_path / "lamps.html", rendered=True, options={"scripts": True})
    window.goto(served.address)
    expect(window.get_by_role("img", name="Picture of the page")).to_be_visible()
    expect(window.get_by_role("region", name="Page")).to_have_attribute("aria-busy", "false")
    document = served.bench.work.pages[0].document
    scale = window.get_by_role("img", name="Picture of the page").bounding_box()["width"] / 1366

    def point(text: str) -> dict[str, float]:
        node = next(node for node in range(len(document)) if document.texts[node].strip() == text)
        x, y, width, height = document.layout.boxes[node]
        return {"x": float(x + width / 2) * scale, "y": float(y + height / 2) * scale}

    layer = window.get_by_role("application")
    layer.hover(position=point("Lamp model 2"))
    expect(window.locator("td.active")).to_have_text("Lamp model 2")
    layer.click(position=point("News item 3"))
    expect(said(window)).to_contain_text('choose "News item 3')
    expect(window.get_by_role("cell", name="News item 5")).to_have_count(1)


def test_columns_of_a_data_table_are_corrected(serve, window, tmp_path):
    rows = "".join(f"<tr><td>Town {n}<td>{n}0 km by road<td>{n}" for n in range(1, 7))
    (tmp_path / "towns.html").write_text(f"<table><tr><th>Name<th>Way<th>Rank{rows}</table>")
    served = serve(tmp_path / "towns.html", kind="tables")
    window.goto(served.address)
    panel = column(window, "Way")
    panel.get_by_text("Split", exact=True).first.click()
    panel.get_by_label("At the separator").fill("by")
    panel.get_by_label("New column").fill("By")
    panel.get_by_role("button", name="Split").click()
    expect(window.get_by_role("cell", name="road").first).to_be_visible()
    column(window, "Rank").get_by_role("button", name="Drop column").click()
    expect(said(window)).to_have_text('drop "Rank"')
    assert [field.name for field in served.bench.work.wrapper.fields] == ["Name", "Way", "By"]


def from_page(bench: Page, text: str, name: str) -> None:
    bench.get_by_label("Text on the page").fill(text)
    bench.get_by_label("Column name").fill(name)
    bench.get_by_role("button", name="Add column").click()


def values(served, name: str) -> list[str | None]:
    records = wq.extract(served.bench.work.wrapper, served.bench.work.pages[0].static).record["records"]
    return [record.get(name) for record in records]


@pytest.fixture
def cards(serve, tmp_path, window: Page):
    """A shop whose records have texts and images in no column, and one record without them."""
    made = "".join(
        f'<li class="card"><img src="/c/{n}.png" width=40 height=40><h3><a href="/o/{n}">Lamp model {n}</a></h3>'
        f'<p class="price">{n}0.50 €</p><p class="maker">Made by House {n}, Kestria</p></li>'
        for n in range(1, 7)
    )
    (tmp_path / "cards.html").write_text(f"<main><ul>{made}</ul></main><p>That is all of our lamps</p>")
    served = serve(tmp_path / "cards.html")
    for name in [each.name for each in served.bench.work.wrapper.fields if each.name not in ("title", "price")]:
        served.bench.work.act(0, "drop", {"example": name})
    window.goto(served.address)
    window.get_by_role("table").wait_for()
    return served


def test_a_click_in_a_record_and_a_name_add_a_column(cards, window):
    window.get_by_role("application").click(position=place_of(window, "Made by House 2, Kestria"))
    expect(window.get_by_label("Text on the page")).to_have_value("Made by House 2, Kestria")
    expect(window.get_by_label("Column name")).to_be_focused()
    window.keyboard.type("maker")
    window.keyboard.press("Enter")
    expect(said(window)).to_have_text('add "Made by House 2, Kestria" --name "maker"')
    assert values(cards, "maker") == [f"Made by House {n}, Kestria" for n in range(1, 7)]
    expect(window.get_by_role("button", name="Column maker", exact=True)).to_be_in_viewport()
    expect(window.get_by_label("Text on the page")).to_have_value("")


def image_place(bench: Page, number: int) -> dict[str, float]:
    found = bench.frame_locator("iframe").locator("img").nth(number).bounding_box()
    layer = bench.get_by_role("application").bounding_box()
    assert found is not None
    assert layer is not None
    return {"x": found["x"] + found["width"] / 2 - layer["x"], "y": found["y"] + found["height"] / 2 - layer["y"]}


def test_a_click_on_an_image_adds_its_column(cards, window):
    window.get_by_role("application").click(
        position=place_of(window, "Lamp model 3") | {"y": 0} if False else image_place(window, 2)
    )
    expect(window.get_by_label("Text on the page")).to_have_value("/c/3.png")
    window.get_by_label("Column name").fill("picture")
    window.get_by_role("button", name="Add column").click()
    expect(said(window)).to_have_text('add "/c/3.png" --name "picture"')
    assert [str(value).rpartition("/")[2] for value in values(cards, "picture")] == [f"{n}.png" for n in range(1, 7)]


def test_a_selected_part_of_a_text_becomes_a_column(cards, window):
    box = window.frame_locator("iframe").get_by_text("Made by House 1, Kestria").bounding_box()
    assert box is not None
    window.mouse.move(box["x"] + 1, box["y"] + box["height"] / 2)
    window.mouse.down()
    window.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2, steps=4)
    window.mouse.up()
    expect(window.get_by_label("Text on the page")).to_have_value(re.compile("^Made by"))
    from_page(window, "House 1", "house")
    expect(said(window)).to_have_text('add "House 1" --name "house"')
    assert values(cards, "house") == [f"House {n}" for n in range(1, 7)]


def test_records_without_the_value_are_named_and_a_column_is_taught(serve, tmp_path, window):
    made = "".join(
        f'<li><h3><a href="/o/{n}">Lamp model {n}</a></h3><p class="price">{n}0.50 €</p>'
        + (f"<p class=maker>House {n}</p>" if n != 3 else "<div><em>House 3</em></div>")
        + "</li>"
        for n in range(1, 7)
    )
    (tmp_path / "cards.html").write_text(f"<main><ul>{made}</ul></main>")
    served = serve(tmp_path / "cards.html")
    for name in [each.name for each in served.bench.work.wrapper.fields if each.name not in ("title", "price")]:
        served.bench.work.act(0, "drop", {"example": name})
    window.goto(served.address)
    from_page(window, "House 1", "house")
    expect(said(window)).to_have_text('add "House 1" --name "house"; house: not found in record 3')
    panel = column(window, "house")
    panel.get_by_label("A value that it misses").fill("House 3")
    panel.get_by_role("button", name="Teach").click()
    expect(said(window)).to_have_text('add "House 3" --name "house"')
    assert values(served, "house") == [f"House {n}" for n in range(1, 7)]


def test_an_added_column_is_saved_as_the_command_line_would(cards, window, tmp_path):
    start = cards.bench.work.wrapper
    from_page(window, "House 2", "house")
    expect(said(window)).to_contain_text("add")
    window.get_by_role("button", name="Save", exact=True).click()
    window.get_by_role("button", name="Save wrapper").click()
    expect(said(window)).to_contain_text("saved cards.toml; it reads other pages too")
    corrected = wq.correct(start, [wq.clean(wq.fetch("cards.html"))], "add", "House 2", name="house")
    assert (tmp_path / "cards.toml").read_text() == write_wrapper(corrected)


def test_corrections_of_rendered_pages_are_those_of_the_command_line(serve, tmp_path):
    (tmp_path / "lamps.html").write_text("<style>.note { display: none }</style>" + offers())
    work = serve(tmp_path / "lamps.html", rendered=True).bench.work
    steps = [
        ("add", {"example": "Lamp", "name": "thing"}),
        ("drop", {"example": "Join the lamp club", "record": True}),
        ("choose", {"example": "News item 2"}),
        ("add", {"example": "News", "name": "thing"}),
    ]
    wrapper, page = work.wrapper, wq.fetch("lamps.html")
    for action, given in steps:
        work.act(0, action, given)
        is_rendered = reads_rendered(wrapper, action, record=given.get("record", False))
        documents = [wq.render(page) if is_rendered else wq.clean(page)]
        wrapper = wq.correct(wrapper, documents, action, **given)
    assert write_wrapper(work.wrapper) == write_wrapper(wrapper)


def test_shift_and_a_click_add_a_record(bench):
    bench.get_by_role("button", name="Record 9").click()
    bench.get_by_role("button", name="Not a record").click()
    expect(bench.get_by_role("cell", name="Join the lamp club")).to_have_count(0)
    bench.get_by_role("application").click(position=place_of(bench, "Join the lamp club"), modifiers=["Shift"])
    expect(bench.get_by_role("cell", name="Join the lamp club")).to_have_count(1)


def test_the_list_of_a_thing_in_a_record_can_be_taken(bench):
    bench.get_by_label("Text on the page").fill("News item 2")
    bench.get_by_role("button", name="Take its list").click()
    expect(bench.get_by_role("cell", name="News item 5")).to_have_count(1)


def test_a_page_without_a_list_opens_and_a_click_learns_one(serve, tmp_path, window):
    story = "A sentence of a long story about the sea and its ships. " * 200
    (tmp_path / "story.html").write_text(f"<div><span>Blue kettle</span> <span>Red kettle</span></div><p>{story}</p>")
    served = serve(tmp_path / "story.html")
    window.goto(served.address)
    expect(window.get_by_text("No records yet")).to_be_visible()
    expect(window.get_by_text("no list was found on this page")).to_be_visible()
    window.get_by_role("button", name="Save", exact=True).click()
    window.get_by_role("button", name="Save wrapper").click()
    expect(said(window)).to_contain_text("there is no list yet")
    window.get_by_role("application").click(position=place_of(window, "Red kettle"))
    expect(window.get_by_role("cell", name="Blue kettle")).to_have_count(1)
    learnt = wq.wrap([wq.clean(wq.fetch("story.html"))], name="story", samples=["story.html"], like="Red kettle")
    assert served.bench.work.wrapper == learnt
