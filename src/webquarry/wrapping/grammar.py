"""Merge the sections of sample pages into the grammar of their source."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import Section
from webquarry.values.locale import Locale
from webquarry.values.section_types import read_section
from webquarry.wrapping.heading_levels import Part
from webquarry.wrapping.sample_pages import Format, Sample
from webquarry.wrapping.section_parser import read_data_table

SameParts = Sequence[tuple[Sample, Part]]
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


def merge(found: SameParts, name: str, repeated: Mapping[Format, str]) -> Section:
    """Merge parts of pages into one section; children that some of them lack are optional."""
    if columns := _find_columns(found):
        return Section(name, children=tuple(Section(column, is_optional=True) for column in columns), type="table")
    places: dict[str, list[float]] = defaultdict(list)
    below: dict[str, list[tuple[Sample, Part]]] = defaultdict(list)
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
                merge(below[key], key, repeated),
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
        pieces = [page.pieces[number] for number in part.mark.following] if part.mark and not part.children else []
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


def find_annotations(roots: Sequence[Part]) -> set[str]:
    """Find the labels that may be in any section, such as `note`, which comment on a value.

    They follow the own text of many sections and hardly ever begin one.  `total` begins its section and `female` comes
    after `male`: both are sections.
    """
    found: set[str] = set()
    while more := _find_more_annotations(roots, found) - found:
        found |= more
    return found


def _find_more_annotations(roots: Sequence[Part], known: set[str]) -> set[str]:
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


def find_repeated(page: Sample, root: Part) -> dict[Format, str]:
    """Find the formats whose headings are values, with a name for their sections: each section is a record.

    On a page with a whole source, such sections have the same fields, or are all lists, as people by year or
    places by state.
    """
    by_format: dict[Format, list[Part]] = defaultdict(list)
    for part in root.walk():
        if part.mark is not None:
            by_format[part.mark.format].append(part)
    found: dict[Format, str] = {}
    for format_, parts in by_format.items():
        headings = [page.pieces[part.mark.piece].text for part in parts if part.mark]
        name = _name_repeated(headings)
        enough = MIN_REPEATED_SECTIONS if name != NAMELESS else MIN_UNNAMED_LISTS
        is_listed = len(parts) >= enough and _are_lists(page, parts)
        if len(parts) >= MIN_REPEATED_SECTIONS and (name == YEAR or _have_common_fields(parts) or is_listed):
            found[format_] = name
    return found


def _have_common_fields(parts: Sequence[Part]) -> bool:
    counts = Counter(name for part in parts for name in {child.name for child in part.children})
    return sum(count > 1 for count in counts.values()) > 1


def _are_lists(page: Sample, parts: Sequence[Part]) -> bool:
    """Tell whether most sections are lists, or tables without headers: several lines, all in items or cells."""
    if any(part.children for part in parts):
        return False
    lists = lines = 0
    for part in parts:
        pieces = [page.pieces[number] for number in part.mark.following] if part.mark else []
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
