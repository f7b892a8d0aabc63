"""`quarry correct`: correct a wrapper by one step."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webquarry.cli.options import PageAccess, WrapperFile, flag, opening, option, shares
from webquarry.cli.program import UsageFault
from webquarry.cli.wrap import echo, open_source_pages
from webquarry.errors import InputError
from webquarry.model.page import Failure
from webquarry.model.wording import count
from webquarry.pipeline import correct_wrappers, source_addresses, source_pages
from webquarry.wrapping import corrections, listing_examples, outline

if TYPE_CHECKING:
    from webquarry.model.document import Document
    from webquarry.model.wrapper import Wrapper

EXAMPLE = 'quarry correct factbook.toml add "Time difference" --to government'


class Action(Enum):
    """The corrections of a wrapper."""

    ADD = "add"
    DROP = "drop"
    MOVE = "move"
    RENAME = "rename"
    JOIN = "join"
    MERGE = "merge"
    SPLIT = "split"
    RETYPE = "retype"
    CHOOSE = "choose"
    UNDO = "undo"
    REDO = "redo"


@shares(access=opening)
def correct(
    wrapper_file: WrapperFile,
    action: Annotated[Action, typer.Argument(help="What to do.", show_default=False)],
    example: Annotated[
        str | None,
        typer.Argument(
            metavar='["EXAMPLE"]',
            help="A heading as on the page, the path of a section, the name of a field, words of a record, or with "
            "add a value of a new column.",
            show_default=False,
        ),
    ] = None,
    *,
    to: Annotated[str, option("--to", "PATH", "The section to put it in or join it with; with retype the type.")] = "",
    name: Annotated[str, option("--name", "NAME", "The name of its section or field.")] = "",
    whole_format: Annotated[bool, flag("--class", "All texts in the format of the example.")] = False,
    page: Annotated[str, option("--page", "PAGE", "A page that has the example, if no sample has it.")] = "",
    record: Annotated[bool, flag("--record", "The record with these words, not a field.")] = False,
    at: Annotated[str, option("--at", "SEPARATOR", "Split a field at this text; what follows becomes a field.")] = "",
    part: Annotated[
        str, option("--part", "TEXT", "Split a field; TEXT is the part of one of its values to split off.")
    ] = "",
    access: PageAccess,
) -> int:
    """Correct a wrapper by one step, and show the changes."""
    options: dict[str, Any] = {
        "to": to,
        "name": name,
        "whole_format": whole_format,
        "record": record,
        "at": at,
        "part": part,
    }
    _check(action, example, page=page, **options)
    before = source_pages.load_wrapper(wrapper_file)
    samples: list[Document] = []
    if action is Action.UNDO:
        after = correct_wrappers.undo(before)
    elif example is None:
        page = corrections.undone_page(before)
        samples = _read_samples(before, action.value, wrapper_file.parent, access, page=page)
        after = correct_wrappers.redo(before, samples, samples.pop() if page else None)
    else:
        needs_none = before.has_records and action in (Action.RENAME, Action.MOVE)
        if not needs_none:
            samples = _read_samples(before, action.value, wrapper_file.parent, access, page=page, record=record)
        other = samples.pop() if page and samples else None
        after = correct_wrappers.correct(
            before,
            samples,
            action.value,
            example,
            page=other,
            place=source_addresses.name_page(before.source, wrapper_file.parent, other.url) if other else "",
            **options,
        )
    source_pages.save_wrapper(wrapper_file, after)
    echo(outline.compare_outlines(before, after) or "the outline did not change")
    if action is Action.ADD and not record and (lacking := listing_examples.describe_lacking(before, after, samples)):
        echo(lacking)
    _, steps = after.steps
    echo(f"{count(steps, 'correction')} so far")
    return 0


def _check(action: Action, example: str | None, **given: object) -> None:
    """Raise for options that the action does not take, or lacks."""
    if action in (Action.UNDO, Action.REDO):
        if example or any(given.values()):
            what = (
                "takes back the last correction" if action is Action.UNDO else "makes the last undone correction again"
            )
            raise UsageFault(f"{action.value} {what}; leave the example and options out")
        return
    if not example:
        raise UsageFault(f'{action.value} needs an example, such as "Time difference"')
    try:
        correct_wrappers.check_options(action.value, **given)
    except InputError as error:
        raise UsageFault(str(error)) from error


def _read_samples(
    wrapper: Wrapper,
    action: str,
    folder: Path,
    access: PageAccess,
    *,
    page: str,
    record: bool = False,
) -> list[Document]:
    """Read the sample pages and another page, rendered if the correction takes rendered ones and there is a browser.

    A correction needs all of them.
    """
    named = [source_addresses.address_of(folder, wrapper.source, sample) for sample in wrapper.source.samples]
    if not named:
        raise InputError(
            f"the wrapper {wrapper.source.name} has no samples to try corrections on; add some to its file"
        )
    if "stdin:" in named:
        raise InputError(
            f"the wrapper {wrapper.source.name} was learnt from standard input; "
            "add a similar page to `samples` in its file"
        )
    takes_rendered = correct_wrappers.reads_rendered(wrapper, action, record=record)
    rendered = takes_rendered and access.decide_rendering(None, default=None)
    pages = list(access.fetch([*named, page] if page else named, follow_lists=False))
    if len(pages) != len(named) + bool(page):
        raise InputError(f"--page {page}: these are {count(len(pages) - len(named), 'page')}; name one of them")
    documents = list(open_source_pages(wrapper, pages, access, folder=folder, rendered=rendered))
    for failure in documents:
        if isinstance(failure, Failure):
            what = "cannot read the page" if page and failure is documents[-1] else "cannot read a sample page"
            raise InputError(f"{what} of the wrapper: {failure.error}")
    return [document for document in documents if not isinstance(document, Failure)]
