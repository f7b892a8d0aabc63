"""Read the pages of a source by its wrapper of sections."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import HEADING, OTHER, TEXT, TITLE, Wrapper
from webquarry.page.text_runs import (
    PART,
    Elements,
    Piece,
    Sort,
    gather_pieces,
    open_tree,
    read_first_piece,
    to_selector,
    without_colon,
)
from webquarry.page.trees import Leaf, Marks, MarkupTree, Tree
from webquarry.values.section_types import read_as
from webquarry.values.text_value import Locale
from webquarry.wrapping.heading_names import collect_names, heading_name
from webquarry.wrapping.section_parser import (
    PagePart,
    Parser,
    by_heading,
    find_missing,
    find_unknown,
    join_text,
    read_data_table,
)
from webquarry.wrapping.section_samples import Sample, read_title, strip_title, without_title

MAX_HEADING_CANDIDATES = 500
"""Elements that may be outermost headings; with more, reading the whole page costs no more."""


class Reader:
    """Reads pages of a source; made once for many pages."""

    def __init__(self, wrapper: Wrapper, only: Collection[str] = ()) -> None:
        """Limit reading to the sections at the dotted paths `only`, such as `_title`; all without any."""
        self._wrapper = wrapper
        self._parser = Parser(wrapper)
        self._classes = frozenset(wrapper.classes)
        self._only = [tuple(path.split(".")) for path in only]
        self._narrowing = Narrowing(wrapper, {path[0] for path in self._only}) if only else None
        self._sorts: dict[Marks, Sort] = {}
        self.words = tuple(
            (token.signature.removesuffix(PART), token.like)
            for token in wrapper.tokens
            if token.signature.endswith(PART)
        )
        """Headings that are only a part of texts, with the signatures of these."""
        self._locale = wrapper.source.locale

    def read(self, document: Document, tree: Tree[Any] | None = None) -> Extraction:
        """Extract the sections of a page; the tree of a page that was opened before may be given."""
        tree = open_tree(document) if tree is None else tree
        title, pieces = self.read_pieces(tree)
        root = self._parser.parse(document, pieces)
        if self._wrapper.source.kind == "item":
            _end_at_boxes(tree, root)
        values = Writer(tree, self._locale, self._only).write(root)
        if title is not None and (not self._only or (TITLE,) in self._only):
            values = (SectionValue((TITLE,), (TITLE,), title.text, tree.xpath(title.element)), *values)
        missing = (path for path in find_missing(root) if is_wanted(tuple(path.split(".")), self._only))
        return Extraction(
            page=document.url,
            document=document.kind,
            source=self._wrapper.source.name,
            values=values,
            missing=tuple(missing),
            unknown=tuple(find_unknown(root)),
        )

    def read_pieces(self, tree: Tree[Any]) -> tuple[Piece | None, Sequence[Piece]]:
        """Return the title of a page and the pieces of its content."""
        title, pieces = self.gather(tree)
        return title, cut_pieces(pieces, self.words)

    def gather(self, tree: Tree[Any]) -> tuple[Piece | None, list[Piece]]:
        """Return the title of a page and the pieces of its content, as its markup has them."""
        elements = Elements(tree, self._classes, self._wrapper.hidden, self._sorts)
        title = read_title(tree, elements, self._wrapper.title)
        named = title.text if title else ""
        content = elements.follow(self._wrapper.content)
        leaves = None
        if self._narrowing is not None and isinstance(tree, MarkupTree):
            leaves = self._narrowing.leaves(tree, elements, content, named)
        pieces = gather_pieces(elements, tree.leaves(content) if leaves is None else leaves)
        strip_title(pieces, named)
        return title, pieces


def _end_at_boxes(tree: Tree[Any], part: PagePart) -> None:
    """End sections with the element around their heading and first text: what follows is beside the item's text."""
    if part.title is not None and part.pieces:
        box = _find_around(tree, part.title.element, part.pieces[0].element)
        part.pieces = [piece for piece in part.pieces if _find_around(tree, box, piece.element) == box]
    for inner in (*part.parts.values(), *part.other.values()):
        _end_at_boxes(tree, inner)


