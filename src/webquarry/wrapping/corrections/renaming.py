"""Sections that have other names than on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.model import Section, Wrapper
from webquarry.model.naming import snake_case
from webquarry.wrapping.corrections.actions import Rename
from webquarry.wrapping.corrections.finding import dotted, find_section
from webquarry.wrapping.corrections.grammars import Path, change_at, heading_names, rewrite_paths, section_at
from webquarry.wrapping.corrections.pages import Spot, read_spots
from webquarry.wrapping.names import heading_name, plain_heading
from webquarry.wrapping.samples import Sample


def rename(wrapper: Wrapper, action: Rename, pages: Sequence[Sample]) -> Wrapper:
    """The wrapper in which the section has the name; what the page calls it stays known."""
    spots = read_spots(wrapper, pages)
    path = find_section(wrapper, action.example, spots)
    name = check_name(action.name)
    if name == path[-1]:
        raise InputError(f"{dotted(path)} has that name already")
    holder = section_at(wrapper.grammar, path[:-1])
    for sibling in holder.children if holder else ():
        if sibling.name != path[-1] and name in heading_names(sibling):
            raise InputError(
                f'"{action.name}" is taken by {dotted((*path[:-1], sibling.name))}; choose another name, or join them'
            )

    def change(section: Section) -> Section:
        headings = page_headings(section, path, spots)
        is_as_on_page = {name} == set(map(heading_name, headings))
        return replace(section, name=name, headings=() if is_as_on_page else headings)

    return replace(
        wrapper,
        grammar=change_at(wrapper.grammar, path, change),
        tokens=rewrite_paths(wrapper.tokens, path, (*path[:-1], name)),
    )


def page_headings(section: Section, path: Path, spots: Sequence[Sequence[Spot]]) -> tuple[str, ...]:
    """What pages call a section: as known, or as the sample pages have it, or its name."""
    if section.headings or section.is_repeated:
        return section.headings or (section.name,)
    seen: dict[str, str] = {}
    for page in spots:
        for spot in page:
            if spot.path == path:
                seen.setdefault(spot.name, plain_heading(spot.text))
    return tuple(seen.values()) or (section.name,)


def check_name(name: str) -> str:
    """The name in snake case, if it can be one of a section."""
    if not any(map(str.isalnum, name)):
        raise InputError(f'"{name}" is no name of a section; it needs letters or digits')
    return snake_case(name)
