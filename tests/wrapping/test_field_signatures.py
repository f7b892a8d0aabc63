from __future__ import annotations

from hypothesis import given, strategies as st

from webquarry.model.document import Document
from webquarry.wrapping.field_signatures import (
    MAX_STEPS,
    PathStep,
    StepPath,
    View,
    read_signature,
    share_path,
    write_signature,
)

NAMES = st.from_regex(r"[A-Za-z_-][\w-]{0,8}", fullmatch=True)
STEPS = st.builds(
    PathStep,
    st.sampled_from(["div", "td", "my-card", "text()", "h3"]),
    st.frozensets(NAMES, max_size=3),
    NAMES | st.just(""),
    st.integers(0, 99),
)
PATHS = st.lists(STEPS, max_size=4).map(tuple)


@given(st.lists(PATHS, min_size=1, max_size=3))
def test_what_is_written_is_read_again(paths: list[StepPath]):
    assert list(read_signature(write_signature(paths))) == paths


@given(st.text(max_size=60))
def test_any_text_can_be_read(signature: str):
    assert isinstance(read_signature(signature), tuple)


def test_paths_share_what_all_of_them_say():
    one = (PathStep("td", frozenset(["a", "b"]), place=2), PathStep("a", name="x"))
    other = (PathStep("td", frozenset(["b", "c"]), place=2), PathStep("a", name="y"))
    assert share_path([one, other]) == (PathStep("td", frozenset(["b"]), place=2), PathStep("a"))


def test_nodes_that_are_nested_too_deep_have_no_path():
    view = View(Document("<div>" * 200))
    body = view.names.index("body")
    top = view.tags.index(body)
    assert view.path(top + MAX_STEPS, top) == (PathStep("div"),) * MAX_STEPS
    assert view.path(top + MAX_STEPS + 1, top) is None