def _find_around(tree: Tree[Any], one: Any, other: Any) -> Any:
    """Find the smallest element that holds two; it is near, so both ways outwards are followed step by step."""
    find_parent, passed = tree.parent, set[Any]()
    while one != other:
        passed |= {one, other}
        one = find_parent(one) if one is not None else None
        other = find_parent(other) if other is not None else None
        if one is not None and one in passed:
            return one
        if other is not None and other in passed:
            return other
    return one


HeadingWords = tuple[tuple[str, str], ...]
"""Signatures, each with a text within pieces that is a heading of its own."""


def cut_pieces(pieces: Sequence[Piece], words: HeadingWords) -> Sequence[Piece]:
    """Cut headings out of the texts that they are a part of."""
    for signature, text in words:
        pattern = part_pattern(text)
        pieces = [
            part
            for piece in pieces
            for part in (cut_piece(piece, pattern) if without_colon(piece.signature) == signature else [piece])
        ]
    return pieces


def part_pattern(text: str) -> re.Pattern[str]:
    """Make the pattern that finds a heading within a text: as whole words, with a colon behind it if there is one."""
    words = r"\s+".join(map(re.escape, text.rstrip(": ").split()))
    return re.compile(rf"(?<!\w){words}(?!\w)\s*:?")


def cut_piece(piece: Piece, pattern: re.Pattern[str]) -> list[Piece]:
    """Cut a heading out of the text of a piece: what is before it, the heading, what is behind it."""
    found = None if piece.cell is not None else pattern.search(piece.text)
    if found is None or found.span() == (0, len(piece.text)):
        return [piece]
    plain = without_colon(piece.signature)
    before, after = piece.text[: found.start()].rstrip(), piece.text[found.end() :].lstrip()
    heading = replace(piece, text=found.group(), signature=plain + PART)
    parts = [replace(piece, text=before, signature=plain)] if before else []
    parts.append(replace(heading, indent=0, gap=" ") if before else heading)
    if after:
        parts += cut_piece(replace(piece, text=after, signature=plain, indent=0, gap=" "), pattern)
    return parts


def read_texts(wrapper: Wrapper, documents: Iterable[Document]) -> dict[tuple[str, ...], list[str]]:
    """Read the texts of each section, by path, from all documents."""
    reader = Reader(wrapper)
    return _group_texts(value for document in documents for value in reader.read(document).values)


def read_sample_texts(wrapper: Wrapper, pages: Iterable[Sample]) -> dict[tuple[str, ...], list[str]]:
    """Read the texts of each section, by path, from sample pages, whose pieces are known."""
    parser, locale = Parser(wrapper), Locale()
    return _group_texts(
        value
        for page in pages
        for value in Writer(page.tree, locale).write(parser.parse(page.document, page.pieces, looks=page.looks))
    )


def _group_texts(values: Iterable[SectionValue]) -> dict[tuple[str, ...], list[str]]:
    texts: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for value in values:
        path = tuple(name for name in value.path if isinstance(name, str))
        texts[path[:-1] if path[-1] == TEXT else path].append(value.text)
    return texts


def is_wanted(path: tuple[Any, ...], only: Collection[tuple[str, ...]]) -> bool:
    """Tell whether a path is one of `only`, leads to one, or is below one."""
    names = tuple(part for part in path if isinstance(part, str))
    return not only or any(names[: len(each)] == each[: len(names)] for each in only)


Path = tuple[str | int, ...]


