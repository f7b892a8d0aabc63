"""Parse a page by a wrapper, in one pass over its pieces.

Every section may be absent, and sections may come in any order.  A heading goes to the nearest open section whose
grammar has it.  A heading unknown to the grammar is kept under `_other`; in a section that is one text it is text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from webquarry.model.document import Document
from webquarry.model.wrapper import OTHER, Section, TokenFormat, Wrapper
from webquarry.page.looks import rendered_look
from webquarry.page.text_runs import COLON, Piece, without_colon
from webquarry.page.trees import Tree, cell_places
from webquarry.wrapping.heading_names import (
    collect_names,
    heading_name,
    map_names,
    pattern_name,
    plain_heading,
    spell_pattern,
)

MAX_OWN_PIECES = 100
"""Last pieces of a section's own text to compare a new line with, to tell whether it continues that text."""


@dataclass(eq=False, slots=True)
class PagePart:
    """A section on a page."""

    section: Section | None
    """Its rule in the grammar; None if unknown."""
    name: str
    heading: str
    level: int
    signature: str
    parent: PagePart | None
    title: Piece | None = None
    """The piece of its heading."""
    place: int | None = None
    """The number of a repeated section."""
    pieces: list[Piece] = field(default_factory=list)
    """Its own text."""
    parts: dict[str, PagePart] = field(default_factory=dict)
    other: dict[str, PagePart] = field(default_factory=dict)
    """Sections unknown to the grammar, and annotations."""
    repeats: Counter[str] | None = None
    """Counts of repeated sections in it, once there is one."""

    @property
    def is_leaf(self) -> bool:
        """True if the grammar has it without children."""
        return self.section is not None and self.parent is not None and not self.section.children

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the outermost section to its own, behind `_other` if one is unknown to the grammar."""
        around = (*self.parent.path, self.name) if self.parent is not None else ()
        is_first_unknown = self.section is None and around[0] != OTHER
        return (OTHER, *around) if is_first_unknown else around


class Parser:
    """Finds the sections of pages; made once for many pages."""

    def __init__(self, wrapper: Wrapper) -> None:
        self._grammar = wrapper.grammar
        self._ignored = frozenset([*wrapper.ignored, wrapper.title])  # the title names the page, not a section
        self._other = frozenset(wrapper.other)
        self._tokens: dict[str, list[tuple[TokenFormat, Collection[str], Collection[str]]]] = {}
        for token in wrapper.tokens:
            entry = (token, collect_names(token.names), collect_names(token.excluded))
            self._tokens.setdefault(token.signature, []).append(entry)
        self._children: dict[int, Mapping[str, Section]] = {}
        self._moved: dict[int, Mapping[str, tuple[Section, ...]]] = {}

    def trace(
        self, document: Document, pieces: Sequence[Piece], looks: dict[int, str] | None = None
    ) -> list[tuple[int, TokenFormat, tuple[str, ...]]]:
        """List the headings among the pieces: their numbers, their formats, and the paths they start.

        The paths of headings unknown to the grammar begin with `_other`.  `looks` remembers the looks of elements for
        the next time that the same pieces are traced.
        """
        started: list[tuple[Piece, TokenFormat, PagePart]] = []
        self.parse(document, pieces, started, looks)
        numbers = {id(piece): number for number, piece in enumerate(pieces)}
        return [(numbers[id(piece)], token, part.path) for piece, token, part in started]

    def parse(
        self,
        document: Document,
        pieces: Sequence[Piece],
        started: list[tuple[Piece, TokenFormat, PagePart]] | None = None,
        looks: dict[int, str] | None = None,
    ) -> PagePart:
        """Parse the page into its sections; append each heading and the section it starts to `started`."""
        started, looks = [] if started is None else started, {} if looks is None else looks
        root = current = PagePart(self._grammar, "", "", 0, "", None)
        note: PagePart | None = None  # an annotation of the current section
        line, after_heading = -1, False
        lead: Piece | None = None  # a label that starts no section, and begins the line
        hidden = document.hidden if document.layout is not None else None
        tokens, ignored = self._tokens, self._ignored
        for piece in pieces:
            if piece.signature in ignored or (hidden is not None and hidden[piece.node]):
                continue
            begins = piece.line != line
            line = piece.line
            token = None
            if piece.signature in tokens and piece.cell is None:
                token = self._find_token(document, piece, looks, within_line=not (begins or after_heading))
            if token is not None:
                name = token.repeats or heading_name(piece.text)
                if name in self._other:
                    new = PagePart(None, name, plain_heading(piece.text), 0, "", current, piece)
                    note = current.other.setdefault(name, new)
                    started.append((piece, token, note))
                    after_heading = False
                    continue
                found = self._place(current, name, piece, token)
                if found is not None:
                    _take_lead(None if begins else lead, current, found)
                    started.append((piece, token, found))
                    current, note, after_heading = found, None, True
                    continue
            after_heading = False
            lead = piece if begins and piece.signature.endswith(COLON) else None
            if note is not None and begins and _resumes(current, note, piece):
                note = None
            if note is not None:
                note.pieces.append(piece)
            elif current is not root:
                current.pieces.append(piece)
        _end_at_rule(current)
        return root

    def _find_token(
        self, document: Document, piece: Piece, looks: dict[int, str], *, within_line: bool
    ) -> TokenFormat | None:
        name = heading_name(piece.text)
        for token, names, excluded in self._tokens[piece.signature]:
            if (within_line and not token.is_inline) or (names and name not in names) or name in excluded:
                continue
            if token.look and document.layout is not None:
                if piece.element not in looks:
                    looks[piece.element] = rendered_look(document.layout, piece.element).to_words()
                if token.look != looks[piece.element]:
                    continue
            return token
        return None

    def _place(self, current: PagePart, name: str, piece: Piece, token: TokenFormat) -> PagePart | None:
        """Find or open the section that a heading starts; None if it is text of a section that is one text."""
        holder: PagePart | None = current
        outer: PagePart | None = None
        while holder is not None:
            if holder.level < token.level or (holder.level == token.level and _look_alike(holder, token)):
                if token.excluded and ".".join((*holder.path, name)) in token.excluded:
                    return None
                section = self._child(holder.section, name)
                if section is not None and (outer is None or _can_start(holder, section, token)):
                    return _open(holder, section, section.name, piece, token)
                if outer is None and holder.level < token.level:
                    outer = holder
            holder = holder.parent
        if outer is None:
            return None
        *ways, moved = self._find_moved(outer.section, name) or (None,)
        for way in ways:
            if way is not None:
                absent = PagePart(way, way.name, way.name, token.level, "", outer)
                outer = outer.parts.setdefault(way.name, absent)
        if moved is None and outer.is_leaf and outer.pieces:
            return None
        return _open(outer, moved, moved.name if moved else name, piece, token)

    def _find_moved(self, section: Section | None, name: str) -> tuple[Section, ...]:
        """Find the way to the one section of the name that is deeper than its heading's level: a person moved it."""
        if section is None:
            return ()
        ways = self._moved.get(id(section))
        if ways is None:
            ways = self._moved[id(section)] = _find_deeper(section)
        return ways.get(name, ())

    def _child(self, section: Section | None, name: str) -> Section | None:
        if section is None:
            return None
        children = self._children.get(id(section))
        if children is None:
            children = self._children[id(section)] = by_heading(section)
        return children.get(name)


