"""What the files of both databases share: how they are known, named and made."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from webquarry.errors import InputError
from webquarry.storing.faults import translated
from webquarry.storing.fitting import Fit, Widening

WAIT = 10.0
"""Seconds to wait for another program that has the database locked."""

_MARKS = (("SQLite", 0, b"SQLite format 3\0"), ("DuckDB", 8, b"DUCK"))
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def quoted(name: str) -> str:
    """A name so that SQL takes it for a name, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def folded(name: str) -> str:
    """The name as both databases compare names: the case of A to Z does not count."""
    return name.translate(_LOWER)


def check_table_name(path: Path, table: str | None) -> str:
    """The name of the table, which must be one."""
    if table is None or not table.strip():
        raise InputError(f"{path}: a database needs the name of a table; name one with --table")
    if "\0" in table or not table.isprintable():
        raise InputError(f"{path}: {table!r} cannot be the name of a table; name another with --table")
    return table


def prepare(path: Path, system: str) -> Path:
    """The path that is meant; a file that is there must be a database of the system."""
    path = path.resolve()
    if not path.exists():
        return path
    with translated(path):
        if not path.is_file():
            raise InputError(f"{path}: is no file; name one with -o")
        with path.open("rb") as file:
            start = file.read(16)
    found = next((name for name, place, mark in _MARKS if start[place : place + len(mark)] == mark), None)
    # to SQLite a file without bytes is empty, and one whose writer was killed may begin with zeros until it is opened
    if found != system and (system != "SQLite" or start.strip(b"\0")):
        is_what = f"is a {found} database, no {system} one" if found else f"is no {system} database"
        raise InputError(f"{path}: {is_what}; it was left as it is: name another file with -o")
    return path


def shaping(
    table: str, fitted: Fit, types: Mapping[str, str], widen: Callable[[Widening], Iterable[str]], *, is_new: bool
) -> Iterator[str]:
    """The statements that make a table as the records need it; `types` and `widen` are how the system says it."""
    if is_new:
        columns = ", ".join(f"{quoted(each.name)} {types[each.kind]}" for each in fitted.added)
        yield f"CREATE TABLE {table} ({columns})"
        return
    for widening in fitted.widened:
        yield from widen(widening)
    for each in fitted.added:
        yield f"ALTER TABLE {table} ADD COLUMN {quoted(each.name)} {types[each.kind]}"


def make_folder(path: Path) -> None:
    """Make the folder that the file will be in."""
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)


def refusal(path: Path, table: str | None, reason: object) -> InputError:
    """What to say when the database refuses records for a table, or everything."""
    first = str(reason).partition("\n")[0].rstrip(".")
    what = (
        f"table {table} is as it was, for the database refused the records" if table else "the database cannot be used"
    )
    return InputError(f"{path}: {what}: {first}; mend that, or name another --table or -o")


def in_use(path: Path) -> InputError:
    """What to say when another program has the database."""
    return InputError(f"{path}: another program has the database open and locked; close it there, then run this again")
