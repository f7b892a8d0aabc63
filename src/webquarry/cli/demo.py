"""`quarry demo`."""

from __future__ import annotations

import csv
import shlex
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.errors import InputError
from webquarry.model import article
from webquarry.model.page import Failure
from webquarry.pipeline import (
    fetch_pages,
    find_sources,
    learn_wrappers,
    mine_pages,
    open_catalogs,
    read_pages,
    render_pages,
    validate_files,
    validate_results,
)
from webquarry.rendering import browser
from webquarry.storing import article_files, formats
from webquarry.storing.atomic_files import write_whole
from webquarry.storing.result_names import ResultNames
from webquarry.validating import content_labels, quality
from webquarry.wrapping import outline

if TYPE_CHECKING:
    from webquarry.model.document import Document
    from webquarry.model.page import Page
    from webquarry.model.report import Report
    from webquarry.model.wrapper import Wrapper
    from webquarry.validating.deletion import Row
    from webquarry.validating.quality import Measure

EXAMPLE = "quarry demo results"


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where the results go.")] = Path("quarry-demo"),
) -> int:
    """Show what webquarry does on its own example pages, offline."""

    return show(folder)


# MERGED demo/finding: Where the example pages are.
MESSY = "shops/kettleby/page2.html"


def find_examples() -> Path:
    """The folder of the example pages: in the installed package, or beside the sources."""
    package = Path(str(files("webquarry")))
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / MESSY).is_file():
            return folder
    raise InputError(f"the example pages are missing; they should be in {package / 'examples'}: reinstall webquarry")


# MERGED demo/cleaning: Any HTML to XHTML.
SHOWN_CLEANING = 6  # lines of a sample


def show_cleaning(examples: Path, folder: Path) -> bool:
    """Clean all pages into a folder; whether that went well."""
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
    for result in fetch_pages.clean_all(fetch_pages.fetch_all([examples])):
        if not isinstance(result, Failure):
            content = result.to_xhtml().encode()
            lxml.etree.fromstring(content)
            write_whole(folder / names.give(result.url), content + b"\n")
        yield result


def show_messy_page(examples: Path) -> None:
    """A page before and after."""
    typer.echo(f"2. A messy page, {MESSY}, before and after:")
    document = fetch_pages.clean(fetch_pages.fetch(examples / MESSY))
    _sample(document.markup, "<TABLE")
    _sample(document.to_xhtml(), "<table")
    typer.echo("   What a reader sees of it, each text with the address of its node:")
    for node in _visible_texts(document)[:SHOWN_CLEANING]:
        typer.echo(f"   {document.xpath(node)}\n      {' '.join(document.texts[node].split())}")
    typer.echo("")


def _visible_texts(document: Document) -> list[int]:
    return [node for node, text in enumerate(document.texts) if text.strip() and not document.hidden[node]]


def _sample(markup: str, start: str) -> None:
    lines = [line for line in markup[markup.find(start) :].splitlines() if line.strip()]
    for line in lines[:SHOWN_CLEANING]:
        typer.echo(f"   | {line.strip()[:110]}")
    typer.echo("")


# MERGED demo/telling: What is printed: the first lines of texts, answers in SQL, commands to try.
OUTLINED = 14  # lines of an outline


def name_program() -> str:
    """What a person writes to run it again: a virtual environment may not be on the path."""
    called = sys.argv[0]
    return called if Path(called).name == "quarry" and which("quarry") is None else "quarry"


def print_some(text: str, most: int = OUTLINED) -> None:
    """The first lines, and how many more there are."""
    lines = text.splitlines()
    for line in lines[:most]:
        typer.echo(f"   | {line}")
    if len(lines) > most:
        typer.echo(f"   | … {len(lines) - most} more lines")


def ask(query: str, database: Path | None = None) -> str:
    """The answer to a query as a table in a box."""
    import duckdb  # noqa: PLC0415 - slow to import

    with duckdb.connect(str(database or ":memory:"), read_only=database is not None) as connection:
        return str(connection.sql(query))


