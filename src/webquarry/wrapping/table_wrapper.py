"""Learn the columns of a table by their headings, and find them again by these on other pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from webquarry.errors import InputError
from webquarry.html.tables import Cell as TableCell, Table, form_tables
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.region import Region
from webquarry.model.wrapper import FieldRule, ListingRule, Source, Wrapper
from webquarry.page.data_tables import lay_out_slots
from webquarry.wrapping.field_signatures import PathStep, View, read_signature, write_signature
from webquarry.wrapping.field_values import Cell, fold_cells, whole_cell
from webquarry.wrapping.listing_learner import Agreement, choose_wrapper, measure
from webquarry.wrapping.listing_reader import Row, extract_rows, is_same, listing_of, region_fit
from webquarry.wrapping.listing_samples import (
    Column,
    RegionSample,
    make_samples,
    name_apart,
    region_paths,
)

MIN_SHARE_OF_COLUMN_HEADINGS = 0.5
"""Share of the headings that a page's table must have to be the same table."""
_NUMBERED = re.compile(r"(.+)_\d+")
_MAX_HEADER_ROWS = 4
"""Rows that name columns together."""
_MAX_HEADER_DEPTH = 10
"""Rows among which the names are looked for."""
_FOOTNOTE = re.compile(r"\[\w{1,4}\]")


class Header(NamedTuple):
    """Rows that name columns, and the column of each wanted heading, or None."""

    first: int
    stop: int
    columns: tuple[int | None, ...]

    @property
    def found(self) -> int:
        """The number of headings found."""
        return sum(column is not None for column in self.columns)


class Grid:
    """A table of a document with the texts of its cells."""

    def __init__(self, view: View, table: Table) -> None:
        self.view = view
        self.table = table
        self._texts: dict[int, str] = {}

    @cached_property
    def rows(self) -> list[list[TableCell | None]]:
        """For each row its slots, each with the cell that covers it; empty if spans make them far too many."""
        return lay_out_slots(self.table, lambda cell: cell) or []

    def text(self, cell: TableCell | None) -> str:
        """Return the text of a cell."""
        if cell is None:
            return ""
        if cell.node not in self._texts:
            self._texts[cell.node] = self.view.text(cell.node)
        return self._texts[cell.node]

    def find_header(self, headings: Sequence[str], places: Sequence[int | None]) -> Header:
        """Find the rows with most of the headings; of equals the first and fewest.

        `places` gives the former places of columns, for headings that several columns share.
        """
        best = Header(0, 0, (None,) * len(headings))
        rows = range(min(_MAX_HEADER_DEPTH, len(self.rows)))
        for first in rows if any(headings) else ():
            for stop in range(first + 1, min(first + _MAX_HEADER_ROWS, len(rows)) + 1):
                header = Header(first, stop, self._find_columns(first, stop, headings, places))
                if header.found > best.found:
                    best = header
        return best

    def _find_columns(
        self, first: int, stop: int, headings: Sequence[str], places: Sequence[int | None]
    ) -> tuple[int | None, ...]:
        columns: dict[str, list[int]] = {}
        for column in range(len(self.rows[first])):
            texts = dict.fromkeys(self.text(row[column]) for row in self.rows[first:stop])
            columns.setdefault(_folded(" ".join(filter(None, texts))), []).append(column)
        same = [columns.get(_folded(heading), []) if heading else [] for heading in headings]
        found = [place if place in here else None for place, here in zip(places, same, strict=True)]
        taken = set(found)
        moved: dict[tuple[str, int | None], int | None] = {}  # parts of one column are found in one
        for number, (here, heading, place) in enumerate(zip(same, headings, places, strict=True)):
            if found[number] is None:
                if (heading, place) not in moved:
                    moved[heading, place] = next((column for column in here if column not in taken), None)
                found[number] = moved[heading, place]
                taken.add(found[number])
        return tuple(found)

    def records(self, header: Header) -> list[int]:
        """List the rows below the header that are records: not empty, not a title, and not the header again."""
        names = {self._texts_of(row) for row in range(header.first, header.stop)}
        rows = range(header.stop, len(self.rows))
        return [
            row for row in rows if any(texts := self._texts_of(row)) and texts not in names and not self._is_title(row)
        ]

    def _texts_of(self, row: int) -> tuple[str, ...]:
        return tuple(map(self.text, self.rows[row]))

    def _is_title(self, row: int) -> bool:
        """Tell whether one cell covers more than half of a row, and no other cell of it has text."""
        slots = self.rows[row]
        filled = [cell for cell in slots if self.text(cell)]
        return len(slots) > 1 and len(filled) * 2 > len(slots) and len(set(filled)) == 1 and filled[0] is not None


