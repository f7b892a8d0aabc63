"""Learning: the wrapper of a listing, from the regions that were mined on some of its pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.model import Document, ListingRule, Region, Source, Wrapper
from webquarry.wrapping.listings.agreement import Agreement, measure
from webquarry.wrapping.listings.fields import learn_fields
from webquarry.wrapping.listings.finding import counts
from webquarry.wrapping.listings.samples import Column, Sample, align_columns, make_sample
from webquarry.wrapping.listings.signatures import Path, Step, is_plain, share_path, tags_of, write_signature
from webquarry.wrapping.listings.unseen import find_unseen
from webquarry.wrapping.listings.views import View

LEAST_RECORDS = 0.5
"""Of the records of samples, those that must be found again."""


def learn_listing(
    regions: Sequence[Region], source: Source, *, statics: Sequence[Document | None] | None = None
) -> Wrapper:
    """How to read the listing that the regions are parts of, the best region of each sample page.

    Rules are tried on the samples' plain documents: `statics` where they are given, else made of the same markup.  If
    they do not give what was mined and the rendered documents do, the wrapper says `render`.  `check_listing` tells
    how far the two agree.
    """
    samples = _make_samples(regions, statics)
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
        for region in _region_paths(samples)
    ]
    return _choose(wrappers, samples, columns)


def check_listing(
    wrapper: Wrapper, regions: Sequence[Region], statics: Sequence[Document | None] | None = None
) -> Agreement:
    """How far a wrapper gives the records and values again that were mined."""
    samples = _make_samples(regions, statics)
    columns = align_columns(samples, is_whole=all(sample.is_whole() for sample in samples))
    return measure(wrapper, samples, columns)


def _make_samples(regions: Sequence[Region], statics: Sequence[Document | None] | None) -> list[Sample]:
    if not regions:
        raise InputError("no sample page has records to learn from")
    given = statics or [None] * len(regions)
    samples = [make_sample(region, static) for region, static in zip(regions, given, strict=True)]
    empty = [sample.region.document.url for sample in samples if not sample.spans]
    if empty:
        raise InputError(f"{empty[0]}: no records to learn from")
    return samples


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
    if agreed.records < LEAST_RECORDS:
        raise InputError(
            f"{samples[0].region.document.url}: tags and class names do not tell the records from the rest of the page:"
            f" {agreed}; mine its pages instead"
        )
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


def _region_paths(samples: Sequence[Sample]) -> list[Path]:
    """The way from the body to the region, as far as samples share it.

    Then the same with one place among siblings, from the inside outwards, and with all: a place may shift from page to
    page, and so as few as can be are taken.
    """
    plain = _share_inner([_full_path(sample, placed=False) for sample in samples])
    placed = _share_inner([_full_path(sample, placed=True) for sample in samples])
    lone = [(*plain[:at], placed[at], *plain[at + 1 :]) for at in reversed(range(len(plain))) if placed[at].place]
    return [plain, *lone, placed]


def _full_path(sample: Sample, *, placed: bool) -> Path:
    view, node = sample.view, sample.region.node
    steps: list[Step] = []
    while node > 0 and is_plain(view.name(node)):
        name = view.attributes[node].get("id", "")
        place = view.place(node) if placed else 0
        steps.append(Step(view.name(node), view.classes(node), name if is_plain(name) else "", place))
        node = view.parents[node]
    return tuple(reversed([step for step in steps if step.tag != "html"]))


def _share_inner(paths: Sequence[Path]) -> Path:
    """What paths share from their end outwards."""
    length = min(map(len, paths))
    while length > 1 and len({tags_of(path[-length:]) for path in paths}) > 1:
        length -= 1
    tags = Counter(tags_of(path[-length:]) for path in paths).most_common(1)[0][0]
    return share_path([path[-length:] for path in paths if tags_of(path[-length:]) == tags])
