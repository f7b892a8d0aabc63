"""A report on a table shows what each column holds, what is odd in it, and each record with its part of the page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import webquarry as wq
from webquarry.validating.column_outliers import summarise_columns
from webquarry.validating.report_page import MAX_RECORDS, PICTURE

PRICES = ["$12.50", "$9.00", "$21.80", "$64.90", "$17.00", "$8.40", "$", "$7.20"]


def make_document(prices: list[str] = PRICES, name: str = "Thing") -> wq.Document:
    rows = "".join(f"<tr><td>{name} {place}</td><td>{price}</td></tr>" for place, price in enumerate(prices))
    return wq.Document(f"<title>Things</title><table>{rows}</table>", url="https://a.test/")


def select(document: wq.Document) -> wq.Selection:
    import numpy as np

    rows = range(1, len(document.markup.split("<tr>")))
    nodes = [document.node(f"/html/body/table/tbody/tr[{row}]/td[{cell}]") for row in rows for cell in (1, 2)]
    texts = tuple(document.text(node) for node in nodes)
    return wq.Selection(document, np.array(nodes, dtype=np.int32), texts, ("name", "price") * len(rows))


@pytest.fixture
def report() -> wq.Report:
    return wq.validate(select(make_document()))


def test_columns_are_summarised(report):
    name, price = summarise_columns(report.pages)
    assert (name.name, name.type, name.filled, name.records, name.distinct, name.odd) == ("name", "text", 8, 8, 8, ())
    assert (price.type, price.distinct, price.shortest, price.longest) == ("price", 8, "$", "$12.50")
    assert price.examples == ("$12.50", "$17.00", "$7.20")
    assert price.odd == ('This is only the sign "$"; the other values of the column are words or amounts.',)


def test_a_column_that_is_always_the_same_says_so():
    summary = summarise_columns(wq.validate(select(make_document(["new"] * 6))).pages)[1]
    assert summary.odd == ("All records have the same value, so the column says nothing about them.",)


def test_a_value_that_some_records_lack_says_something():
    whole = select(make_document(["new"] * 6))
    some = wq.Selection(whole.document, whole.nodes[:-3], whole.texts[:-3], whole.columns[:-3])  # the last price too
    price = summarise_columns(wq.validate(some).pages)[1]
    assert (price.filled, price.records, price.odd) == (4, 5, ())


def test_the_report_has_a_row_for_each_column(report):
    tree = wq.Document(wq.write_report(report)).to_lxml()
    rows = tree.xpath("//section[@id='columns']//tbody/tr")
    shown = [[" ".join(cell.text_content().split()) for cell in row] for row in rows]
    assert shown[0][:6] == ["name", "100 %", "text", "8", "Thing 0", "Thing 0"]
    assert shown[1][:6] == ["price", "100 %", "price", "8", "$", "$12.50"]
    assert shown[1][7].startswith('This is only the sign "$"')


def test_records_with_something_odd_come_first_with_the_reason(report):
    tree = wq.Document(wq.write_report(report)).to_lxml()
    first, second = tree.xpath("//tr[contains(@class, 'record')]")[:2]
    assert (first.get("class"), first.xpath("th")[0].text_content()) == ("record dropped", "7")
    assert "This is only the sign" in first.text_content()
    assert (second.get("class"), second.xpath("th")[0].text_content()) == ("record kept", "1")


def test_texts_have_neither_columns_nor_records():
    article = wq.read(wq.Document("<p>One sentence that is long enough to be kept, by any reader of pages.</p>"))
    html = wq.write_report(wq.validate(article))
    assert 'id="columns"' not in html
    assert 'class="record' not in html


def test_charts_have_a_title_axes_and_a_sentence(report):
    tree = wq.Document(wq.write_report(report)).to_lxml()
    for section, title in (("scores", "How odd the values are"), ("deletion", "What deleting the oddest first does")):
        part = tree.xpath(f"//section[@id='{section}']")[0]
        assert part.xpath("h3")[0].text_content() == title
        assert len(part.xpath("p")[0].text_content()) > 80
        assert len(part.xpath(".//*[local-name()='text' and contains(@class, 'label')]")) >= 2


@pytest.mark.needs_browser
def test_pictures_of_records_are_small_parts_of_the_one_screenshot():
    page = wq.Page(url="https://a.test/", body=make_document(["$9.00"] * (MAX_RECORDS + 5)).markup.encode())
    document, pictures = wq.render_pictured(page)
    report = wq.validate(select(document))
    html = wq.write_report(report, screenshots={document.url: pictures[0]})
    assert html.count("data:image/png;base64,") == 1  # also when nothing is dropped
    tree = wq.Document(html).to_lxml()
    crops = tree.xpath("//*[local-name()='svg'][@class='crop']")
    assert len(crops) == MAX_RECORDS
    assert all(float(each.get("width")) <= PICTURE[0] and float(each.get("height")) <= PICTURE[1] for each in crops)
    shot = tree.xpath("//*[local-name()='image']/@id")
    assert {use.get("href") for use in tree.xpath("//*[local-name()='use']")} == {f"#{shot[0]}"}


@pytest.mark.parametrize("words", ["</td><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "javascript:x"])
def test_nothing_of_a_page_is_markup_in_the_tables(words):
    selection = select(make_document())
    hostile = replace(selection, texts=(words,) * len(selection), columns=(words, f"{words} 2") * (len(selection) // 2))
    html = wq.write_report(wq.validate(hostile))
    tree = wq.Document(html).to_lxml()
    assert not tree.xpath("//script | //img | //*[@onerror]")
    assert not re.search("(?:href|src)=.?javascript", html)


def test_a_column_of_two_types_says_so():
    summary = summarise_columns(wq.validate(select(make_document(["$9.00", "3 km"] * 4))).pages)[1]
    assert summary.type == "mixed"
    assert summary.odd == ("The column mixes 4 prices and 4 numbers, so it may be two columns.",)
