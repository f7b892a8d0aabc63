"""What holds of the columns of any records of any page."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from webquarry.mining.alignment import MAX_COLUMNS, align_fields
from webquarry.model.document import Document
from webquarry.model.table_columns import Field
from webquarry.page.leaves import find_leaves

TAGS = "a article b br div em h2 img li ol p picture pre s span sup table td th tr ul dl dt dd svg label".split()
ATTRIBUTES = st.sampled_from(
    [
        *(
            "",
            " class=price",
            " class='c1 name'",
            " href=/x",
            " href='http://[bad'",
            " src=i.png",
            " srcset='a 1x, b 2x'",
        ),
        *(" itemprop=x", " colspan=9999", " colspan=-1", " hidden", " style='display:none'", " aria-label=Size"),
    ]
)
WORDS = st.sampled_from(
    ["oak", "12 EUR", "Price:", "Size: 3", " ", "3 May 2020", "-", "|", "größe", "x" * 300, "1,5", "a\nb"]
)


def elements(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    opened = st.tuples(st.sampled_from(TAGS), ATTRIBUTES, st.lists(children, max_size=4))
    return opened.map(lambda parts: f"<{parts[0]}{parts[1]}>{''.join(parts[2])}</{parts[0]}>")


PAGES = st.lists(st.recursive(WORDS, elements, max_leaves=12), max_size=8).map("".join)


def children(document: Document, node: int) -> list[tuple[int, int]]:
    found = []
    child = node + 1
    while child < document.ends[node]:
        found.append((child, int(document.ends[child])))
        child = int(document.ends[child])
    return found


def body_of(markup: str) -> tuple[Document, list[tuple[int, int]]]:
    document = Document(markup, url="https://example.org/")
    body = document.node("/html/body")
    return document, [] if body is None else children(document, body)


def state_of(document: Document) -> tuple[object, ...]:
    return [dict(each) for each in document.attributes], document.texts, document.parents.tolist(), document.markup


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@settings(max_examples=120, deadline=None)
@given(PAGES)
def test_fields_are_whole_and_the_document_is_left_as_it_was(markup):
    document, spans = body_of(markup)
    before = state_of(document)
    fields = align_fields(document, spans)
    assert state_of(document) == before
    assert align_fields(document, spans) == fields
    assert len({field.name.lower() for field in fields}) == len(fields)
    for field in fields:
        check_field(document, spans, field)


def check_field(document: Document, spans: list[tuple[int, int]], field: Field) -> None:
    assert field.name
    assert len(field.values) == len(field.nodes) == len(spans)
    assert len(field.typed) in (0, len(spans))
    assert any(value is not None for value in field.values)
    for value, node, (first, stop) in zip(field.values, field.nodes, spans, strict=True):
        assert (value is None) == (node is None)
        assert value != ""
        if node is not None and field.type != "link":
            assert first <= node < stop


@settings(max_examples=120, deadline=None)
@given(PAGES.map(lambda markup: markup.replace(":", "")).map(lambda markup: re.sub(r"<(d[dt]|th)\b", "<p", markup)))
def test_every_text_that_is_seen_is_in_one_value_unless_it_is_a_copy_or_names_a_column(markup):
    document, spans = body_of(markup.replace("href", "data-href"))  # captions of links are not values
    leaves = find_leaves(document)
    fields = align_fields(document, spans, leaves)
    names = [field.name for field in fields]
    for place, (first, stop) in enumerate(spans):
        nodes = leaves.nodes[leaves.starts[first] : leaves.starts[stop]].tolist()
        seen = Counter("".join(words("".join(document.texts[node] for node in nodes))))
        texts = [field.values[place] or "" for field in fields if field.type not in ("link", "image")]
        if any(document.texts[node] for node in nodes):
            said = Counter("".join(words("".join(texts))))
            assert said <= seen
            assert set(seen) <= set(said) | set("".join(words("".join(names))))


@pytest.mark.parametrize("spans", [[], [(1, 1)], [(0, 0), (0, 0)]])
def test_records_of_nothing_have_no_fields(spans):
    assert align_fields(Document("<p>Text"), spans) == ()


@pytest.mark.parametrize(
    "markup",
    [
        pytest.param(("<p>" + "<i>a</i> <b>b</b> " * 5000 + "</p>") * 2, id="many texts in a line"),
        pytest.param("<p><b>Price:</b> 12</p>" * 5000, id="many records"),
        pytest.param("".join(f"<section><x-{n}>text</x-{n}></section>" for n in range(3000)), id="no two alike"),
        pytest.param(
            ("<p>" + "".join(f"<s class=c{n}>t{n}</s> " for n in range(3000)) + "</p>") * 3, id="many classes"
        ),
        pytest.param(("<p>" + "<b>from $9</b><sup>99</sup> " * 3000 + "</p>") * 2, id="many amounts in a line"),
        pytest.param("<p><b>$9</b><sup>99</sup></p>" * 5000, id="many records with cents"),
        pytest.param(("<p>" + "<b>some words here " * 400 + "</p>") * 5, id="deep"),
    ],
)
def test_the_columns_of_hostile_records_are_bounded(markup):
    document, spans = body_of(markup)
    texts = [field for field in align_fields(document, spans) if field.type != "link"]
    assert 0 < len(texts) <= MAX_COLUMNS + 1


@pytest.mark.parametrize(
    "arrange", [lambda spans: spans[::-1], lambda spans: [*spans, *spans], lambda spans: [(0, spans[-1][1]), *spans]]
)
def test_records_in_any_order_or_in_each_other_are_aligned(arrange):
    document, spans = body_of("<p><b>Oak</b> 12<p><b>Fir</b> 9<p><b>Elm</b> 8")
    fields = align_fields(document, arrange(spans))
    assert fields
    assert all(len(field.values) == len(arrange(spans)) for field in fields)