def _take_lead(lead: Piece | None, before: PagePart, begun: PagePart) -> None:
    """Give a label to the section that begins behind it on its line, instead of the one before."""
    if lead is not None and before.pieces[-1:] == [lead]:
        begun.pieces.append(before.pieces.pop())


def _can_start(holder: PagePart, section: Section, token: TokenFormat) -> bool:
    """Tell whether a heading can start a section farther out than its level.

    A section with children that a heading of another format has started merely has the same name.
    """
    started = holder.parts.get(section.name)
    return started is None or not section.children or started.signature == token.signature


def _open(holder: PagePart, section: Section | None, name: str, piece: Piece, token: TokenFormat) -> PagePart:
    """Open a section; a second heading of the same name continues it, unless the section is repeated."""
    parts = holder.parts if section is not None or holder.section is None or holder.is_leaf else holder.other
    key, place = name, None
    if section is not None and section.is_repeated:
        holder.repeats = holder.repeats or Counter()
        place = holder.repeats[name]
        holder.repeats[name] += 1
        key = f"{name}[{place}]"
    if key not in parts or parts[key].title is None:
        heading = plain_heading(piece.text)
        if section is not None and section.headings and place is None:
            heading = next((spell_pattern(each) for each in section.headings if heading_name(each) == name), name)
        part = PagePart(section, name, heading, token.level, token.signature, holder, piece, place)
        if key in parts:  # sections that a person moved into it came before its heading
            part.parts = parts[key].parts
            for inner in part.parts.values():
                inner.parent = part
        parts[key] = part
    return parts[key]


