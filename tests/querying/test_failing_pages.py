"""Pages that fail make an answer partial, never wrong; and no more pages are fetched than are allowed."""

from __future__ import annotations

import pytest

from webquarry.errors import QueryError
from webquarry.querying.query_run import answer


def values(table):
    return [tuple(row.values()) for row in table.to_pylist()]


def test_the_rows_of_failed_pages_are_missing_and_told(web):
    fresh = web(book=["Finland"])
    given = answer(
        fresh.catalog, "SELECT country, people.population FROM book WHERE country LIKE 'F%' ORDER BY country"
    )
    assert values(given.table) == [("Fiji", 883125), ("France", 65312249)]
    assert given.is_partial
    assert [failure.page for failure in given.failures] == ["https://book.example/Finland"]


def test_an_answer_for_which_all_pages_came_is_whole(web):
    assert not answer(web().catalog, "SELECT people FROM book WHERE country = 'France'").is_partial


def test_a_failed_page_that_an_outer_join_needs_leaves_no_wrong_row_in_its_place(web):
    """Finland is in the book, so a row that says that it is not would be wrong: it is missing, or marked as partial."""
    given = answer(
        web(book=["Finland"]).catalog,
        "SELECT g.country, b.people.population FROM groups g JOIN book b USING (country) WHERE g.grp = 'EU'",
    )
    assert values(given.table) == [("France", 65312249)]
    assert given.is_partial


def test_limit_is_topped_up(web):
    fresh = web(book=["Finland", "france"])
    given = answer(fresh.catalog, "SELECT people.population AS p FROM book LIMIT 3")
    assert given.table.num_rows == 3
    assert fresh.pages_read == {"book": 1 + 5}
    assert len(given.failures) == 2


def test_limit_by_key_is_topped_up_in_the_order_of_the_key(web):
    fresh = web(book=["Andorra"])
    given = answer(fresh.catalog, "SELECT country, people.population FROM book ORDER BY country LIMIT 2")
    assert values(given.table) == [("Côte d'Ivoire", 21504162), ("Fiji", 883125)]
    assert fresh.pages_read == {"book": 1 + 3}


def test_limit_beyond_all_pages_gives_what_there_is(web):
    given = answer(web(book=["Finland"]).catalog, "SELECT people FROM book LIMIT 50")
    assert given.table.num_rows == 9


def test_a_page_that_is_not_there_for_a_required_key_is_reported(web):
    given = answer(web().catalog, "SELECT twin FROM cities WHERE city IN ('Paris', 'Nowhere')")
    assert values(given.table) == [("東京",)]
    assert given.is_partial


def test_strict_makes_a_failed_page_an_error_that_names_it(web):
    with pytest.raises(QueryError, match=r"book\.example/Finland"):
        answer(web(book=["Finland"]).catalog, "SELECT people FROM book", strict=True)


def test_strict_does_not_mind_pages_that_are_not_needed(web):
    given = answer(web(book=["Finland"]).catalog, "SELECT people FROM book WHERE country = 'Fiji'", strict=True)
    assert given.table.num_rows == 1


def test_too_many_pages_are_refused_before_the_first_where_the_index_tells(web):
    fresh = web()
    with pytest.raises(QueryError, match=r"\b4\b"):
        answer(fresh.catalog, "SELECT people FROM book WHERE country LIKE 'F%'", max_pages=3)
    assert fresh.sources["book"].keys_read == []


def test_as_many_pages_as_are_allowed_are_fetched(web):
    assert answer(web().catalog, "SELECT people FROM book WHERE country LIKE 'F%'", max_pages=4).table.num_rows == 3


def test_a_join_is_stopped_before_the_page_too_many(web):
    fresh = web()
    with pytest.raises(QueryError, match="pages"):
        answer(fresh.catalog, "SELECT people FROM groups JOIN book USING (country) WHERE grp = 'EU'", max_pages=3)
    assert sum(fresh.pages_read.values()) <= 3


def test_an_index_page_is_a_page_too(web):
    fresh = web()
    with pytest.raises(QueryError):
        answer(fresh.catalog, "SELECT count(*) FROM book", max_pages=0)
    assert fresh.pages_read == {}


def test_limit_is_not_topped_up_beyond_what_is_allowed(web):
    fresh = web(book=["Finland"])
    with pytest.raises(QueryError):
        answer(fresh.catalog, "SELECT people FROM book LIMIT 2", max_pages=3)
    assert sum(fresh.pages_read.values()) <= 3


def test_progress_goes_up_to_all_pages(web):
    calls = []
    fresh = web()
    answer(
        fresh.catalog,
        "SELECT people FROM groups JOIN book USING (country) WHERE grp = 'EU'",
        progress=lambda done, planned: calls.append((done, planned)),
    )
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert all(done <= planned for done, planned in calls)
    assert calls[-1] == (calls[-1][0], calls[-1][0])
    assert calls[-1][0] >= len(fresh.sources["book"].keys_read) + 1


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM cities",
        "SELECT count(*) FROM cities",
        "SELECT twin FROM cities WHERE city LIKE 'P%'",
        "SELECT twin FROM cities WHERE city <> 'Paris'",
        "SELECT twin FROM cities WHERE city = 'Paris' OR twin = 'Suva'",
        "SELECT twin FROM cities WHERE country = 'France'",
        "SELECT twin FROM cities LIMIT 1",
        "SELECT c.twin FROM cities c LEFT JOIN book b ON c.city = b.government.capital",
        "SELECT c.twin FROM book b FULL JOIN cities c ON c.city = b.government.capital",
        "SELECT c.twin FROM book b JOIN cities c ON c.city <> b.government.capital",
        "SELECT twin FROM cities WHERE city NOT IN (SELECT government.capital FROM book)",
        "SELECT c.twin, d.twin FROM cities c JOIN cities d ON d.city = c.twin",
    ],
)
def test_an_unbound_key_is_an_error_that_names_source_key_and_ways_out(query, web):
    fresh = web()
    with pytest.raises(QueryError) as caught:
        answer(fresh.catalog, query)
    text = str(caught.value)
    assert "cities" in text
    assert "city" in text
    assert "city = 'Paris'" in text
    assert "join" in text.lower()
    assert fresh.sources["cities"].keys_read == []
