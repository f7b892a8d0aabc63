"""Read the pages of a source by its wrapper of sections."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.wrapper import TEXT, TITLE, Wrapper
from webquarry.page.text_runs import (
    PART,
    SEPARATOR,
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
from webquarry.values.text_value import Locale
from webquarry.wrapping.section_headings import collect_names, heading_name
from webquarry.wrapping.section_parser import (
    PagePart,
    Parser,
    Writer,
    by_heading,
    find_missing,
    find_unknown,
    is_wanted,
)
from webquarry.wrapping.section_samples import Sample, read_title, strip_title, without_title

MAX_HEADING_CANDIDATES = 500
"""Elements that may be outermost headings; with more, reading the whole page costs no more."""
MAX_OUTER_LEVEL = 2
"""Levels whose headings no page lacks: those of sections and of most of their fields."""
MIN_SHARE_OF_KNOWN_NAMES = 0.5
"""Share of the pieces of a signature whose names the grammar has, for it to be one of headings."""
_STEP = re.compile(r"([\w-]+)((?:\.[^.\[:\s]+)*)(.*)", re.DOTALL)


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
        self._loosening = Loosening(wrapper)
        self._parts = tuple(
            (token.signature.removesuffix(PART), token.like)
            for token in wrapper.tokens
            if token.signature.endswith(PART)
        )
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

    def read_pieces(self, tree: Tree[Any]) -> tuple[Piece | None, list[Piece]]:
        """Return the title of a page and the pieces of its content."""
        title, pieces = self.gather(tree)
        return title, change_pieces(pieces, self.find_changes(pieces))

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

    def find_changes(self, pieces: Sequence[Piece]) -> PieceChanges:
        """Find what headings ask to be changed about the pieces of a page."""
        return PieceChanges(self._loosening.find_looser(pieces), self._parts)


def _end_at_boxes(tree: Tree[Any], part: PagePart) -> None:
    """End sections with the element around their heading and first text: what follows is beside the item's text."""
    if part.title is not None and part.pieces:
        around = list(_outwards(tree, part.title.element))
        box = next((each for each in _outwards(tree, part.pieces[0].element) if each in around), None)
        part.pieces = [piece for piece in part.pieces if box in _outwards(tree, piece.element)]
    for inner in (*part.parts.values(), *part.other.values()):
        _end_at_boxes(tree, inner)


def _outwards(tree: Tree[Any], element: Any) -> Iterator[Any]:
    while element is not None:
        yield element
        element = tree.parent(element)


class PieceChanges(NamedTuple):
    """What to change about the pieces of a page before they are parsed."""

    looser: tuple[tuple[str, str], ...] = ()
    """Signatures, each with the one to take instead."""
    parts: tuple[tuple[str, str], ...] = ()
    """Signatures, each with a text within pieces that is a heading of its own."""


def change_pieces(pieces: list[Piece], changes: PieceChanges) -> list[Piece]:
    """Change pieces; the same list if there is nothing to change."""
    if not any(changes):
        return pieces
    looser = dict(changes.looser)
    changed = [replace(piece, signature=looser.get(piece.signature, piece.signature)) for piece in pieces]
    for signature, text in changes.parts:
        pattern = part_pattern(text)
        changed = [
            part
            for piece in changed
            for part in (cut_piece(piece, pattern) if without_colon(piece.signature) == signature else [piece])
        ]
    return changed


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


class Loosening:
    """Gives headings that lack a class name of their format its signature, where a page has no such heading.

    Samples may all be of one region, language or year, with its class name on every heading.  Headings of other pages
    lack that name: they have some of the class names of the format, and texts that the grammar knows.
    """

    def __init__(self, wrapper: Wrapper) -> None:
        signatures = {token.signature for token in wrapper.tokens}
        self._outer = {token.signature for token in wrapper.tokens if token.level <= MAX_OUTER_LEVEL}
        self._ignored = frozenset(wrapper.ignored)
        self._known = {*signatures, *wrapper.ignored, wrapper.title}
        self._names = {section.name for _, section in wrapper.grammar.walk()}

    def find_looser(self, pieces: Sequence[Piece]) -> tuple[tuple[str, str], ...]:
        """List the signatures of such headings with those they get; then ignored texts may lack a class name too."""
        present = {piece.signature for piece in pieces}
        absent = self._outer - present
        looser = _find_looser(pieces, absent, self._known, self._names) if absent else {}
        if not looser:
            return ()
        looser |= _find_looser(pieces, self._ignored - present, {*self._known, *looser})
        return tuple(looser.items())


def _find_looser(
    pieces: Sequence[Piece], absent: Collection[str], known: Collection[str], names: Collection[str] | None = None
) -> dict[str, str]:
    """Map signatures of a page to the absent ones that they replace.

    `absent` are the signatures that the page lacks, `known` all of the wrapper's.  With `names`, most texts of a
    signature must be among them.
    """
    texts: dict[str, list[str]] = defaultdict(list)
    for piece in pieces:
        if piece.signature not in known:
            texts[piece.signature].append(piece.text)

    def has_names(found: Sequence[str]) -> bool:
        known_texts = sum(names is None or heading_name(text) in names for text in found)
        return known_texts >= MIN_SHARE_OF_KNOWN_NAMES * len(found)

    replaced = {}
    for wanted in absent:
        looser = [each for each, found in texts.items() if _is_looser(each, wanted) and has_names(found)]
        if len(looser) == 1:
            replaced[looser[0]] = wanted
    return replaced


def _is_looser(signature: str, other: str) -> bool:
    """Tell whether a signature has the tags of another, and some of its class names but not all.

    >>> _is_looser("div.bar > b :", "div.bar.europe > b :"), _is_looser("div > b :", "div.bar > b :")
    (True, False)
    """
    ours, theirs = signature.split(SEPARATOR), other.split(SEPARATOR)
    if signature == other or len(ours) != len(theirs):
        return False
    has_names = False
    for own, its in zip(map(_parts, ours), map(_parts, theirs), strict=True):
        if own[0] != its[0] or not own[1] <= its[1]:
            return False
        has_names |= bool(own[1])
    return has_names


def _parts(step: str) -> tuple[tuple[str, str], frozenset[str]]:
    """Split a step into its tag with what follows the class names, and the class names."""
    found = _STEP.fullmatch(step)
    if found is None:
        return (step, ""), frozenset()
    tag, classes, rest = found.groups()
    return (tag, rest), frozenset(classes.split(".")[1:])
