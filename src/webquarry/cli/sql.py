"""Run `quarry sql`: query a catalog of wrappers."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.messages import complain, say
from webquarry.cli.options import (
    PageAccess,
    ResultPlace,
    UrlMapFile,
    flag,
    opening,
    option,
    saved_pages,
    shares,
    storing,
)
from webquarry.cli.output import choose_output, show_progress
from webquarry.cli.program import BROWSER, FETCHING, UsageFault
from webquarry.model.wording import count, list_names, printable_line
from webquarry.pipeline import open_catalogs
from webquarry.storing import query_tables, result_files

if TYPE_CHECKING:
    from webquarry.model.page import Failure
    from webquarry.pipeline.render_pages import RenderOptions
    from webquarry.querying.query_nouns import Answer

EXAMPLE = 'quarry sql "SELECT country, geography.area.total FROM factbook" --catalog wrappers'

UNMATCHED_SHOWN = 5
"""The number of values without a page that are listed."""
FAILURES_SHOWN = 5
"""Reasons of failed pages that are reported."""
PAGES_NAMED = 3
"""Failed pages that are named for a reason; a server that is down fails all of them for one."""

_log = logging.getLogger(__name__)


@shares(place=storing, access=opening)
def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A SELECT, or - (standard input).")],
    *,
    catalog: Annotated[Path, option("--catalog", "DIR", "The folder of wrappers: N.toml is table N.")] = Path(),
    explain: Annotated[bool, flag("--explain", "Print what would be fetched and read, and stop.")] = False,
    max_pages: Annotated[
        int | None, option("--max-pages", "N", "Fail instead of fetching more than N pages.", FETCHING, min=0)
    ] = None,
    strict: Annotated[bool, flag("--strict", "Fail if a page fails, without rows.")] = False,
    render: Annotated[
        bool | None, flag("--render/--static", "With a browser or without, whatever the wrappers say.", BROWSER)
    ] = None,
    url_map: UrlMapFile = None,
    place: ResultPlace,
    access: PageAccess,
) -> int:
    """Query a catalog of wrappers in SQL; only the pages that the query can need are fetched."""
    if explain and (place.target is not None or place.table is not None):
        raise UsageFault("--explain prints a plan and no rows; leave -o and --table out")
    if explain and place.format not in (None, "table", "json"):
        raise UsageFault(f"--explain --format {place.format}: a plan is text, or json")
    query = _read_query(query)
    chosen = choose_output(place)
    access.decide_rendering(render, default=False)  # raises if there is no browser
    options: RenderOptions = {**access.options, **saved_pages(url_map=url_map)}
    connection = open_catalogs.connect(catalog, render=render, **options)
    if explain:
        plan = connection.explain(query)
        if place.format == "json":
            typer.echo(json.dumps(plan.to_dict(), ensure_ascii=False, indent=2))
            return 0
        for line in plan.to_text().splitlines():
            typer.echo(printable_line(line))
        return 0
    query_tables.check_table_place(chosen, place.target, place.table)
    started = time.monotonic()
    with show_progress("fetching") as progress:
        answer = connection.sql(query, max_pages=max_pages, strict=strict, progress=progress)
    summary = query_tables.store_table(
        answer.table, chosen, place.target, table_name=place.table, addition=place.addition
    )
    if place.target is not None:
        say(summary)
    _report_cost(answer.pages, time.monotonic() - started)
    _report_unmatched(answer)
    return _report_failures(answer)


def _read_query(given: str) -> str:
    """Read the query from standard input if it is `-`."""
    if given == "-":
        given = result_files.read_standard_input("query")
    elif given.endswith(".sql") and not any(mark.isspace() for mark in given):
        raise UsageFault(f"{given} is the name of a file; to run the query in it: quarry sql - < {given}")
    if not given.strip():
        raise UsageFault('there is no query; write one such as "SHOW TABLES"')
    return given


def _report_cost(pages: Mapping[str, int], seconds: float) -> None:
    """Report the number of pages and seconds on a terminal, and with -v."""
    total = sum(pages.values())
    by_source = ", ".join(f"{name} {number:,}" for name, number in pages.items() if number)
    fetched = f"{count(total, 'page')} fetched ({by_source})" if total else "no page fetched"
    said = f"{fetched}, {seconds:.1f} s"
    if sys.stderr.isatty():
        say(said)
    else:
        _log.info(said)


def _report_unmatched(answer: Answer) -> None:
    """Report values without a page, with the nearest spellings."""
    for each in answer.unmatched[:UNMATCHED_SHOWN]:
        near = f"; the nearest are {list_names(each.nearest)}" if each.nearest else ""
        say(f"{each.source} has no {each.column} {each.value!r}{near}")
    if len(answer.unmatched) > UNMATCHED_SHOWN:
        say(f"and {count(len(answer.unmatched) - UNMATCHED_SHOWN, 'more value')} without a page")
    if any(each.nearest for each in answer.unmatched):
        say("if two names mean the same thing, write both into names.csv of the catalog (docs/sql.md)")


def _report_failures(answer: Answer) -> int:
    """Report the first pages that failed, and that the result is partial; give the exit code."""
    if not answer.is_partial:
        return 0
    failures: Sequence[Failure] = answer.failures
    reasons = _group_by_reason(failures)
    for reason, pages in [*reasons.items()][:FAILURES_SHOWN]:
        complain(f"{list_names(pages, PAGES_NAMED)}: {reason}", 0)
    others = sum(map(len, [*reasons.values()][FAILURES_SHOWN:]))
    if others:
        complain(f"and {count(others, 'more page')} failed", 0)
    total = max(sum(answer.pages.values()), len(failures))
    return complain(f"partial result: {len(failures):,} of {count(total, 'page')} failed, so rows may be missing", 1)


def _group_by_reason(failures: Sequence[Failure]) -> dict[str, list[str]]:
    """Group pages that failed for the same reason, such as an agent that does not answer.

    >>> from webquarry.model.page import Failure
    >>> _group_by_reason([Failure("a", "a: no such file"), Failure("b", "b: no such file")])
    {'no such file': ['a', 'b']}
    """
    reasons: dict[str, list[str]] = {}
    for failure in failures:
        page, _, reason = failure.error.partition(": ")
        reasons.setdefault(reason, []).append(page)
    return reasons
