"""How much blocks weigh, and what makes them prose."""

import numpy as np
import pytest

from webquarry.html.columns import find_inside
from webquarry.model.document import Document
from webquarry.reading.blocks import find_blocks

LINE = "The ferry left the harbour at noon, an hour late, with a piano on deck"


@pytest.mark.parametrize(
    ("markup", "letters"),
    [
        ("<p>  four\n", [4]),
        ("<p>caf\u00e9 \u2014 ol\u00e9", [10]),
        ("<p>\u6771\u4eac", [4]),
        ("<p>\u3000\u6771\u4eac\u3000<p>two", [4, 3]),
        ("<p>one<p>\u6771 a<p>\U0001f600<p>two", [3, 4, 2, 3]),
        ("<p>a<b>\u6771</b>b", [4]),
    ],
)
def test_ideographs_count_twice_wherever_they_stand(markup, letters):
    assert find_blocks(Document(markup)).letters.tolist() == letters


@pytest.mark.parametrize(
    ("markup", "is_prose"),
    [
        (f"<p>{LINE}", True),
        (f"<p>{LINE[:30]} <b>{LINE[30:]}</b>", True),
        (f"<p>{LINE[:50]}", False),
        (f"<h2>{LINE}</h2>", False),
        (f"<p><a href=/b>{LINE}</a>", False),
        (f"<p><a href='#b'>{LINE}</a>", True),
        ("<pre>code</pre>", True),
    ],
)
def test_long_lines_code_and_quotations_are_prose(markup, is_prose):
    assert find_blocks(Document(markup)).is_prose.tolist() == [is_prose]


def test_a_place_is_inside_of_the_node_around_the_last_one_before_it():
    document = Document("<div><p>a</p>b</div>c")
    is_div = document.has_tag(["div", "p"])
    texts = document.seen_texts
    assert find_inside(document.ends, is_div)[texts].tolist() == [True, True, False]
    assert not find_inside(document.ends, np.zeros(len(document), dtype=np.bool_))[texts].any()
