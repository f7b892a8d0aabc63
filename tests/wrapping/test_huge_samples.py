"""Learning from pages with thousands of records, or of elements in each other, takes work that grows with the page."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document
from webquarry.model.wrapper import FieldRule, Source
from webquarry.page.text_runs import Elements, gather_pieces, read_first_piece
from webquarry.page.trees import ColumnsTree, Leaf, MarkupTree
from webquarry.wrapping import item_addresses, item_reader, listing_samples, section_learner
from webquarry.wrapping.field_signatures import Texts, View
from webquarry.wrapping.item_learner import learn_item
from webquarry.wrapping.item_matches import ItemMatcher
from webquarry.wrapping.item_samples import ItemPage
from webquarry.wrapping.listing_learner import MAX_RECORDS, Agreement, check_listing, learn_listing
from webquarry.wrapping.listing_reader import read_records
from webquarry.wrapping.section_samples import read_title

LABELS = ["".join(letters) for letters in product("bcdfghjk", "aeiou", "lmnprst", "aeiou")]


def offers(count: int) -> Document:
    rows = "".join(
        f'<li class="offer"><h3>Lamp {number}</h3><span class="price">{number}.50 EUR</span></li>'
        for number in range(count)
    )
    return Document(f"<html><body><ul class=offers>{rows}</ul></body></html>", url="https://shop.example/")


def test_a_listing_is_learnt_from_its_first_records(monkeypatch: pytest.MonkeyPatch):
    asked = []
    find_owners = listing_samples.find_owners

    def count(*arguments: Any) -> list[listing_samples.Owner]:
        asked.append(arguments)
        return find_owners(*arguments)

    monkeypatch.setattr(listing_samples, "find_owners", count)
    document = offers(MAX_RECORDS + 50)
    region = mine_visual(document)[0]
    wrapper = learn_listing([region], Source("shop"))
    assert len(region) == MAX_RECORDS + 50
    assert len(asked) <= MAX_RECORDS * len(region.columns)
    assert len(read_records(wrapper, document)) == MAX_RECORDS + 50


def test_agreement_is_measured_on_the_records_that_were_learnt_from():
    region = mine_visual(offers(MAX_RECORDS + 50))[0]
    later = [replace(each, values=(*each.values[:MAX_RECORDS], *["other"] * 50)) for each in region.fields]
    region = replace(region, fields=tuple(later))
    wrapper = learn_listing([region], Source("shop"))
    assert check_listing(wrapper, [region]) == Agreement(1, 1)


@given(
    st.lists(st.tuples(st.sampled_from(["", " ", "a", " b", "c ", "\xa0d e", "\n"]), st.booleans()), min_size=1),
    st.data(),
)
def test_texts_join_to_one_line(said: list[tuple[str, bool]], data: st.DataObject):
    texts = Texts()
    for text, gap in said:
        texts.add(text, gap=gap)
    start = data.draw(st.integers(0, len(said) - 1))
    stop = data.draw(st.integers(start + 1, len(said)))
    written = "".join((" " if gap else "") + text for text, gap in said[start:stop])
    assert texts.join(start, stop) == " ".join(written.split())


def test_elements_in_each_other_have_all_texts_inside_them():
    levels = 300
    markup = "".join(f"<div class=d>{level} " for level in range(levels)) + "</div>" * levels + "<p>after"
    tree = ColumnsTree(Document(f"<html><body>{markup}</body></html>"))
    matcher = ItemMatcher([FieldRule("all", "text", "div.d")])
    texts, found = matcher.find(tree, Elements(tree, frozenset()))
    spans = [(match.start, match.stop) for match in found[0, 0]]
    assert spans == [(level, levels) for level in range(levels)]
    assert texts.join(*spans[1]) == " ".join(map(str, range(1, levels)))


@pytest.mark.parametrize("tree_of", [MarkupTree, lambda markup: ColumnsTree(Document(markup))])
@pytest.mark.parametrize(
    "inner",
    [
        "One<p>Two",
        "<b>One</b> <i>two</i>",
        "One " + "<span>more </span>" * 40 + "<p>Two",
        "<b>Area</b>" + "<br>" * 20 + ": 9",
        "CAPITALS<p>Two",
        "Label: value",
        "",
    ],
)
def test_the_first_piece_is_that_of_all_pieces(tree_of: Any, inner: str):
    tree = tree_of(f"<body><div>{inner}</div></body>")
    [element] = tree.named("div")
    elements = Elements(tree, None)
    expected = gather_pieces(elements, tree.leaves([element]))
    found = read_first_piece(tree, elements, element)
    assert (found and (found.text, found.signature)) == (
        (expected[0].text, expected[0].signature) if expected else None
    )


def test_looking_for_a_title_reads_the_beginning_of_elements():
    levels = 200
    markup = "".join(f"<ul><li><b>item{level}</b>" for level in range(levels))
    tree = ColumnsTree(Document(f"<html><body>{markup}</body></html>"))
    elements = Elements(tree, None)
    read: list[Leaf] = []
    leaves = tree.leaves

    def count(*arguments: Any) -> list[Leaf]:
        found = leaves(*arguments)
        read.extend(found)
        return found

    tree.leaves = count  # type: ignore[method-assign]
    assert read_title(tree, elements, elements(tree.named("li")[0])[1]) is None
    assert levels <= len(read) <= 20 * levels


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("one<b>two</b> <i> three</i>four", "onetwo threefour"),
        ("one<p>two<div><p>three</div>four<br>five", "one two three four five"),
        ("<p> <p>one&nbsp;<span>two</span><!-- no --><script>no</script>three", "one twothree"),
        ("one<span hidden>no</span>two<div hidden>no<p>no</div>three", "onetwothree"),
    ],
)
def test_text_of_a_node_is_that_of_what_is_read_in_it(inner: str, expected: str):
    document = Document(f"<html><body><ul><li>{inner}</ul></body></html>")
    view = View(document)
    (item,) = document.has_tag(["li"]).nonzero()[0].tolist()
    assert view.text(item) == expected
    view.leave_out([next(node for node in range(item, len(document)) if "one" in view.texts[node])])
    assert view.text(item) == expected.removeprefix("one").strip() != expected  # white space before it stays


def test_a_label_is_looked_for_where_it_may_be(monkeypatch: pytest.MonkeyPatch):
    asked = []
    take_label = item_reader.take_label

    def count(*arguments: Any) -> str | None:
        asked.append(arguments)
        return take_label(*arguments)

    rows = 300
    documents = [
        Document(
            "<html><body><table>"
            + "".join(f"<tr><th>{label}{label}</th><td>value {label * factor}</td></tr>" for label in LABELS[:rows])
            + "</table></body></html>",
            url=f"https://shop.example/{factor}",
        )
        for factor in (2, 3)
    ]
    monkeypatch.setattr(item_reader, "take_label", count)
    wrapper = learn_item(documents, Source("shop"))
    assert len(wrapper.fields) > 90
    assert len(asked) < 20 * rows


def test_links_without_a_caption_are_not_compared(monkeypatch: pytest.MonkeyPatch):
    asked: list[int] = []
    steps_to = item_addresses._steps_to

    def count(page: Any, node: int) -> Any:
        asked.append(node)
        return steps_to(page, node)

    monkeypatch.setattr(item_addresses, "_steps_to", count)
    links = "<a href=/x><div></div></a>" * 50
    documents = [
        Document(
            f"<html><body><h1>Lamp {number}</h1>{links}<p>{number}.50 EUR</p><i>Oak {number}</i></body></html>",
            url=f"https://a.example/{number}",
        )
        for number in range(2)
    ]
    learn_item(documents, Source("shop"))
    assert not asked


def test_pages_without_headings_are_not_read_for_sections(monkeypatch: pytest.MonkeyPatch):
    documents = [
        Document(
            f"<html><body><p>Lamp {number}</p><i>{number}.50 EUR</i></body></html>", url=f"https://a.example/{number}"
        )
        for number in range(2)
    ]
    monkeypatch.setattr(section_learner, "read_samples", None)
    assert learn_item(documents, Source("shop")).grammar.children == ()


def test_lines_of_elements_in_each_other_are_those_inside_them():
    document = Document("<html><body>a<br>b<div>c<br>d<br></div>e<div>f</div></body></html>")
    page = ItemPage(document, frozenset(), frozenset())
    first, last = page.tree.named("div")
    assert [[page.leaf_text(each) for each in line] for line in page.lines(page.body)] == [
        ["a"],
        ["b", "c"],
        ["d"],
        ["e", "f"],
    ]
    assert [[page.leaf_text(each) for each in line] for line in page.lines(first)] == [["c"], ["d"]]
    assert len(page.lines(last)) == 1
