"""Learning: the wrapper of a listing, from the regions that were mined on some of its pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.model import Document, ListingRule, Region, Source, Wrapper
from webquarry.wrapping.listings.agreement import Agreement, fail_below, measure
from webquarry.wrapping.listings.fields import learn_fields
from webquarry.wrapping.listings.finding import counts
from webquarry.wrapping.listings.regions import region_paths
from webquarry.wrapping.listings.samples import Column, Sample, align_columns, make_samples
from webquarry.wrapping.listings.signatures import Path, share_path, tags_of, write_signature
from webquarry.wrapping.listings.unseen import find_unseen
from webquarry.wrapping.listings.views import View


def learn_listing(
    regions: Sequence[Region], source: Source, *, statics: Sequence[Document | None] | None = None
) -> Wrapper:
    """How to read the listing that the regions are parts of, the best region of each sample page.

    Rules are tried on the samples' plain documents: `statics` where they are given, else made of the same markup.  If
    they do not give what was mined and the rendered documents do, the wrapper says `render`.  `check_listing` tells
    how far the two agree.
    """
    samples = make_samples(regions, statics)
    whole = all(sample.is_whole() for sample in samples)
    columns = align_columns(samples, is_whole=whole)
    ignored = find_unseen(samples, is_whole=whole)
    fields = learn_fields(columns, samples, ignored, is_whole=whole)
    if not fields:
        raise InputError(f"{regions[0].document.url}: no field of the records can be told by tags and class names")
    named = replace(source, kind="records", samples=tuple(region.document.url for region in regions))
    span = 1 if whole else max(_size(sample.view, each) for sample in samples for each in sample.spans)
    record = write_signature(_record_paths(samples))
    wrappers = [
        Wrapper(named, ignored=ignored, listing=ListingRule(write_signature([region]), record, span, fields))
        for region in region_paths(samples)
    ]
    return _choose(wrappers, samples, columns)


def check_listing(
    wrapper: Wrapper, regions: Sequence[Region], statics: Sequence[Document | None] | None = None
) -> Agreement:
    """How far a wrapper gives the records and values again that were mined."""
    samples = make_samples(regions, statics)
    columns = align_columns(samples, is_whole=all(sample.is_whole() for sample in samples))
    return measure(wrapper, samples, columns)


def _choose(wrappers: Sequence[Wrapper], samples: Sequence[Sample], columns: Sequence[Column]) -> Wrapper:
    """The first of the wrappers that agree best with what was mined, rendered only where that helps."""
    best, agreed = wrappers[0], measure(wrappers[0], samples, columns)
    for wrapper in wrappers[1:] if agreed.records < 1 else ():
        other = measure(wrapper, samples, columns)
        if other > agreed:
            best, agreed = wrapper, other
    if any(sample.region.document.layout is not None for sample in samples):
        rendered = replace(best, source=replace(best.source, render=True))
        other = measure(rendered, samples, columns)
        if other > agreed:
            best, agreed = rendered, other
    fail_below(agreed, samples)
    return best


def _size(view: View, span: tuple[int, int]) -> int:
    """How many siblings a record takes."""
    node, stop = span
    count = 0
    while node < stop:
        count += counts(view, node)
        node = view.ends[node]
    return count


def _record_paths(samples: Sequence[Sample]) -> list[Path]:
    """The ways from the region to the first nodes of records, the most frequent first."""
    groups: dict[tuple[str, ...], list[Path]] = defaultdict(list)
    for sample in samples:
        for first, _ in sample.spans:
            path = sample.view.path(first, sample.region.node)
            if path is not None:
                groups[tags_of(path)].append(tuple(replace(step, place=0) for step in path))
    return [share_path(group) for group in sorted(groups.values(), key=len, reverse=True)]
