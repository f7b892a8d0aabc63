"""Edit a grammar: replace sections by path, and regrow it after headings were added or dropped.

`regrow` nests the sample pages again and puts in what is new.  Earlier corrections survive: a section stays where it
was, unless its parent is gone or a new section begins in between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any

from webquarry.model.document import Document
from webquarry.model.wrapper import OTHER, Section, TokenFormat, Wrapper
from webquarry.page.text_runs import Piece
from webquarry.page.trees import ColumnsTree
from webquarry.wrapping.ashish import NESTINGS, Climbs, Heading, measure_ashish, trace_ashish
from webquarry.wrapping.heading_names import heading_name, pattern_name, plain_heading
from webquarry.wrapping.sample_pages import Format, Sample, to_sample
from webquarry.wrapping.section_nesting import is_set_in
from webquarry.wrapping.section_parser import Parser
from webquarry.wrapping.section_reader import PieceChanges, Reader, change_pieces

SPOTS_REMEMBERED = 8
"""Wrappers whose headings a sample page remembers: a correction tries a few."""

Path = tuple[str, ...]


def section_at(grammar: Section, path: Path) -> Section | None:
    """Return the section at a path; the page itself for the empty path."""
    here: Section | None = grammar
    for name in path:
        here = next((child for child in here.children if child.name == name), None) if here else None
    return here


def find_named(grammar: Section, path: Path = ()) -> Iterator[tuple[Path, Section]]:
    """List all sections with their paths, without the columns of tables."""
    for child in grammar.children:
        below = (*path, child.name)
        yield below, child
        if child.type != "table":
            yield from find_named(child, below)


def change_at(grammar: Section, path: Path, change: Callable[[Section], Section]) -> Section:
    """Replace the section at a path."""
    if not path:
        return change(grammar)
    children = (change_at(child, path[1:], change) if child.name == path[0] else child for child in grammar.children)
    return replace(grammar, children=tuple(children))


def take_out(grammar: Section, paths: Iterable[Path]) -> Section:
    """Remove sections with all that is in them."""
    paths = set(paths)

    def prune(section: Section, path: Path) -> Section:
        kept = (child for child in section.children if (*path, child.name) not in paths)
        return replace(section, children=tuple(prune(child, (*path, child.name)) for child in kept))

    return prune(grammar, ())


def put_in(grammar: Section, path: Path, section: Section, *, after: str | None = None) -> Section:
    """Insert a section into the one at a path: behind the child `after`, first if there is no such child, else last."""

    def change(parent: Section) -> Section:
        names = [child.name for child in parent.children]
        place = names.index(after) + 1 if after in names else len(names) * (after is None)
        return replace(parent, children=(*parent.children[:place], section, *parent.children[place:]))

    return change_at(grammar, path, change)


def merge(first: Section, second: Section) -> Section:
    """Merge two sections into the first; children of only one of them become optional."""
    ours, others = ({child.name: child for child in each.children} for each in (first, second))
    children = [
        merge(child, others[name]) if name in others else replace(child, is_optional=True)
        for name, child in ours.items()
    ]
    children += [replace(child, is_optional=True) for name, child in others.items() if name not in ours]
    return replace(first, children=tuple(children), is_optional=first.is_optional or second.is_optional)


def heading_names(section: Section) -> set[str]:
    """List the names of the headings that start a section."""
    return {section.name, *map(pattern_name, section.headings)}


def rewrite_paths(tokens: Sequence[TokenFormat], old: Path, new: Path) -> tuple[TokenFormat, ...]:
    """Replace a path by another in the excluded paths of formats."""

    def rewrite(dotted: str) -> str:
        path = tuple(dotted.split("."))
        return ".".join((*new, *path[len(old) :])) if len(path) > len(old) and path[: len(old)] == old else dotted

    return tuple(replace(token, excluded=tuple(map(rewrite, token.excluded))) for token in tokens)


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
            return [each.samples.setdefault(PieceChanges(), Sample(each.document, [], [], [])) for each in known]
        reader, by = Reader(wrapper), (wrapper.classes, wrapper.hidden, wrapper.title, wrapper.content)
        return [self._read(reader, by, document) for document in documents]

    def _read(self, reader: Reader, by: tuple[Any, ...], document: Document) -> Sample:
        known = self._known.get(id(document))
        if known is None or known.by != by:
            known = self._known[id(document)] = _Gathered(document, by, reader.gather(ColumnsTree(document))[1])
        changes = reader.find_changes(known.pieces)
        if changes not in known.samples:
            known.samples[changes] = to_sample(document, change_pieces(known.pieces, changes))
        return known.samples[changes]


@dataclass
class _Gathered:
    """The pieces of a document, and the sample pages that were made of them."""

    document: Document
    by: tuple[Any, ...]
    """What the wrapper says about where pieces are."""
    pieces: list[Piece]
    samples: dict[PieceChanges, Sample] = field(default_factory=dict)


def read_pages(wrapper: Wrapper, documents: Sequence[Document]) -> list[Sample]:
    """Read documents as sample pages of a wrapper."""
    return KeptSamples().read(wrapper, documents)


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


def has_format(token: TokenFormat, format_: Format) -> bool:
    """Tell whether headings of the format match the token."""
    return token.signature == format_.signature and token.look in ("", format_.look.to_words())


@dataclass(frozen=True)
class Change:
    """The headings of the sample pages that start or stop being sections."""

    is_new: Callable[[HeadingSpot], bool] = lambda _: False
    is_dropped: Callable[[HeadingSpot], bool] = lambda _: False
    parent: Path | None = None
    """The section to put new ones in; None if their formats decide."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of new sections, by what the page calls them."""


