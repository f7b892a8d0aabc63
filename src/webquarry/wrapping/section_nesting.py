"""Rank heading formats by level, nest the sections of each page, and merge those of all pages into a grammar.

Nesting follows Figure 2 of Ashish and Knoblock, with its loop repaired.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import Section
from webquarry.page.looks import Look
from webquarry.values.section_types import read_section
from webquarry.values.text_value import Locale
from webquarry.wrapping.section_headings import Mark
from webquarry.wrapping.section_parser import read_data_table
from webquarry.wrapping.section_samples import SAME_SIZE, Format, Sample

MIN_LEAD_RATIO = 2
"""How many times more often one format must lead directly to another than the reverse."""
MAX_LEVELS = 20
"""Lower ranks share the last level.  Books have about six, and sections are read by recursion."""
MIN_SHARE_LEADING_UP = 0.5
"""Share of the headings of a smaller format that lead to a larger one, for it to be above that."""

Pair = tuple[Format, Format]
"""The first is above the second."""


def rank_formats(marked: Sequence[Sequence[Mark]]) -> dict[Format, int]:
    """Give each format its level, 1 for the outermost.

    A heading directly below another, with no text between, is in its section: that separates formats of one size, and
    outweighs size where it is clear.  Formats that nothing separates share a level.  A format that neither leads to
    others nor is below any of its size takes the level of what looks the same, or else the innermost, as labels do; one
    level lower if its names recur on a page, as notes do.
    """
    order = _Order(dict.fromkeys(mark.format.style for marks in marked for mark in marks))
    leads = _count_leads(marked)
    counts = Counter(mark.format.style for marks in marked for mark in marks)
    clear = [pair for pair, _ in leads.most_common() if _is_clear(pair, leads, counts) and order.add(*pair)]
    order.add_sizes()
    separated = _find_separated(leads, clear, order)
    levels = _settle_levels(order.levels(), separated, _find_recurring(marked))
    above = min(levels.values(), default=1) - 1  # if all names recur, nothing has the first level
    return {mark.format: min(levels[mark.format.style] - above, MAX_LEVELS) for marks in marked for mark in marks}


def _is_clear(pair: Pair, leads: Counter[Pair], counts: Counter[Format]) -> bool:
    """Tell whether one format is above another by what its headings lead to; a smaller one must mostly lead there."""
    first, second = pair
    least: float = MIN_LEAD_RATIO * leads[second, first]
    if first.look.size < second.look.size - SAME_SIZE:
        least = max(least, MIN_SHARE_LEADING_UP * counts[first])
    return leads[pair] > least


def _count_leads(marked: Sequence[Sequence[Mark]]) -> Counter[Pair]:
    """Count how often a heading of the first format is directly above one of the second."""
    leads: Counter[Pair] = Counter()
    for marks in marked:
        for mark, after in pairwise(marks):
            first, second = mark.format.style, after.format.style
            if not mark.following and not mark.is_bound_back and first != second:
                leads[first, second] += 1
    return leads


def _find_separated(leads: Iterable[Pair], clear: Collection[Pair], order: _Order) -> set[Format]:
    """Find the formats that lead to others, or are below one of their size."""
    below = {second for first, second in clear if abs(first.look.size - second.look.size) <= SAME_SIZE}
    smaller = {pair for pair in leads if pair[0].look.size > pair[1].look.size + SAME_SIZE and order.is_above(*pair)}
    return below | {first for first, _ in smaller.union(clear)}


def _find_recurring(marked: Sequence[Sequence[Mark]]) -> set[Format]:
    """Find the formats whose names mostly occur several times on a page, hence in different sections."""
    counts = Counter(mark.format.style for marks in marked for mark in marks)
    names = Counter(style for marks in marked for style, _ in {(mark.format.style, mark.name) for mark in marks})
    return {format_ for format_, count in counts.items() if count >= MIN_LEAD_RATIO * names[format_]}


def _settle_levels(
    layers: Mapping[Format, int], separated: Collection[Format], recurring: Collection[Format]
) -> dict[Format, int]:
    """Put formats that nothing separates as low as those that look the same, or as any of their size."""
    by_look: dict[Look, int] = {}
    by_size: dict[float, int] = {}
    for format_, layer in layers.items():
        look = format_.look
        by_size[look.size] = max(by_size.get(look.size, 0), layer)
        if format_ in separated:
            by_look[look] = max(by_look.get(look, 0), layer)
    levels = dict(layers)
    for format_ in layers:
        if format_ not in separated:
            size = format_.look.size
            innermost = max(by_size.get(near, 0) for near in (size - SAME_SIZE, size, size + SAME_SIZE))
            levels[format_] = by_look.get(format_.look, innermost) + (format_ in recurring)
    return levels


class _Order:
    """A partial order of formats, without cycles.

    What is below a format is kept as the bits of a number: a page may have thousands of formats, and millions of
    pairs of them differ in size.
    """

    def __init__(self, formats: Iterable[Format]) -> None:
        self._formats = sorted(formats, key=lambda format_: format_.look.size)
        self._places = {format_: place for place, format_ in enumerate(self._formats)}
        self._below = [0] * len(self._formats)
        self._children: list[list[int]] = [[] for _ in self._formats]
        self._parents: list[list[int]] = [[] for _ in self._formats]

    def add(self, above: Format, below: Format) -> bool:
        """Put one format above another; return False if that would close a cycle."""
        return self._add(self._places[above], self._places[below])

    def is_above(self, first: Format, second: Format) -> bool:
        """Tell whether one format is above another, directly or not."""
        return bool(self._below[self._places[first]] >> self._places[second] & 1)

    def add_sizes(self) -> None:
        """Put each format above all that are smaller, the nearest in size first."""
        sizes = [format_.look.size for format_ in self._formats]
        for above, size in enumerate(sizes):
            smaller = (1 << bisect_left(sizes, size - SAME_SIZE)) - 1
            while left := smaller & ~self._below[above]:
                below = left.bit_length() - 1
                self._add(above, below)
                smaller &= ~(1 << below)

    def levels(self) -> dict[Format, int]:
        """Give each format the length of the longest chain down to it."""
        levels = [1] * len(self._formats)
        waiting = [len(parents) for parents in self._parents]
        free = [place for place, parents in enumerate(waiting) if not parents]
        for place in free:  # grows while it is read
            for child in self._children[place]:
                levels[child] = max(levels[child], levels[place] + 1)
                waiting[child] -= 1
                if not waiting[child]:
                    free.append(child)
        return {format_: levels[place] for format_, place in self._places.items()}

    def _add(self, above: int, below: int) -> bool:
        if above == below or self._below[below] >> above & 1:
            return False
        self._children[above].append(below)
        self._parents[below].append(above)
        more = self._below[below] | 1 << below
        growing = [above]
        while growing:
            place = growing.pop()
            if more & ~self._below[place]:
                self._below[place] |= more
                growing += self._parents[place]
        return True


MIN_INDENT = 3.0
"""Pixels between a heading and one that is indented below it."""
MAX_INDENT = 80.0
"""Pixels; what is farther to the right is in another column of the page."""
MAX_INDENTS_OF_FORMAT = 5
"""Different indents of a format's headings, over all pages; more are right-aligned, or within lines."""


