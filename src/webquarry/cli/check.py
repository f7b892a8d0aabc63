"""`quarry check`: check a wrapper file, and pages against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from webquarry.cli.messages import complain
from webquarry.cli.options import (
    MaybeInputs,
    PageAccess,
    ParserFile,
    RenderInstead,
    WrapperFile,
    folders_of,
    opening_many,
    shares,
)
from webquarry.cli.output import Tally, show_progress
from webquarry.cli.wrap import open_source_pages, save_parser
from webquarry.model import extraction as extractions
from webquarry.model.page import Failure
from webquarry.model.wording import count, printable
from webquarry.pipeline import extract_pages, source_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from webquarry.model.extraction import Extraction
    from webquarry.model.wrapper import Wrapper

EXAMPLE = "quarry check factbook.toml pages/"


@shares(access=opening_many)
def check(
    wrapper_file: WrapperFile,
    inputs: MaybeInputs = None,
    *,
    render: RenderInstead = None,
    parser: ParserFile = None,
    access: PageAccess,
) -> int:
    """List the mistakes in a wrapper file, and what pages lack."""
    access.check_base_url(inputs or [])
    wrapper = source_pages.check_wrapper(wrapper_file, **access.policy)
    typer.echo(f"{wrapper_file}: {_describe(wrapper)}")
    if parser is not None:
        save_parser(parser, wrapper)
    if not inputs:
        return 0
    rendered = wrapper.source.render if render is None else render
    tally = Tally()
    with show_progress("checking", tally) as progress:
        pages, folder = access.fetch(inputs, progress), wrapper_file.parent
        documents = open_source_pages(
            wrapper, pages, access, folder=folder, inputs=folders_of(inputs), rendered=rendered
        )
        found = extractions.Drift.of(wrapper, _show(extract_pages.extract_all(wrapper, documents), tally))
    for line in found.describe():
        typer.echo(line)
    if found.unknown and wrapper.method == "format":
        heading, _ = found.unknown.most_common(1)[0]
        example = f'"{printable(heading)}" --page {printable(found.find_example(heading))}'
        typer.echo(
            f"to keep one under a name: quarry correct {wrapper_file} rename {example} --name NAME\n"
            f"to read one as a section that there is: quarry correct {wrapper_file} join {example} --to SECTION"
        )
    return 1 if found.is_serious or found.failures else 0


def _show(results: Iterable[Extraction | Failure], tally: Tally) -> Iterator[Extraction | Failure]:
    """Print each result in a line."""
    for result in results:
        if isinstance(result, Failure):
            tally.failures += 1
            complain(result.error, 1)
        else:
            typer.echo(printable(f"{result.page}: {extractions.PageDrift.of(result).describe()}"))
        yield result


def _describe(wrapper: Wrapper) -> str:
    """Summarise a wrapper in one line."""
    what = count(len(extract_pages.find_paths(wrapper)), "section" if wrapper.listing is None else "field")
    _, corrections = wrapper.steps
    steps = f", corrected in {count(corrections, 'step')}" if corrections else ""
    return f"no mistakes; {what} of {wrapper.source.name}{steps}"
