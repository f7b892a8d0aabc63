"""Sections that are in others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.model import Wrapper
from webquarry.wrapping.corrections.actions import Move
from webquarry.wrapping.corrections.finding import dotted, find_holder, find_section
from webquarry.wrapping.corrections.grammars import (
    Path,
    change_at,
    heading_names,
    put_in,
    rewrite_paths,
    section_at,
    take_out,
)
from webquarry.wrapping.corrections.pages import Spot, read_spots
from webquarry.wrapping.samples import Sample


def move(wrapper: Wrapper, action: Move, pages: Sequence[Sample]) -> Wrapper:
    """The wrapper in whose grammar the section is in the other one."""
    spots = read_spots(wrapper, pages)
    old = find_section(wrapper, action.example, spots)
    to = find_holder(wrapper, action.to, spots)
    new = (*to, old[-1])
    section = section_at(wrapper.grammar, old)
    if section is None or to[: len(old)] == old:
        raise InputError(f"{dotted(old)} cannot be moved into itself")
    if new == old:
        raise InputError(f"{dotted(old)} is there already")
    check_free(wrapper, to, heading_names(section), action.example)
    after = replace(
        wrapper,
        grammar=put_in(take_out(wrapper.grammar, [old]), to, section),
        tokens=rewrite_paths(wrapper.tokens, old, new),
    )
    reread = read_spots(after, pages)
    check_found(spots, reread, old, new, pages)
    return with_optional(after, new, reread)


def check_free(wrapper: Wrapper, holder: Path, names: set[str], example: str, *, but: str = "") -> None:
    """Refuse a name that another section in the same one has."""
    around = section_at(wrapper.grammar, holder)
    for child in around.children if around else ():
        if child.name != but and names & heading_names(child):
            raise InputError(
                f'"{example}" cannot be in {dotted(holder) or "the page itself"}, for {dotted((*holder, child.name))} '
                "has that name; rename one, or join them"
            )


def check_found(
    before: Sequence[Sequence[Spot]],
    after: Sequence[Sequence[Spot]],
    old: Path,
    new: Path,
    pages: Sequence[Sample],
) -> None:
    """Refuse a place by which some section of the sample pages is not found where it should be."""
    for was, is_, page in zip(before, after, pages, strict=True):
        found = {spot.piece: spot.path for spot in is_}
        has_holder = len(new) == 1 or new[:-1] in found.values()
        for spot in (spot for spot in was if spot.is_section):
            is_moved = spot.path[: len(old)] == old
            wanted = (*new, *spot.path[len(old) :]) if is_moved else spot.path
            if found.get(spot.piece) != wanted or (is_moved and not has_holder):
                raise InputError(
                    f'{dotted(old)} cannot be {dotted(new)}: on {page.document.url or "a sample page"} "{spot.text}" '
                    f"stands where {dotted(wanted[:-1]) or 'the page itself'} is then not open; "
                    "choose a section around it or beside it"
                )


def with_optional(wrapper: Wrapper, path: Path, spots: Sequence[Sequence[Spot]]) -> Wrapper:
    """The wrapper with a section marked as optional if some sample page has the one around it and not itself."""
    on = {number for number, page in enumerate(spots) if any(spot.path == path for spot in page)}
    holder = path[:-1]
    around = {number for number, page in enumerate(spots) if not holder or any(spot.path == holder for spot in page)}
    if not on:
        return wrapper
    grammar = change_at(wrapper.grammar, path, lambda section: replace(section, is_optional=bool(around - on)))
    return replace(wrapper, grammar=grammar)
