from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from webquarry.html.columns import Kind
from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.validating import style_vectors as styles
from webquarry.validating.style_vectors import CATEGORIES, COLOURS, Vectors, encode

PROPERTIES = (*VISUAL_VALIDATION, "display")
PLAIN = (
    dict.fromkeys(VISUAL_VALIDATION, "0px")
    | dict.fromkeys(COLOURS, "rgb(0, 0, 0)")
    | {name: values[0] for name, values in CATEGORIES.items()}
    | {"font-size": "16px", "font-weight": "400", "background-color": "rgba(0, 0, 0, 0)", "display": "block"}
)


def lay_out(markup: str, styles: Mapping[str, Mapping[str, str]], width: float = 100) -> Document:
    """A document whose elements, and the texts in them, look plain but for what `styles` gives the names of their tags.

    What is given no style, None, is not rendered.
    """
    tree = Document(markup)
    looks = [_look(tree, node, styles) for node in range(len(tree))]
    values = tuple({value: None for look in looks if look for value in look.values()})
    codes = [[values.index(look[name]) if look else -1 for name in PROPERTIES] for look in looks]
    boxes = np.array([[0, 0, width, 20] if look else [np.nan] * 4 for look in looks], dtype=np.float32)
    layout = Layout(
        boxes=boxes,
        styles=np.array(codes, dtype=np.int32),
        values=values,
        properties=PROPERTIES,
        visible=~np.isnan(boxes[:, 0]),
        width=1366,
        height=1000,
        browser="none",
        viewport=1366,
    )
    return Document(markup, kind="rendered", layout=layout, tree=tree._columns)


def _look(tree: Document, node: int, styles: Mapping[str, Mapping[str, str]]) -> dict[str, str] | None:
    element = int(tree.parents[node]) if tree.kinds[node] == Kind.TEXT else node
    if tree.kinds[element] != Kind.ELEMENT or "hidden" in tree.attributes[element]:
        return None
    return PLAIN | styles.get(tree.tag(element), {})


def texts(document: Document) -> np.ndarray:
    return np.flatnonzero(document.kinds == Kind.TEXT).astype(np.int32)


def encode_texts(*documents: Document, **options: bool) -> Vectors:
    return encode([(document, texts(document)) for document in documents], **options)


def look(vectors: Vectors, node: int) -> dict[str, float]:
    return dict(zip(vectors.names, vectors.matrix[vectors.rows[node]].tolist(), strict=True))


def marks(vectors: Vectors, node: int, name: str) -> list[str]:
    return [
        column.removeprefix(f"{name} ") for column in vectors.names[vectors.spans[name]] if look(vectors, node)[column]
    ]


def encode_one(style: Mapping[str, str], **options: bool) -> dict[str, float]:
    return look(encode_texts(lay_out("<b>x</b>", {"b": style}), **options), 0)


def test_has_the_columns_of_the_paper():
    vectors = encode_texts(lay_out("<p>x</p>", {}))
    numbers = [name for name in VISUAL_VALIDATION if name not in COLOURS and name not in CATEGORIES]
    assert len(COLOURS) == 7
    assert len(numbers) + len(COLOURS) + len(CATEGORIES) == len(VISUAL_VALIDATION) == 32
    assert len(vectors.names) == len(numbers) + 3 * len(COLOURS) + sum(map(len, CATEGORIES.values()))
    assert vectors.matrix.shape == (1, len(vectors.names))
    assert set(numbers) <= set(vectors.names)


def test_numbers_and_lengths_lose_their_unit():
    found = encode_one({"font-weight": "700", "font-size": "13.3333px", "margin-left": "-4px", "padding-top": "auto"})
    assert [found[name] for name in ("font-weight", "font-size", "margin-left", "padding-top")] == [700, 13.3333, -4, 0]


def test_a_colour_is_red_green_and_blue():
    found = encode_one({"color": "rgba(10, 20, 30, 0.5)", "outline-color": "color(srgb 1 0 0.2)"})
    assert [found[f"color {part}"] for part in ("red", "green", "blue")] == [10, 20, 30]
    assert [found[f"outline-color {part}"] for part in ("red", "green", "blue")] == [255, 0, 51]
    assert "color alpha" not in found


