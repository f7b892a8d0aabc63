"""The grammar of a source, from the sections of its sample pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import Section
from webquarry.values.locale import Locale
from webquarry.values.section_types import read_section
from webquarry.wrapping.levels import Part
from webquarry.wrapping.sample_pages import Format, Sample
from webquarry.wrapping.section_values import read_rows

Found = Sequence[tuple[Sample, Part]]
"""Parts that are one section, each with its page."""


def merge(found: Found, name: str, repeated: Mapping[Format, str]) -> Section:
    """The section that parts of pages are: what stands in some of them is optional in it."""
    if columns := _find_columns(found):
        return Section(name, children=tuple(Section(column, is_optional=True) for column in columns), type="table")
    places: dict[str, list[float]] = defaultdict(list)
    below: dict[str, list[tuple[Sample, Part]]] = defaultdict(list)
    holders: Counter[str] = Counter()
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
        holders.update(keys)
    order = sorted(below, key=lambda key: sum(places[key]) / len(places[key]))
    return Section(
        name,
        children=tuple(
            replace(
                merge(below[key], key, repeated),
                is_optional=holders[key] < len(found),
                is_repeated=key in repeats,
            )
            for key in order
        ),
    )


def _find_columns(found: Found) -> list[str]:
    """The columns of the data tables that most of the parts are."""
    columns: dict[str, None] = {}
    tables = 0
    for page, part in found:
        pieces = [page.pieces[number] for number in part.mark.following] if part.mark and not part.children else []
        if any(piece.cell is not None for piece in pieces):
            tables += 1
            names, _ = read_rows(page.tree, pieces)
            columns |= dict.fromkeys(distinct(snake_case(name) for name in names))
    return list(columns) if 2 * tables > len(found) else []


def with_types(section: Section, texts: Mapping[tuple[str, ...], Sequence[str]], locale: Locale) -> Section:
    """The section with the types of all below it, told by their texts on the sample pages."""
    return _with_types(section, (), texts, locale)


def _with_types(
    section: Section, path: tuple[str, ...], texts: Mapping[tuple[str, ...], Sequence[str]], locale: Locale
) -> Section:
    if section.type == "table":
        return section
    children = tuple(_with_types(child, (*path, child.name), texts, locale) for child in section.children)
    found = texts.get(path, ())
    return replace(section, children=children, type=read_section(found, locale) if found else "text")


# MERGED wrapping/annotations: Labels that may stand in any section, such as `note`: they comment on a value
FEWEST_SECTIONS = 3
"""In which a label comes after the section's own text."""
RARELY = 3
"""Times fewer are the sections that it begins."""
MOST = 0.6
"""Share of the sections of one format: a label that so many have is one of their fields."""


def find_annotations(roots: Sequence[Part]) -> set[str]:
    """Names of labels that follow the own text of many different sections, and hardly ever begin one.

    `total` begins the sections that it stands in, `female` comes after `male`: both are sections.
    """
    found: set[str] = set()
    while more := _find_more(roots, found) - found:
        found |= more
    return found


def _find_more(roots: Sequence[Part], known: set[str]) -> set[str]:
    following: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    beginning: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    holders: dict[str, Counter[Format]] = defaultdict(Counter)
    sections: Counter[Format] = Counter()
    for root in roots:
        for part in root.walk():
            if part.mark is None:
                continue
            sections[part.mark.format] += 1
            for name in {child.name for child in part.children}:
                holders[name][part.mark.format] += 1
            first = next((child for child in part.children if child.name not in known), None)
            if first is not None and not first.children:
                (following if part.mark.following else beginning)[first.name].add(part.path)
    return {
        name
        for name, paths in following.items()
        if len(paths) >= FEWEST_SECTIONS
        and len(paths) > RARELY * len(beginning[name])
        and all(count < MOST * sections[format_] for format_, count in holders[name].items())
    }


# MERGED wrapping/repeating: Sections that repeat: on a page that holds all of a source, each is a record and
FEWEST = 3
"""Of sections that repeat."""
FEWEST_LISTS = 6
"""Of sections that have nothing in common but that they are lists; half as many when their headings share a word."""
COMMON = 0.5
"""Share of the sections that have a field, when it is one of all."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_LISTED = ("li", "dd", "td")
YEAR = "year"
NAMELESS = "section"


def find_repeated(page: Sample, root: Part) -> dict[Format, str]:
    """The formats whose headings are values, each with a name for its sections.

    Their sections have the same fields, or are all lists, as of people by year or of places by state.
    """
    by_format: dict[Format, list[Part]] = defaultdict(list)
    for part in root.walk():
        if part.mark is not None:
            by_format[part.mark.format].append(part)
    found: dict[Format, str] = {}
    for format_, parts in by_format.items():
        headings = [page.pieces[part.mark.piece].text for part in parts if part.mark]
        name = _name(headings)
        enough = FEWEST if name != NAMELESS else FEWEST_LISTS
        is_listed = len(parts) >= enough and _are_lists(page, parts)
        if len(parts) >= FEWEST and (name == YEAR or _have_common_fields(parts) or is_listed):
            found[format_] = name
    return found


def _have_common_fields(parts: Sequence[Part]) -> bool:
    counts = Counter(name for part in parts for name in {child.name for child in part.children})
    common = [name for name, count in counts.items() if count >= COMMON * len(parts) and count > 1]
    return len(common) > 1


def _are_lists(page: Sample, parts: Sequence[Part]) -> bool:
    """Whether most of the sections are lists, or tables without headers: several lines, all in items or cells."""
    if any(part.children for part in parts):
        return False
    lists = lines = 0
    for part in parts:
        pieces = [page.pieces[number] for number in part.mark.following] if part.mark else []
        lists += bool(pieces) and all(piece.signature.startswith(_LISTED) for piece in pieces)
        lines += len({piece.line for piece in pieces})
    return lists >= MOST * len(parts) and lines > len(parts)


def _name(headings: Sequence[str]) -> str:
    """A name for sections by what their headings have in common: all years, or one word.

    >>> _name(["1990", "1991"]), _name(["Session 1: Sources", "Session 2: Views"]), _name(["Ohio", "Utah"])
    ('year', 'session', 'section')
    """
    if all(_YEAR.fullmatch(heading.strip()) for heading in headings):
        return YEAR
    words = Counter(
        word for heading in headings for word in {word.lower() for word in re.findall(r"[^\W\d_]+", heading)}
    )
    word, count = words.most_common(1)[0] if words else ("", 0)
    return snake_case(word) if count >= MOST * len(headings) and count > 1 else NAMELESS
