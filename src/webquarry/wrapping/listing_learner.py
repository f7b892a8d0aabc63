"""Learn the wrapper of a listing from the regions that were mined on some of its pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.wrapper import ListingRule, Source, Wrapper
from webquarry.wrapping.listing_fields import learn_fields
from webquarry.wrapping.listing_reader import (
    Cell,
    Row,
    find_records,
    has_path,
    is_counted_sibling,
    is_same,
    iterate_rows,
    listing_of,
)
from webquarry.wrapping.listing_samples import Column, RegionSample, align_columns, make_samples, region_paths
from webquarry.wrapping.listing_signatures import (
    Path,
    Span,
    Step,
    View,
    is_plain,
    mark_unread,
    read_signature,
    share_path,
    tags_of,
    write_signature,
)

MIN_SHARE_OF_RECORDS = 0.5
"""Share of the samples' records that a wrapper must find again."""
MAX_RECORDS = 1000
"""Records of a sample to learn from: more say nothing new, and no page of any corpus has as many."""
MIN_GAIN_BY_RENDERING = 0.05
"""Share of the values that are read correctly only when rendered: a browser costs some hundred times as much."""
MIN_SEEN_SIDE = 2
"""Pixels; smaller elements are there for screen readers."""
_IMAGES = frozenset("canvas img picture svg video".split())


def learn_listing(
    regions: Sequence[Region], source: Source, *, statics: Sequence[Document | None] | None = None
) -> Wrapper:
    """Learn to read the listing that the regions are part of, the best region of each sample page.

    Rules are tried on the samples' static documents: `statics` if given, else made of the same markup.  If these do not
    reproduce what was mined and rendered documents do, the wrapper says `render`; so it does if scripts ran and no
    static document is given.  `check_listing` measures the agreement.
    """
    samples = make_samples(regions, statics, MAX_RECORDS)
    whole = all(sample.is_whole() for sample in samples)
    ignored = find_unseen(samples, is_whole=whole)
    columns = _align(samples, ignored, is_whole=whole)
    fields = learn_fields(columns, samples, is_whole=whole)
    if not fields:
        raise InputError(f"{regions[0].document.url}: tags and class names identify no field of the records")
    named = replace(source, kind="records", samples=tuple(region.document.url for region in regions))
    span = 1 if whole else max(_size(sample.view, each) for sample in samples for each in sample.spans)
    record = write_signature(_record_paths(samples))
    wrappers = [
        Wrapper(named, ignored=ignored, listing=ListingRule(write_signature([region]), record, span, fields))
        for region in region_paths(samples)
    ]
    return choose_wrapper(wrappers, samples, _mined_values(samples, columns), iterate_rows)


def check_listing(
    wrapper: Wrapper, regions: Sequence[Region], statics: Sequence[Document | None] | None = None
) -> Agreement:
    """Measure how well a wrapper reproduces the records and values that were mined."""
    samples = make_samples(regions, statics, MAX_RECORDS)
    whole = all(sample.is_whole() for sample in samples)
    columns = _align(samples, wrapper.ignored, is_whole=whole)
    return measure(wrapper, samples, _mined_values(samples, columns), iterate_rows)


def _align(samples: Sequence[RegionSample], ignored: Sequence[str], *, is_whole: bool) -> list[Column]:
    for sample in samples:
        mark_unread(ignored, sample.view, sample.spans, is_whole=is_whole)
    return align_columns(samples, is_whole=is_whole)


def _mined_values(samples: Sequence[RegionSample], columns: Sequence[Column]) -> Mined:
    return [
        [
            {each.name: each.cells[number, record][1] for each in columns if (number, record) in each.cells}
            for record in range(len(sample.spans))
        ]
        for number, sample in enumerate(samples)
    ]


def _size(view: View, span: tuple[int, int]) -> int:
    """Count the siblings that a record spans."""
    node, stop = span
    count = 0
    while node < stop:
        count += is_counted_sibling(view, node)
        node = view.ends[node]
    return count


