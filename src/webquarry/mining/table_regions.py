"""Mining tables: every data table of a document as a region, the most important first."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind, find_inside
from webquarry.html.tables import Table, form_tables
from webquarry.mining.table_cells import Content, Grid, are_mostly_broken, is_number_like, lay_out, read_contents
from webquarry.mining.table_headers import Reading, name_columns, read_rows
from webquarry.model.document import Document
from webquarry.model.region import Field, Region
from webquarry.values.column_values import read_column
from webquarry.values.locale import Locale, find_locale

# MERGED mining/tables/ranking: How important a table is on its page, what part it plays, and why.
_LARGE = 400  # values of a table that is as large as can be asked for
_MENU_LINKS = 0.7  # share of link text, in a table without names of columns
_MENUS = frozenset(["nav"])
_ASIDE = frozenset("aside footer header".split())
_FACTORS = {"main": 1.0, "side": 0.7, "menu": 0.3}


class Rank(NamedTuple):
    """What a region says of itself."""

    role: str
    score: float
    reasons: tuple[str, ...]


class Ranking:
    """Ranks the tables of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._in_menu = find_inside(document.ends, document.has_tag(_MENUS))
        self._aside = find_inside(document.ends, document.has_tag(_ASIDE))
        shown = np.flatnonzero((document.kinds == Kind.TEXT) & ~document.hidden)
        texts = map(document.texts.__getitem__, shown.tolist())
        self._whole = sum(len(text) for text in texts if not text.isspace())

    def rank(self, grid: Grid, reading: Reading, contents: dict[int, Content]) -> Rank:
        """The rank of a table."""
        cells = [contents[cell.node] for row in grid.table.cells for cell in row]
        size = sum(each.size for each in cells)
        share = min(1.0, size / self._whole) if self._whole else 0.0
        links = sum(each.links for each in cells) / size if size else 0.0
        role = self._role(grid.table.node, reading, links)
        reasons = _reasons(self._document, grid, reading, share)
        return Rank(role, _FACTORS[role] * _importance(grid, reading, share), reasons)

    def _role(self, table: int, reading: Reading, links: float) -> str:
        if self._in_menu[table] or (not reading.header and links > _MENU_LINKS):
            return "menu"
        return "side" if self._aside[table] or _floats(self._document, table) else "main"


def _importance(grid: Grid, reading: Reading, share: float) -> float:
    """From 0 to 1, by size, share of the page's text, names of columns, values that are there, and a caption."""
    values = len(reading.columns) * len(reading.records)
    rows = (grid.rows[row] for row in reading.records)
    filled = sum(bool(row[column] and row[column].text) for row in rows for column in reading.columns) / values  # type: ignore[union-attr]
    size = min(1.0, math.log1p(values) / math.log1p(_LARGE))
    header = 1.0 if reading.is_marked else 0.6 if reading.header else 0.0
    caption = grid.table.caption is not None or bool(reading.titles)
    return 0.4 * size + 0.25 * math.sqrt(share) + 0.2 * header + 0.1 * filled + 0.05 * caption


def _floats(document: Document, table: int) -> bool:
    if document.layout is not None:
        x, _, width, _ = document.layout.boxes[table].tolist()
        return bool(width < document.layout.width / 3 and x > document.layout.width / 2)
    attributes = document.attributes[table]
    return "float" in attributes.get("style", "") or attributes.get("align", "").lower() in ("left", "right")


def _reasons(document: Document, grid: Grid, reading: Reading, share: float) -> tuple[str, ...]:
    caption = " ".join(document.text(grid.table.caption).split()) if grid.table.caption is not None else ""
    if reading.is_marked:
        header = "the markup names the columns"
    elif reading.header:
        header = "the first row names the columns"
    else:
        header = "no row names the columns"
    size = f"{len(reading.records)} records in {len(reading.columns)} columns"
    said = [size, header, f"{share:.0%} of the page's text"]
    return tuple(said + ([f"caption: {caption}"] if caption else []))


# MERGED mining/tables/data_tables: Tables that hold data, told from tables that lay out a page.
# MERGED
# MERGED What the markup says counts first (a role, headers, a caption).  A table that says nothing must look
# MERGED values, rows alike, columns of one kind.  It fails on grids of pictures with a line of text each, an
# MERGED set as a table with headers.
_ONLY_LAYOUT = frozenset(["presentation", "none"])
_LOOKED_AT = 60  # records that tell what a table is like
_LONG = 400  # characters of a cell that is a part of a page rather than a value
_VALUE = 80  # characters that most values stay below


