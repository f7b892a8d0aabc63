"""`quarry clean`."""

from __future__ import annotations

from typing import Annotated

import typer

from webquarry.cli.options import Inputs, Knobs, Output, fetching, shares
from webquarry.cli.output import PageSink, show_progress


@shares(policy=fetching)
def clean(
    inputs: Inputs,
    *,
    method: Annotated[str, typer.Option("--method", help="html5 (as browsers read it) or cleandom.")] = "html5",
    output: Output = None,
    policy: Knobs,
) -> int:
    """Write pages as XHTML that every XML reader accepts."""
    from webquarry import pipeline  # noqa: PLC0415 - help and usage errors need no stages

    if method not in pipeline.CLEANERS:
        raise typer.BadParameter(f"choose from {', '.join(pipeline.CLEANERS)}", param_hint="--method")
    sink = PageSink(output, inputs, ".xhtml", lambda document: document.to_xhtml().encode() + b"\n")
    with show_progress("cleaning") as progress:
        pages = pipeline.fetch_all(inputs, progress=progress, **policy)
        for result in pipeline.clean_all(pages, method=method):
            sink.write(result)
    return sink.exit_code
