"""What holds for the vote on whatever pages it is given."""

import pickle

import numpy as np
from hypothesis import HealthCheck, given, settings, strategies as st

from webquarry.model.document import Document
from webquarry.validating.votes import decide, decide_sites

TAGS = ("a", "b", "br", "div", "div class=x", "li", "p", "p hidden", "script", "table", "td", "ul")
PARTS = st.one_of(
    st.builds("<{}>".format, st.sampled_from(TAGS)),
    st.sampled_from(["</div>", "</p>", "</ul>", "One", "Two words", " ", "\u202e", "&#0;", "\ud800"]),
)
PAGES = st.lists(st.lists(PARTS, max_size=10).map("".join), max_size=6)


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(pages=PAGES, seed=st.integers(0, 1000))
def test_decides_on_all_texts_and_leaves_documents_alone(pages, seed):
    documents = [Document(markup, url="https://example.org/") for markup in pages]
    numbers = np.random.default_rng(seed)
    voted = [np.flatnonzero(numbers.random(len(document)) < 0.5).astype(np.int32) for document in documents]
    before = pickle.dumps((documents, voted))
    for way in (decide, decide_sites):
        decisions = way(documents, voted)
        assert len(decisions) == len(documents)
        for document, decision in zip(documents, decisions, strict=True):
            texts = [node for node in decision.nodes.tolist() if document.texts[node].strip()]
            assert len(texts) == len(decision.kept) == len(decision.scores) == len(decision.reasons)
            assert not document.hidden[decision.nodes].any()
            assert ((decision.scores >= 0) & (decision.scores <= 1)).all()
        again = way(documents, voted)
        assert [each.kept.tolist() for each in again] == [each.kept.tolist() for each in decisions]
    assert pickle.dumps((documents, voted)) == before