def may_hold_data(document: Document, table: Table, contents: dict[int, Content]) -> bool:
    """False where the structure alone shows that a table lays out a page."""
    if document.attributes[table.node].get("role", "").strip().lower() in _ONLY_LAYOUT:
        return False
    inside = [contents[cell.node] for row in table.cells for cell in row]
    if len(table.rows) < 2 or len(inside) < 2:
        return False
    blocks, controls = sum(each.blocks for each in inside), sum(each.controls > 0 for each in inside)
    is_marked = has_marks(document, table)
    if blocks > len(inside) * (1.0 if is_marked else 0.3) or controls > len(inside) * (0.5 if is_marked else 0.2):
        return False
    spoken = [each.size for each in inside if each.size]
    return is_marked or (bool(spoken) and max(spoken) < max(_LONG, sum(spoken) / 2))


def has_marks(document: Document, table: Table) -> bool:
    """Whether the markup says that a table holds data: by a caption, headers or a head."""
    if table.caption is not None or "thead" in table.groups:
        return True
    return any(cell.is_header or "headers" in document.attributes[cell.node] for row in table.cells for cell in row)


def holds_data(document: Document, grid: Grid, reading: Reading) -> bool:
    """Whether a table that may hold data does."""
    if not reading.records or not reading.columns:
        return False
    if len(reading.columns) == 1:
        return reading.is_marked and len(reading.records) > 2 and _is_regular(grid, reading)
    if reading.is_marked:
        return len(reading.records) > 1 or len(reading.columns) > 2
    return len(reading.records) > 1 and (_has_row_headers(grid, reading) or _looks_like_data(document, grid, reading))


def _looks_like_data(document: Document, grid: Grid, reading: Reading) -> bool:
    """Whether a table in which nothing is marked is like data to look at."""
    if not _is_regular(grid, reading):
        return False
    if reading.header:
        return True
    rows = [grid.rows[row] for row in reading.records]
    return not are_mostly_broken(rows) and (_has_lines(document, grid) or _has_numbers(grid, reading))


def _has_row_headers(grid: Grid, reading: Reading) -> bool:
    """Whether most records begin with a header and go on with something else."""
    ends = [(grid.rows[row][reading.columns[0]], grid.rows[row][reading.columns[-1]]) for row in reading.records]
    headed = sum(bool(first and first.is_header and last and not last.is_header) for first, last in ends)
    return headed * 2 > len(ends)


def _is_regular(grid: Grid, reading: Reading) -> bool:
    """Whether most records have a cell for most columns, say something in most, and say it shortly."""
    rows = [[grid.rows[row][column] for column in reading.columns] for row in reading.records[:_LOOKED_AT]]
    complete = sum(len({id(each) for each in row if each}) * 5 >= len(reading.columns) * 3 for row in rows)
    lengths = [len(each.text) for row in rows for each in row if each and each.text]
    return (
        complete * 2 > len(rows)
        and len(lengths) * 2 > len(rows) * len(reading.columns)
        and median(lengths) < _VALUE
        and max(lengths) < (_LONG if len(reading.columns) < 3 or not reading.header else math.inf)
    )


def _has_numbers(grid: Grid, reading: Reading) -> bool:
    """Whether a column holds mostly numbers."""
    for column in reading.columns:
        entries = [grid.rows[row][column] for row in reading.records[:_LOOKED_AT]]
        texts = [each.text for each in entries if each and each.text]
        if len(texts) * 2 > len(entries) and sum(map(is_number_like, texts)) * 5 > len(texts) * 4:
            return True
    return False


def _has_lines(document: Document, grid: Grid) -> bool:
    """Whether lines are drawn around the cells."""
    layout = document.layout
    if layout is None:
        border = document.attributes[grid.table.node].get("border", "0").strip()
        return border not in ("", "0")
    cells = [each.cell.node for row in grid.rows[:_LOOKED_AT] for each in row if each]
    drawn = sum(
        layout.style(node, "border-bottom-style") not in ("", "none")
        and layout.style(node, "border-bottom-width") not in ("", "0px")
        for node in cells
    )
    return drawn * 2 > len(cells)


_DEEPEST = 3  # tables within tables within tables: what holds more is a frame, and its text is not put together
_TAKES_PLACE = re.compile(r"visibility\s*:", re.IGNORECASE)


