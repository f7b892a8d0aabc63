"""Read the records of a page by the wrapper of a listing: find them, then the value of each field in each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from webquarry.html.columns import Kind
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import FieldRule, ListingRule, Wrapper
from webquarry.values.text_value import Locale, Value, find_locale
from webquarry.wrapping.field_signatures import (
    LINE_EDGES,
    TEXT_NODE,
    Matcher,
    Matches,
    Record,
    Span,
    StepPath,
    View,
    mark_unread,
    read_signature,
)
from webquarry.wrapping.field_values import (
    ADDRESSES,
    COLONS,
    LIST,
    TYPED,
    Cell,
    fold_cells,
    pick_cells,
    read_type,
    whole_cell,
)

RECORDS = "records"
"""The name of the list of records in paths."""
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
    listing = listing_of(wrapper)
    records, rules = find_records(listing, View(document)), listing.rules
    matcher = _matcher(rules)
    mark_unread(wrapper.ignored, records)
    for record in records:
        found = matcher.find(record)
        cells = [read_cells(rule, number, found, record) for number, rule in enumerate(rules)]
        if any(cells):
            kept = fold_cells(listing.fields, _name_once(rules, _part_kinds(rules, cells)))
            yield Row(record.span, tuple(map(whole_cell, listing.fields, kept)))


def _part_kinds(fields: Sequence[FieldRule], cells: Sequence[list[Cell]]) -> list[list[Cell]]:
    """Give a node that two fields claim to one of them: with digits to an amount, else to the text.

    So `-19 %` and `new`, in the same place of different records, stay two columns.
    """
    holders: dict[int, list[int]] = {}
    for place, (field, own) in enumerate(zip(fields, cells, strict=True)):
        if own and not (field.attribute or field.cuts or field.by_example):
            holders.setdefault(own[0].node, []).append(place)
    kept = list(cells)
    for places in holders.values():
        amounts = [place for place in places if fields[place].type in TYPED]
        if 0 < len(amounts) < len(places):
            has_digits = any(mark.isdecimal() for cell in cells[places[0]] for mark in cell.text)
            for place in places:
                if (place in amounts) is not has_digits:
                    kept[place] = []
    return kept


def _name_once(fields: Sequence[FieldRule], cells: Sequence[list[Cell]]) -> list[list[Cell]]:
    """Remove an address from an optional field if another field has it too."""
    seen: set[tuple[str, ...]] = set()
    kept = list(cells)
    for place in sorted(range(len(fields)), key=lambda place: fields[place].is_optional):
        field = fields[place]
        if cells[place] and field.type in ADDRESSES and not field.by_example:
            address = (field.type, *(cell.text for cell in cells[place]))
            if address in seen and field.is_optional:
                kept[place] = []
            seen.add(address)
    return kept


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


MIN_SHARE_OF_REGION = 0.3
"""Share of a region's signature that must match: pages of a site differ in their outer frames."""
_ID_WEIGHT = 2
"""Weight of an `id`, in class names: it is unique."""
MAX_BETWEEN_PARTS = 100
"""Characters between the parts of a value, beyond as many as the value has; spares long texts a comparison."""
_BETWEEN_PARTS = re.compile(r"[\s,;:|()\[\]·•]+")
_TERMS = frozenset(["dt", "th"])


def find_records(rule: ListingRule, view: View) -> list[Record]:
    """Find the records of a page.

    The region is the element that best matches its signature among those with records; equals are one region in
    several parts.
    """
    firsts, whole = _choose(rule, view, _find_firsts(rule, view)), is_whole(rule)
    spans = ((first, view.ends[first]) if whole else _span(view, first, firsts, rule.span) for first in firsts)
    records = [Record(view, span, whole) for span in spans]
    return [
        record
        for record in records
        if not has_path(read_signature(rule.excluded), record)
        and not (rule.excluded_texts and record.text.startswith(rule.excluded_texts))
    ]


def has_path(paths: Sequence[StepPath], record: Record) -> bool:
    """Tell whether a record is an element that one of the paths names, or has one; paths start with the record."""
    view = record.view
    top = view.parents[record.first]
    for path in paths:
        for node in range(*record.span):
            if view.tags[node] >= 0 and _climb(view, node, path) == top and view.fits(path, node):
                return True
    return False


def is_whole(rule: ListingRule) -> bool:
    """Tell whether each record is one element."""
    return rule.span == 1 and not any(path and path[-1].tag == TEXT_NODE for path in read_signature(rule.record))


def region_fit(path: StepPath, view: View, node: int) -> int:
    """Count how much of a region's signature a node and its ancestors match, from the inside outwards."""
    total = 0
    for step in reversed(path):
        if node <= 0 or view.name(node) != step.tag or (step.place and view.place(node) != step.place):
            break
        is_called = step.name and view.attributes[node].get("id") == step.name
        total += 1 + len(step.classes & view.classes(node)) + (_ID_WEIGHT if is_called else 0)
        node = view.parents[node]
    return total


def full_region_fit(path: StepPath) -> int:
    """Return the count of a full match."""
    return sum(1 + len(step.classes) + (_ID_WEIGHT if step.name else 0) for step in path)


