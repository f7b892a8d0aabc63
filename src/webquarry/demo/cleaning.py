"""Any HTML to XHTML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

from webquarry.demo.finding import MESSY
from webquarry.model import Document, Failure
from webquarry.pipeline import clean, clean_all, fetch, fetch_all
from webquarry.storing import ResultNames, write_whole

SHOWN = 6  # lines of a sample


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
    for result in clean_all(fetch_all([examples])):
        if isinstance(result, Document):
            content = result.to_xhtml().encode()
            lxml.etree.fromstring(content)
            write_whole(folder / names.give(result.url), content + b"\n")
        yield result


def show_messy_page(examples: Path) -> None:
    """A page before and after."""
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
