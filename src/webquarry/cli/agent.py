"""`quarry agent`: serve a wrapper to other programs in KQML."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webquarry.cli.options import PageAccess, RenderInstead, WrapperFile, opening, option, shares
from webquarry.cli.program import FETCHING, UsageFault
from webquarry.errors import InputError
from webquarry.fetching import kqml
from webquarry.model import names
from webquarry.pipeline import open_catalogs, source_pages
from webquarry.serving import kqml_agent

EXAMPLE = "quarry agent factbook.toml --port 4500"


@shares(access=opening)
def agent(
    wrapper_file: WrapperFile,
    *,
    port: Annotated[int, option("--port", "N", "The port to listen on; 0 takes a free one.", min=0, max=65535)] = 0,
    host: Annotated[
        str, option("--host", "ADDRESS", "The address to listen on; any but loopback needs a token.")
    ] = "127.0.0.1",
    token_file: Annotated[
        Path | None,
        option(
            "--token-file",
            "FILE",
            "The file with the token that messages must have (default: the variable WEBQUARRY_AGENT_TOKEN).",
        ),
    ] = None,
    max_pages: Annotated[
        int | None, option("--max-pages", "N", "Fetch at most N pages per message.", FETCHING, min=1)
    ] = None,
    render: RenderInstead = None,
    access: PageAccess,
) -> int:
    """Serve a wrapper as an agent that answers questions in KQML."""
    token = kqml.find_token(token_file)
    if not token and not kqml.is_loopback(host):
        raise UsageFault(f"--host {host} can be reached from other machines; set a token with --token-file")
    wrapper = source_pages.load_wrapper(wrapper_file)
    access.decide_rendering(render, default=False)  # raises if there is no browser
    connection = open_catalogs.connect(wrapper_file, render=render, **access.options)
    name = names.snake_case(wrapper_file.stem)
    served = kqml_agent.KqmlAgent(name, connection, token=token, max_pages=max_pages)
    try:
        server = kqml_agent.AgentServer(served, host, port)
    except OSError as error:
        raise InputError(
            f"{host}:{port}: cannot listen there ({error.strerror or error}); name another --port"
        ) from error
    with server:
        typer.echo(f"{wrapper.source.name} answers at {server.address}")
        server.serve_forever(0.1)
    return 0
