"""Two shops to one table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webquarry.demo.telling import ask
from webquarry.model import Document, Failure
from webquarry.pipeline import clean, fetch, mine_following, mine_pictured, open_reader
from webquarry.storing import open_sink, write_whole

if TYPE_CHECKING:
    from webquarry.model import Page

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
    typer.echo(ask(CHEAPER, database))
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
