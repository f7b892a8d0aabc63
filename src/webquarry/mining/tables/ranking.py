"""How important a table is on its page, what part it plays, and why."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from webquarry.html.columns import find_inside
from webquarry.mining.tables.cell_contents import Content
from webquarry.mining.tables.grid import Grid
from webquarry.mining.tables.headers import Reading
from webquarry.model import Document, Kind

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
