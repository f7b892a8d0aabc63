"""Grow the tables of databases to take further records, and check files and names of databases.

No value is lost or guessed.  Columns that the table lacks are added.  Where a column and the records
disagree about the type, the column becomes text, also for the records already there: the texts of the page.
"""

from __future__ import annotations

import os
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.errors import InputError
from webquarry.model.names import FETCHED, PAGE, quote_name, snake_case
from webquarry.model.table_columns import (
    DATA,
    Column,
    Field,
    as_text,
    companions,
    has_ranges,
    kind_of,
    to_arrow,
    to_columns,
    to_structures,
    upper_end,
)
from webquarry.storing.result_files import Target, Unfinished, translated
from webquarry.storing.results_table import RecordTable, RegionTable, is_shown

if TYPE_CHECKING:
    import pyarrow as pa

ANY = "any"
"""The kind of a column that takes every value as it is."""
LOCK_SECONDS = 10.0
"""Seconds to wait for another program that has the database locked."""

_MARKS = (("SQLite", 0, b"SQLite format 3\0"), ("DuckDB", 8, b"DUCK"))  # system, offset, bytes
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@dataclass(frozen=True)
class Widening:
    """A column of the table that must become text."""

    name: str
    texts: str | None
    """The column with the texts of its values, if any."""


@dataclass(frozen=True)
class Fit:
    """The changes that a table needs, and the columns to insert then."""

    widened: Sequence[Widening]
    added: Sequence[Column]
    columns: Sequence[Column]


def fit(
    records: RecordTable,
    existing: Mapping[str, str],
    *,
    with_data: bool = True,
    spell: Callable[[str], str] = snake_case,
) -> Fit:
    """Fit records into a table with these columns and kinds; a new table has none.

    Without data, what pages state but do not show is left out, for a database that has structures.  Names of fields
    are spelled as `spell` does.

    Names of the existing columns are folded.  A kind may be a foreign type of the database, which becomes text.
    """
    if isinstance(records, RegionTable):
        incoming = _columns_of_regions(records, existing, spell, with_data=with_data)
    else:
        incoming = records.columns()
    return fit_columns([*incoming, records.fetched_column()], existing)


def region_rows(
    records: RegionTable, existing: Mapping[str, str], spell: Callable[[str], str] = snake_case
) -> pa.Table:
    """Make the rows of regions for a table with these columns and kinds; stated data are a column of structures."""
    stated = records.data_columns(spell)
    rows = to_arrow(fit(records, existing, with_data=not stated, spell=spell).columns)
    if not stated:
        return rows
    data = to_arrow(stated)
    structures = to_structures(dict(zip(data.column_names, data.columns, strict=True)))
    return rows.append_column(DATA.rstrip("."), structures)


def fit_columns(incoming: Sequence[Column], existing: Mapping[str, str]) -> Fit:
    """Fit columns into a table; those that the table has must be named as there."""
    named = {each.name: each for each in incoming}
    columns = [each if _takes(existing.get(each.name, ANY), each) else _as_text(each, named) for each in incoming]
    widened = [
        Widening(each.name, _texts_of(each.name, existing))
        for each in columns
        if each.kind == "text" and existing.get(each.name, "text") not in ("text", ANY)
    ]
    return Fit(widened, [each for each in columns if each.name not in existing], columns)


def _takes(kind: str, column: Column) -> bool:
    """Tell whether a column of the table can take the values as they are."""
    if kind == "number" and column.kind == "integer":  # floats cannot distinguish larger integers
        return all(not isinstance(value, int) or abs(value) <= 2**53 for value in column.values)
    return _takes_kind(kind, column.kind)


def _takes_kind(kind: str, incoming: str) -> bool:
    """Tell whether a column of the table takes such values; SQLite's integer columns also take fractions."""
    return kind in (incoming, ANY) or (kind, incoming) == ("integer", "number")


def without_empty(fitted: Fit) -> Fit:
    """Leave out new columns that have no value yet."""
    empty = {each.name for each in fitted.added if all(value is None for value in each.values)}
    return replace(
        fitted,
        added=[each for each in fitted.added if each.name not in empty],
        columns=[each for each in fitted.columns if each.name not in empty],
    )


def _columns_of_regions(
    records: RegionTable, existing: Mapping[str, str], spell: Callable[[str], str], *, with_data: bool
) -> list[Column]:
    """Make the columns of regions, whose names and types depend on the pages."""
    # a typed column of the table reserves the names of its companions
    typed = [name for name, kind in existing.items() if kind not in ("text", ANY)]
    taken = {each for name in typed for each in companions(name)}
    taken |= {upper_end(name) for name in typed if _is_upper_end(upper_end(name), existing[name], existing)}
    if with_data:
        fields = records.fields(spell, {PAGE, FETCHED, *taken})
    else:
        fields = records.fields(spell, {PAGE, FETCHED, DATA.rstrip("."), *taken}, is_shown)
    # a field without values has no type, and would turn a column into text for nothing
    stored = [_stored(each, existing) for each in fields if any(value is not None for value in each.values)]
    return [records.page_column(), *to_columns(stored, values_only=records.values_only)]


