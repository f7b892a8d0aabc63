"""How a table of a database must grow to take further records.

Nothing is lost and nothing is guessed.  Columns that the table lacks are added.  Where its column and the records
disagree about the type, the column becomes text and holds texts: those of the page, for the records that are there too.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webquarry.errors import InputError
from webquarry.model.names import FETCHED, PAGE, snake_case
from webquarry.model.region import Field
from webquarry.model.table_columns import Column, as_text, beside, kind_of, to_columns
from webquarry.storing.atomic_files import translated
from webquarry.storing.results_table import Gathered, Gathering

ANY = "any"
"""The kind of a column that takes every value as it is."""


@dataclass(frozen=True)
class Widening:
    """A column of the table that becomes text."""

    name: str
    texts: str | None
    """The column with the texts of what it holds."""


@dataclass(frozen=True)
class Fit:
    """What the table needs, and what then goes into it."""

    widened: Sequence[Widening]
    added: Sequence[Column]
    columns: Sequence[Column]


def fit(gathered: Gathering, existing: Mapping[str, str]) -> Fit:
    """How these records go into a table with these columns and their kinds; a new table has none.

    Names of the existing columns are folded; a kind may also be a type that is none of ours, which then becomes text.
    """
    incoming = _of_regions(gathered, existing) if isinstance(gathered, Gathered) else gathered.columns()
    return fit_columns([*incoming, gathered.fetched_column()], existing)


def fit_columns(incoming: Sequence[Column], existing: Mapping[str, str]) -> Fit:
    """The same for columns; those that the table has are named as it names them."""
    named = {each.name: each for each in incoming}
    columns = [each if _takes(existing.get(each.name, ANY), each) else _as_text(each, named) for each in incoming]
    widened = [
        Widening(each.name, _texts_of(each.name, existing))
        for each in columns
        if each.kind == "text" and existing.get(each.name, "text") not in ("text", ANY)
    ]
    return Fit(widened, [each for each in columns if each.name not in existing], columns)


def _takes(kind: str, column: Column) -> bool:
    """Whether a column of the table can have the values as they are."""
    if kind == "number" and column.kind == "integer":  # a float cannot tell large integers apart
        return all(not isinstance(value, int) or abs(value) <= 2**53 for value in column.values)
    return _takes_kind(kind, column.kind)


def _takes_kind(kind: str, incoming: str) -> bool:
    """Whether a column of the table takes such values; where there are integers at all, they stand with fractions."""
    return kind in (incoming, ANY) or (kind, incoming) == ("integer", "number")


def without_empty(fitted: Fit) -> Fit:
    """The same without new columns that have no value yet."""
    empty = {each.name for each in fitted.added if all(value is None for value in each.values)}
    return replace(
        fitted,
        added=[each for each in fitted.added if each.name not in empty],
        columns=[each for each in fitted.columns if each.name not in empty],
    )


def _of_regions(gathered: Gathered, existing: Mapping[str, str]) -> list[Column]:
    """The columns of regions, whose names and types are those of the pages that were met."""
    # while a column holds numbers, the names beside it are those of their units and texts
    taken = {name for each, kind in existing.items() if kind not in ("text", ANY) for name in beside(each)}
    fields = gathered.fields(snake_case, {PAGE, FETCHED, *taken})
    # a field without values has no type yet: it would make a column text for nothing
    stored = [_stored(each, existing) for each in fields if any(value is not None for value in each.values)]
    return [gathered.page_column(), *to_columns(stored)]


def _stored(field: Field, existing: Mapping[str, str]) -> Field:
    """The field as the table can take it."""
    kind = kind_of(field)
    if kind == "text":
        return field
    if field.name in existing:
        return field if _takes_kind(existing[field.name], kind) else as_text(field)
    # names beside it that are older than the column itself are not ours to fill
    return as_text(field) if any(name in existing for name in beside(field.name)) else field


def _as_text(column: Column, columns: Mapping[str, Column]) -> Column:
    """The column as the texts of the page, where they stand beside it."""
    texts = columns.get(beside(column.name)[1])
    if texts is not None and column.kind != "text":
        return replace(texts, name=column.name)
    return Column(column.name, "text", [None if value is None else str(value) for value in column.values])


def _texts_of(name: str, existing: Mapping[str, str]) -> str | None:
    """Where the texts of a column are, in a table that we made."""
    texts = beside(name)[1]
    return texts if FETCHED in existing and existing.get(texts) == "text" else None


# MERGED storing/databases: What the files of both databases share: how they are known, named and made.
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