@dataclass(eq=False)
class SamplePart:
    """A section of a page."""

    mark: Mark | None
    level: int
    parent: SamplePart | None
    children: list[SamplePart] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The heading in snake case; empty for the page itself."""
        return self.mark.name if self.mark else ""

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the outermost section to this one."""
        return (*self.parent.path, self.name) if self.parent else ()

    def walk(self) -> Iterator[SamplePart]:
        """List all parts below this one, in page order."""
        for child in self.children:
            yield child
            yield from child.walk()


def find_indented(marked: Sequence[Sequence[Mark]]) -> set[Format]:
    """Find the formats whose indent tells which section a heading is in."""
    lefts: dict[Format, set[int]] = defaultdict(set)
    for marks in marked:
        for mark in marks:
            lefts[mark.format.style].add(round(mark.piece.left / MIN_INDENT))
    return {format_ for format_, places in lefts.items() if len(places) <= MAX_INDENTS_OF_FORMAT}


def nest(marks: Sequence[Mark], levels: Mapping[Format, int], indented: Collection[Format]) -> SamplePart:
    """Nest the sections of a page.

    A new section climbs out of the current one while that one has a lower level, or the same level and no smaller
    indent; it never climbs out of the page.
    """
    root = current = SamplePart(None, 0, None)
    for mark in marks:
        level = levels[mark.format]
        while current.parent is not None and not _contains(current, mark, level, indented):
            current = current.parent
        new = SamplePart(mark, level, current)
        current.children.append(new)
        current = new
    return root


