"""Learning: the wrapper of a listing, from the regions that were mined on some of its pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.model import Document, ListingRule, Region, Source, Wrapper
from webquarry.wrapping.listings.agreement import Agreement, measure
from webquarry.wrapping.listings.choosing import choose_wrapper
from webquarry.wrapping.listings.fields import learn_fields
from webquarry.wrapping.listings.finding import counts
from webquarry.wrapping.listings.matching import pass_over
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
    they do not give what was mined and the rendered documents do, the wrapper says `render`; so it does when scripts
    ran and no plain document is given.  `check_listing` tells how far the two agree.
    """
    samples = make_samples(regions, statics)
    whole = all(sample.is_whole() for sample in samples)
    ignored = find_unseen(samples, is_whole=whole)
    columns = _align(samples, ignored, is_whole=whole)
    fields = learn_fields(columns, samples, is_whole=whole)
    if not fields:
        raise InputError(f"{regions[0].document.url}: no field of the records can be told by tags and class names")
    named = replace(source, kind="records", samples=tuple(region.document.url for region in regions))
    span = 1 if whole else max(_size(sample.view, each) for sample in samples for each in sample.spans)
    record = write_signature(_record_paths(samples))
    wrappers = [
        Wrapper(named, ignored=ignored, listing=ListingRule(write_signature([region]), record, span, fields))
        for region in region_paths(samples)
    ]
    return choose_wrapper(wrappers, samples, lambda wrapper: measure(wrapper, samples, columns))


def check_listing(
    wrapper: Wrapper, regions: Sequence[Region], statics: Sequence[Document | None] | None = None
) -> Agreement:
    """How far a wrapper gives the records and values again that were mined."""
    samples = make_samples(regions, statics)
    whole = all(sample.is_whole() for sample in samples)
    columns = _align(samples, wrapper.ignored, is_whole=whole)
    return measure(wrapper, samples, columns)


def _align(samples: Sequence[Sample], ignored: Sequence[str], *, is_whole: bool) -> list[Column]:
    for sample in samples:
        pass_over(ignored, sample.view, sample.spans, is_whole=is_whole)
    return align_columns(samples, is_whole=is_whole)


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
