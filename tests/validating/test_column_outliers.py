"""Values that look unlike the others of their column; layouts are made by hand."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from webquarry.html.columns import Kind
from webquarry.model.document import Document, Layout
from webquarry.model.report import Selection, Verdicts
from webquarry.validating.column_outliers import validate_columns
from webquarry.validating.traits import FRAME, LOOK

PLAIN = {
    "font-size": "16px",
    "color": "rgb(0, 0, 0)",
    "font-weight": "400",
    "font-style": "normal",
    "text-decoration": "none",
    "background-color": "rgba(0, 0, 0, 0)",
}
INHERITED = frozenset(PLAIN) - {"background-color"}
AD = "font-size:11px; color:rgb(153, 153, 153)"
TREES = "Oak Fir Elm Yew Ash Bay Fig Box Palm Pine Plum Pear Rowan Hazel Maple Alder Aspen Beech Birch Cedar".split()


def laid_out(markup: str) -> Document:
    """A document whose elements have the styles that their `style` states, or inherit; boxes follow each other."""
    document = Document(markup)
    rows: list[dict[str, str]] = []
    for node, attributes in enumerate(document.attributes):
        parent = rows[document.parents[node]] if node else PLAIN
        own = dict(part.strip().split(":") for part in attributes.get("style", "").split(";") if part)
        rows.append(PLAIN | {name: parent[name] for name in INHERITED} | own)
    values = tuple(dict.fromkeys(value for row in rows for value in row.values()))
    boxes = np.array([[8, 20 * node, 100, 18] for node in range(len(rows))], dtype=np.float32)
    layout = Layout(
        boxes=boxes,
        styles=np.array([[values.index(row[name]) for name in PLAIN] for row in rows], dtype=np.int32),
        values=values,
        properties=tuple(PLAIN),
        visible=np.ones(len(rows), dtype=np.bool_),
        width=1000,
        height=1000,
        browser="none",
        viewport=1000,
    )
    return Document(markup, kind="rendered", layout=layout)


def select(document: Document, tag: str = "li") -> Selection:
    """The texts below elements of a tag, each such element a record and each text the next of its columns."""
    nodes, columns = [], []
    for record in np.flatnonzero(document.has_tag([tag])).tolist():
        inside = [node for node in range(record, document.ends[record]) if document.kinds[node] == Kind.TEXT]
        nodes += inside
        columns += [f"column {place}" for place in range(len(inside))]
    return Selection(
        document, np.array(nodes, dtype=np.int32), tuple(document.texts[node] for node in nodes), tuple(columns)
    )


def validate(records: Sequence[str], *, layout: bool = True) -> Verdicts:
    markup = f"<ul>{''.join(records)}</ul>"
    return validate_columns([select(laid_out(markup) if layout else Document(markup))])[0]


def dropped(verdicts: Verdicts) -> list[str]:
    return [text for text, drop in zip(verdicts.selection.texts, verdicts.drops, strict=True) if drop]


def prices(count: int, style: str = "") -> list[str]:
    return [f"<li style='{style}'><h3>{TREES[place % 20]}</h3><b>$ {12 + 7 * place}.50</b>" for place in range(count)]


def test_an_advertisement_amid_prices_is_dropped_and_the_reason_tells_why():
    records = prices(12)
    records[5] = f"<li><h3>Bay</h3><b style='{AD}'>Buy cheap flights today</b>"
    verdicts = validate(records)
    assert dropped(verdicts) == ["Buy cheap flights today"]
    reason = verdicts.reasons[int(verdicts.drops.argmax())]
    assert "It is text, the others are prices" in reason
    assert "its letters are 11px high, those of the others 16px" in reason


def test_without_a_layout_texts_and_classes_tell():
    records = prices(12)
    records[5] = "<li><h3>Bay</h3><b class=ad>Buy cheap flights today</b>"
    verdicts = validate(records, layout=False)
    assert dropped(verdicts) == ["Buy cheap flights today"]
    assert "font-size" not in verdicts.reasons[int(verdicts.drops.argmax())]


def test_what_nothing_sets_apart_scores_nothing_and_has_no_reason():
    verdicts = validate([f"<li><b>{tree}</b>" for tree in TREES])
    assert not verdicts.scores.any()
    assert not any(verdicts.reasons)


SALE = "color:rgb(200, 0, 0); font-weight:700"
STRIPE = "background-color:rgb(238, 238, 238)"


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({3: f"<b class=sale style='{SALE}'>$ 9.99</b>"}, id="the only sale price"),
        pytest.param({n: f"<b class=sale style='{SALE}'>$ {n}.99</b>" for n in (2, 7, 9)}, id="several sale prices"),
        pytest.param({0: "<b>$ 1,299.00</b>"}, id="a high price"),
        pytest.param({4: "<b>€ 8.00</b>"}, id="another currency"),
        pytest.param({6: "<b>sold out</b>"}, id="no price, in the same style"),
        pytest.param({6: f"<b class=none style='{AD}'>n/a</b>"}, id="what says that there is none"),
    ],
)
def test_prices_that_differ_a_little_are_kept(changed):
    records = prices(20)
    for place, price in changed.items():
        records[place] = f"<li><h3>{TREES[place]}</h3>{price}"
    assert dropped(validate(records)) == []


def test_stripes_are_kept():
    records = [
        f"<li><h3 style='{STRIPE if place % 2 else ''}'>{tree}</h3><b>$ {place + 3}.00</b>"
        for place, tree in enumerate(TREES)
    ]
    assert dropped(validate(records)) == []


def test_a_visited_link_is_kept():
    records = [f"<li><a style='color:rgb(0, 0, 238)'>{tree}</a>" for tree in TREES]
    records[8] = "<li><a style='color:rgb(85, 26, 139)'>Palm</a>"
    verdicts = validate(records)
    assert dropped(verdicts) == []
    assert verdicts.reasons[8] == "It is purple (#551a8b), the others are blue (#0000ee)."


def test_a_record_that_is_highlighted_as_a_whole_is_kept():
    records = [f"<li><h3>{tree}</h3><b>{place} votes</b><i>of {tree}ham</i>" for place, tree in enumerate(TREES)]
    look = "color:rgb(200, 0, 0); font-size:20px; font-weight:700"
    records[0] = f"<li style='{look}'><h3>Oak</h3><b>0 votes</b><i>of Oakham</i>"
    assert dropped(validate(records)) == []


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_in_small_columns_an_odd_text_is_kept(count):
    records = prices(count)
    records[0] = f"<li><h3>Oak</h3><b style='{AD}'>Buy cheap flights today</b>"
    assert dropped(validate(records)) == []


def test_what_is_beside_the_list_is_dropped():
    document = laid_out(f"<ul>{''.join(prices(12))}</ul><p style='{AD}'>Imprint and contact</p>")
    selection = select(document)
    nodes, texts = selection.nodes.copy(), list(selection.texts)
    nodes[8], texts[8] = document.ends[0] - 1, "Imprint and contact"
    verdicts = validate_columns([replace(selection, nodes=nodes, texts=tuple(texts))])[0]
    assert dropped(verdicts) == ["Imprint and contact"]
    assert "in p, the others are in ul" in verdicts.reasons[8]


def test_columns_go_over_many_pages():
    contents = [f"<h1>{tree}</h1><li>Height: {place + 20} m</li>" for place, tree in enumerate(TREES)]
    contents[7] = f"<h1>Box</h1><div><li style='{AD}'>Subscribe to our newsletter now</li></div>"
    found = validate_columns([select(laid_out(content)) for content in contents])
    assert [dropped(verdicts) for verdicts in found] == [
        ["Subscribe to our newsletter now"] if place == 7 else [] for place in range(20)
    ]


def test_a_value_in_a_column_of_its_own_is_compared_with_those_whose_gap_it_fills():
    records = prices(12)
    records[5] = f"<li><h3>Bay</h3><b style='{AD}'>Buy cheap flights today</b>"
    selection = select(laid_out(f"<ul>{''.join(records)}</ul>"))
    columns = [*selection.columns[:11], "alone", *selection.columns[12:]]
    verdicts = validate_columns([replace(selection, columns=tuple(columns))])[0]
    assert dropped(verdicts) == ["Buy cheap flights today"]


def test_a_value_that_some_records_have_beside_all_others_is_kept():
    records = prices(12)
    records[5] += f"<i style='{AD}'>Bestseller of the week</i>"
    assert dropped(validate(records)) == []


def test_kinds_of_traits_can_be_left_out():
    records = prices(12)
    records[5] = "<li><h3>Bay</h3><b>Buy cheap flights today</b>"
    selection = select(laid_out(f"<ul>{''.join(records)}</ul>"))
    assert validate_columns([selection])[0].scores.argmax() == 11
    assert not validate_columns([selection], kinds=(LOOK, FRAME))[0].scores.any()


def test_nothing_to_validate_is_not_an_error():
    none = Selection(Document("<p>One"), np.array([], dtype=np.int32), ())
    assert validate_columns([]) == []
    assert [len(verdicts.drops) for verdicts in validate_columns([none])] == [0]


TAGS = st.sampled_from(["<li>", "<b>", "<p class=x>", "</b>", "</li>", "<td>", "12.50", "word", "2024-05-01", "&#0;"])


@settings(max_examples=40)
@given(st.lists(TAGS, max_size=30).map("".join), st.booleans(), st.data())
def test_any_nodes_of_any_page_get_sound_verdicts(markup, layout, data):
    document = laid_out(markup) if layout else Document(markup)
    nodes = data.draw(st.lists(st.integers(0, len(document) - 1), max_size=12))
    columns = data.draw(st.lists(st.sampled_from("ab"), min_size=len(nodes), max_size=len(nodes)))
    texts = tuple(document.text(node) for node in nodes)
    selection = Selection(document, np.array(nodes, dtype=np.int32), texts, tuple(columns))
    before = pickle.dumps(selection)
    (verdicts,) = validate_columns([selection])
    assert pickle.dumps(selection) == before
    assert len(verdicts.scores) == len(verdicts.drops) == len(verdicts.reasons) == len(nodes)
    assert (np.isfinite(verdicts.scores) & (verdicts.scores >= 0)).all()
    assert all(reason for reason, drop in zip(verdicts.reasons, verdicts.drops, strict=True) if drop)
