"""The page of a report in a real browser: outlines over the picture, nothing beyond the edge, no request."""

from __future__ import annotations

import numpy as np
import pytest

import webquarry as wq
from webquarry.cli.demo import find_examples
from webquarry.html.columns import Kind
from webquarry.model.page import Page
from webquarry.model.report import Report, Selection, Verdicts
from webquarry.rendering.renderer import Renderer
from webquarry.validating.report_markup import Deletion
from webquarry.validating.report_page import write_page

pytestmark = pytest.mark.needs_browser
WIDE, NARROW = 1366, 420


def judge(document: wq.Document) -> Verdicts:
    """Every fifth text is dropped, the second should be added, and one says what no browser must obey."""
    seen = np.flatnonzero((document.kinds == Kind.TEXT) & document.layout.visible)
    nodes = np.array([node for node in seen if document.texts[node].strip()], dtype=np.int32)
    texts = ["<img src=http://evil.test/a.png><link rel=stylesheet href=http://evil.test/b.css>" + "w" * 400]
    texts += [document.texts[node] for node in nodes[1:]]
    drops = np.arange(len(nodes)) % 5 == 0
    reasons = tuple("font-size 11px, the others 16px" if drop else "" for drop in drops)
    additions = ((int(nodes[1]), "looks as the others"),)
    return Verdicts(Selection(document, nodes, tuple(texts)), np.arange(len(nodes)) / 7, drops, reasons, additions)


@pytest.fixture(scope="module")
def shown(browser):
    """A report on an example page, as browsers of two widths show it, and what they asked for."""
    path = find_examples() / "news" / "articles" / "ferry-returns.html"
    page = wq.fetch(path)
    with Renderer(browser=browser, roots=[find_examples()]) as renderer:
        document, picture = renderer.shoot(page, wq.clean(page).markup)
    html = write_page(
        Report("vote", (marked := judge(document),), ("n" * 300,)),
        screenshots={document.url: picture},
        deletion=Deletion([0, 0.3, 1], {"precision": [0.8, 0.9, 1], "recall": [1, 0.9, 0]}, {"stop": 1}),
    )
    asked: list[str] = []

    def load(address: str) -> Page:
        asked.append(address)
        raise wq.FetchError("nothing is there")

    made = {}
    for width in (WIDE, NARROW):
        with Renderer(browser=browser, width=width, load=load) as renderer:
            made[width] = renderer.render(Page(url="http://report.test/report.html", body=html.encode()), html)
    return marked, made, asked


def boxes(document: wq.Document, tag: str, kind: str | None = None) -> np.ndarray:
    nodes = np.flatnonzero(document.has_tag([tag])).tolist()
    chosen = [node for node in nodes if kind is None or document.attributes[node].get("class") == kind]
    return document.layout.boxes[chosen]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_outlines_stand_over_what_they_outline(shown, width):
    marked, made, _ = shown
    original = marked.selection.document.layout
    left, top, across, down = boxes(made[width], "image")[0]
    scale = across / original.width
    assert down / across == pytest.approx(original.height / original.width, rel=0.01)
    nodes = marked.selection.nodes[marked.drops]
    expected = original.boxes[nodes][:, :2] * scale + (left, top)
    outlines = boxes(made[width], "rect", "dropped")
    in_picture = outlines[outlines[:, 1] >= top - 5]
    found = [min(np.abs(in_picture[:, :2] + 3 * scale - place).max(axis=1)) for place in expected]
    assert len(nodes) > 8
    assert max(found) < 2


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_nothing_is_beyond_the_edge(shown, width):
    _, made, _ = shown
    assert made[width].layout.width <= width


def test_no_request_leaves(shown):
    _, _, asked = shown
    assert asked == []


def test_the_picture_is_shown(shown):
    _, made, _ = shown
    assert made[WIDE].layout.visible[np.flatnonzero(made[WIDE].has_tag(["image"]))].all()
