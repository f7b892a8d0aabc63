"""The parser that is made from a wrapper: one pass over the pieces of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from webquarry.formats.looks import rendered_look
from webquarry.formats.pieces import COLON, Piece, open_tree, read_pieces
from webquarry.formats.trees import ColumnsTree, Tree
from webquarry.model import Document, Extraction, Section, SectionValue, Token, TokenFormat, Wrapper
from webquarry.model.wrapper import OTHER, TEXT
from webquarry.wrapping.names import heading_name, plain_heading


@dataclass(eq=False, slots=True)
class _Part:
    """A section that stands on the page."""

    section: Section | None
    """Of the grammar; None for one that is unknown to it."""
    name: str
    heading: str
    level: int
    signature: str
    parent: _Part | None
    pieces: list[Piece] = field(default_factory=list)
    parts: dict[str, _Part] = field(default_factory=dict)
    other: dict[str, _Part] = field(default_factory=dict)

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the outermost section to this one."""
        return (*self.parent.path, self.name) if self.parent else ()

    @property
    def is_leaf(self) -> bool:
        """Whether the grammar knows it and no sections in it."""
        return self.section is not None and self.parent is not None and not self.section.children


class Reader:
    """Reads pages of a source by its wrapper."""

    def __init__(self, wrapper: Wrapper) -> None:
        self._wrapper = wrapper
        self._tokens: dict[str, list[TokenFormat]] = {}
        for token in wrapper.tokens:
            self._tokens.setdefault(token.signature, []).append(token)
        self._names = {id(token): frozenset(token.names) for token in wrapper.tokens}
        self._ignored = frozenset(wrapper.ignored)
        self._classes = frozenset(wrapper.classes)
        self._other = frozenset(wrapper.other)
        self._children: dict[int, Mapping[str, Section]] = {}

    def read(self, document: Document) -> Extraction:
        """What the page has of the sections."""
        tree = open_tree(document)
        pieces = read_pieces(tree, self._classes, self._wrapper.hidden, self._wrapper.content)
        root = self._parse(document, pieces, [])
        values = tuple(self._write(root, tree))
        return Extraction(
            page=document.url,
            document=document.kind,
            source=self._wrapper.source.name,
            values=values,
            missing=tuple(_missing(root)),
            unknown=tuple(_unknown(root)),
        )

    def find_tokens(self, document: Document) -> list[Token]:
        """The headings that start sections of the page, in their order."""
        pieces = read_pieces(ColumnsTree(document), self._classes, self._wrapper.hidden, self._wrapper.content)
        found: list[tuple[_Part, Piece]] = []
        self._parse(document, pieces, found)
        return [Token(piece.text, piece.node, part.level or len(part.path), part.path) for part, piece in found]

    def _parse(self, document: Document, pieces: Sequence[Piece], starts: list[tuple[_Part, Piece]]) -> _Part:
        """The page as sections; those that its headings start, and the headings, are added to `starts`."""
        root = current = _Part(self._wrapper.grammar, "", "", 0, "", None)
        note: _Part | None = None  # a label that comments on the current section
        line, after_heading = -1, False
        layout = document.layout
        hidden = document.hidden if layout is not None else None
        for piece in pieces:
            if piece.signature in self._ignored or (hidden is not None and hidden[piece.node]):
                continue
            begins = piece.line != line
            line = piece.line
            token = None
            if piece.signature in self._tokens and (begins or after_heading or piece.signature.endswith(COLON)):
                token = self._find_token(document, piece)
            name = heading_name(piece.text) if token else ""
            if token and name in self._other:
                heading = plain_heading(piece.text)
                note = current.other.setdefault(name, _Part(None, name, heading, 0, "", current))
                after_heading = False
                starts.append((note, piece))
                continue
            found = self._place(current, name, piece, token) if token else None
            if found is not None:
                current, note, after_heading = found, None, True
                starts.append((found, piece))
                continue
            after_heading = False
            if note is not None and begins and _resumes(current, note, piece):
                note = None
            if note is not None:
                note.pieces.append(piece)
            elif current is not root:
                current.pieces.append(piece)
        return root

    def _find_token(self, document: Document, piece: Piece) -> TokenFormat | None:
        name = heading_name(piece.text)
        look = ""
        for token in self._tokens[piece.signature]:
            if token.look and document.layout is not None:
                look = look or rendered_look(document.layout, piece.element).to_words()
                if token.look != look:
                    continue
            names = self._names[id(token)]
            if (names and name not in names) or name in token.excluded:
                continue
            return token
        return None

    def _place(self, current: _Part, name: str, piece: Piece, token: TokenFormat) -> _Part | None:
        """The section that a heading starts; None when it is plain text of a section that has none in it."""
        holder: _Part | None = current
        outer: _Part | None = None
        while holder is not None:
            if holder.level < token.level or (holder.level == token.level and holder.signature == token.signature):
                section = self._child(holder.section, name)
                if section is not None:
                    return self._open(holder, section, name, piece, token)
                if outer is None and holder.level < token.level:
                    outer = holder
            holder = holder.parent
        if outer is None:  # never: the page itself is above every heading
            return None
        if outer.is_leaf and outer.pieces:
            return None
        return self._open(outer, None, name, piece, token)

    def _open(self, holder: _Part, section: Section | None, name: str, piece: Piece, token: TokenFormat) -> _Part:
        parts = holder.parts if section is not None or holder.section is None or holder.is_leaf else holder.other
        key = section.name if section is not None else name
        found = parts.get(key)
        if found is None:
            heading = plain_heading(piece.text)
            found = parts[key] = _Part(section, key, heading, token.level, token.signature, holder)
        return found

    def _child(self, section: Section | None, name: str) -> Section | None:
        if section is None:
            return None
        children = self._children.get(id(section))
        if children is None:
            children = self._children[id(section)] = _by_heading(section)
        return children.get(name)

    def _write(self, root: _Part, tree: Tree[Any]) -> Iterator[SectionValue]:
        others: list[SectionValue] = []
        for part in root.parts.values():
            yield from _write_part(part, (), (), tree, others)
        for part in root.other.values():
            others += _write_part(part, (OTHER,), (OTHER,), tree, [])
        yield from others


