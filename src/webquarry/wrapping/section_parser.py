"""The parser that is made from a wrapper: one pass over the pieces of a page.

Every section may be absent and stand in any order.  A heading goes to the nearest open section whose grammar has it;
one that the grammar does not know is kept apart, or, in a section that the grammar knows as one text, is part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from webquarry.model.document import Document
from webquarry.model.wrapper import OTHER, Section, TokenFormat, Wrapper
from webquarry.page.looks import rendered_look
from webquarry.page.text_runs import Piece, without_colon
from webquarry.wrapping.section_headings import heading_name, plain_heading

OWN_PIECES = 100
"""Of a section's own text that are looked at, the last, to tell whether a line goes on with it."""


@dataclass(eq=False, slots=True)
class PagePart:
    """A section that stands on a page."""

    section: Section | None
    """Of the grammar; None for one that is unknown to it."""
    name: str
    heading: str
    level: int
    signature: str
    parent: PagePart | None
    title: Piece | None = None
    """Its heading on the page."""
    place: int | None = None
    """Of a repeated section: its number."""
    pieces: list[Piece] = field(default_factory=list)
    """Its own text."""
    parts: dict[str, PagePart] = field(default_factory=dict)
    other: dict[str, PagePart] = field(default_factory=dict)
    """What the grammar does not know, and what comments on it."""
    repeats: Counter[str] | None = None
    """How often each repeated section stands in it, once there is one."""

    @property
    def is_leaf(self) -> bool:
        """Whether the grammar knows it, and no sections in it."""
        return self.section is not None and self.parent is not None and not self.section.children

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the outermost section to its own, behind `_other` when one is unknown to the grammar."""
        around = (*self.parent.path, self.name) if self.parent is not None else ()
        is_first_unknown = self.section is None and around[0] != OTHER
        return (OTHER, *around) if is_first_unknown else around


class Parser:
    """Finds the sections of pages."""

    def __init__(self, wrapper: Wrapper) -> None:
        self._grammar = wrapper.grammar
        self._ignored = frozenset([*wrapper.ignored, wrapper.title])  # the title names the page, not a section
        self._other = frozenset(wrapper.other)
        self._tokens: dict[str, list[tuple[TokenFormat, frozenset[str], frozenset[str]]]] = {}
        for token in wrapper.tokens:
            entry = (token, frozenset(token.names), frozenset(token.excluded))
            self._tokens.setdefault(token.signature, []).append(entry)
        self._children: dict[int, Mapping[str, Section]] = {}
        self._moved: dict[int, Mapping[str, tuple[Section, ...]]] = {}

    def trace(self, document: Document, pieces: Sequence[Piece]) -> list[tuple[int, TokenFormat, tuple[str, ...]]]:
        """The headings among the pieces of a page: their numbers, their formats, and the paths that they start.

        Of those that are no section of the grammar the paths begin with `_other`.
        """
        started: list[tuple[Piece, TokenFormat, PagePart]] = []
        self.parse(document, pieces, started)
        numbers = {id(piece): number for number, piece in enumerate(pieces)}
        return [(numbers[id(piece)], token, part.path) for piece, token, part in started]

    def parse(
        self,
        document: Document,
        pieces: Sequence[Piece],
        started: list[tuple[Piece, TokenFormat, PagePart]] | None = None,
    ) -> PagePart:
        """The page with its sections; each heading goes to `started`, with what it starts."""
        started = [] if started is None else started
        root = current = PagePart(self._grammar, "", "", 0, "", None)
        note: PagePart | None = None  # a label that comments on the current section
        line, after_heading = -1, False
        hidden = document.hidden if document.layout is not None else None
        tokens, ignored = self._tokens, self._ignored
        for piece in pieces:
            if piece.signature in ignored or (hidden is not None and hidden[piece.node]):
                continue
            begins = piece.line != line
            line = piece.line
            token = None
            if piece.signature in tokens and piece.cell is None:
                token = self._find_token(document, piece, within_line=not (begins or after_heading))
            if token is not None:
                name = token.repeats or heading_name(piece.text)
                if name in self._other:
                    note = _comment(current, name, piece)
                    started.append((piece, token, note))
                    after_heading = False
                    continue
                found = self._place(current, name, piece, token)
                if found is not None:
                    started.append((piece, token, found))
                    current, note, after_heading = found, None, True
                    continue
            after_heading = False
            if note is not None and begins and _resumes(current, note, piece):
                note = None
            if note is not None:
                note.pieces.append(piece)
            elif current is not root:
                current.pieces.append(piece)
        _end_at_rule(current)
        return root

    def _find_token(self, document: Document, piece: Piece, *, within_line: bool) -> TokenFormat | None:
        name = heading_name(piece.text)
        look = ""
        for token, names, excluded in self._tokens[piece.signature]:
            if (within_line and not token.is_inline) or (names and name not in names) or name in excluded:
                continue
            if token.look and document.layout is not None:
                look = look or rendered_look(document.layout, piece.element).to_words()
                if token.look != look:
                    continue
            return token
        return None

    def _place(self, current: PagePart, name: str, piece: Piece, token: TokenFormat) -> PagePart | None:
        """The section that a heading starts; None when it is text of a section that is one text."""
        holder: PagePart | None = current
        outer: PagePart | None = None
        while holder is not None:
            if holder.level < token.level or (holder.level == token.level and _are_alike(holder, token)):
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
        """The way to the one section of the name that is farther in than its heading tells: a person put it there."""
        if section is None:
            return ()
        ways = self._moved.get(id(section))
        if ways is None:
            ways = self._moved[id(section)] = _ways_by_heading(section)
        return ways.get(name, ())

    def _child(self, section: Section | None, name: str) -> Section | None:
        if section is None:
            return None
        children = self._children.get(id(section))
        if children is None:
            children = self._children[id(section)] = _by_heading(section)
        return children.get(name)


def _can_start(holder: PagePart, section: Section, token: TokenFormat) -> bool:
    """Whether a heading can start a section farther out than its level puts it.

    One that has others in it, and that a heading of other looks has started, only has the same name.
    """
    started = holder.parts.get(section.name)
    return started is None or not section.children or started.signature == token.signature


def _open(holder: PagePart, section: Section | None, name: str, piece: Piece, token: TokenFormat) -> PagePart:
    """The section's part; a second heading of the same name goes on with it, unless the section is repeated."""
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
            heading = next((each for each in section.headings if heading_name(each) == name), name)
        part = PagePart(section, name, heading, token.level, token.signature, holder, piece, place)
        if key in parts:  # what a person put in it stands before it
            part.parts = parts[key].parts
            for inner in part.parts.values():
                inner.parent = part
        parts[key] = part
    return parts[key]


