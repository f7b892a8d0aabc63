"""Write the sections that a parser found as values, with their nodes and types."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from webquarry.model.extraction import SectionValue
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import HEADING, OTHER, TEXT
from webquarry.page.text_runs import Piece
from webquarry.page.trees import Tree, cell_places
from webquarry.values.locale import Locale
from webquarry.values.section_types import read_as
from webquarry.wrapping.section_parser import PagePart, is_wanted

Path = tuple[str | int, ...]


class Writer:
    """Writes the values of one page; with `only`, of the sections at these paths."""

    def __init__(self, tree: Tree[Any], locale: Locale, only: Collection[tuple[str, ...]] = ()) -> None:
        self._tree, self._locale, self._only = tree, locale, only
        self._others: list[SectionValue] = []

    def write(self, root: PagePart) -> tuple[SectionValue, ...]:
        """List the values of all sections, those of unknown headings last."""
        values = [value for part in root.parts.values() for value in self._write(part, (), ())]
        for part in root.other.values():
            self._others += self._write(part, (OTHER,), (OTHER,))
        return (*values, *self._others)

    def _write(self, part: PagePart, path: Path, headings: Path) -> Iterator[SectionValue]:
        if part.place is not None:
            yield from self._write_repeated(part, path, headings)
            return
        path, headings = (*path, part.name), (*headings, part.heading)
        if self._only and path[0] != OTHER and not is_wanted(path, self._only):
            return
        if part.section is not None and part.section.type == "table":
            yield from self._write_table(part, path, headings)
        elif part.is_leaf and part.parts:
            yield from self._write_split_leaf(part, path, headings)
        else:
            yield from self._write_section(part, path, headings)
        if not self._only:
            for child in part.other.values():
                others = () if path[0] == OTHER else (OTHER,)
                self._others += self._write(child, (*others, *path), (*others, *headings))

    def _write_section(self, part: PagePart, path: Path, headings: Path) -> Iterator[SectionValue]:
        if part.pieces:
            has_children = bool(part.section.children if part.section else part.parts)
            own_path = (*path, TEXT) if has_children else path
            yield self._value(own_path, (*headings, TEXT) if part.parts else headings, part, part.pieces)
        for child in part.parts.values():
            yield from self._write(child, path, headings)

    def _write_repeated(self, part: PagePart, path: Path, headings: Path) -> Iterator[SectionValue]:
        path, headings = (*path, part.name, part.place or 0), (*headings, part.name, part.place or 0)
        if part.title is not None:
            heading = part.title.text.rstrip(": ")  # a value: it keeps its own full stop
            yield SectionValue((*path, HEADING), (*headings, HEADING), heading, self._tree.xpath(part.title.element))
        if part.pieces:
            yield self._value((*path, TEXT), (*headings, TEXT), part, part.pieces)
        for child in part.parts.values():
            yield from self._write(child, path, headings)

    def _write_split_leaf(self, part: PagePart, path: Path, headings: Path) -> Iterator[SectionValue]:
        """Write a section that is one text on the samples but has labelled parts on this page.

        Its value is their whole text; the parts follow one by one.
        """
        parts = [value for child in part.parts.values() for value in self._write(child, (*path, OTHER), headings)]
        if parts:
            whole = "\n".join(f"{value.headings[-1]}: {value.text}" for value in parts)
            yield SectionValue(path, (), whole, parts[0].node)
            yield from parts

    def _write_table(self, part: PagePart, path: Path, headings: Path) -> Iterator[SectionValue]:
        own = [piece for piece in part.pieces if piece.cell is None]
        names, rows = read_data_table(self._tree, part.pieces)
        snake = distinct(snake_case(name) for name in names)
        for place, row in enumerate(rows):
            for column, pieces in row.items():
                below = (*path, place, snake[column]), (*headings, place, names[column])
                yield SectionValue(*below, join_text(pieces), self._tree.xpath(pieces[0].element))
        if own:
            self._others.append(self._value((OTHER, *path, TEXT), (OTHER, *headings, TEXT), part, own))

    def _value(self, path: Path, headings: Path, part: PagePart, pieces: Sequence[Piece]) -> SectionValue:
        text = join_text(pieces)
        type_ = part.section.type if part.section is not None else "text"
        typed = read_as(type_, text, self._locale) if type_ != "text" else None
        return SectionValue(path, headings, text, self._address(part, pieces), typed)

    def _address(self, part: PagePart, pieces: Sequence[Piece]) -> str:
        """Address the smallest element with all of a value but not its heading, or else the value's beginning."""
        first, last = pieces[0].element, pieces[-1].element
        if first != last:
            above = set(self._outwards(first))
            around = next((node for node in self._outwards(last) if node in above), first)
            if part.title is None or around not in self._outwards(part.title.element):
                first = around
        return self._tree.xpath(first)

    def _outwards(self, node: Any) -> Iterator[Any]:
        while node is not None:
            yield node
            node = self._tree.parent(node)


def read_data_table(tree: Tree[Any], pieces: Sequence[Piece]) -> tuple[list[str], list[dict[int, list[Piece]]]]:
    """Read the header of the data table that pieces are in, and its rows: the pieces of each column's cell.

    A cell that spans several columns counts as one.
    """
    rows: dict[Any, dict[int, list[Piece]]] = {}
    places: dict[Any, int] = {}
    for piece in pieces:
        if piece.cell is not None:
            row = tree.parent(piece.cell)
            if row not in rows:
                places |= cell_places(tree, row)
            rows.setdefault(row, {}).setdefault(places[piece.cell], []).append(piece)
    if not rows:
        return [], []
    header, *others = rows.values()
    names = {place: join_text(cell) for place, cell in header.items()}
    width = max(max(row) for row in rows.values()) + 1
    return [names.get(place, "column") for place in range(width)], others


def join_text(pieces: Sequence[Piece]) -> str:
    """Join pieces line by line."""
    parts: list[str] = []
    line = pieces[0].line
    for piece in pieces:
        if parts:
            parts.append(piece.gap if piece.line == line else "\n")
        line = piece.line
        parts.append(piece.text)
    return "".join(parts)
