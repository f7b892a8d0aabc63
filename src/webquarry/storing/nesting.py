"""How a DuckDB table with sections in sections must grow to take further records.

As in `fitting.py` nothing is lost and nothing is guessed: sections that a STRUCT lacks are added to it, and where types
differ texts of the page take the place of values; but numbers stay numbers.  A section that had no sub-sections and has
some becomes a STRUCT with its text as `_text`.  What is a list on one side alone fits in no way.

A type is the name of one, a mapping for a STRUCT, and a list of one type for a LIST.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from webquarry.model.tabling import beside
from webquarry.model.wrapper import TEXT
from webquarry.storing.databases import folded, quoted

Type = str | dict[str, "Type"] | list["Type"]
_TEXT = "VARCHAR"
_NOTHING = '"NULL"'  # the type of a column of NULLs that nobody gave one
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")  # each holds the values of those before
_UNSIGNED = ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")


class Misfit(Exception):  # noqa: N818 - it says what it is
    """A column is a list on one side alone."""


def type_of(given: Any) -> Type:
    """What a DuckDBPyType is, with names of fields as DuckDB compares them."""
    if given.id == "struct":
        return {folded(name): type_of(each) for name, each in given.children}
    if given.id == "list":
        return [type_of(given.children[0][1])]
    return str(given)


def join(old: Type, new: Type, column: str) -> Type:
    """The type that holds the values of both."""
    if old == new:
        return old
    if isinstance(old, list) and isinstance(new, list):
        return [join(old[0], new[0], column)]
    if isinstance(old, list) or isinstance(new, list):
        raise Misfit(f"column {column} is a list on one side alone")
    if isinstance(old, str) and isinstance(new, str):
        return _join_names(old, new)
    return join_fields(_as_fields(old), _as_fields(new), f"{column}.")


def _join_names(old: str, new: str) -> str:
    """The type of single values that holds those of both; as in all of SQL, fractions make floats of numbers."""
    if _NOTHING in (old, new):
        return new if old == _NOTHING else old
    if old in _INTEGERS and new in _INTEGERS:
        return max(old, new, key=_INTEGERS.index)
    if {old, new} <= {*_INTEGERS, *_UNSIGNED}:
        return _INTEGERS[-1]
    return "DOUBLE" if _is_number(old) and _is_number(new) else _TEXT


def _is_number(name: str) -> bool:
    return name in (*_INTEGERS, *_UNSIGNED, "FLOAT", "DOUBLE") or name.startswith("DECIMAL")


def join_fields(old: Mapping[str, Type], new: Mapping[str, Type], above: str = "") -> dict[str, Type]:
    """The fields of both, those of the old one first."""
    joined = {name: join(each, new[name], above + name) if name in new else each for name, each in old.items()}
    return {**joined, **{name: each for name, each in new.items() if name not in old}}


def changes(table: str, old: Mapping[str, Type], joined: Mapping[str, Type]) -> Iterator[str]:
    """The statements that give a table its further columns, and its columns their further sections."""
    for name, each in joined.items():
        if name not in old:
            yield f"ALTER TABLE {table} ADD COLUMN {quoted(name)} {_sql(each)}"
    widened = {name: converted(name, old, each) for name, each in joined.items() if name in old and old[name] != each}
    for name, expression in widened.items():
        yield f"ALTER TABLE {table} ALTER {quoted(name)} SET DATA TYPE {_sql(joined[name])} USING {expression}"


def converted(name: str, fields: Mapping[str, Type], target: Type, record: str = "") -> str:
    """The expression that gives a field of a record, or a column, the target's type."""
    if name not in fields:
        return f"CAST(NULL AS {_sql(target)})"
    given, value = fields[name], record + quoted(name)
    texts = beside(name)[1]
    text = record + quoted(texts) if fields.get(texts) == _TEXT else None
    return _converted(value, given, target, text)


def _converted(value: str, given: Type, target: Type, text: str | None = None) -> str:
    if given == target:
        return value
    if isinstance(target, list) and isinstance(given, list):
        return f"list_transform({value}, lambda each: {_converted('each', given[0], target[0])})"
    if isinstance(given, str) and isinstance(target, str) and target != _TEXT:
        return f"CAST({value} AS {target})"
    if isinstance(given, str):
        cast = value if given == _TEXT else f"CAST({value} AS {_TEXT})"
        written = f"coalesce({text}, {cast})" if text else cast
        return written if isinstance(target, str) else _packed(written, {TEXT: written}, target)
    fields = _as_fields(given)
    expressions = {name: converted(name, fields, each, f"({value}).") for name, each in _as_fields(target).items()}
    return _packed(value, expressions, target)


def _packed(value: str, expressions: Mapping[str, str], target: Type) -> str:
    """A STRUCT, absent where the value is."""
    fields = ", ".join(
        f"{quoted(name)} := {expressions.get(name) or f'CAST(NULL AS {_sql(each)})'}"
        for name, each in _as_fields(target).items()
    )
    return f"CASE WHEN {value} IS NULL THEN NULL ELSE struct_pack({fields}) END"


def _as_fields(given: Type) -> dict[str, Type]:
    """The fields of a STRUCT; a single value is one that has only its text."""
    return given if isinstance(given, dict) else {TEXT: _TEXT}


def _sql(given: Type) -> str:
    if isinstance(given, dict):
        return f"STRUCT({', '.join(f'{quoted(name)} {_sql(each)}' for name, each in given.items())})"
    if isinstance(given, list):
        return f"{_sql(given[0])}[]"
    return _TEXT if given == _NOTHING else given