def _record_paths(samples: Sequence[RegionSample]) -> list[Path]:
    """List the paths from the region to the first nodes of records, the most frequent first."""
    groups: dict[tuple[str, ...], list[Path]] = defaultdict(list)
    for sample in samples:
        for first, _ in sample.spans:
            path = sample.view.path(first, sample.region.node)
            if path is not None:
                groups[tags_of(path)].append(tuple(replace(step, place=0) for step in path))
    return [share_path(group) for group in sorted(groups.values(), key=len, reverse=True)]


@dataclass(frozen=True, order=True)
class Agreement:
    """How well a wrapper reproduces what was mined, as shares from 0 to 1."""

    records: float
    """Share of the records mined or found that are the same."""
    cells: float
    """Share of the values mined, or found in mined records, that are the same."""

    def __str__(self) -> str:
        return f"{self.records:.0%} of the records and {self.cells:.0%} of the values are as mined"


Mined = Sequence[Sequence[dict[str, str]]]
"""The values of each sample's records, by column name."""
ReadRows = Callable[[Wrapper, Document], Iterable[Row]]


def measure(wrapper: Wrapper, samples: Sequence[RegionSample], mined: Mined, read: ReadRows) -> Agreement:
    """Compare a wrapper with its samples: on static documents, or on rendered ones if it asks for them."""
    names = [field.name for field in listing_of(wrapper).fields]
    same = either = right = all_cells = 0
    for sample, records in zip(samples, mined, strict=True):
        document = sample.region.document if wrapper.source.render else sample.static
        found = {} if document is None else _find_cells(sample, iter(read(wrapper, document)))
        same += len(found.keys() & set(sample.spans))
        either += len(found.keys() | set(sample.spans))
        for span, wanted in zip(sample.spans, records, strict=True):
            cells = found.get(span, ())
            texts = {name: cell.text for name, cell in zip(names, cells, strict=bool(cells)) if cell}
            all_cells += len(texts.keys() | wanted.keys())
            right += sum(is_same(texts.get(name), value) for name, value in wanted.items())
    return Agreement(same / max(1, either), right / max(1, all_cells))


def _find_cells(sample: RegionSample, rows: Iterator[Row]) -> dict[Span, tuple[Cell | None, ...]]:
    """Find the cells of the records of a page, up to the last one that the sample has."""
    if not sample.is_unchanged:  # scripts changed the numbers of nodes
        found = list(rows)
        if len(found) == sample.total:
            return {span: row.cells for span, row in zip(sample.spans, found, strict=False)}
        rows = iter(found)
    return {row.span: row.cells for row in takewhile(lambda row: row.span[0] < sample.stop, rows)}


def choose_wrapper(
    wrappers: Sequence[Wrapper], samples: Sequence[RegionSample], mined: Mined, read: ReadRows
) -> Wrapper:
    """Choose the first wrapper that agrees best with the samples, rendered if that helps; refuse if none does."""

    def find_best(wrappers: Sequence[Wrapper]) -> tuple[Wrapper, Agreement]:
        best, agreed = wrappers[0], measure(wrappers[0], samples, mined, read)
        for wrapper in wrappers[1:]:
            if agreed.records == 1:
                break
            other = measure(wrapper, samples, mined, read)
            if other > agreed:
                best, agreed = wrapper, other
        return best, agreed

    best, agreed = find_best(wrappers)
    if agreed < Agreement(1, 1) and any(sample.region.document.kind != "static" for sample in samples):
        rendering = [replace(wrapper, source=replace(wrapper.source, render=True)) for wrapper in wrappers]
        rendered, other = find_best(rendering)
        if other.records > agreed.records or other.cells >= agreed.cells + MIN_GAIN_BY_RENDERING:
            best, agreed = rendered, other
    if agreed.records < MIN_SHARE_OF_RECORDS:
        raise InputError(
            f"{samples[0].region.document.url}: tags and class names do not separate the records from the rest of the "
            f"page: {agreed}; mine its pages instead"
        )
    return best


