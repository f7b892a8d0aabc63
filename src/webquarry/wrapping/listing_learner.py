"""Learning: the wrapper of a listing, from the regions that were mined on some of its pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.wrapper import ListingRule, Source, Wrapper
from webquarry.wrapping.listing_cells import counts, is_same, pass_over
from webquarry.wrapping.listing_fields import learn_fields
from webquarry.wrapping.listing_reader import Row, listing_of, read_rows
from webquarry.wrapping.listing_samples import Column, Sample, align_columns, make_samples, region_paths
from webquarry.wrapping.listing_signatures import Path, View, share_path, tags_of, write_signature


# MERGED wrapping/listings/agreement: Agreement: how far rules give again what was mined on the samples.
@dataclass(frozen=True, order=True)
class Agreement:
    """Shares from 0 to 1."""

    records: float
    """Of the records that were mined or found, those that are the same."""
    cells: float
    """Of the values of the records that were mined, and those found in them, the ones that are the same."""

    def __str__(self) -> str:
        return f"{self.records:.0%} of the records and {self.cells:.0%} of the values are as mined"


def measure(wrapper: Wrapper, samples: Sequence[Sample], columns: Sequence[Column]) -> Agreement:
    """The agreement of a wrapper with its samples: on plain documents, or on rendered ones if it asks for them."""
    rule = listing_of(wrapper)
    pairs = []
    for number, sample in enumerate(samples):
        document = tried_on(wrapper, sample)
        rows = [] if document is None else read_rows(rule, document, wrapper.ignored)
        wanted = [
            {each.name: each.cells[number, record][1] for each in columns if (number, record) in each.cells}
            for record in range(len(sample.spans))
        ]
        pairs.append((sample, wanted, rows))
    return compare(rule, pairs)


def tried_on(wrapper: Wrapper, sample: Sample) -> Document | None:
    """The document of a sample that a wrapper would be used on; None when nobody knows how it was without scripts."""
    return sample.region.document if wrapper.source.render else sample.static


def _by_numbers(sample: Sample, rows: Sequence[Row]) -> Sequence[Row]:
    """The rows; where scripts changed the numbers of nodes, as many as there are records taken for them in order."""
    if sample.is_unchanged or len(rows) != len(sample.spans):
        return rows
    return [Row(span, row.cells) for span, row in zip(sample.spans, rows, strict=True)]


def compare(rule: ListingRule, pairs: Iterable[tuple[Sample, Sequence[dict[str, str]], Sequence[Row]]]) -> Agreement:
    """The agreement of rows with what was mined: given are for each sample the values of its records, and the rows."""
    names = [field.name for field in rule.fields]
    same = either = right = all_cells = 0
    for sample, mined, rows in pairs:
        found = {row.span: row for row in _by_numbers(sample, rows)}
        same += len(found.keys() & set(sample.spans))
        either += len(found.keys() | set(sample.spans))
        for span, wanted in zip(sample.spans, mined, strict=True):
            read = _texts(found.get(span), names)
            all_cells += len(read.keys() | wanted.keys())
            right += sum(is_same(read.get(name), value) for name, value in wanted.items())
    return Agreement(same / max(1, either), right / max(1, all_cells))


def _texts(row: Row | None, names: Sequence[str]) -> dict[str, str]:
    cells = row.cells if row else ()
    return {name: cell.text for name, cell in zip(names, cells, strict=bool(cells)) if cell}


# MERGED wrapping/listings/choosing: Choosing: the wrapper that gives again what was mined, without a browser
LEAST_RECORDS = 0.5
"""Of the records of samples, those that must be found again."""
WORTH_RENDERING = 0.05
"""Of the values, those that must be read rightly only when rendered: a browser costs some hundred times as much."""


def choose_wrapper(
    wrappers: Sequence[Wrapper], samples: Sequence[Sample], measure: Callable[[Wrapper], Agreement]
) -> Wrapper:
    """The first of the wrappers that agree best with the samples, rendered where that helps; refused if none does."""
    best, agreed = _best(wrappers, measure)
    if agreed < Agreement(1, 1) and any(sample.region.document.kind != "static" for sample in samples):
        rendered, other = _best([_render(wrapper) for wrapper in wrappers], measure)
        if other.records > agreed.records or other.cells >= agreed.cells + WORTH_RENDERING:
            best, agreed = rendered, other
    if agreed.records < LEAST_RECORDS:
        raise InputError(
            f"{samples[0].region.document.url}: tags and class names do not tell the records from the rest of the page:"
            f" {agreed}; mine its pages instead"
        )
    return best


def _best(wrappers: Sequence[Wrapper], measure: Callable[[Wrapper], Agreement]) -> tuple[Wrapper, Agreement]:
    best, agreed = wrappers[0], measure(wrappers[0])
    for wrapper in wrappers[1:]:
        if agreed.records == 1:
            break
        other = measure(wrapper)
        if other > agreed:
            best, agreed = wrapper, other
    return best, agreed


def _render(wrapper: Wrapper) -> Wrapper:
    return replace(wrapper, source=replace(wrapper.source, render=True))


# MERGED wrapping/listings/unseen: What is unseen: parts of records that a browser does not show, and a plain
_IMAGES = frozenset("canvas img picture svg video".split())
MOST = 50
"""Signatures; more are a page whose parts have no names that last."""
_SMALLEST = 2
"""Pixels of a side; what is smaller is there for screen readers."""


def find_unseen(samples: Sequence[Sample], *, is_whole: bool) -> tuple[str, ...]:
    """The signatures, from the record inwards, of elements that are never seen in any record."""
    unseen: dict[str, None] = {}
    seen: set[str] = set()
    for sample in samples:
        if sample.region.document.layout is None:
            continue
        is_unseen = _unseen(sample.region.document)
        for first, stop in sample.spans:
            top = first if is_whole else sample.view.parents[first]
            for node, signature in _elements(sample.view, is_unseen, first + is_whole, stop, top):
                if is_unseen[node]:
                    unseen.setdefault(signature)
                else:
                    seen.add(signature)
    return tuple(signature for signature in unseen if signature not in seen)[:MOST]


def _elements(view: View, is_unseen: NDArray[np.bool_], node: int, stop: int, top: int) -> Iterator[tuple[int, str]]:
    """The elements of a record with their signatures, without those in unseen ones."""
    while node < stop:
        if view.unread[node] or view.tags[node] < 0:
            node = view.ends[node]
            continue
        path = view.path(node, top)
        if path:
            yield node, write_signature([path])
        node = view.ends[node] if is_unseen[node] else node + 1


def _unseen(document: Document) -> NDArray[np.bool_]:
    """For each node whether it has text and neither that nor an image in it is seen."""
    layout = document.layout
    if layout is None:
        return document.hidden
    x, y, width, height = layout.boxes.T
    with np.errstate(invalid="ignore"):
        is_off = (width < _SMALLEST) | (height < _SMALLEST) | (x + width <= 0) | (y + height <= 0)
    written = np.array([bool(text) and not text.isspace() for text in document.texts])
    is_seen = (written | document.has_tag(_IMAGES)) & ~document.hidden & ~is_off
    before = np.concatenate([[0], np.cumsum(is_seen)])
    all_before = np.concatenate([[0], np.cumsum(written)])
    nodes = np.arange(len(document))
    has_text = all_before[document.ends] > all_before[nodes]
    unseen: NDArray[np.bool_] = has_text & (before[document.ends] == before[nodes])
    return unseen


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
