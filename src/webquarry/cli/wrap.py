"""`quarry wrap`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.browsing import has_browser, with_web_roots
from webquarry.cli.faults import UsageFault, complain
from webquarry.cli.options import Inputs, Knobs, fetching, folders_of, rendering, shares
from webquarry.cli.outlines import echo, write_outline
from webquarry.cli.output import PictureSink
from webquarry.cli.places import base_folders, place_source
from webquarry.cli.progress import show_progress

if TYPE_CHECKING:
    from webquarry.model import Document, Extraction, Failure, Page, Wrapper


@shares(knobs=rendering, policy=fetching)
def wrap(
    inputs: Inputs,
    *,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the source is called.", show_default=False)],
    kind: Annotated[str, typer.Option("--kind", help="sections, records or tables.")] = "sections",
    method: Annotated[str, typer.Option("--method", help="format, or ashish for sections.")] = "format",
    pages: Annotated[
        str, typer.Option("--pages", metavar="TEMPLATE", help="Where pages are, such as geos/{code}.html.")
    ] = "",
    key: Annotated[str, typer.Option("--key", metavar="NAME", help="What tells pages apart, such as country.")] = "",
    base: Annotated[
        str, typer.Option("--base", metavar="PLACE", help="The address or folder that --pages is relative to.")
    ] = "",
    index: Annotated[
        str, typer.Option("--index", metavar="PAGE", help="The page or CSV file that names all pages.")
    ] = "",
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Write a picture of the first page's headings.")
    ] = None,
    render: Annotated[
        bool | None, typer.Option("--render/--static", help="With a browser (default), or by the markup alone.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where the wrapper goes, such as NAME.toml.")
    ] = None,
    knobs: Knobs,
    policy: Knobs,
) -> int:
    """Learn from sample pages how a source is structured."""
    _check(name, kind, method, picture=picture, render=render, scripts=knobs["scripts"])
    _check_index(index, pages=pages, key=key)
    from webquarry import pipeline  # noqa: PLC0415 - help and usage errors need no stages

    pictures = PictureSink({"--picture": picture})
    _check_output(output)
    needed = bool(render or picture is not None or knobs["scripts"])
    rendered = method != "ashish" and render is not False and has_browser(knobs["browser"], needed=needed)
    with show_progress("reading samples") as progress:
        fetched = list(pipeline.fetch_all(inputs, progress=progress, **policy))
        folders = [*folders_of(inputs), *base_folders(fetched, pages=pages, base=base)]
        knobs = with_web_roots(knobs, folders) | policy
        samples = _read_samples(fetched, knobs, rendered=rendered)
    place = place_source([page.url for page in samples.pages], output, pages=pages, base=base, index=index)
    statics = samples.statics if knobs["scripts"] else None
    wrapper, failures = pipeline.wrap_samples(
        samples.documents, name=name, kind=kind, method=method, key=key, pages=pages, statics=statics, **place
    )
    samples.leave_out(failures)
    if wrapper is None:
        return samples.exit_code
    outline = list(write_outline(wrapper, samples.documents, _extract(wrapper, samples)))
    if output is not None:
        pipeline.save_wrapper(output, wrapper)  # before anything is printed: whoever reads that may stop
    if picture is not None:
        numbers = {path: number for number, path in enumerate(pipeline.find_paths(wrapper), start=1)}
        drawn = pipeline.wrap_pictured(wrapper, samples.pages[0], numbers=numbers, **knobs)
        if isinstance(drawn, bytes):
            pictures.take({"--picture": drawn})
            pictures.write()
        else:
            samples.exit_code = complain(drawn.error, 1)
    _show(wrapper, outline, output)
    return samples.exit_code


class _Samples:
    """The sample pages that could be had and read."""

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self.documents: list[Document] = []
        self.statics: list[Document] = []
        """The same pages without a browser."""
        self.exit_code = 0

    def leave_out(self, failures: Mapping[int, Failure]) -> None:
        """Drop the pages at the places of failures, each of which is a line on standard error."""
        for place in sorted(failures, reverse=True):
            for each in (self.pages, self.documents, self.statics):
                del each[place]
        for failure in failures.values():
            self.exit_code = complain(failure.error, 1)


def _read_samples(pages: Sequence[Page | Failure], knobs: Knobs, *, rendered: bool) -> _Samples:
    """The sample pages as documents; those that fail are a line each on standard error."""
    from webquarry import pipeline  # noqa: PLC0415
    from webquarry.model import Failure  # noqa: PLC0415

    samples = _Samples()
    statics = list(pipeline.clean_all(pages))
    documents = pipeline.render_all(pages, **knobs) if rendered else statics
    for page, document, static in zip(pages, documents, statics, strict=True):
        if isinstance(document, Failure):
            samples.exit_code = complain(document.error, 1)
        elif isinstance(static, Failure):
            samples.exit_code = complain(static.error, 1)
        elif not isinstance(page, Failure):
            samples.pages.append(page)
            samples.documents.append(document)
            samples.statics.append(static)
    return samples


def _extract(wrapper: Wrapper, samples: _Samples) -> list[Extraction]:
    """Read the sample pages as other pages will be read; those that fail are a line each on standard error."""
    from webquarry import pipeline  # noqa: PLC0415
    from webquarry.model import Failure  # noqa: PLC0415

    documents = samples.documents if wrapper.source.render else samples.statics
    extractions = []
    for result in pipeline.extract_all(wrapper, documents):
        if isinstance(result, Failure):
            samples.exit_code = complain(result.error, 1)
        else:
            extractions.append(result)
    return extractions


def _check(name: str, kind: str, method: str, *, picture: Path | None, render: bool | None, scripts: bool) -> None:
    """Raise for wishes that make no sense."""
    from webquarry.pipeline import WRAPPERS  # noqa: PLC0415

    if not name.strip():
        raise UsageFault("--name is empty; give the source a name, which is that of its table in SQL")
    kinds = list(dict.fromkeys(each for each, _ in WRAPPERS))
    if kind not in kinds:
        raise typer.BadParameter(f"choose from {', '.join(kinds)}", param_hint="--kind")
    if (kind, method) not in WRAPPERS:
        methods = ", ".join(each for of, each in WRAPPERS if of == kind)
        raise typer.BadParameter(f"choose from {methods} for {kind}", param_hint="--method")
    if render is False and (picture is not None or scripts):
        what = "--picture is taken by" if picture is not None else "--scripts run in"
        raise UsageFault(f"{what} a browser; leave --static out")


def _check_index(index: str, *, pages: str, key: str) -> None:
    """Raise for an index that no page could be found by."""
    if index and not pages:
        raise UsageFault("--index needs --pages, the template of the addresses in it, such as geos/{code}.html")
    if index.lower().endswith(".csv") and not key:
        raise UsageFault("--index needs --key for a CSV file, the name of the column that tells pages apart")


def _check_output(output: Path | None) -> None:
    from webquarry.storing.faults import check_place  # noqa: PLC0415

    if output is not None:
        check_place(output)


def _show(wrapper: Wrapper, outline: Sequence[str], output: Path | None) -> None:
    """Print the outline, and the wrapper too when it has no file."""
    from webquarry.wrapping.files import write_wrapper  # noqa: PLC0415

    for line in outline:
        echo(line, err=output is None)
    if output is None:
        sys.stdout.buffer.write(write_wrapper(wrapper).encode())
        sys.stdout.buffer.flush()
        return
    count = len(wrapper.source.samples)
    typer.echo(f"learnt from {count} page{'s' * (count != 1)}, in {output}", err=True)
