"""Where things stand in a TOML file: its parser in Python does not tell.

The text must be TOML that the parser has read, so that no mistake is to be expected in it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

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
