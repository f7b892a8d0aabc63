"""Headings that are text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.model import TokenFormat, Wrapper
from webquarry.wrapping.corrections.actions import Drop
from webquarry.wrapping.corrections.finding import dotted, find_section, find_sections, is_path, no_such
from webquarry.wrapping.corrections.grammars import Path, heading_names, section_at, take_out
from webquarry.wrapping.corrections.growing import Change, grow
from webquarry.wrapping.corrections.pages import Spot, read_spots
from webquarry.wrapping.names import heading_name
from webquarry.wrapping.samples import Sample


def drop(wrapper: Wrapper, action: Drop, pages: Sequence[Sample]) -> Wrapper:
    """The wrapper by which the heading, or all of its format, is text of the section before it."""
    if is_path(wrapper, action.example):
        path = find_section(wrapper, action.example)
        paths = _find_alike(wrapper, path, read_spots(wrapper, pages)) if action.whole_format else [path]
        for each in paths:
            wrapper = _drop_section(wrapper, each, pages)
        return wrapper
    spots = read_spots(wrapper, pages)
    if action.whole_format:
        return _drop_format(wrapper, _find_format(wrapper, action.example, spots), pages, spots)
    return _drop_everywhere(wrapper, action.example, pages, spots)


def _find_alike(wrapper: Wrapper, path: Path, spots: Sequence[Sequence[Spot]]) -> list[Path]:
    """The sections beside one that are started by headings of its format alone, and itself."""
    tokens: dict[Path, set[TokenFormat]] = {}
    for spot in (spot for page in spots for spot in page):
        tokens.setdefault(spot.path, set()).add(spot.token)
    holder = section_at(wrapper.grammar, path[:-1])
    beside = [(*path[:-1], child.name) for child in holder.children] if holder else []
    own = tokens.get(path, set())
    return [each for each in beside if each == path or (each in tokens and tokens[each] <= own)]


def _drop_section(wrapper: Wrapper, path: Path, pages: Sequence[Sample]) -> Wrapper:
    """The wrapper without a section; by its name where no other has that, so that it is text on every page."""
    spots = read_spots(wrapper, pages)
    elsewhere = [other for other in find_sections(wrapper, path[-1], spots) if other != path]
    if elsewhere or path[-1] in wrapper.other:
        return _drop_there(wrapper, path, pages, spots)
    return _drop_everywhere(wrapper, path[-1], pages, spots)


def _drop_everywhere(
    wrapper: Wrapper, example: str, pages: Sequence[Sample], spots: Sequence[Sequence[Spot]]
) -> Wrapper:
    names, paths = _find_names(wrapper, example, spots)
    if not names:
        raise no_such(wrapper, example, spots)
    signatures = {spot.token.signature for page in spots for spot in page if spot.name in names}
    tokens = [_without_names(token, names, signatures) for token in wrapper.tokens]
    after = replace(
        wrapper,
        tokens=tuple(token for token in tokens if token),
        other=tuple(other for other in wrapper.other if other not in names),
        grammar=take_out(wrapper.grammar, [path for path in paths if not _is_seen(path, spots)]),
    )
    return _regrown(wrapper, after, pages, Change(is_dropped=lambda spot: spot.name in names))


def _find_names(wrapper: Wrapper, example: str, spots: Sequence[Sequence[Spot]]) -> tuple[frozenset[str], list[Path]]:
    """The names of the headings that an example means, and their sections.

    Of a section whose headings are values it is the one heading.
    """
    said = heading_name(example)
    paths = find_sections(wrapper, example, spots)
    names: set[str] = set()
    for path in paths:
        section = section_at(wrapper.grammar, path)
        if section is not None:
            names |= {said} if section.is_repeated else heading_names(section)
    if said in wrapper.other or any(spot.name == said for page in spots for spot in page):
        names.add(said)
    return frozenset(names), paths


def _is_seen(path: Path, spots: Sequence[Sequence[Spot]]) -> bool:
    return any(spot.path == path for page in spots for spot in page)


def _without_names(token: TokenFormat, names: Collection[str], signatures: Collection[str]) -> TokenFormat | None:
    """The format without some headings; None when it has no others.

    On no page seen a heading may be of any format.
    """
    if token.names:
        left = tuple(name for name in token.names if name not in names)
        return replace(token, names=left) if left else None
    if signatures and token.signature not in signatures:
        return token
    return replace(token, excluded=tuple(sorted({*token.excluded, *names})))


def _drop_there(wrapper: Wrapper, path: Path, pages: Sequence[Sample], spots: Sequence[Sequence[Spot]]) -> Wrapper:
    """The heading stays one elsewhere: its format excludes the path."""
    section = section_at(wrapper.grammar, path)
    names = {spot.name for page in spots for spot in page if spot.path == path} or (
        heading_names(section) if section else set()
    )
    excluded = {dotted((*path[:-1], name)) for name in names}
    used = {spot.token for page in spots for spot in page if spot.path == path} or set(wrapper.tokens)
    tokens = (
        replace(token, excluded=tuple(sorted({*token.excluded, *excluded}))) if token in used else token
        for token in wrapper.tokens
    )
    after = replace(wrapper, tokens=tuple(tokens))
    if not _is_seen(path, spots):
        return replace(after, grammar=take_out(after.grammar, [path]))
    return _regrown(wrapper, after, pages, Change(is_dropped=lambda spot: spot.path == path))


def _find_format(wrapper: Wrapper, example: str, spots: Sequence[Sequence[Spot]]) -> TokenFormat:
    name, paths = heading_name(example), set(find_sections(wrapper, example, spots))
    every = [spot for page in spots for spot in page]
    meant = [spot for spot in every if spot.name == name] or [spot for spot in every if spot.path in paths]
    if not meant:
        raise no_such(wrapper, example, spots)
    tokens = list(dict.fromkeys(spot.token for spot in meant))
    if len(tokens) > 1:
        likes = ", ".join(f'"{token.like}" ({token.signature})' for token in tokens)
        raise InputError(
            f'headings "{example}" are of {len(tokens)} formats, those of {likes}; name a heading that only one has'
        )
    return tokens[0]


def _drop_format(
    wrapper: Wrapper, format_: TokenFormat, pages: Sequence[Sample], spots: Sequence[Sequence[Spot]]
) -> Wrapper:
    left = {spot.name for page in spots for spot in page if spot.token != format_}
    gone = {spot.name for page in spots for spot in page if spot.token == format_} - left
    after = replace(
        wrapper,
        tokens=tuple(token for token in wrapper.tokens if token != format_),
        other=tuple(other for other in wrapper.other if other not in gone),
    )
    return _regrown(wrapper, after, pages, Change(is_dropped=lambda spot: spot.token == format_))


def _regrown(before: Wrapper, after: Wrapper, pages: Sequence[Sample], change: Change) -> Wrapper:
    above = min((token.level for token in after.tokens), default=1) - 1
    after = replace(after, tokens=tuple(replace(token, level=token.level - above) for token in after.tokens))
    return grow(before, after, pages, change)
