"""The whole way on the example pages, offline."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import typer

from webquarry.errors import InputError
from webquarry.model import Document, Failure
from webquarry.pipeline import clean, clean_all, fetch, fetch_all
from webquarry.storing import ResultNames, write_whole

MESSY = "shops/kettleby/page2.html"
SHOWN = 6  # lines of a sample


def show(folder: Path) -> int:
    """Clean the example pages into a folder, tell what was done, and give the exit code."""
    examples = find_examples()
    typer.echo(f"The example pages are in {examples}\n")
    typer.echo("1. Clean: any HTML to XHTML that every XML reader accepts")
    results = list(_clean_examples(examples, folder / "clean"))
    failures = [result for result in results if isinstance(result, Failure)]
    for failure in failures:
        typer.echo(f"   failed: {failure.error}", err=True)
    typer.echo(f"   {len(results) - len(failures)} of {len(results)} pages, all read back by an XML reader\n")
    typer.echo(f"2. A messy page, {MESSY}, before and after:")
    page = fetch(examples / MESSY)
    document = clean(page)
    _sample(document.markup, "<TABLE")
    _sample(document.to_xhtml(), "<table")
    typer.echo("3. What a reader sees of it, each text with the address of its node:")
    for node in _visible_texts(document)[:SHOWN]:
        typer.echo(f"   {document.xpath(node)}\n      {' '.join(document.texts[node].split())}")
    typer.echo(f"\nThe results are in {folder.resolve()}")
    return 1 if failures else 0


def find_examples() -> Path:
    """The folder of the example pages: in the installed package, or beside the sources."""
    package = Path(str(files("webquarry")))
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / MESSY).is_file():
            return folder
    raise InputError(f"the example pages are missing; they should be in {package / 'examples'}: reinstall webquarry")


def _clean_examples(examples: Path, folder: Path) -> Iterator[Document | Failure]:
    import lxml.etree  # noqa: PLC0415 - an XML reader that is not ours, slow to import

    names = ResultNames([examples], ".xhtml")
    for result in clean_all(fetch_all([examples])):
        if isinstance(result, Document):
            content = result.to_xhtml().encode()
            lxml.etree.fromstring(content)
            write_whole(folder / names.give(result.url), content + b"\n")
        yield result


def _visible_texts(document: Document) -> list[int]:
    return [node for node, text in enumerate(document.texts) if text.strip() and not document.hidden[node]]


def _sample(markup: str, start: str) -> None:
    lines = [line for line in markup[markup.find(start) :].splitlines() if line.strip()]
    for line in lines[:SHOWN]:
        typer.echo(f"   | {line.strip()[:110]}")
    typer.echo("")
