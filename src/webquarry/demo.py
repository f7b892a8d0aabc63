"""The whole way on the example pages, offline."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

import typer

from webquarry.errors import InputError
from webquarry.model import Document, Failure
from webquarry.pipeline import (
    clean,
    clean_all,
    connect,
    correct,
    extract_all,
    fetch,
    fetch_all,
    find_paths,
    mine_following,
    mine_pictured,
    open_reader,
    relative_to,
    save_wrapper,
    sources_of,
    wrap,
    wrap_pictured,
)
from webquarry.storing import ResultNames, open_sink, write_whole

if TYPE_CHECKING:
    from webquarry.model import Page, Wrapper

MESSY = "shops/kettleby/page2.html"
SHOPS = ("shops/lumen/index.html", "shops/kettleby/index.html")
PICTURES = (("visual", SHOPS[0]), ("visual", SHOPS[1]), ("emine", SHOPS[1]))
BOOK, GROUPS = "factbook", "groups"
SAMPLES = tuple(f"geos/{code}.html" for code in ("am", "bv", "cd", "dm", "es"))
LABEL, HOLDER = "Time difference", "government"  # what only a person knows of the fact book, as its README tells
SHOWN = 6  # lines of a sample
OUTLINED = 14  # lines of an outline
PAGES = 10  # of a listing, at most
TABLE = "offers"
CHEAPER = r"""
SELECT title AS product,
       arg_min(shop, price) AS cheaper,
       min(price) AS price,
       round(max(price) - min(price), 2) AS saved
FROM (SELECT title, coalesce(price, now) AS price, regexp_extract(_page, 'shops/(\w+)/', 1) AS shop FROM offers)
GROUP BY title HAVING count(DISTINCT shop) > 1
ORDER BY saved DESC"""
LARGEST = """
SELECT country, geography.area.total AS area, people.population AS people, government.time_difference AS clock
FROM '{}' ORDER BY area DESC LIMIT 5"""
MEMBERS = """SELECT f.country, economy.unemployment_rate AS unemployed,
       military.military_expenditures_percent_of_gdp AS defence
