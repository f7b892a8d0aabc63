"""Which sections a person means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from webquarry.errors import InputError
from webquarry.model import Wrapper
from webquarry.model.naming import list_names, snake_case
from webquarry.wrapping.corrections.grammars import Path, find_named, heading_names
from webquarry.wrapping.corrections.pages import Spot
from webquarry.wrapping.names import heading_name, plain_heading

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