class Writer:
    """Writes the values of one page; with `only`, of the sections at these paths."""

    def __init__(self, tree: Tree[Any], locale: Locale, only: Collection[tuple[str, ...]] = ()) -> None:
        self._tree, self._locale, self._only = tree, locale, only
        self._others: list[SectionValue] = []

    def write(self, root: PagePart) -> tuple[SectionValue, ...]:
        """List the values of all sections, those of unknown headings last."""
        values: list[SectionValue] = []
        for part in root.parts.values():
            self._write(part, (), (), values)
        for part in root.other.values():
            self._write(part, (OTHER,), (OTHER,), self._others)
        return (*values, *self._others)

    def _write(self, part: PagePart, path: Path, headings: Path, values: list[SectionValue]) -> None:
        """Append the values of a section to others."""
        if part.place is not None:
            self._write_repeated(part, path, headings, values)
            return
        path, headings = (*path, part.name), (*headings, part.heading)
        if self._only and path[0] != OTHER and not is_wanted(path, self._only):
            return
        section, inner = part.section, part.parts
        if section is not None and section.type == "table":
            self._write_table(part, path, headings, values)
        elif inner and part.is_leaf:
            self._write_split_leaf(part, path, headings, values)
        else:
            if part.pieces:
                has_children = bool(section.children if section else inner)
                own_path = (*path, TEXT) if has_children else path
                values.append(self._value(own_path, (*headings, TEXT) if inner else headings, part, part.pieces))
            for child in inner.values():
                self._write(child, path, headings, values)
        if part.other and not self._only:
            others = () if path[0] == OTHER else (OTHER,)
            for child in part.other.values():
                self._write(child, (*others, *path), (*others, *headings), self._others)

    def _write_repeated(self, part: PagePart, path: Path, headings: Path, values: list[SectionValue]) -> None:
        path, headings = (*path, part.name, part.place or 0), (*headings, part.name, part.place or 0)
        if part.title is not None:
            heading = part.title.text.rstrip(": ")  # a value: it keeps its own full stop
            node = self._tree.xpath(part.title.element)
            values.append(SectionValue((*path, HEADING), (*headings, HEADING), heading, node))
        if part.pieces:
            values.append(self._value((*path, TEXT), (*headings, TEXT), part, part.pieces))
        for child in part.parts.values():
            self._write(child, path, headings, values)

    def _write_split_leaf(self, part: PagePart, path: Path, headings: Path, values: list[SectionValue]) -> None:
        """Write a section that is one text on the samples but has labelled parts on this page.

        Its value is their whole text; the parts follow one by one.
        """
        parts: list[SectionValue] = []
        for child in part.parts.values():
            self._write(child, (*path, OTHER), headings, parts)
        if parts:
            whole = "\n".join(f"{value.headings[-1]}: {value.text}" for value in parts)
            values += [SectionValue(path, (), whole, parts[0].node), *parts]

    def _write_table(self, part: PagePart, path: Path, headings: Path, values: list[SectionValue]) -> None:
        own = [piece for piece in part.pieces if piece.cell is None]
        names, rows = read_data_table(self._tree, part.pieces)
        snake = distinct(snake_case(name) for name in names)
        for place, row in enumerate(rows):
            for column, pieces in row.items():
                below = (*path, place, snake[column]), (*headings, place, names[column])
                values.append(SectionValue(*below, join_text(pieces), self._tree.xpath(pieces[0].element)))
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
            around = _find_around(self._tree, first, last)
            if part.title is None or _find_around(self._tree, around, part.title.element) != around:
                first = around
        return self._tree.xpath(first)


class Narrowing:
    """Finds the wanted outermost sections by their headings, so that the rest of the page is not read."""

    def __init__(self, wrapper: Wrapper, wanted: Collection[str]) -> None:
        outermost = min((token.level for token in wrapper.tokens), default=0)
        self._signatures = {token.signature for token in wrapper.tokens if token.level == outermost}
        sections = by_heading(wrapper.grammar)
        self._wanted = collect_names(name for name, section in sections.items() if section.name in wanted)
        self._selector = to_selector(self._signatures)

    def leaves(self, tree: MarkupTree, elements: Elements, content: Sequence[Any], title: str) -> list[Leaf] | None:
        """Return the leaves of the wanted sections; None if the whole content must be read to find them."""
        candidates = tree.select(self._selector) if self._selector else []
        if not 0 < len(candidates) <= MAX_HEADING_CANDIDATES:
            return None
        headings = [(element, name) for element in candidates if (name := self._name(tree, elements, element, title))]
        found: list[Leaf] = []
        for place, (element, name) in enumerate(headings):
            if name in self._wanted:
                end = headings[place + 1][0] if place + 1 < len(headings) else tree.after(content)
                found += tree.leaves_between(element, end)
        return found or None

    def _name(self, tree: MarkupTree, elements: Elements, element: Any, title: str) -> str:
        """Name the heading that an element is, without the page's title; empty if it is not a heading."""
        piece = read_first_piece(tree, elements, element)
        if piece is None or piece.signature not in self._signatures:
            return ""
        name, shorter = heading_name(piece.text), without_title(piece.text, title) if title else ""
        return heading_name(shorter) if shorter and name not in self._wanted else name
