"""Read the state that scripts of a page start from: Next.js, Nuxt, Apollo, Redux and blocks of JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from webquarry.model.wording import count
from webquarry.page.lenient_json import DECODER, Parsed, parse_arguments, parse_json, parse_literal

MAX_STATE = 2_000_000
"""Characters of a state that is read: beyond it are whole databases, which take longer than all the rest of a page."""
_MAX_LITERAL = 400_000  # characters of JavaScript that is read by our own parser, at about 5 MB/s
_MAX_HYDRATED = 100_000  # values of a devalue array; they may share each other without bound
_MAX_DEPTH = 60  # of them in each other

_ASSIGNED = (
    # each begins with plain characters, which makes searching megabytes of scripts quick
    re.compile(
        r"__(?=[A-Za-z_]{0,40}(?:STATE|DATA|NUXT|PROPS|STORE|CACHE|[sS]tate|[dD]ata|[pP]rops|[sS]tore))"
        r"""\w{1,60}+(?:["']\])?\s*+=(?![=>])\s*+"""
    ),
    *(
        re.compile(
            rf"""{word}(?<!\w{word})_?(?:STATE|DATA|PROPS|State|Data|Props)\w{{0,60}}+(?:["']\])?\s*+=(?![=>])\s*+"""
        )
        for word in ("INITIAL", "PRELOADED", "initial", "preloaded")
    ),
)
"""Assignments to names that frameworks and their users give to states."""
_FUNCTION = re.compile(r"\(\s*function\s*\(([\w$,\s]*)\)\s*\{")
_PARSED_TEXT = re.compile(r"JSON\.parse\(\s*")
_PUSHED = re.compile(r"self\.__next_f\.push\(\s*")
_ROW = re.compile(r"^([0-9a-f]{1,6}):(?=[\[{])(.+)$", re.MULTILINE)
_NUXT_ID = "__NUXT_DATA__"


def read_state(text: str, *, kind: str, name: str) -> Iterator[Parsed]:
    """Read the states of a script with this `type` and `id`.

    >>> [parsed.value for parsed in read_state('window.__STATE__ = {a: [1]};', kind="", name="")]
    [{'a': [1]}]
    """
    is_json = "json" in kind
    if kind and not is_json and "javascript" not in kind and kind != "module":
        return
    if len(text) > MAX_STATE:
        if is_json or "__next_f" in text or any(pattern.search(text) for pattern in _ASSIGNED):
            yield Parsed(None, f"state of {len(text):,} characters is too long")
        return
    if is_json:
        parsed = parse_json(text)
        yield Parsed(hydrate(parsed.value), parsed.fault) if name == _NUXT_ID else parsed
        return
    if "__next_f" in text:
        yield from _read_rows(text)
    else:
        for pattern in _ASSIGNED:
            yield from _read_assigned(text, pattern)


def _read_assigned(text: str, pattern: re.Pattern[str]) -> Iterator[Parsed]:
    """Read the values that are assigned to names of states."""
    place = 0
    while match := pattern.search(text, place):
        place = match.end()
        mark = text[place : place + 1]
        if mark not in ("{", "[", "(", "J"):
            continue
        try:
            value, place = _read_value(text, place)
        except (ValueError, RecursionError) as error:
            if mark != "(" or _FUNCTION.match(text, place):  # any expression may stand in parentheses
                yield Parsed(None, f"broken state: {str(error)[:80]}")
            continue
        if isinstance(value, dict | list) and value:
            yield Parsed(value, "")


def _read_value(text: str, place: int) -> tuple[Any, int]:
    if match := _PARSED_TEXT.match(text, place):
        string, end = parse_literal(text, match.end())
        parsed = parse_json(string) if isinstance(string, str) else Parsed(None, "")
        if parsed.value is None and parsed.fault:
            raise ValueError(parsed.fault)
        return parsed.value, end
    if match := _FUNCTION.match(text, place):
        return _call(text, match)
    if text[place] in "(J":
        return None, place + 1
    try:
        value, end = DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        if len(text) - place > _MAX_LITERAL:
            raise
        value, end = parse_literal(text, place)
    return value, end


def _call(text: str, function: re.Match[str]) -> tuple[Any, int]:
    """Read what a function returns that is called at once with literals, as Nuxt 2 writes its state."""
    start = text.find("return", function.end())
    end = text.rfind("}(")
    end = max(end, text.rfind("})(") + 1)
    if start < 0 or end < start or len(text) > _MAX_LITERAL:
        raise ValueError("a function without a literal")
    given = parse_arguments(text, text.index("(", end) + 1)
    names = [name.strip() for name in function[1].split(",")]
    return parse_literal(text, start + len("return"), dict(zip(names, given, strict=False)))[0], len(text)


def _read_rows(text: str) -> Iterator[Parsed]:
    """Read the rows that Next.js pushes for React's server components; those split over scripts are not read."""
    place = unread = 0
    while match := _PUSHED.search(text, place):
        try:
            pushed, place = DECODER.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            place = match.end()
            unread += 1
            continue
        if isinstance(pushed, list) and len(pushed) > 1 and isinstance(pushed[1], str):
            for row in _ROW.finditer(pushed[1]):
                try:
                    yield Parsed({row[1]: DECODER.decode(row[2])}, "")
                except (ValueError, RecursionError):
                    unread += 1
    if unread:
        yield Parsed(None, f"broken state: {count(unread, 'row')} of JSON cannot be read")


_REFERENCES = frozenset(("Reactive", "ShallowReactive", "Ref", "ShallowRef", "EmptyRef", "EmptyShallowRef"))


def hydrate(flat: Any) -> Any:
    """Resolve an array as the library devalue writes it: objects hold the places of their values.

    >>> hydrate([{"name": 1, "tags": 2}, "Kettle", [1, 3], ["Date", "2026-01-02"]])
    {'name': 'Kettle', 'tags': ['Kettle', '2026-01-02']}
    """
    return _Hydration(flat).resolve(0, 0) if isinstance(flat, list) and flat else flat


class _Hydration:
    """Resolves the places in one array."""

    def __init__(self, flat: list[Any]) -> None:
        self._flat, self._left = flat, _MAX_HYDRATED

    def resolve(self, place: Any, depth: int) -> Any:
        self._left -= 1
        if not isinstance(place, int) or not 0 <= place < len(self._flat) or depth > _MAX_DEPTH or self._left < 0:
            return None
        value = self._flat[place]
        if isinstance(value, dict):
            return {name: self.resolve(each, depth + 1) for name, each in value.items()}
        if not isinstance(value, list):
            return value
        if value and isinstance(value[0], str):
            return self._unwrap(value[0], value[1:], depth + 1)
        return [self.resolve(each, depth + 1) for each in value]

    def _unwrap(self, kind: str, given: list[Any], depth: int) -> Any:
        if kind in _REFERENCES:
            return self.resolve(given[0], depth) if given else None
        if kind == "Set":
            return [self.resolve(each, depth) for each in given]
        if kind in ("Map", "null"):
            names = [self.resolve(each, depth) if kind == "Map" else each for each in given[::2]]
            return {str(name): self.resolve(each, depth) for name, each in zip(names, given[1::2], strict=False)}
        return given[0] if given and isinstance(given[0], str) else None
