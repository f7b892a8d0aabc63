"""Read TOML tables and collect all mistakes with their lines; spell TOML values.

`tomllib` does not tell where a key is, so `find_places` finds the lines once there is a mistake.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from webquarry.errors import WrapperError

WIDTH = 110
"""Columns; longer lists and rules are broken."""
Path = tuple[str | int, ...]
"""Keys from the file inwards; the name of an array of tables is followed by the table's number, from 0."""
_POSITION = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_KINDS = {
    bool: "true or false",
    str: "a string in quotes",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a table",
    datetime: "a time",
    date: "a date",
    time: "a time",
}
_EXAMPLES = {str: '"..."', int: "1"}


def open_toml(text: str, name: str = "") -> Table:
    """Parse a file; raise WrapperError, with the line, if it is not TOML.  `name` is the file's, for error texts."""
    faults = _Faults(name, text)
    try:
        return Table(tomllib.loads(text), (), faults)
    except (ValueError, RecursionError) as error:  # numbers with too many digits, lists nested too deep
        position = _POSITION.search(str(error))
        line = 1 if position is None else int(position[1] or text.rstrip().count("\n") + 1)
        what = _POSITION.sub("", str(error))
        advice = "fix this first, other mistakes are reported after that"
        if text.lstrip().startswith("<"):
            advice = "this seems to be a page; name the wrapper first, then its pages"
        faults.note(line, f"not valid TOML ({what}); {advice}")
        raise faults.error() from error


