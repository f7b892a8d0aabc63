"""Read the records of a page by the wrapper of a listing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import FieldRule, ListingRule, Wrapper
from webquarry.values.column_values import read_column, read_value
from webquarry.values.text_value import Locale, Value, find_locale
from webquarry.wrapping.listing_cells import (
    ADDRESSES,
    LIST,
    Cell,
    Matcher,
    Span,
    find_records,
    fold_cells,
    full_region_fit,
    is_whole,
    mark_unread,
    read_cell,
    region_fit,
)
from webquarry.wrapping.listing_signatures import View, read_signature

RECORDS = "records"
"""The name of the list of records in paths."""
TYPED = frozenset(["number", "money", "date", "boolean"])
"""Types whose values are read from their texts."""

Typed = Value | tuple[Value | str, ...] | None


@dataclass(frozen=True)
class Row:
    """A record: its nodes, and a cell or None for each field."""

    span: Span
    cells: tuple[Cell | None, ...]


def read_listing(wrapper: Wrapper, document: Document) -> Extraction:
    """Extract the records of a page.

    Paths are `records`, the number of the record and the name of the field.  A page without records misses `records`;
    otherwise fields are missing that every sample has and no record of the page.
    """
    return extract_rows(wrapper, document, read_records(wrapper, document))


def listing_of(wrapper: Wrapper) -> ListingRule:
    """Return the listing rule of a wrapper; raise ValueError without one."""
    if wrapper.listing is None:
        raise ValueError(f"wrapper {wrapper.source.name} is of kind {wrapper.source.kind}, not a listing")
    return wrapper.listing


def read_records(wrapper: Wrapper, document: Document) -> list[Row]:
    """Find the records of a page that have any value."""
    return list(iterate_rows(wrapper, document))


def iterate_rows(wrapper: Wrapper, document: Document) -> Iterator[Row]:
    """Find the records of a page that have any value, one by one in the order of the page."""
    rule, view = listing_of(wrapper), View(document)
    spans = find_records(rule, view)
    rules, whole = rule.rules, is_whole(rule)
    matcher = _matcher(rules)
    mark_unread(wrapper.ignored, view, spans, is_whole=whole)
    for first, stop in spans:
        found = matcher.find(view, first, stop, is_whole=whole)
        cells = tuple(read_cell(each, number, found, view, first) for number, each in enumerate(rules))
        if any(cells):
            kept = _name_once(rules, _part_kinds(rules, cells))
            yield Row((first, stop), fold_cells(rule.fields, kept))


def _part_kinds(fields: Sequence[FieldRule], cells: tuple[Cell | None, ...]) -> tuple[Cell | None, ...]:
    """Give a cell that two fields claim to one of them: with digits to an amount, else to the text.

    So `-19 %` and `new`, in the same place of different records, stay two columns.
    """
    holders: dict[int, list[int]] = {}
    for place, cell in enumerate(cells):
        field = fields[place]
        if cell and not (field.attribute or field.cuts or field.by_example):
            holders.setdefault(cell.node, []).append(place)
    kept = list(cells)
    for places in holders.values():
        amounts = [place for place in places if fields[place].type in TYPED]
        if 0 < len(amounts) < len(places):
            has_digits = any(mark.isdecimal() for cell in (cells[places[0]],) if cell for mark in cell.text)
            for place in places:
                if (place in amounts) is not has_digits:
                    kept[place] = None
    return tuple(kept)


def _name_once(fields: Sequence[FieldRule], cells: tuple[Cell | None, ...]) -> tuple[Cell | None, ...]:
    """Remove an address from an optional field if another field has it too."""
    seen: set[tuple[str, str]] = set()
    kept = list(cells)
    for place in sorted(range(len(fields)), key=lambda place: fields[place].is_optional):
        cell = cells[place]
        if cell and fields[place].type in ADDRESSES and not fields[place].by_example:
            address = fields[place].type, cell.text
            if address in seen and fields[place].is_optional:
                kept[place] = None
            seen.add(address)
    return tuple(kept)


@lru_cache(maxsize=64)
def _matcher(fields: tuple[FieldRule, ...]) -> Matcher:
    return Matcher(fields)


def extract_rows(wrapper: Wrapper, document: Document, rows: Sequence[Row]) -> Extraction:
    """Type the values of rows and address their nodes."""
    fields = listing_of(wrapper).fields
    lacking = [
        field.name
        for place, field in enumerate(fields)
        if not field.is_optional and not any(row.cells[place] for row in rows)
    ]
    return Extraction(
        page=document.url,
        document=document.kind,
        source=wrapper.source.name,
        values=tuple(_values(fields, document, rows)),
        missing=tuple(lacking) if rows else (RECORDS,),
    )


def _values(fields: Sequence[FieldRule], document: Document, rows: Sequence[Row]) -> Iterator[SectionValue]:
    names = _path_names(tuple(field.name for field in fields))
    typed = _type_cells(fields, document, rows)
    for number, row in enumerate(rows):
        for place, (field, name, cell) in enumerate(zip(fields, names, row.cells, strict=True)):
            if cell is not None:
                yield SectionValue(
                    path=(RECORDS, number, name),
                    headings=(RECORDS, number, field.name),
                    text=cell.text,
                    node=document.xpath(cell.node),
                    typed=typed[place][number],
                )


@lru_cache(maxsize=64)
def _path_names(names: tuple[str, ...]) -> list[str]:
    return distinct(map(snake_case, names))


def _type_cells(fields: Sequence[FieldRule], document: Document, rows: Sequence[Row]) -> list[Sequence[Typed]]:
    """Read the values of each field by its type."""
    columns = [[row.cells[place] for row in rows] for place in range(len(fields))]
    texts = (cell.text for field, column in zip(fields, columns, strict=True) for cell in column if cell)
    locale = find_locale(document.language, texts) if any(field.type in TYPED for field in fields) else Locale()
    typed: list[Sequence[Typed]] = []
    for field, column in zip(fields, columns, strict=True):
        if field.type in TYPED:
            typed.append(read_type(field.type, [cell.text if cell else None for cell in column], locale))
        else:
            typed.append([cell.parts if cell and field.type == LIST else None for cell in column])
    return typed


def read_type(kind: str, texts: Sequence[str | None], locale: Locale) -> Sequence[Value | None]:
    """Read a column together, or each text by itself if one has another type."""
    together = read_column(texts, locale)
    if together is not None and together[0] == kind:
        return together[1]
    alone = [read_value(text, locale) if text else None for text in texts]
    return [each[1] if each and each[0] == kind else None for each in alone]


def is_empty_listing(wrapper: Wrapper, document: Document) -> bool:
    """Tell whether a page without records is still one of the source, an empty shelf: it has the whole region.

    A signature without an `id` or class name proves nothing: any page may have such an element.
    """
    view = View(document)
    return any(
        region_fit(path, view, node) == full_region_fit(path)
        for path in read_signature(listing_of(wrapper).region)
        if path and (path[-1].name or path[-1].classes)
        for node in document.has_tag([path[-1].tag]).nonzero()[0].tolist()
        if not document.hidden[node]
    )