def find_grids(view: View, ignored: frozenset[PathStep] = frozenset()) -> list[Grid]:
    """Find the tables of a document, without ignored elements in their cells."""
    tables = form_tables(view.document, view.document.hidden)
    if ignored:
        cells = {cell for table in tables for row in lay_out_slots(table, lambda cell: cell.node) or [] for cell in row}
        nodes = {inner for cell in cells if cell is not None for inner in range(cell + 1, view.ends[cell])}
        view.leave_out(node for node in nodes if view.tags[node] >= 0 and _step(view, node) in ignored)
    return [Grid(view, table) for table in tables]


def _folded(text: str) -> str:
    """Drop what differs between pages from a heading: footnote marks, spaces, capitals."""
    return "".join(_FOOTNOTE.sub("", text).split()).casefold()


def learn_table(
    regions: Sequence[Region], source: Source, *, statics: Sequence[Document | None] | None = None
) -> Wrapper:
    """Learn to read the table that the regions are, one on each sample page.

    A page's table is the one with its headings; of several such, the one at the same place.
    """
    samples = make_samples(regions, statics)
    columns = _align(samples)
    ignored = tuple(map(str, sorted(_find_ignored(samples), key=str)))
    fields = tuple(
        FieldRule(
            column.name,
            column.type,
            place=column.place,
            heading=column.heading,
            is_optional=len({record.view for record in column.cells}) < len(samples),
        )
        for column in columns
    )
    named = replace(source, kind="tables", samples=tuple(region.document.url for region in regions))
    wrappers = [
        Wrapper(named, ignored=ignored, listing=ListingRule(write_signature([path]), "tr", 1, fields))
        for path in region_paths(samples)
    ]
    return choose_wrapper(wrappers, samples, columns, _read_rows)


def check_table(
    wrapper: Wrapper, regions: Sequence[Region], statics: Sequence[Document | None] | None = None
) -> Agreement:
    """Measure how well a wrapper reproduces the rows and values that were mined."""
    samples = make_samples(regions, statics)
    return measure(wrapper, samples, _align(samples), _read_rows)


def read_table(wrapper: Wrapper, document: Document) -> Extraction:
    """Extract the rows of a page's table as records; a page without the table misses `records`."""
    return extract_rows(wrapper, document, _read_rows(wrapper, document))


def _read_rows(wrapper: Wrapper, document: Document) -> list[Row]:
    rule, view = listing_of(wrapper), View(document)
    steps = frozenset(step for text in wrapper.ignored for path in read_signature(text) for step in path)
    headings, places = [each.heading for each in rule.rules], [each.place for each in rule.rules]
    found = [(grid, grid.find_header(headings, places)) for grid in find_grids(view, steps)]
    found = [(grid, header) for grid, header in found if _is_alike(rule, grid, header)]
    paths = read_signature(rule.region)
    ranks = [(header.found, max(region_fit(path, view, grid.table.node) for path in paths)) for grid, header in found]
    best = max(ranks, default=(0, 0))
    return [
        row
        for (grid, header), rank in zip(found, ranks, strict=True)
        if rank == best
        for row in _rows_of(rule, grid, header)
    ]


def is_empty_table(wrapper: Wrapper, document: Document) -> bool:
    """Tell whether a page without rows is still one of the source: it has a table with all of the headings."""
    fields = [each for each in listing_of(wrapper).rules if each.heading]
    headings, places = [each.heading for each in fields], [each.place for each in fields]
    return bool(fields) and any(
        grid.find_header(headings, places).found == len(fields) for grid in find_grids(View(document)) if grid.rows
    )


def _is_alike(rule: ListingRule, grid: Grid, header: Header) -> bool:
    """Tell whether a table has enough of the headings; if there are none, whether it is wide enough."""
    wanted = sum(bool(each.heading) for each in rule.rules)
    if wanted:
        return header.found >= MIN_SHARE_OF_COLUMN_HEADINGS * wanted
    return bool(grid.rows) and len(grid.rows[0]) > max(each.place for each in rule.rules)


