"""Correct a wrapper step by step, and undo steps.

`correct(wrapper, correction, documents)` is the one entry.  A correction names its target by an example: a heading as
on the page, or the dotted path of a section, such as `geography.area.note`.  The end of a path is enough where it is
unique.  For listings and tables the example is the name of a field, or some words of a record.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import Step, Wrapper
from webquarry.page.text_runs import PART
from webquarry.wrapping.field_edits import (
    add_field,
    drop_field,
    is_field,
    join_fields,
    merge_fields,
    move_field,
    rename_field,
    retype_field,
    split_field,
)
from webquarry.wrapping.heading_edits import add_heading, drop_heading, settle_tokens
from webquarry.wrapping.heading_names import is_pattern, matches, pattern_name
from webquarry.wrapping.heading_spots import KeptSamples, list_spots, read_spots
from webquarry.wrapping.listing_examples import add_column
from webquarry.wrapping.listing_samples import static_of
from webquarry.wrapping.section_edits import find_sections, join_sections, move_section, rename_section, retype_section
from webquarry.wrapping.section_samples import Sample
from webquarry.wrapping.undo_steps import apply_undo, write_undo


@dataclass(frozen=True)
class Correction:
    """An action with its example, and the options that it takes (see `ACTIONS`)."""

    action: str
    example: str
    """A heading as on the page, or a pattern of headings such as `Ingredients for *`; the path of a section; the name
    of a field; some words of a record."""
    to: str = ""
    """The section or field to put it in, behind or together with; the type to read it as."""
    at: str = ""
    """The separator to split a field at; what is behind it is the new field."""
    part: str = ""
    """Instead of a separator, a text that is part of a value: the new field."""
    name: str = ""
    """The new name of a section or field."""
    whole_format: bool = False
    """True for all headings of its format; with a path, for those within the same section."""
    page: str = ""
    """A page beside the samples that has the example."""
    record: bool = False
    """True if the example is some words of a record."""


class Options(NamedTuple):
    """The options that an action needs, and those that it takes too."""

    needed: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()


ACTIONS = {
    "add": Options(possible=("to", "name", "whole_format", "page", "record")),
    "drop": Options(possible=("whole_format", "record")),
    "move": Options(needed=("to",)),
    "rename": Options(needed=("name",), possible=("page",)),
    "join": Options(needed=("to",), possible=("page",)),
    "merge": Options(needed=("to",)),
    "retype": Options(needed=("to",)),
    "split": Options(possible=("at", "part", "name")),
    "choose": Options(),
}

Relearn = Callable[[Wrapper, Correction, Sequence[Document]], Wrapper]
"""A function that relearns a listing after its records were corrected, passed in because mining is another stage."""


def correct(
    wrapper: Wrapper,
    action: Correction,
    documents: Sequence[Document],
    page: Document | None = None,
    relearn: Relearn | None = None,
    *,
    kept: KeptSamples | None = None,
) -> Wrapper:
    """Apply an action to a wrapper and append it to the history.

    `documents` are the sample pages, static or rendered as when the wrapper was learnt, `page` is the page that the
    action names beside them.  The fields of listings and tables can be renamed, moved, dropped, retyped, joined, merged
    and split, and those of listings added; `relearn` corrects their records.  `kept` is for those who make many
    corrections on the same documents.
    """
    if not action.example.strip():
        raise InputError("an example is needed: a heading as on the page, or the path of a section or name of a field")
    if wrapper.listing is not None and not _is_about_section(wrapper, action):
        after = _correct_listing(wrapper, action, documents, relearn)
        return _with_step(wrapper, after, action, 1)
    if wrapper.source.kind not in ("sections", "item"):
        raise InputError(
            f"wrapper {wrapper.source.name} has no heading formats to correct (kind {wrapper.source.kind}); "
            "edit its file instead"
        )
    kept, documents = kept or KeptSamples(), documents if page is None else [*documents, page]
    pages = kept.read(wrapper, documents)
    after = _correct_sections(wrapper, action, pages)
    if any(token.signature.endswith(PART) for token in after.tokens):
        pages = kept.read(after, documents)  # a heading within a text is a piece of its own
    _check_no_section_lost(wrapper, after, pages)
    steps = _count_tokens(wrapper, after, pages) + _count_rules(wrapper, after, action)
    return _with_step(wrapper, after, action, steps)


def _is_about_section(wrapper: Wrapper, action: Correction) -> bool:
    """Tell whether an action on an item is about one of its sections rather than a field."""
    if wrapper.source.kind != "item" or not wrapper.tokens or is_field(wrapper, action.example):
        return False
    if action.action == "add":
        return bool(action.to or action.whole_format or action.page)
    return action.action not in ("merge", "split") and bool(find_sections(wrapper, action.example))


def _correct_sections(wrapper: Wrapper, action: Correction, pages: Sequence[Sample]) -> Wrapper:
    example, to, name = action.example, action.to, action.name
    if action.action == "choose" or action.record:
        raise InputError(f"wrapper {wrapper.source.name} reads sections; it has no records to choose, add or drop")
    may_add = bool(action.page) or is_pattern(example)
    match action.action:
        case "add":
            after = add_heading(wrapper, pages, example, to=to, name=name, whole_format=action.whole_format)
        case "drop":
            after = drop_heading(wrapper, pages, example, whole_format=action.whole_format)
        case "move":
            after = move_section(wrapper, pages, example, to)
        case "rename":
            is_known = bool(find_sections(wrapper, example, pages))
            is_new = not is_known and (may_add or _is_heading(wrapper, pages, example))
            after = (
                add_heading(wrapper, pages, example, name=name)
                if is_new
                else rename_section(wrapper, pages, example, name)
            )
        case "join":
            if may_add and not _is_heading(wrapper, pages, example):
                wrapper = add_heading(wrapper, pages, example)
            after = join_sections(wrapper, pages, example, to)
        case "retype":
            after = retype_section(wrapper, pages, example, to)
        case _:
            raise InputError(
                "merge and split are for fields; sections that are one are joined (join EXAMPLE --to SECTION), and a "
                "text in a section becomes a heading by add"
            )
    return settle_tokens(after, pages) if wrapper.method == "ashish" else after


def _is_heading(wrapper: Wrapper, pages: Sequence[Sample], example: str) -> bool:
    """Tell whether an example names a section, or a heading of the pages that the grammar lacks."""
    name = pattern_name(example)
    is_on_page = any(matches(name, spot.name) for spot in list_spots(wrapper, pages))
    return is_on_page or bool(find_sections(wrapper, example, pages))


def _with_step(before: Wrapper, after: Wrapper, action: Correction, steps: int) -> Wrapper:
    step = Step(to_words(action), steps, write_undo(before, after))
    return replace(after, history=(*before.history, step), undone=())


def _correct_listing(
    wrapper: Wrapper, action: Correction, documents: Sequence[Document], relearn: Relearn | None
) -> Wrapper:
    """Correct the records of a listing by relearning it, or else its fields."""
    if relearn is None or not _is_about_records(action):
        return _correct_fields(wrapper, action, documents)
    learnt = relearn(wrapper, action, documents)
    if action.action == "choose":
        return learnt  # another list has other fields
    documents = [document if learnt.source.render else static_of(document) or document for document in documents]
    for step in wrapper.history:
        earlier = read_action(step.action)
        if not _is_about_records(earlier):
            with suppress(InputError):  # a field may be gone with the record that had it
                learnt = _correct_fields(learnt, earlier, documents)
    return learnt


def _is_about_records(action: Correction) -> bool:
    return action.action == "choose" or action.record


def _correct_fields(wrapper: Wrapper, action: Correction, documents: Sequence[Document]) -> Wrapper:
    kind, example, to, name = wrapper.source.kind, action.example, action.to, action.name
    match action.action:
        case "add" if kind == "item" and not action.record:
            after = add_field(wrapper, example, documents, name=name)
        case "add" if kind == "records" and not (to or action.whole_format or action.record):
            after = add_column(wrapper, example, documents, name=name)
        case "drop" if not action.whole_format:
            after = drop_field(wrapper, example, documents)
        case "rename":
            after = rename_field(wrapper, example, name)
        case "retype":
            after = retype_field(wrapper, example, to, documents)
        case "move":
            after = move_field(wrapper, example, to)
        case "join":
            after = join_fields(wrapper, example, to, documents)
        case "merge":
            after = merge_fields(wrapper, example, to, documents)
        case "split":
            after = split_field(wrapper, example, documents, at=action.at, part=action.part, name=name)
        case _:
            added = "" if kind == "tables" else "added by an example, "
            raise InputError(
                f"wrapper {wrapper.source.name} is of kind {kind}: its fields can be {added}renamed, moved, dropped, "
                "retyped, joined, merged and split; for anything else edit its file, or learn it from other pages"
            )
    return after


def undo(wrapper: Wrapper) -> Wrapper:
    """Take back the last correction of a wrapper."""
    if not wrapper.history:
        raise InputError(f"wrapper {wrapper.source.name} has no correction to undo")
    *history, last = wrapper.history
    undone = (last.action, *wrapper.undone)
    return replace(apply_undo(wrapper, last.undo), history=tuple(history), undone=undone)


def redo(
    wrapper: Wrapper,
    documents: Sequence[Document],
    page: Document | None = None,
    relearn: Relearn | None = None,
    *,
    kept: KeptSamples | None = None,
) -> Wrapper:
    """Make the correction again that was undone last; arguments are as for `correct`."""
    if not wrapper.undone:
        raise InputError(f"wrapper {wrapper.source.name} has no correction to redo")
    action, *others = wrapper.undone
    return replace(correct(wrapper, read_action(action), documents, page, relearn, kept=kept), undone=tuple(others))


def undone_page(wrapper: Wrapper) -> str:
    """Return the page beside the samples that the correction named which was undone last; empty if there is none."""
    return read_action(wrapper.undone[0]).page if wrapper.undone else ""


def to_words(correction: Correction) -> str:
    """Write a correction as on the command line.

    >>> to_words(Correction("drop", "note", whole_format=True)), to_words(Correction("move", "total", "geography.area"))
    ('drop "note" --class', 'move "total" --to "geography.area"')
    """
    words = [correction.action, _quote(correction.example)]
    for option in [each.name for each in fields(Correction)][2:]:
        value = getattr(correction, option)
        if option in _FLAGS:
            words += [_FLAGS[option]] * value
        elif value:
            words.append(f"--{option} {_quote(value)}")
    return " ".join(words)


_FLAGS = {"whole_format": "--class", "record": "--record"}


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def read_action(words: str) -> Correction:
    """Read a correction as `to_words` writes it, so that a history can be replayed.

    >>> read_action('move "total" --to "geography.area"').to
    'geography.area'
    """
    action, example, *rest = shlex.split(words)
    options: dict[str, Any] = {name: True for name, flag in _FLAGS.items() if flag in rest}
    pairs = [each for each in rest if each not in _FLAGS.values()]
    options |= {flag.removeprefix("--"): value for flag, value in zip(pairs[::2], pairs[1::2], strict=True)}
    return Correction(action, example, **options)


def _check_no_section_lost(before: Wrapper, after: Wrapper, pages: Sequence[Sample]) -> None:
    """Refuse an action that leaves a section of the sample pages outside the grammar."""
    for page, was, is_ in zip(pages, read_spots(before, pages), read_spots(after, pages), strict=True):
        known = {spot.piece for spot in was if spot.is_section}
        for spot in is_:
            if spot.piece in known and not spot.is_section:
                raise InputError(
                    f'this would leave "{spot.text}" on {page.document.url or "a sample page"} without a section; '
                    "move or drop it first"
                )


def _count_tokens(before: Wrapper, after: Wrapper, pages: Sequence[Sample]) -> int:
    """Count the headings added or deleted on the first page: the paper's user would correct each (section 3)."""
    was, is_ = ({spot.piece for page in read_spots(each, pages[:1]) for spot in page} for each in (before, after))
    return len(was ^ is_)


def _count_rules(before: Wrapper, after: Wrapper, action: Correction) -> int:
    """Count the grammar rules corrected by hand, those whose children differ (section 3 of the paper).

    Rules that change because headings were added or dropped do not count: the paper's system rewrites them.
    """
    if action.action in ("add", "drop"):
        return 0
    if action.action in ("rename", "retype"):
        return 1
    old, new = (
        {
            path: {child.name for child in section.children}
            for path, section in [((), each.grammar), *each.grammar.walk()]
        }
        for each in (before, after)
    )
    return sum(old[path] != new[path] for path in old.keys() & new.keys())