def _find_firsts(rule: ListingRule, view: View) -> dict[int, list[int]]:
    """Find the elements that may be the region, with the first nodes of their records."""
    found: dict[int, list[int]] = defaultdict(list)
    holders = {path[-1].tag for path in read_signature(rule.region) if path}
    for path in read_signature(rule.record):
        if not path:
            continue
        for node in _nodes_of(view, path[-1].tag):
            holder = _climb(view, node, path)
            if holder is not None and view.name(holder) in holders and view.fits(path, node):
                found[holder].append(node)
    return found


def _nodes_of(view: View, tag: str) -> list[int]:
    document = view.document
    matches = document.kinds == Kind.TEXT if tag == TEXT_NODE else document.has_tag([tag])
    nodes: list[int] = np.flatnonzero(matches & ~document.hidden).tolist()
    return [node for node in nodes if tag != TEXT_NODE or not view.texts[node].isspace()]


def _climb(view: View, node: int, path: StepPath) -> int | None:
    """Find the element around the path that ends in a node; None if the tags differ."""
    for step in reversed(path):
        if node <= 0 or view.name(node) != step.tag:
            return None
        node = view.parents[node]
    return node


def _choose(rule: ListingRule, view: View, found: dict[int, list[int]]) -> list[int]:
    paths = read_signature(rule.region)
    fits = {holder: max(region_fit(path, view, holder) for path in paths) for holder in found}
    best = max(fits.values(), default=0)
    if best < MIN_SHARE_OF_REGION * max(map(full_region_fit, paths), default=0):
        return []
    firsts = sorted(node for holder, nodes in found.items() if fits[holder] == best for node in nodes)
    outer: list[int] = []
    for node in firsts:
        if not outer or node >= view.ends[outer[-1]]:
            outer.append(node)
    return outer


def _span(view: View, first: int, firsts: list[int], most: int) -> Span:
    """Delimit a record: its siblings up to the next record, at most `most`."""
    place = bisect_right(firsts, first)
    limit = min(view.ends[view.parents[first]], firsts[place] if place < len(firsts) else len(view.tags))
    node, stop, count = first, first, 0
    while node < limit and (count < most or not most):
        if is_counted_sibling(view, node):
            count, stop = count + 1, view.ends[node]
        node = view.ends[node]
    return first, stop


def is_counted_sibling(view: View, node: int) -> bool:
    """Tell whether a sibling counts towards the span of a record."""
    return view.tags[node] >= 0 or (view.is_text[node] and not view.texts[node].isspace())


def read_cells(rule: FieldRule, number: int, found: Matches, record: Record) -> list[Cell]:
    """Read the field of a number in a record.

    The first alternative of the signature with a value decides.
    """
    for place in range(len(read_signature(rule.signature))):
        spans = found.get((number, place))
        if spans and (cells := pick_cells(rule, read_all(rule, spans, record))):
            return cells
    return []


def read_all(rule: FieldRule, spans: Sequence[Span], record: Record) -> list[Cell]:
    """Read the values at all matches of a field's signature."""
    said = ((span[0], _read(rule, span, record)) for span in spans)
    return [Cell(text, node) for node, text in said if text]


def is_same(one: str | None, other: str | None) -> bool:
    """Tell whether two values are the same except for spaces, and separators at their ends.

    A layout has space where markup has none, and knows better which texts share a line.
    """
    if one is None or other is None:
        return one is other
    return one == other or "".join(one.strip(LINE_EDGES).split()) == "".join(other.strip(LINE_EDGES).split())


def is_similar(one: str | None, other: str | None) -> bool:
    """Tell whether two values differ only in spaces, brackets and separators, which mining puts between parts.

    >>> is_similar("Old price $79", "Old price, $79"), is_similar("(38 KB)", "38 KB"), is_similar("1.5", "15")
    (True, True, False)
    """
    if one is None or other is None or abs(len(one) - len(other)) > MAX_BETWEEN_PARTS + min(len(one), len(other)):
        return False
    return one == other or _BETWEEN_PARTS.sub("", one) == _BETWEEN_PARTS.sub("", other)


def _read(rule: FieldRule, span: Span, record: Record) -> str | None:
    view, node = record.view, span[0]
    if rule.type in ADDRESSES:
        return (view.address if rule.type == "link" else view.image_address)(node, rule.attribute)
    if rule.attribute:
        return " ".join(view.attributes[node].get(rule.attribute, "").split())
    text = view.text(*span)
    if not rule.heading:
        return text
    if text == rule.heading:
        return text  # a fixed text is what it is called
    if text.startswith(rule.heading):
        rest = text[len(rule.heading) :].lstrip()
        if rest[:1] in COLONS:
            return rest.lstrip(COLONS + " ")
    return text if label_before(record, node) == rule.heading else None


def label_before(record: Record, node: int) -> str:
    """Return the label directly before a node in its record: a text with a colon, a term or a header cell."""
    view = record.view
    for before in range(node - 1, record.first - 1, -1):
        if view.is_text[before] and not view.unread[before] and not view.texts[before].isspace():
            text = " ".join(view.texts[before].split())
            is_label = text[-1] in COLONS or view.name(view.parents[before]) in _TERMS
            return text.rstrip(COLONS + " ") if is_label else ""
    return ""
