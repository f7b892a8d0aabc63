"""Rename, drop and retype the fields of a listing's wrapper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.names import list_names, snake_case
from webquarry.model.wrapper import FieldRule, Wrapper
from webquarry.wrapping.listing_cells import ADDRESSES, LIST
from webquarry.wrapping.listing_reader import listing_of, read_listing
from webquarry.wrapping.table_wrapper import read_table
from webquarry.wrapping.wrapper_file import FIELD_TYPES

RETYPED = tuple(name for name in FIELD_TYPES if name not in ADDRESSES)
"""The types that a field of texts can be given."""
_MAX_SUGGESTIONS = 3

Values = dict[str, Counter[tuple[int, str]]]
"""The values of each field on all samples, with the numbers of their samples."""


def rename_field(wrapper: Wrapper, example: str, name: str) -> Wrapper:
    """Give a field another name; `example` is its present one."""
    field = find_field(wrapper, example)
    name = name.strip()
    if not any(map(str.isalnum, name)):
        raise InputError(f'"{name}" is not a field name; use letters or digits')
    if name == field.name:
        raise InputError(f"{field.name} has that name already")
    fields = listing_of(wrapper).fields
    if any(snake_case(each.name) == snake_case(name) for each in fields if each is not field):
        raise InputError(f'"{name}" is taken by another field; choose another name, or drop that one')
    return _replace(wrapper, field, replace(field, name=name))


def drop_field(wrapper: Wrapper, example: str, documents: Sequence[Document]) -> Wrapper:
    """Leave a field out; the values of all others stay as they are on the sample pages.

    A rule leaves the nodes of more specific ones alone.  If another rule would take those of the dropped field, its
    elements are put among the ignored ones.
    """
    field = find_field(wrapper, example)
    if len(listing_of(wrapper).fields) == 1:
        raise InputError(f"{field.name} is the only field; a listing without fields has no records")
    dropped = _replace(wrapper, field, None)
    wanted = _read(wrapper, documents)
    wanted.pop(field.name, None)
    if _read(dropped, documents) == wanted:
        return dropped
    ignoring = replace(dropped, ignored=(*dropped.ignored, field.signature))
    if not field.attribute and _read(ignoring, documents) == wanted:
        return ignoring
    found = _read(dropped, documents)
    changed = [name for name in wanted if found.get(name) != wanted[name]]
    raise InputError(
        f"without {field.name} other fields would take its values ({list_names(changed)}); "
        "leave it out of results with --only, or edit the wrapper file"
    )


def retype_field(wrapper: Wrapper, example: str, kind: str, documents: Sequence[Document]) -> Wrapper:
    """Read the texts of a field as another type; raise if no text on the sample pages is of that type."""
    field = find_field(wrapper, example)
    if kind not in RETYPED:
        raise InputError(f"no type {kind!r}; there are {', '.join(RETYPED)}")
    if field.type in ADDRESSES:
        raise InputError(f"{field.name} has addresses ({field.type}), which have no other type")
    if kind == field.type:
        raise InputError(f"{field.name} has that type already")
    retyped = _replace(wrapper, field, replace(field, type=kind))
    values = [
        value
        for extraction in _extract(retyped, documents)
        for value in extraction.values
        if value.headings[-1] == field.name
    ]
    if kind not in ("text", LIST) and values and all(value.typed is None for value in values):
        raise InputError(f'no value of {field.name} on the sample pages is a {kind}, such as "{values[0].text}"')
    return retyped


def find_field(wrapper: Wrapper, example: str) -> FieldRule:
    """Find the field that an example names; case and marks between words do not count."""
    fields = listing_of(wrapper).fields
    exact = [each for each in fields if each.name == example]
    found = exact or [each for each in fields if snake_case(each.name) == snake_case(example)]
    if not found:
        names = [each.name for each in fields]
        nearest = get_close_matches(example, names, _MAX_SUGGESTIONS, 0.5) or names
        raise InputError(f'the wrapper {wrapper.source.name} has no field "{example}"; there are {list_names(nearest)}')
    return found[0]


def _replace(wrapper: Wrapper, field: FieldRule, by: FieldRule | None) -> Wrapper:
    listing = listing_of(wrapper)
    changed = [by if each is field else each for each in listing.fields]
    return replace(wrapper, listing=replace(listing, fields=tuple(each for each in changed if each is not None)))


def _read(wrapper: Wrapper, documents: Sequence[Document]) -> Values:
    found: Values = {}
    for number, extraction in enumerate(_extract(wrapper, documents)):
        for value in extraction.values:
            found.setdefault(str(value.headings[-1]), Counter())[number, value.text] += 1
    return found


def _extract(wrapper: Wrapper, documents: Sequence[Document]) -> list[Extraction]:
    read: Callable[[Wrapper, Document], Extraction] = read_table if wrapper.source.kind == "tables" else read_listing
    return [read(wrapper, document) for document in documents]
