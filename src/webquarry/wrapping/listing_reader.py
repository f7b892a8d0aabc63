"""Reading: the records of a page, as a wrapper of a listing says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import FieldRule, ListingRule, Wrapper
from webquarry.values.column_values import read_column, read_value
from webquarry.values.locale import Locale, find_locale
from webquarry.values.text_value import Value
from webquarry.wrapping.listing_cells import (
    ADDRESSES,
    LIST,
    Cell,
    Matcher,
    Span,
    find_records,
    fit,
    is_whole,
    most_fit,
    pass_over,
    read_cell,
)
from webquarry.wrapping.listing_signatures import Path, View, read_signature
from webquarry.wrapping.table_grid import find_grids

RECORDS = "records"
"""The name that the records of a page stand under."""
TYPED = frozenset(["number", "money", "date", "boolean"])
"""Types whose values can be computed with."""

Typed = Value | tuple[Value | str, ...] | None


@dataclass(frozen=True)
class Row:
    """A record: where it stands, and for each field a cell or None."""

    span: Span
    cells: tuple[Cell | None, ...]


def read_listing(wrapper: Wrapper, document: Document) -> Extraction:
    """The records of a page.

    Paths are `records`, the number of the record and the name of the field.  A page without records misses `records`;
    else fields are missing that every sample has and no record of the page.
    """
    rule = listing_of(wrapper)
    return extract_rows(wrapper, document, read_rows(rule, document, wrapper.ignored))


def listing_of(wrapper: Wrapper) -> ListingRule:
    """The rule of a wrapper for listings or tables."""
    if wrapper.listing is None:
        raise ValueError(f"the wrapper {wrapper.source.name} is for {wrapper.source.kind}, not for a listing")
    return wrapper.listing


def read_rows(rule: ListingRule, document: Document, ignored: tuple[str, ...] = ()) -> list[Row]:
    """The records of a page that have any value."""
    view = View(document)
    return fill_rows(rule, view, find_records(rule, view), ignored)


def fill_rows(rule: ListingRule, view: View, spans: Sequence[Span], ignored: tuple[str, ...] = ()) -> list[Row]:
    """Records that were found, with their values; those without any are left out."""
    matcher, whole = _matcher(rule.fields), is_whole(rule)
    pass_over(ignored, view, spans, is_whole=whole)
    rows = []
    for first, stop in spans:
        found = matcher.find(view, first, stop, is_whole=whole)
        cells = tuple(read_cell(field, number, found, view, first) for number, field in enumerate(rule.fields))
        if any(cells):
            rows.append(Row((first, stop), _name_once(rule.fields, _part_kinds(rule.fields, cells))))
    return rows


def _part_kinds(fields: Sequence[FieldRule], cells: tuple[Cell | None, ...]) -> tuple[Cell | None, ...]:
    """The cells, those that two fields claim left to one: what has digits to the amounts, words to the other.

    So `-19 %` and `new`, which stand in the same place of different records, stay two columns.
    """
    holders: dict[int, list[int]] = {}
    for place, cell in enumerate(cells):
        if cell and not fields[place].attribute:
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
    """The cells, an address that another field has too left out of the field that is optional."""
    seen: set[tuple[str, str]] = set()
    kept = list(cells)
    for place in sorted(range(len(fields)), key=lambda place: fields[place].is_optional):
        cell = cells[place]
        if cell and fields[place].type in ADDRESSES:
            address = fields[place].type, cell.text
            if address in seen and fields[place].is_optional:
                kept[place] = None
            seen.add(address)
    return tuple(kept)


@lru_cache(maxsize=64)
def _matcher(fields: tuple[FieldRule, ...]) -> Matcher:
    return Matcher(fields)


def extract_rows(wrapper: Wrapper, document: Document, rows: Sequence[Row]) -> Extraction:
    """The values of rows, typed, with their addresses."""
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
    """For each field what its values say, as far as they are of its type."""
    columns = [[row.cells[place] for row in rows] for place in range(len(fields))]
    texts = (cell.text for field, column in zip(fields, columns, strict=True) for cell in column if cell)
    locale = find_locale(document.language, texts) if any(field.type in TYPED for field in fields) else Locale()
    typed: list[Sequence[Typed]] = []
    for field, column in zip(fields, columns, strict=True):
        if field.type in TYPED:
            typed.append(_read_type(field.type, [cell.text if cell else None for cell in column], locale))
        else:
            typed.append([cell.parts if cell and field.type == LIST else None for cell in column])
    return typed


def _read_type(kind: str, texts: Sequence[str | None], locale: Locale) -> Sequence[Value | None]:
    """The values of a column together, or where one text is of another kind each by itself."""
    together = read_column(texts, locale)
    if together is not None and together[0] == kind:
        return together[1]
    alone = [read_value(text, locale) if text else None for text in texts]
    return [each[1] if each and each[0] == kind else None for each in alone]


# MERGED wrapping/listings/emptiness: Whether a page has the place of a listing, with no record in it: a shel
def is_empty_listing(wrapper: Wrapper, document: Document) -> bool:
    """Whether a page on which no records were found is all the same one of the source.

    Of a table all headings must be there; of other listings an element that is in everything as the signature of the
    region says.  A signature without a name or class tells nothing: any page may have such an element.
    """
    rule, view = listing_of(wrapper), View(document)
    return _has_headings(rule, view) if wrapper.source.kind == "tables" else _has_region(rule, view)


def _has_headings(rule: ListingRule, view: View) -> bool:
    fields = [each for each in rule.fields if each.heading]
    headings, places = [each.heading for each in fields], [each.place for each in fields]
    return bool(fields) and any(
        grid.find_header(headings, places).found == len(fields) for grid in find_grids(view) if grid.rows
    )


def _has_region(rule: ListingRule, view: View) -> bool:
    return any(
        fit(path, view, node) == most_fit(path)
        for path in read_signature(rule.region)
        if _is_telling(path)
        for node in view.document.has_tag([path[-1].tag]).nonzero()[0].tolist()
        if not view.document.hidden[node]
    )


def _is_telling(path: Path) -> bool:
    return bool(path) and bool(path[-1].name or path[-1].classes)
