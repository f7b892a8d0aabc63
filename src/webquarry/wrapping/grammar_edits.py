"""The grammar after headings were added or dropped: the sample pages are nested again, and what is new goes in.

What a person corrected before stays: a heading that was a section stays where it was, unless what held it is no more
or a new one begins between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from webquarry.model.document import Document
from webquarry.model.wrapper import OTHER, Section, TokenFormat, Wrapper
from webquarry.page.trees import ColumnsTree
from webquarry.wrapping.levels import is_set_in
from webquarry.wrapping.sample_pages import Format, Sample, to_sample
from webquarry.wrapping.section_headings import heading_name, plain_heading
from webquarry.wrapping.section_parser import Parser
from webquarry.wrapping.section_reader import Reader

# MERGED wrapping/corrections/grammars: Edits of a grammar: sections taken out, put in and replaced by their
Path = tuple[str, ...]


def section_at(grammar: Section, path: Path) -> Section | None:
    """The section of a path; the page itself for none."""
    here: Section | None = grammar
    for name in path:
        here = next((child for child in here.children if child.name == name), None) if here else None
    return here


def find_named(grammar: Section, path: Path = ()) -> Iterator[tuple[Path, Section]]:
    """All sections with their paths; columns of tables are none."""
    for child in grammar.children:
        below = (*path, child.name)
        yield below, child
        if child.type != "table":
            yield from find_named(child, below)


def change_at(grammar: Section, path: Path, change: Callable[[Section], Section]) -> Section:
    """The grammar with the section of a path changed."""
    if not path:
        return change(grammar)
    children = (change_at(child, path[1:], change) if child.name == path[0] else child for child in grammar.children)
    return replace(grammar, children=tuple(children))


def take_out(grammar: Section, paths: Iterable[Path]) -> Section:
    """The grammar without some sections and those in them."""
    for path in paths:
        if path:
            grammar = change_at(grammar, path[:-1], lambda holder, name=path[-1]: _without(holder, name))  # type: ignore[misc]
    return grammar


def _without(holder: Section, name: str) -> Section:
    return replace(holder, children=tuple(child for child in holder.children if child.name != name))


def put_in(grammar: Section, path: Path, section: Section, *, after: str | None = None) -> Section:
    """The grammar with a section in that of a path: behind the child named, first without one, last by default."""

    def change(holder: Section) -> Section:
        names = [child.name for child in holder.children]
        place = names.index(after) + 1 if after in names else len(names) * (after is None)
        return replace(holder, children=(*holder.children[:place], section, *holder.children[place:]))

    return change_at(grammar, path, change)


def merge(first: Section, second: Section) -> Section:
    """A section with what is in either; what is only in one of them is optional."""
    ours, others = ({child.name: child for child in each.children} for each in (first, second))
    children = [
        merge(child, others[name]) if name in others else replace(child, is_optional=True)
        for name, child in ours.items()
    ]
    children += [replace(child, is_optional=True) for name, child in others.items() if name not in ours]
    return replace(first, children=tuple(children), is_optional=first.is_optional or second.is_optional)


def heading_names(section: Section) -> set[str]:
    """The names of the headings that start a section."""
    return {section.name, *map(heading_name, section.headings)}


def rewrite_paths(tokens: Sequence[TokenFormat], old: Path, new: Path) -> tuple[TokenFormat, ...]:
    """The formats, with the sections of one path under another one where headings are excluded by their paths."""
    return tuple(
        replace(token, excluded=tuple(_rewritten(path, old, new) for path in token.excluded)) for token in tokens
    )


def _rewritten(dotted: str, old: Path, new: Path) -> str:
    path = tuple(dotted.split("."))
    return ".".join((*new, *path[len(old) :])) if len(path) > len(old) and path[: len(old)] == old else dotted


# MERGED wrapping/corrections/pages: The sample pages as a wrapper reads them: which pieces are headings, and
@dataclass(frozen=True)
class Spot:
    """A heading on a sample page."""

    piece: int
    text: str
    token: TokenFormat
    path: Path
    """Begins with `_other` when it is no section of the grammar."""

    @property
    def name(self) -> str:
        """As the page has it, in snake case."""
        return heading_name(self.text)

    @property
    def section_name(self) -> str:
        """What its section is called when nothing else is said."""
        return self.token.repeats or self.name

    @property
    def is_section(self) -> bool:
        """Whether the grammar knows it."""
        return self.path[0] != OTHER


def read_pages(wrapper: Wrapper, documents: Sequence[Document]) -> list[Sample]:
    """The pieces of the documents."""
    reader = Reader(wrapper)
    return [to_sample(document, reader.read_pieces(ColumnsTree(document))[1]) for document in documents]


def read_spots(wrapper: Wrapper, pages: Sequence[Sample]) -> list[list[Spot]]:
    """For each page its headings, in their order."""
    parser = Parser(wrapper)
    return [
        [
            Spot(number, page.pieces[number].text, token, path)
            for number, token, path in parser.trace(page.document, page.pieces)
        ]
        for page in pages
    ]


def is_of(token: TokenFormat, format_: Format) -> bool:
    """Whether a heading of the format is like the token."""
    return token.signature == format_.signature and token.look in ("", format_.look.to_words())


FEWEST_NAMES = 2
"""`_other` and one more: a heading of the page itself cannot be excluded there without being so everywhere."""


@dataclass(frozen=True)
class Change:
    """Which headings of the sample pages begin or cease to be sections."""

    is_new: Callable[[Spot], bool] = lambda _: False
    is_dropped: Callable[[Spot], bool] = lambda _: False
    holder: Path | None = None
    """The section that new ones are in; None when their formats tell."""
    names: Mapping[str, str] = field(default_factory=dict)
    """By what the page calls them what new sections are called."""


@dataclass(eq=False)
class _Part:
    """A section on a sample page."""

    path: Path
    old: Path | None
    """Where it was; None for a new one."""
    level: int
    signature: str
    indent: float
    heading: str
    parent: _Part | None
    is_repeated: bool = False

    @staticmethod
    def of(spot: Spot, old: Path | None, indent: float) -> _Part:
        """The section that a heading starts, not yet in another one."""
        token, heading = spot.token, plain_heading(spot.text)
        return _Part((), old, token.level, token.signature, indent, heading, None, is_repeated=bool(token.repeats))

    @staticmethod
    def unseen(path: Path, page: _Part) -> _Part:
        """A section that has no heading on the page: a person has put others in it."""
        return _Part(path, path, 0, "", 0.0, "", page)

    def outwards(self) -> Iterator[_Part]:
        """Itself and the sections around it."""
        here: _Part | None = self
        while here is not None:
            yield here
            here = here.parent


def grow(before: Wrapper, after: Wrapper, pages: Sequence[Sample], change: Change) -> Wrapper:
    """The wrapper `after`, whose headings are other ones than before, with the grammar that they make."""
    were = read_spots(before, pages)
    old = [{spot.piece: spot for spot in spots if spot.is_section} for spots in were]
    # Without a grammar every heading is found: none is taken for text of a section that has no others in it.
    found = read_spots(replace(after, grammar=Section("")), pages)
    nested = [
        _nest(page, spots, known, change, frozenset(after.other))
        for page, spots, known in zip(pages, found, old, strict=True)
    ]
    seen = {spot.path for spots in old for spot in spots.values()}
    still = {part.path for parts in nested for part in parts}
    grammar = take_out(after.grammar, sorted(seen - still, key=len, reverse=True))
    grown = replace(after, grammar=_put_in_new(grammar, before.grammar, nested))
    return _with_texts_kept(grown, pages, [{spot.piece for spot in spots} for spots in were])


def _with_texts_kept(wrapper: Wrapper, pages: Sequence[Sample], headings: Sequence[set[int]]) -> Wrapper:
    """The wrapper by which headings that were text in a section that is no more are text where they stand now."""
    excluded: dict[TokenFormat, set[str]] = defaultdict(set)
    for spots, known in zip(read_spots(wrapper, pages), headings, strict=True):
        for spot in spots:
            is_unknown = not spot.is_section and spot.name not in wrapper.other
            if is_unknown and spot.piece not in known and len(spot.path) > FEWEST_NAMES:
                excluded[spot.token].add(".".join(spot.path[1:]))
    tokens = (
        replace(token, excluded=tuple(sorted({*token.excluded, *excluded[token]}))) if token in excluded else token
        for token in wrapper.tokens
    )
    return replace(wrapper, tokens=tuple(tokens))


def _nest(
    page: Sample, spots: Sequence[Spot], known: Mapping[int, Spot], change: Change, other: frozenset[str]
) -> list[_Part]:
    current = _Part((), None, 0, "", 0.0, "", None)
    latest: dict[Path, _Part | None] = {(): current}
    parts: list[_Part] = []
    found = {spot.piece: spot for spot in spots if spot.name not in other}
    for piece in sorted(known.keys() | found.keys()):
        old = known[piece].path if piece in known else None
        if old is not None and (piece not in found or change.is_dropped(known[piece])):
            latest[old] = None
        elif old is not None or change.is_new(found[piece]):
            new = _Part.of(found[piece], old, page.indents[piece])
            new.parent = _find_parent(new, current, latest, change.holder)
            name = old[-1] if old else change.names.get(found[piece].name, found[piece].section_name)
            new.path = (*new.parent.path, name)
            latest[old or new.path] = current = new
            parts.append(new)
    return parts


def _find_parent(new: _Part, current: _Part, latest: Mapping[Path, _Part | None], holder: Path | None) -> _Part:
    around = list(current.outwards())
    if new.old is None and holder is not None:
        return latest.get(holder) or _Part.unseen(holder, around[-1])
    if new.old is not None:
        parent = latest.get(new.old[:-1], _Part.unseen(new.old[:-1], around[-1]))
        begun = [part for part in around if part.old is None and 0 < part.level < new.level]
        if parent is not None and all(part in parent.outwards() for part in begun):
            return parent
    return next(part for part in around if _holds(part, new))


def _holds(part: _Part, new: _Part) -> bool:
    if part.level != new.level or part.signature != new.signature:
        return part.level < new.level
    return is_set_in(part.indent, new.indent)


def _put_in_new(grammar: Section, before: Section, nested: Sequence[Sequence[_Part]]) -> Section:
    pages_of: dict[Path, set[int]] = defaultdict(set)
    pages_of[()] = set(range(len(nested)))
    for number, parts in enumerate(nested):
        for part in parts:
            pages_of[part.path].add(number)
    for parts in nested:
        siblings: dict[Path, str] = {}  # the last section that stands in each
        for part in parts:
            holder = part.path[:-1]
            if section_at(grammar, part.path) is None:
                is_optional = len(pages_of[part.path]) < len(pages_of[holder] or pages_of[()])
                section = _section_of(part, before, is_optional=is_optional)
                grammar = put_in(grammar, holder, section, after=siblings.get(holder, ""))
            siblings[holder] = part.path[-1]
    return grammar


def _section_of(part: _Part, before: Section, *, is_optional: bool) -> Section:
    old = section_at(before, part.old) if part.old else None
    if old is not None:
        return replace(old, children=(), is_optional=is_optional)
    is_called_so = part.is_repeated or heading_name(part.heading) == part.path[-1]
    headings = () if is_called_so else (part.heading,)
    return Section(part.path[-1], is_optional=is_optional, is_repeated=part.is_repeated, headings=headings)
