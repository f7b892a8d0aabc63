"""The grammar of a source, from the sections of its sample pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from webquarry.model import Section
from webquarry.model.naming import distinct, snake_case
from webquarry.values import Locale, read_section
from webquarry.wrapping.nesting import Part
from webquarry.wrapping.samples import Format, Sample
from webquarry.wrapping.writing import read_rows

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
