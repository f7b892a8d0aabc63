"""`quarry workbench`: see what was found on the page itself, and correct it by clicking."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from webquarry.cli.options import Inputs, PageAccess, RenderFirst, flag, folders_of, opening_many, option, shares
from webquarry.cli.program import UsageFault
from webquarry.errors import InputError
from webquarry.workbench import bench_server, opened_work

EXAMPLE = "quarry workbench listing.html"


@shares(access=opening_many)
def workbench(
    inputs: Inputs,
    *,
    kind: Annotated[
        str | None,
        option(
            "--kind",
            "NAME",
            "What to learn: sections, item, records or tables.",
            values=("sections", "item", "records", "tables"),
        ),
    ] = None,
    article: Annotated[bool, flag("--article", "Show the main text: what is kept, what is left out, and why.")] = False,
    name: Annotated[str | None, option("--name", "NAME", "The name of the source.")] = None,
    render: RenderFirst = None,
    port: Annotated[int, option("--port", "N", "The port to listen on; 0 takes a free one.", min=0, max=65535)] = 0,
    no_open: Annotated[bool, flag("--no-open", "Only print the address.")] = False,
    labels: Annotated[
        Path | None, option("--labels", "FILE", "Labels of the content, for the curves of an extraction.")
    ] = None,
    access: PageAccess,
) -> int:
    """See what was found on the page itself, and correct it by clicking."""
    check_extra()
    access.check_base_url(inputs)
    if article and kind:
        raise UsageFault("--article shows the main text and --kind learns a wrapper; leave out one of them")
    if misfit := opened_work.explain_misfit(inputs, article=article):
        raise UsageFault(misfit)
    if labels and not opened_work.is_extraction(inputs[0]):
        raise UsageFault("--labels is for an extraction (.jsonl, .csv); name one, or leave it out")
    rendered = access.decide_rendering(render, default=None)
    with opened_work.open_work(
        inputs,
        kind=kind,
        name=name,
        article=article,
        rendered=rendered,
        options=access.render_options(folders_of(inputs)),
        policy=access.policy,
        max_pages=access.max_pages,
        labels=labels,
    ) as bench:
        bench_server.serve(bench, port=port, opens=not no_open, say=typer.echo)
    return 0


def check_extra() -> None:
    """Raise if the packages that the workbench alone needs are not installed."""
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise InputError(f"the workbench needs {' and '.join(missing)}; get it with pip install 'webquarry[workbench]'")