def test_alpha_is_kept_when_asked_for():
    found = encode_one({"color": "rgba(10, 20, 30, 0.5)"}, alpha=True)
    assert (found["color blue"], found["color alpha"], found["background-color alpha"]) == (30, 0.5, 0)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        *((name, value, [value]) for name, values in CATEGORIES.items() for value in values),
        ("text-align", "-webkit-center", ["-webkit-center"]),
        ("font-style", "oblique 10deg", ["oblique"]),
        ("text-decoration", "underline solid rgb(1, 2, 3)", ["underline"]),
        ("text-decoration", "underline line-through 30% dotted", ["underline", "line-through"]),
    ],
)
def test_a_category_is_a_column_for_each_value(name, value, expected):
    vectors = encode_texts(lay_out("<b>x</b>", {"b": {name: value}}))
    assert marks(vectors, 0, name) == expected


def test_equal_looks_are_one_row_with_a_multiplicity():
    first = lay_out("<p>a</p><p>b</p><b>c</b>", {"b": {"font-weight": "700"}})
    second = lay_out("<b>d</b><p>e</p><i>f</i>", {"b": {"font-weight": "700"}, "i": {"font-style": "italic"}})
    vectors = encode_texts(first, second)
    assert vectors.rows.tolist() == [0, 0, 1, 1, 0, 2]
    assert vectors.counts.tolist() == [3, 2, 1]
    assert vectors.sizes == (3, 3)
    assert vectors.rows.tolist() == [0, 0, 1, 1, 0, 2]


def test_looks_that_encode_equal_are_one_row():
    document = lay_out(
        "<b>a</b><i>b</i>", {"b": {"color": "rgb(1, 2, 3)"}, "i": {"color": "rgba(1, 2, 3, 0.5)", "margin-top": "-0px"}}
    )
    assert encode_texts(document).rows.tolist() == [0, 0]
    assert encode_texts(document, alpha=True).rows.tolist() == [0, 1]


def test_values_of_a_row_are_there_to_be_read():
    vectors = encode_texts(lay_out("<p>a</p><b>b</b>", {"b": {"font-size": "11px"}}))
    sizes = [values[VISUAL_VALIDATION.index("font-size")] for values in vectors.values]
    assert sizes == ["16px", "11px"]


def test_radii_are_parts_of_the_box_of_their_element():
    wide = lay_out("<b>a</b>", {"b": {"border-top-left-radius": "50%"}}, width=80)
    narrow = lay_out("<b>a</b>", {"b": {"border-top-left-radius": "calc(50% + 2px)"}}, width=20)
    vectors = encode_texts(wide, narrow, narrow)
    assert [look(vectors, node)["border-top-left-radius"] for node in range(3)] == [40, 12, 12]
    assert vectors.rows.tolist() == [0, 1, 1]
    assert vectors.values[0][VISUAL_VALIDATION.index("border-top-left-radius")] == "40px"


def test_margins_in_a_line_are_parts_of_the_content_of_the_block_around_it():
    styles = {
        "p": {"padding-left": "10px", "border-right-width": "5px"},
        "i": {"display": "inline"},
        "b": {"display": "inline", "margin-left": "10%"},
    }
    vectors = encode_texts(lay_out("<p><i><b>x</b></i>", styles, width=215))
    assert look(vectors, 0)["margin-left"] == 20


def test_percentages_elsewhere_are_left_alone():
    vectors = encode_texts(lay_out("<b>x</b>", {"b": {"text-decoration": "underline 30%"}}))
    assert vectors.values[0][VISUAL_VALIDATION.index("text-decoration")] == "underline 30%"


def test_what_is_not_rendered_looks_like_nothing_else():
    vectors = encode_texts(lay_out("<p>a</p><b hidden>b</b>", {}))
    assert vectors.rows.tolist() == [0, 1]
    assert marks(vectors, 1, "position") == ["(not rendered)"]
    assert look(vectors, 1)["font-size"] == 0
    assert set(vectors.values[1]) == {""}


def test_white_space_that_was_folded_away_looks_as_its_element():
    document = lay_out("<b>a</b>", {"b": {"font-size": "11px"}})
    assert document.layout is not None
    document.layout.styles[texts(document)] = -1
    assert look(encode_texts(document), 0)["font-size"] == 11


def test_elements_have_vectors_too():
    document = lay_out("<b>a</b>", {"b": {"font-size": "11px"}})
    node = document.node("/html/body/b")
    assert look(encode([(document, np.array([node], dtype=np.int32))]), 0)["font-size"] == 11


def test_scaled_columns_go_from_0_to_1():
    sizes: Sequence[str] = ("10px", "15px", "30px")
    pages = [lay_out("<b>a</b>", {"b": {"font-size": size}}) for size in sizes]
    vectors = encode_texts(*pages, scaled=True)
    assert [look(vectors, node)["font-size"] for node in range(3)] == [0, 0.25, 1]
    assert vectors.matrix.min() == 0
    assert vectors.matrix.max() == 1
    assert look(vectors, 0)["font-weight"] == 0


