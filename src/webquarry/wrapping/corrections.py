"""Correct a wrapper step by step, and undo steps.

`correct(wrapper, action, documents)` is the one entry; the actions are the dataclasses below.  Each names its target by
`example`: a heading as on the page, or the dotted path of a section, such as `geography.area.note`.  The end of a path
is enough where it is unique.  For listings and tables it is the name of a field.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from difflib import SequenceMatcher
from typing import Any, TypeVar

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import FieldRule, Section, Step, TokenFormat, Wrapper
from webquarry.wrapping.field_edits import drop_field, rename_field, retype_field
from webquarry.wrapping.grammar_edits import read_pages, read_spots
from webquarry.wrapping.sample_pages import Sample
from webquarry.wrapping.section_edits import join, move, rename, retype
from webquarry.wrapping.token_edits import add, drop

_T = TypeVar("_T")


@dataclass(frozen=True)
class Add:
    """Make a text a heading."""

    example: str
    to: str = ""
    """The section to put it in; by default its format decides."""
    name: str = ""
    """The name of its section, if other than on the page."""
    whole_format: bool = False
    """Make all texts of its format headings."""


@dataclass(frozen=True)
class Drop:
    """Make a heading plain text of the section before it."""

    example: str
    """A text drops the heading everywhere, a path of two names or more only there."""
    whole_format: bool = False
    """Drop all headings of its format; with a path, all of its format within the same section."""


@dataclass(frozen=True)
class Move:
    """Put a section into another one."""

    example: str
    to: str
    """The new parent; the name of the source for the page itself."""


@dataclass(frozen=True)
class Rename:
    """Give a section another name."""

    example: str
    name: str


@dataclass(frozen=True)
class Join:
    """Make a section the same as another, whose name it takes."""

    example: str
    to: str


@dataclass(frozen=True)
class Retype:
    """Read a section or a field as another type."""

    example: str
    to: str
    """text, number, money, date, boolean or list."""


Correction = Add | Drop | Move | Rename | Join | Retype


def correct(wrapper: Wrapper, action: Correction, documents: Sequence[Document]) -> Wrapper:
    """Apply an action to a wrapper and append it to the history.

    `documents` are the sample pages, static or rendered as when the wrapper was learnt.  The fields of listings and
    tables can be renamed, dropped and retyped.
    """
    if not action.example.strip():
        raise InputError("an example is needed: a heading as on the page, or the path of a section or name of a field")
    if wrapper.listing is not None:
        after = _correct_fields(wrapper, action, documents)
        step = Step(to_words(action), 1, _write_undo(wrapper, after))
        return replace(after, history=(*wrapper.history, step))
    if wrapper.source.kind != "sections" or wrapper.method != "format":
        raise InputError(
            f"wrapper {wrapper.source.name} has no heading formats to correct (kind {wrapper.source.kind}, "
            f"method {wrapper.method}); edit its file instead"
        )
    pages = read_pages(wrapper, documents)
    match action:
        case Add(example, to, name, whole_format):
            after = add(wrapper, pages, example, to=to, name=name, whole_format=whole_format)
        case Drop(example, whole_format):
            after = drop(wrapper, pages, example, whole_format=whole_format)
        case Move(example, to):
            after = move(wrapper, pages, example, to)
        case Rename(example, name):
            after = rename(wrapper, pages, example, name)
        case Join(example, to):
            after = join(wrapper, pages, example, to)
        case Retype(example, to):
            after = retype(wrapper, pages, example, to)
    _check_no_section_lost(wrapper, after, pages)
    steps = _count_tokens(wrapper, after, pages) + _count_rules(wrapper, after, action)
    step = Step(to_words(action), steps, _write_undo(wrapper, after))
    return replace(after, history=(*wrapper.history, step))


def _correct_fields(wrapper: Wrapper, action: Correction, documents: Sequence[Document]) -> Wrapper:
    match action:
        case Drop(example, whole_format=False):
            return drop_field(wrapper, example, documents)
        case Rename(example, name):
            return rename_field(wrapper, example, name)
        case Retype(example, to):
            return retype_field(wrapper, example, to, documents)
        case _:
            raise InputError(
                f"wrapper {wrapper.source.name} is of kind {wrapper.source.kind}: its fields can be renamed, dropped "
                "and retyped; for anything else edit its file, or learn it from other pages"
            )


def undo(wrapper: Wrapper) -> Wrapper:
    """Take back the last correction of a wrapper."""
    if not wrapper.history:
        raise InputError(f"wrapper {wrapper.source.name} has no correction to undo")
    *history, last = wrapper.history
    return replace(_apply_undo(wrapper, last.undo), history=tuple(history))


def to_words(action: Correction) -> str:
    """Write an action as on the command line.

    >>> to_words(Drop("note", whole_format=True)), to_words(Move("total", "geography.area"))
    ('drop "note" --class', 'move "total" --to "geography.area"')
    """
    words = [type(action).__name__.lower(), f'"{action.example}"']
    for each in fields(action):
        value = getattr(action, each.name)
        if each.name == "whole_format":
            words += ["--class"] * value
        elif each.name != "example" and value:
            words.append(f'--{each.name} "{value}"')
    return " ".join(words)


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
    if isinstance(action, Add | Drop):
        return 0
    if isinstance(action, Rename | Retype):
        return 1
    old, new = (
        {
            path: {child.name for child in section.children}
            for path, section in [((), each.grammar), *each.grammar.walk()]
        }
        for each in (before, after)
    )
    return sum(old[path] != new[path] for path in old.keys() & new.keys())


_TOKEN, _SECTION, _OTHER, _IGNORED, _FIELD = "token", "section", "other", "ignored", "field"


def _write_undo(before: Wrapper, after: Wrapper) -> str:
    """Write the line difference that turns the new wrapper into the old one.

    A line `@ 12` gives the position; `-` lines are as they are, `+` lines as they were.
    """
    old, new = list(_to_lines(before)), list(_to_lines(after))
    written: list[str] = []
    for tag, start, end, first, last in SequenceMatcher(None, new, old, autojunk=False).get_opcodes():
        if tag != "equal":
            written.append(f"@ {start}")
            written += [f"- {line}" for line in new[start:end]]
            written += [f"+ {line}" for line in old[first:last]]
    return "\n".join(written)


def _apply_undo(wrapper: Wrapper, difference: str) -> Wrapper:
    lines = list(_to_lines(wrapper))
    hunks: list[tuple[int, list[str], list[str]]] = []
    for line in difference.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "@":
            hunks.append((int(rest), [], []))
        elif hunks:
            _, gone, back = hunks[-1]
            (gone if kind == "-" else back).append(rest)
    for start, gone, back in reversed(hunks):
        if lines[start : start + len(gone)] != gone:
            raise InputError(
                f"wrapper {wrapper.source.name} was edited since its last correction, which cannot be undone; "
                "edit the file by hand, or learn the wrapper again"
            )
        lines[start : start + len(gone)] = back
    return _from_lines(wrapper, lines)


def _to_lines(wrapper: Wrapper) -> Iterator[str]:
    """Write what corrections can change, one line for each token, section, name and field."""
    for token in wrapper.tokens:
        yield f"{_TOKEN} {_to_json(token)}"
    for path, section in wrapper.grammar.walk():
        yield f"{_SECTION} {'. ' * len(path)}{_to_json(replace(section, children=()))}"
    yield from (f"{_OTHER} {json.dumps(name)}" for name in wrapper.other)
    yield from (f"{_IGNORED} {json.dumps(signature)}" for signature in wrapper.ignored)
    for field in wrapper.listing.fields if wrapper.listing else ():
        yield f"{_FIELD} {_to_json(field)}"


def _from_lines(wrapper: Wrapper, lines: Sequence[str]) -> Wrapper:
    parts = [line.partition(" ")[::2] for line in lines]
    listed = tuple(_from_json(FieldRule, rest) for kind, rest in parts if kind == _FIELD)
    return replace(
        wrapper,
        listing=replace(wrapper.listing, fields=listed) if wrapper.listing else None,
        tokens=tuple(_from_json(TokenFormat, rest) for kind, rest in parts if kind == _TOKEN),
        grammar=_read_grammar(wrapper.grammar, [rest for kind, rest in parts if kind == _SECTION]),
        other=tuple(json.loads(rest) for kind, rest in parts if kind == _OTHER),
        ignored=tuple(json.loads(rest) for kind, rest in parts if kind == _IGNORED),
    )


def _read_grammar(page: Section, lines: Sequence[str]) -> Section:
    """Rebuild the tree of sections; the dots before a line give its depth."""
    open_sections: list[tuple[Section, list[Section]]] = [(page, [])]

    def close_to(depth: int) -> None:
        while len(open_sections) > depth:
            section, children = open_sections.pop()
            open_sections[-1][1].append(replace(section, children=tuple(children)))

    for line in lines:
        text = line.lstrip(". ")
        close_to((len(line) - len(text)) // 2)
        open_sections.append((_from_json(Section, text), []))
    close_to(1)
    return replace(page, children=tuple(open_sections[0][1]))


def _to_json(noun: TokenFormat | Section | FieldRule) -> str:
    """Write the attributes that differ from their defaults."""
    values: dict[str, Any] = {}
    for each in fields(noun):
        value = getattr(noun, each.name)
        if each.default is MISSING or value != each.default:
            values[each.name] = value
    return json.dumps(values)


def _from_json(noun: type[_T], text: str) -> _T:
    values = json.loads(text)
    return noun(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})
