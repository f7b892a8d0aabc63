"""`quarry clean`: write pages as XHTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.option_groups import suggest
from webquarry.cli.options import Inputs, MaxPages, Output, fetching, shares
from webquarry.cli.output import PageSink, hand_over, keeping, show_progress
from webquarry.pipeline import fetch_pages

if TYPE_CHECKING:
    from webquarry.fetching.policy import FetchOptions

EXAMPLE = "quarry clean listing.html -o listing.xhtml"


@shares(policy=fetching)
def clean(
    inputs: Inputs,
    *,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="NAME",
            help="html5 (as browsers parse it), or the published method cleandom.",
            autocompletion=suggest("html5", "cleandom"),
        ),
    ] = "html5",
    output: Output = None,
    max_pages: MaxPages = None,
    policy: FetchOptions,
) -> int:
    """Write pages as XHTML that every XML reader accepts."""
    if method not in fetch_pages.CLEANERS:
        raise typer.BadParameter(f"choose from {', '.join(fetch_pages.CLEANERS)}", param_hint="--method")
    sink = PageSink(output, inputs, ".xhtml", lambda document: document.to_xhtml().encode() + b"\n")
    with keeping(sink), show_progress("cleaning", sink.tally) as progress:
        pages = fetch_pages.fetch_all(inputs, progress=progress, max_pages=max_pages, **policy)
        hand_over(fetch_pages.clean_all(pages, method=method), sink.write)
    return sink.exit_code
