"""`quarry read`: read the main text of pages."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated

import typer

from webquarry.cli.options import (
    Inputs,
    Knobs,
    ResultPlace,
    Table,
    check_base_url,
    check_static,
    fetching,
    folders_of,
    is_rendered,
    open_pages,
    rendering,
    saved_pages,
    shares,
)
from webquarry.cli.output import ResultSink, choose_output, names_many, show_progress
from webquarry.cli.program import UsageFault
from webquarry.pipeline import fetch_pages, read_pages
from webquarry.storing import article_files

EXAMPLE = "quarry read news/ --format markdown -o texts"


@shares(knobs=rendering, policy=fetching, saved=saved_pages)
def read(
    inputs: Inputs,
    *,
    method: Annotated[
        str, typer.Option("--method", help="vote (pages of a site together), blocks (each page alone) or boilerpipe.")
    ] = "vote",
    render: Annotated[
        bool | None, typer.Option("--render/--static", help="With a browser or without (default).")
    ] = None,
    output_format: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="text, markdown, table, json, jsonl, csv or parquet."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help=".txt, .md, .json, .jsonl, .csv, .parquet, .duckdb or .sqlite; or a folder for texts.",
        ),
    ] = None,
    table: Table = None,
    knobs: Knobs,
    policy: Knobs,
    saved: Knobs,
) -> int:
    """Read the main text of pages."""
    if method not in read_pages.ARTICLE_READERS:
        raise typer.BadParameter(f"choose from {', '.join(read_pages.ARTICLE_READERS)}", param_hint="--method")
    check_base_url(saved, inputs)
    policy |= saved
    check_static(render=render, scripts=knobs["scripts"])
    chosen = choose_output(ResultPlace(output_format, output, table), texts=article_files.TEXT_ENDINGS)
    _check_folder(output, inputs, chosen in article_files.TEXT_ENDINGS.values())
    rendered = is_rendered(render=render, scripts=knobs["scripts"], browser=knobs["browser"])
    folders = folders_of(inputs)
    sink = ResultSink(
        article_files.open_article_sink(chosen, output, table=table, many=names_many(inputs), inputs=folders), output
    )
    with closing(sink), ExitStack() as bar:
        pages = fetch_pages.fetch_all(inputs, progress=bar.enter_context(show_progress("reading")), **policy)
        documents = open_pages(pages, folders, knobs, policy, rendered=rendered)
        results = read_pages.read_all(documents, method=method, with_metadata=chosen != "text")
        if output is None and sys.stdout.isatty():  # the bar and the texts would mix there
            results = iter(list(results))
            bar.close()
        advice = "" if knobs["scripts"] else "; try --scripts, as scripts may load it"
        for result in results:
            sink.write(result, f"no main text was found{advice}")
        sink.finish()
    return sink.exit_code


def _check_folder(output: Path | None, inputs: list[str], is_text: bool) -> None:
    """Raise if the folder for the texts of several pages is a file."""
    if not is_text or output is None or output.suffix or not names_many(inputs):
        return
    if output.exists() and not output.is_dir():
        raise UsageFault(f"{output} is a file; name a folder for the texts, or a file that ends in .txt or .md")
