"""How many pages each query may fetch, by source: what one needs who knows only the keys of indexes and what is read.

The queries stand in `page_counts.sql`, each under its name and the pages that it may fetch.  The index of `book` is a
page, which counts; the indexes of `prices` and `groups` cost nothing.  The book has ten pages, `groups` one, `prices`
six, and `cities` has a page for each key that it is given.  A page of `census` is found by year and country, one of
`fares` by two cities that must be told; the index of `census` is a page.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webquarry.querying.query_run import answer

BLOCKS = Path(__file__).with_name("page_counts.sql").read_text("utf-8").split("\n\n")
HEADING = re.compile(r"-- (?P<name>[^\n]+): (?P<counts>[^\n]+)\n(?P<query>.+);\n?", re.DOTALL)


def read_block(block: str) -> tuple[str, str, dict[str, int]]:
    """Name, query and pages by source."""
    match = HEADING.fullmatch(block)
    assert match, block
    counts = re.findall(r"(\w+) (\d+)", match["counts"])
    return match["name"], match["query"], {source: int(count) for source, count in counts}


CASES = [pytest.param(query, pages, id=name) for name, query, pages in map(read_block, BLOCKS)]


@pytest.mark.parametrize(("query", "pages"), CASES)
def test_fetches_no_page_in_vain_and_all_that_are_needed(query, pages, web, truth, rows):
    fresh = web()
    given = answer(fresh.catalog, query).table
    expected = truth(query)
    assert fresh.pages_read == pages
    assert given.num_rows == expected.num_rows
    if "LIMIT" not in query or "ORDER BY" in query:
        assert rows(given) == rows(expected)