def _contains(part: SamplePart, mark: Mark, level: int, indented: Collection[Format]) -> bool:
    if part.level != level or part.mark is None:
        return part.level < level
    if mark.format.style not in indented or part.mark.format.style != mark.format.style:
        return False
    return is_set_in(part.mark.piece.left, mark.piece.left)


def is_set_in(outer: float, inner: float) -> bool:
    """Tell whether a heading is indented below another, and not in another column of the page."""
    return MIN_INDENT <= inner - outer <= MAX_INDENT


SameParts = Sequence[tuple[Sample, SamplePart]]
"""Parts that are the same section, each with its page."""
MIN_SECTIONS_ANNOTATED = 3
"""Sections in which an annotation follows the section's own text."""
MAX_SHARE_ANNOTATED = 0.6
"""Share of the sections of one format; a label in more of them is one of their fields."""
MIN_REPEATED_SECTIONS = 3
"""Sections of a format that repeat."""
MIN_UNNAMED_LISTS = 6
"""Sections that are lists and no more alike; `MIN_REPEATED_SECTIONS` are enough if their headings share a word."""
MIN_SHARE_ALIKE = 0.6
"""Share of the sections that are lists, or of the headings that have a word in common."""
YEAR = "year"
NAMELESS = "section"
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_LISTED = ("li", "dd", "td")


def merge_parts(found: SameParts, name: str, repeated: Mapping[Format, str]) -> Section:
    """Merge parts of pages into one section; children that some of them lack are optional."""
    if columns := _find_columns(found):
        return Section(name, children=tuple(Section(column, is_optional=True) for column in columns), type="table")
    places: dict[str, list[float]] = defaultdict(list)
    below: dict[str, list[tuple[Sample, SamplePart]]] = defaultdict(list)
    parents: Counter[str] = Counter()
    repeats: set[str] = set()
    for page, part in found:
        keys: set[str] = set()
        for place, child in enumerate(part.children):
            key = child.name
            if child.mark is not None and child.mark.format in repeated:
                key = repeated[child.mark.format]
                repeats.add(key)
            places[key].append(place / len(part.children))
            below[key].append((page, child))
            keys.add(key)
        parents.update(keys)
    order = sorted(below, key=lambda key: sum(places[key]) / len(places[key]))
    return Section(
        name,
        children=tuple(
            replace(
                merge_parts(below[key], key, repeated),
                is_optional=parents[key] < len(found),
                is_repeated=key in repeats,
            )
            for key in order
        ),
    )


def _find_columns(found: SameParts) -> list[str]:
    """Find the columns, if most of the parts are data tables."""
    columns: dict[str, None] = {}
    tables = 0
    for page, part in found:
        pieces = part.mark.following if part.mark and not part.children else []
        if any(piece.cell is not None for piece in pieces):
            tables += 1
            names, _ = read_data_table(page.tree, pieces)
            columns |= dict.fromkeys(distinct(snake_case(name) for name in names))
    return list(columns) if 2 * tables > len(found) else []


