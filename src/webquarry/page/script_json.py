"""Read the JSON and the literals of JavaScript in scripts, with their faults.

Scripts state data in blocks of JSON, and in the state that an application starts from: Next.js, Nuxt, Apollo, Redux.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from webquarry.model.wording import count

DECODER = json.JSONDecoder(strict=False)  # line breaks in strings are the commonest fault
_WRAPPING = re.compile(r"\A\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>|;)\s*\Z")
_COMMENT = re.compile(r"^[ \t]*+//.*$|/\*[^*]*+\*/", re.MULTILINE)
_EXTRA_COMMA = re.compile(r",(?=\s*[}\]])")
_STRING = r'"((?:[^"\\\n]|\\.)*)"'
_PAIR = re.compile(rf'"(@type|headline|datePublished|dateModified|inLanguage)"\s*:\s*{_STRING}')
_AUTHOR = re.compile(rf'"author"\s*:\s*(?:[\[{{\s]|"(?!name")[@\w]+"\s*:\s*{_STRING}\s*,)*(?:"name"\s*:\s*)?{_STRING}')
_MAX_BROKEN_JSON = 200_000  # characters that are searched; what an article says of itself is never longer
_MAX_FAULT = 80  # characters of a text about a fault

# Literals
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

# States
MAX_STATE = 2_000_000
"""Characters of a state that is read: beyond it are whole databases, which take longer than all the rest of a page."""
_MAX_LITERAL = 400_000  # characters of JavaScript that is read by our own parser, at about 5 MB/s
_MAX_HYDRATED = 100_000  # values of a devalue array; they may share each other without bound
_MAX_HYDRATED_DEPTH = 60  # of them in each other
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
_REFERENCES = frozenset(("Reactive", "ShallowReactive", "Ref", "ShallowRef", "EmptyRef", "EmptyShallowRef"))


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
        if (
            not isinstance(place, int)
            or not 0 <= place < len(self._flat)
            or depth > _MAX_HYDRATED_DEPTH
            or self._left < 0
        ):
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
