"""A fact book to nested records."""

from __future__ import annotations

from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webquarry.demo.telling import ask, print_some
from webquarry.model import Failure
from webquarry.pipeline import (
    clean,
    correct,
    extract_all,
    fetch,
    fetch_all,
    find_paths,
    open_reader,
    relative_to,
    save_wrapper,
    sources_of,
    wrap,
    wrap_pictured,
)
from webquarry.storing import open_sink, write_whole

if TYPE_CHECKING:
    from webquarry.model import Wrapper

BOOK = "factbook"
SAMPLES = tuple(f"geos/{code}.html" for code in ("am", "bv", "cd", "dm", "es"))
LABEL, HOLDER = "Time difference", "government"  # what only a person knows of the fact book, as its README tells
LARGEST = """
SELECT country, geography.area.total AS area, people.population AS people, government.time_difference AS clock
FROM '{}' ORDER BY area DESC LIMIT 5"""


def show_wrapping(book: Path, catalog: Path, pictures: Path) -> Wrapper:
    """Learn the wrapper of the book, correct it and leave it in the catalog."""
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
    print_some(outline(learnt, documents))
    typer.echo(f'\n7. Correct: only a person knows that "{LABEL}" is a heading there')
    wrapper = correct(learnt, documents, "add", LABEL, to=HOLDER)
    print_some(compare_outlines(learnt, wrapper))
    file = catalog / f"{BOOK}.toml"
    save_wrapper(file, wrapper)
    typer.echo(f"   The wrapper is in {file}, for you to read and edit")
    if has_browser:
        numbers = {path: number for number, path in enumerate(find_paths(wrapper), start=1)}
        picture = pictures / f"{BOOK}-headings.png"
        drawn = wrap_pictured(wrapper, pages[0], numbers=numbers, roots=[book])
        if isinstance(drawn, Failure):
            typer.echo(f"   There is no picture of its headings: {drawn.error}")
        else:
            write_whole(picture, drawn)
            typer.echo(f"   Its headings on a page, numbered as in the outline: {picture}")
    return wrapper


def extract_book(wrapper: Wrapper, catalog: Path, folder: Path) -> bool:
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
    typer.echo(f"{query}\n\n{ask(query)}")
    return not any(isinstance(result, Failure) for result in results)
