"""What takes a correction back: the difference of a wrapper before and after, line by line.

A wrapper is written as lines of what corrections change; the difference goes from the new lines to the old ones.
A line `@ 12` says where, `-` lines are as they are, `+` lines as they were.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, fields, replace
from difflib import SequenceMatcher
from typing import Any, TypeVar

from webquarry.errors import InputError
from webquarry.model.wrapper import Section, TokenFormat, Wrapper

_TOKEN, _SECTION, _OTHER, _IGNORED = "token", "section", "other", "ignored"
_T = TypeVar("_T")


def write_undo(before: Wrapper, after: Wrapper) -> str:
    """The lines that make of a wrapper the one that it was."""
    old, new = list(_write(before)), list(_write(after))
    written: list[str] = []
    for tag, start, end, first, last in SequenceMatcher(None, new, old, autojunk=False).get_opcodes():
        if tag != "equal":
            written.append(f"@ {start}")
            written += [f"- {line}" for line in new[start:end]]
            written += [f"+ {line}" for line in old[first:last]]
    return "\n".join(written)


def apply_undo(wrapper: Wrapper, undo: str) -> Wrapper:
    """The wrapper as it was; refused when it was changed otherwise since."""
    lines = list(_write(wrapper))
    for start, gone, back in reversed(list(_hunks(undo))):
        if lines[start : start + len(gone)] != gone:
            raise InputError(
                f"the wrapper {wrapper.source.name} was edited since its last correction, which cannot be taken back; "
                "make the change that you want, or learn it again"
            )
        lines[start : start + len(gone)] = back
    return _read(wrapper, lines)


def _hunks(undo: str) -> Iterator[tuple[int, list[str], list[str]]]:
    gone: list[str] = []
    back: list[str] = []
    start = None
    for line in undo.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "@":
            if start is not None:
                yield start, gone, back
            start, gone, back = int(rest), [], []
        else:
            (gone if kind == "-" else back).append(rest)
    if start is not None:
        yield start, gone, back


def _write(wrapper: Wrapper) -> Iterator[str]:
    for token in wrapper.tokens:
        yield f"{_TOKEN} {_to_json(token)}"
    for path, section in wrapper.grammar.walk():
        yield f"{_SECTION} {'. ' * len(path)}{_to_json(replace(section, children=()))}"
    yield from (f"{_OTHER} {json.dumps(name)}" for name in wrapper.other)
    yield from (f"{_IGNORED} {json.dumps(signature)}" for signature in wrapper.ignored)


def _read(wrapper: Wrapper, lines: Sequence[str]) -> Wrapper:
    parts = [line.partition(" ")[::2] for line in lines]
    return replace(
        wrapper,
        tokens=tuple(_from_json(TokenFormat, rest) for kind, rest in parts if kind == _TOKEN),
        grammar=_read_grammar(wrapper.grammar, [rest for kind, rest in parts if kind == _SECTION]),
        other=tuple(json.loads(rest) for kind, rest in parts if kind == _OTHER),
        ignored=tuple(json.loads(rest) for kind, rest in parts if kind == _IGNORED),
    )


def _read_grammar(page: Section, lines: Sequence[str]) -> Section:
    open_sections: list[tuple[Section, list[Section]]] = [(page, [])]

    def close() -> None:
        section, children = open_sections.pop()
        open_sections[-1][1].append(replace(section, children=tuple(children)))

    for line in lines:
        text = line.lstrip(". ")
        depth = (len(line) - len(text)) // 2
        while len(open_sections) > depth:
            close()
        open_sections.append((_from_json(Section, text), []))
    while len(open_sections) > 1:
        close()
    return replace(page, children=tuple(open_sections[0][1]))


def _to_json(noun: TokenFormat | Section) -> str:
    """What is not as by default."""
    said: dict[str, Any] = {}
    for each in fields(noun):
        value = getattr(noun, each.name)
        if each.default is MISSING or value != each.default:
            said[each.name] = value
    return json.dumps(said)


def _from_json(noun: type[_T], text: str) -> _T:
    said = json.loads(text)
    return noun(**{name: tuple(value) if isinstance(value, list) else value for name, value in said.items()})
