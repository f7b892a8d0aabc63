"""What holds for every miner on whatever it is given."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import webquarry as wq
from webquarry.model.document import Layout
from webquarry.pipeline.mine_pages import MINERS
from webquarry.rendering.snapshot import PROPERTIES

TAGS = (
    "a b br div dl dt dd form h2 h3 hr img li nav ol p pre span table td th thead tr ul article footer template".split()
)
CLASSES = ("", " class=item", " class='item ad'", " class=x", " style='display: none'", " rowspan=3", " colspan=0")
TEXTS = st.sampled_from(["word", "12.50", "€ 3,99", "Price: 5", "2024-05-01", " ", "\u202e", "x" * 300, "&#0;", "Next"])
OPENINGS = st.builds(lambda tag, more: f"<{tag}{more}>", st.sampled_from(TAGS), st.sampled_from(CLASSES))
CLOSINGS = st.builds("</{}>".format, st.sampled_from(TAGS))
PIECES = st.lists(st.one_of(OPENINGS, TEXTS, CLOSINGS), max_size=12).map("".join)
PAGES = st.builds(lambda piece, times, rest: piece * times + rest, PIECES, st.integers(1, 6), PIECES)


def laid_out(document: wq.Document, numbers: np.random.Generator) -> wq.Document:
    """The document with boxes anywhere, some of them missing."""
    count = len(document)
    boxes = numbers.uniform(-50, 1400, (count, 4)).astype(np.float32)
    boxes[numbers.random(count) < 0.2] = np.nan
    layout = Layout(
        boxes=boxes,
        styles=np.zeros((count, len(PROPERTIES)), dtype=np.int32),
        values=("0px",),
        properties=PROPERTIES,
        visible=(numbers.random(count) < 0.9) & ~document.hidden & ~np.isnan(boxes[:, 0]),
        width=1366,
        height=1400,
        browser="none",
        viewport=1366,
    )
    return wq.Document(
        document.markup, url="https://example.org/", kind="rendered", layout=layout, tree=document._columns
    )


@pytest.mark.parametrize("method", MINERS)
@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(markup=PAGES, seed=st.none() | st.integers(0, 1000))
def test_gives_sound_regions_and_leaves_the_document_alone(method, markup, seed):
    document = wq.clean(wq.Page(url="https://example.org/", body=markup.encode("utf-8", "surrogatepass")))
    if seed is not None:
        document = laid_out(document, np.random.default_rng(seed))
    before = pickle.dumps(document)
    regions = wq.mine(document, method=method)
    described = json.dumps([region.to_dict() for region in regions])
    assert pickle.dumps(document) == before
    assert json.dumps([region.to_dict() for region in wq.mine(document, method=method)]) == described
    for region in regions:
        assert region.document is document
        assert len(region) > 0
        assert all(0 < first < stop <= len(document) for first, stop in region.spans)
        assert list(region.spans) == sorted(region.spans)
        assert region.role in ("main", "side", "menu")
        assert 0 <= region.score <= 1
        assert len({field.name for field in region.fields}) == len(region.fields)
        assert all(len(field.values) == len(field.nodes) == len(region) for field in region.fields)
        assert pickle.loads(pickle.dumps(region)) == region


@pytest.mark.parametrize("method", MINERS)
def test_finds_nothing_on_an_empty_page(method):
    assert wq.mine(wq.clean(wq.Page(url="", body=b"")), method=method) == []


def test_an_unknown_method_is_told():
    with pytest.raises(ValueError, match="no mining method 'magic'; choose from visual, emine, mdr, tables, data"):
        wq.mine(wq.Document("x"), method="magic")
