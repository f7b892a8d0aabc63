"""`quarry correct`."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webquarry.cli.browser_choice import has_browser, open_pages
from webquarry.cli.options import Knobs, UsageFault, WrapperFile, fetching, rendering, shares
from webquarry.cli.wrap import echo, source_folders
from webquarry.errors import InputError
from webquarry.model.page import Failure
from webquarry.pipeline import fetch_pages, find_sources, learn_wrappers
from webquarry.wrapping import outline

if TYPE_CHECKING:
    from webquarry.model.document import Document
    from webquarry.model.wrapper import Wrapper

EXAMPLE = 'quarry correct factbook.toml add "Time difference" --to government'


class Action(Enum):
    """What can be done to a wrapper."""

    ADD = "add"
    DROP = "drop"
    MOVE = "move"
    RENAME = "rename"
    JOIN = "join"
    UNDO = "undo"


@shares(knobs=rendering, policy=fetching)
def correct(
    wrapper_file: WrapperFile,
    action: Annotated[Action, typer.Argument(help="What to do.", show_default=False)],
    example: Annotated[
        str | None,
        typer.Argument(
            metavar='["EXAMPLE"]', help="A heading as on the page, or the path of a section.", show_default=False
        ),
    ] = None,
    *,
    to: Annotated[str, typer.Option("--to", metavar="PATH", help="The section that is meant to hold it.")] = "",
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What its section is called.")] = "",
    whole_format: Annotated[bool, typer.Option("--class", help="All texts that look like the example.")] = False,
    knobs: Knobs,
    policy: Knobs,
) -> int:
    """Correct a wrapper by one step, and show what changed."""
    _check(action, example, to=to, name=name, whole_format=whole_format)

    before = find_sources.load_wrapper(wrapper_file)
    if example is None:
        after = learn_wrappers.undo(before)
    else:
        samples = _read_samples(before, wrapper_file.parent, knobs, policy)
        after = learn_wrappers.correct(
            before, samples, action.value, example, to=to, name=name, whole_format=whole_format
        )
    find_sources.save_wrapper(wrapper_file, after)
    echo(outline.compare_outlines(before, after) or "nothing in the outline changed")
    paper, actions = after.steps
    echo(f"{actions} action{'s' * (actions != 1)} so far, {paper} step{'s' * (paper != 1)} as the paper counts")
    return 0


def _check(action: Action, example: str | None, *, to: str, name: str, whole_format: bool) -> None:
    """Raise for options that the action does not take, or that it needs."""

    if action is Action.UNDO:
        if example or to or name or whole_format:
            raise UsageFault("undo takes back the last correction; it takes no example and no options")
        return
    if not example:
        raise UsageFault(f'{action.value} needs an example, such as "Time difference"')
    try:
        learn_wrappers.check_options(action.value, to=to, name=name, whole_format=whole_format)
    except InputError as error:
        raise UsageFault(str(error)) from error


def _read_samples(wrapper: Wrapper, folder: Path, knobs: Knobs, policy: Knobs) -> list[Document]:
    """The sample pages, rendered if the wrapper was learnt so; a correction needs all of them."""

    named = [find_sources.address_of(folder, wrapper.source, sample) for sample in wrapper.source.samples]
    if not named:
        raise InputError(
            f"the wrapper {wrapper.source.name} names no samples to try corrections on; add some to its file"
        )
    if "stdin:" in named:
        raise InputError(
            f"the wrapper {wrapper.source.name} was learnt from standard input; "
            "name a page like it under `samples` in its file"
        )
    rendered = any(token.look for token in wrapper.tokens) and has_browser(knobs["browser"], needed=False)
    pages = list(fetch_pages.fetch_all(named, **policy))
    documents = list(open_pages(pages, source_folders(wrapper, folder), knobs, policy, rendered=rendered))
    failed = [result.error for result in documents if isinstance(result, Failure)]
    if failed:
        raise InputError(f"a sample page of the wrapper cannot be had: {failed[0]}")
    return [result for result in documents if not isinstance(result, Failure)]
