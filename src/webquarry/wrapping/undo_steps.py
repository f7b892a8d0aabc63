"""Write what takes a correction back, and take it back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, asdict, fields, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, TypeVar

from webquarry.errors import InputError
from webquarry.model.wrapper import FieldRule, ListingRule, Section, TokenFormat, Wrapper

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