FROM groups AS g JOIN factbook AS f ON f.country = g.country
WHERE g.member_of = 'ISCU' ORDER BY f.country"""
NEXT = "SELECT country, government.capital FROM factbook WHERE country LIKE 'K%'"


def show(folder: Path) -> int:
    """Take the example pages all the way into a folder, tell what was done, and give the exit code."""
    examples = find_examples()
    typer.echo(f"The example pages are in {examples}\n")
    is_good = _show_cleaning(examples, folder / "clean")
    _show_messy_page(examples)
    is_good &= _show_mining(examples, folder)
    catalog = folder / "catalog"
    wrapper = _show_wrapping(examples / BOOK, catalog, folder / "pictures")
    is_good &= _extract_book(wrapper, catalog, folder)
    is_good &= _show_querying(examples / BOOK, catalog)
    typer.echo(f"The results are in {folder.resolve()}")
    return 0 if is_good else 1


def find_examples() -> Path:
    """The folder of the example pages: in the installed package, or beside the sources."""
    package = Path(str(files("webquarry")))
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / MESSY).is_file():
            return folder
    raise InputError(f"the example pages are missing; they should be in {package / 'examples'}: reinstall webquarry")


def _show_cleaning(examples: Path, folder: Path) -> bool:
    typer.echo("1. Clean: any HTML to XHTML that every XML reader accepts")
    results = list(_clean_examples(examples, folder))
    failures = [result for result in results if isinstance(result, Failure)]
    for failure in failures:
        typer.echo(f"   failed: {failure.error}", err=True)
    typer.echo(f"   {len(results) - len(failures)} of {len(results)} pages, all read back by an XML reader\n")
    return not failures


def _clean_examples(examples: Path, folder: Path) -> Iterator[Document | Failure]:
    import lxml.etree  # noqa: PLC0415 - an XML reader that is not ours, slow to import

    names = ResultNames([examples], ".xhtml")
    for result in clean_all(fetch_all([examples])):
        if isinstance(result, Document):
            content = result.to_xhtml().encode()
            lxml.etree.fromstring(content)
            write_whole(folder / names.give(result.url), content + b"\n")
        yield result


def _show_messy_page(examples: Path) -> None:
    typer.echo(f"2. A messy page, {MESSY}, before and after:")
    document = clean(fetch(examples / MESSY))
    _sample(document.markup, "<TABLE")
    _sample(document.to_xhtml(), "<table")
    typer.echo("   What a reader sees of it, each text with the address of its node:")
    for node in _visible_texts(document)[:SHOWN]:
        typer.echo(f"   {document.xpath(node)}\n      {' '.join(document.texts[node].split())}")
    typer.echo("")


def _visible_texts(document: Document) -> list[int]:
    return [node for node, text in enumerate(document.texts) if text.strip() and not document.hidden[node]]


def _sample(markup: str, start: str) -> None:
    lines = [line for line in markup[markup.find(start) :].splitlines() if line.strip()]
    for line in lines[:SHOWN]:
        typer.echo(f"   | {line.strip()[:110]}")
    typer.echo("")


def _show_mining(examples: Path, folder: Path) -> bool:
    from webquarry.rendering import ADVICE, find_browser  # noqa: PLC0415 - NumPy is slow to import

    typer.echo("3. Mine: two shops with different markup, all pages of both listings, into one table")
    has_browser = find_browser() is not None
    if not has_browser:
        typer.echo(f"   without a browser, by the markup alone, and without pictures; {ADVICE}")
    database = folder / "offers.duckdb"
    database.unlink(missing_ok=True)
    with open_reader() if has_browser else nullcontext(clean) as read:
        failed = sum(_mine_shop(examples / shop, database, read) for shop in SHOPS)
    typer.echo(f"\n4. Ask: which offer is cheaper? In SQL, on {database}\n{CHEAPER}\n")
    typer.echo(_ask(CHEAPER, database))
    if has_browser:
        typer.echo("5. See: regions, records and columns on the page, and the steps of eMine")
        for method, page in PICTURES:
            picture = folder / "pictures" / f"{Path(page).parent.name}-{method}.png"
            write_whole(picture, mine_pictured(fetch(examples / page), method=method)[1] or b"")
            typer.echo(f"   {picture}")
        typer.echo("")
    return not failed


def _mine_shop(start: Path, database: Path, read: Callable[[Page], Document]) -> int:
    """Add the records of a shop to the table; how many of its pages could not be mined."""
    results = list(mine_following(fetch(start), PAGES, read=read))
    with closing(open_sink("duckdb", database, table=TABLE)) as sink:
        for result in results:
            sink.add(result)
        typer.echo(f"   {start.parent.name}: {sink.finish()}")
    return sum(isinstance(result, Failure) for result in results)


def _show_wrapping(book: Path, catalog: Path, pictures: Path) -> Wrapper:
    from webquarry.rendering import find_browser  # noqa: PLC0415
    from webquarry.wrapping.outline import compare_outlines, outline  # noqa: PLC0415

    typer.echo(f"6. Wrap: how a fact book is structured, learnt from {len(SAMPLES)} of its pages")
    pages = [fetch(book / sample) for sample in SAMPLES]
    has_browser = find_browser() is not None
    with open_reader(roots=[book]) if has_browser else nullcontext(clean) as read:
        documents = [read(page) for page in pages]
    learnt = wrap(
        documents,
        name=BOOK,
        base=relative_to(catalog, book.resolve().as_uri()),
        pages="geos/{code}.html",
        key="country",
        index_page="index.html",
        samples=SAMPLES,
    )
    _print_some(outline(learnt, documents))
    typer.echo(f'\n7. Correct: only a person knows that "{LABEL}" is a heading there')
    wrapper = correct(learnt, documents, "add", LABEL, to=HOLDER)
    _print_some(compare_outlines(learnt, wrapper))
    file = catalog / f"{BOOK}.toml"
    save_wrapper(file, wrapper)
    typer.echo(f"   The wrapper is in {file}, for you to read and edit")
    if has_browser:
        numbers = {path: number for number, path in enumerate(find_paths(wrapper), start=1)}
        picture = pictures / f"{BOOK}-headings.png"
        write_whole(picture, wrap_pictured(wrapper, pages[0], numbers=numbers, roots=[book]))
        typer.echo(f"   Its headings on a page, numbered as in the outline: {picture}")
    return wrapper


def _extract_book(wrapper: Wrapper, catalog: Path, folder: Path) -> bool:
    """Read all pages that the index names, into two files, and ask one of them."""
    sources = sources_of(wrapper, folder=catalog)
    typer.echo(f"\n8. Extract: all {len(sources)} pages that the index names, without a browser")
    results = [
        result if isinstance(result, Failure) else replace(result, key=key)
        for (key, _), result in zip(
            sources, extract_all(wrapper, fetch_all([address for _, address in sources])), strict=True
        )
    ]
    for kind in ("jsonl", "parquet"):
        with closing(open_sink(kind, folder / f"{BOOK}.{kind}", wrapper=wrapper)) as sink:
            for result in results:
                sink.add(result)
            typer.echo(f"   {sink.finish() or folder / f'{BOOK}.jsonl'}")
    query = LARGEST.format(str(folder / f"{BOOK}.parquet").replace("'", "''"))
    typer.echo(f"{query}\n\n{_ask(query)}")
    return not any(isinstance(result, Failure) for result in results)


def _show_querying(book: Path, catalog: Path) -> bool:
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
    _print_some(connection.explain(MEMBERS).to_text())
    answer = connection.sql(MEMBERS)
    counts = ", ".join(f"{name} {count}" for name, count in answer.pages.items())
    typer.echo(f"\n   The answer, from {sum(answer.pages.values())} pages ({counts}):")
    typer.echo(str(duckdb.from_arrow(answer.table)))
    typer.echo(f"   The two wrappers are a catalog, {catalog}; ask it more:")
    for query in ("SHOW TABLES", NEXT):
        typer.echo(f'   {_program()} sql "{query}" --catalog {shlex.quote(str(catalog))}')
    typer.echo("")
    return not answer.is_partial


def _program() -> str:
    """What a person writes to run it again: a virtual environment may not be on the path."""
    called = sys.argv[0]
    return called if Path(called).name == "quarry" and which("quarry") is None else "quarry"


def _print_some(text: str) -> None:
    """The first lines, and how many more there are."""
    lines = text.splitlines()
    for line in lines[:OUTLINED]:
        typer.echo(f"   | {line}")
    if len(lines) > OUTLINED:
        typer.echo(f"   | … {len(lines) - OUTLINED} more lines")


def _ask(query: str, database: Path | None = None) -> str:
    import duckdb  # noqa: PLC0415 - slow to import

    with duckdb.connect(str(database or ":memory:"), read_only=database is not None) as connection:
        return str(connection.sql(query))
