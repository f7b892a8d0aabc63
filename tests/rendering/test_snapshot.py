"""Rendered documents are documents like static ones, with a layout."""

from __future__ import annotations

import pickle
from dataclasses import replace

import lxml.etree
import numpy as np
import pytest

from webquarry.cli.demo import find_examples
from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.model.page import Failure
from webquarry.pipeline.fetch_pages import clean, fetch_all
from webquarry.rendering.snapshot import PROPERTIES, write_markup

PAGES = {page.url: page for page in fetch_all([find_examples()]) if not isinstance(page, Failure)}
MIXED = """<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><!-- before -->
<title>T</title><template id=t><p>In <b>head</b></template><p class="" title="a&amp;b">One<br>two <?php x ?>
<template><li>In body</template>
<svg viewBox="0 0 1 1"><linearGradient/><foreignObject><div>d</div></foreignObject></svg>
<math><mi>x</mi></math><o:p>odd</o:p><table><tr><td>cell</table><noscript><em>n</em></noscript><pre>

two</pre><textarea>&lt;x</textarea>"""


@pytest.mark.parametrize("url", PAGES, ids=[url.rpartition("examples/")[2] for url in PAGES])
def test_addresses_are_those_of_the_static_document(renderer, url):
    static = clean(PAGES[url])
    rendered = renderer.render(PAGES[url], static.markup)
    assert_same_tree(rendered, static)
    assert rendered.layout.visible.sum() > 50


def assert_same_tree(rendered: Document, static: Document) -> None:
    assert [rendered.xpath(node) for node in range(len(rendered))] == [
        static.xpath(node) for node in range(len(static))
    ]
    assert rendered.texts == static.texts
    assert rendered.attributes == static.attributes
    assert rendered.namespaces.tolist() == static.namespaces.tolist()
    assert rendered.to_xhtml() == static.to_xhtml()


def test_keeps_what_a_snapshot_leaves_out(render):
    assert_same_tree(render(MIXED), Document(MIXED))


def test_shadow_content_stands_in_its_host(render):
    document = render("<div id=host><template shadowrootmode=open><b>shadow</b></template>light</div>")
    assert document.text() == "shadow"
    assert document.xpath(document.node("/html/body/div/b")) == "/html/body/div/b"
    assert "<b>shadow</b>" in document.to_xhtml()
    assert Document(document.markup).text() == "shadow"


def test_everything_works_on_a_tree_that_only_the_browser_has(render):
    document = render(MIXED + "<div><template shadowrootmode=open><i class=''>x</i></template></div>")
    assert document.tree is not None
    italic = document.node("/html/body/div/i")
    assert (document.tag(italic), dict(document.attributes[italic])) == ("i", {"class": ""})
    assert document.texts[1] == 'html "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"'
    assert document.namespaces[document.node("/html/body/p/svg/linearGradient")] == 1
    assert document.namespaces[document.node("/html/body/p/svg/foreignObject/div")] == 0
    assert document.node("/html/body/table/tbody/tr/td") is not None
    assert document.to_lxml().xpath("//td")[0].text == "cell"
    lxml.etree.fromstring(document.to_xhtml().encode())


def test_markup_of_a_tree_gives_the_tree():
    tree = Document(MIXED)
    again = Document(write_markup(tree._columns))
    assert [tree.xpath(node) for node in range(len(tree))] == [again.xpath(node) for node in range(len(again))]
    assert (again.texts, again.attributes) == (tree.texts, tree.attributes)


def test_is_equal_by_value_and_survives_pickle(render):
    document = render("<p>One<p hidden>Two")
    copy = pickle.loads(pickle.dumps(document))
    assert copy == document == render("<p>One<p hidden>Two")
    assert hash(copy) == hash(document)
    assert (copy.kind, copy.text(), copy.layout.browser) == ("rendered", "One", document.layout.browser)


def test_differs_from_the_static_document_and_by_its_layout(render):
    document = render("<p>One")
    assert document != Document(document.markup)
    moved = replace(document.layout, boxes=document.layout.boxes + 1)
    assert replace(document, layout=moved) != document
    assert document.layout != "layout"


def test_boxes_are_in_pixels_from_the_origin(render):
    document = render(
        "<!DOCTYPE html><style>body{margin:0}</style>"
        "<div style='position:absolute;left:10px;top:2000.5px;width:30px;height:40px'></div><p style='display:none'>x"
    )
    layout = document.layout
    assert layout.boxes[document.node("/html/body/div")].tolist() == [10, 2000.5, 30, 40]
    assert np.isnan(layout.boxes[document.node("/html/body/p")]).all()
    assert (layout.width, layout.height, layout.viewport) == (1366, 2041, 1366)
    assert layout.boxes.dtype == np.float32
    assert "Chrome" in layout.browser


def test_styles_are_codes_into_values(render):
    document = render(
        "<p style='color:#ff0000;font-weight:bold;text-decoration:underline'>Red<p style='display:none'>x"
    )
    layout = document.layout
    paragraph, text = document.node("/html/body/p[1]"), document.node("/html/body/p[1]/text()")
    assert layout.style(paragraph, "color") == "rgb(255, 0, 0)"
    assert layout.style(paragraph, "font-weight") == "700"
    assert layout.style(paragraph, "text-decoration").startswith("underline")
    assert layout.style(text, "color") == "rgb(255, 0, 0)"
    assert layout.style(document.node("/html/body/p[2]"), "color") == ""
    assert layout.styles.shape == (len(document), len(PROPERTIES))
    assert layout.styles.max() == len(layout.values) - 1
    assert len(set(layout.values)) == len(layout.values)


def test_there_are_32_properties_of_the_paper():
    assert len(set(VISUAL_VALIDATION)) == 32


def test_frames_have_documents_of_their_own(render):
    document = render(
        "<!DOCTYPE html><style>body{margin:0}</style><p style='margin:0;height:100px'>Outer</p>"
        "<iframe style='border:3px solid;padding:7px;display:block' "
        "srcdoc=\"<body style='margin:0'><p style='margin:0'>Inner\">"
        "</iframe><iframe></iframe>"
    )
    assert document.text() == "Outer"
    ((holder, inner),) = document.layout.frames
    assert document.xpath(holder) == "/html/body/iframe[1]"
    assert inner.text() == "Inner"
    assert inner.layout.boxes[inner.node("/html/body/p")].tolist()[:2] == [10, 110]
    assert pickle.loads(pickle.dumps(document)) == document


def test_generated_content_makes_no_nodes(render):
    document = render("<style>p::before{content:'x'} li::marker{content:'- '}</style><p>One<ul><li>Two</ul>")
    assert_same_tree(document, Document(document.markup))


def test_an_empty_page_renders(render):
    document = render("")
    assert document.text() == ""
    assert isinstance(document.layout, Layout)


def test_words_of_two_elements_stay_apart_where_the_line_breaks_between_them(render):
    markup = "<div style='width: 50px'><b>Forty</b> <i>words</i> <u>wrapped</u></div>"
    assert render(markup).text() == "Forty words wrapped"
