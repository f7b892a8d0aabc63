"""JSON of other systems: an object with a page and the addresses of nodes, one or many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from webquarry.errors import InputError
from webquarry.model.naming import list_names
from webquarry.validating.addresses.rows import Row
from webquarry.validating.extractions.checking import check_address, check_page, refuse_address
from webquarry.validating.extractions.items import Item, JsonItem, WholeItem
from webquarry.validating.extractions.json_places import JsonPath
from webquarry.validating.extractions.names import ADDRESSES, COLUMNS, LISTS, PAGES, TEXTS, find_name, find_value

Line = Mapping[str, Any]
_Told = tuple[Row, tuple[JsonPath, ...]]
"""A row, and the values that are of it alone."""


def read_foreign(line: Line, start: int, place: str) -> Item:
    """The rows of an object that begins at a place of the text; `place` names its line in errors."""
    paged = find_name(line, PAGES)
    if paged is None:
        raise InputError(
            f"{place}: no page; looked for a text under {list_names(PAGES)}, found {_found(line)}; name each row's page"
        )
    page = check_page(line[paged], paged, place)
    named = find_name(line, ADDRESSES)
    if named is not None and isinstance(line[named], str):
        return WholeItem((Row(page, line[named], _text(find_value(line, TEXTS)), _text(find_value(line, COLUMNS))),))
    listed = named if named is not None else find_name(line, LISTS)
    if listed is None:
        raise InputError(
            f"{place}: no addresses of nodes; looked for an XPath under {list_names(ADDRESSES)}, or a list of them "
            f"under {list_names(LISTS)}, found {_found(line)}"
        )
    if not isinstance(line[listed], list | dict):
        raise refuse_address(line[listed], listed, place)
    read = _read_named if isinstance(line[listed], dict) else _read_list
    told = list(read(line, listed, page, place))
    return JsonItem(start, tuple(row for row, _ in told), tuple(paths for _, paths in told))


def _read_list(line: Line, name: str, page: str, place: str) -> Iterator[_Told]:
    """A list of addresses, with a list of texts as long beside it or without; or of objects."""
    addresses = line[name]
    beside = {each: line[each] for wanted in (TEXTS, COLUMNS) if (each := find_name(line, wanted))}
    beside = {each: values for each, values in beside.items() if each != name and isinstance(values, list)}
    beside = {each: values for each, values in beside.items() if len(values) == len(addresses)}
    for number, entry in enumerate(addresses):
        here = f"{name}[{number}]"
        if isinstance(entry, dict):
            address, told, paths = _find_address(entry, here, place), entry, [(name, number)]
        else:
            address = check_address(entry, here, place)
            told = {each: values[number] for each, values in beside.items()}
            paths = [(each, number) for each in (name, *beside)]
        yield Row(page, address, _text(find_value(told, TEXTS)), _text(find_value(told, COLUMNS))), tuple(paths)


def _find_address(entry: Line, name: str, place: str) -> str:
    named = find_name(entry, ADDRESSES)
    if named is None:
        raise InputError(
            f"{place}: {name} has no address; looked for an XPath under {list_names(ADDRESSES)}, found {_found(entry)}"
        )
    return check_address(entry[named], f"{name}.{named}", place)


def _read_named(line: Line, name: str, page: str, place: str) -> Iterator[_Told]:
    """Addresses by the names of their columns; a column that is null has none on this page."""
    for column, entry in line[name].items():
        here = f"{name}.{column}"
        if isinstance(entry, list):
            for number, address in enumerate(entry):
                row = Row(page, check_address(address, f"{here}[{number}]", place), None, column)
                yield row, ((name, column, number),)
        elif entry is not None:
            yield Row(page, check_address(entry, here, place), None, column), ((name, column),)


def _text(value: Any) -> str | None:
    """A text or number as text; None for what is neither."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return value if isinstance(value, str) else repr(value)


def _found(line: Line) -> str:
    return list_names(list(line)) or "nothing"
