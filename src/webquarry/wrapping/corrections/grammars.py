"""Edits of a grammar: sections taken out, put in and replaced by their paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from webquarry.model import Section, TokenFormat
from webquarry.wrapping.names import heading_name

Path = tuple[str, ...]


def section_at(grammar: Section, path: Path) -> Section | None:
    """The section of a path; the page itself for none."""
    here: Section | None = grammar
    for name in path:
        here = next((child for child in here.children if child.name == name), None) if here else None
    return here


def find_named(grammar: Section, path: Path = ()) -> Iterator[tuple[Path, Section]]:
    """All sections with their paths; columns of tables are none."""
    for child in grammar.children:
        below = (*path, child.name)
        yield below, child
        if child.type != "table":
            yield from find_named(child, below)


def change_at(grammar: Section, path: Path, change: Callable[[Section], Section]) -> Section:
    """The grammar with the section of a path changed."""
    if not path:
        return change(grammar)
    children = (change_at(child, path[1:], change) if child.name == path[0] else child for child in grammar.children)
    return replace(grammar, children=tuple(children))


def take_out(grammar: Section, paths: Iterable[Path]) -> Section:
    """The grammar without some sections and those in them."""
    for path in paths:
        if path:
            grammar = change_at(grammar, path[:-1], lambda holder, name=path[-1]: _without(holder, name))  # type: ignore[misc]
    return grammar


def _without(holder: Section, name: str) -> Section:
    return replace(holder, children=tuple(child for child in holder.children if child.name != name))


def put_in(grammar: Section, path: Path, section: Section, *, after: str | None = None) -> Section:
    """The grammar with a section in that of a path: behind the child named, first without one, last by default."""

    def change(holder: Section) -> Section:
        names = [child.name for child in holder.children]
        place = names.index(after) + 1 if after in names else len(names) * (after is None)
        return replace(holder, children=(*holder.children[:place], section, *holder.children[place:]))

    return change_at(grammar, path, change)


def merge(first: Section, second: Section) -> Section:
    """A section with what is in either; what is only in one of them is optional."""
    ours, others = ({child.name: child for child in each.children} for each in (first, second))
    children = [
        merge(child, others[name]) if name in others else replace(child, is_optional=True)
        for name, child in ours.items()
    ]
    children += [replace(child, is_optional=True) for name, child in others.items() if name not in ours]
    return replace(first, children=tuple(children), is_optional=first.is_optional or second.is_optional)


def heading_names(section: Section) -> set[str]:
    """The names of the headings that start a section."""
    return {section.name, *map(heading_name, section.headings)}


def rewrite_paths(tokens: Sequence[TokenFormat], old: Path, new: Path) -> tuple[TokenFormat, ...]:
    """The formats, with the sections of one path under another one where headings are excluded by their paths."""
    return tuple(
        replace(token, excluded=tuple(_rewritten(path, old, new) for path in token.excluded)) for token in tokens
    )


def _rewritten(dotted: str, old: Path, new: Path) -> str:
    path = tuple(dotted.split("."))
    return ".".join((*new, *path[len(old) :])) if len(path) > len(old) and path[: len(old)] == old else dotted
