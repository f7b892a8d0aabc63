"""A table of a wrapper file, whose mistakes are noted while it is asked for its values."""

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

# MERGED wrapping/files/lines: Where things stand in a TOML file: its parser in Python does not tell.
# MERGED
# MERGED The text must be TOML that the parser has read, so that no mistake is to be expected in it.
Path = tuple[str | int, ...]
"""Keys from the file inwards, with the number of the table, from 0, behind the name of an array of tables."""

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
    """Where a key or the head of a table stands."""

    line: int
    """From 1."""
    value: str = ""
    """What is written for it."""

    @property
    def inner_line(self) -> int | None:
        """The line of the first line of its text, whose lines are those of the file; None when they are not."""
        quotes = self.value[:3]
        if quotes not in ('"""', "'''"):
            return None
        if quotes == '"""' and re.search(r"\\[ \t]*\n|\\n", self.value):
            return None
        return self.line + 1 if self.value[3:4] == "\n" else self.line


@dataclass(frozen=True)
class _Statement:
    line: int
    pieces: list[str]


def find_places(text: str) -> dict[Path, Place]:
    """The place of each table and each key of a file; those of tables within a line are left out."""
    places: dict[Path, Place] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    for statement in _statements(text):
        pieces = statement.pieces
        if pieces[0] == "[":
            is_array = pieces[1] == "["
            inner = pieces[2:-2] if is_array else pieces[1:-1]
            table = _table(_keys("".join(inner)), counts, is_array=is_array)
            _note(places, table, 0, Place(statement.line))
        else:
            at = pieces.index("=")
            path = (*table, *_keys("".join(pieces[:at])))
            _note(places, path, len(table), Place(statement.line, "".join(pieces[at + 1 :])))
    return places


def _note(places: dict[Path, Place], path: Path, known: int, place: Place) -> None:
    """Note the place of a path, and of what it is in where that has none of its own."""
    for size in range(known + 1, len(path) + 1):
        places.setdefault(path[:size], place)


def _statements(text: str) -> Iterator[_Statement]:
    """The keys with their values, and the heads of tables."""
    line, depth, start = 1, 0, 1
    pieces: list[str] = []
    for piece in _PIECE.finditer(text + "\n"):
        kind, written = piece.lastgroup, piece[0]
        if kind == "mark":
            depth += (written in "[{") - (written in "]}")
            if written == "\n" and depth == 0:
                if pieces:
                    yield _Statement(start, pieces)
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
    """The path of a table by the keys in its head; a new one of an array of tables is counted."""
    path: Path = ()
    for place, key in enumerate(keys, start=1):
        path = (*path, key)
        if is_array and place == len(keys):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