# MERGED demo/mining: Two shops to one table.
SHOPS = ("shops/lumen/index.html", "shops/kettleby/index.html")
PICTURES = (("visual", SHOPS[0]), ("visual", SHOPS[1]), ("emine", SHOPS[1]))
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


def show_mining(examples: Path, folder: Path) -> bool:
    """Mine both shops into a database, ask it and draw what was found; whether that went well."""

    typer.echo("3. Mine: two shops with different markup, all pages of both listings, into one table")
    has_browser = browser.find_browser() is not None
    if not has_browser:
        typer.echo(f"   without a browser, by the markup alone, and without pictures; {browser.ADVICE}")
    database = folder / "offers.duckdb"
    database.unlink(missing_ok=True)
    with render_pages.open_reader() if has_browser else nullcontext(fetch_pages.clean) as read:
        failed = sum(_mine_shop(examples / shop, database, read) for shop in SHOPS)
    typer.echo(f"\n4. Ask: which offer is cheaper? In SQL, on {database}\n{CHEAPER}\n")
    typer.echo(ask(CHEAPER, database))
    if has_browser:
        typer.echo("5. See: regions, records and columns on the page, and the steps of eMine")
        for method, page in PICTURES:
            picture = folder / "pictures" / f"{Path(page).parent.name}-{method}.png"
            write_whole(
                picture,
                mine_pages.mine_pictured(fetch_pages.fetch(examples / page), method=method)[1] or b"",
            )
            typer.echo(f"   {picture}")
        typer.echo("")
    return not failed


def _mine_shop(start: Path, database: Path, read: Callable[[Page], Document]) -> int:
    """Add the records of a shop to the table; how many of its pages could not be mined."""
    results = list(mine_pages.mine_following(fetch_pages.fetch(start), PAGES, read=read))
    with closing(formats.open_sink("duckdb", database, table=TABLE)) as sink:
        for result in results:
            sink.add(result)
        typer.echo(f"   {start.parent.name}: {sink.finish()}")
    return sum(isinstance(result, Failure) for result in results)


# MERGED demo/querying: Two sources to an answer.
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
    base = find_sources.relative_to(catalog, book.resolve().as_uri())
    groups = learn_wrappers.wrap(
        fetch_pages.clean(fetch_pages.fetch(book / page)), name=GROUPS, kind="tables", base=base, samples=[page]
    )
    find_sources.save_wrapper(catalog / f"{GROUPS}.toml", groups)
    connection = open_catalogs.connect(catalog)
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


