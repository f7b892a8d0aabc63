"""A plan of a query is explained before any page is fetched."""

from __future__ import annotations

import pytest

from webquarry.errors import QueryError
from webquarry.querying.query_run import answer, explain

STEPS = {
    "SELECT geography.area.total FROM book WHERE country = 'France'": [
        ("book", "country = 'France'", 1, 1, 1, ("geography.area.total",))
    ],
    "SELECT count(*) FROM book": [("book", "all of its index", 0, 0, 1, ())],
    "SELECT people FROM book LIMIT 3": [("book", "all of its index, until there are 3 rows", 3, 10, 1, ("people",))],
    "SELECT people FROM book WHERE people.population > 5 LIMIT 3": [
        ("book", "all of its index, until there are 3 rows", None, 10, 1, ("people",))
    ],
    "SELECT b.people FROM groups g JOIN book b ON b.country = g.country WHERE g.grp = 'EU'": [
        ("groups", "all of its pages", 1, 1, 0, ("country", "grp")),
        ("book", "b.country = g.country", None, 10, 1, ("people",)),
    ],
    "SELECT b.people FROM groups JOIN book b USING (country)": [
        ("groups", "all of its pages", 1, 1, 0, ("country",)),
        ("book", 'groups."country" = b."country"', None, 10, 1, ("people",)),
    ],
    "SELECT c.twin FROM book b JOIN cities c ON c.city = b.government.capital WHERE b.country IN ('Fiji', 'France')": [
        ("book", "b.country IN ('Fiji', 'France')", 2, 2, 1, ("government.capital",)),
        ("cities", "c.city = b.government.capital", None, None, 0, ("twin",)),
    ],
    "SELECT a.people, b.people FROM book a, book b WHERE a.country = 'Fiji' AND b.country LIKE 'F%'": [
        ("book", "a.country = 'Fiji'", 1, 1, 1, ("people",)),
        ("book", "b.country LIKE 'F%'", 2, 2, 0, ("people",)),
    ],
}


@pytest.mark.parametrize(("query", "steps"), STEPS.items())
def test_a_plan_tells_pages_keys_and_sections(query, steps, web):
    fresh = web()
    plan = explain(fresh.catalog, query)
    assert [
        (step.source, step.binding, step.pages, step.at_most, step.index_pages, tuple(sorted(step.sections)))
        for step in plan.steps
    ] == steps
    assert all(not source.keys_read for source in fresh.sources.values())


@pytest.mark.parametrize("query", STEPS)
def test_no_more_pages_are_fetched_than_planned(query, web):
    planned = explain(web().catalog, query).steps
    fetched = sum(answer(web().catalog, query).pages.values())
    if all(step.pages is not None for step in planned):
        assert fetched == sum(step.index_pages + (step.pages or 0) for step in planned)
    elif all(step.at_most is not None for step in planned):
        assert fetched <= sum(step.index_pages + (step.at_most or 0) for step in planned)


@pytest.mark.parametrize("condition", ["TRUE", "origin = 'Paris'", "target IN ('Suva')", "origin = target"])
def test_each_part_of_a_key_must_be_told(condition, web):
    with pytest.raises(
        QueryError, match=r"fares: pages are found by origin and target, but .* add WHERE fares\.origin"
    ):
        explain(web().catalog, f"SELECT price FROM fares WHERE {condition}")


def test_a_key_that_nothing_binds_has_no_plan(web):
    with pytest.raises(QueryError, match="cities: pages are found by city, but the query does not say which"):
        explain(web().catalog, "SELECT twin FROM cities")
