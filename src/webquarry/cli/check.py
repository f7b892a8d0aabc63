"""`quarry check`: check a wrapper file, and pages against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.options import (
    Knobs,
    MaybeInputs,
    WrapperFile,
    check_base_url,
    fetching,
    folders_of,
    open_pages,
    rendering,
    saved_pages,
    shares,
)
from webquarry.cli.output import show_progress
from webquarry.cli.program import complain
from webquarry.cli.wrap import source_folders
from webquarry.model.names import count, list_names, printable
from webquarry.model.page import Failure
from webquarry.pipeline import fetch_pages, find_sources, learn_wrappers

if TYPE_CHECKING:
    from webquarry.model.extraction import Extraction
    from webquarry.model.wrapper import Wrapper

EXAMPLE = "quarry check factbook.toml pages/"

MIN_SHARE_OF_DRIFT = 0.5
"""Share of pages that lack a section of every sample, or have a heading of none, from which on the template has
changed; fewer are just odd pages."""
NAMES_PER_PAGE = 8
"""Section names in the line of a page."""


@dataclass
class Drift:
    """Differences between pages and what a wrapper expects."""

    pages: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    empty: int = 0
    """Pages on which nothing was found."""

    def add(self, extraction: Extraction) -> None:
        """Count what a page lacks and what is new on it."""
        self.pages += 1
        self.empty += not extraction.values
        self.missing.update(set(extraction.missing))
        self.unknown.update(set(extraction.unknown))

    @property
    def is_serious(self) -> bool:
        """True if the template seems to have changed."""
        counts = [self.empty, *self.missing.values(), *self.unknown.values()]
        return self.pages > 0 and max(counts) >= MIN_SHARE_OF_DRIFT * self.pages

    def describe(self) -> Iterator[str]:
        """Say what differs, most frequent first."""
        for what, counts in (("expected and not found", self.missing), ("not in the grammar", self.unknown)):
            if counts:
                yield f"{what}, number of pages of {self.pages}:"
                ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
                yield from (f"{number:>7}  {printable(name)}" for name, number in ordered)


@shares(knobs=rendering, policy=fetching, saved=saved_pages)
def check(
    wrapper_file: WrapperFile,
    inputs: MaybeInputs = None,
    *,
    render: Annotated[
        bool | None,
        typer.Option("--render/--static", help="With a browser or without, instead of what the wrapper says."),
    ] = None,
    knobs: Knobs,
    policy: Knobs,
    saved: Knobs,
) -> int:
    """List the mistakes in a wrapper file, and what pages lack."""
    check_base_url(saved, inputs or [])
    policy |= saved
    wrapper = find_sources.load_wrapper(wrapper_file)
    typer.echo(f"{wrapper_file}: {_describe(wrapper)}")
    if not inputs:
        return 0
    rendered = wrapper.source.render if render is None else render
    folders = [*folders_of(inputs), *source_folders(wrapper, wrapper_file.parent)]
    drift, code = Drift(), 0
    with show_progress("checking") as progress:
        pages = fetch_pages.fetch_all(inputs, progress=progress, **policy)
        documents = open_pages(pages, folders, knobs, policy, rendered=rendered)
        for result in learn_wrappers.extract_all(wrapper, documents):
            if isinstance(result, Failure):
                code = complain(result.error, 1)
                continue
            drift.add(result)
            typer.echo(printable(f"{result.page}: {_describe_page(result)}"))
    for line in drift.describe():
        typer.echo(line)
    return 1 if drift.is_serious else code


def _describe(wrapper: Wrapper) -> str:
    """Summarise a wrapper in one line."""
    what = count(len(learn_wrappers.find_paths(wrapper)), "section" if wrapper.listing is None else "field")
    paper, actions = wrapper.steps
    steps = f", corrected in {count(actions, 'action')} ({count(paper, 'step')} as the paper counts)" if actions else ""
    return f"no mistakes; {what} of {wrapper.source.name}{steps}"


def _describe_page(extraction: Extraction) -> str:
    said = count(len(extraction.values), "value")
    if extraction.missing:
        said += f"; not found: {list_names(extraction.missing, NAMES_PER_PAGE)}"
    if extraction.unknown:
        said += f"; not in the grammar: {list_names(list(dict.fromkeys(extraction.unknown)), NAMES_PER_PAGE)}"
    return said
