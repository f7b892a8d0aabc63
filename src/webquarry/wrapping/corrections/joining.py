"""Sections that are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.model import Section, Wrapper
from webquarry.wrapping.corrections.actions import Join
from webquarry.wrapping.corrections.finding import dotted, find_section
from webquarry.wrapping.corrections.grammars import change_at, heading_names, merge, rewrite_paths, section_at, take_out
from webquarry.wrapping.corrections.moving import check_found, check_free, with_optional
from webquarry.wrapping.corrections.pages import read_spots
from webquarry.wrapping.corrections.renaming import page_headings
from webquarry.wrapping.samples import Sample


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
