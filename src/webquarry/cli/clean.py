"""`quarry clean`: write pages as XHTML."""

from __future__ import annotations

from typing import Annotated

import typer

from webquarry.cli.options import Inputs, Knobs, Output, fetching, shares
from webquarry.cli.output import PageSink, show_progress
from webquarry.pipeline import fetch_pages

EXAMPLE = "quarry clean listing.html -o listing.xhtml"


@shares(policy=fetching)
def clean(
    inputs: Inputs,
    *,
    method: Annotated[str, typer.Option("--method", help="html5 (as browsers parse it) or cleandom.")] = "html5",
    output: Output = None,
    policy: Knobs,
) -> int:
    """Write pages as XHTML that every XML reader accepts."""
    if method not in fetch_pages.CLEANERS:
        raise typer.BadParameter(f"choose from {', '.join(fetch_pages.CLEANERS)}", param_hint="--method")
    sink = PageSink(output, inputs, ".xhtml", lambda document: document.to_xhtml().encode() + b"\n")
    with show_progress("cleaning") as progress:
        pages = fetch_pages.fetch_all(inputs, progress=progress, **policy)
        for result in fetch_pages.clean_all(pages, method=method):
            sink.write(result)
    return sink.exit_code
