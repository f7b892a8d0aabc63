"""Votes of pages that are given together, of several sites."""

import numpy as np

from webquarry.model.document import Document
from webquarry.validating.votes import decide_sites


def make_page(site, number, more=""):
    menu = "".join(f"<a>{site} {name}</a>" for name in ("one", "two", "three", "four"))
    return Document(
        f"<nav>{menu}</nav><div><p>Text of page {number}, which tells of rivers.</p><p>And more of {number}.</p>{more}"
        "</div>",
        url=f"https://{site}.example/{number}",
    )


def name_paragraphs(document):
    texts = enumerate(document.texts)
    return np.array([node for node, text in texts if text.startswith(("Text", "And"))], dtype=np.int32)


def test_each_page_is_decided_by_those_of_its_own_site():
    documents = [make_page(site, number) for number in range(4) for site in ("a", "b")]
    voted = [name_paragraphs(document) for document in documents]
    voted[0] = voted[0][:1]
    decisions = decide_sites(documents, voted)
    assert decisions[0].nodes[decisions[0].kept].tolist() == name_paragraphs(documents[0]).tolist()
    assert {each.note for each in decisions} == {""}


def test_a_site_with_too_few_pages_is_named_and_left_as_it_was_read():
    documents = [*(make_page("a", number) for number in range(3)), make_page("b", 0)]
    voted = [name_paragraphs(document) for document in documents]
    voted[3] = voted[3][:1]
    decisions = decide_sites(documents, voted)
    assert decisions[3].nodes[decisions[3].kept].tolist() == voted[3].tolist()
    assert [(each.site, each.note) for each in decisions[2:]] == [
        ("a.example", ""),
        ("b.example", "1 page is too few for a vote"),
    ]


def test_what_a_page_refuses_is_not_brought_back_by_its_site():
    documents = [make_page("a", number, "<p class=more>Get all stories.</p>" * (number == 0)) for number in range(4)]
    voted = [name_paragraphs(document) for document in documents]
    line = documents[0].texts.index("Get all stories.")
    found, refused = (decide_sites(documents, voted, refused=[{node: "sign-up"}, {}, {}, {}])[0] for node in (0, line))
    assert found.nodes[found.kept].tolist() == [*voted[0].tolist(), line]
    assert refused.nodes[refused.kept].tolist() == voted[0].tolist()
