"""A correction as a step of the wrapper's history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import Section, Step, Wrapper
from webquarry.wrapping.correction_targets import (
    Add,
    Correction,
    Drop,
    Join,
    Move,
    Rename,
    dotted,
    find_holder,
    find_section,
    page_headings,
    rename,
    to_words,
)
from webquarry.wrapping.grammar_edits import (
    Path,
    Spot,
    change_at,
    heading_names,
    merge,
    put_in,
    read_pages,
    read_spots,
    rewrite_paths,
    section_at,
    take_out,
)
from webquarry.wrapping.sample_pages import Sample
from webquarry.wrapping.token_edits import add, drop
from webquarry.wrapping.undo import apply_undo, write_undo


# MERGED wrapping/corrections/moving: Sections that are in others.
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


# MERGED wrapping/corrections/joining: Sections that are one.
def join(wrapper: Wrapper, action: Join, pages: Sequence[Sample]) -> Wrapper:
    """The wrapper in which the headings of the section are also the other's, and it is no more."""
    spots = read_spots(wrapper, pages)
    gone, kept = find_section(wrapper, action.example, spots), find_section(wrapper, action.to, spots)
    if gone == kept:
        raise InputError(f'"{action.example}" and "{action.to}" are one section: {dotted(kept)}')
    if kept[: len(gone)] == gone or gone[: len(kept)] == kept:
        raise InputError(f"{dotted(gone)} and {dotted(kept)} cannot be joined, for one is in the other")
    first, second = section_at(wrapper.grammar, kept), section_at(wrapper.grammar, gone)
    if first is None or second is None:  # never: both were found
        return wrapper
    rest = replace(wrapper, grammar=take_out(wrapper.grammar, [gone]))
    check_free(rest, kept[:-1], heading_names(second), action.example, but=kept[-1])
    headings = dict.fromkeys([*page_headings(first, kept, spots), *page_headings(second, gone, spots)])

    def change(section: Section) -> Section:
        return replace(merge(section, second), headings=tuple(headings))

    after = replace(
        rest, grammar=change_at(rest.grammar, kept, change), tokens=rewrite_paths(wrapper.tokens, gone, kept)
    )
    reread = read_spots(after, pages)
    check_found(spots, reread, gone, kept, pages)
    return with_optional(after, kept, reread)


_ACTIONS: dict[type, Callable[[Wrapper, Any, Sequence[Sample]], Wrapper]] = {
    Add: add,
    Drop: drop,
    Move: move,
    Rename: rename,
    Join: join,
}


def correct(wrapper: Wrapper, action: Correction, documents: Sequence[Document]) -> Wrapper:
    """The wrapper after an action; `documents` are its sample pages, static or rendered as it was learnt."""
    _check(wrapper, action)
    pages = read_pages(wrapper, documents)
    after = _ACTIONS[type(action)](wrapper, action, pages)
    _check_sections(wrapper, after, pages)
    steps = _count_tokens(wrapper, after, pages) + _count_rules(wrapper, after, action)
    step = Step(to_words(action), steps, write_undo(wrapper, after))
    return replace(after, history=(*wrapper.history, step))


def undo(wrapper: Wrapper) -> Wrapper:
    """The wrapper as it was before its last correction."""
    if not wrapper.history:
        raise InputError(f"the wrapper {wrapper.source.name} has no correction to undo")
    *history, last = wrapper.history
    return replace(apply_undo(wrapper, last.undo), history=tuple(history))


def _check(wrapper: Wrapper, action: Correction) -> None:
    if wrapper.source.kind != "sections" or wrapper.method != "format":
        raise InputError(
            f"the wrapper {wrapper.source.name} has no formats of headings to correct: it is of the kind "
            f"{wrapper.source.kind}, by the method {wrapper.method}; edit its file instead"
        )
    if not action.example.strip():
        raise InputError("an example is needed: a heading as on the page, or the path of a section")


def _check_sections(before: Wrapper, after: Wrapper, pages: Sequence[Sample]) -> None:
    """Refuse an action by which headings of the sample pages that were sections are in none of the grammar."""
    for page, was, is_ in zip(pages, read_spots(before, pages), read_spots(after, pages), strict=True):
        known = {spot.piece for spot in was if spot.is_section}
        for spot in is_:
            if spot.piece in known and not spot.is_section:
                raise InputError(
                    f'by that "{spot.text}" on {page.document.url or "a sample page"} would be in no section; '
                    "move or drop it first"
                )


def _count_tokens(before: Wrapper, after: Wrapper, pages: Sequence[Sample]) -> int:
    """The headings that were added or deleted on the first page, as the paper's user would have had to."""
    was, is_ = ({spot.piece for page in read_spots(each, pages[:1]) for spot in page} for each in (before, after))
    return len(was ^ is_)


def _count_rules(before: Wrapper, after: Wrapper, action: Correction) -> int:
    """The rules that were corrected by hand: those that name other sections than before.

    Rules that change with the headings in them are not: the paper's system writes them anew.
    """
    if isinstance(action, Add | Drop):
        return 0
    if isinstance(action, Rename):
        return 1
    old, new = (_rules(each) for each in (before, after))
    return sum(old[path] != new[path] for path in old.keys() & new.keys())


def _rules(wrapper: Wrapper) -> dict[tuple[str, ...], set[str]]:
    rules = {(): {child.name for child in wrapper.grammar.children}}
    return rules | {path: {child.name for child in section.children} for path, section in wrapper.grammar.walk()}
