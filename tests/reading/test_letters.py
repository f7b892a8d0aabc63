"""How much blocks weigh, and what makes them prose."""

import numpy as np
import pytest

from webquarry.model import Document
from webquarry.reading.blocks import are_inside, find_blocks


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
        ("<p>Short, but a sentence it is", True),
        ("<p>Words without any mark of one", False),
        ("<p>Too short.", False),
        ("<p>One word more, <b>then several in bold</b>", True),
        ("<h2>A heading that ends with a stop.</h2>", False),
        ("<p><a href=/b>A link that ends with a stop.</a>", False),
        ("<pre>code</pre>", True),
    ],
)
def test_sentences_code_and_quotations_are_prose(markup, is_prose):
    assert find_blocks(Document(markup)).is_prose.tolist() == [is_prose]


def test_a_place_is_inside_of_the_node_around_the_last_one_before_it():
    document = Document("<div><p>a</p>b</div>c")
    is_div = document.has_tag(["div", "p"])
    texts = document.seen_texts
    assert are_inside(document, is_div, texts).tolist() == [True, True, False]
    assert not are_inside(document, np.zeros(len(document), dtype=np.bool_), texts).any()