def _rows_of(rule: ListingRule, grid: Grid, header: Header) -> Iterator[Row]:
    columns = [
        (each.place if each.place < len(grid.rows[0]) else None) if not each.heading else column
        for each, column in zip(rule.rules, header.columns, strict=True)
    ]
    for number in grid.records(header):
        cells = fold_cells(rule.fields, [_cells(grid, number, column) for column in columns])
        if any(cells):
            node = grid.table.rows[number]
            yield Row((node, grid.view.ends[node]), tuple(map(whole_cell, rule.fields, cells)))


def _cells(grid: Grid, row: int, column: int | None) -> list[Cell]:
    slot = None if column is None else grid.rows[row][column]
    text = grid.text(slot)
    return [Cell(text, slot.node)] if slot is not None and text else []


def _align(samples: Sequence[RegionSample]) -> list[Column]:
    """Align the columns of all samples by heading, or without one by place."""
    columns: list[Column] = []
    for sample in samples:
        for draft in _drafts(sample):
            known = (
                column
                for column in columns
                if column.heading == draft.heading
                and (draft.heading or column.place == draft.place)
                and all(record.view is not sample.view for record in column.cells)
            )
            same = next(known, None)
            if same is None:
                columns.append(draft)
            else:
                same.take(draft)
    return name_apart(columns)


def _drafts(sample: RegionSample) -> Iterator[Column]:
    grid = _grid_of(sample)
    fields = sample.region.fields
    names = {each.name for each in fields}
    plain = [
        match[1] if (match := _NUMBERED.fullmatch(each.name)) and match[1] in names else each.name for each in fields
    ]
    places = [_place(grid, [node for node in each.nodes if node is not None]) for each in fields]
    header = grid.find_header(plain, places)
    for each, heading, place, column in zip(fields, plain, places, header.columns, strict=True):
        if place is not None:
            pairs = zip(sample.records, each.nodes, each.values, strict=True)
            cells = {record: (node, value) for record, node, value in pairs if node is not None and value}
            found = heading if column is not None else ""
            yield Column(each.name, Counter({each.type: len(cells)}), cells, heading=found, place=place)


def _grid_of(sample: RegionSample) -> Grid:
    grids = {grid.table.node: grid for grid in find_grids(sample.view)}
    if sample.region.node not in grids:
        raise InputError(f"{sample.region.document.url}: the mined region is not a table; learn its records instead")
    return grids[sample.region.node]


def _place(grid: Grid, nodes: Sequence[int]) -> int | None:
    """Find the column that most of the cells start in."""
    firsts: dict[int, int] = {}
    for row in grid.rows:
        for column, cell in enumerate(row):
            if cell is not None:
                firsts.setdefault(cell.node, column)
    counts = Counter(firsts[node] for node in nodes if node in firsts)
    return counts.most_common(1)[0][0] if counts else None


def _find_ignored(samples: Sequence[RegionSample]) -> set[PathStep]:
    """Find elements of cells that are not part of their mined values, such as footnote marks."""
    ignored: set[PathStep] = set()
    kept: set[PathStep] = set()
    for sample in samples:
        view = sample.view
        for each in sample.region.fields:
            for node, value in zip(each.nodes, each.values, strict=True):
                if node is None or value is None:
                    continue
                beside = [] if is_same(view.text(node), value) else _beside(view, node, value)
                ignored |= {_step(view, inner) for inner in beside}
                inside = (inner for inner in range(node + 1, view.ends[node]) if view.tags[inner] >= 0)
                kept |= {_step(view, inner) for inner in inside if inner not in beside and view.text(inner) in value}
    return ignored - kept


def _beside(view: View, node: int, value: str) -> list[int]:
    """Find the outermost elements of a cell to leave out so that it has the value; none if that does not help."""
    found: list[int] = []
    inner = node + 1
    while inner < view.ends[node]:
        text = view.text(inner) if view.tags[inner] >= 0 else ""
        if text not in value and value not in text:
            found.append(inner)
            inner = view.ends[inner]
        else:
            inner += 1
    starts, stops = [node, *(view.ends[each] for each in found)], [*found, view.ends[node]]
    left = " ".join(view.written(*part) for part in zip(starts, stops, strict=True) if part[0] < part[1])
    return found if is_same(left, value) else []


def _step(view: View, node: int) -> PathStep:
    return PathStep(view.name(node), view.classes(node))
