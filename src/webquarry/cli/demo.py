"""`quarry demo`: run the commands on the example pages, offline, and leave results and pictures in a folder."""

from __future__ import annotations

import io
import re
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib.resources import files
from pathlib import Path
from shutil import which
from typing import Annotated

import typer

from webquarry.cli.program import app
from webquarry.errors import InputError
from webquarry.model.wording import count
from webquarry.rendering import browser
from webquarry.storing.result_files import write_whole

EXAMPLE = "quarry demo results"

MESSY = "shops/kettleby/page2.html"
SHOP = "shops/lumen/index.html"
NEXT = "SELECT country, government.capital FROM factbook WHERE country LIKE 'K%'"

SCRIPT = r"""
# Clean: any HTML to XHTML that every XML reader accepts
quarry clean . -o OUT/clean

# A messy page, shops/kettleby/page2.html, before and after
show shops/kettleby/page2.html
show OUT/clean/shops/kettleby/page2.xhtml

# Mine: two shops with different markup, all pages of both listings, into one table
quarry mine shops/lumen/index.html --follow 10 -o OUT/offers.duckdb --table offers
quarry mine shops/kettleby/index.html --follow 10 -o OUT/offers.duckdb --table offers

# Ask: which offer is cheaper?
quarry sql "
  SELECT title AS product, arg_min(shop, price) AS cheaper, min(price) AS price,
         round(max(price) - min(price), 2) AS saved
  FROM (SELECT title, price, regexp_extract(_page, 'shops/(\w+)/', 1) AS shop FROM offers.offers)
  GROUP BY title HAVING count(DISTINCT shop) > 1 ORDER BY saved DESC" --catalog OUT --format table

# See: regions, records and columns on the page, and the steps of eMine (with a browser)
quarry mine shops/lumen/index.html --columns title,price,stock --format table --picture OUT/pictures/lumen-visual.png
quarry mine shops/kettleby/index.html -o OUT/kettleby.csv --picture OUT/pictures/kettleby-visual.png
quarry mine shops/kettleby/index.html --method emine -o OUT/kettleby-emine.csv
  --picture OUT/pictures/kettleby-emine.png

# Wrap: learn the structure of a fact book from five of its pages
quarry wrap factbook/geos/am.html factbook/geos/bv.html factbook/geos/cd.html factbook/geos/dm.html
  factbook/geos/es.html --name factbook --kind sections --base factbook --pages 'geos/{code}.html' --key country
  --index factbook/index.html -o OUT/catalog/factbook.toml --picture OUT/pictures/factbook-headings.png

# Correct: only a person knows that "Time difference" is a heading there
quarry correct OUT/catalog/factbook.toml add "Time difference" --to government

# Extract: all pages of the index, without a browser
quarry extract OUT/catalog/factbook.toml -o OUT/factbook.jsonl
quarry extract OUT/catalog/factbook.toml -o OUT/factbook.parquet
quarry sql "
  SELECT country, geography.area.total AS area, people.population AS people, government.time_difference AS clock
  FROM 'OUT/factbook.parquet' ORDER BY area DESC LIMIT 5" --format table

# Join: a page of country groups is a table too; only the pages of the members are fetched
quarry wrap factbook/groups.html --name groups --kind tables --static -o OUT/catalog/groups.toml
quarry sql "
  SELECT f.country, economy.unemployment_rate AS unemployed, military.military_expenditures_percent_of_gdp AS defence
  FROM groups AS g JOIN factbook AS f ON f.country = g.country
  WHERE g.member_of = 'ISCU' ORDER BY f.country" --catalog OUT/catalog --explain
quarry sql "
  SELECT f.country, economy.unemployment_rate AS unemployed, military.military_expenditures_percent_of_gdp AS defence
  FROM groups AS g JOIN factbook AS f ON f.country = g.country
  WHERE g.member_of = 'ISCU' ORDER BY f.country" --catalog OUT/catalog --format table -v

# Read: the main text of each article of a newspaper; its pages vote together, without a browser
quarry read news/articles -o OUT/articles.jsonl
quarry read news/articles --format markdown -o OUT/articles
show OUT/articles/ferry-returns.md

# Validate: what looks wrong in the texts that Boilerpipe finds on the same pages?
quarry read news/articles --method boilerpipe -o OUT/boilerpipe.jsonl
quarry validate OUT/boilerpipe.jsonl --static --format table
quarry validate OUT/boilerpipe.jsonl --labels-by "p.lead, div.text > p:not(.also)" --report OUT/report.html

# Validate by how rare the style of a text is, as Potvin and Villemaire do (with a browser)
quarry validate OUT/boilerpipe.jsonl --method hbos --scope corpus --format table
  --labels-by "p.lead, div.text > p:not(.also)" --report OUT/report-hbos.html
"""
"""The commands in steps.  OUT is the folder of the results, `show` prints the beginning of a file."""
WITH_BROWSER = " (with a browser)"
"""The end of the titles of steps that are left out if there is no browser."""
_NEW_COMMAND = re.compile(r"\n(?=quarry |show )")
LINES_SHOWN = 24
"""The limit of lines that are shown of what a command prints; of a file half as many."""
RENDERING = ("mine", "wrap", "validate")
"""The commands that render pages unless they are told not to."""