def _look_alike(holder: PagePart, token: TokenFormat) -> bool:
    """Tell whether headings look the same: then only indents, hence names, tell which section contains which."""
    ours, theirs = holder.signature, token.signature
    return ours == theirs or without_colon(ours) == without_colon(theirs)


def by_heading(section: Section) -> dict[str, Section]:
    """Map the headings of a section's children to these, after their names."""
    names = ((child.name, child) for child in section.children)
    headings = ((pattern_name(heading), child) for child in section.children for heading in child.headings)
    return map_names([*names, *headings])


def _find_deeper(section: Section) -> dict[str, tuple[Section, ...]]:
    """Map headings to the way to their section below the children, where there is only one."""
    found: dict[str, tuple[Section, ...]] = {}
    waiting: list[tuple[Section, ...]] = [(child,) for child in section.children]
    while waiting:
        way = waiting.pop()
        if way[-1].type == "table" or way[-1].is_repeated:
            continue
        for heading, child in by_heading(way[-1]).items():
            found[heading] = () if heading in found else (*way, child)
        waiting += [(*way, child) for child in way[-1].children]
    return map_names(found.items())


def _resumes(current: PagePart, note: PagePart, piece: Piece) -> bool:
    """Tell whether a new line continues the section's own text rather than the annotation's."""
    if not note.pieces or note.title is None or note.pieces[0].line != note.title.line:
        return False
    return piece.signature in {own.signature for own in current.pieces[-MAX_OWN_PIECES:]}


def _end_at_rule(last: PagePart) -> None:
    """Cut what is below a horizontal rule after the last section: it belongs to the page."""
    last.pieces = [piece for piece in last.pieces if piece.rules == last.pieces[0].rules]


def find_missing(part: PagePart, path: tuple[str, ...] = ()) -> Iterator[str]:
    """List the paths of sections that the grammar requires and the page lacks."""
    if part.section is None or part.section.type == "table":
        return
    names = {child.name for child in part.parts.values()}
    for child in part.section.children:
        if child.name not in names:
            if not child.is_optional:
                yield ".".join((*path, child.name))
        elif child.children and child.name in part.parts:
            yield from find_missing(part.parts[child.name], (*path, child.name))


def find_unknown(part: PagePart) -> Iterator[str]:
    """List the headings of the page that the grammar lacks."""
    for child in part.parts.values():
        if child.parts or child.other:
            yield from find_unknown(child)
    yield from (child.heading for child in part.other.values() if child.level)


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
    text, line = pieces[0].text, pieces[0].line
    for piece in pieces[1:]:
        text += (piece.gap if piece.line == line else "\n") + piece.text
        line = piece.line
    return text
