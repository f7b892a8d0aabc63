"""What is wanted of the sections of a source."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.model import Extraction, Section, Wrapper
from webquarry.model.naming import distinct, list_names, snake_case

Path = tuple[str, ...]
NEAREST = 5
"""Paths that are named in the place of one that is not there."""
LEAST_LIKE = 0.5
"""Of two names, as `difflib` measures it."""


def find_paths(wrapper: Wrapper) -> list[Path]:
    """The paths of all sections, or of a listing the names of its fields, in their order."""
    if wrapper.listing is None:
        return [path for path, _ in wrapper.grammar.walk()]
    return [(name,) for name in distinct(snake_case(field.name) for field in wrapper.listing.fields)]


def find_wanted(wrapper: Wrapper, only: Iterable[str]) -> list[Path]:
    """The paths that are meant; raises for one that the wrapper has not, with those that are nearest."""
    paths = {".".join(path): path for path in find_paths(wrapper)}
    wanted = []
    for named in [only] if isinstance(only, str) else only:
        dotted = ".".join(snake_case(part) for part in named.split("."))
        if dotted not in paths:
            raise InputError(f"there is no section {named!r}; {_describe_nearest(dotted, list(paths))}")
        wanted.append(paths[dotted])
    return wanted


def narrow(extraction: Extraction, wanted: Collection[Path]) -> Extraction:
    """The extraction with what is at the wanted paths and below them."""
    values = tuple(value for value in extraction.values if _is_wanted(_named(value.path), wanted))
    missing = tuple(path for path in extraction.missing if _is_wanted(tuple(path.split(".")), wanted))
    return replace(extraction, values=values, missing=missing, unknown=())


def narrow_wrapper(wrapper: Wrapper, only: Iterable[str]) -> Wrapper:
    """The wrapper with the wanted sections alone, and those around them: what the columns of its results are."""
    wanted = find_wanted(wrapper, only)
    if not wanted:
        return wrapper
    if wrapper.listing is None:
        return replace(wrapper, grammar=_prune(wrapper.grammar, (), wanted))
    kept = zip(find_paths(wrapper), wrapper.listing.fields, strict=True)
    fields = tuple(field for path, field in kept if path in wanted)
    return replace(wrapper, listing=replace(wrapper.listing, fields=fields))


def _prune(section: Section, path: Path, wanted: Collection[Path]) -> Section:
    if _is_wanted(path, wanted):
        return section
    below = [(child, (*path, child.name)) for child in section.children]
    children = tuple(
        _prune(child, here, wanted)
        for child, here in below
        if any(each[: len(here)] == here or here[: len(each)] == each for each in wanted)
    )
    return replace(section, children=children)


def _named(path: tuple[str | int, ...]) -> Path:
    """The names of a path; of a listing's record the number is no part of it, and neither is what it stands under."""
    names = tuple(part for part in path if isinstance(part, str))
    is_record = len(path) > 1 and isinstance(path[1], int)
    return names[1:] if is_record and path[0] == "records" else names


def _is_wanted(path: Path, wanted: Collection[Path]) -> bool:
    return any(path[: len(each)] == each for each in wanted)


def _describe_nearest(dotted: str, paths: list[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - slow to import

    if not paths:
        return "the wrapper has none"
    last = dotted.rpartition(".")[2]
    ending = [path for path in paths if path == last or path.endswith(f".{last}")]
    near = list(dict.fromkeys([*ending, *get_close_matches(dotted, paths, NEAREST, LEAST_LIKE)]))[:NEAREST]
    return f"the nearest are {list_names(near)}" if near else f"there are {list_names(paths)}"
