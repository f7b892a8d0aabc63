"""Locate on pages the headings that start the sections of a wrapper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webquarry.model.document import Document
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import OTHER, SectionPath, Token, TokenFormat, Wrapper
from webquarry.page.text_runs import Piece
from webquarry.page.trees import ColumnsTree
from webquarry.wrapping.ashish import find_heading_nodes, trace_ashish
from webquarry.wrapping.heading_names import heading_name
from webquarry.wrapping.item_reader import ItemReader
from webquarry.wrapping.section_parser import Parser
from webquarry.wrapping.section_reader import HeadingWords, Reader, cut_pieces
from webquarry.wrapping.section_samples import Sample, to_sample

SPOTS_REMEMBERED = 8
"""Wrappers whose headings a sample page remembers: a correction tries a few."""


@dataclass(frozen=True)
class HeadingSpot:
    """A heading located on a sample page."""

    piece: int
    """The number of its piece; for the paper's method its place in the markup."""
    text: str
    token: TokenFormat
    path: SectionPath
    """Begins with `_other` if the grammar lacks it."""

    @property
    def name(self) -> str:
        """The heading in snake case."""
        return heading_name(self.text)

    @property
    def is_section(self) -> bool:
        """True if the grammar has it."""
        return self.path[0] != OTHER


class KeptSamples:
    """Sample pages as they were read, kept for the next correction: most change nothing about how pages are read."""

    def __init__(self) -> None:
        self._read_by: tuple[Any, ...] = ()
        """What the wrapper says about where pieces are."""
        self._pieces: dict[int, list[Piece]] = {}
        """The pieces of each document, by its identity, before headings within texts are cut out."""
        self._samples: dict[tuple[int, HeadingWords], Sample] = {}

    def read(self, wrapper: Wrapper, documents: Sequence[Document]) -> list[Sample]:
        """Read documents as sample pages of a wrapper; the paper's method reads their markup, and needs no pieces."""
        read_by = (wrapper.method, wrapper.classes, wrapper.hidden, wrapper.title, wrapper.content)
        if read_by != self._read_by:
            self._read_by, self._pieces, self._samples = read_by, {}, {}
        reader = Reader(wrapper)
        for document in documents:
            key = id(document)
            if key not in self._pieces:
                is_read = wrapper.method != "ashish"
                self._pieces[key] = reader.gather(ColumnsTree(document))[1] if is_read else []
            if (key, reader.words) not in self._samples:
                pieces = cut_pieces(self._pieces[key], reader.words)
                self._samples[key, reader.words] = to_sample(document, pieces)
        return [self._samples[id(document), reader.words] for document in documents]


def read_spots(wrapper: Wrapper, pages: Sequence[Sample]) -> list[list[HeadingSpot]]:
    """Locate the headings of each page; those of the last wrappers that a page was read by are remembered."""
    key = replace(wrapper, history=(), undone=())
    find = None
    for page in pages:
        if key not in page.spots:
            find = find or _make_finder(wrapper)
            while len(page.spots) >= SPOTS_REMEMBERED:
                page.spots.pop(next(iter(page.spots)))
            page.spots[key] = list(find(page))
    return [page.spots[key] for page in pages]


def list_spots(wrapper: Wrapper, pages: Sequence[Sample]) -> list[HeadingSpot]:
    """List the headings of all pages."""
    return [spot for page in read_spots(wrapper, pages) for spot in page]


def _make_finder(wrapper: Wrapper) -> Callable[[Sample], Iterator[HeadingSpot]]:
    """Make a function that finds the headings of a page."""
    if wrapper.method == "ashish":
        return lambda page: (
            HeadingSpot(found.match.start, found.match.text, found.token, found.path)
            for found in trace_ashish(wrapper, page.document)
        )
    parser = Parser(wrapper)
    return lambda page: (
        HeadingSpot(number, page.pieces[number].text, token, path)
        for number, token, path in parser.trace(page.document, page.pieces, page.looks)
    )


def find_tokens(wrapper: Wrapper, document: Document, kept: KeptSamples | None = None) -> list[Token]:
    """Locate the headings that start sections of the page, in page order; before them the values of an item's fields.

    The paper's method reads markup: there it is the element that the heading begins in.  A page that corrections have
    read need not be read again: `kept` has it.
    """
    if wrapper.method == "ashish":
        return _find_ashish(wrapper, document)
    fields = _find_fields(wrapper, document) if wrapper.fields else []
    if not wrapper.tokens:
        return fields
    (page,) = (kept or KeptSamples()).read(wrapper, [document])
    headings = [
        Token(spot.text, page.pieces[spot.piece].node, spot.token.level, spot.path)
        for spot in read_spots(wrapper, [page])[0]
    ]
    known = {section for section, _ in wrapper.grammar.walk()}
    return [*fields, *(token for token in headings if not fields or token.path in known)]


def _find_fields(wrapper: Wrapper, document: Document) -> list[Token]:
    """Locate the values of an item's fields, as tokens of level 0; of a list its parts."""
    names = distinct(snake_case(rule.name) for rule in wrapper.fields)
    found = []
    for value in ItemReader(wrapper).read(document).values:
        node = document.node(value.node)
        if node is not None and value.headings and value.path[0] in names:
            found.append(Token(value.text, node, 0, (str(value.path[0]),)))
    return found


def _find_ashish(wrapper: Wrapper, document: Document) -> list[Token]:
    found = trace_ashish(wrapper, document)
    nodes = find_heading_nodes(document, found)
    return [Token(each.match.text, node, len(each.path), each.path) for each, node in zip(found, nodes, strict=True)]
