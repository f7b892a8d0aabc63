"""Where to stop deleting without labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.model.report import Selection
from webquarry.validating.deletion_curves import MIN_GAIN, choose_stop, find_stop, follow
from webquarry.validating.votes import decide

SIZES = {"p": "16px", "h2": "24px", "small": "9px", "nav": "12px", "pre": "13px"}
BODY = "<p>{0} and some sentences of a story that goes on for a while, as stories do.</p><p>It ends with {0}.</p>"
FURNITURE = "<nav>Share this with all of your friends</nav><small>All rights are reserved by us</small>"


def lay_out(markup: str) -> Document:
    """A document in which the size of letters is that of the tag."""
    tree = Document(markup)
    values = ("0px", *SIZES.values())
    styles = np.zeros((len(tree), len(VISUAL_VALIDATION)), dtype=np.int32)
    for node in range(1, len(tree)):
        tag = tree.tag(node) or tree.tag(int(tree.parents[node]))
        styles[node, VISUAL_VALIDATION.index("font-size")] = values.index(SIZES.get(tag, "0px"))
    layout = Layout(
        boxes=np.tile(np.array([0, 0, 100, 20], dtype=np.float32), (len(tree), 1)),
        styles=styles,
        values=values,
        properties=VISUAL_VALIDATION,
        visible=np.array(["hidden" not in tree.attributes[max(0, parent)] for parent in tree.parents]),
        width=1366,
        height=1000,
        browser="none",
        viewport=1366,
    )
    return Document(markup, kind="rendered", layout=layout, tree=tree._columns)


def take(document: Document, tags: Sequence[str]) -> np.ndarray:
    texts = document.seen_texts
    return texts[[document.tag(int(document.parents[node])) in tags for node in texts]]


def stop(markups: Sequence[str], oddness: dict[str, float], voted: Sequence[Sequence[str]]) -> set[str]:
    """The tags of the texts that are deleted when all texts were extracted, scored by tag, and voted on by tag."""
    documents = [lay_out(markup.format("")) for markup in markups]
    selections = []
    for document in documents:
        nodes = document.seen_texts
        selections.append(Selection(document, nodes, tuple(document.texts[node] for node in nodes)))
    tags = [each.document.tag(int(each.document.parents[node])) for each in selections for node in each.nodes]
    scores = np.array([oddness[tag] for tag in tags])
    count = find_stop(selections, scores, decide(documents, [*map(take, documents, voted)]))
    return {tags[place] for place in np.argsort(-scores, kind="stable")[:count]}


ODDNESS = {"small": 9.0, "nav": 8.0, "h2": 5.0, "pre": 4.0, "p": 1.0}
STORIES = [
    f"<article><h2>The {number}th title</h2>{BODY.format(number)}{{}}</article>{FURNITURE}" for number in range(6)
]


def test_deletes_furniture_that_the_voter_leaves_out() -> None:
    assert stop(STORIES, ODDNESS, [["h2", "p"]] * 6) == {"small", "nav"}


def test_stops_before_what_the_voter_takes_on_most_pages() -> None:
    assert stop(STORIES, ODDNESS, [["p"], ["p"], *[["h2", "p"]] * 4]) == {"small", "nav"}


def test_keeps_all_when_the_oddest_is_content() -> None:
    assert stop(STORIES, {"p": 9.0, "h2": 8.0, "small": 2.0, "nav": 1.0}, [["h2", "p"]] * 6) == set()


def test_keeps_all_when_the_voter_takes_nothing() -> None:
    assert stop(STORIES, ODDNESS, [[]] * 6) == set()


@pytest.mark.parametrize(("pages", "deleted"), [(1, set()), (4, set()), (5, {"small", "nav"})])
def test_few_pages_are_not_enough_evidence(pages: int, deleted: set[str]) -> None:
    assert stop(STORIES[:pages], ODDNESS, [["h2", "p"]] * pages) == deleted


def test_what_is_on_one_page_is_not_judged_by_a_mistake_on_it() -> None:
    code = "<pre>a long piece of code that the voter did not take for content, though a reader of the page would</pre>"
    oddness = ODDNESS | {"pre": 7.0}
    assert stop([STORIES[0].format(code), *STORIES[1:]], oddness, [["h2", "p"]] * 6) == {"small", "nav"}
    assert stop([story.format(code) for story in STORIES], oddness, [["h2", "p"]] * 6) == {"small", "nav", "pre"}


def test_nothing_extracted_is_nothing_deleted() -> None:
    assert find_stop([], np.zeros(0), []) == 0
    empty = Selection(lay_out(STORIES[0]), np.zeros(0, dtype=np.int32), ())
    decisions = decide([empty.document] * 5, [empty.nodes] * 5)
    assert find_stop([empty] * 5, np.zeros(0), decisions) == 0


def test_elements_are_judged_by_the_texts_in_them() -> None:
    documents = [lay_out(f"<div>{BODY.format(number)}</div><div>{FURNITURE}</div>") for number in range(6)]
    selections = []
    for document in documents:
        nodes = np.flatnonzero(document.has_tag(["div"])).astype(np.int32)
        selections.append(Selection(document, nodes, tuple(document.text(int(node)) for node in nodes)))
    decisions = decide(documents, [take(document, ["p"]) for document in documents])
    assert find_stop(selections, np.tile([1.0, 2.0], 6), decisions) == 6


def test_stops_only_between_different_scores() -> None:
    curve = follow(np.arange(4), np.array([False, True, True, True]), np.full(4, 10.0))
    assert choose_stop(curve, np.array([3.0, 2.0, 1.0, 0.0])) == 1
    assert choose_stop(curve, np.array([3.0, 3.0, 1.0, 0.0])) == 0


def test_deletes_only_if_it_is_worth_it() -> None:
    little = follow(np.arange(4), np.array([False, True, True, True]), np.array([MIN_GAIN, 1.0, 1.0, 1.0]))
    assert little.best == 1
    assert choose_stop(little, np.array([3.0, 2.0, 1.0, 0.0])) == 0