@dataclass(eq=False)
class _Part:
    """A section on a sample page."""

    path: Path = ()
    old: Path | None = None
    """Its path before the change; None for a new one."""
    level: int = 0
    signature: str = ""
    indent: float = 0.0
    heading: str = ""
    parent: _Part | None = None
    is_repeated: bool = False
    measured: Heading | None = None
    """For the paper's method: its size and indentation."""

    def outwards(self) -> Iterator[_Part]:
        """Walk from the part to the page."""
        here: _Part | None = self
        while here is not None:
            yield here
            here = here.parent


def regrow(before: Wrapper, after: Wrapper, pages: Sequence[Sample], change: Change) -> Wrapper:
    """Give a wrapper whose headings changed the grammar that they make."""
    was = read_spots(before, pages)
    old = [{spot.piece: spot for spot in spots if spot.is_section} for spots in was]
    # An empty grammar finds every heading: none is taken for text of a section without children.
    found = read_spots(replace(after, grammar=Section("")), pages)
    nested = [_nest(after, page, spots, known, change) for page, spots, known in zip(pages, found, old, strict=True)]
    seen = {spot.path for spots in old for spot in spots.values()}
    still = {part.path for parts in nested for part in parts}
    grammar = take_out(after.grammar, seen - still)
    grown = replace(after, grammar=_insert_new(grammar, before.grammar, nested))
    return _keep_texts(grown, pages, [{spot.piece for spot in spots} for spots in was])


def _keep_texts(wrapper: Wrapper, pages: Sequence[Sample], headings: Sequence[set[int]]) -> Wrapper:
    """Exclude headings that were text of a section that is gone: they stay text."""
    excluded: dict[TokenFormat, set[str]] = defaultdict(set)
    for spots, known in zip(read_spots(wrapper, pages), headings, strict=True):
        for spot in spots:
            is_unknown = not spot.is_section and spot.name not in wrapper.other
            # A heading directly in the page (`_other` and its name) would be excluded everywhere.
            if is_unknown and spot.piece not in known and len(spot.path) > 2:
                excluded[spot.token].add(".".join(spot.path[1:]))
    tokens = (
        replace(token, excluded=tuple(sorted({*token.excluded, *excluded[token]}))) if token in excluded else token
        for token in wrapper.tokens
    )
    return replace(wrapper, tokens=tuple(tokens))


