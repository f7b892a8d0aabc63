"""Only the sections that a query names are read."""

from __future__ import annotations

import pytest

from webquarry.querying.query_run import answer

ENDS = {("country",), ("_page",), ("_fetched",)}
CASES = {
    "a leaf": ("SELECT geography.area.total FROM book WHERE country = 'Fiji'", {("geography", "area", "total")}),
    "a leaf of an alias": ("SELECT b.geography.location FROM book b LIMIT 1", {("geography", "location")}),
    "a struct": ("SELECT geography.area FROM book WHERE country = 'Fiji'", {("geography", "area")}),
    "a leaf in brackets": ("SELECT (geography).area.land FROM book LIMIT 1", {("geography", "area", "land")}),
    "a leaf by its key": ("SELECT geography['area']['land'] FROM book LIMIT 1", {("geography", "area", "land")}),
    "a struct by its key": ("SELECT b.people['population'] FROM book b LIMIT 1", {("people", "population")}),
    "a leaf in WHERE": (
        "SELECT country FROM book WHERE geography.area.total > 5",
        {("geography", "area", "total")},
    ),
    "leaves of two uses": (
        "SELECT a.people.population, z.government.capital FROM book a, book z WHERE a.country = z.country LIMIT 1",
        {("people", "population"), ("government", "capital")},
    ),
    "through a CTE": (
        "WITH f AS (SELECT * FROM book) SELECT people.population FROM f WHERE country = 'Fiji'",
        {("people", "population")},
    ),
    "through a view": ("SELECT city FROM capitals", {("geography", "location"), ("government", "capital")}),
    "all": ("SELECT * FROM book WHERE country = 'Fiji'", {("geography",), ("people",), ("government",)}),
}


@pytest.mark.parametrize(("query", "columns"), CASES.values(), ids=CASES)
def test_reads_the_sections_that_the_query_names(query, columns, web):
    fresh = web()
    answer(fresh.catalog, query)
    assert fresh.sources["book"].columns_read - ENDS == columns


def test_a_struct_that_is_shadowed_is_read_whole_where_it_is_used_whole(web):
    fresh = web()
    answer(fresh.catalog, "SELECT geography, geography.area.total FROM book WHERE country = 'Fiji'")
    assert ("geography",) in fresh.sources["book"].columns_read
