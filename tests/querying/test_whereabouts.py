"""Where the values of an answer come from; the nodes of the test's web tell what is there."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from webquarry.errors import QueryError
from webquarry.querying import lineage_query
from webquarry.querying.query_nouns import Answer, Place, Whereabouts
from webquarry.querying.query_run import answer

HERE = Path(__file__).parent
TRICKY = [query for path in sorted((HERE / "tricky").glob("*.sql")) for query in path.read_text("utf-8").splitlines()]
SOURCE = "https://{}.example/{}"
FIJI, FRANCE, FINLAND = (SOURCE.format("book", number) for number in (9, 4, 0))
GROUPS = SOURCE.format("groups", "all")


@pytest.fixture
def ask(web) -> Callable[..., Answer]:
    return lambda query: answer(web().catalog, query)


def nodes(found: Whereabouts) -> list[str]:
    """What is at the places: the column and the value."""
    return sorted("{0} {2}".format(*place.node.split(" ", 2)) if place.node else place.page for place in found.places)


PLAIN = [
    "SELECT geography.area.total FROM book WHERE country = 'Fiji'",
    "SELECT b.geography.area.total FROM groups g JOIN book b USING (country) WHERE g.country = 'Fiji'",
    "SELECT b.geography.area.total FROM groups g LEFT JOIN book b ON b.country = g.country WHERE g.country = 'Fiji'",
    "WITH c AS (SELECT geography AS g, country AS k FROM book) SELECT g.area.total FROM c WHERE k = 'Fiji'",
    "WITH c(l, g) AS (SELECT country, geography FROM book), d AS (FROM c) SELECT g.area.total FROM d WHERE l = 'Fiji'",
    "SELECT x FROM (SELECT s.area.total AS x FROM (SELECT geography AS s, country FROM book) WHERE country = 'Fiji')",
    "SELECT area FROM members WHERE country = 'Fiji'",
    "SELECT geography.area.total FROM book UNION ALL SELECT since FROM groups WHERE false ORDER BY 1",
    "SELECT (SELECT geography.area.total FROM book b WHERE b.country = g.country) FROM groups g WHERE country = 'Fiji'",
    "SELECT DISTINCT geography.area.total FROM book WHERE country = 'Fiji'",
    "SELECT lag(geography.area.total) OVER (ORDER BY country) FROM book WHERE country LIKE 'Fi%' ORDER BY 1",
    "SELECT geography.area.total FROM book INTERSECT SELECT 18274.0",
    "SELECT geography['area']['total'] FROM book WHERE country = 'Fiji'",
    "SELECT b.geography['Area'].total FROM book b WHERE b.geography['area']['total'] = 18274",
    "SELECT g['area']['total'] FROM (SELECT geography AS g, country FROM book) WHERE country = 'Fiji'",
]


@pytest.mark.parametrize("query", PLAIN)
def test_a_column_of_a_source_leads_to_its_page_and_node(query, ask):
    given = ask(query)
    row = given.table.column(0).to_pylist().index(18274.0)
    found = given.where(row, 0)
    assert [place.page for place in found.places] == [FIJI]
    assert nodes(found) == ["geography/area/total 18274.0"]
    assert (found.note, found.is_one_of) == ("", False)


def test_each_column_of_a_star_and_of_a_join_has_its_own_place(ask):
    given = ask("SELECT * FROM (SELECT grp, country FROM groups) g JOIN book b USING (country) WHERE country = 'Fiji'")
    assert nodes(given.where(0, "grp")) == ["grp 'UN'"]
    assert nodes(given.where(0, "country")) == ["country 'Fiji'"]
    assert nodes(given.where(0, "people")) == ["people {'population': 883125, 'religions': None}"]
    assert given.where(0, "_page") == Whereabouts((Place(FIJI),), "the page as a whole")


def test_the_merged_column_of_a_full_join_leads_to_both_sides(ask):
    for query in ("SELECT country, grp, people", "SELECT *"):
        given = ask(f"{query} FROM book b FULL JOIN groups g USING (country) WHERE country IN ('Fiji', 'Atlantis')")
        rows = given.table["country"].to_pylist()
        assert nodes(given.where(rows.index("Fiji"), "country")) == ["country 'Fiji'"]
        assert nodes(given.where(rows.index("Atlantis"), "country")) == ["country 'Atlantis'"]
        pages = {place.page for place in given.where(rows.index("Fiji"), "country").places}
        assert pages == {GROUPS}  # the key of a book has no node of its own


def test_an_expression_leads_to_all_that_it_is_made_of(ask):
    given = ask(
        "SELECT g.since || b.government.capital || 'x' FROM groups g JOIN book b USING (country) WHERE grp = 'G7' "
        "AND country = 'France'"
    )
    found = given.where(0, 0)
    assert nodes(found) == ["government/capital 'Paris'", "since 1975"]
    assert found.note == "made of values at 2 places"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT sum(since) FROM groups WHERE grp = 'EU'", ["since 1957", "since 1995"]),
        ("SELECT sum(since) FILTER (WHERE country = 'France') FROM groups WHERE grp = 'EU'", ["since 1957"]),
        ("SELECT max(s) FROM (SELECT since AS s FROM groups WHERE grp = 'EU')", ["since 1957", "since 1995"]),
        (
            "WITH sums AS (SELECT grp, min(since) AS m FROM groups GROUP BY ALL) SELECT m FROM sums WHERE grp = 'G7'",
            ["since 1975", "since 1975"],
        ),
        ("SELECT grp FROM groups WHERE grp = 'G7' GROUP BY grp", ["grp 'G7'", "grp 'G7'"]),
        (
            "SELECT sum(since) OVER (PARTITION BY grp) FROM groups WHERE grp = 'EU' AND country = 'Finland'",
            ["since 1995"],
        ),
    ],
)
def test_an_aggregate_leads_to_the_values_of_its_rows(query, expected, ask):
    assert nodes(ask(query).where(0, 0)) == expected


def test_a_count_leads_to_the_pages_of_its_rows(ask):
    given = ask("SELECT count(*) FROM book WHERE people.population > 50000000")
    assert nodes(given.where(0, 0)) == [SOURCE.format("book", 1), FRANCE]


def test_equal_rows_are_told_apart_only_by_an_order_that_is_certain(ask):
    found = [ask("SELECT item FROM prices WHERE item = 'cheese'").where(row, 0) for row in (0, 1)]
    assert [len(each.places) for each in found] == [1, 1]
    assert found[0].places != found[1].places
    either = ask("SELECT item FROM prices WHERE item = 'cheese' ORDER BY item").where(0, 0)
    assert either.is_one_of
    assert either.note == "one of 2 places"
    assert set(either.places) == {*found[0].places, *found[1].places}


def test_a_distinct_value_is_at_each_of_its_places(ask):
    found = ask("SELECT DISTINCT geography.location AS l FROM book WHERE l = 'Asia' OR country LIKE 'F%'")
    europe = found.where(found.table["l"].to_pylist().index("Europe"), 0)
    assert {place.page for place in europe.places} == {FINLAND, FRANCE}
    assert not europe.is_one_of


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT 1 + 1 FROM book", "it is not made of values of pages"),
        ("SELECT rate FROM rates", "it is not made of values of pages"),
        ("SELECT code FROM codes", "it is not made of values of pages"),
        ("SELECT r.rate FROM (rates r JOIN groups g USING (country))", "it is not made of values of pages"),
        ("SELECT country FROM book", "the index of book has it; no page was read"),
        (
            "WITH RECURSIVE r AS (SELECT since n FROM groups UNION ALL SELECT n + 9000 FROM r WHERE n < 9000) FROM r",
            "it comes from a recursive query, which is not followed",
        ),
        ("SELECT b FROM book b", "a name that it is made of is not understood"),
        ("SELECT random() + since FROM groups", "the query gives another row when it runs again"),
        ("SHOW TABLES", ""),
    ],
)
def test_what_has_no_place_says_why(query, reason, ask):
    found = ask(query).where(0, 0)
    assert found.places == ()
    assert found.note == (f"no place is known: {reason}" if reason else found.note) != ""


def test_a_missing_value_has_the_page_that_lacks_it(ask):
    given = ask("SELECT geography.area.total FROM book WHERE country = 'Åland'")
    assert given.where(0, 0) == Whereabouts((Place(SOURCE.format("book", 8)),), "the page as a whole")


def test_places_are_bounded(ask, monkeypatch):
    monkeypatch.setattr(lineage_query, "MAX_PLACES", 2)
    found = ask("SELECT sum(since) FROM groups").where(0, 0)
    assert len(found.places) == 2
    assert found.note == "made of values at 10 places; the first 2 are listed"


def test_columns_can_be_asked_for_in_any_order(ask):
    given = ask("WITH c AS (SELECT DISTINCT grp, since FROM groups) SELECT *, 2 FROM c WHERE since = 1957")
    assert nodes(given.where(0, 1)) == ["since 1957"]
    assert given.where(0, 2).places == ()
    assert nodes(given.where(0, "grp")) == ["grp 'EU'"]
    assert nodes(given.where(0, 1)) == ["since 1957"]


def test_no_page_is_fetched_to_find_a_place(web):
    fresh = web(book=["France"])
    given = answer(fresh.catalog, "SELECT people.population FROM book WHERE country LIKE 'F%'")
    read = fresh.pages_read
    assert nodes(given.where(1, 0)) == ["people/population 883125"]
    assert fresh.pages_read == read


def test_rows_and_columns_that_are_not_there_are_refused(ask):
    given = ask("SELECT grp FROM groups LIMIT 1")
    for row, column in ((1, 0), (-1, 0), (0, 1), (0, "country")):
        with pytest.raises(QueryError, match="the answer has no"):
            given.where(row, column)


def test_a_pickled_answer_leaves_the_pages_behind(ask):
    given = ask("SELECT grp FROM groups")
    loaded = pickle.loads(pickle.dumps(given))
    assert loaded == given
    assert "ask the query again" in loaded.where(0, 0).note


@pytest.mark.parametrize("query", TRICKY[::5])
def test_the_place_of_a_column_has_its_value(query, ask):
    given = ask(query)
    for column, name in enumerate(given.table.column_names):
        for row in range(min(given.table.num_rows, 2)):
            found = given.where(row, column)
            assert found.places or found.note
            for place in found.places:
                path, _, value = (place.node or "none 0 None").split(" ", 2)
                if path.rpartition("/")[2] == name:
                    assert value == repr(given.table.column(column)[row].as_py())
