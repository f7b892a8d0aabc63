"""Grow the grammar of a wrapper anew after headings were added or dropped.

The sample pages are nested again, and what is new is put in.  Earlier corrections survive: a section stays where it
was, unless its parent is gone or a new section begins in between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count

from webquarry.model.wrapper import Section, SectionPath, TokenFormat, Wrapper
from webquarry.wrapping.ashish import NESTINGS, Climbs, MeasuredHeading, measure_ashish
from webquarry.wrapping.heading_names import heading_name, plain_heading
from webquarry.wrapping.heading_spots import HeadingSpot, read_spots
from webquarry.wrapping.section_edits import put_in, section_at, take_out
from webquarry.wrapping.section_nesting import is_set_in
from webquarry.wrapping.section_samples import Sample


@dataclass(frozen=True)
class Change:
    """The headings of the sample pages that start or stop being sections."""

    is_new: Callable[[HeadingSpot], bool] = lambda _: False
    is_dropped: Callable[[HeadingSpot], bool] = lambda _: False
    parent: SectionPath | None = None
    """The section to put new ones in; None if their formats decide."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of new sections, by what the page calls them."""


@dataclass(eq=False)
class _Part:
    """A section on a sample page; without a spot the page itself, or a section without a heading on it."""

    path: SectionPath = ()
    old: SectionPath | None = None
    """Its path before the change; None for a new one."""
    spot: HeadingSpot | None = None
    left: float = 0.0
    parent: _Part | None = None
    measured: MeasuredHeading | None = None
    """For the paper's method: its size and indentation."""

    @property
    def level(self) -> int:
        """1 for the outermost sections."""
        return self.spot.token.level if self.spot else 0

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
    latest: dict[SectionPath, _Part | None] = {(): current}
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
            left = page.pieces[piece].left if page.pieces else 0.0
            new = _Part(old=old, spot=spot, left=left, measured=measured.get(piece))
            new.parent = _find_parent(new, current, latest, change.parent, contains)
            name = old[-1] if old else change.names.get(spot.name, spot.token.repeats or spot.name)
            taken = {part.path for part in parts} if measured else ()
            new.path = next(path for path in _number((*new.parent.path, name)) if path not in taken)
            latest[old or new.path] = current = new
            parts.append(new)
    return parts


def _number(path: SectionPath) -> Iterator[SectionPath]:
    """Yield a path, then the same with a number behind its name."""
    yield path
    yield from ((*path[:-1], f"{path[-1]}_{number}") for number in count(2))


def _find_parent(
    new: _Part,
    current: _Part,
    latest: Mapping[SectionPath, _Part | None],
    forced: SectionPath | None,
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
    if part.spot is None or new.spot is None or part.level != new.level:
        return part.level < new.level
    return part.spot.token.signature == new.spot.token.signature and is_set_in(part.left, new.left)


def _contains_measured(climbs: Climbs, part: _Part, new: _Part) -> bool:
    """Tell whether a section is in another by the paper's Figure 2."""
    return part.measured is None or new.measured is None or not climbs(part.measured, new.measured)


def _insert_new(grammar: Section, before: Section, nested: Sequence[Sequence[_Part]]) -> Section:
    pages_of: dict[SectionPath, set[int]] = defaultdict(set)
    pages_of[()] = set(range(len(nested)))
    for number, parts in enumerate(nested):
        for part in parts:
            pages_of[part.path].add(number)
    for parts in nested:
        last_child: dict[SectionPath, str] = {}
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
    heading = plain_heading(part.spot.text) if part.spot else part.path[-1]
    is_repeated = part.spot is not None and bool(part.spot.token.repeats)
    is_called_so = is_repeated or heading_name(heading) == part.path[-1]
    headings = () if is_called_so else (heading,)
    return Section(part.path[-1], is_optional=is_optional, is_repeated=is_repeated, headings=headings)