@pytest.mark.parametrize("scaled", [False, True])
def test_no_pages_and_no_nodes_have_no_rows(scaled):
    nothing = encode([], scaled=scaled)
    assert (len(nothing.matrix), nothing.rows.tolist(), nothing.sizes) == (0, [], ())
    document = lay_out("<p>a</p>", {})
    empty = encode([(document, np.empty(0, dtype=np.int32)), (document, texts(document))], scaled=scaled)
    assert (empty.sizes, empty.rows.tolist()) == ((0, 1), [0])


def test_a_document_without_a_layout_has_no_looks():
    document = Document("<p>a</p>")
    vectors = encode_texts(document)
    assert marks(vectors, 0, "visibility") == ["(not rendered)"]


def test_documents_are_left_alone():
    document = lay_out("<b>a</b><i hidden>b</i>", {"b": {"border-top-left-radius": "50%"}})
    before = pickle.dumps(document)
    encode_texts(document)
    assert pickle.dumps(document) == before


def test_vectors_are_equal_by_value():
    document = lay_out("<b>a</b>", {})
    assert encode_texts(document) == encode_texts(document)
    assert encode_texts(document) != encode_texts(document, alpha=True)


@pytest.mark.needs_browser
def test_reads_what_a_browser_gives():
    import webquarry as wq

    markup = b"""<!DOCTYPE html><style>#a {color: oklch(0.627955 0.257683 29.2339); border: 3px double}
        #b {width: 96px; height: 40px; border: 2px solid; border-radius: 50%} #c {display: contents; color: blue}
        #d {margin: 0 10%; text-decoration: underline dotted red}</style>
        <p id=a>a</p><p id=b>b</p><div id=c>c</div><div style="width: 300px"><span id=d>d</span></div><p hidden>e</p>"""
    document = wq.render(wq.Page(url="https://page.example/", body=markup))
    nodes = [node for node in texts(document).tolist() if len(document.texts[node]) == 1]
    vectors = encode([(document, np.array(nodes, dtype=np.int32))])
    a, b, c, d, e = (look(vectors, node) for node in range(5))
    assert (a["color red"], a["color green"]) == pytest.approx((255, 0), abs=1)
    assert (a["border-top-style double"], a["border-top-width"]) == (1, 3)
    assert b["border-top-left-radius"] == 50
    assert c["color blue"] == 255
    assert (d["margin-left"], d["text-decoration underline"], d["text-decoration none"]) == (30, 1, 0)
    assert e["visibility (not rendered)"] == 1


def test_many_pages_are_gone_over_batch_by_batch(monkeypatch):
    sizes = ("10px", "15px", "10px", "30px", "15px")
    pages = [lay_out("<b>a</b><i>b</i>", {"b": {"font-size": size}}) for size in sizes]
    expected = encode_texts(*pages)
    monkeypatch.setattr(styles, "_MIN_NODES_ENCODED", 3)
    assert encode_texts(*pages) == expected
    assert expected.rows.tolist() == [0, 1, 2, 1, 0, 1, 3, 1, 2, 1]


def test_a_layout_may_lack_properties():
    document = lay_out("<b>a</b>", {"b": {"font-size": "11px"}})
    assert document.layout is not None
    narrow = replace(
        document.layout, properties=("font-size",), styles=document.layout.styles[:, [PROPERTIES.index("font-size")]]
    )
    vectors = encode_texts(replace(document, layout=narrow))
    assert look(vectors, 0)["font-size"] == 11
    assert marks(vectors, 0, "position") == ["(not rendered)"]


LOOKS = st.fixed_dictionaries(
    {},
    optional={
        "font-size": st.sampled_from(["11px", "16px", "calc(1px + 10%)"]),
        "color": st.sampled_from(["rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)", "oklch(0.5 0.1 20)"]),
        "text-align": st.sampled_from(["center", "-webkit-right"]),
        "border-top-left-radius": st.sampled_from(["50%", "50px"]),
    },
)


@settings(max_examples=20)
@given(st.lists(LOOKS, min_size=1, max_size=5))
def test_a_node_looks_the_same_alone_and_among_others(looks):
    pages = [lay_out("<b>a</b>", {"b": style}) for style in looks]
    together = encode_texts(*pages)
    for place, page in enumerate(pages):
        alone = look(encode_texts(page), 0)
        among = look(together, place)
        assert {name: among[name] for name in alone} == alone
        assert not any(value for name, value in among.items() if name not in alone)
    assert together.counts.sum() == len(pages)
    assert len(np.unique(together.matrix, axis=0)) == len(together.matrix)
