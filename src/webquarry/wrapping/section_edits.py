"""Find, rename, move and join sections of a wrapper's grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from webquarry.errors import InputError
from webquarry.model.names import snake_case
from webquarry.model.wording import list_names
from webquarry.model.wrapper import Section, SectionPath, TokenFormat, Wrapper
from webquarry.wrapping.heading_names import heading_name, is_pattern, matches, pattern_name, plain_heading
from webquarry.wrapping.heading_spots import list_spots, read_spots
from webquarry.wrapping.section_samples import Format, Sample

SECTION_TYPES = ("text", "number", "money", "date", "boolean", "list")
"""The types that a section can be given."""
MAX_SUGGESTIONS = 3
"""Near texts named in the error for an unknown example."""


def find_sections(wrapper: Wrapper, example: str, pages: Sequence[Sample] = ()) -> list[SectionPath]:
    """Find the sections that an example names: by the end of a path, by name, or by a heading on the sample pages."""
    by_path = find_by_path(wrapper, example)
    if by_path:
        return by_path
    name = pattern_name(example)
    named = [path for path, section in find_named(wrapper.grammar) if name in heading_names(section)]
    seen = [spot.path for spot in list_spots(wrapper, pages) if spot.is_section and matches(name, spot.name)]
    return list(dict.fromkeys([*named, *seen]))


def find_section(wrapper: Wrapper, example: str, pages: Sequence[Sample] = ()) -> SectionPath:
    """Find the one section that an example names; raise InputError for none or several."""
    found = find_sections(wrapper, example, pages)
    if not found:
        raise not_found(wrapper, example, pages)
    if len(found) > 1:
        raise InputError(
            f'{len(found)} sections are called "{example}": {list_names(list(map(dotted, found)))}; '
            "give a path, or as much of its end as is unique"
        )
    return found[0]


def find_parent(wrapper: Wrapper, to: str, pages: Sequence[Sample] = ()) -> SectionPath:
    """Find the section to put others in; the name of the source means the page itself."""
    if to and snake_case(to) == snake_case(wrapper.source.name) and not find_sections(wrapper, to, pages):
        return ()
    return find_section(wrapper, to, pages)


def find_by_path(wrapper: Wrapper, example: str) -> list[SectionPath]:
    """Find the sections whose path ends with an example of two names or more; none for a text."""
    names = tuple(example.strip().split("."))
    if len(names) == 1:
        return []
    known = [path for path, _ in find_named(wrapper.grammar)]
    return [names] if names in known else [path for path in known if path[-len(names) :] == names]


def not_found(wrapper: Wrapper, example: str, pages: Sequence[Sample], texts: Iterable[str] = ()) -> InputError:
    """Build the error for an unknown example, with the nearest known texts."""
    paths = [path for path, _ in find_named(wrapper.grammar)]
    headings = [spot.text for spot in list_spots(wrapper, pages)]
    known = [*map(dotted, paths), *(path[-1] for path in paths), *map(plain_heading, [*sorted(texts), *headings])]
    by_case = {text.casefold(): text for text in known}
    near = get_close_matches(plain_heading(example).casefold(), list(by_case), n=MAX_SUGGESTIONS)
    meant = ", ".join(f'"{by_case[text]}"' for text in near)
    hint = f"the nearest are {meant}" if near else "see the outline, or name a page that has it with --page"
    return InputError(f'no heading "{example}" in wrapper {wrapper.source.name} or on its sample pages; {hint}')


def dotted(path: SectionPath) -> str:
    """Join a path by dots; the empty path is the page."""
    return ".".join(path) or "the page itself"


def check_section_name(name: str) -> str:
    """Return a name in snake case; raise InputError for one without letters and digits."""
    if not any(map(str.isalnum, name)):
        raise InputError(f'"{name}" is not a section name; use letters or digits')
    return snake_case(name)


def retype_section(wrapper: Wrapper, pages: Sequence[Sample], example: str, kind: str) -> Wrapper:
    """Read the text of a section as another type."""
    if kind not in SECTION_TYPES:
        raise InputError(f"no type {kind!r}; choose from {', '.join(SECTION_TYPES)}")
    path = find_section(wrapper, example, pages)
    section = section_at(wrapper.grammar, path)
    if section is not None and section.type == kind:
        raise InputError(f"{dotted(path)} has that type already")
    return replace(wrapper, grammar=change_at(wrapper.grammar, path, lambda each: replace(each, type=kind)))


def rename_section(wrapper: Wrapper, pages: Sequence[Sample], example: str, name: str) -> Wrapper:
    """Give a section another name; what pages call it is kept in its headings.

    All sections that fit a pattern become one.
    """
    if is_pattern(example):
        wrapper, example = _merge_fitting(wrapper, pages, example)
    path = find_section(wrapper, example, pages)
    wanted, name = name, check_section_name(name)
    if name == path[-1]:
        raise InputError(f"{dotted(path)} has that name already")
    parent = section_at(wrapper.grammar, path[:-1])
    for sibling in parent.children if parent else ():
        if sibling.name != path[-1] and name in heading_names(sibling):
            raise InputError(
                f'"{wanted}" is taken by {dotted((*path[:-1], sibling.name))}; choose another name, or join them'
            )

    def change(section: Section) -> Section:
        headings = _page_headings(wrapper, section, path, pages)
        is_as_on_page = {name} == set(map(heading_name, headings))
        return replace(section, name=name, headings=() if is_as_on_page else headings)

    return replace(
        wrapper,
        grammar=change_at(wrapper.grammar, path, change),
        tokens=rewrite_paths(wrapper.tokens, path, (*path[:-1], name)),
    )


def move_section(wrapper: Wrapper, pages: Sequence[Sample], example: str, to: str) -> Wrapper:
    """Put a section into another one."""
    old = find_section(wrapper, example, pages)
    parent = find_parent(wrapper, to, pages)
    new = (*parent, old[-1])
    section = section_at(wrapper.grammar, old)
    if section is None or parent[: len(old)] == old:
        raise InputError(f"{dotted(old)} cannot be moved into itself")
    if new == old:
        raise InputError(f"{dotted(old)} is there already")
    _check_free(wrapper, parent, section, example)
    after = replace(
        wrapper,
        grammar=put_in(take_out(wrapper.grammar, [old]), parent, section),
        tokens=rewrite_paths(wrapper.tokens, old, new),
    )
    return _check_and_mark_optional(wrapper, after, old, new, pages)


def _merge_fitting(wrapper: Wrapper, pages: Sequence[Sample], pattern: str) -> tuple[Wrapper, str]:
    """Merge all sections that fit a pattern into the first, with the pattern as heading; return its path too."""
    found = find_sections(wrapper, pattern, pages)
    if not found:
        raise not_found(wrapper, pattern, pages)
    for other in found[1:]:
        wrapper = _join_paths(wrapper, pages, other, found[0])
    return _add_heading(wrapper, pages, found[0], pattern), dotted(found[0])


def join_sections(wrapper: Wrapper, pages: Sequence[Sample], example: str, to: str) -> Wrapper:
    """Merge a section into another one, which gets its headings and children.

    A pattern merges all sections that fit it.  A heading that the grammar lacks becomes one of the section's.
    """
    kept = find_section(wrapper, to, pages)
    gone = find_sections(wrapper, example, pages)
    if not gone:
        return _take_heading(wrapper, pages, example, kept)
    if is_pattern(example):
        gone = [path for path in gone if path != kept]
        for path in gone:
            wrapper = _join_paths(wrapper, pages, path, kept, example)
        return _add_heading(wrapper, pages, kept, example)
    return _join_paths(wrapper, pages, find_section(wrapper, example, pages), kept, example)


def _take_heading(wrapper: Wrapper, pages: Sequence[Sample], example: str, kept: SectionPath) -> Wrapper:
    """Let an unknown heading of the pages start a section."""
    name = pattern_name(example)
    unknown = [spot for spot in list_spots(wrapper, pages) if matches(name, spot.name)]
    if not unknown:
        raise not_found(wrapper, example, pages)
    heading = example if is_pattern(example) else plain_heading(unknown[0].text)
    after = _add_heading(wrapper, pages, kept, heading)
    left = [spot for spot in list_spots(after, pages) if matches(name, spot.name) and spot.path != kept]
    if left:
        raise InputError(
            f'"{left[0].text}" would not be found as {dotted(kept)}, which is not open where the heading is; '
            "choose a section around or beside it"
        )
    return after


def _add_heading(wrapper: Wrapper, pages: Sequence[Sample], path: SectionPath, heading: str) -> Wrapper:
    """Give a section a heading, in place of those that fit it."""

    def change(section: Section) -> Section:
        own = _page_headings(wrapper, section, path, pages)
        left = (each for each in own if not matches(pattern_name(heading), pattern_name(each)))
        return replace(section, headings=(*left, heading))

    return replace(wrapper, grammar=change_at(wrapper.grammar, path, change))


def _join_paths(
    wrapper: Wrapper, pages: Sequence[Sample], gone: SectionPath, kept: SectionPath, example: str = ""
) -> Wrapper:
    example, to = example or dotted(gone), dotted(kept)
    if gone == kept:
        raise InputError(f'"{example}" and "{to}" are one section already: {dotted(kept)}')
    if kept[: len(gone)] == gone or gone[: len(kept)] == kept:
        raise InputError(f"{dotted(gone)} and {dotted(kept)} cannot be joined: one is in the other")
    first, second = section_at(wrapper.grammar, kept), section_at(wrapper.grammar, gone)
    if first is None or second is None:  # never: both were found
        return wrapper
    rest = replace(wrapper, grammar=take_out(wrapper.grammar, [gone]))
    _check_free(rest, kept[:-1], second, example, but=kept[-1])
    headings = dict.fromkeys(
        [*_page_headings(wrapper, first, kept, pages), *_page_headings(wrapper, second, gone, pages)]
    )
    merged = replace(merge_sections(first, second), headings=tuple(headings))
    after = replace(
        rest,
        grammar=change_at(rest.grammar, kept, lambda _: merged),
        tokens=rewrite_paths(wrapper.tokens, gone, kept),
    )
    return _check_and_mark_optional(wrapper, after, gone, kept, pages)


def _page_headings(wrapper: Wrapper, section: Section, path: SectionPath, pages: Sequence[Sample]) -> tuple[str, ...]:
    """List what pages call a section: its known headings, else those on the sample pages, else its name."""
    if section.headings or section.is_repeated:
        return section.headings or (section.name,)
    seen: dict[str, str] = {}
    for spot in list_spots(wrapper, pages):
        if spot.path == path:
            seen.setdefault(spot.name, plain_heading(spot.text))
    return tuple(seen.values()) or (section.name,)


def _check_free(wrapper: Wrapper, parent: SectionPath, section: Section, example: str, *, but: str = "") -> None:
    """Refuse a parent with another child of the same name."""
    names = heading_names(section)
    around = section_at(wrapper.grammar, parent)
    for child in around.children if around else ():
        if child.name != but and names & heading_names(child):
            raise InputError(
                f'"{example}" cannot be in {dotted(parent)}: {dotted((*parent, child.name))} has that name; '
                "rename one, or join them"
            )


def _check_and_mark_optional(
    before: Wrapper, after: Wrapper, old: SectionPath, new: SectionPath, pages: Sequence[Sample]
) -> Wrapper:
    """Check that the sample pages still have all sections after a move; mark the moved one if it is optional."""
    reread = read_spots(after, pages)
    for was, is_, page in zip(read_spots(before, pages), reread, pages, strict=True):
        found = {spot.piece: spot.path for spot in is_}
        has_parent = len(new) == 1 or new[:-1] in found.values()
        for spot in (spot for spot in was if spot.is_section):
            is_moved = spot.path[: len(old)] == old
            wanted = (*new, *spot.path[len(old) :]) if is_moved else spot.path
            if found.get(spot.piece) != wanted or (is_moved and not has_parent):
                raise InputError(
                    f"{dotted(old)} cannot become {dotted(new)}: {dotted(wanted[:-1])} is not open at "
                    f'"{spot.text}" on {page.document.url or "a sample page"}; choose a section around or beside it'
                )
    parent = new[:-1]
    on = {number for number, page in enumerate(reread) if any(spot.path == new for spot in page)}
    around = {number for number, page in enumerate(reread) if not parent or any(spot.path == parent for spot in page)}
    if not on:
        return after
    grammar = change_at(after.grammar, new, lambda section: replace(section, is_optional=bool(around - on)))
    return replace(after, grammar=grammar)


def section_at(grammar: Section, path: SectionPath) -> Section | None:
    """Return the section at a path; the page itself for the empty path."""
    here: Section | None = grammar
    for name in path:
        here = next((child for child in here.children if child.name == name), None) if here else None
    return here


def find_named(grammar: Section, path: SectionPath = ()) -> Iterator[tuple[SectionPath, Section]]:
    """List all sections with their paths, without the columns of tables."""
    for child in grammar.children:
        below = (*path, child.name)
        yield below, child
        if child.type != "table":
            yield from find_named(child, below)


def change_at(grammar: Section, path: SectionPath, change: Callable[[Section], Section]) -> Section:
    """Replace the section at a path."""
    if not path:
        return change(grammar)
    children = (change_at(child, path[1:], change) if child.name == path[0] else child for child in grammar.children)
    return replace(grammar, children=tuple(children))


def take_out(grammar: Section, paths: Iterable[SectionPath]) -> Section:
    """Remove sections with all that is in them."""
    paths = set(paths)

    def prune(section: Section, path: SectionPath) -> Section:
        kept = (child for child in section.children if (*path, child.name) not in paths)
        return replace(section, children=tuple(prune(child, (*path, child.name)) for child in kept))

    return prune(grammar, ())


def put_in(grammar: Section, path: SectionPath, section: Section, *, after: str | None = None) -> Section:
    """Insert a section into the one at a path: behind the child `after`, first if there is no such child, else last."""

    def change(parent: Section) -> Section:
        names = [child.name for child in parent.children]
        place = names.index(after) + 1 if after in names else len(names) * (after is None)
        return replace(parent, children=(*parent.children[:place], section, *parent.children[place:]))

    return change_at(grammar, path, change)


def merge_sections(first: Section, second: Section) -> Section:
    """Merge two sections into the first; children of only one of them become optional."""
    ours, others = ({child.name: child for child in each.children} for each in (first, second))
    children = [
        merge_sections(child, others[name]) if name in others else replace(child, is_optional=True)
        for name, child in ours.items()
    ]
    children += [replace(child, is_optional=True) for name, child in others.items() if name not in ours]
    return replace(first, children=tuple(children), is_optional=first.is_optional or second.is_optional)


def heading_names(section: Section) -> set[str]:
    """List the names of the headings that start a section."""
    return {section.name, *map(pattern_name, section.headings)}


def rewrite_paths(tokens: Sequence[TokenFormat], old: SectionPath, new: SectionPath) -> tuple[TokenFormat, ...]:
    """Replace a path by another in the excluded paths of formats."""

    def rewrite(dotted: str) -> str:
        path = tuple(dotted.split("."))
        return ".".join((*new, *path[len(old) :])) if len(path) > len(old) and path[: len(old)] == old else dotted

    return tuple(replace(token, excluded=tuple(map(rewrite, token.excluded))) for token in tokens)


def has_format(token: TokenFormat, format_: Format) -> bool:
    """Tell whether headings of the format match the token."""
    return token.signature == format_.signature and token.look in ("", format_.look.to_words())