# MERGED demo/truth: What a perfect reading of the example pages gives, by the tables beside them.
def load_paragraphs(examples: Path) -> dict[str, list[str]]:
    """For each article of the news site, by the address of its page, its paragraphs."""
    paragraphs: defaultdict[str, list[str]] = defaultdict(list)
    with (examples / "truth" / "paragraphs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            paragraphs[(examples / row["page"]).resolve().as_uri()].append(row["text"])
    return dict(paragraphs)


def find_paragraphs(document: Document, paragraphs: list[str]) -> list[int]:
    """The elements that hold them."""
    wanted = set(paragraphs)
    return [node for node in document.has_tag(["p"]).nonzero()[0].tolist() if fold(document.text(node)) in wanted]


def fold(text: str) -> str:
    """The text as the tables have it, in one line."""
    return " ".join(text.split())


# MERGED demo/reading: A newspaper to its texts.
ARTICLES = "news/articles"
SHOWN = "ferry-returns.html"
LINES = 9
"""Of the text that is shown."""
OF_EACH = 3
"""Texts that were kept, and that were left out, that are shown."""
WIDTH = 110
"""Characters of a line that is shown."""


def show_reading(examples: Path, folder: Path) -> bool:
    """Read all articles of the paper into a folder; whether that went well."""
    typer.echo(
        "10. Read: the main text of each article of a paper, together as they are of one site, without a browser"
    )
    results = list(read_articles(examples, method="vote"))
    articles = [result for result in results if isinstance(result, article.Article)]
    _write(results, examples, folder)
    shown = next(article for article in articles if article.page.endswith(SHOWN))
    stated = shown.metadata
    typer.echo(f"   {SHOWN}: {stated.title!r} by {stated.author}, {stated.date}, in {stated.site}, {stated.language}")
    print_some("\n".join(line[:WIDTH] for line in shown.to_markdown().splitlines() if line.strip()), LINES)
    typer.echo("   Every text of the page has its node, a verdict and a reason; some of them:")
    for line in _tell_texts(shown):
        typer.echo(f"   {line}")
    typer.echo(_compare(articles, load_paragraphs(examples)))
    typer.echo(f"   The texts are in {folder / 'articles'}, with all nodes in {folder / 'articles.jsonl'}\n")
    return len(articles) == len(results)


def read_articles(examples: Path, *, method: str) -> list[article.Article | Failure]:
    """The articles of the news site."""
    return list(read_pages.read_all(fetch_pages.clean_all(fetch_pages.fetch_all([examples / ARTICLES])), method=method))


def _write(results: list[article.Article | Failure], examples: Path, folder: Path) -> None:

    places = (("markdown", folder / "articles"), ("jsonl", folder / "articles.jsonl"))
    for name, place in places:
        with closing(article_files.open_article_sink(name, place, many=True, inputs=[examples / ARTICLES])) as sink:
            for result in results:
                sink.add(result)
            sink.finish()


def _tell_texts(article: article.Article) -> list[str]:
    """The first texts that have different reasons, some that were kept and some that were not."""
    firsts = {reason: place for place, reason in reversed(list(enumerate(article.reasons)))}
    places = {
        kept: [place for place in sorted(firsts.values()) if article.kept[place] == kept] for kept in (True, False)
    }
    return [
        f"{'kept' if article.kept[place] else 'left'} {_start(article, place)!r:36} {article.reasons[place]}"
        for place in sorted(places[True][:OF_EACH] + places[False][:OF_EACH])
    ]


def _start(article: article.Article, place: int) -> str:
    return fold(article.document.texts[int(article.nodes[place])])[:34]


def _compare(articles: list[article.Article], paragraphs: dict[str, list[str]]) -> str:
    lines = [(article.page, fold(line)) for article in articles for line in article.text.splitlines()]
    wanted = {(page, text) for page, texts in paragraphs.items() for text in texts}
    others = [text for page, text in lines if (page, text) not in wanted]
    found = len(wanted.intersection(lines))
    return (
        f"   {found} of {len(wanted)} paragraphs of truth/paragraphs.csv are in the {len(articles)} texts; so are "
        f"{len(others)} lines that are none,\n   such as {others[0][:60]!r}"
    )


# MERGED demo/validating: What looks wrong in what another system took for the text of a paper.
SITE = "news"
ODDEST = 6
"""Nodes that are shown of those that the paper's method ranks highest, of different looks."""


def show_validating(examples: Path, folder: Path) -> bool:
    """Validate what Boilerpipe took from the articles, and leave reports; whether that went well."""

    typer.echo("11. Validate: what looks wrong in the texts that Boilerpipe finds on the same pages?")
    extraction = folder / "boilerpipe.jsonl"
    _write_extraction(examples, extraction)
    knobs = {"roots": [examples / SITE]}
    has_browser = browser.find_browser() is not None
    done = validate_files.validate_extractions(
        [validate_files.load_extraction(str(extraction))], rendered=has_browser, rendering=knobs
    )
    labels = _label(done.report, examples)
    pictures = validate_files.picture(done, **knobs) if has_browser else {}
    _show_vote(done.report, labels, folder, pictures)
    if has_browser:
        _show_ranking(done.report, labels, folder, pictures)
    typer.echo("")
    return not done.report.failures


def _show_vote(report: Report, labels: list[content_labels.Label], folder: Path, pictures: dict[str, bytes]) -> None:
    """What the pages vote against."""
    typer.echo(f"   {report.dropped} of {len(report)} texts look wrong by the vote of the pages, on {SHOWN} these:")
    for page, text, reason in [each for verdicts in report.pages for each in verdicts.dropped]:
        if page.endswith(SHOWN):
            typer.echo(f"   {text[:34]!r:36} {reason}")
    measured = quality.measure(report, labels)
    typer.echo("   By bytes, against truth/paragraphs.csv:")
    _print_row("as Boilerpipe reads them", measured.rows[0])
    _print_row("without what the vote drops", measured.rows[1])
    _leave(folder / "report.html", report, measured, pictures)


def _show_ranking(voted: Report, labels: list[content_labels.Label], folder: Path, pictures: dict[str, bytes]) -> None:
    """What the method of the paper makes of the same texts."""
    report = validate_results.validate([page.selection for page in voted.pages], method="hbos", scope="corpus")
    typer.echo("   By how rare their style is (HBOS, as in the paper) the oddest of these texts are:")
    for text, reason in _find_oddest(report):
        typer.echo(f"   {text[:34]!r:36} {reason}")
    measured = quality.measure(report, labels)
    _print_row("without what our stop drops", measured.rows[1])
    _print_row("stopped where the truth says, as the paper", measured.rows[2])
    _leave(folder / "report-hbos.html", report, measured, pictures)


def _find_oddest(report: Report) -> list[tuple[str, str]]:
    """The first texts of the oddest looks, with reasons."""
    scores = [score for page in report.pages for score in page.scores.tolist()]
    told = [each for page in report.pages for each in zip(page.selection.texts, page.reasons, strict=True)]
    order = sorted(range(len(told)), key=lambda place: -scores[place])
    firsts = {told[place][1]: told[place][0] for place in reversed(order)}
    return [(text, reason) for reason, text in reversed(firsts.items())][:ODDEST]


def _print_row(name: str, row: Row) -> None:
    typer.echo(f"   {name:45}precision {row.precision:.3f}  recall {row.recalls[0]:.3f}  F1 {row.f1s[0]:.3f}")


def _leave(place: Path, report: Report, measured: Measure, pictures: dict[str, bytes]) -> None:
    write_whole(place, validate_files.write_report(report, screenshots=pictures, measured=measured).encode())
    typer.echo(f"   The report{', with pictures of the pages,' * bool(pictures)} is {place}")


def _write_extraction(examples: Path, place: Path) -> None:

    with closing(article_files.open_article_sink("jsonl", place)) as sink:
        for result in read_articles(examples, method="boilerpipe"):
            sink.add(result)
        sink.finish()


def _label(report: Report, examples: Path) -> list[content_labels.Label]:
    """The paragraphs on the pages of a report."""

    paragraphs = load_paragraphs(examples)
    documents = [page.selection.document for page in report.pages]
    return [
        content_labels.Label(document.url, document.xpath(node), content=True)
        for document in documents
        for node in find_paragraphs(document, paragraphs[document.url])
    ]


# MERGED demo/wrapping: A fact book to nested records.
BOOK = "factbook"
SAMPLES = tuple(f"geos/{code}.html" for code in ("am", "bv", "cd", "dm", "es"))
LABEL, HOLDER = "Time difference", "government"  # what only a person knows of the fact book, as its README tells
LARGEST = """
SELECT country, geography.area.total AS area, people.population AS people, government.time_difference AS clock
FROM '{}' ORDER BY area DESC LIMIT 5"""


def show_wrapping(book: Path, catalog: Path, pictures: Path) -> Wrapper:
    """Learn the wrapper of the book, correct it and leave it in the catalog."""

    typer.echo(f"6. Wrap: how a fact book is structured, learnt from {len(SAMPLES)} of its pages")
    pages = [fetch_pages.fetch(book / sample) for sample in SAMPLES]
    has_browser = browser.find_browser() is not None
    with render_pages.open_reader(roots=[book]) if has_browser else nullcontext(fetch_pages.clean) as read:
        documents = [read(page) for page in pages]
    learnt = learn_wrappers.wrap(
        documents,
        name=BOOK,
        base=find_sources.relative_to(catalog, book.resolve().as_uri()),
        pages="geos/{code}.html",
        key="country",
        index_page="index.html",
        samples=SAMPLES,
    )
    print_some(outline.outline(learnt, documents))
    typer.echo(f'\n7. Correct: only a person knows that "{LABEL}" is a heading there')
    wrapper = learn_wrappers.correct(learnt, documents, "add", LABEL, to=HOLDER)
    print_some(outline.compare_outlines(learnt, wrapper))
    file = catalog / f"{BOOK}.toml"
    find_sources.save_wrapper(file, wrapper)
    typer.echo(f"   The wrapper is in {file}, for you to read and edit")
    if has_browser:
        numbers = {path: number for number, path in enumerate(learn_wrappers.find_paths(wrapper), start=1)}
        picture = pictures / f"{BOOK}-headings.png"
        drawn = learn_wrappers.wrap_pictured(wrapper, pages[0], numbers=numbers, roots=[book])
        if isinstance(drawn, Failure):
            typer.echo(f"   There is no picture of its headings: {drawn.error}")
        else:
            write_whole(picture, drawn)
            typer.echo(f"   Its headings on a page, numbered as in the outline: {picture}")
    return wrapper


def extract_book(wrapper: Wrapper, catalog: Path, folder: Path) -> bool:
    """Read all pages that the index names, into two files, and ask one of them."""
    sources = find_sources.sources_of(wrapper, folder=catalog)
    typer.echo(f"\n8. Extract: all {len(sources)} pages that the index names, without a browser")
    results = [
        result if isinstance(result, Failure) else replace(result, key=key)
        for (key, _), result in zip(
            sources,
            learn_wrappers.extract_all(wrapper, fetch_pages.fetch_all([address for _, address in sources])),
            strict=True,
        )
    ]
    for kind in ("jsonl", "parquet"):
        with closing(formats.open_sink(kind, folder / f"{BOOK}.{kind}", wrapper=wrapper)) as sink:
            for result in results:
                sink.add(result)
            typer.echo(f"   {sink.finish() or folder / f'{BOOK}.jsonl'}")
    query = LARGEST.format(str(folder / f"{BOOK}.parquet").replace("'", "''"))
    typer.echo(f"{query}\n\n{ask(query)}")
    return not any(isinstance(result, Failure) for result in results)


# MERGED demo/showing: The whole way, step by step.
def show(folder: Path) -> int:
    """Take the example pages all the way into a folder, tell what was done, and give the exit code."""
    examples = find_examples()
    typer.echo(f"The example pages are in {examples}\n")
    is_good = show_cleaning(examples, folder / "clean")
    show_messy_page(examples)
    is_good &= show_mining(examples, folder)
    catalog = folder / "catalog"
    wrapper = show_wrapping(examples / BOOK, catalog, folder / "pictures")
    is_good &= extract_book(wrapper, catalog, folder)
    is_good &= show_querying(examples / BOOK, catalog)
    is_good &= show_reading(examples, folder)
    is_good &= show_validating(examples, folder)
    typer.echo(f"The results are in {folder.resolve()}")
    return 0 if is_good else 1


# MERGED demo/__init__: The whole way on the example pages, offline.
# MERGED
# MERGED `showing.py` takes one step after the other: `cleaning.py`, `mining.py`, `wrapping.py`, `querying.py
# MERGED `validating.py` show what the commands of these names are for.  `finding.py` knows where the example
# MERGED `truth.py` what a perfect reading of them gives, and `telling.py` prints.