def _are_alike(holder: PagePart, token: TokenFormat) -> bool:
    """Whether two headings look the same: then only indents, and so names, tell which section is in which."""
    return without_colon(holder.signature) == without_colon(token.signature)


def _comment(current: PagePart, name: str, piece: Piece) -> PagePart:
    if name not in current.other:
        current.other[name] = PagePart(None, name, plain_heading(piece.text), 0, "", current, piece)
    return current.other[name]


def _by_heading(section: Section) -> dict[str, Section]:
    found = {child.name: child for child in section.children}
    for child in section.children:
        for heading in child.headings:
            found.setdefault(heading_name(heading), child)
    return found


def _ways_by_heading(section: Section) -> dict[str, tuple[Section, ...]]:
    """By heading the way to the section below the children that has it, where there is only one."""
    found: dict[str, tuple[Section, ...]] = {}
    waiting: list[tuple[Section, ...]] = [(child,) for child in section.children]
    while waiting:
        way = waiting.pop()
        if way[-1].type == "table" or way[-1].is_repeated:
            continue
        for heading, child in _by_heading(way[-1]).items():
            found[heading] = () if heading in found else (*way, child)
        waiting += [(*way, child) for child in way[-1].children]
    return found


def _resumes(current: PagePart, note: PagePart, piece: Piece) -> bool:
    """Whether a new line goes on with the section's own text rather than with the label's."""
    if not note.pieces or note.title is None or note.pieces[0].line != note.title.line:
        return False
    return piece.signature in {own.signature for own in current.pieces[-OWN_PIECES:]}


def _end_at_rule(last: PagePart) -> None:
    """Cut what stands below a line that is drawn after the last section: it belongs to the page."""
    if last.pieces:
        rules = last.pieces[0].rules
        last.pieces = [piece for piece in last.pieces if piece.rules == rules]


def find_missing(part: PagePart, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Paths of the sections that the grammar asks for and the page has not."""
    if part.section is None or part.section.type == "table":
        return
    names = {child.name for child in part.parts.values()}
    for child in part.section.children:
        below = (*path, child.name)
        if child.name not in names:
            if not child.is_optional:
                yield ".".join(below)
        elif child.name in part.parts:
            yield from find_missing(part.parts[child.name], below)


def find_unknown(part: PagePart) -> Iterator[str]:
    """Headings that stand on the page and not in the grammar."""
    for child in part.parts.values():
        yield from find_unknown(child)
    yield from (child.heading for child in part.other.values() if child.level)


def is_wanted(path: tuple[Any, ...], only: Collection[tuple[str, ...]]) -> bool:
    """Whether a path is one of those asked for, or leads to one, or is in one."""
    names = tuple(part for part in path if isinstance(part, str))
    return not only or any(names[: len(each)] == each[: len(names)] for each in only)
