"""Correct a wrapper step by step, and undo steps.

`correct(wrapper, action, documents)` is the one entry; the actions are the dataclasses below.  Each names its target by
`example`: a heading as on the page, or the dotted path of a section, such as `geography.area.note`.  The end of a path
is enough where it is unique.  For listings and tables it is the name of a field, or some words of a record.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import MISSING, asdict, dataclass, fields, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, TypeVar, cast, get_args

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import FieldRule, ListingRule, Section, Step, TokenFormat, Wrapper
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
from webquarry.wrapping.heading_edits import add, drop, settle_tokens
from webquarry.wrapping.listing_examples import add_column
from webquarry.wrapping.listing_samples import static_of
from webquarry.wrapping.outline import KeptSamples, read_spots
from webquarry.wrapping.section_edits import find_sections, join, move, rename, retype
from webquarry.wrapping.section_headings import is_pattern, matches, pattern_name
from webquarry.wrapping.section_samples import Sample


@dataclass(frozen=True)
class Add:
    """Make a text a heading; of a listing or an item, a value of a new field.

    A field of a listing that has the name already is taught the example.
    """

    example: str
    to: str = ""
    """The section to put it in; by default its format decides."""
    name: str = ""
    """The name of its section, if other than on the page."""
    whole_format: bool = False
    """Make all texts of its format headings."""
    page: str = ""
    """A page beside the samples that has the example."""
    record: bool = False
    """In a listing: make the element with these words a record."""


@dataclass(frozen=True)
class Drop:
    """Make a heading plain text of the section before it."""

    example: str
    """A text drops the heading everywhere, a path of two names or more only there."""
    whole_format: bool = False
    """Drop all headings of its format; with a path, all of its format within the same section."""
    record: bool = False
    """In a listing: the record with these words is not a record."""


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
    """A pattern, such as `Ingredients for *`, names all headings that fit it."""
    name: str
    page: str = ""
    """A page beside the samples that has the example."""


@dataclass(frozen=True)
class Join:
    """Make a section the same as another, whose name it takes."""

    example: str
    """A pattern, such as `Ingredients for *`, joins all headings that fit it."""
    to: str
    page: str = ""
    """A page beside the samples that has the example."""


@dataclass(frozen=True)
class Retype:
    """Read a section or a field as another type."""

    example: str
    to: str
    """text, number, money, date, boolean or list."""


@dataclass(frozen=True)
class Merge:
    """Make one field of two, whose texts follow each other; it has the name of the second."""

    example: str
    to: str


@dataclass(frozen=True)
class Split:
    """Make two fields of one, whose text has a separator."""

    example: str
    at: str = ""
    """The separator; what is behind it is the new field."""
    part: str = ""
    """Instead of a separator, a text that is part of a value: the new field."""
    name: str = ""
    """The name of the new field."""


@dataclass(frozen=True)
class Choose:
    """Take the list that has a record with these words instead of the present one."""

    example: str


Correction = Add | Drop | Move | Rename | Join | Merge | Split | Retype | Choose
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
    if isinstance(action, Add):
        return bool(action.to or action.whole_format or action.page)
    return not isinstance(action, Merge | Split) and bool(find_sections(wrapper, action.example))


def _correct_sections(wrapper: Wrapper, action: Correction, pages: Sequence[Sample]) -> Wrapper:
    match action:
        case Choose() | Add(record=True) | Drop(record=True):
            raise InputError(f"wrapper {wrapper.source.name} reads sections; it has no records to choose, add or drop")
        case Add(example, to, name, whole_format):
            after = add(wrapper, pages, example, to=to, name=name, whole_format=whole_format)
        case Drop(example, whole_format):
            after = drop(wrapper, pages, example, whole_format=whole_format)
        case Move(example, to):
            after = move(wrapper, pages, example, to)
        case Rename(example, name, page):
            is_known = bool(find_sections(wrapper, example, read_spots(wrapper, pages)))
            is_new = not is_known and (page or is_pattern(example) or _is_heading(wrapper, pages, example))
            after = add(wrapper, pages, example, name=name) if is_new else rename(wrapper, pages, example, name)
        case Join(example, to, page):
            if not _is_heading(wrapper, pages, example) and (page or is_pattern(example)):
                wrapper = add(wrapper, pages, example)
            after = join(wrapper, pages, example, to)
        case Retype(example, to):
            after = retype(wrapper, pages, example, to)
        case Merge() | Split():
            raise InputError(
                "merge and split are for fields; sections that are one are joined (join EXAMPLE --to SECTION), and a "
                "text in a section becomes a heading by add"
            )
    return settle_tokens(after, pages) if wrapper.method == "ashish" else after


def _is_heading(wrapper: Wrapper, pages: Sequence[Sample], example: str) -> bool:
    """Tell whether an example names a section, or a heading of the pages that the grammar lacks."""
    spots, name = read_spots(wrapper, pages), pattern_name(example)
    is_on_page = any(matches(name, spot.name) for page in spots for spot in page)
    return is_on_page or bool(find_sections(wrapper, example, spots))


def _with_step(before: Wrapper, after: Wrapper, action: Correction, steps: int) -> Wrapper:
    step = Step(to_words(action), steps, write_undo(before, after))
    return replace(after, history=(*before.history, step), undone=())


def _correct_listing(
    wrapper: Wrapper, action: Correction, documents: Sequence[Document], relearn: Relearn | None
) -> Wrapper:
    """Correct the records of a listing by relearning it, or else its fields."""
    is_about_records = isinstance(action, Choose) or (isinstance(action, Add | Drop) and action.record)
    if not is_about_records or relearn is None:
        return _correct_fields(wrapper, action, documents)
    learnt = relearn(wrapper, action, documents)
    if isinstance(action, Choose):
        return learnt  # another list has other fields
    documents = [document if learnt.source.render else static_of(document) or document for document in documents]
    for step in wrapper.history:
        earlier = read_action(step.action)
        if not isinstance(earlier, Choose) and not getattr(earlier, "record", False):
            with suppress(InputError):  # a field may be gone with the record that had it
                learnt = _correct_fields(learnt, earlier, documents)
    return learnt


def _correct_fields(wrapper: Wrapper, action: Correction, documents: Sequence[Document]) -> Wrapper:
    match action:
        case Add(example, name=name, record=False) if wrapper.source.kind == "item":
            after = add_field(wrapper, example, documents, name=name)
        case Add(example, to="", name=name, whole_format=False, record=False) if wrapper.source.kind == "records":
            after = add_column(wrapper, example, documents, name=name)
        case Drop(example, whole_format=False):
            after = drop_field(wrapper, example, documents)
        case Rename(example, name):
            after = rename_field(wrapper, example, name)
        case Retype(example, to):
            after = retype_field(wrapper, example, to, documents)
        case Move(example, to):
            after = move_field(wrapper, example, to)
        case Join(example, to):
            after = join_fields(wrapper, example, to, documents)
        case Merge(example, to):
            after = merge_fields(wrapper, example, to, documents)
        case Split(example, at, part, name):
            after = split_field(wrapper, example, documents, at=at, part=part, name=name)
        case _:
            added = "" if wrapper.source.kind == "tables" else "added by an example, "
            raise InputError(
                f"wrapper {wrapper.source.name} is of kind {wrapper.source.kind}: its fields can be {added}renamed, "
                "moved, dropped, retyped, joined, merged and split; for anything else edit its file, or learn it from "
                "other pages"
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
    return getattr(read_action(wrapper.undone[0]), "page", "") if wrapper.undone else ""


def to_words(action: Correction) -> str:
    """Write an action as on the command line.

    >>> to_words(Drop("note", whole_format=True)), to_words(Move("total", "geography.area"))
    ('drop "note" --class', 'move "total" --to "geography.area"')
    """
    words = [type(action).__name__.lower(), _quote(action.example)]
    for each in fields(action):
        value = getattr(action, each.name)
        if each.name in _FLAGS:
            words += [_FLAGS[each.name]] * value
        elif each.name != "example" and value:
            words.append(f"--{each.name} {_quote(value)}")
    return " ".join(words)


_FLAGS = {"whole_format": "--class", "record": "--record"}


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def read_action(words: str) -> Correction:
    """Read an action as `to_words` writes it, so that a history can be replayed.

    >>> read_action('move "total" --to "geography.area"')
    Move(example='total', to='geography.area')
    """
    verb, example, *rest = shlex.split(words)
    made = next(each for each in get_args(Correction) if each.__name__.lower() == verb)
    options: dict[str, Any] = {name: True for name, flag in _FLAGS.items() if flag in rest}
    pairs = [each for each in rest if each not in _FLAGS.values()]
    options |= {flag.removeprefix("--"): value for flag, value in zip(pairs[::2], pairs[1::2], strict=True)}
    return cast("Correction", made(example, **options))


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


_T = TypeVar("_T")
_INNER_RULES = ("instead", "more")
_TOKEN, _SECTION, _OTHER, _IGNORED = "token", "section", "other", "ignored"
_LISTING, _FIELD, _RENDERED = "listing", "field", "rendered"


def write_undo(before: Wrapper, after: Wrapper) -> str:
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


def apply_undo(wrapper: Wrapper, difference: str) -> Wrapper:
    """Turn a wrapper back into the one that the difference was written for."""
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
    if wrapper.listing is not None:
        yield f"{_LISTING} {_to_json(replace(wrapper.listing, fields=()))}"
        yield from (f"{_FIELD} {_to_json(field)}" for field in wrapper.listing.fields)
    if wrapper.source.render:
        yield _RENDERED


def _from_lines(wrapper: Wrapper, lines: Sequence[str]) -> Wrapper:
    parts = [line.partition(" ")[::2] for line in lines]
    listed = tuple(_from_json(FieldRule, rest) for kind, rest in parts if kind == _FIELD)
    listing = next((_from_json(ListingRule, rest) for kind, rest in parts if kind == _LISTING), None)
    return replace(
        wrapper,
        source=replace(wrapper.source, render=any(kind == _RENDERED for kind, _ in parts)),
        listing=replace(listing, fields=listed) if listing else None,
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


@lru_cache(maxsize=4096)  # a correction changes a few of hundreds
def _to_json(noun: TokenFormat | Section | FieldRule | ListingRule) -> str:
    """Write the attributes that differ from their defaults."""
    values: dict[str, Any] = {}
    for each in fields(noun):
        value = getattr(noun, each.name)
        if each.default is MISSING or value != each.default:
            values[each.name] = [asdict(rule) for rule in value] if each.name in _INNER_RULES else value
    return json.dumps(values)


def _from_json(noun: type[_T], text: str) -> _T:
    return noun(**_from_values(json.loads(text)))


def _from_values(values: dict[str, Any]) -> dict[str, Any]:
    for name, value in values.items():
        if name in _INNER_RULES:
            values[name] = tuple(FieldRule(**_from_values(rule)) for rule in value)
        elif isinstance(value, list):
            values[name] = tuple(value)
    return values
