"""Filling: the values of columns, for each record a text or an address with the node where it stands."""

from __future__ import annotations

from collections.abc import Sequence

from webquarry.mining.fields.labels import Labels
from webquarry.mining.fields.pieces import Pieces
from webquarry.mining.fields.slots import Column
from webquarry.mining.links import Resolver, image_address

Cells = list[tuple[str, int] | None]
Seen = list[set[str]]
"""For each record the addresses that it has in other columns: once is enough."""


def text_cells(pieces: Pieces, labels: Labels, columns: Sequence[Column]) -> Cells:
    """The texts of columns together, without their labels; several of one record parted by commas or semicolons."""
    cells: Cells = [None] * len(pieces.spans)
    for record in columns[0]:
        members = [piece for column in columns for piece in column[record]]
        texts = [pieces.texts[piece][labels.starts[piece] :] for piece in members]
        comma = "; " if len(texts) > 1 and any("," in text for text in texts) else ", "
        cells[record] = (comma.join(texts), pieces.nodes[members[0]])
    return cells


def alternative_cells(pieces: Pieces, column: Column) -> Cells:
    """The texts that stand for images."""
    cells: Cells = [None] * len(pieces.spans)
    for record, members in column.items():
        text = " ".join(pieces.document.attributes[pieces.owners[members[0]]].get("alt", "").split())
        if text:
            cells[record] = (text, pieces.nodes[members[0]])
    return cells


def image_cells(pieces: Pieces, column: Column, resolve: Resolver, seen: Seen) -> Cells:
    """The addresses of images."""
    cells: Cells = [None] * len(pieces.spans)
    for record, members in column.items():
        for piece in members:
            address = image_address(pieces.document, pieces.owners[piece], resolve)
            if address is not None and address not in seen[record]:
                seen[record].add(address)
                before = cells[record]
                cells[record] = (f"{before[0]} {address}" if before else address, pieces.nodes[members[0]])
    return cells


def link_cells(pieces: Pieces, column: Column, links: Sequence[int], resolve: Resolver, seen: Seen) -> Cells:
    """The addresses that the pieces of a column lead to; none of a list, where there would be several."""
    cells: Cells = [None] * len(pieces.spans)
    if any(len(members) > 1 for members in column.values()):
        return cells
    for record, members in column.items():
        link = links[members[0]]
        address = resolve(pieces.document.attributes[link]["href"]) if link >= 0 else None
        if address is not None and address not in seen[record]:
            seen[record].add(address)
            cells[record] = (address, link)
    return cells