MARK = "quarry-demo.txt"
RESULTS = (
    *("articles", "articles.jsonl", "boilerpipe.jsonl", "catalog", "clean", "factbook.jsonl", "factbook.parquet"),
    *("kettleby-emine.csv", "kettleby.csv", "offers.duckdb", "pictures", "report.html", "report-hbos.html"),
)
"""What the demo writes; it replaces nothing else."""


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where the results go.")] = Path("quarry-demo"),
) -> int:
    """Show what webquarry does on its own example pages, offline."""
    examples, folder = find_examples(), folder.resolve()
    has_browser = browser.find_browser() is not None
    open_folder(folder)
    typer.echo(f"The commands run in the folder of the example pages, the results go to {folder}\n")
    typer.echo(f"$ cd {shlex.quote(str(examples))}\n")
    if not has_browser:
        typer.echo(f"There is no browser, so pages are not rendered and there are no pictures; {browser.ADVICE}\n")
    codes = [0]
    steps = [step for step in SCRIPT.strip().split("\n\n") if has_browser or WITH_BROWSER not in step]
    with chdir(examples):
        for number, step in enumerate(steps, start=1):
            title, *commands = _NEW_COMMAND.split(step)
            typer.echo(f"{number}. {title.removeprefix('# ').removesuffix(WITH_BROWSER)}")
            codes += [run_shown(command, folder, has_browser=has_browser) for command in commands]
            typer.echo("")
    program, catalog = name_program(), shlex.quote(str(folder / "catalog"))
    typer.echo(f"The results are in {folder}")
    typer.echo("The wrappers in it are a catalog; query it further:")
    for query in ("SHOW TABLES", NEXT):
        typer.echo(f'{program} sql "{query}" --catalog {catalog}')
    typer.echo("See a table on its page, and correct it with the mouse:")
    typer.echo(f"{program} workbench {shlex.quote(str(examples / SHOP))}")
    return max(codes)


def run_shown(written: str, folder: Path, *, has_browser: bool) -> int:
    """Show a command and run it, then show the first lines of its output and all messages; return its exit code."""
    if not has_browser:
        written = without_browser(written)
    name, *arguments = [each.replace("OUT", str(folder)) for each in shlex.split(written)]
    if name == "show":
        print_some(read_excerpt(Path(arguments[0])), LINES_SHOWN // 2)
        return 0
    written = written.replace("\n  ", " \\\n  ") if '"\n' not in written else written
    typer.echo(f"$ {written.replace('OUT', shlex.quote(str(folder)))}")
    output, messages = io.BytesIO(), io.StringIO()
    with redirect_stdout(io.TextIOWrapper(output, write_through=True)) as stream, redirect_stderr(messages):
        code = app(arguments, standalone_mode=False)
        stream.flush()
        shown = output.getvalue().decode()
    print_some(shown, LINES_SHOWN)
    print_some(messages.getvalue(), LINES_SHOWN)
    return int(code or 0)


def without_browser(written: str) -> str:
    """Change a command so that it needs no browser.

    >>> without_browser("quarry mine a.html -o a.csv --picture a.png")
    'quarry mine a.html -o a.csv --static'
    """
    plain = re.sub(r"\s+--picture \S+", "", written)
    return f"{plain} --static" if plain.split()[1] in RENDERING and "--static" not in plain else plain


def read_excerpt(file: Path) -> str:
    """Read the lines of a text, or of a page from its first table on, cut to the width of a terminal."""
    text = file.read_text(encoding="utf-8")
    start = max(text.lower().find("<table"), 0)
    return "\n".join(line.strip()[:110] for line in text[start:].splitlines() if line.strip())


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
    (folder / "offers.duckdb").unlink(missing_ok=True)  # commands add to databases and replace all else


def find_examples() -> Path:
    """Find the folder of the example pages, in the installed package or beside the sources."""
    package = Path(str(files("webquarry")))
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / MESSY).is_file():
            return folder
    raise InputError(f"the example pages are missing; they should be in {package / 'examples'}: reinstall webquarry")


def name_program() -> str:
    """Return the command that runs `quarry` again: a virtual environment may not be on the path."""
    called = sys.argv[0]
    return called if Path(called).name == "quarry" and which("quarry") is None else "quarry"


def print_some(text: str, limit: int) -> None:
    """Print the first lines, and how many more there are."""
    lines = text.splitlines()
    for line in lines[:limit]:
        typer.echo(f"   {line}")
    if len(lines) > limit:
        typer.echo(f"   … {count(len(lines) - limit, 'more line')}")
