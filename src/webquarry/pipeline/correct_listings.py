"""Relearn a listing after a person chose another list of the page, added a record or removed one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.html.tag_paths import depths_of
from webquarry.mining.joined_listing import find_alike
from webquarry.mining.stated_join import without_stated
from webquarry.mining.visual import make_region
from webquarry.mining.wanted_list import find_innermost, find_like
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.wrapper import Wrapper
from webquarry.pipeline.mine_pages import mine
from webquarry.wrapping.corrections import Choose, Correction, Drop
from webquarry.wrapping.listing_learner import exclude_records, learn_listing
from webquarry.wrapping.listing_reader import read_records
from webquarry.wrapping.table_wrapper import learn_table

Span = tuple[int, int]


def relearn_listing(wrapper: Wrapper, action: Correction, documents: Sequence[Document]) -> Wrapper:
    """Learn a listing from other records; the source stays as it is."""
    kind, method = ("table", "tables") if wrapper.source.kind == "tables" else ("records", "visual")
    if isinstance(action, Choose):
        regions = _choose(documents, action.example, kind=kind, method=method)
        return _as_in(wrapper, (learn_table if kind == "table" else learn_listing)(regions, wrapper.source))
    if kind == "table":
        raise InputError("the rows of a table are its records; choose another table, or leave rows out in SQL")
    regions = _change_records(wrapper, documents, action.example, is_dropped=isinstance(action, Drop))
    learnt = _as_in(wrapper, learn_listing(regions, wrapper.source))
    for region in regions:
        wanted = set(region.spans)
        extra = [row.span for row in read_records(learnt, region.document) if row.span not in wanted]
        learnt = exclude_records(learnt, region.document, extra) if extra else learnt
    return learnt


def _choose(documents: Sequence[Document], words: str, *, kind: str, method: str) -> list[Region]:
    """Find the list with these words on the first page that has it, and what is like it on the others."""
    fault: InputError | None = None
    for document in documents:
        try:
            chosen = without_stated(find_like(document, mine(document, method=method), words))
        except InputError as error:
            fault = fault or error
            continue
        others = [find_alike(chosen, mine(each, method=method)) for each in documents if each is not document]
        alike = [without_stated(region) for region in others if region is not None and region.kind == kind]
        return [chosen, *alike]
    raise fault or InputError("there is no sample page to look for the words on")


def _change_records(wrapper: Wrapper, documents: Sequence[Document], words: str, *, is_dropped: bool) -> list[Region]:
    spans = [[row.span for row in read_records(wrapper, document)] for document in documents]
    holding = [number for number, document in enumerate(documents) if find_innermost(document, words)]
    if not holding:
        raise InputError(f"no sample page has the words {words!r}")
    change = _without if is_dropped else _with
    for number in holding:
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
    """Add the element with the words that is placed like the records: below the same parent, or at the same depth."""
    places = [place for place in find_innermost(document, words) if not any(a <= place < b for a, b in spans)]
    if not places:
        raise InputError(f"{document.url}: {words!r} is in a record already")
    parents = {int(document.parents[first]) for first, _ in spans}
    depths = depths_of(document.ends)
    depths_of_records = {int(depths[first]) for first, _ in spans}
    node = places[0]
    around = [node]
    while node > 0:
        node = int(document.parents[node])
        around.append(node)
    beside = next((each for each in around if int(document.parents[each]) in parents), None)
    alike = next((each for each in around if int(depths[each]) in depths_of_records), None)
    found = beside if beside is not None else alike
    if found is None:
        raise InputError(f"{document.url}: {words!r} is not beside the records; choose another list instead")
    return sorted([*spans, (found, int(document.ends[found]))])


def _as_in(wrapper: Wrapper, learnt: Wrapper) -> Wrapper:
    source = replace(wrapper.source, render=learnt.source.render)
    return replace(learnt, source=source, history=wrapper.history)
