"""Filling: the values of columns, for each record a text or an address with the node where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.html.urls import Resolver
from webquarry.mining.column_names import Labels
from webquarry.mining.column_splits import Column
from webquarry.mining.record_pieces import Pieces
from webquarry.page.links import image_address

Seen = set[tuple[int, str]]
"""Records with the addresses that they have in other columns: once is enough."""


@dataclass(frozen=True)
class Cells:
    """Columns, one entry a record; None where it has no value."""

    values: list[str | None]
    nodes: list[int | None]

    def __bool__(self) -> bool:
        return self.nodes.count(None) < len(self.nodes)


def _no_cells(pieces: Pieces) -> Cells:
    return Cells([None] * len(pieces.spans), [None] * len(pieces.spans))


def text_cells(pieces: Pieces, labels: Labels, columns: Sequence[Column]) -> Cells:
    """The texts of columns together, without their labels; several of one record parted by commas or semicolons."""
    cells, texts, starts = _no_cells(pieces), pieces.texts, labels.starts
    for record, members in columns[0].items():
        first = members[0]
        cells.nodes[record] = pieces.nodes[first]
        if len(columns) == len(members) == 1:
            cells.values[record] = texts[first][starts[first] :]
        else:
            cells.values[record] = _join(
                [texts[piece][starts[piece] :] for column in columns for piece in column[record]]
            )
    return cells


def _join(texts: list[str]) -> str:
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def alternative_cells(pieces: Pieces, column: Column) -> Cells:
    """The texts that stand for images."""
    cells = _no_cells(pieces)
    for record, members in column.items():
        text = " ".join(pieces.document.attributes[pieces.owners[members[0]]].get("alt", "").split())
        if text:
            cells.values[record], cells.nodes[record] = text, pieces.nodes[members[0]]
    return cells


def image_cells(pieces: Pieces, column: Column, resolve: Resolver, seen: Seen) -> Cells:
    """The addresses of images."""
    cells = _no_cells(pieces)
    for record, members in column.items():
        for piece in members:
            address = image_address(pieces.document, pieces.owners[piece], resolve)
            if address is not None and (record, address) not in seen:
                seen.add((record, address))
                before = cells.values[record]
                cells.values[record] = f"{before} {address}" if before else address
                cells.nodes[record] = pieces.nodes[members[0]]
    return cells


def link_cells(pieces: Pieces, column: Column, links: Sequence[int], resolve: Resolver, seen: Seen) -> Cells:
    """The addresses that the pieces of a column lead to; none of a list, where there would be several."""
    cells, attributes = _no_cells(pieces), pieces.document.attributes
    if max(map(len, column.values())) > 1:
        return cells
    for record, members in column.items():
        link = links[members[0]]
        address = resolve(attributes[link]["href"]) if link >= 0 else None
        if address is not None and (record, address) not in seen:
            seen.add((record, address))
            cells.values[record], cells.nodes[record] = address, link
    return cells
