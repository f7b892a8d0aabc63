"""Correct wrappers by single actions, which can be undone and redone.

A listing is learnt anew after a person chose another list of the page, added a record or removed one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from webquarry.errors import InputError
from webquarry.html.node_paths import depths_of
from webquarry.mining.listing_choice import find_alike, find_innermost, iterate_like
from webquarry.mining.stated_join import without_stated
from webquarry.mining.visual import make_region
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.wrapper import Source, Wrapper
from webquarry.pipeline.call_arguments import require, require_each, takes
from webquarry.pipeline.mine_pages import mine
from webquarry.wrapping.corrections import (
    ACTIONS,
    Correction,
    correct as correct_wrapper,
    read_action,
    redo as redo_step,
    undo as undo_step,
)
from webquarry.wrapping.heading_spots import KeptSamples
from webquarry.wrapping.listing_learner import exclude_records, learn_listing
from webquarry.wrapping.listing_reader import read_records
from webquarry.wrapping.table_wrapper import learn_table


@takes()
def correct(
    wrapper: Wrapper,
    documents: Sequence[Document],
    action: str,
    example: str,
    *,
    to: str = "",
    name: str = "",
    whole_format: bool = False,
    page: Document | None = None,
    place: str = "",
    record: bool = False,
    at: str = "",
    part: str = "",
    kept: KeptSamples | None = None,
) -> Wrapper:
    """Correct a wrapper by one action.

    wrapper: what `wrap` or `load_wrapper` gives; it is not changed.
    documents: the sample pages of the wrapper, rendered if `reads_rendered` says so.
    action: `add` turns the example's text into a heading and `drop` undoes one; `move` puts a section into the section
        `to`, `rename` gives it a `name`, `join` merges it with the section `to`, `retype` reads it as the type `to`.
        Of a listing, `add` fills the column `name` in all records with what is like the example in its record.
        Of a listing or a table, `move` puts a field behind the field `to`, `join` makes one field of two that records
        have instead of each other, `merge` of two whose texts follow each other, `split` two of one; `choose` takes the
        list of the page that has the example's words.
    example: the path of a section, the name of a field, or a text on a sample page.
    to: a path, or for `retype` a type.
    name: the new name.
    whole_format: for `add` and `drop`, do the same with all texts of the example's format.
    record: the example is some words of a record, which `add` makes a record and `drop` none.
    page: a page on which an example that no sample has is looked for too.
    place: where that page is, unless at its address.
    at: the separator to split a field at; what is behind it becomes a field of its own.
    part: instead, a text that is part of a value: what is in its place becomes a field of its own.
    kept: sample pages as the last correction of the same documents left them, which makes the next one faster.

    >>> import webquarry as wq
    >>> documents = [wq.clean(wq.fetch(f"examples/factbook/geos/{code}.html")) for code in ("am", "bv", "cd")]
    >>> wrapper = wq.correct(wq.wrap(documents, name="factbook"), documents, "rename", "geography", name="land")
    >>> "land" in [section.name for section in wrapper.grammar.children]
    True
    """
    require("correct", wrapper, Wrapper)
    require_each("correct", documents, Document)
    named = "" if page is None else place or page.url
    given: dict[str, Any] = {
        "to": to,
        "name": name,
        "whole_format": whole_format,
        "page": named,
        "record": record,
        "at": at,
        "part": part,
    }
    check_options(action, **given)
    correction = Correction(action, example, **given)
    return correct_wrapper(wrapper, correction, documents, page, relearn_listing, kept=kept)


def reads_rendered(wrapper: Wrapper, action: str, *, record: bool = False) -> bool:
    """Tell whether a correction takes rendered samples: if reading does, and to find headings or other records."""
    if action == "redo" and wrapper.undone:
        undone = read_action(wrapper.undone[0])
        action, record = undone.action, undone.record
    has_looks = any(token.look for token in wrapper.tokens)
    return wrapper.source.render or has_looks or (wrapper.has_records and (action == "choose" or record))


def undo(wrapper: Wrapper) -> Wrapper:
    """Take back the last correction of a wrapper.

    wrapper: what `correct` gave; it is not changed.

    >>> import webquarry as wq
    >>> documents = [wq.clean(wq.fetch(f"examples/factbook/geos/{code}.html")) for code in ("am", "bv", "cd")]
    >>> wrapper = wq.wrap(documents, name="factbook")
    >>> wq.undo(wq.correct(wrapper, documents, "rename", "geography", name="land")) == wrapper
    True
    """
    return undo_step(require("undo", wrapper, Wrapper))


def redo(
    wrapper: Wrapper, documents: Sequence[Document], page: Document | None = None, kept: KeptSamples | None = None
) -> Wrapper:
    """Make the correction again that was undone last; arguments are as for `correct`."""
    return redo_step(wrapper, documents, page, relearn_listing, kept=kept)


FLAGS = {
    "to": "--to PATH",
    "name": "--name NAME",
    "whole_format": "--class",
    "page": "--page PAGE",
    "record": "--record",
    "at": "--at SEPARATOR",
    "part": "--part TEXT",
}
"""The options of actions, as on the command line."""


def check_options(action: str, **given: object) -> None:
    """Raise for an unknown action, and for options that it needs or does not take."""
    if action not in ACTIONS:
        raise ValueError(f"no action {action!r}; choose from {', '.join(ACTIONS)}")
    options = ACTIONS[action]
    for option, flag in FLAGS.items():
        if given.get(option) and option not in (*options.needed, *options.possible):
            raise InputError(f"{action} takes no {flag}")
        if not given.get(option) and option in options.needed:
            raise InputError(f"{action} needs {flag}")
    if action == "split" and bool(given.get("at")) is bool(given.get("part")):
        raise InputError(f"split needs one of {FLAGS['at']} and {FLAGS['part']}")


Span = tuple[int, int]
Statics = Sequence[Document | None] | None


def relearn_listing(wrapper: Wrapper, action: Correction, documents: Sequence[Document]) -> Wrapper:
    """Learn a listing from other records; the source stays as it is."""
    if action.action == "choose":
        present = [[row.span for row in read_records(wrapper, document)] for document in documents]
        return _as_in(wrapper, learn_like(documents, wrapper.source, action.example, present=present))
    if wrapper.source.kind == "tables":
        raise InputError("the rows of a table are its records; choose another table, or leave rows out in SQL")
    regions = _change_records(wrapper, documents, action.example, is_dropped=action.action == "drop")
    learnt = _as_in(wrapper, learn_listing(regions, wrapper.source))
    for region in regions:
        wanted = set(region.spans)
        extra = [row.span for row in read_records(learnt, region.document) if row.span not in wanted]
        learnt = exclude_records(learnt, region.document, extra) if extra else learnt
    return learnt


def learn_like(
    documents: Sequence[Document],
    source: Source,
    words: str,
    *,
    statics: Statics = None,
    present: Sequence[Sequence[Span]] = (),
) -> Wrapper:
    """Learn the list or table that has these words, other than the records that there are at present.

    `statics` are as for `wrap`.
    """
    is_table = source.kind == "tables"
    kind, method = ("table", "tables") if is_table else ("records", "visual")
    fault: InputError | None = None
    for number, document in enumerate(documents):
        known = present[number] if present else ()
        try:
            chosen = without_stated(_find_other(document, mine(document, method=method), words, known))
        except InputError as error:
            fault = fault or error
            continue
        others = [each for each in documents if each is not document]
        found = [find_alike(chosen, mine(each, method=method)) for each in others]
        alike = [without_stated(region) for region in found if region is not None and region.kind == kind]
        at = {id(each): place for place, each in enumerate(documents)}
        regions = [chosen, *alike]
        given = [statics[at[id(region.document)]] for region in regions] if statics else None
        learnt = (learn_table if is_table else learn_listing)(regions, source, statics=given)
        return replace(learnt, source=replace(learnt.source, samples=source.samples))
    raise fault or InputError("there is no sample page to look for the words on")


def _find_other(document: Document, regions: Sequence[Region], words: str, present: Sequence[Span]) -> Region:
    """Find the first list with these words that has other records than the present one."""
    for region in iterate_like(document, regions, words):
        if not _are_same(region.spans, present):
            return region
    grown = _grow(document, words) if not regions or regions[0].kind == "records" else None
    if grown is None or _are_same(grown.spans, present):
        other = "no other list has it" if present else "nothing like it repeats"
        raise InputError(f"{document.url}: {words!r} is on the page, but {other}")
    return grown


def _are_same(spans: Sequence[Span], others: Sequence[Span]) -> bool:
    """Tell whether two lists have the same records, one perhaps with an element more around each."""
    pairs = zip(sorted(spans), sorted(others), strict=False)
    return len(spans) == len(others) and all(one[0] < other[1] and other[0] < one[1] for one, other in pairs)


def _grow(document: Document, words: str) -> Region | None:
    """Make a list of the innermost element around the words with others like it beside it."""
    for place in find_innermost(document, words):
        node = place
        while node > 0:
            alike = _find_beside(document, node)
            if len(alike) > 1:
                spans = [(each, int(document.ends[each])) for each in alike]
                return make_region(document, spans, "they are like the thing that was named")
            node = int(document.parents[node])
    return None


def _change_records(wrapper: Wrapper, documents: Sequence[Document], words: str, *, is_dropped: bool) -> list[Region]:
    spans = [[row.span for row in read_records(wrapper, document)] for document in documents]
    holding = [number for number, document in enumerate(documents) if find_innermost(document, words)]
    if not holding:
        raise InputError(f"no sample page has the words {words!r}")
    if not any(spans):
        raise InputError("no page has records yet; choose a list first")
    change = _without if is_dropped else _with
    for number in (each for each in holding if spans[each]):
        spans[number] = change(documents[number], spans[number], words)
    return [
        make_region(document, each, "records as they were corrected")
        for document, each in zip(documents, spans, strict=True)
        if each
    ]


def _without(document: Document, spans: Sequence[Span], words: str) -> list[Span]:
    places = find_innermost(document, words)
    kept = [span for span in spans if not any(span[0] <= place < span[1] for place in places)]
    if len(kept) == len(spans):
        raise InputError(f"{document.url}: no record has the words {words!r}")
    if not kept:
        raise InputError(f"{document.url}: {words!r} is in every record; give words that only one has")
    return kept


def _with(document: Document, spans: Sequence[Span], words: str) -> list[Span]:
    """Add the element with the words that is placed like the records, and all that are like it."""
    places = [place for place in find_innermost(document, words) if not any(a <= place < b for a, b in spans)]
    if not places:
        raise InputError(f"{document.url}: {words!r} is in a record already")
    found = _find_record_around(document, places[0], [first for first, _ in spans])
    if found is None:
        raise InputError(f"{document.url}: {words!r} is not beside the records; choose another list instead")
    added = [(node, int(document.ends[node])) for node in _find_beside(document, found)]
    free = [span for span in added if not any(first < span[1] and span[0] < stop for first, stop in spans)]
    return sorted([*spans, *free])


def _find_record_around(document: Document, node: int, firsts: Sequence[int]) -> int | None:
    """Find the element around a node that is beside the records, or else has their tag and about their depth."""
    parents, tags = ({int(each) for each in column[list(firsts)]} for column in (document.parents, document.tags))
    depths = depths_of(document.ends)
    usual = int(np.median(depths[list(firsts)]))
    around = []
    while node > 0 and not any(node <= first < document.ends[node] for first in firsts):
        around.append(node)
        node = int(document.parents[node])
    beside = [each for each in around if int(document.parents[each]) in parents]
    tagged = [each for each in around if int(document.tags[each]) in tags]
    level = [each for each in around if int(depths[each]) == usual]
    found = beside or sorted(tagged, key=lambda each: abs(int(depths[each]) - usual)) or level
    return next(iter(found), None)


def _find_beside(document: Document, found: int) -> list[int]:
    """Find an element and all with its class names: beside it, and below parents with the same names and tags."""

    def names(node: int) -> str:
        return document.attributes[node].get("class", "")

    parent = int(document.parents[found])
    path = _list_tags(document, found)
    named = [
        node
        for node in np.flatnonzero((document.tags == document.tags[found]) & ~document.hidden).tolist()
        if names(node) == names(found)
    ]
    return [
        node
        for node in named
        if int(document.parents[node]) == parent
        or (
            names(parent) and names(int(document.parents[node])) == names(parent) and _list_tags(document, node) == path
        )
    ]


def _list_tags(document: Document, node: int) -> list[str]:
    """List the tags of an element and those around it."""
    tags = []
    while node > 0:
        tags.append(document.tag(node))
        node = int(document.parents[node])
    return tags


def _as_in(wrapper: Wrapper, learnt: Wrapper) -> Wrapper:
    source = replace(wrapper.source, render=learnt.source.render)
    return replace(learnt, source=source, history=wrapper.history)
