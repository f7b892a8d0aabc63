"""`quarry extract`: extract records from pages by a wrapper."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Annotated

import typer

from webquarry.cli.check import MIN_SHARE_OF_DRIFT
from webquarry.cli.options import (
    Knobs,
    MaybeInputs,
    ResultPlace,
    WrapperFile,
    check_base_url,
    check_static,
    fetching,
    folders_of,
    is_rendered,
    open_pages,
    rendering,
    saved_pages,
    shares,
    storing,
)
from webquarry.cli.output import ResultSink, choose_output, show_progress
from webquarry.cli.program import UsageFault
from webquarry.cli.wrap import source_folders
from webquarry.model.names import count, printable
from webquarry.model.page import Failure
from webquarry.pipeline import fetch_pages, find_sources, learn_wrappers
from webquarry.storing import formats

EXAMPLE = "quarry extract factbook.toml pages/ --only geography.area -o areas.csv"


@shares(place=storing, knobs=rendering, policy=fetching, saved=saved_pages)
def extract(
    wrapper_file: WrapperFile,
    inputs: MaybeInputs = None,
    *,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="PATH", help="A section to keep, such as geography.area; may be repeated."),
    ] = None,
    keys: Annotated[
        list[str] | None, typer.Option("--key", metavar="KEY", help="A page of the index; may be repeated.")
    ] = None,
    render: Annotated[
        bool | None,
        typer.Option("--render/--static", help="With a browser or without, instead of what the wrapper says."),
    ] = None,
    place: ResultPlace,
    knobs: Knobs,
    policy: Knobs,
    saved: Knobs,
) -> int:
    """Extract records from pages by a wrapper; without INPUT from all pages of its index."""
    if inputs and keys:
        raise UsageFault("--key chooses pages of the index; name either INPUT or keys")
    check_base_url(saved, inputs or [])
    policy |= saved
    check_static(render=render, scripts=knobs["scripts"])
    wrapper = find_sources.load_wrapper(wrapper_file)
    shape = learn_wrappers.narrow_wrapper(wrapper, only or ())
    chosen = choose_output(place)
    sink = ResultSink(formats.open_sink(chosen, place.file, table=place.table, wrapper=shape), place.file)
    wanted = wrapper.source.render if render is None else render
    rendered = is_rendered(render=wanted, scripts=knobs["scripts"], browser=knobs["browser"])
    folder = wrapper_file.parent
    sources = [] if inputs else find_sources.sources_of(wrapper, folder=folder, keys=keys or (), **policy)
    with closing(sink), show_progress("extracting") as progress:
        named = inputs or [address for _, address in sources]
        pages = fetch_pages.fetch_all(named, progress=progress, **policy)
        folders = [*folders_of(inputs or []), *source_folders(wrapper, folder)]
        documents = open_pages(pages, folders, knobs, policy, rendered=rendered)
        results = learn_wrappers.extract_all(wrapper, documents, only=only or ())
        if inputs:
            results = find_sources.name_by_index(wrapper, results, folder=folder, **policy)
        else:
            results = (
                result if isinstance(result, Failure) else replace(result, key=key)
                for (key, _), result in zip(sources, results, strict=True)
            )
        total, poor = 0, []  # pages with more missing than found: likely of another template
        for result in results:
            total += 1
            if not isinstance(result, Failure) and 0 < len(result.values) < len(result.missing):
                poor.append(result.page)
            sink.write(result, f"nothing of wrapper {wrapper_file} was found")
        sink.finish()
    if poor and len(poor) >= MIN_SHARE_OF_DRIFT * total:
        check = printable(f"quarry check {wrapper_file} {poor[0]}")
        typer.echo(
            f"quarry: WARNING: {len(poor)} of {count(total, 'page')} lack more than they have "
            f"(different template?); see: {check}",
            err=True,
        )
    return sink.exit_code