def mine_tables(document: Document) -> list[Region]:
    """Every data table of a document, ranked by size, share of the page's text, headers and caption."""
    tables = form_tables(document, _absent(document))
    if not tables:
        return []
    contents = read_contents(document, tables)
    found = _DataTables(document, tables, contents)
    ranking = Ranking(document)
    regions = [_region(document, grid, reading, ranking.rank(grid, reading, contents)) for grid, reading in found.all()]
    return sorted(regions, key=lambda region: -region.score)


def grid_of(region: Region) -> list[list[str]]:
    """The rows of a table as texts, the names of its columns first."""
    names = [each.name for each in region.fields]
    columns = [[value or "" for value in each.values] for each in region.fields]
    return [names, *map(list, zip(*columns, strict=True))]


class _DataTables:
    """Finds the tables that hold data, inner ones before those that hold them.

    The text of a nested table belongs to the cell around it only if the nested one holds no data.
    """

    def __init__(self, document: Document, tables: Sequence[Table], contents: dict[int, Content]) -> None:
        self._document = document
        self._tables = {table.node: table for table in tables}
        self._contents = contents
        self._depths: dict[int, int] = {}
        self._texts: dict[int, str] = {}

    def all(self) -> list[tuple[Grid, Reading]]:
        """The data tables with their rows told apart, in document order."""
        found = [self._read(table) for table in reversed(self._tables.values())]
        return [each for each in reversed(found) if each is not None]

    def _read(self, table: Table) -> tuple[Grid, Reading] | None:
        inner = [each for row in table.cells for cell in row for each in self._contents[cell.node].tables]
        depth = self._depths[table.node] = 1 + max((self._depths.get(each, 0) for each in inner), default=0)
        if depth > _DEEPEST:
            return None
        result = None
        if may_hold_data(self._document, table, self._contents) and not self._is_frame(table, inner):
            grid = lay_out(self._document, table, self._contents, self._text_of)
            reading = read_rows(self._document, grid) if grid else None
            if grid and reading and holds_data(self._document, grid, reading):
                result = grid, reading
        if result is None and depth < _DEEPEST:
            cells = (cell for row in table.cells for cell in row)
            self._texts[table.node] = " ".join(self._contents[cell.node].text(self._text_of) for cell in cells)
        return result

    def _text_of(self, table: int) -> str:
        return self._texts.get(table, "")

    def _is_frame(self, table: Table, inner: Sequence[int]) -> bool:
        """Whether most of what a table says stands in tables within it."""
        if not inner:
            return False
        cells = [self._contents[cell.node] for row in table.cells for cell in row]
        holding = sum(bool(each.tables) for each in cells)
        own = sum(each.size for each in cells)
        nested = sum(
            self._contents[cell.node].size
            for each in inner
            if each in self._tables
            for row in self._tables[each].cells
            for cell in row
        )
        return nested > own or (holding * 4 > len(cells) and not has_marks(self._document, table))


def _region(document: Document, grid: Grid, reading: Reading, rank: Rank) -> Region:
    records = [grid.rows[row] for row in reading.records]
    names = name_columns(grid, reading)
    columns = [
        [(each.text or None) if (each := row[column]) else None for row in records] for column in reading.columns
    ]
    nodes = [[each.cell.node if (each := row[column]) else None for row in records] for column in reading.columns]
    locale = find_locale(document.language, (text for column in columns for text in column if text))
    fields = tuple(_field(*each, locale) for each in zip(names, columns, nodes, strict=True))
    spans = ((grid.table.rows[row], int(document.ends[grid.table.rows[row]])) for row in reading.records)
    return Region(
        document=document,
        node=grid.table.node,
        spans=tuple(spans),
        fields=fields,
        kind="table",
        method="tables",
        role=rank.role,
        score=rank.score,
        reasons=rank.reasons,
    )


def _field(name: str, texts: list[str | None], nodes: list[int | None], locale: Locale) -> Field:
    kind, typed = read_column(texts, locale) or ("text", ())
    return Field(name=name, type=kind, values=tuple(texts), nodes=tuple(nodes), typed=typed)


def _absent(document: Document) -> NDArray[np.bool_]:
    """For each node whether it takes no place in a table."""
    if document.layout is not None:
        return document.hidden & np.isnan(document.layout.boxes[:, 0])
    absent = document.hidden.copy()
    for node in np.flatnonzero(absent).tolist():
        style = document.attributes[node].get("style", "")
        if _TAKES_PLACE.search(style) and "display" not in style and not document.hidden[document.parents[node]]:
            absent[node] = False
    return absent
