"""How much of the text of nodes is what."""

import numpy as np

from webquarry.model.document import Document
from webquarry.validating.deletion_curves import find_spans, sum_bytes


def test_bytes_of_a_node_are_those_of_the_texts_that_it_is_or_holds():
    document = Document("<div><p>ab</p><p>\u00fc  c</p></div><img><p>d</p>")
    paths = ["/html/body", "/html/body/div", "/html/body/div/p[2]/text()", "/html/body/img", "/html/body/p"]
    nodes = np.array([document.node(path) for path in paths], dtype=np.int32)
    spans = find_spans(document, nodes, document.seen_texts)
    shown, kept, liked = sum_bytes(
        document, document.seen_texts, spans, np.array([False, True, True]), np.array([0.5, 0.25, 1.0])
    )
    assert shown.tolist() == [7, 6, 4, 0, 1]  # two bytes for the first letter, one for the white space behind it
    assert kept.tolist() == [5, 4, 4, 0, 1]
    assert liked.tolist() == [3, 2, 1, 0, 1]


def test_pages_without_texts_have_no_bytes():
    document = Document("<p></p>")
    spans = find_spans(document, np.array([0], dtype=np.int32), document.seen_texts)
    assert sum_bytes(document, document.seen_texts, spans, np.zeros(0)).tolist() == [[0], [0]]
