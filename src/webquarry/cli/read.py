"""`quarry read`: read the main text of pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from webquarry.cli.options import (
    Clean,
    Inputs,
    PageAccess,
    ResultPlace,
    flag,
    folders_of,
    opening_many,
    option,
    shares,
    storing,
    varied,
    working,
)
from webquarry.cli.output import ResultSink, choose_output, hand_over, keeping, names_many, show_progress
from webquarry.cli.program import BROWSER, OUTPUT, UsageFault, suggest
from webquarry.model.page import Failure
from webquarry.page import landmarks
from webquarry.pipeline import read_pages
from webquarry.storing import article_files

if TYPE_CHECKING:
    from webquarry.model.article import Article
    from webquarry.pipeline.worker_pool import WorkerOptions

EXAMPLE = "quarry read news/ --format markdown -o texts"


_storing = varied(
    storing,
    output_format=Annotated[
        str | None,
        option(
            "--format",
            "NAME",
            "text, markdown, table, json, jsonl, csv, parquet or xlsx.",
            autocompletion=suggest("text", "markdown", "table", "json", "jsonl", "csv", "parquet", "xlsx"),
        ),
    ],
    output=Annotated[
        str | None,
        option(
            "-o, --output",
            "FILE",
            ".txt, .md, .json, .jsonl, .csv, .parquet, .xlsx, .duckdb, .sqlite, or postgresql://HOST/DATABASE; or "
            "a folder for texts.",
        ),
    ],
)


@shares(place=_storing, crew=working, access=opening_many)
def read(
    inputs: Inputs,
    *,
    method: Annotated[
        str,
        option(
            "--method",
            "NAME",
            "vote (pages of a site together), blocks (each page alone), or the published method boilerpipe.",
            values=("vote", "blocks", "boilerpipe"),
        ),
    ] = "vote",
    clean: Clean = "html5",
    render: Annotated[bool | None, flag("--render/--static", "With a browser or without (default).", BROWSER)] = None,
    front_matter: Annotated[
        bool, flag("--front-matter", "Begin Markdown with title, author, date, url, site and language as YAML.", OUTPUT)
    ] = False,
    chunks: Annotated[
        int | None,
        option(
            "--chunks",
            "N",
            "Split texts at headings and paragraphs into chunks of at most N words, each a record.",
            OUTPUT,
            min=1,
        ),
    ] = None,
    place: ResultPlace,
    crew: WorkerOptions,
    access: PageAccess,
) -> int:
    """Read the main text of pages."""
    access.check_base_url(inputs)
    output = place.file
    texts = article_files.TEXT_ENDINGS if chunks is None or place.format or (output and output.suffix) else None
    chosen = choose_output(place, texts=texts)
    _check_chunks(chunks, chosen)
    if front_matter:
        _check_front_matter(chosen, output, inputs)
    _check_folder(output, inputs, chosen in article_files.TEXT_ENDINGS.values())
    rendered = access.decide_rendering(render, default=False, clean=clean)
    sink = ResultSink(
        article_files.open_article_sink(
            chosen,
            place.target,
            table=place.table,
            addition=place.addition,
            many=names_many(inputs),
            inputs=inputs,
            front_matter=front_matter,
            chunk_words=chunks,
        ),
        place.target,
    )
    with keeping(sink), ExitStack() as bar:
        progress = bar.enter_context(show_progress("reading", sink.tally))
        documents = access.open(access.fetch(inputs, progress), folders_of(inputs), rendered=rendered, clean=clean)
        results = read_pages.read_all(documents, method=method, with_metadata=chosen != "text", **crew)
        if place.target is None and sys.stdout.isatty():  # the bar and the texts would mix there
            results = _gather(results, bar)
        hand_over(results, lambda result: sink.write(result, _explain_nothing(result)))
    return sink.exit_code


def _explain_nothing(result: Article | Failure) -> str:
    """Say why a page has no text, if it has none."""
    if isinstance(result, Failure) or len(result):
        return ""
    reasons = ["its text is what the page states in JSON-LD"] if result.stated else []
    purpose = landmarks.explain_nothing(result.document)
    return "; ".join(["no main text was found", *reasons, *filter(None, [purpose])])


def _check_chunks(chunks: int | None, chosen: str) -> None:
    """Raise if chunks are to be written as text."""
    if chunks is not None and chosen in article_files.TEXT_ENDINGS.values():
        raise UsageFault(f"--chunks gives records, which {chosen} does not hold; choose jsonl, csv or parquet")


def _check_front_matter(chosen: str, output: Path | None, inputs: list[str]) -> None:
    """Raise if front matter has no place at the beginning of a file."""
    if chosen != "markdown":
        raise UsageFault(f"--front-matter is for Markdown, not {chosen}; add --format markdown, or name a file in .md")
    if names_many(inputs) and (output is None or (output.suffix and not output.is_dir())):
        raise UsageFault("--front-matter begins a file, so several pages need a folder; name one with -o DIR")


def _gather(results: Iterator[Article | Failure], bar: ExitStack) -> Iterator[Article | Failure]:
    """Wait for all results before the first is given out, below the bar; if the run is stopped, for those so far."""
    gathered: list[Article | Failure] = []
    try:
        hand_over(results, gathered.append)
    finally:
        bar.close()
        yield from gathered


def _check_folder(output: Path | None, inputs: list[str], is_text: bool) -> None:
    """Raise if the folder for the texts of several pages is a file."""
    if not is_text or output is None or output.suffix or not names_many(inputs):
        return
    if output.exists() and not output.is_dir():
        raise UsageFault(f"{output} is a file; name a folder for the texts, or a file that ends in .txt or .md")
