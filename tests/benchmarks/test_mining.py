import math

import numpy as np
import pytest
from benchmarks.claims import claim_pages
from benchmarks.miners import grid_of, mine
from benchmarks.mining_speed import KINDS, MiningGrowth, fresh, make_markup
from benchmarks.pandas_tables import read_tables
from benchmarks.safety import mine_with

import webquarry as wq
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.table_columns import Field


def make_region(document, *fields):
    return Region(document, 3, ((4, 6), (6, 8)), "records", "visual", "main", 1.0, fields)


@pytest.fixture
def miner(monkeypatch):
    """Let a test replace `wq.mine`."""

    def say(work):
        monkeypatch.setattr(wq, "mine", lambda document, *, method: work(document, method), raising=False)

    return say


def fail(document, method):
    raise RuntimeError(f"no {method}")


def test_a_page_that_raises_is_reported_and_does_not_end_the_run(miner):
    miner(fail)
    mined = mine(Document("<p>x"), "mdr")
    assert mined.regions == ()
    assert "no mdr" in mined.error
    assert mine_with(Document("<p>x"), ["emine", "mdr"]) == [
        "emine: RuntimeError('no emine')",
        "mdr: RuntimeError('no mdr')",
    ]


def test_a_region_that_cannot_be_written_counts_as_raised(miner):
    miner(lambda document, method: [make_region(document, Field("a", "text", ("1",), (None,)))])
    (line,) = mine_with(Document("<ul><li>a<li>b"), ["visual"])
    assert "IndexError" in line


def test_a_page_that_was_not_rendered_has_no_regions():
    assert mine(None, "visual").error == "not rendered"


def test_a_region_becomes_rows_with_column_names_first():
    fields = Field("name", "text", ("A", None), (4, None)), Field("size", "number", ("1", "2"), (5, 7))
    assert grid_of(make_region(Document("<ul><li>A<li>"), *fields)) == [["name", "size"], ["A", "1"], ["", "2"]]


def test_pandas_keeps_texts():
    table = "<table><tr><th>Name<th>Size<tr><td>NA<td>1,000</table>"
    assert read_tables(table) == [[["Name", "Size"], ["NA", "1,000"]]]
    assert read_tables("<p>none") == []


@pytest.mark.parametrize("page", claim_pages(), ids=lambda page: page.title)
def test_claim_pages_contain_their_records(page):
    text = wq.clean(page.page).text()
    assert page.truths
    assert all(cell in text for row in page.truths for cell in row)


@pytest.mark.parametrize("kind", KINDS)
def test_long_pages_have_about_as_many_nodes_as_requested(kind):
    assert 0.9 < len(Document(make_markup(kind, 3_000))) / 3_000 < 1.1


@pytest.mark.parametrize(("power", "exponent"), [(1, 1), (2, 2)])
def test_growth_is_the_power_of_the_number_of_nodes(power, exponent):
    seconds = {nodes: nodes**power / 1e6 for nodes in (100, 3_000, 10_000, 90_000)}
    assert MiningGrowth("visual", "list", seconds).exponent == pytest.approx(exponent)


def test_growth_of_a_failed_run_is_infinite():
    assert MiningGrowth("mdr", "list", {3_000: 1.0, 10_000: math.inf}).exponent == math.inf
    assert MiningGrowth("mdr", "list", {3_000: 40.0}).exponent == math.inf


def test_a_fresh_document_has_columns_and_no_cached_values():
    document = Document("<ul><li>a<li>b")
    document.ends, document.hidden  # noqa: B018 - computes and caches them
    again = fresh(document)
    assert again.tree is not None
    assert not {"ends", "hidden"} & vars(again).keys()
    assert np.array_equal(again.kinds, document.kinds)
