"""JSON of other systems: an object with a page and the addresses of nodes, one or many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from webquarry.errors import InputError
from webquarry.model.naming import list_names
from webquarry.validating.addresses.rows import Row
from webquarry.validating.extractions.items import Item, JsonItem, WholeItem
from webquarry.validating.extractions.json_places import JsonPath
from webquarry.validating.extractions.names import ADDRESSES, COLUMNS, LISTS, PAGES, TEXTS, find_name, find_value

Line = Mapping[str, Any]
_Told = tuple[Row, tuple[JsonPath, ...]]
"""A row, and the values that are of it alone."""


def read_foreign(line: Line, start: int, place: str) -> Item:
    """The rows of an object that begins at a place of the text; `place` names its line in errors."""
    page = find_value(line, PAGES)
    if not isinstance(page, str):
        raise InputError(
            f"{place}: no page; looked for a text under {list_names(PAGES)}, found {_found(line)}; name each row's page"
        )
    named = find_name(line, ADDRESSES)
    if named is not None and isinstance(line[named], str):
        return WholeItem((Row(page, line[named], _text(find_value(line, TEXTS)), _text(find_value(line, COLUMNS))),))
    listed = named if named is not None else find_name(line, LISTS)
    if listed is None or not isinstance(line[listed], list | dict):
        raise InputError(
            f"{place}: no addresses of nodes; looked for an XPath under {list_names(ADDRESSES)}, or a list of them "
            f"under {list_names(LISTS)}, found {_found(line)}"
        )
    told = list(
        _read_named(line, listed, page) if isinstance(line[listed], dict) else _read_list(line, listed, page, place)
    )
    return JsonItem(start, tuple(row for row, _ in told), tuple(paths for _, paths in told))


def _read_list(line: Line, name: str, page: str, place: str) -> Iterator[_Told]:
    """A list of addresses, with a list of texts as long beside it or without; or of objects."""
    addresses = line[name]
    beside = {each: line[each] for wanted in (TEXTS, COLUMNS) if (each := find_name(line, wanted))}
    beside = {each: values for each, values in beside.items() if each != name and isinstance(values, list)}
    beside = {each: values for each, values in beside.items() if len(values) == len(addresses)}
    for number, entry in enumerate(addresses):
        if isinstance(entry, str):
            told = {each: values[number] for each, values in beside.items()}
            paths = [(each, number) for each in (name, *beside)]
        elif isinstance(entry, dict):
            told, paths = entry, [(name, number)]
        else:
            told, paths = {}, []
        address = entry if isinstance(entry, str) else find_value(told, ADDRESSES)
        if not isinstance(address, str):
            raise InputError(
                f"{place}: {name}[{number}] has no address; looked for an XPath under {list_names(ADDRESSES)}, found "
                f"{_found(entry)}"
            )
        yield Row(page, address, _text(find_value(told, TEXTS)), _text(find_value(told, COLUMNS))), tuple(paths)


def _read_named(line: Line, name: str, page: str) -> Iterator[_Told]:
    """Addresses by the names of their columns."""
    for column, entry in line[name].items():
        if isinstance(entry, str):
            yield Row(page, entry, None, column), ((name, column),)
        elif isinstance(entry, list):
            places = [number for number, address in enumerate(entry) if isinstance(address, str)]
            yield from ((Row(page, entry[number], None, column), ((name, column, number),)) for number in places)


def _text(value: Any) -> str | None:
    """A text or number as text; None for what is neither."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return value if isinstance(value, str) else repr(value)


def _found(value: Any) -> str:
    if isinstance(value, Mapping):
        return list_names(list(value)) or "nothing"
    return repr(value)[:80]