def _stored(field: Field, existing: Mapping[str, str]) -> Field:
    """Reduce a field to text if the table cannot take its type."""
    kind = kind_of(field)
    if kind == "text":
        return field
    end = upper_end(field.name)
    if end in existing and has_ranges(field) and not _is_upper_end(end, kind, existing):
        field = _without_ranges(field)
    if field.name in existing:
        return field if _takes_kind(existing[field.name], kind) else as_text(field)
    # companions that are older than the column itself are columns of their own
    return as_text(field) if any(name in existing for name in companions(field.name)) else field


def _is_upper_end(name: str, kind: str, existing: Mapping[str, str]) -> bool:
    """Tell whether a column holds upper ends of ranges: a column that pages name so has its texts beside it."""
    return existing.get(name) == kind and companions(name)[1] not in existing


def _without_ranges(field: Field) -> Field:
    """Reduce ranges to their lower ends; the texts say the rest."""
    return replace(field, typed=tuple(value and replace(value, to=None) for value in field.typed))


def _as_text(column: Column, columns: Mapping[str, Column]) -> Column:
    """Turn a column into text: the texts of the page, if there is a column with them."""
    texts = columns.get(companions(column.name)[1])
    if texts is not None and column.kind != "text":
        return replace(texts, name=column.name)
    return Column(column.name, "text", [None if value is None else str(value) for value in column.values])


def _texts_of(name: str, existing: Mapping[str, str]) -> str | None:
    """Find the column with the texts of a column, in a table that we made."""
    texts = companions(name)[1]
    return texts if FETCHED in existing and existing.get(texts) == "text" else None


def folded(name: str) -> str:
    """Fold a name as both databases compare names: the case of A to Z does not count."""
    return name.translate(_LOWER)


def check_table_name(path: Target, table: str | None) -> str:
    """Raise if the name of the table is missing or unusable; return it."""
    if table is None or not table.strip():
        raise InputError(f"{path}: a database needs the name of a table; name one with --table")
    if "\0" in table or not table.isprintable():
        raise InputError(f"{path}: {table!r} cannot be the name of a table; name another with --table")
    return table


def resolve_file(path: Path, system: str) -> Path:
    """Resolve the path of a database; raise if there is a file that is not one of this system."""
    path = path.resolve()
    if not path.exists():
        return path
    with translated(path):
        if not path.is_file():
            raise InputError(f"{path}: is not a file; name one with -o")
        with path.open("rb") as file:
            start = file.read(16)
    found = next((name for name, place, mark in _MARKS if start[place : place + len(mark)] == mark), None)
    # an empty file is an empty SQLite database, and one whose writer was killed may begin with zeros until it is opened
    if found != system and (system != "SQLite" or start.strip(b"\0")):
        what = f"is a {found} database, not {system}" if found else f"is not a {system} database"
        raise InputError(f"{path}: {what}; the file was not changed; name another one with -o")
    return path


def write_changes(
    table: str, fitted: Fit, types: Mapping[str, str], widen: Callable[[Widening], Iterable[str]], *, is_new: bool
) -> Iterator[str]:
    """Write the SQL that makes or changes a table; `types` and `widen` are those of the database."""
    if is_new:
        columns = ", ".join(f"{quote_name(each.name)} {types[each.kind]}" for each in fitted.added)
        yield f"CREATE TABLE {table} ({columns})"
        return
    for widening in fitted.widened:
        yield from widen(widening)
    for each in fitted.added:
        yield f"ALTER TABLE {table} ADD COLUMN {quote_name(each.name)} {types[each.kind]}"


def write_database(path: Path, write: Callable[[Path], None]) -> None:
    """Call `write` with the file of a database to add to; a new one is put in its place when it is complete.

    So a first write that fails leaves no file behind, which the next run could not open.
    """
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            write(path)
            return
        unfinished = Unfinished(path.parent, is_folder=True)
        try:
            made = unfinished.path / path.name
            write(made)
            if not _put(made, path):
                write(path)  # another run made it meanwhile
        finally:
            unfinished.remove()


def _put(made: Path, path: Path) -> bool:
    """Put a file in its place, unless there is one already."""
    try:
        os.link(made, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        made.replace(path)
    return True


def refused(path: Path, table: str | None, reason: object) -> InputError:
    """Word the error of a database that refuses records, or cannot be opened."""
    first = str(reason).partition("\n")[0].rstrip(".")
    what = f"the database refused the records, so table {table} is unchanged" if table else "cannot use the database"
    return InputError(f"{path}: {what}: {first}; fix that, or name another --table or -o")


def locked(path: Path) -> InputError:
    """Word the error of a database that another program has open."""
    return InputError(f"{path}: another program has locked the database; close it there, then run this again")
