"""`quarry correct`: correct a wrapper by one step."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.options import Knobs, WrapperFile, fetching, has_browser, open_pages, rendering, shares
from webquarry.cli.program import UsageFault
from webquarry.cli.wrap import echo, source_folders
from webquarry.errors import InputError
from webquarry.model.names import count
from webquarry.model.page import Failure
from webquarry.pipeline import fetch_pages, find_sources, learn_wrappers
from webquarry.wrapping import outline

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
    RETYPE = "retype"
    UNDO = "undo"


@shares(knobs=rendering, policy=fetching)
def correct(
    wrapper_file: WrapperFile,
    action: Annotated[Action, typer.Argument(help="What to do.", show_default=False)],
    example: Annotated[
        str | None,
        typer.Argument(
            metavar='["EXAMPLE"]',
            help="A heading as on the page, the path of a section, or the name of a field.",
            show_default=False,
        ),
    ] = None,
    *,
    to: Annotated[
        str,
        typer.Option("--to", metavar="PATH", help="The section to put it in or join it with; with retype the type."),
    ] = "",
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The name of its section or field.")] = "",
    whole_format: Annotated[bool, typer.Option("--class", help="All texts in the format of the example.")] = False,
    knobs: Knobs,
    policy: Knobs,
) -> int:
    """Correct a wrapper by one step, and show the changes."""
    _check(action, example, to=to, name=name, whole_format=whole_format)
    before = find_sources.load_wrapper(wrapper_file)
    if example is None:
        after = learn_wrappers.undo(before)
    else:
        needs_none = before.listing is not None and action is Action.RENAME
        samples = [] if needs_none else _read_samples(before, wrapper_file.parent, knobs, policy)
        after = learn_wrappers.correct(
            before, samples, action.value, example, to=to, name=name, whole_format=whole_format
        )
    find_sources.save_wrapper(wrapper_file, after)
    echo(outline.compare_outlines(before, after) or "the outline did not change")
    paper, actions = after.steps
    echo(f"{count(actions, 'action')} so far, {count(paper, 'step')} as the paper counts")
    return 0


def _check(action: Action, example: str | None, *, to: str, name: str, whole_format: bool) -> None:
    """Raise for options that the action does not take, or lacks."""
    if action is Action.UNDO:
        if example or to or name or whole_format:
            raise UsageFault("undo takes back the last correction; leave the example and options out")
        return
    if not example:
        raise UsageFault(f'{action.value} needs an example, such as "Time difference"')
    try:
        learn_wrappers.check_options(action.value, to=to, name=name, whole_format=whole_format)
    except InputError as error:
        raise UsageFault(str(error)) from error


def _read_samples(wrapper: Wrapper, folder: Path, knobs: Knobs, policy: Knobs) -> list[Document]:
    """Read the sample pages, rendered if the wrapper was learnt from rendered ones; a correction needs all of them."""
    named = [find_sources.address_of(folder, wrapper.source, sample) for sample in wrapper.source.samples]
    if not named:
        raise InputError(
            f"the wrapper {wrapper.source.name} has no samples to try corrections on; add some to its file"
        )
    if "stdin:" in named:
        raise InputError(
            f"the wrapper {wrapper.source.name} was learnt from standard input; "
            "add a similar page to `samples` in its file"
        )
    is_rendered = wrapper.source.render or any(token.look for token in wrapper.tokens)
    rendered = is_rendered and has_browser(knobs["browser"], needed=False)
    pages = list(fetch_pages.fetch_all(named, **policy))
    documents = list(open_pages(pages, source_folders(wrapper, folder), knobs, policy, rendered=rendered))
    for failure in documents:
        if isinstance(failure, Failure):
            raise InputError(f"cannot read a sample page of the wrapper: {failure.error}")
    return [document for document in documents if not isinstance(document, Failure)]
