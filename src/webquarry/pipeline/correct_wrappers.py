"""Correct wrappers by single actions, which can be undone and redone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import Wrapper
from webquarry.pipeline.call_arguments import require, require_each, takes
from webquarry.pipeline.correct_listings import relearn_listing
from webquarry.wrapping.corrections import (
    Add,
    Choose,
    Correction,
    Drop,
    Join,
    Merge,
    Move,
    Rename,
    Retype,
    Split,
    correct as correct_wrapper,
    read_action,
    redo as redo_step,
    undo as undo_step,
)
from webquarry.wrapping.grammar_edits import KeptSamples


@takes()
def correct(
    wrapper: Wrapper,
    documents: Sequence[Document],
    action: str,
    example: str,
    *,
    to: str = "",
    name: str = "",
    whole_format: bool = False,
    page: Document | None = None,
    place: str = "",
    record: bool = False,
    at: str = "",
    part: str = "",
    kept: KeptSamples | None = None,
) -> Wrapper:
    """Correct a wrapper by one action.

    wrapper: what `wrap` or `load_wrapper` gives; it is not changed.
    documents: the sample pages of the wrapper, rendered if `reads_rendered` says so.
    action: `add` turns the example's text into a heading and `drop` undoes one; `move` puts a section into the section
        `to`, `rename` gives it a `name`, `join` merges it with the section `to`, `retype` reads it as the type `to`.
        Of a listing, `add` fills the column `name` in all records with what is like the example in its record.
        Of a listing or a table, `move` puts a field behind the field `to`, `join` makes one field of two that records
        have instead of each other, `merge` of two whose texts follow each other, `split` two of one; `choose` takes the
        list of the page that has the example's words.
    example: the path of a section, the name of a field, or a text on a sample page.
    to: a path, or for `retype` a type.
    name: the new name.
    whole_format: for `add` and `drop`, do the same with all texts of the example's format.
    record: the example is some words of a record, which `add` makes a record and `drop` none.
    page: a page on which an example that no sample has is looked for too.
    place: where that page is, unless at its address.
    at: the separator to split a field at; what is behind it becomes a field of its own.
    part: instead, a text that is part of a value: what is in its place becomes a field of its own.
    kept: sample pages as the last correction of the same documents left them, which makes the next one faster.

    >>> import webquarry as wq
    >>> documents = [wq.clean(wq.fetch(f"examples/factbook/geos/{code}.html")) for code in ("am", "bv", "cd")]
    >>> wrapper = wq.correct(wq.wrap(documents, name="factbook"), documents, "rename", "geography", name="land")
    >>> "land" in [section.name for section in wrapper.grammar.children]
    True
    """
    require("correct", wrapper, Wrapper)
    require_each("correct", documents, Document)
    named = "" if page is None else place or page.url
    given = {
        "to": to,
        "name": name,
        "whole_format": whole_format,
        "page": named,
        "record": record,
        "at": at,
        "part": part,
    }
    check_options(action, **given)
    options = ACTIONS[action]
    taken = {option: given[option] for option in (*options.needed, *options.possible)}
    return correct_wrapper(wrapper, options.correction(example, **taken), documents, page, relearn_listing, kept=kept)


def reads_rendered(wrapper: Wrapper, action: str, *, record: bool = False) -> bool:
    """Tell whether a correction takes rendered samples: if reading does, and to find headings or other records."""
    if action == "redo" and wrapper.undone:
        undone = read_action(wrapper.undone[0])
        action, record = type(undone).__name__.lower(), getattr(undone, "record", False)
    has_looks = any(token.look for token in wrapper.tokens)
    return wrapper.source.render or has_looks or (wrapper.has_records and (action == "choose" or record))


def undo(wrapper: Wrapper) -> Wrapper:
    """Take back the last correction of a wrapper.

    wrapper: what `correct` gave; it is not changed.

    >>> import webquarry as wq
    >>> documents = [wq.clean(wq.fetch(f"examples/factbook/geos/{code}.html")) for code in ("am", "bv", "cd")]
    >>> wrapper = wq.wrap(documents, name="factbook")
    >>> wq.undo(wq.correct(wrapper, documents, "rename", "geography", name="land")) == wrapper
    True
    """
    return undo_step(require("undo", wrapper, Wrapper))


def redo(
    wrapper: Wrapper, documents: Sequence[Document], page: Document | None = None, kept: KeptSamples | None = None
) -> Wrapper:
    """Make the correction again that was undone last; arguments are as for `correct`."""
    return redo_step(wrapper, documents, page, relearn_listing, kept=kept)


class ActionOptions(NamedTuple):
    """The correction that an action makes, and the options that it needs and takes beside its example."""

    correction: Callable[..., Correction]
    needed: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()


ACTIONS = {
    "add": ActionOptions(Add, possible=("to", "name", "whole_format", "page", "record")),
    "drop": ActionOptions(Drop, possible=("whole_format", "record")),
    "move": ActionOptions(Move, needed=("to",)),
    "rename": ActionOptions(Rename, needed=("name",), possible=("page",)),
    "join": ActionOptions(Join, needed=("to",), possible=("page",)),
    "merge": ActionOptions(Merge, needed=("to",)),
    "retype": ActionOptions(Retype, needed=("to",)),
    "split": ActionOptions(Split, possible=("at", "part", "name")),
    "choose": ActionOptions(Choose),
}


FLAGS = {
    "to": "--to PATH",
    "name": "--name NAME",
    "whole_format": "--class",
    "page": "--page PAGE",
    "record": "--record",
    "at": "--at SEPARATOR",
    "part": "--part TEXT",
}
"""The options of actions, as on the command line."""


def check_options(action: str, **given: object) -> None:
    """Raise for an unknown action, and for options that it needs or does not take."""
    if action not in ACTIONS:
        raise ValueError(f"no action {action!r}; there are {', '.join(ACTIONS)}")
    options = ACTIONS[action]
    for option, flag in FLAGS.items():
        if given.get(option) and option not in (*options.needed, *options.possible):
            raise InputError(f"{action} takes no {flag}")
        if not given.get(option) and option in options.needed:
            raise InputError(f"{action} needs {flag}")
    if action == "split" and bool(given.get("at")) is bool(given.get("part")):
        raise InputError(f"split needs one of {FLAGS['at']} and {FLAGS['part']}")
