"""Names that differ between sources, and values that found no page."""

from __future__ import annotations

from pathlib import Path

import pytest

import webquarry as wq
from webquarry.querying.query_nouns import Unmatched

TRADE = (
    "<table><tr><th>Country<th>Goods<tr><td>Oak Land<td>acorns<tr><td>Holmark<td>holly<tr><td>Elmlands<td>elms</table>"
)


@pytest.fixture
def catalog(book: Path) -> Path:
    (book / "trade.html").write_text(TRADE)
    page = wq.clean(wq.fetch(book / "trade.html"))
    wq.save_wrapper(book / "trade.toml", wq.wrap(page, name="trade", kind="tables", samples=["trade.html"]))
    return book


QUERY = "SELECT country, goods, geography.area FROM trade JOIN book USING (country) ORDER BY country"


def rows(catalog: Path, query: str) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in wq.connect(catalog).sql(query).table.to_pylist()]


def write_names(catalog: Path, *lines: str) -> None:
    (catalog / "names.csv").write_text("\n".join(["source,name,canonical", *lines]), "utf-8")


def test_a_join_tells_what_found_no_partner_and_what_is_near(catalog: Path) -> None:
    answer = wq.connect(catalog).sql(QUERY)
    assert [row["country"] for row in answer.table.to_pylist()] == ["Holmark"]
    assert answer.unmatched == (
        Unmatched("book", "country", "Elmlands", ("Elmland",)),
        Unmatched("book", "country", "Oak Land", ("Oakia",)),
    )


@pytest.mark.parametrize(
    "lines",
    [
        ("trade.country,Oak Land,Oakia", "trade.country,Elmlands,Elmland"),
        ("book,Oakia,Oak Land", "Book,Elmland,Elmlands"),
        ("book.country,Oakia,Oak Land", "trade.Country,Elmlands,Elmland"),
    ],
)
def test_names_make_one_thing_of_two(catalog: Path, lines: tuple[str, ...]) -> None:
    write_names(catalog, *lines)
    answer = wq.connect(catalog).sql(QUERY)
    assert [(row["goods"], row["area"]) for row in answer.table.to_pylist()].count(("acorns", 860)) == 1
    assert (answer.table.num_rows, answer.unmatched, answer.pages) == (3, (), {"trade": 1, "book": 3})


def test_conditions_and_columns_have_the_canonical_name(catalog: Path) -> None:
    write_names(catalog, "book,Oakia,Oak Land")
    assert rows(catalog, "SELECT country, _title FROM book WHERE country = 'Oak Land'") == [("Oak Land", "Oakia")]
    assert rows(catalog, "SELECT country FROM book WHERE country = 'Oakia'") == []
    assert ("Oak Land",) in rows(catalog, "SELECT country FROM book")


def test_a_misspelt_constant_is_told(catalog: Path) -> None:
    answer = wq.connect(catalog).sql("SELECT geography.area FROM book WHERE country IN ('Oakia', 'Holmarck')")
    assert answer.unmatched == (Unmatched("book", "country", "Holmarck", ("Holmark",)),)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["bok,Oakia,Oak Land"], "no source 'bok'; the nearest are book"),
        (["book,Oakia,Oak Land", "book,Oakia,Oaken"], "is both 'Oak Land' and 'Oaken'"),
        (["book,Oakia,"], "a row lacks its source or name or canonical"),
        (["book.area,Oakia,Oak Land"], "no column 'area' of texts; write book.COLUMN"),
        (["trade,Oakia,Oak Land"], "no single key"),
        (["book,Oakia,Holmark"], "two pages that would both be 'Holmark'"),
    ],
)
def test_mistakes_in_names_are_told(catalog: Path, lines: list[str], said: str) -> None:
    write_names(catalog, *lines)
    with pytest.raises(wq.InputError, match=said):
        wq.connect(catalog).sql(QUERY)


def test_a_table_of_other_columns_is_only_a_table(catalog: Path) -> None:
    (catalog / "names.csv").write_text("country,name\nOakia,Oak\n")
    assert rows(catalog, "SELECT name, _title FROM names JOIN book USING (country)") == [("Oak", "Oakia")]
