"""`quarry extract`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.browser_choice import check_static, is_rendered, open_pages
from webquarry.cli.check import DRIFT
from webquarry.cli.options import (
    Knobs,
    MaybeInputs,
    ResultPlace,
    UsageFault,
    WrapperFile,
    fetching,
    folders_of,
    rendering,
    shares,
    storing,
)
from webquarry.cli.output import show_progress
from webquarry.cli.result_sink import ResultSink
from webquarry.cli.wrap import source_folders
from webquarry.model.page import Failure
from webquarry.model.wording import printable
from webquarry.pipeline import fetch_pages, find_sources, learn_wrappers

if TYPE_CHECKING:
    from webquarry.model.extraction import Extraction

EXAMPLE = "quarry extract factbook.toml pages/ --only geography.area -o areas.csv"


@shares(place=storing, knobs=rendering, policy=fetching)
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
        bool | None, typer.Option("--render/--static", help="With a browser or without, whatever the wrapper says.")
    ] = None,
    place: ResultPlace,
    knobs: Knobs,
    policy: Knobs,
) -> int:
    """Read pages by a wrapper; without INPUT all pages of its index."""
    if inputs and keys:
        raise UsageFault("--key chooses from the index; name either INPUT pages or keys")
    check_static(render=render, scripts=knobs["scripts"])

    wrapper = find_sources.load_wrapper(wrapper_file)
    shape = learn_wrappers.narrow_wrapper(wrapper, only or ())
    sink = ResultSink.open(place, wrapper=shape)
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
            results = _with_keys(results, [key for key, _ in sources])
        poor = Poor()
        for result in results:
            poor.add(result)
            sink.write(result, f"nothing was found on it that {wrapper_file} names")
        sink.finish()
    if poor.are_many:
        typer.echo(f"quarry: WARNING: {poor.describe(wrapper_file)}", err=True)
    return sink.exit_code


@dataclass
class Poor:
    """Pages on which more is missing than found: their template is likely another than that of the samples."""

    read: int = 0
    pages: list[str] = field(default_factory=list)

    def add(self, result: Extraction | Failure) -> None:
        """Count a page; of one on which nothing is found is told otherwise."""

        self.read += 1
        if not isinstance(result, Failure) and 0 < len(result.values) < len(result.missing):
            self.pages.append(result.page)

    @property
    def are_many(self) -> bool:
        """Whether it is not some pages alone that are odd."""
        return bool(self.pages) and len(self.pages) >= DRIFT * self.read

    def describe(self, wrapper_file: Path) -> str:
        """How many there are, and how to learn more."""

        return (
            f"on {len(self.pages)} of {self.read} page{'s' * (self.read != 1)} more is missing than found, as if of "
            f"another template; see: {printable(f'quarry check {wrapper_file} {self.pages[0]}')}"
        )


def _with_keys(results: Iterable[Extraction | Failure], keys: list[str]) -> Iterator[Extraction | Failure]:

    for result, key in zip(results, keys, strict=True):
        yield result if isinstance(result, Failure) else replace(result, key=key)
