"""Mining as the library offers it, and listings of several pages."""

from __future__ import annotations

import csv
import pickle
from pathlib import Path

import pytest

import webquarry as wq
from webquarry.cli.demo import find_examples
from webquarry.mining import visual, visual as choosing
from webquarry.pipeline import mine_pages as mining
from webquarry.pipeline.mine_pages import MINERS

GOODS = "Kettle Lamp Saw Hammer Chair Table Mirror Basket Ladder Bucket Broom Candle Clock Vase Rug".split()


def listing(goods: list[str], pager: str = "") -> bytes:
    """A page with a record a good: name, link, price and a sentence."""
    records = "".join(
        f"<div class=offer><h3><a href='/{name}'>{name}</a></h3><p>A {name.lower()} made to last for years.</p>"
        f"<span class=price>EUR {len(name)}.50</span></div>"
        for name in goods
    )
    return f"<title>Shop</title><body><h1>Shop</h1><div id=list>{records}</div><p>{pager}</p>".encode()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Three pages; the last leads back to the first, and the second repeats a record of the first."""
    pages = {"1": (GOODS[:5], "2"), "2": (GOODS[4:10], "3"), "3": (GOODS[10:], "1")}
    for name, (goods, following) in pages.items():
        (tmp_path / f"{name}.html").write_bytes(listing(goods, f"<a href={following}.html>Next</a>"))
    return tmp_path


def found(result: wq.PageRegions) -> list[str]:
    """The names of the goods of the one region."""
    (region,) = result.regions
    return [record.text.split()[0] for record in region.records]


def test_the_best_region_comes_first():
    regions = wq.mine(wq.clean(wq.Page("https://shop.example/", listing(GOODS))))
    assert [record.text.split()[0] for record in regions[0].records] == GOODS
    assert regions[0].method == "visual"
    assert regions[0].fields


@pytest.mark.needs_browser
def test_a_list_that_the_layout_does_not_show_is_found_by_the_markup_and_says_so():
    markup = listing(GOODS).replace(b"<div class=offer>", b"<div class=offer style='position:absolute;opacity:0'>")
    page = wq.Page("https://shop.example/", b"<style>b {}</style>" + markup + b"<p>" + b"Words to be seen. " * 90)
    rendered, static = (wq.mine(document)[0] for document in (wq.render(page), wq.clean(page)))
    assert [record.text for record in rendered.records] == [record.text for record in static.records]
    assert rendered.reasons == ("found by the markup alone: the layout shows no list", *static.reasons)
    assert rendered.box is not None


@pytest.mark.needs_browser
@pytest.mark.parametrize(("head", "is_markup"), [("", True), ("<style>b {}</style>", False)])
def test_the_markup_decides_on_a_page_without_styles_and_says_so(head, is_markup):
    page = wq.Page("https://shop.example/", head.encode() + listing(GOODS))
    best = wq.mine(wq.render(page))[0]
    assert (best.reasons[0] == "found by the markup alone: the page lacks style sheets") == is_markup
    assert len(best) == len(GOODS)
    assert best.box is not None


def test_nothing_found_is_an_answer():
    assert wq.mine(wq.clean(wq.Page("https://shop.example/", b""))) == []


def test_an_unknown_method_names_those_that_there_are():
    with pytest.raises(ValueError, match=r"'magic'.*visual, emine, mdr, tables, data"):
        wq.mine(wq.clean(wq.Page("", b"")), method="magic")


@pytest.mark.parametrize("method", MINERS)
def test_every_method_gives_regions_of_its_name(method):
    page = wq.Page("", b"<table width=500 height=300><tr><th>Name<th>Price" + b"<tr><td>Lamp<td>12<tr><td>Saw<td>9" * 4)
    page = wq.Page("", page.body + b"<p itemscope><b itemprop=name>Shop</b>")
    regions = wq.mine(wq.clean(page), method=method)
    assert regions
    assert {region.method for region in regions} == {method}
    assert all(region.fields for region in regions)


def test_many_documents_keep_their_order_and_failures_their_place():
    pages = [wq.Page("https://a.example/", listing(GOODS)), wq.Failure("b", "gone"), wq.Page("https://c.example/", b"")]
    first, failed, empty = wq.mine_all(wq.clean_all(pages))
    assert (first.page, first.document, len(first.regions[0])) == ("https://a.example/", "static", len(GOODS))
    assert failed == wq.Failure("b", "gone")
    assert (empty.page, list(empty.regions)) == ("https://c.example/", [])


def test_a_fault_of_ours_on_one_page_does_not_stop_the_others(monkeypatch):
    original = mining.MINERS["visual"]

    def mine(document: wq.Document) -> list[wq.Region]:
        if "odd" in document.url:
            raise IndexError("out of range")
        return original(document)

    monkeypatch.setitem(mining.MINERS, "visual", mine)
    pages = [wq.Page("https://odd.example/", b"x"), wq.Page("https://a.example/", listing(GOODS))]
    failed, good = wq.mine_all(wq.clean_all(pages))
    assert failed.error == "https://odd.example/: internal error, please report it: IndexError: out of range"
    assert len(good.regions[0]) == len(GOODS)


def test_columns_that_are_not_wanted_at_once_are_aligned_on_first_use(monkeypatch):
    def align(*_: object) -> None:
        raise IndexError("out of range")

    monkeypatch.setattr(visual, "align_fields", align)
    monkeypatch.setattr(choosing, "align_fields", align)
    document = wq.clean(wq.Page("https://odd.example/", listing(GOODS)))
    (lazy,) = wq.mine_all([document])
    assert len(lazy.regions[0]) == len(GOODS)
    with pytest.raises(IndexError):
        _ = lazy.regions[0].fields
    (failed,) = wq.mine_all([document], choose=lambda regions: regions[:1])
    assert failed.error == "https://odd.example/: internal error, please report it: IndexError: out of range"


def test_columns_without_a_name_are_a_doubt_of_the_page():
    extras = "".join(f"<i class=c{n}>{{}} {word}</i><br>" for n, word in enumerate(("ash", "elm", "oak", "fir")))
    markup = listing(GOODS).replace(b"<span class=price>", extras.encode() + b"<span class=price>")
    varied = b"".join(part + (b"%x" % place) for place, part in enumerate(markup.split(b"{}")))
    (result,) = wq.mine_all([wq.clean(wq.Page("https://shop.example/", varied))])
    assert result.doubt.startswith("3 columns have no name"), result.regions[0]
    assert pickle.loads(pickle.dumps(result)).doubt == result.doubt
    (plain,) = wq.mine_all([wq.clean(wq.Page("https://shop.example/", listing(GOODS)))])
    assert plain.doubt == ""


def test_a_listing_is_followed_to_its_end_without_doubles(shop):
    results = list(wq.mine_following(wq.fetch(shop / "1.html"), 10))
    assert [result.page for result in results] == [(shop / f"{name}.html").as_uri() for name in "123"]
    assert [found(result) for result in results] == [GOODS[:5], GOODS[5:10], GOODS[10:]]


def test_no_more_pages_are_read_than_asked_for(shop):
    (shop / "3.html").unlink()
    assert [found(result) for result in wq.mine_following(wq.fetch(shop / "1.html"), 1)] == [GOODS[:5], GOODS[5:10]]
    assert len(list(wq.mine_following(wq.fetch(shop / "1.html"), 0))) == 1


def test_columns_have_one_name_on_all_pages(shop):
    results = list(wq.mine_following(wq.fetch(shop / "1.html"), 10))
    names = [[field.name for field in result.regions[0].fields] for result in results]
    assert names[0] == names[1] == names[2]


def test_a_page_that_is_missing_ends_the_listing_as_a_failure(shop):
    (shop / "2.html").unlink()
    first, failed = wq.mine_following(wq.fetch(shop / "1.html"), 10)
    assert found(first) == GOODS[:5]
    assert failed.page == (shop / "2.html").as_uri()
    assert "there is no such file" in failed.error


def test_files_outside_of_the_folder_are_not_read(shop):
    folder = shop / "inner"
    folder.mkdir()
    (folder / "1.html").write_bytes(listing(GOODS[:5], "<a href=../2.html>Next</a>"))
    page = wq.fetch(folder / "1.html")
    _, refused = wq.mine_following(page, 1)
    assert "outside of" in refused.error
    assert [found(result) for result in wq.mine_following(page, 1, roots=[shop])] == [GOODS[:5], GOODS[5:10]]


def test_a_page_without_regions_is_not_followed(shop):
    (shop / "0.html").write_bytes(b"<a href=1.html>Next</a>")
    (empty,) = wq.mine_following(wq.fetch(shop / "0.html"), 5)
    assert list(empty.regions) == []


def test_a_region_that_the_page_has_not_is_a_failure(shop):
    (failed,) = wq.mine_following(wq.fetch(shop / "1.html"), 5, region=99)
    assert "--region 99" in failed.error


def test_a_page_that_cannot_be_read_is_a_failure(shop):
    (shop / "2.html").write_bytes(b"%PDF-1.4")
    _, failed = wq.mine_following(wq.fetch(shop / "1.html"), 5)
    assert "PDF" in failed.error


@pytest.mark.parametrize("name", ["lumen", "kettleby"])
def test_the_example_shops_are_found_whole(name):
    examples = find_examples()
    with (examples / "truth" / "offers.csv").open(encoding="utf-8") as file:
        offers = [row for row in csv.DictReader(file) if row["shop"] == name]
    results = list(wq.mine_following(wq.fetch(examples / "shops" / name / "index.html"), 9))
    texts = {
        result.page.rpartition("/examples/")[2]: [record.text for record in result.regions[0].records]
        for result in results
    }
    missing = [row["product"] for row in offers if not any(row["product"] in text for text in texts[row["page"]])]
    assert (len(results), missing) == (3, [])


def test_a_method_that_is_not_there_is_no_fault_of_a_page():
    with pytest.raises(ValueError, match="no mining method 'magic'; choose from visual"):
        list(wq.mine_all([wq.Document("<p>One")], method="magic"))


def test_a_page_that_no_document_was_made_of_is_told_how_to_make_one():
    with pytest.raises(TypeError, match="not a Page; make one with clean or render"):
        wq.mine(wq.Page(url="https://example.org/", body=b"<p>One"))


@pytest.mark.parametrize("number", [-1, 0, 2])
def test_a_region_that_a_listing_has_not_is_a_failure(number):
    items = "".join(f"<li><b>Lamp {each}</b> <i>{each} pieces</i>" for each in range(9))
    page = wq.Page(url="https://example.org/", body=f"<ul>{items}</ul>".encode())
    (result,) = wq.mine_following(page, 0, region=number)
    assert result == wq.Failure(page.url, f"{page.url}: page has 1 region; --region {number} is not among them")


def test_a_table_is_one_call_from_a_file_a_page_or_a_document(tmp_path):
    file = tmp_path / "page.html"
    rows = "".join(f"<tr><td>Lamp {number}<td>{number}.50 EUR" for number in range(1, 6))
    file.write_text(f"<table><tr><th>Name<th>Price{rows}</table>")
    expected = [1.5, 2.5, 3.5, 4.5, 5.5]
    page = wq.fetch(file)
    for source in (str(file), file, page, wq.clean(page)):
        assert wq.table(source, render=False)["price"] == expected
    assert wq.table(wq.clean(page), like="Lamp 3")["Name"][2] == "Lamp 3"
    with pytest.raises(wq.InputError, match="--region 9 is not among them"):
        wq.table(page, render=False, region=9)


def test_a_table_is_rendered_where_there_is_a_browser(browser, tmp_path):
    file = tmp_path / "page.html"
    file.write_text("<table><tr><th>Name<th>Price<tr><td>Lamp<td>9<tr><td>Saw<td>7</table>")
    assert wq.table(file, browser=browser, width=900).document.layout.viewport == 900


def test_a_table_is_found_without_a_browser_and_a_warning_says_so(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(mining, "find_browser", lambda _named: None)
    file = tmp_path / "page.html"
    file.write_text("<table><tr><th>Name<th>Price<tr><td>Lamp<td>9<tr><td>Saw<td>7</table>")
    assert wq.table(file).document.kind == "static"
    assert "no browser was found" in caplog.text


def test_a_page_without_a_table_is_an_error_that_says_so(tmp_path):
    with pytest.raises(wq.InputError, match="no records were found; a browser may see more"):
        wq.table(wq.Page(url="https://example.org/", body=b"<p>Nothing"), render=False)
