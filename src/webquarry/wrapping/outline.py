"""Locate the headings of a wrapper's sections on pages, and show its grammar as an outline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

from webquarry.model.document import Document
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import OTHER, Token, TokenFormat, Wrapper
from webquarry.page.text_runs import Piece
from webquarry.page.trees import ColumnsTree
from webquarry.wrapping.ashish import find_heading_nodes, trace_ashish
from webquarry.wrapping.item_reader import ItemReader
from webquarry.wrapping.section_headings import heading_name
from webquarry.wrapping.section_parser import Parser
from webquarry.wrapping.section_reader import Reader, Words, cut_pieces
from webquarry.wrapping.section_samples import Sample, to_sample

Path = tuple[str, ...]


def outline(wrapper: Wrapper, documents: Sequence[Document] = ()) -> str:
    """Describe the heading formats, then the sections, numbered and indented.

    `?` marks sections that some sample lacks, `*` repeated ones.  With the sample pages, each section shows the letters
    of its headings' formats.
    """
    formats = _formats(wrapper, documents)
    lines = list(list_lines(wrapper, formats))
    width = len(str(len(lines)))
    parts = [*_format_lines(wrapper), *(f"{number:>{width}}  {line}" for number, line in enumerate(lines, start=1))]
    if wrapper.other:
        parts.append(f"anywhere, kept under _other: {', '.join(wrapper.other)}")
    return "\n".join(parts)


def compare_outlines(before: Wrapper, after: Wrapper) -> str:
    """Compare two wrappers: lines with + and - below the sections that they are in; empty if nothing differs."""
    return "\n".join(
        [
            *_compare(list(_format_lines(before, letters=False)), list(_format_lines(after, letters=False))),
            *_compare(list(list_lines(before)), list(list_lines(after))),
            *(f"- {name} (anywhere)" for name in before.other if name not in after.other),
            *(f"+ {name} (anywhere)" for name in after.other if name not in before.other),
        ]
    )


def _compare(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    shown: set[int] = set()  # the lines of `after` around a change
    for tag, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        changed = [*before[start:end], *after[first:last]]
        for place in _around(after, first, min(map(_indent, changed))):
            if place not in shown:
                yield f"  {after[place]}"
                shown.add(place)
        yield from (f"- {line}" for line in before[start:end])
        yield from (f"+ {line}" for line in after[first:last])
        shown |= set(range(first, last))


def _around(lines: Sequence[str], place: int, indent: int) -> list[int]:
    """Find the lines before a position that are less indented, one of each depth."""
    found: list[int] = []
    for number in range(place - 1, -1, -1):
        if _indent(lines[number]) < indent:
            indent = _indent(lines[number])
            found.append(number)
    return found[::-1]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def list_lines(wrapper: Wrapper, formats: dict[Path, str] | None = None) -> Iterator[str]:
    """Describe the fields, then the sections, a line each, indented by their depth; with their formats, if given."""
    for listed in wrapper.listing.fields if wrapper.listing else ():
        others = "".join(f" + {rule.name}" for rule in listed.more) + "".join(
            f" or {rule.name}" for rule in listed.instead if rule.name != listed.name
        )
        whole = f"{listed.name}{'?' * listed.is_optional} {listed.type}" + (f" ={others}" if others else "")
        yield whole + (", all other labels and values" if listed.type == "pairs" else "")
    for path, section in wrapper.grammar.walk():
        words = [section.name + "*" * section.is_repeated + "?" * section.is_optional]
        if section.type != "text":
            words.append(section.type)
        if section.headings:
            words.append("= " + ", ".join(f'"{heading}"' for heading in section.headings))
        if formats and path in formats:
            words.append(f"[{formats[path]}]")
        yield "  " * (len(path) - 1) + " ".join(words)


def _formats(wrapper: Wrapper, documents: Sequence[Document]) -> dict[Path, str]:
    """Return for each section the letters of its headings' formats on the documents."""
    if not documents:
        return {}
    letters = {id(token): _letter(number) for number, token in enumerate(wrapper.tokens)}
    found: dict[Path, set[str]] = {}
    for page in read_spots(wrapper, KeptSamples().read(wrapper, documents)):
        for spot in page:
            found.setdefault(spot.path, set()).add(letters[id(spot.token)])
    return {path: " ".join(sorted(each)) for path, each in found.items()}


def _format_lines(wrapper: Wrapper, *, letters: bool = True) -> Iterator[str]:
    for number, token in enumerate(wrapper.tokens):
        words = [f'level {token.level}, like "{token.like}":', token.look or token.signature]
        if token.names:
            words.append(f"only {', '.join(token.names)}")
        if token.excluded:
            words.append(f"not {', '.join(token.excluded)}")
        yield (f"{_letter(number)}  " if letters else "") + " ".join(words)


def _letter(number: int) -> str:
    """Number as A, B, ... Z, then A2 and so on."""
    return chr(ord("A") + number % 26) + (str(number // 26 + 1) if number >= 26 else "")


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


SPOTS_REMEMBERED = 8
"""Wrappers whose headings a sample page remembers: a correction tries a few."""


@dataclass(frozen=True)
class HeadingSpot:
    """A heading located on a sample page."""

    piece: int
    """The number of its piece; for the paper's method its place in the markup."""
    text: str
    token: TokenFormat
    path: Path
    """Begins with `_other` if the grammar lacks it."""

    @property
    def name(self) -> str:
        """The heading in snake case."""
        return heading_name(self.text)

    @property
    def is_section(self) -> bool:
        """True if the grammar has it."""
        return self.path[0] != OTHER


Spots = Sequence[Sequence[HeadingSpot]]
"""The headings of each sample page, in page order."""


class KeptSamples:
    """Sample pages as they were read, kept for the next correction: most change nothing about how pages are read."""

    def __init__(self) -> None:
        self._known: dict[int, _Gathered] = {}

    def read(self, wrapper: Wrapper, documents: Sequence[Document]) -> list[Sample]:
        """Read documents as sample pages of a wrapper; the paper's method reads their markup, and needs no pieces."""
        if wrapper.method == "ashish":
            plain = (_Gathered(document, (wrapper.method,), []) for document in documents)
            known = [self._known.setdefault(id(each.document), each) for each in plain]
            return [each.samples.setdefault((), Sample(each.document, [])) for each in known]
        reader, by = Reader(wrapper), (wrapper.classes, wrapper.hidden, wrapper.title, wrapper.content)
        return [self._read(reader, by, document) for document in documents]

    def _read(self, reader: Reader, by: tuple[Any, ...], document: Document) -> Sample:
        known = self._known.get(id(document))
        if known is None or known.by != by:
            known = self._known[id(document)] = _Gathered(document, by, reader.gather(ColumnsTree(document))[1])
        if reader.words not in known.samples:
            known.samples[reader.words] = to_sample(document, cut_pieces(known.pieces, reader.words))
        return known.samples[reader.words]


@dataclass
class _Gathered:
    """The pieces of a document, and the sample pages that were made of them."""

    document: Document
    by: tuple[Any, ...]
    """What the wrapper says about where pieces are."""
    pieces: list[Piece]
    samples: dict[Words, Sample] = field(default_factory=dict)


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
