"""A tree as columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from webquarry.html.columns import MAX_DEPTH, Kind, subtree_ends
from webquarry.model.document import Document

DOCUMENT, ELEMENT, TEXT, COMMENT, DOCTYPE, INSTRUCTION = (
    Kind.DOCUMENT,
    Kind.ELEMENT,
    Kind.TEXT,
    Kind.COMMENT,
    Kind.DOCTYPE,
    Kind.INSTRUCTION,
)


def rows(document: Document) -> list[tuple]:
    """Each node after the document: its kind, its parent, its tag or text, its attributes."""
    return [
        (
            int(document.kinds[node]),
            int(document.parents[node]),
            document.tag(node) or document.texts[node],
            dict(document.attributes[node]),
        )
        for node in range(1, len(document))
    ]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("", [(ELEMENT, 0, "html", {}), (ELEMENT, 1, "head", {}), (ELEMENT, 1, "body", {})]),
        (
            "<p class=a>x<b>y</b>z",
            [
                (ELEMENT, 0, "html", {}),
                (ELEMENT, 1, "head", {}),
                (ELEMENT, 1, "body", {}),
                (ELEMENT, 3, "p", {"class": "a"}),
                (TEXT, 4, "x", {}),
                (ELEMENT, 4, "b", {}),
                (TEXT, 6, "y", {}),
                (TEXT, 4, "z", {}),
            ],
        ),
        (
            "<!DOCTYPE html><!--c--><html><title>T</title><p>x</html><!--d-->",
            [
                (DOCTYPE, 0, "html", {}),
                (COMMENT, 0, "c", {}),
                (ELEMENT, 0, "html", {}),
                (ELEMENT, 3, "head", {}),
                (ELEMENT, 4, "title", {}),
                (TEXT, 5, "T", {}),
                (ELEMENT, 3, "body", {}),
                (ELEMENT, 7, "p", {}),
                (TEXT, 8, "x", {}),
                (COMMENT, 0, "d", {}),
            ],
        ),
        (
            "<table>a<tr><td>b",
            [
                (ELEMENT, 0, "html", {}),
                (ELEMENT, 1, "head", {}),
                (ELEMENT, 1, "body", {}),
                (TEXT, 3, "a", {}),
                (ELEMENT, 3, "table", {}),
                (ELEMENT, 5, "tbody", {}),
                (ELEMENT, 6, "tr", {}),
                (ELEMENT, 7, "td", {}),
                (TEXT, 8, "b", {}),
            ],
        ),
        (
            "<body><template><p>x</template>y",
            [
                (ELEMENT, 0, "html", {}),
                (ELEMENT, 1, "head", {}),
                (ELEMENT, 1, "body", {}),
                (ELEMENT, 3, "template", {}),
                (ELEMENT, 4, "p", {}),
                (TEXT, 5, "x", {}),
                (TEXT, 3, "y", {}),
            ],
        ),
        (
            "<body><template><b>x</b><template a><i>y</i></template>z</template>",
            [
                (ELEMENT, 0, "html", {}),
                (ELEMENT, 1, "head", {}),
                (ELEMENT, 1, "body", {}),
                (ELEMENT, 3, "template", {}),
                (ELEMENT, 4, "b", {}),
                (TEXT, 5, "x", {}),
                (ELEMENT, 4, "template", {"a": ""}),
                (ELEMENT, 7, "i", {}),
                (TEXT, 8, "y", {}),
                (TEXT, 4, "z", {}),
            ],
        ),
        (
            '<!DOCTYPE html PUBLIC "a" "b"><?c d?><p><svg><![CDATA[e]]></svg><!--f-->',
            [
                (DOCTYPE, 0, 'html "a" "b"', {}),
                (INSTRUCTION, 0, "c d", {}),
                (ELEMENT, 0, "html", {}),
                (ELEMENT, 3, "head", {}),
                (ELEMENT, 3, "body", {}),
                (ELEMENT, 5, "p", {}),
                (ELEMENT, 6, "svg", {}),
                (TEXT, 7, "e", {}),
                (COMMENT, 6, "f", {}),
            ],
        ),
        (
            "<div><template shadowrootmode=open><p>x</template>y",
            [
                (ELEMENT, 0, "html", {}),
                (ELEMENT, 1, "head", {}),
                (ELEMENT, 1, "body", {}),
                (ELEMENT, 3, "div", {}),
                (ELEMENT, 4, "template", {"shadowrootmode": "open"}),
                (ELEMENT, 5, "p", {}),
                (TEXT, 6, "x", {}),
                (TEXT, 4, "y", {}),
            ],
        ),
        (
            '<p checked @click=1 Class=a title="&lt;">',
            [
                (ELEMENT, 0, "html", {}),
                (ELEMENT, 1, "head", {}),
                (ELEMENT, 1, "body", {}),
                (ELEMENT, 3, "p", {"checked": "", "@click": "1", "class": "a", "title": "<"}),
            ],
        ),
    ],
)
def test_nodes_stand_in_document_order_as_a_browser_builds_them(markup, expected):
    document = Document(markup)
    assert rows(document) == expected
    assert (document.kinds[0], document.parents[0], document.tags[0], document.texts[0]) == (DOCUMENT, -1, -1, "")
    assert not document.attributes[0]


def test_what_the_parser_leaves_behind_the_root_is_in_the_body():
    document = Document("<svg><template><foreignObject><foreignObject></template><h1>x</h1></svg><!--c-->y")
    behind = document.node("/html/body/h1")
    assert behind is not None
    assert document.text(behind) == "x"
    assert int(document.ends[0]) == len(document)
    assert np.count_nonzero(document.parents == 0) == 1


def test_a_shadow_root_spelled_in_any_case_keeps_its_text():
    assert "inside" in Document("<div><template ShadowRootMode=open><p>inside</template></div>").texts
    assert "inside" in Document("<div><Template shadowrootmode=open><p>inside</Template></div>").texts
    assert "inside" in Document('<b x=a"><template shadowrootmode=open><p>inside</template>"').texts


@pytest.mark.parametrize(
    "markup",
    ["<p id=a CLASS=b><svg viewbox=0></svg><p id>", "<p>x", "<template shadowrootmode=open><p id=a></template>"],
)
def test_the_names_and_values_of_all_attributes_are_known(markup):
    for document in (Document(markup), Document(Document(markup).to_xhtml())):
        assert document.attribute_names == {name for own in document.attributes for name in own}
        for name in ("class", *document.attribute_names):
            own = {node: each[name] for node, each in enumerate(document.attributes) if name in each}
            assert document.values_of(name) == own


def test_noscript_holds_elements():
    document = Document("<body><noscript><p>x</noscript>")
    assert "p" in document.tag_names


def test_elements_know_their_namespaces():
    document = Document("<svg><a/><foreignObject><p>x</p></foreignObject></svg><math><mi>y</mi></math>")
    found = {document.tag(node): int(document.namespaces[node]) for node in range(len(document))}
    assert found == {
        "": 0,
        "html": 0,
        "head": 0,
        "body": 0,
        "svg": 1,
        "a": 1,
        "foreignObject": 1,
        "p": 0,
        "math": 2,
        "mi": 2,
    }


def test_columns_are_as_long_as_the_document_and_of_few_bytes():
    document = Document("<p>x<!--c-->")
    columns = (document.kinds, document.parents, document.tags, document.namespaces, document.ends, document.hidden)
    assert {len(column) for column in columns} == {len(document), len(document.texts), len(document.attributes)}
    assert document.kinds.dtype == document.namespaces.dtype == np.uint8
    assert document.parents.dtype == document.tags.dtype == document.ends.dtype == np.int32
    assert document.hidden.dtype == np.bool_


def test_tag_names_occur_once():
    document = Document("<p>a<p>b<div>c")
    assert sorted(document.tag_names) == ["body", "div", "head", "html", "p"]


@pytest.mark.parametrize(
    ("parents", "ends"),
    [
        ([-1], [1]),
        ([-1, 0], [2, 2]),
        ([-1, 0, 1, 1, 0], [5, 4, 3, 4, 5]),
        ([-1, 0, 0], [3, 2, 3]),
        ([-1, 0, 1, 0, 2], [5, 5, 5, 4, 5]),  # a child of node 2 comes after a comment
    ],
)
def test_a_subtree_ends_behind_its_last_descendant(parents, ends):
    assert subtree_ends(np.array(parents, dtype=np.int32)).tolist() == ends


@given(choices=st.lists(st.integers(0, 5), max_size=40))
def test_every_node_comes_before_the_ends_of_those_that_hold_it(choices):
    parents, open_nodes = [-1], [0]
    for choice in choices:  # how many of the open elements close before the next node
        del open_nodes[max(1, len(open_nodes) - choice) :]
        parents.append(open_nodes[-1])
        open_nodes.append(len(parents) - 1)
    ends = subtree_ends(np.array(parents, dtype=np.int32)).tolist()
    for node in range(len(parents)):
        inside, holder = {0}, node
        while holder > 0:
            inside.add(holder)
            holder = parents[holder]
        assert inside == {each for each in range(node + 1) if ends[each] > node}


@pytest.mark.parametrize("tags", ["<div>", "<ul><li>", "<span><b>"])
def test_a_deep_page_has_as_many_levels_as_in_a_browser_and_all_its_words_in_order(tags):
    document = Document("".join(f"{tags}w{number} " for number in range(2_000)))
    assert document.text().split() == [f"w{number}" for number in range(2_000)]
    assert max(document.xpath(node).count("/") for node in range(len(document))) == MAX_DEPTH
    assert all(document.node(document.xpath(node)) == node for node in range(1, len(document), 97))


def test_the_subtrees_of_a_deep_page_end_with_it():
    depth = 50_000
    ends = subtree_ends(np.arange(-1, depth, dtype=np.int32))
    assert (ends == depth + 1).all()


PLAIN = (
    "<!DOCTYPE html><html lang=de xml:lang=de><head><title>T</title></head><body><p>x</p></body></html>",
    '<html><head><title>T</title></head><body><p @click="1" o:p="2" :a="" title="a\tb">x<br>y</p></body></html>',
    "<html><head><title>T</title></head><body><svg viewBox='0 0 1 1'><a xlink:href='b'>x</a></svg></body></html>",
    "<html><head><title>T</title></head><body><math><mi>x</mi></math><o:p>y</o:p><!--c--></body></html>",
    "<html><head><title>T</title></head><body><svg><foreignObject><p>x</p></foreignObject></svg></body></html>",
    "<html xmlns:og='http://ogp.me/ns#'><head><title>T</title></head><body><p og:a='1'>x</p></body></html>",
    "<html><head><title>T</title></head><body><p _x0041_='1'><x_x0042_>x</x_x0042_></p></body></html>",
    "<html><head><title>T</title></head><body><p title='urn:webquarry:prefix:o'>x</p></body></html>",
    "<html><head><title>T</title></head><body><svg viewBox='0 0 1 1' @click='a'></svg></body></html>",
    "<html><head><title>T</title></head><body><template><p>x</p></template></body></html>",
    "<html><head><title>T</title><script>a < b</script></head><body><pre>\n\n x</pre></body></html>",
)


def without_doctype(document: Document) -> list[tuple]:
    return [
        (kind, parent - (document.kinds[1] == DOCTYPE and parent > 0), value, attributes)
        for kind, parent, value, attributes in rows(document)
        if kind != DOCTYPE
    ]


@pytest.mark.parametrize("markup", PLAIN)
def test_our_own_xhtml_has_the_columns_of_the_page(markup):
    original = Document(markup)
    again = Document(original.to_xhtml())
    assert without_doctype(again) == without_doctype(original)
    assert [n for n, k in zip(again.namespaces, again.kinds, strict=True) if k == ELEMENT] == [
        n for n, k in zip(original.namespaces, original.kinds, strict=True) if k == ELEMENT
    ]
    assert again.text() == original.text()


words = st.text("abc \n&<", min_size=1, max_size=5).map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
names = st.sampled_from(["div", "span", "x-y", "o:p", "section"])
attributes = st.dictionaries(
    st.sampled_from(["class", "@a", "o:b", "é", "_x0041_", ":c"]), st.text('ab &"\t\n', max_size=4), max_size=3
).map(
    lambda listed: "".join(
        ' {}="{}"'.format(name, value.replace("&", "&amp;").replace('"', "&quot;")) for name, value in listed.items()
    )
)
trees = st.recursive(
    words | st.just("<!--c-->"),
    lambda inner: st.builds(
        lambda name, listed, content: f"<{name}{listed}>{''.join(content)}</{name}>",
        names,
        attributes,
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)


@settings(deadline=None, derandomize=True, max_examples=150, database=None, suppress_health_check=list(HealthCheck))
@given(tree=trees)
def test_a_page_without_repairs_comes_back_from_its_xhtml(tree):
    original = Document(f"<html><head><title>T</title></head><body>{tree}</body></html>")
    again = Document(original.to_xhtml())
    assert without_doctype(again) == without_doctype(original)
