"""A correction as a step of the wrapper's history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from webquarry.errors import InputError
from webquarry.model import Document, Step, Wrapper
from webquarry.wrapping.corrections.actions import Add, Correction, Drop, Join, Move, Rename, to_words
from webquarry.wrapping.corrections.adding import add
from webquarry.wrapping.corrections.dropping import drop
from webquarry.wrapping.corrections.joining import join
from webquarry.wrapping.corrections.moving import move
from webquarry.wrapping.corrections.pages import read_pages, read_spots
from webquarry.wrapping.corrections.renaming import rename
from webquarry.wrapping.corrections.undoing import apply_undo, write_undo
from webquarry.wrapping.samples import Sample

_ACTIONS: dict[type, Callable[[Wrapper, Any, Sequence[Sample]], Wrapper]] = {
    Add: add,
    Drop: drop,
    Move: move,
    Rename: rename,
    Join: join,
}


def correct(wrapper: Wrapper, action: Correction, documents: Sequence[Document]) -> Wrapper:
    """The wrapper after an action; `documents` are its sample pages, static or rendered as it was learnt."""
    _check(wrapper, action)
    pages = read_pages(wrapper, documents)
    after = _ACTIONS[type(action)](wrapper, action, pages)
    _check_sections(wrapper, after, pages)
    steps = _count_tokens(wrapper, after, pages) + _count_rules(wrapper, after, action)
    step = Step(to_words(action), steps, write_undo(wrapper, after))
    return replace(after, history=(*wrapper.history, step))


def undo(wrapper: Wrapper) -> Wrapper:
    """The wrapper as it was before its last correction."""
    if not wrapper.history:
        raise InputError(f"the wrapper {wrapper.source.name} has no correction to undo")
    *history, last = wrapper.history
    return replace(apply_undo(wrapper, last.undo), history=tuple(history))


def _check(wrapper: Wrapper, action: Correction) -> None:
    if wrapper.source.kind != "sections" or wrapper.method != "format":
        raise InputError(
            f"the wrapper {wrapper.source.name} has no formats of headings to correct: it is of the kind "
            f"{wrapper.source.kind}, by the method {wrapper.method}; edit its file instead"
        )
    if not action.example.strip():
        raise InputError("an example is needed: a heading as on the page, or the path of a section")


def _check_sections(before: Wrapper, after: Wrapper, pages: Sequence[Sample]) -> None:
    """Refuse an action by which headings of the sample pages that were sections are in none of the grammar."""
    for page, was, is_ in zip(pages, read_spots(before, pages), read_spots(after, pages), strict=True):
        known = {spot.piece for spot in was if spot.is_section}
        for spot in is_:
            if spot.piece in known and not spot.is_section:
                raise InputError(
                    f'by that "{spot.text}" on {page.document.url or "a sample page"} would be in no section; '
                    "move or drop it first"
                )


def _count_tokens(before: Wrapper, after: Wrapper, pages: Sequence[Sample]) -> int:
    """The headings that were added or deleted on the first page, as the paper's user would have had to."""
    was, is_ = ({spot.piece for page in read_spots(each, pages[:1]) for spot in page} for each in (before, after))
    return len(was ^ is_)


def _count_rules(before: Wrapper, after: Wrapper, action: Correction) -> int:
    """The rules that were corrected by hand: those that name other sections than before.

    Rules that change with the headings in them are not: the paper's system writes them anew.
    """
    if isinstance(action, Add | Drop):
        return 0
    if isinstance(action, Rename):
        return 1
    old, new = (_rules(each) for each in (before, after))
    return sum(old[path] != new[path] for path in old.keys() & new.keys())


def _rules(wrapper: Wrapper) -> dict[tuple[str, ...], set[str]]:
    rules = {(): {child.name for child in wrapper.grammar.children}}
    return rules | {path: {child.name for child in section.children} for path, section in wrapper.grammar.walk()}
