"""From regions, extractions and articles to selections, and back without what is dropped."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest

import webquarry as wq
from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.region import Region
from webquarry.model.report import Selection, Verdicts
from webquarry.validating.selections import (
    drop_from_article,
    drop_from_extraction,
    drop_from_region,
    select_article,
    select_extraction,
    select_region,
)

TREES = (("Oak", "$ 12.50"), ("Fir", "$ 9.00"), ("Elm", "$ 7.25"), ("Yew", "$ 31.00"))
PAGE = "".join(f"<article><h3>{name}</h3><b>{price}</b></article>" for name, price in TREES)


def mined() -> Region:
    return wq.mine(Document(f"<main>{PAGE}</main>", url="https://example.org/"))[0]


def judge(selection: Selection, dropped: Collection[str]) -> Verdicts:
    drops = np.array([text in dropped for text in selection.texts], dtype=np.bool_)
    return Verdicts(selection, drops.astype(np.float64), drops, tuple("odd" * drop for drop in drops.tolist()))


def rows(region: Region) -> list[tuple[str, ...]]:
    return [tuple(record.values.values()) for record in region.records]


def test_a_region_is_selected_record_by_record():
    region = mined()
    selection = select_region(region)
    assert selection.texts == tuple(text for pair in TREES for text in pair)
    assert selection.columns == tuple(each.name for each in region.fields) * 4
    assert [region.document.text(node) for node in selection.nodes.tolist()] == list(selection.texts)


def test_values_that_are_not_there_are_not_selected():
    region = mined()
    names, values = region.fields
    region = replace(
        region, fields=(names, replace(values, values=(None, *values.values[1:]), nodes=(None, *values.nodes[1:])))
    )
    assert select_region(region).texts[:3] == ("Oak", "Fir", "$ 9.00")


def test_records_without_columns_are_selected_as_texts():
    selection = select_region(replace(mined(), fields=()))
    assert selection.columns == ("text",) * 4
    assert selection.texts[0] == "Oak\n$ 12.50"


def test_a_dropped_value_leaves_its_record_and_all_else_as_it_was():
    region = mined()
    left = drop_from_region(region, judge(select_region(region), {"$ 9.00"}))
    assert rows(left) == [("Oak", "$ 12.50"), ("Fir",), ("Elm", "$ 7.25"), ("Yew", "$ 31.00")]
    assert left.records[1].nodes.keys() == left.records[1].values.keys()
    assert left.fields[1].typed[1] is None
    assert left.fields[1].typed[0] == region.fields[1].typed[0]
    assert left.spans == region.spans
    assert rows(region) == [*TREES]


def test_a_record_that_lost_all_its_values_goes_with_them():
    region = mined()
    left = drop_from_region(region, judge(select_region(region), {"Fir", "$ 9.00", "Elm"}))
    assert rows(left) == [("Oak", "$ 12.50"), ("$ 7.25",), ("Yew", "$ 31.00")]
    assert left.spans == (region.spans[0], *region.spans[2:])
    assert left.to_arrow().num_rows == 3


def test_records_without_columns_go_when_their_texts_are_dropped():
    region = replace(mined(), fields=())
    left = drop_from_region(region, judge(select_region(region), {"Elm\n$ 7.25"}))
    assert [record.text for record in left.records] == ["Oak\n$ 12.50", "Fir\n$ 9.00", "Yew\n$ 31.00"]


def test_nothing_dropped_leaves_an_equal_region():
    region = mined()
    assert drop_from_region(region, judge(select_region(region), ())) == region


def test_verdicts_on_something_else_are_refused():
    region = mined()
    selection = select_region(region)
    fewer = replace(selection, nodes=selection.nodes[1:], texts=selection.texts[1:], columns=selection.columns[1:])
    with pytest.raises(ValueError, match="verdicts on 7 values"):
        drop_from_region(region, judge(fewer, ()))


def section(*path: str | int, text: str, node: str) -> SectionValue:
    return SectionValue(path=path, headings=path, text=text, node=node)


DETAIL = Document("<h1>Elm</h1><p>12 m</p><p>Hull</p><p>York</p>")
READ = Extraction(
    page="https://example.org/elm",
    document="static",
    source="trees",
    values=(
        section("height", text="12 m", node="/html/body/p[1]"),
        section("places", 0, "name", text="Hull", node="/html/body/p[2]"),
        section("places", 1, "name", text="York", node="/html/body/p[3]"),
        section("colour", text="green", node="/html/body/p[9]"),
    ),
)


def test_an_extraction_is_selected_by_the_paths_of_its_sections():
    selection = select_extraction(READ, DETAIL)
    assert selection.texts == ("12 m", "Hull", "York")
    assert selection.columns == ("height", "places.name", "places.name")
    assert [DETAIL.text(node) for node in selection.nodes.tolist()] == ["12 m", "Hull", "York"]
    assert selection.unmapped == ("/html/body/p[9]",)


def test_an_extraction_keeps_what_is_not_dropped_and_what_was_not_found():
    left = drop_from_extraction(READ, judge(select_extraction(READ, DETAIL), {"Hull"}))
    assert [value.text for value in left.values] == ["12 m", "York", "green"]
    assert left.record["places"][1] == {"name": "York"}
    assert replace(left, values=READ.values) == READ


def article() -> Article:
    document = Document("<nav>Home</nav><p>One  two</p><p>Three</p>")
    nodes = np.array([node for node, text in enumerate(document.texts) if text], dtype=np.int32)
    kept = np.array([False, True, True])
    return Article(document, "test", nodes, kept, kept.astype(np.float32), ("a menu", "text", "text"))


def test_an_article_is_selected_by_the_texts_that_it_keeps():
    selection = select_article(article())
    assert selection.texts == ("One two", "Three")
    assert selection.columns == ()


def test_a_dropped_text_is_not_kept_and_says_why():
    given = article()
    left = drop_from_article(given, judge(select_article(given), {"Three"}))
    assert left.text == "One two"
    assert left.reasons == ("a menu", "text", "odd")
    assert given.kept.tolist() == [False, True, True]
