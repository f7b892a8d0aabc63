"""`quarry demo`: show every stage on the example pages, offline, and leave results and pictures in a folder."""

from __future__ import annotations

import csv
import shlex
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated, Any, Unpack
from xml.parsers import expat

import typer

from webquarry.errors import InputError
from webquarry.model.page import Failure
from webquarry.model.wording import count
from webquarry.pipeline import (
    correct_wrappers,
    extract_pages,
    fetch_pages,
    learn_wrappers,
    mine_pages,
    open_catalogs,
    read_pages,
    render_pages,
    source_addresses,
    source_pages,
    validate_files,
    validate_results,
)
from webquarry.rendering import browser
from webquarry.storing import article_files, formats
from webquarry.storing.result_files import ResultNames, write_whole
from webquarry.validating import labelled_quality
from webquarry.wrapping import outline

if TYPE_CHECKING:
    import pyarrow as pa

    from webquarry.model.article import Article
    from webquarry.model.document import Document
    from webquarry.model.page import Page
    from webquarry.model.region import Storable
    from webquarry.model.report import Report
    from webquarry.model.wrapper import Wrapper
    from webquarry.pipeline.render_pages import RenderOptions
    from webquarry.storing.formats import Sink
    from webquarry.validating.deletion_curves import Row
    from webquarry.validating.labelled_quality import Measure

EXAMPLE = "quarry demo results"

MESSY = "shops/kettleby/page2.html"
SHOPS = ("shops/lumen/index.html", "shops/kettleby/index.html")
CHEAPER = r"""
SELECT title AS product,
       arg_min(shop, price) AS cheaper,
       min(price) AS price,
       round(max(price) - min(price), 2) AS saved
FROM (SELECT title, price, regexp_extract(_page, 'shops/(\w+)/', 1) AS shop FROM offers)
GROUP BY title HAVING count(DISTINCT shop) > 1
ORDER BY saved DESC"""

BOOK = "factbook"
SAMPLES = tuple(f"geos/{code}.html" for code in ("am", "bv", "cd", "dm", "es"))
HEADING, SECTION = "Time difference", "government"  # only a person can know; the README of the examples says so
LARGEST = """
SELECT country, geography.area.total AS area, people.population AS people, government.time_difference AS clock
FROM '{}' ORDER BY area DESC LIMIT 5"""
MEMBERS = """SELECT f.country, economy.unemployment_rate AS unemployed,
       military.military_expenditures_percent_of_gdp AS defence
FROM groups AS g JOIN factbook AS f ON f.country = g.country
WHERE g.member_of = 'ISCU' ORDER BY f.country"""
NEXT = "SELECT country, government.capital FROM factbook WHERE country LIKE 'K%'"

ARTICLES = "news/articles"
SHOWN = "ferry-returns.html"

MARK = "quarry-demo.txt"
RESULTS = (
    *("articles", "articles.jsonl", "boilerpipe.jsonl", "catalog", "clean", "factbook.jsonl", "factbook.parquet"),
    *("offers.duckdb", "pictures", "report.html", "report-hbos.html"),
)
"""What the demo writes; it replaces nothing else."""


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where the results go.")] = Path("quarry-demo"),
) -> int:
    """Show what webquarry does on its own example pages, offline."""
    examples = find_examples()
    has_browser = browser.find_browser() is not None
    open_folder(folder)
    typer.echo(f"The example pages are in {examples}\nThe results go to {folder.resolve()}\n")
    if not has_browser:
        typer.echo(f"There is no browser, so pages are not rendered and there are no pictures; {browser.ADVICE}\n")
    went_well = [
        show_cleaning(examples, folder / "clean"),
        show_mining(examples, folder, has_browser=has_browser),
        show_wrapping(examples / BOOK, folder, has_browser=has_browser),
        show_querying(examples / BOOK, folder / "catalog"),
        show_reading(examples, folder),
        show_validating(examples, folder, has_browser=has_browser),
    ]
    typer.echo(f"The results are in {folder.resolve()}")
    typer.echo("See a table on its page, and correct it with the mouse:")
    typer.echo(f"{name_program()} workbench {shlex.quote(str(examples / SHOPS[0]))}")
    return 0 if all(went_well) else 1