def with_types(
    section: Section, texts: Mapping[tuple[str, ...], Sequence[str]], locale: Locale, path: tuple[str, ...] = ()
) -> Section:
    """Type a section and all below it by their texts on the sample pages."""
    if section.type == "table":
        return section
    children = tuple(with_types(child, texts, locale, (*path, child.name)) for child in section.children)
    found = texts.get(path, ())
    return replace(section, children=children, type=read_section(found, locale) if found else "text")


def find_annotations(roots: Sequence[SamplePart]) -> set[str]:
    """Find the labels that may be in any section, such as `note`, which comment on a value.

    They follow the own text of many sections and hardly ever begin one.  `total` begins its section and `female` comes
    after `male`: both are sections.
    """
    found: set[str] = set()
    while more := _find_more_annotations(roots, found) - found:
        found |= more
    return found


def _find_more_annotations(roots: Sequence[SamplePart], known: set[str]) -> set[str]:
    following: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    parents: dict[str, Counter[Format]] = defaultdict(Counter)
    sections: Counter[Format] = Counter()
    for root in roots:
        for part in root.walk():
            if part.mark is None:
                continue
            sections[part.mark.format] += 1
            for name in {child.name for child in part.children}:
                parents[name][part.mark.format] += 1
            first = next((child for child in part.children if child.name not in known), None)
            if first is not None and not first.children and part.mark.following:
                following[first.name].add(part.path)
    return {
        name
        for name, paths in following.items()
        if len(paths) >= MIN_SECTIONS_ANNOTATED
        and all(count < MAX_SHARE_ANNOTATED * sections[format_] for format_, count in parents[name].items())
    }


def find_repeated(root: SamplePart) -> dict[Format, str]:
    """Find the formats whose headings are values, with a name for their sections: each section is a record.

    On a page with a whole source, such sections have the same fields, or are all lists, as people by year or
    places by state.
    """
    by_format: dict[Format, list[SamplePart]] = defaultdict(list)
    for part in root.walk():
        if part.mark is not None:
            by_format[part.mark.format].append(part)
    found: dict[Format, str] = {}
    for format_, parts in by_format.items():
        headings = [part.mark.piece.text for part in parts if part.mark]
        name = _name_repeated(headings)
        enough = MIN_REPEATED_SECTIONS if name != NAMELESS else MIN_UNNAMED_LISTS
        is_listed = len(parts) >= enough and _are_lists(parts)
        if len(parts) >= MIN_REPEATED_SECTIONS and (name == YEAR or _have_common_fields(parts) or is_listed):
            found[format_] = name
    return found


def _have_common_fields(parts: Sequence[SamplePart]) -> bool:
    counts = Counter(name for part in parts for name in {child.name for child in part.children})
    return sum(count > 1 for count in counts.values()) > 1


def _are_lists(parts: Sequence[SamplePart]) -> bool:
    """Tell whether most sections are lists, or tables without headers: several lines, all in items or cells."""
    if any(part.children for part in parts):
        return False
    lists = lines = 0
    for part in parts:
        pieces = part.mark.following if part.mark else []
        lists += bool(pieces) and all(piece.signature.startswith(_LISTED) for piece in pieces)
        lines += len({piece.line for piece in pieces})
    return lists >= MIN_SHARE_ALIKE * len(parts) and lines > len(parts)


def _name_repeated(headings: Sequence[str]) -> str:
    """Name sections by what their headings have in common: all years, or one word.

    >>> [_name_repeated(each) for each in (["1990", "1991"], ["Session 1: A", "Session 2: B"], ["Ohio", "Utah"])]
    ['year', 'session', 'section']
    """
    if all(_YEAR.fullmatch(heading.strip()) for heading in headings):
        return YEAR
    words = Counter(
        word for heading in headings for word in {word.lower() for word in re.findall(r"[^\W\d_]+", heading)}
    )
    word, count = words.most_common(1)[0] if words else ("", 0)
    return snake_case(word) if count >= MIN_SHARE_ALIKE * len(headings) and count > 1 else NAMELESS
