"""Trees that are deeper than XML readers allow."""

from __future__ import annotations

import re

import pytest
import turbohtml

from webquarry.html import xhtml as flattening


@pytest.fixture
def two_levels_below_the_body(monkeypatch):
    monkeypatch.setattr(flattening, "MAX_DEPTH", 4)


def flattened(markup: str) -> str:
    tree = turbohtml.parse(markup)
    flattening.flatten(tree, tree.select("*"))
    flattening.flatten_templates(tree)
    return re.search(r"<body>(.*)</body>", tree.serialize(turbohtml.Html()))[1]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a>1<b>2</b>3</a>", "<a>1<b>2</b>3</a>"),
        ("<i>0<a>1<b>2<c>3</c>4</b>5</a>6</i>", "<i>0<a>1</a><b>2</b><c>3</c>456</i>"),
        ("<i><a><b></b><c></c></a></i>", "<i><a></a><b></b><c></c></i>"),
        ("<i><a>1<b>2</b>3<c>4</c>5</a></i>", "<i><a>1</a><b>2</b>3<c>4</c>5</i>"),
        ("<i><a><!--x--><b><!--y--></b><!--z--></a></i>", "<i><a><!--x--></a><b><!--y--></b><!--z--></i>"),
    ],
)
@pytest.mark.usefixtures("two_levels_below_the_body")
def test_what_is_too_deep_comes_after_what_held_it(markup, expected):
    assert flattened(markup) == expected
