"""Queries in which a restriction that is pushed to the wrong place, or a name that is taken for another, costs rows.

They stand in `tricky/`, one a line, by what is tricky about them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from webquarry.errors import QueryError
from webquarry.querying.query_run import answer

HERE = Path(__file__).parent


def queries_in(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


TRICKY = [query for path in sorted((HERE / "tricky").glob("*.sql")) for query in queries_in(path)]
INDENTED = "\n  SELECT people.population\n  FROM book b\n  WHERE b.country = 'Fiji' ;\n"
COMMENTED = "SELECT -- one; two\n country /* 'three */ FROM book WHERE country = 'Fiji';"


@pytest.mark.parametrize("query", [*TRICKY, COMMENTED, INDENTED])
def test_is_answered_as_if_all_pages_were_at_hand(query, web, truth, rows):
    fresh = web()
    given = answer(fresh.catalog, query)
    expected = truth(query)
    assert (given.table.schema.names, given.table.schema.types) == (expected.schema.names, expected.schema.types)
    assert rows(given.table) == rows(expected)
    assert {name: count for name, count in given.pages.items() if count} == fresh.pages_read


@pytest.mark.parametrize("query", queries_in(HERE / "mistakes.sql"))
def test_mistakes_are_told_before_the_first_page(query, web):
    fresh = web()
    with pytest.raises(QueryError):
        answer(fresh.catalog, query)
    assert fresh.pages_read == {}
