"""`quarry workbench`: see what was found on the page itself, and correct it by clicking."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.options import (
    Inputs,
    MaxPages,
    check_base_url,
    decide_rendering,
    fetching,
    folders_of,
    rendering,
    saved_pages,
    shares,
    with_web_roots,
)
from webquarry.cli.program import BROWSER, UsageFault
from webquarry.errors import InputError
from webquarry.workbench import bench_server, opened_work
from webquarry.wrapping import wrapper_file

if TYPE_CHECKING:
    from webquarry.fetching.policy import FetchOptions
    from webquarry.rendering.renderer import BrowserOptions

EXAMPLE = "quarry workbench listing.html"


@shares(knobs=rendering, policy=fetching, saved=saved_pages)
def workbench(
    inputs: Inputs,
    *,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="NAME", help="What to learn: sections, item, records or tables.")
    ] = None,
    article: Annotated[
        bool, typer.Option("--article", help="Show the main text: what is kept, what is left out, and why.")
    ] = False,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="The name of the source.")] = None,
    render: Annotated[
        bool | None,
        typer.Option("--render/--static", help="With a browser (default) or without.", rich_help_panel=BROWSER),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port to listen on; 0 takes a free one.")
    ] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
    labels: Annotated[
        Path | None,
        typer.Option("--labels", metavar="FILE", help="Labels of the content, for the curves of an extraction."),
    ] = None,
    max_pages: MaxPages = None,
    knobs: BrowserOptions,
    policy: FetchOptions,
    saved: FetchOptions,
) -> int:
    """See what was found on the page itself, and correct it by clicking."""
    check_extra()
    check_base_url(saved, inputs)
    if kind is not None and kind not in wrapper_file.KINDS:
        raise typer.BadParameter(f"choose from {', '.join(wrapper_file.KINDS)}", param_hint="--kind")
    if article and kind:
        raise UsageFault("--article shows the main text and --kind learns a wrapper; leave out one of them")
    if misfit := opened_work.explain_misfit(inputs, article=article):
        raise UsageFault(misfit)
    if labels and not opened_work.is_extraction(inputs[0]):
        raise UsageFault("--labels is for an extraction (.jsonl, .csv); name one, or leave it out")
    rendered = decide_rendering(render, knobs, default=None)
    policy |= saved
    options = with_web_roots(knobs, folders_of(inputs), policy)
    with opened_work.open_work(
        inputs,
        kind=kind,
        name=name,
        article=article,
        rendered=rendered,
        options=options,
        policy=policy,
        max_pages=max_pages,
        labels=labels,
    ) as bench:
        bench_server.serve(bench, port=port, opens=not no_open, say=typer.echo)
    return 0


def check_extra() -> None:
    """Raise if the packages that the workbench alone needs are not installed."""
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise InputError(f"the workbench needs {' and '.join(missing)}; get it with pip install 'webquarry[workbench]'")