def exclude_records(wrapper: Wrapper, document: Document, dropped: Sequence[Span]) -> Wrapper:
    """Make a wrapper leave out some elements of a page that it takes for records.

    A class name of their own identifies them, an element that no record has, or the text that they begin with.
    """
    view, rule = View(document), listing_of(wrapper)
    kept = [span for span in find_records(rule, view) if span not in set(dropped)]
    paths, texts = list(read_signature(rule.excluded)), list(rule.excluded_texts)
    for span in dropped:
        if has_path(paths, view, span):
            continue
        path = next((each for each in _telling_paths(view, span) if not _any_has(each, view, kept)), None)
        if path is None:
            texts.append(_find_telling_text(view, span, kept))
        else:
            paths.append(path)
    excluded = replace(rule, excluded=write_signature(paths), excluded_texts=tuple(dict.fromkeys(texts)))
    return replace(wrapper, listing=excluded)


def _find_telling_text(view: View, span: Span, kept: Sequence[Span]) -> str:
    """Find the first texts of an element that no record begins with, as few as possible."""
    others = [view.text(*each) for each in kept]
    for node in range(*span):
        text = view.text(span[0], view.ends[node]) if view.is_text[node] and not view.unread[node] else ""
        if text and not any(other.startswith(text) for other in others):
            return text
    raise InputError(
        f"{view.document.url}: neither markup nor text tells this element from the records; edit the wrapper file, or "
        "leave the record out of the results"
    )


def _any_has(path: Path, view: View, spans: Sequence[Span]) -> bool:
    return any(has_path([path], view, span) for span in spans)


def _telling_paths(view: View, span: Span) -> Iterator[Path]:
    """List what may tell an element from records: each class name of its own, then what is in it."""
    top = view.parents[span[0]]
    tag = view.name(span[0])
    for name in sorted(view.classes(span[0])) if is_plain(tag) else ():
        yield (Step(tag, frozenset([name])),)
    for node in range(*span):
        path = view.path(node, top) if view.tags[node] >= 0 else None
        if path:
            yield path


def find_unseen(samples: Sequence[RegionSample], *, is_whole: bool) -> tuple[str, ...]:
    """Find the signatures, from the record inwards, of elements that a browser shows in no record."""
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
    return tuple(signature for signature in unseen if signature not in seen)


def _elements(view: View, is_unseen: NDArray[np.bool_], node: int, stop: int, top: int) -> Iterator[tuple[int, str]]:
    """List the elements of a record with their signatures, without those inside unseen ones."""
    while node < stop:
        if view.unread[node] or view.tags[node] < 0:
            node = view.ends[node]
            continue
        path = view.path(node, top)
        if path:
            yield node, write_signature([path])
        node = view.ends[node] if is_unseen[node] else node + 1


def _unseen(document: Document) -> NDArray[np.bool_]:
    """Tell for each node whether it has text but neither a visible text nor a visible image."""
    layout = document.layout
    if layout is None:
        return document.hidden
    x, y, width, height = layout.boxes.T
    with np.errstate(invalid="ignore"):
        is_off = (width < MIN_SEEN_SIDE) | (height < MIN_SEEN_SIDE) | (x + width <= 0) | (y + height <= 0)
    written = np.array([bool(text) and not text.isspace() for text in document.texts])
    is_seen = (written | document.has_tag(_IMAGES)) & ~document.hidden & ~is_off
    before = np.concatenate([[0], np.cumsum(is_seen)])
    all_before = np.concatenate([[0], np.cumsum(written)])
    nodes = np.arange(len(document))
    has_text = all_before[document.ends] > all_before[nodes]
    unseen: NDArray[np.bool_] = has_text & (before[document.ends] == before[nodes])
    return unseen
