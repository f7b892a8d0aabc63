"""Two sources to an answer."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer

from webquarry.demo.telling import name_program, print_some
from webquarry.pipeline import clean, connect, fetch, relative_to, save_wrapper, wrap

GROUPS = "groups"
MEMBERS = """SELECT f.country, economy.unemployment_rate AS unemployed,
       military.military_expenditures_percent_of_gdp AS defence
FROM groups AS g JOIN factbook AS f ON f.country = g.country
WHERE g.member_of = 'ISCU' ORDER BY f.country"""
NEXT = "SELECT country, government.capital FROM factbook WHERE country LIKE 'K%'"


def show_querying(book: Path, catalog: Path) -> bool:
    """Wrap the page of groups too, and join the two sources."""
    import duckdb  # noqa: PLC0415 - slow to import

    typer.echo(
        "9. Join: a page of country groups is a table too. Unemployment and defence in the Inner Sea Customs Union?"
    )
    page = f"{GROUPS}.html"
    base = relative_to(catalog, book.resolve().as_uri())
    groups = wrap(clean(fetch(book / page)), name=GROUPS, kind="tables", base=base, samples=[page])
    save_wrapper(catalog / f"{GROUPS}.toml", groups)
    connection = connect(catalog)
    typer.echo(f"\n{MEMBERS}\n\n   The plan, before a page of a country is fetched:")
    print_some(connection.explain(MEMBERS).to_text())
    answer = connection.sql(MEMBERS)
    counts = ", ".join(f"{name} {count}" for name, count in answer.pages.items())
    typer.echo(f"\n   The answer, from {sum(answer.pages.values())} pages ({counts}):")
    typer.echo(str(duckdb.from_arrow(answer.table)))
    typer.echo(f"   The two wrappers are a catalog, {catalog}; ask it more:")
    for query in ("SHOW TABLES", NEXT):
        typer.echo(f'   {name_program()} sql "{query}" --catalog {shlex.quote(str(catalog))}')
    typer.echo("")
    return not answer.is_partial