def _by_heading(section: Section) -> dict[str, Section]:
    found: dict[str, Section] = {}
    for child in section.children:
        for heading in child.headings or (child.name,):
            found.setdefault(heading_name(heading), child)
        found.setdefault(child.name, child)
    return found


def _resumes(current: _Part, note: _Part, piece: Piece) -> bool:
    """Whether a new line goes on with the section's own text rather than with the label's."""
    return bool(note.pieces) and any(own.signature == piece.signature for own in current.pieces)


def _write_part(
    part: _Part, path: tuple[str, ...], headings: tuple[str, ...], tree: Tree[Any], others: list[SectionValue]
) -> Iterator[SectionValue]:
    path, headings = (*path, part.name), (*headings, part.heading)
    if part.is_leaf and part.parts:
        yield from _write_split_leaf(part, path, headings, tree)
    else:
        if part.pieces:
            has_children = bool(part.section.children if part.section else part.parts)
            own_path = (*path, TEXT) if has_children else path
            own_headings = (*headings, TEXT) if part.parts else headings
            yield SectionValue(own_path, own_headings, join_text(part.pieces), tree.xpath(part.pieces[0].element))
        for child in part.parts.values():
            yield from _write_part(child, path, headings, tree, others)
    for child in part.other.values():
        others += _write_part(child, (OTHER, *path), (OTHER, *headings), tree, [])


def _write_split_leaf(
    part: _Part, path: tuple[str, ...], headings: tuple[str, ...], tree: Tree[Any]
) -> Iterator[SectionValue]:
    """A section that is one text on the samples, and on this page is made of labelled parts.

    Its value is the whole of them; the record has them one by one.
    """
    parts = [value for child in part.parts.values() for value in _write_part(child, (*path, OTHER), headings, tree, [])]
    if parts:
        whole = "\n".join(f"{value.headings[-1]}: {value.text}" for value in parts)
        yield SectionValue(path, (), whole, parts[0].node)
        yield from parts


def join_text(pieces: Sequence[Piece]) -> str:
    """The text of pieces, line by line."""
    parts: list[str] = []
    line = pieces[0].line
    for piece in pieces:
        if parts:
            parts.append(piece.gap if piece.line == line else "\n")
        line = piece.line
        parts.append(piece.text)
    return "".join(parts)


def _missing(part: _Part, path: tuple[str, ...] = ()) -> Iterator[str]:
    if part.section is None:
        return
    for child in part.section.children:
        below = (*path, child.name)
        if child.name in part.parts:
            yield from _missing(part.parts[child.name], below)
        elif not child.is_optional:
            yield ".".join(below)


def _unknown(part: _Part) -> Iterator[str]:
    for child in part.parts.values():
        yield from _unknown(child)
    if part.section is not None:
        yield from (child.heading for child in part.other.values() if child.level)
