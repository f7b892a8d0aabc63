"""How a table of a database must grow to take further records.

Nothing is lost and nothing is guessed.  Columns that the table lacks are added.  Where its column and the records
disagree about the type, the column becomes text and holds texts: those of the page, for the records that are there too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from webquarry.model import Field
from webquarry.model.naming import snake_case
from webquarry.model.tabling import Column, as_text, beside, kind_of, to_columns
from webquarry.storing.gathering import FETCHED, PAGE, Gathered, Gathering

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
