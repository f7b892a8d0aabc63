"""Parse JSON and literals of JavaScript as pages write them, with their faults."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

DECODER = json.JSONDecoder(strict=False)  # line breaks in strings are the commonest fault
_WRAPPING = re.compile(r"\A\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>|;)\s*\Z")
_COMMENT = re.compile(r"^[ \t]*+//.*$|/\*[^*]*+\*/", re.MULTILINE)
_EXTRA_COMMA = re.compile(r",(?=\s*[}\]])")
_STRING = r'"((?:[^"\\\n]|\\.)*)"'
_PAIR = re.compile(rf'"(@type|headline|datePublished|dateModified|inLanguage)"\s*:\s*{_STRING}')
_AUTHOR = re.compile(rf'"author"\s*:\s*(?:[\[{{\s]|"(?!name")[@\w]+"\s*:\s*{_STRING}\s*,)*(?:"name"\s*:\s*)?{_STRING}')
_MAX_BROKEN_JSON = 200_000  # characters that are searched; what an article says of itself is never longer
_MAX_FAULT = 80  # characters of a text about a fault


class Parsed(NamedTuple):
    """A value, and what was wrong with its text; empty if nothing."""

    value: Any
    fault: str


def parse_json(text: str) -> Parsed:
    """Parse JSON leniently.

    Comments, extra commas and line breaks in strings are ignored. Of a text that is broken beyond that, the first of
    each plain statement is read, as one object; None when there is none.

    >>> parse_json('{"headline": "A", }').value, parse_json('{"headline": "A" "author": {"name": "B"}').value
    ({'headline': 'A'}, {'headline': 'A', 'author': 'B'})
    >>> parse_json('{"headline": "A" "author": {"name": "B"}').fault
    "broken JSON: Expecting ',' delimiter: line 1 column 18 (char 17)"
    """
    fault = ""
    for repair in (str.strip, _repair_json):
        try:
            return Parsed(DECODER.decode(repair(text)), "")
        except (ValueError, RecursionError) as error:
            fault = fault or f"broken JSON: {str(error)[:_MAX_FAULT]}"
    return Parsed(_salvage(text[:_MAX_BROKEN_JSON]), fault if text.strip() else "empty block")


def _repair_json(text: str) -> str:
    return _EXTRA_COMMA.sub("", _COMMENT.sub("", _WRAPPING.sub("", text)))


def _salvage(text: str) -> dict[str, str] | None:
    """Read the first of each plain statement about an article."""
    found: dict[str, str] = {}
    for name, string in _PAIR.findall(text):
        found.setdefault(name, _unquote(string))
    if author := _AUTHOR.search(text):
        found["author"] = _unquote(author[2])
    return found or None


def _unquote(string: str) -> str:
    try:
        return str(DECODER.decode(f'"{string}"'))
    except ValueError:
        return string


_SPACE = re.compile(r"(?>(?:\s|//[^\n]*+|/\*.*?\*/)*)", re.DOTALL)
_QUOTED = {
    '"': re.compile(r'"((?>(?:[^"\\]|\\.)*))"', re.DOTALL),
    "'": re.compile(r"'((?>(?:[^'\\]|\\.)*))'", re.DOTALL),
    "`": re.compile(r"`((?>(?:[^`\\$]|\\.|\$(?!\{))*))`", re.DOTALL),
}
_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}
_PREFIXES = re.compile(r"!0|!1|void 0|new (?:Date|Map|Set|URL)\(")
_MAX_DEPTH = 120  # literals in each other; deeper ones are an attack on the stack


def parse_literal(text: str, start: int, names: Mapping[str, Any] | None = None) -> tuple[Any, int]:
    """Parse the literal of JavaScript at a place; return it with the place behind it.

    Names that `names` lacks are None.  Raises ValueError where there is no literal.

    >>> parse_literal("x = {a: 'b', c: [!0, void 0, d,], e: -1.5}; y()", 4, {"d": 4})
    ({'a': 'b', 'c': [True, None, 4], 'e': -1.5}, 42)
    """
    return _Literals(text, {**_WORDS, **(names or {})}).value(start, 0)


class _Literals:
    """Parses literals of one text, by recursive descent."""

    def __init__(self, text: str, names: Mapping[str, Any]) -> None:
        self._text, self._names = text, names

    def value(self, place: int, depth: int) -> tuple[Any, int]:
        place = self._skip(place)
        mark = self._text[place : place + 1]
        if depth > _MAX_DEPTH or not mark:
            raise ValueError(f"no literal at character {place}")
        if mark == "{":
            return self._object(place + 1, depth + 1)
        if mark == "[":
            return self._listed(place + 1, "]", depth + 1)
        if mark in _QUOTED:
            return self._string(place)
        if match := _PREFIXES.match(self._text, place):
            return self._prefixed(match, depth)
        if match := _NUMBER.match(self._text, place):
            return _to_number(match[0]), match.end()
        if match := _WORD.match(self._text, place):
            return self._names.get(match[0]), match.end()
        raise ValueError(f"no literal at character {place}")

    def _skip(self, place: int) -> int:
        match = _SPACE.match(self._text, place)
        return match.end() if match else place

    def _object(self, place: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        while True:
            place = self._skip(place)
            if self._text[place : place + 1] == "}":
                return found, place + 1
            name, place = self._key(place)
            place = self._skip(place)
            if self._text[place : place + 1] != ":":
                raise ValueError(f"no colon at character {place}")
            found[name], place = self.value(place + 1, depth)
            place = self._after_comma(place, "}")

    def _key(self, place: int) -> tuple[str, int]:
        if self._text[place : place + 1] in ('"', "'"):
            return self._string(place)
        match = _WORD.match(self._text, place) or _NUMBER.match(self._text, place)
        if match is None:
            raise ValueError(f"no name at character {place}")
        return match[0], match.end()

    def _listed(self, place: int, end: str, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        while True:
            place = self._skip(place)
            if self._text[place : place + 1] == end:
                return found, place + 1
            value, place = self.value(place, depth)
            found.append(value)
            place = self._after_comma(place, end)

    def _after_comma(self, place: int, end: str) -> int:
        place = self._skip(place)
        mark = self._text[place : place + 1]
        if mark == ",":
            return place + 1
        if mark != end:
            raise ValueError(f"no comma at character {place}")
        return place

    def _string(self, place: int) -> tuple[str, int]:
        match = _QUOTED[self._text[place]].match(self._text, place)
        if match is None:
            raise ValueError(f"string without end at character {place}")
        return _unescape(match[1]), match.end()

    def _prefixed(self, match: re.Match[str], depth: int) -> tuple[Any, int]:
        if not match[0].startswith("new"):
            return {"!0": True, "!1": False}.get(match[0]), match.end()
        values, place = self._listed(match.end(), ")", depth + 1)
        return (values[0] if values else None), place

    def arguments(self, place: int) -> list[Any]:
        return self._listed(place, ")", 0)[0]


def parse_arguments(text: str, start: int) -> list[Any]:
    """Parse the literals of a call, from behind its opening parenthesis."""
    return _Literals(text, _WORDS).arguments(start)


def _to_number(text: str) -> float | None:
    if text.lower().lstrip("+-").startswith("0x"):
        return int(text, 16)
    parse: Callable[[str], float] = int if text.lstrip("+-").isdecimal() and len(text) < 20 else float
    return parse(text)


def _unescape(string: str) -> str:
    return _ESCAPE.sub(_escaped, string) if "\\" in string else string


def _escaped(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    if not digits:
        return _ESCAPED.get(match[4], match[4])
    code = int(digits, 16)
    return chr(code) if code <= 0x10FFFF else "\ufffd"