def open_folder(folder: Path) -> None:
    """Make the folder of the results, with a mark by which a later demo knows it; raise for one with other things."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; name a new folder, as in: quarry demo results")
    found = {path.name for path in folder.iterdir()} if folder.exists() else set()
    others = sorted(found - {MARK, *RESULTS}) if MARK in found else sorted(found)
    if others:
        raise InputError(
            f"{folder}: has other things in it, such as {others[0]}; name a new or empty folder, as in: "
            f"quarry demo {folder / 'results'}"
        )
    mark = b"Results of `quarry demo`, which replaces them when it runs again here.\n"
    write_whole(folder / MARK, mark, "quarry demo DIR")


def find_examples() -> Path:
    """Find the folder of the example pages, in the installed package or beside the sources."""
    package = Path(str(files("webquarry")))
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / MESSY).is_file():
            return folder
    raise InputError(f"the example pages are missing; they should be in {package / 'examples'}: reinstall webquarry")


def show_cleaning(examples: Path, folder: Path) -> bool:
    """Clean all pages into a folder, and show one before and after."""
    typer.echo("1. Clean: any HTML to XHTML that every XML reader accepts")
    names = ResultNames([examples], ".xhtml")
    results = list(fetch_pages.clean_all(fetch_pages.fetch_all([examples])))
    documents = [result for result in results if not isinstance(result, Failure)]
    for document in documents:
        content = document.to_xhtml().encode()
        expat.ParserCreate().Parse(content, True)  # an XML reader that is not ours
        write_whole(folder / names.give(document.url), content + b"\n")
    typer.echo(f"   {len(documents)} of {len(results)} pages, all read back by an XML reader\n")

    typer.echo(f"2. A messy page, {MESSY}, before and after:")
    document = next(document for document in documents if document.url.endswith(MESSY))
    for markup, start in ((document.markup, "<TABLE"), (document.to_xhtml(), "<table")):
        lines = filter(str.strip, markup[markup.find(start) :].splitlines())
        print_some("\n".join(line.strip()[:110] for line in lines), 6)
        typer.echo("")
    typer.echo("   The texts that a reader sees, each with the address of its node:")
    for node in document.seen_texts[:6].tolist():
        typer.echo(f"   {document.xpath(node)}\n      {fold(document.texts[node])}")
    typer.echo("")
    return len(documents) == len(results)


def show_mining(examples: Path, folder: Path, *, has_browser: bool) -> bool:
    """Mine all pages of both shops into one table, query it, and draw what was found."""
    typer.echo("3. Mine: two shops with different markup, all pages of both listings, into one table")
    database = folder / "offers.duckdb"
    database.unlink(missing_ok=True)
    failures = 0
    with open_reader(has_browser=has_browser) as read:
        for shop in SHOPS:
            results = list(mine_pages.mine_following(fetch_pages.fetch(examples / shop), 10, read=read))
            failures += sum(isinstance(result, Failure) for result in results)
            told = store(results, formats.open_sink("duckdb", database, table="offers"))
            typer.echo(f"   {Path(shop).parent.name}: {told}")
    typer.echo(f"\n4. Ask: which offer is cheaper? In SQL, on {database}\n{CHEAPER}\n")
    typer.echo(ask(CHEAPER, database))
    if has_browser:
        typer.echo("5. See: regions, records and columns on the page, and the steps of eMine")
        for method, page in (("visual", SHOPS[0]), ("visual", SHOPS[1]), ("emine", SHOPS[1])):
            _, picture = mine_pages.mine_pictured(fetch_pages.fetch(examples / page), method=method)
            place = folder / "pictures" / f"{Path(page).parent.name}-{method}.png"
            write_whole(place, picture or b"")
            typer.echo(f"   {place}")
        typer.echo("")
    return not failures


def show_wrapping(book: Path, folder: Path, *, has_browser: bool) -> bool:
    """Learn the wrapper of the fact book, correct it, and extract all pages by it."""
    typer.echo(f"6. Wrap: learn the structure of a fact book from {len(SAMPLES)} of its pages")
    catalog = folder / "catalog"
    pages = [fetch_pages.fetch(book / sample) for sample in SAMPLES]
    with open_reader(has_browser=has_browser, roots=[book]) as read:
        documents = [read(page) for page in pages]
    learnt = learn_wrappers.wrap(
        documents,
        name=BOOK,
        kind="sections",
        base=source_addresses.folder_relative_to(catalog, book.resolve().as_uri()),
        pages="geos/{code}.html",
        key="country",
        index_page="index.html",
        samples=SAMPLES,
    )
    print_some(outline.outline(learnt, documents))
    typer.echo(f'\n7. Correct: only a person knows that "{HEADING}" is a heading there')
    wrapper = correct_wrappers.correct(learnt, documents, "add", HEADING, to=SECTION)
    print_some(outline.compare_outlines(learnt, wrapper))
    source_pages.save_wrapper(catalog / f"{BOOK}.toml", wrapper)
    typer.echo(f"   The wrapper is in {catalog / f'{BOOK}.toml'}, for you to read and edit")
    if has_browser:
        numbers = {path: number for number, path in enumerate(extract_pages.find_paths(wrapper), start=1)}
        drawn = learn_wrappers.wrap_pictured(wrapper, pages[0], numbers=numbers, roots=[book])
        if isinstance(drawn, Failure):
            typer.echo(f"   There is no picture of its headings: {drawn.error}")
        else:
            picture = folder / "pictures" / f"{BOOK}-headings.png"
            write_whole(picture, drawn)
            typer.echo(f"   Its headings on a page, numbered as in the outline: {picture}")
    return _extract_book(wrapper, folder)


def _extract_book(wrapper: Wrapper, folder: Path) -> bool:
    sources = source_pages.sources_of(wrapper, folder=folder / "catalog")
    typer.echo(f"\n8. Extract: all {len(sources)} pages of the index, without a browser")
    pages = fetch_pages.fetch_all([address for _, address in sources])
    results: list[Storable] = [
        result if isinstance(result, Failure) else replace(result, key=key)
        for (key, _), result in zip(sources, extract_pages.extract_all(wrapper, pages), strict=True)
    ]
    for kind in ("jsonl", "parquet"):
        place = folder / f"{BOOK}.{kind}"
        typer.echo(f"   {store(results, formats.open_sink(kind, place, wrapper=wrapper)) or place}")
    query = LARGEST.format(str(folder / f"{BOOK}.parquet").replace("'", "''"))
    typer.echo(f"{query}\n\n{ask(query)}")
    return not any(isinstance(result, Failure) for result in results)


def show_querying(book: Path, catalog: Path) -> bool:
    """Wrap the page of groups too, and join the two sources."""
    typer.echo(
        "9. Join: a page of country groups is a table too. Unemployment and defence in the Inner Sea Customs Union?"
    )
    base = source_addresses.folder_relative_to(catalog, book.resolve().as_uri())
    page = fetch_pages.clean(fetch_pages.fetch(book / "groups.html"))
    groups = learn_wrappers.wrap(page, name="groups", kind="tables", base=base, samples=["groups.html"])
    source_pages.save_wrapper(catalog / "groups.toml", groups)
    connection = open_catalogs.connect(catalog)
    typer.echo(f"\n{MEMBERS}\n\n   The plan, before a page of a country is fetched:")
    print_some(connection.explain(MEMBERS).to_text())
    answer = connection.sql(MEMBERS)
    counts = ", ".join(f"{name} {number}" for name, number in answer.pages.items())
    typer.echo(f"\n   The answer, from {sum(answer.pages.values())} pages ({counts}):")
    typer.echo(ask("FROM answer", answer=answer.table))
    typer.echo(f"   The two wrappers are a catalog, {catalog}; query it further:")
    for query in ("SHOW TABLES", NEXT):
        typer.echo(f'   {name_program()} sql "{query}" --catalog {shlex.quote(str(catalog))}')
    typer.echo("")
    return not answer.is_partial


def show_reading(examples: Path, folder: Path) -> bool:
    """Read all articles of the newspaper into a folder."""
    typer.echo("10. Read: the main text of each article of a newspaper; its pages vote together, without a browser")
    results = _read_articles(examples, method="vote")
    for name, place in (("markdown", folder / "articles"), ("jsonl", folder / "articles.jsonl")):
        store(results, article_files.open_article_sink(name, place, many=True, inputs=[examples / ARTICLES]))
    articles = [result for result in results if not isinstance(result, Failure)]
    shown = next(article for article in articles if article.page.endswith(SHOWN))
    stated = shown.metadata
    typer.echo(f"   {SHOWN}: {stated.title!r} by {stated.author}, {stated.date}, in {stated.site}, {stated.language}")
    print_some("\n".join(line[:110] for line in shown.to_markdown().splitlines() if line.strip()), 9)
    typer.echo("   Every text of the page has its node, a verdict and a reason; some of them:")
    firsts = sorted({reason: number for number, reason in reversed(list(enumerate(shown.reasons)))}.values())
    kept = [number for number in firsts if shown.kept[number]]
    left = [number for number in firsts if not shown.kept[number]]
    for number in sorted(kept[:3] + left[:3]):
        text = fold(shown.document.texts[int(shown.nodes[number])])[:34]
        typer.echo(f"   {'kept' if shown.kept[number] else 'left'} {text!r:36} {shown.reasons[number]}")
    lines = [(article.page, fold(line)) for article in articles for line in article.text.splitlines()]
    wanted = {(page, text) for page, texts in _load_paragraphs(examples).items() for text in texts}
    others = [text for page, text in lines if (page, text) not in wanted]
    typer.echo(
        f"   {len(wanted.intersection(lines))} of {len(wanted)} paragraphs of truth/paragraphs.csv are in the "
        f"{len(articles)} texts, and {len(others)} other lines,\n   such as {others[0][:60]!r}"
    )
    typer.echo(f"   The texts are in {folder / 'articles'}, with all nodes in {folder / 'articles.jsonl'}\n")
    return len(articles) == len(results)


def show_validating(examples: Path, folder: Path, *, has_browser: bool) -> bool:
    """Validate what Boilerpipe reads from the articles, and write reports."""
    typer.echo("11. Validate: what looks wrong in the texts that Boilerpipe finds on the same pages?")
    extraction = folder / "boilerpipe.jsonl"
    store(_read_articles(examples, method="boilerpipe"), article_files.open_article_sink("jsonl", extraction))
    options: RenderOptions = {"roots": [examples / "news"]}
    done = validate_files.validate_extractions(
        [validate_files.load_extraction(str(extraction))], rendered=has_browser, **options
    )
    report, labels = done.report, _label_paragraphs(done.report, examples)
    pictures = validate_files.picture_pages(done, **options) if has_browser else {}
    typer.echo(f"   {report.dropped} of {len(report)} texts look wrong by the vote of the pages, on {SHOWN} these:")
    for page, text, reason in [each for verdicts in report.pages for each in verdicts.dropped]:
        if page.endswith(SHOWN):
            typer.echo(f"   {text[:34]!r:36} {reason}")
    measured = labelled_quality.measure(report, labels)
    typer.echo("   By bytes, against truth/paragraphs.csv:")
    _print_row("as Boilerpipe reads them", measured.rows[0])
    _print_row("without what the vote drops", measured.rows[1])
    _write_report(folder / "report.html", report, measured, pictures)
    if has_browser:
        ranked = validate_results.validate([page.selection for page in report.pages], method="hbos", scope="corpus")
        typer.echo("   By how rare their style is (--method hbos) the oddest of these texts are:")
        for text, reason in _find_oddest(ranked):
            typer.echo(f"   {text[:34]!r:36} {reason}")
        measured = labelled_quality.measure(ranked, labels)
        _print_row("without what it drops on its own", measured.rows[1])
        _print_row("without what it drops up to a given stop", measured.rows[2])
        _write_report(folder / "report-hbos.html", ranked, measured, pictures)
    typer.echo("")
    return not report.failures


def _read_articles(examples: Path, *, method: str) -> list[Article | Failure]:
    return list(read_pages.read_all(fetch_pages.clean_all(fetch_pages.fetch_all([examples / ARTICLES])), method=method))


def _load_paragraphs(examples: Path) -> dict[str, list[str]]:
    """Load the true paragraphs of each article of the news site, by the address of its page."""
    paragraphs: defaultdict[str, list[str]] = defaultdict(list)
    with (examples / "truth" / "paragraphs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            paragraphs[(examples / row["page"]).resolve().as_uri()].append(row["text"])
    return dict(paragraphs)


def _label_paragraphs(report: Report, examples: Path) -> list[labelled_quality.Label]:
    """Label the true paragraphs on the pages of a report as content."""
    paragraphs = _load_paragraphs(examples)
    return [
        labelled_quality.Label(document.url, document.xpath(node), content=True)
        for document in (page.selection.document for page in report.pages)
        for node in document.has_tag(["p"]).nonzero()[0].tolist()
        if fold(document.text(node)) in paragraphs[document.url]
    ]


def _find_oddest(report: Report) -> list[tuple[str, str]]:
    """Find the texts of the highest scores, one for each of six reasons."""
    scores = [score for page in report.pages for score in page.scores.tolist()]
    told = [each for page in report.pages for each in zip(page.selection.texts, page.reasons, strict=True)]
    order = sorted(range(len(told)), key=lambda place: -scores[place])
    firsts = {told[place][1]: told[place][0] for place in reversed(order)}
    return [(text, reason) for reason, text in reversed(firsts.items())][:6]


def _print_row(name: str, row: Row) -> None:
    typer.echo(f"   {name:45}precision {row.precision:.3f}  recall {row.recalls[0]:.3f}  F1 {row.f1s[0]:.3f}")


def _write_report(place: Path, report: Report, measured: Measure, pictures: dict[str, bytes]) -> None:
    write_whole(place, validate_files.write_report(report, screenshots=pictures, measured=measured).encode())
    typer.echo(f"   The report{', with pictures of the pages,' * bool(pictures)} is {place}")


def open_reader(
    *, has_browser: bool, **options: Unpack[RenderOptions]
) -> AbstractContextManager[Callable[[Page], Document]]:
    """Open a function that turns pages into documents, with the browser if there is one."""
    return render_pages.open_reader(**options) if has_browser else nullcontext(fetch_pages.clean)


def store(results: list[Any], sink: Sink) -> str | None:
    """Store results; return the message about it."""
    with closing(sink):
        for result in results:
            sink.add(result)
        return sink.finish()


def ask(query: str, database: Path | None = None, **tables: pa.Table) -> str:
    """Answer a query with a table in a box."""
    import duckdb  # noqa: PLC0415 - slow to import

    with duckdb.connect(str(database or ":memory:"), read_only=database is not None) as connection:
        for name, table in tables.items():
            connection.register(name, table)
        return str(connection.sql(query))


def name_program() -> str:
    """Return the command that runs `quarry` again: a virtual environment may not be on the path."""
    called = sys.argv[0]
    return called if Path(called).name == "quarry" and which("quarry") is None else "quarry"


def print_some(text: str, limit: int = 14) -> None:
    """Print the first lines, and how many more there are."""
    lines = text.splitlines()
    for line in lines[:limit]:
        typer.echo(f"   | {line}")
    if len(lines) > limit:
        typer.echo(f"   | … {count(len(lines) - limit, 'more line')}")


def fold(text: str) -> str:
    """Put a text on one line, as the tables of truth have it."""
    return " ".join(text.split())
