"""Where on a page the headings of its sections stand."""

from __future__ import annotations

import pytest

from webquarry.model import Document, Source
from webquarry.wrapping.ashish import wrap_ashish
from webquarry.wrapping.learning import learn_sections
from webquarry.wrapping.pointing import find_tokens


def page(name: str, extra: str = "") -> Document:
    return Document(
        f"<h2>Land</h2><p><b>Area:</b> {len(name)} of {name}</p>{extra}<h2>Trade</h2><p>cloth of {name}</p>", url=name
    )


SAMPLES = [page(name) for name in ("Ash", "Birch", "Cedar")]


def test_headings_are_given_in_their_order_with_level_and_path():
    wrapper = learn_sections(SAMPLES, Source("towns"))
    document = page("Elm")
    tokens = find_tokens(wrapper, document)
    assert [(token.text, token.level, token.path) for token in tokens] == [
        ("Land", 1, ("land",)),
        ("Area:", 2, ("land", "area")),
        ("Trade", 1, ("trade",)),
    ]
    assert [document.texts[token.node] for token in tokens] == ["Land", "Area:", "Trade"]


def test_headings_that_no_rule_names_are_among_them():
    wrapper = learn_sections(SAMPLES, Source("towns"))
    tokens = find_tokens(wrapper, page("Elm", "<p><b>Bridges:</b> 3</p>"))
    assert ("_other", "land", "bridges") in [token.path for token in tokens]


@pytest.mark.parametrize("name", ["Ash", "Elm"])
def test_the_papers_wrapper_points_at_the_texts_of_sections(name):
    document = Document(f"<p><b>Area:</b> {len(name)}</p>\n<p><b>Trade:</b> cloth of {name}</p>")
    tokens = find_tokens(wrap_ashish([document], name="towns"), document)
    assert [token.text for token in tokens] == ["Area", "Trade"]
    assert [document.xpath(token.node) for token in tokens] == ["/html/body/p[1]", "/html/body/p[2]"]
