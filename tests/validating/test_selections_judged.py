"""Selections to verdicts."""

import numpy as np
import pytest

from webquarry.model.document import VISUAL_VALIDATION, Document, Layout
from webquarry.model.report import Selection
from webquarry.validating.selections import find_texts, judge_by_score, judge_by_vote
from webquarry.validating.style_vectors import Vectors
from webquarry.validating.votes import decide

SENTENCE = "Sentence {} of page {} tells of rivers, and of the towns that stand beside them since they were founded."


def make_page(number: int, more: str = "") -> Document:
    paragraphs = "".join(f"<p>{SENTENCE.format(place, number)}</p>" for place in range(4))
    return Document(f"<nav><a>Home</a><a>Towns</a><a>Rivers</a></nav><main>{paragraphs}</main>{more}")


def select(document: Document, *paths: str) -> Selection:
    nodes = [document.node(path) for path in paths]
    return Selection(document, np.array(nodes, dtype=np.int32), tuple(document.text(node) for node in nodes))


def texts_of(document: Document, tag: str) -> np.ndarray:
    texts = document.seen_texts
    return texts[[document.tag(int(document.parents[node])) == tag for node in texts]]


def judge(documents: list[Document], *paths: str, voted: str = "p"):
    """The verdicts on the extracted nodes of the first page when a voter calls one tag content."""
    decisions = decide(documents, [texts_of(document, voted) for document in documents])
    return judge_by_vote(select(documents[0], *paths), decisions[0])


def test_a_text_is_dropped_when_its_style_was_not_called_content():
    verdicts = judge([make_page(n) for n in range(4)], "/html/body/nav/a[2]/text()", "/html/body/main/p[1]")
    assert verdicts.drops.tolist() == [True, False]
    assert verdicts.scores.tolist() == [1.0, 0.0]
    assert "0 of 12 texts" in verdicts.reasons[0]


def test_an_element_is_dropped_when_more_than_half_of_its_text_is():
    verdicts = judge([make_page(n) for n in range(4)], "/html/body", "/html/body/nav", "/html/body/main")
    assert verdicts.drops.tolist() == [False, True, False]


def test_the_reason_of_an_element_is_of_a_text_that_fared_as_it_does():
    verdicts = judge([make_page(n) for n in range(4)], "/html/body")
    assert "16 of 16 texts" in verdicts.reasons[0]


def test_what_is_dropped_scores_more_than_half_and_what_is_kept_less():
    documents = [make_page(n, "<aside><p>Short</p></aside>") for n in range(4)]
    paths = ["/html/body", "/html/body/nav", "/html/body/main/p[2]", "/html/body/aside/p", "/html/body/nav/a[1]"]
    verdicts = judge(documents, *paths)
    assert verdicts.drops.any()
    assert ((verdicts.scores >= 0.5) == verdicts.drops).all()


def test_what_nobody_sees_is_dropped():
    documents = [make_page(n, "<div hidden><p>Secret words</p></div>") for n in range(4)]
    verdicts = judge(documents, "/html/body/div/p", "/html/body/main/p[1]")
    assert verdicts.drops.tolist() == [True, False]
    assert verdicts.reasons[0] == "It is not visible on the page."


def test_what_has_no_text_has_no_vote():
    documents = [make_page(n, "<img src=a.png>") for n in range(4)]
    verdicts = judge(documents, "/html/body/img")
    assert (verdicts.drops.tolist(), verdicts.scores.tolist(), verdicts.reasons) == ([False], [0.0], ("",))


def test_texts_that_the_vote_finds_and_the_extraction_lacks_are_additions():
    documents = [make_page(n) for n in range(4)]
    verdicts = judge(documents, "/html/body/main/p[1]", "/html/body/main/p[3]/text()")
    added = [documents[0].texts[node] for node, _ in verdicts.additions]
    assert added == [SENTENCE.format(1, 0), SENTENCE.format(3, 0)]


def test_too_few_pages_are_judged_as_the_voter_said():
    verdicts = judge([make_page(0), make_page(1)], "/html/body/nav", "/html/body/main")
    assert verdicts.drops.tolist() == [True, False]


def test_a_selection_has_the_texts_in_its_elements_once():
    document = make_page(0)
    selection = select(document, "/html/body/nav", "/html/body/nav/a[1]", "/html/body/nav/a[1]/text()")
    assert [document.texts[node] for node in find_texts(selection)] == ["Home", "Towns", "Rivers"]


def lay_out(document: Document, sizes: dict[str, str]) -> Document:
    """The document with letters as large as the tag says, for all that is in it."""
    values = ("0px", *sizes.values())
    styles = np.zeros((len(document), len(VISUAL_VALIDATION)), dtype=np.int32)
    for tag, size in sizes.items():
        for node in np.flatnonzero(document.has_tag([tag])):
            styles[node : document.ends[node], VISUAL_VALIDATION.index("font-size")] = values.index(size)
    boxes = np.tile(np.array([0, 0, 100, 20], dtype=np.float32), (len(document), 1))
    visible = np.ones(len(document), dtype=np.bool_)
    layout = Layout(boxes, styles, values, VISUAL_VALIDATION, visible, 1366, 1000, "none", 1366)
    return Document(document.markup, kind="rendered", layout=layout, tree=document._columns)


def by_rarity(vectors: Vectors) -> np.ndarray:
    return 1.0 / vectors.counts


@pytest.fixture
def looked_at() -> list[Selection]:
    share = "<small>Share this with all of your friends, and with theirs, wherever they may be just now</small>"
    documents = [lay_out(make_page(n, share * 2), {"p": "16px", "small": "11px"}) for n in range(5)]
    paths = ["/html/body/small[1]", "/html/body/small[2]", *(f"/html/body/main/p[{place}]" for place in range(1, 5))]
    return [select(document, *paths) for document in documents]


def test_what_looks_rare_goes_first_as_far_as_a_voter_agrees(looked_at):
    documents = [each.document for each in looked_at]
    decisions = decide(documents, [texts_of(document, "p") for document in documents])
    for verdicts in judge_by_score(looked_at, by_rarity, decisions):
        assert verdicts.drops.tolist() == [True, True, False, False, False, False]
        assert verdicts.scores.tolist() == [1 / 10, 1 / 10, *[1 / 20] * 4]
        assert verdicts.reasons[0] == "Its letters are 11px high, those of the others 16px."


def test_nothing_goes_when_the_voter_calls_it_content(looked_at):
    documents = [each.document for each in looked_at]
    decisions = decide(documents, [document.seen_texts for document in documents])
    assert not any(each.drops.any() for each in judge_by_score(looked_at, by_rarity, decisions))