class Table:
    """A table that gives values of the expected type, with a default for those that are missing or wrong.

    Mistakes are collected; `finish` of the outermost table raises all of them at once.
    """

    def __init__(self, values: dict[str, Any], path: Path, faults: _Faults) -> None:
        self._values = values
        self._path = path
        self._faults = faults
        self._asked: list[str] = []
        self._inner: list[Table] = []

    def has(self, key: str) -> bool:
        """Tell whether the table has a key."""
        return key in self._values

    def skip(self, key: str) -> None:
        """Accept a key, whatever its value."""
        self._asked.append(key)

    def fault(self, key: str, text: str) -> None:
        """Note a mistake in the value of a key."""
        self._faults.note(self._faults.place((*self._path, key)).line, text)

    def fault_within(self, key: str, inner: int, text: str) -> None:
        """Note a mistake in a line, from 0, of the string of a key."""
        place = self._faults.place((*self._path, key))
        first = place.inner_line
        self._faults.note(place.line if first is None else first + inner, text)

    def text(self, key: str, default: str | None = "", *, of: Sequence[str] = ()) -> str:
        """Return the string of a key, if given one of `of`; it is required if `default` is None."""
        value = self._value(key, str, default)
        if value is None:
            return ""
        if of and value not in of:
            self.fault(key, f"`{key}` cannot be {shown(value)}; use one of {', '.join(of)}{did_you_mean(value, of)}")
        return str(value)

    def number(self, key: str, default: int | None) -> int:
        """Return the whole number of a key; it is required if `default` is None."""
        value = self._value(key, int, default)
        return 0 if value is None else int(value)

    def truth(self, key: str) -> bool:
        """Return whether a key is true; false if it is missing."""
        return bool(self._value(key, bool, False))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the strings in the list of a key."""
        values = self._value(key, list, [])
        wrong = next((value for value in values if not isinstance(value, str)), None)
        if wrong is not None:
            self.fault(key, f"`{key}` must be a list of strings in quotes, but contains {_kind(wrong)}")
        return tuple(value for value in values if isinstance(value, str))

    def is_list(self, key: str) -> bool:
        """Tell whether the value of a key is a list."""
        return isinstance(self._values.get(key), list)

    def table(self, key: str) -> Table:
        """Return the table of a key; an empty one if it is missing."""
        return self._open(self._value(key, dict, {}), key)

    def tables(self, key: str) -> list[Table]:
        """Return the tables under a key in double brackets."""
        self.skip(key)
        values = self._values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            self.fault(key, f"`{key}` must be one table or more; write [[{'.'.join(self._names(key))}]] above each")
            return []
        return [self._open(value, key, number) for number, value in enumerate(values)]

    def leaves(self) -> Iterator[tuple[tuple[str, ...], Table]]:
        """Walk all keys that are not tables: each with the names that lead to it, and its table."""
        tables: list[tuple[tuple[str, ...], Table]] = [((), self)]
        while tables:
            names, table = tables.pop()
            for key, value in table._values.items():
                table.skip(key)
                if isinstance(value, dict):
                    tables.append(((*names, key), table.table(key)))
                else:
                    yield (*names, key), table

    def finish(self) -> None:
        """Raise all mistakes, with the keys that were never asked for."""
        self._check_keys()
        self.raise_faults()

    def raise_faults(self) -> None:
        """Raise the mistakes noted so far."""
        if self._faults.found:
            raise self._faults.error()

    def _check_keys(self) -> None:
        for key in self._values:
            if key not in self._asked:
                hint = did_you_mean(key, self._asked) or f"; known keys are {', '.join(self._asked)}"
                self.fault(key, f"unknown key `{key}` {self._where()}{hint}")
        for table in self._inner:
            table._check_keys()

    def _open(self, values: dict[str, Any], *keys: str | int) -> Table:
        self._inner.append(Table(values, (*self._path, *keys), self._faults))
        return self._inner[-1]

    def _names(self, *keys: str) -> list[str]:
        return [part for part in (*self._path, *keys) if isinstance(part, str)]

    def _where(self) -> str:
        return f"in [{'.'.join(self._names())}]" if self._path else "at the top"

    def _value(self, key: str, kind: type, default: Any) -> Any:
        self._asked.append(key)
        if key not in self._values:
            if default is None:
                self.fault(key, f"`{key}` is missing {self._where()}; write {key} = {_EXAMPLES[kind]}")
            return default
        value = self._values[key]
        if type(value) is kind:  # true is a whole number to Python
            return value
        self.fault(key, f"`{key}` must be {_KINDS[kind]}, not {_kind(value)}")
        return default


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Suggest the nearest known word; empty if none is near."""
    near = get_close_matches(word, known, n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def shown(value: str) -> str:
    """Quote a string of the file for an error text, cut to 60 characters."""
    return repr(value if len(value) <= 60 else f"{value[:60]}…")


def _kind(value: object) -> str:
    return shown(value) if isinstance(value, str) else _KINDS[type(value)]


class _Faults:
    """The mistakes of a file with their lines."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self._text = name, text
        self.found: list[tuple[int, str]] = []

    def note(self, line: int, text: str) -> None:
        self.found.append((line, text))

    def place(self, path: Path) -> Place:
        """Find where a key is, or else the table around it."""
        while path:
            if path in self._places:
                return self._places[path]
            path = path[:-1]
        return Place(1)

    def error(self) -> WrapperError:
        where = f"{self._name}:" if self._name else "line "
        in_order = sorted(self.found, key=lambda fault: fault[0])
        return WrapperError([f"{where}{line}: {text}" for line, text in in_order])

    @cached_property
    def _places(self) -> dict[Path, Place]:
        return find_places(self._text)


_PIECE = re.compile(
    r'''
    (?P<string> """(?>(?:[^"\\]++|\\.|"(?!""))*)"{3,5} | \'\'\'(?>(?:[^']++|'(?!\'\'))*)'{3,5}
              | "(?>(?:[^"\\]++|\\.)*)" | '[^']*+' )
  | (?P<comment> \#[^\n]*+ )
  | (?P<mark> [\[\]{}=\n] )
  | (?P<plain> [^"'#\[\]{}=\n]++ )
    ''',
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Place:
    """The line of a key or table header."""

    line: int
    """From 1."""
    value: str = ""
    """The value as written."""

    @property
    def inner_line(self) -> int | None:
        """The line on which its string begins, if the lines of the string are lines of the file."""
        quotes = self.value[:3]
        if quotes not in ('"""', "'''"):
            return None
        if quotes == '"""' and re.search(r"\\[ \t]*\n|\\n", self.value):
            return None
        return self.line + 1 if self.value[3:4] == "\n" else self.line


def find_places(text: str) -> dict[Path, Place]:
    """Find each table and key of a file that is valid TOML; keys of inline tables are left out."""
    places: dict[Path, Place] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    for line, pieces in _statements(text):
        if pieces[0] == "[":
            is_array = pieces[1] == "["
            inner = pieces[2:-2] if is_array else pieces[1:-1]
            table = _table(_keys("".join(inner)), counts, is_array=is_array)
            _note(places, table, 0, Place(line))
        else:
            at = pieces.index("=")
            path = (*table, *_keys("".join(pieces[:at])))
            _note(places, path, len(table), Place(line, "".join(pieces[at + 1 :])))
    return places


def _note(places: dict[Path, Place], path: Path, known: int, place: Place) -> None:
    """Note the place of a path, and of the tables around it that have no header."""
    for size in range(known + 1, len(path) + 1):
        places.setdefault(path[:size], place)


def _statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """Split a file into keys with values, and table headers: the line and the pieces of each."""
    line, depth, start = 1, 0, 1
    pieces: list[str] = []
    for piece in _PIECE.finditer(text + "\n"):
        kind, written = piece.lastgroup, piece[0]
        if kind == "mark":
            depth += (written in "[{") - (written in "]}")
            if written == "\n" and depth == 0:
                if pieces:
                    yield start, pieces
                pieces = []
        if kind != "comment" and written.strip():
            start = start if pieces else line
            pieces.append(written.strip())
        line += written.count("\n")


def _keys(written: str) -> tuple[str, ...]:
    keys = []
    values: object = tomllib.loads(f"{written} = 0")
    while isinstance(values, dict):
        ((key, values),) = values.items()
        keys.append(key)
    return tuple(keys)


def _table(keys: tuple[str, ...], counts: dict[Path, int], *, is_array: bool) -> Path:
    """Turn the keys of a table header into a path; count the tables of an array."""
    path: Path = ()
    for place, key in enumerate(keys, start=1):
        path = (*path, key)
        if is_array and place == len(keys):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


_INDENT = "    "
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r", "\\": r"\\", '"': r"\""}


def spell_text(text: str) -> str:
    r"""Quote a text on one line.

    >>> print(spell_text("café"), spell_text('drop "note"'), spell_text("no\u00a0break"))
    "café" 'drop "note"' "no\u00A0break"
    """
    if ('"' in text or "\\" in text) and "'" not in text and text.isprintable():
        return f"'{text}'"
    return f'"{_escape(text)}"'


def spell_block(text: str) -> str:
    """Quote a text of several lines in triple quotes; one line as in `spell_text`."""
    if "\n" not in text:
        return spell_text(text)
    if "'''" not in text and text[-1] != "'" and all(mark in "\n\t" or mark.isprintable() for mark in text):
        return f"'''\n{text}'''"
    lines = "\n".join(map(_escape, text.split("\n")))
    return f'"""\n{lines}"""'


def spell_list(texts: Sequence[str], *, before: int) -> str:
    """Spell a list; broken into lines if it does not fit behind the `before` characters of its key."""
    spelled = [spell_text(text) for text in texts]
    line = f"[{', '.join(spelled)}]"
    if before + len(line) <= WIDTH:
        return line
    lines = [""]
    for text in spelled:
        if lines[-1] and len(_INDENT) + len(f"{lines[-1]} {text},") > WIDTH:
            lines.append("")
        lines[-1] += f" {text}," if lines[-1] else f"{text},"
    return "\n".join(["[", *(_INDENT + line for line in lines), "]"])


def _escape(text: str) -> str:
    """Escape what is invisible: pages are full of no-break spaces."""

    def escape(mark: str) -> str:
        code = ord(mark)
        return _SHORT.get(mark) or (f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}")

    return "".join(mark if mark.isprintable() and mark not in _SHORT else escape(mark) for mark in text)