def _nest(
    wrapper: Wrapper, page: Sample, spots: Sequence[HeadingSpot], known: Mapping[int, HeadingSpot], change: Change
) -> list[_Part]:
    current = _Part()
    latest: dict[Path, _Part | None] = {(): current}
    parts: list[_Part] = []
    found = {spot.piece: spot for spot in spots if spot.name not in wrapper.other}
    measured = measure_ashish(wrapper, page.document) if wrapper.method == "ashish" else {}
    contains = _contains if wrapper.method != "ashish" else partial(_contains_measured, NESTINGS[wrapper.nesting])
    for piece in sorted(known.keys() | found.keys()):
        old = known[piece].path if piece in known else None
        if old is not None and (piece not in found or change.is_dropped(known[piece])):
            latest[old] = None
        elif old is not None or change.is_new(found[piece]):
            spot = found[piece]
            new = _Part(
                old=old,
                level=spot.token.level,
                signature=spot.token.signature,
                indent=page.indents[piece] if page.indents else 0.0,
                heading=plain_heading(spot.text),
                is_repeated=bool(spot.token.repeats),
                measured=measured.get(piece),
            )
            new.parent = _find_parent(new, current, latest, change.parent, contains)
            name = old[-1] if old else change.names.get(spot.name, spot.token.repeats or spot.name)
            taken = {part.path for part in parts} if measured else ()
            new.path = next(path for path in _number((*new.parent.path, name)) if path not in taken)
            latest[old or new.path] = current = new
            parts.append(new)
    return parts


def _number(path: Path) -> Iterator[Path]:
    """Yield a path, then the same with a number behind its name."""
    yield path
    yield from ((*path[:-1], f"{path[-1]}_{number}") for number in count(2))


def _find_parent(
    new: _Part,
    current: _Part,
    latest: Mapping[Path, _Part | None],
    forced: Path | None,
    contains: Callable[[_Part, _Part], bool],
) -> _Part:
    around = list(current.outwards())
    page = around[-1]
    if new.old is None and forced is not None:
        return latest.get(forced) or _Part(forced, forced, parent=page)
    if new.old is not None:
        # A parent without a heading on this page: a person has put sections into it.
        parent = latest.get(new.old[:-1], _Part(new.old[:-1], new.old[:-1], parent=page))
        begun = [part for part in around if part.old is None and part is not page and _is_above(part, new, contains)]
        if parent is not None and all(part in parent.outwards() for part in begun):
            return parent
    return next(part for part in around if contains(part, new))


def _is_above(part: _Part, new: _Part, contains: Callable[[_Part, _Part], bool]) -> bool:
    return contains(part, new) if part.measured else 0 < part.level < new.level


def _contains(part: _Part, new: _Part) -> bool:
    if part.level != new.level or part.signature != new.signature:
        return part.level < new.level
    return is_set_in(part.indent, new.indent)


def _contains_measured(climbs: Climbs, part: _Part, new: _Part) -> bool:
    """Tell whether a section is in another by the paper's Figure 2."""
    return part.measured is None or new.measured is None or not climbs(part.measured, new.measured)


def _insert_new(grammar: Section, before: Section, nested: Sequence[Sequence[_Part]]) -> Section:
    pages_of: dict[Path, set[int]] = defaultdict(set)
    pages_of[()] = set(range(len(nested)))
    for number, parts in enumerate(nested):
        for part in parts:
            pages_of[part.path].add(number)
    for parts in nested:
        last_child: dict[Path, str] = {}
        for part in parts:
            parent = part.path[:-1]
            if section_at(grammar, part.path) is None:
                is_optional = len(pages_of[part.path]) < len(pages_of[parent] or pages_of[()])
                section = _to_section(part, before, is_optional=is_optional)
                grammar = put_in(grammar, parent, section, after=last_child.get(parent, ""))
            last_child[parent] = part.path[-1]
    return grammar


def _to_section(part: _Part, before: Section, *, is_optional: bool) -> Section:
    old = section_at(before, part.old) if part.old else None
    if old is not None:
        return replace(old, children=(), is_optional=is_optional)
    is_called_so = part.is_repeated or heading_name(part.heading) == part.path[-1]
    headings = () if is_called_so else (part.heading,)
    return Section(part.path[-1], is_optional=is_optional, is_repeated=part.is_repeated, headings=headings)