# MERGED wrapping/files/faults: What is wrong with a wrapper file, gathered so that all of it is told at once
class Faults:
    """The mistakes of a file, each with its line; the text is only looked through once there is one."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._text = text
        self._found: list[tuple[int, str]] = []

    def note(self, path: Path, text: str) -> None:
        """Note what is wrong with what stands at a path, or would stand there."""
        self.note_line(self._place(path).line, text)

    def note_line(self, line: int, text: str) -> None:
        """Note what is wrong with a line."""
        self._found.append((line, text))

    def note_within(self, path: Path, inner: int, text: str) -> None:
        """Note what is wrong with a line, from 0, of the text at a path."""
        place = self._place(path)
        first = place.inner_line
        self.note_line(place.line if first is None else first + inner, text)

    def raise_any(self) -> None:
        """Raise what was noted."""
        if self._found:
            raise self.error()

    def error(self) -> WrapperError:
        """What was noted, in the order of the lines."""
        where = f"{self._name}:" if self._name else "line "
        in_order = sorted(self._found, key=lambda fault: fault[0])
        return WrapperError([f"{where}{line}: {text}" for line, text in in_order])

    @cached_property
    def _places(self) -> dict[Path, Place]:
        return find_places(self._text)

    def _place(self, path: Path) -> Place:
        while path:
            if path in self._places:
                return self._places[path]
            path = path[:-1]
        return Place(1)


_KINDS = {
    bool: "true or false",
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a table",
    datetime: "a time",
    date: "a date",
    time: "a time",
}
_EXAMPLES = {str: '"..."', int: "1"}


class Table:
    """Gives values of the right type; a default stands for one that is missing or wrong."""

    def __init__(self, values: dict[str, Any], path: Path, faults: Faults) -> None:
        self._values = values
        self._path = path
        self._faults = faults
        self._asked: list[str] = []

    def has(self, key: str) -> bool:
        """Whether there is something for a key."""
        return key in self._values

    def pass_over(self, key: str) -> None:
        """Take a key for known, whatever its value."""
        self._asked.append(key)

    def fault(self, key: str, text: str) -> None:
        """Note what is wrong with the value of a key."""
        self._faults.note((*self._path, key), text)

    def fault_within(self, key: str, inner: int, text: str) -> None:
        """Note what is wrong with a line, from 0, of the text of a key."""
        self._faults.note_within((*self._path, key), inner, text)

    def text(self, key: str, default: str | None = "", *, of: Sequence[str] = ()) -> str:
        """The text of a key: one of those that are known, when they are given; without a default it must be there."""
        value = self._value(key, str, default)
        if value is None:
            return ""
        if of and value not in of:
            self.fault(key, f"`{key}` cannot be {shown(value)}; it is one of {', '.join(of)}{did_you_mean(value, of)}")
        return str(value)

    def number(self, key: str, default: int | None) -> int:
        """The whole number of a key; without a default it must be there."""
        value = self._value(key, int, default)
        return 0 if value is None else int(value)

    def truth(self, key: str) -> bool:
        """Whether a key is true; without it, it is not."""
        return bool(self._value(key, bool, False))

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts in the list of a key."""
        values = self._value(key, list, [])
        wrong = next((value for value in values if not isinstance(value, str)), None)
        if wrong is not None:
            self.fault(key, f"`{key}` must be a list of texts in quotes, and holds {_kind(wrong)}")
        return tuple(value for value in values if isinstance(value, str))

    def table(self, key: str) -> Table:
        """The table of a key; an empty one without it."""
        return Table(self._value(key, dict, {}), (*self._path, key), self._faults)

    def tables(self, key: str) -> list[Table]:
        """The tables that stand under a key in double brackets."""
        self.pass_over(key)
        values = self._values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            self.fault(key, f"`{key}` must be one table or more; write [[{'.'.join(self._names(key))}]] above each")
            return []
        return [Table(value, (*self._path, key, number), self._faults) for number, value in enumerate(values)]

    def close(self) -> None:
        """Note all keys that nobody has asked for."""
        for key in self._values:
            if key not in self._asked:
                hint = did_you_mean(key, self._asked) or f"; there can be {', '.join(self._asked)}"
                self.fault(key, f"`{key}` is not known {self._where()}{hint}")

    def leaves(self) -> Iterator[tuple[tuple[str, ...], Table]]:
        """All keys that hold no table, with the names that lead there; each with the table that it is in."""
        tables: list[tuple[tuple[str, ...], Table]] = [((), self)]
        while tables:
            names, table = tables.pop()
            for key, value in table._values.items():
                if isinstance(value, dict):
                    tables.append(((*names, key), table.table(key)))
                else:
                    yield (*names, key), table

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
    """A question after the known word that is nearest; nothing when none is near."""
    near = get_close_matches(word, known, n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def shown(value: str) -> str:
    """A text of the file fit for a line: in quotes, and not too long."""
    return repr(value if len(value) <= 60 else f"{value[:60]}…")


def _kind(value: object) -> str:
    return shown(value) if isinstance(value, str) else _KINDS[type(value)]


# MERGED wrapping/files/spelling: Single values as TOML spells them, in the form that is easiest to read.
WIDTH = 110
"""Columns; longer lists and rules are broken."""
_INDENT = "    "
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r", "\\": r"\\", '"': r"\""}


def spell_text(text: str) -> str:
    r"""The text in quotes, on one line.

    >>> print(spell_text("café"), spell_text('drop "note"'), spell_text("no\u00a0break"))
    "café" 'drop "note"' "no\u00A0break"
    """
    if ('"' in text or "\\" in text) and "'" not in text and text.isprintable():
        return f"'{text}'"
    return f'"{_escape(text)}"'


def spell_block(text: str) -> str:
    """The text in three quotes, its lines as they are; a single line as it is spelled elsewhere."""
    if "\n" not in text:
        return spell_text(text)
    if "'''" not in text and text[-1] != "'" and all(mark in "\n\t" or mark.isprintable() for mark in text):
        return f"'''\n{text}'''"
    lines = "\n".join(map(_escape, text.split("\n")))
    return f'"""\n{lines}"""'


def spell_list(texts: Sequence[str], *, before: int) -> str:
    """The texts in brackets, on lines of their own when they do not fit behind the `before` characters of their key."""
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
    """The text with what cannot be seen written out; pages are full of spaces that do not break."""
    return "".join(mark if mark.isprintable() and mark not in _SHORT else _written_out(mark) for mark in text)


def _written_out(mark: str) -> str:
    code = ord(mark)
    return _SHORT.get(mark) or (f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}")
