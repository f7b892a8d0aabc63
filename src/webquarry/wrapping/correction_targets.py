"""Which sections a person means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches

from webquarry.errors import InputError
from webquarry.model.names import list_names, snake_case
from webquarry.model.wrapper import Section, Wrapper
from webquarry.wrapping.grammar_edits import (
    Path,
    Spot,
    change_at,
    find_named,
    heading_names,
    read_spots,
    rewrite_paths,
    section_at,
)
from webquarry.wrapping.sample_pages import Sample
from webquarry.wrapping.section_headings import heading_name, plain_heading

NEAREST = 3
"""Texts that are told when the one named is not there."""


def find_sections(wrapper: Wrapper, example: str, spots: Sequence[Sequence[Spot]] = ()) -> list[Path]:
    """The sections that an example names: by the end of a path, by the name, or by a heading on the sample pages."""
    by_path = _find_by_path(wrapper, example)
    if by_path:
        return by_path
    name = heading_name(example)
    named = [path for path, section in find_named(wrapper.grammar) if name in heading_names(section)]
    seen = [spot.path for page in spots for spot in page if spot.is_section and spot.name == name]
    return list(dict.fromkeys([*named, *seen]))


def find_section(wrapper: Wrapper, example: str, spots: Sequence[Sequence[Spot]] = ()) -> Path:
    """The one section that an example names."""
    found = find_sections(wrapper, example, spots)
    if not found:
        raise no_such(wrapper, example, spots)
    if len(found) > 1:
        raise InputError(
            f'{len(found)} sections are called "{example}": {list_names(list(map(dotted, found)))}; '
            "name one by its path, or by the end of it that no other has"
        )
    return found[0]


def find_holder(wrapper: Wrapper, to: str, spots: Sequence[Sequence[Spot]] = ()) -> Path:
    """The section that others are to be put in; the page itself by the name of the source."""
    if to and snake_case(to) == snake_case(wrapper.source.name) and not find_sections(wrapper, to, spots):
        return ()
    return find_section(wrapper, to, spots)


def is_path(wrapper: Wrapper, example: str) -> bool:
    """Whether an example is a path of two names or more, and no text."""
    return bool(_find_by_path(wrapper, example))


def _find_by_path(wrapper: Wrapper, example: str) -> list[Path]:
    names = tuple(example.strip().split("."))
    if len(names) == 1:
        return []
    known = [path for path, _ in find_named(wrapper.grammar)]
    return [names] if names in known else [path for path in known if path[-len(names) :] == names]


def no_such(
    wrapper: Wrapper, example: str, spots: Sequence[Sequence[Spot]] = (), texts: Iterable[str] = ()
) -> InputError:
    """What to say of an example that is not there."""
    paths = [path for path, _ in find_named(wrapper.grammar)]
    headings = [spot.text for page in spots for spot in page]
    known = [*map(dotted, paths), *(path[-1] for path in paths), *map(plain_heading, [*sorted(texts), *headings])]
    by_case = {text.casefold(): text for text in known}
    near = get_close_matches(plain_heading(example).casefold(), list(by_case), n=NEAREST)
    meant = ", ".join(f'"{by_case[text]}"' for text in near)
    hint = f"the nearest are {meant}" if near else "see the outline for what there is"
    return InputError(f'no heading "{example}" in the wrapper {wrapper.source.name} or on its sample pages; {hint}')


def dotted(path: Path) -> str:
    """The path with dots between."""
    return ".".join(path)


# MERGED wrapping/corrections/actions: The actions by which a person corrects a wrapper.
# MERGED
# MERGED Each names what is meant by `example`: a heading as on the page, or the dotted path of a section, su
# MERGED `geography.area.note`, of which the end is enough where it is unique.
@dataclass(frozen=True)
class Add:
    """A text that is a heading."""

    example: str
    to: str = ""
    """The section that it is in; without it the format tells."""
    name: str = ""
    """What its section is called, if not as on the page."""
    whole_format: bool = False
    """Whether all texts of its format are headings."""


@dataclass(frozen=True)
class Drop:
    """A text that is no heading, but text of the section before it."""

    example: str
    """By its text everywhere, by a path of two names or more only there."""
    whole_format: bool = False
    """Whether no text of its format is a heading; by a path, none of those in the section that it is in."""


@dataclass(frozen=True)
class Move:
    """A section that is in another one."""

    example: str
    to: str
    """The section that it is in; the name of the source for the page itself."""


@dataclass(frozen=True)
class Rename:
    """A section that has another name."""

    example: str
    name: str


@dataclass(frozen=True)
class Join:
    """A section that is the same as another, whose name it takes."""

    example: str
    to: str


Correction = Add | Drop | Move | Rename | Join


def to_words(action: Correction) -> str:
    """The action as it is said on the command line.

    >>> to_words(Drop("note", whole_format=True)), to_words(Move("total", "geography.area"))
    ('drop "note" --class', 'move "total" --to "geography.area"')
    """
    words = [type(action).__name__.lower(), f'"{action.example}"']
    for each in fields(action):
        value = getattr(action, each.name)
        if each.name == "whole_format":
            words += ["--class"] * value
        elif each.name != "example" and value:
            words.append(f'--{each.name} "{value}"')
    return " ".join(words)


# MERGED wrapping/corrections/renaming: Sections that have other names than on the page.
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
