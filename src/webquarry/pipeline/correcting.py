"""Corrections of a wrapper, as a person says them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from webquarry.errors import InputError
from webquarry.model import Document, Wrapper

_SPELLED = {"to": "--to PATH", "name": "--name NAME", "whole_format": "--class"}  # as the command line has them


class Options(NamedTuple):
    """What an action must and may be told beside its example."""

    needed: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()


ACTIONS = {
    "add": Options(possible=("to", "name", "whole_format")),
    "drop": Options(possible=("whole_format",)),
    "move": Options(needed=("to",)),
    "rename": Options(needed=("name",)),
    "join": Options(needed=("to",)),
}


def correct(
    wrapper: Wrapper,
    documents: Sequence[Document],
    action: str,
    example: str,
    *,
    to: str = "",
    name: str = "",
    whole_format: bool = False,
) -> Wrapper:
    """The wrapper after one action; `documents` are its sample pages, rendered if it was learnt so.

    `add` makes a heading of the text of an example and `drop` undoes one, on it alone or on its `whole_format`; `move`
    puts a section `to` another, `rename` gives it a `name`, `join` makes it one with the section `to`.
    """
    from webquarry.wrapping import corrections  # noqa: PLC0415 - NumPy is slow to import

    check_options(action, to=to, name=name, whole_format=whole_format)
    noun = getattr(corrections, action.capitalize())
    given = {"to": to, "name": name, "whole_format": whole_format}
    taken = {option: given[option] for option in (*ACTIONS[action].needed, *ACTIONS[action].possible)}
    return corrections.correct(wrapper, noun(example, **taken), documents)


def check_options(action: str, *, to: str = "", name: str = "", whole_format: bool = False) -> None:
    """Raise for an action that there is not, and for options that it needs or does not take."""
    if action not in ACTIONS:
        raise ValueError(f"no action {action!r}; there are {', '.join(ACTIONS)}")
    options = ACTIONS[action]
    for option, value in {"to": to, "name": name, "whole_format": whole_format}.items():
        if value and option not in (*options.needed, *options.possible):
            raise InputError(f"{action} takes no {_SPELLED[option]}")
        if not value and option in options.needed:
            raise InputError(f"{action} needs {_SPELLED[option]}")


def undo(wrapper: Wrapper) -> Wrapper:
    """The wrapper as it was before its last correction."""
    from webquarry.wrapping import corrections  # noqa: PLC0415 - NumPy is slow to import

    return corrections.undo(wrapper)
