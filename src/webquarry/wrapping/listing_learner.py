"""Learn the wrapper of a listing from the regions that were mined on some of its pages.

Each column has a few candidate rules, which separate its nodes from others of the same tags by their order, by a label,
or by their places among siblings.  The rule that reads most of the mined values wins, the simpler one on a tie.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from webquarry.errors import InputError
from webquarry.html.urls import IMAGE_ATTRIBUTES
from webquarry.model.document import Document
from webquarry.model.region import Region
from webquarry.model.wrapper import FieldRule, ListingRule, Source, Wrapper
from webquarry.wrapping.field_signatures import (
    RUN,
    Matcher,
    Matches,
    PathStep,
    Record,
    Span,
    StepPath,
    View,
    is_plain,
    mark_unread,
    read_signature,
    share_path,
    tags_of,
    write_signature,
)
from webquarry.wrapping.field_values import ADDRESSES, IMAGES, LIST, Cell, pick_cells, whole_cell
from webquarry.wrapping.listing_reader import (
    Row,
    find_records,
    has_path,
    is_counted_sibling,
    is_same,
    is_similar,
    iterate_rows,
    label_before,
    listing_of,
    read_all,
)
from webquarry.wrapping.listing_samples import (
    Column,
    Owner,
    RegionSample,
    align_columns,
    is_text,
    make_samples,
    region_paths,
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
    records = [record for sample in samples for record in sample.records]
    ignored = find_unseen(samples)
    columns = _align(samples, ignored)
    fields = learn_fields(columns, samples)
    if not fields:
        raise InputError(f"{regions[0].document.url}: tags and class names identify no field of the records")
    named = replace(source, kind="records", samples=tuple(region.document.url for region in regions))
    span = 1 if records[0].is_whole else max(map(_count_siblings, records))
    record = write_signature(_record_paths(samples))
    wrappers = [
        Wrapper(named, ignored=ignored, listing=ListingRule(write_signature([region]), record, span, fields))
        for region in region_paths(samples)
    ]
    return choose_wrapper(wrappers, samples, columns, iterate_rows)


def check_listing(
    wrapper: Wrapper, regions: Sequence[Region], statics: Sequence[Document | None] | None = None
) -> Agreement:
    """Measure how well a wrapper reproduces the records and values that were mined."""
    samples = make_samples(regions, statics, MAX_RECORDS)
    return measure(wrapper, samples, _align(samples, wrapper.ignored), iterate_rows)


def _align(samples: Sequence[RegionSample], ignored: Sequence[str]) -> list[Column]:
    for sample in samples:
        mark_unread(ignored, sample.records)
    return align_columns(samples)


def _count_siblings(record: Record) -> int:
    """Count the siblings that a record spans."""
    node, stop = record.span
    count = 0
    while node < stop:
        count += is_counted_sibling(record.view, node)
        node = record.view.ends[node]
    return count


def _record_paths(samples: Sequence[RegionSample]) -> list[StepPath]:
    """List the paths from the region to the first nodes of records, the most frequent first."""
    groups: dict[tuple[str, ...], list[StepPath]] = defaultdict(list)
    for sample in samples:
        for record in sample.records:
            path = sample.view.path(record.first, sample.region.node)
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


ReadRows = Callable[[Wrapper, Document], Iterable[Row]]


def measure(wrapper: Wrapper, samples: Sequence[RegionSample], columns: Sequence[Column], read: ReadRows) -> Agreement:
    """Compare a wrapper with its samples: on static documents, or on rendered ones if it asks for them."""
    names = [field.name for field in listing_of(wrapper).fields]
    same = either = right = all_cells = 0
    for sample in samples:
        document = sample.region.document if wrapper.source.render else sample.static
        found = {} if document is None else _find_cells(sample, iter(read(wrapper, document)))
        mined = {record.span for record in sample.records}
        same += len(found.keys() & mined)
        either += len(found.keys() | mined)
        for record in sample.records:
            cells = found.get(record.span, ())
            texts = {name: cell.text for name, cell in zip(names, cells, strict=bool(cells)) if cell}
            wanted = {column.name: column.cells[record][1] for column in columns if record in column.cells}
            all_cells += len(texts.keys() | wanted.keys())
            right += sum(is_same(texts.get(name), value) for name, value in wanted.items())
    return Agreement(same / max(1, either), right / max(1, all_cells))


def _find_cells(sample: RegionSample, rows: Iterator[Row]) -> dict[Span, tuple[Cell | None, ...]]:
    """Find the cells of the records of a page, up to the last one that the sample has."""
    if not sample.is_unchanged:  # scripts changed the numbers of nodes
        found = list(rows)
        if len(found) == sample.total:
            return {record.span: row.cells for record, row in zip(sample.records, found, strict=False)}
        rows = iter(found)
    return {row.span: row.cells for row in takewhile(lambda row: row.span[0] < sample.stop, rows)}


def choose_wrapper(
    wrappers: Sequence[Wrapper], samples: Sequence[RegionSample], columns: Sequence[Column], read: ReadRows
) -> Wrapper:
    """Choose the first wrapper that agrees best with the samples, rendered if that helps; refuse if none does."""

    def find_best(wrappers: Sequence[Wrapper]) -> tuple[Wrapper, Agreement]:
        best, agreed = wrappers[0], measure(wrappers[0], samples, columns, read)
        for wrapper in wrappers[1:]:
            if agreed.records == 1:
                break
            other = measure(wrapper, samples, columns, read)
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
    rule = listing_of(wrapper)
    found = find_records(rule, View(document))
    kept = [record for record in found if record.span not in set(dropped)]
    paths, texts = list(read_signature(rule.excluded)), list(rule.excluded_texts)
    for record in (record for record in found if record.span in set(dropped)):
        if has_path(paths, record):
            continue
        telling = (path for path in _telling_paths(record) if not any(has_path([path], other) for other in kept))
        if (path := next(telling, None)) is None:
            texts.append(_find_telling_text(record, kept))
        else:
            paths.append(path)
    excluded = replace(rule, excluded=write_signature(paths), excluded_texts=tuple(dict.fromkeys(texts)))
    return replace(wrapper, listing=excluded)


def _find_telling_text(record: Record, kept: Sequence[Record]) -> str:
    """Find the first texts of an element that no record begins with, as few as possible."""
    view, others = record.view, [each.text for each in kept]
    for node in range(*record.span):
        text = view.text(record.first, view.ends[node]) if view.is_text[node] and not view.unread[node] else ""
        if text and not any(other.startswith(text) for other in others):
            return text
    raise InputError(
        f"{view.document.url}: neither markup nor text tells this element from the records; edit the wrapper file, or "
        "leave the record out of the results"
    )


def _telling_paths(record: Record) -> Iterator[StepPath]:
    """List what may tell an element from records: each class name of its own, then what is in it."""
    view, first = record.view, record.first
    top, tag = view.parents[first], view.name(first)
    for name in sorted(view.classes(first)) if is_plain(tag) else ():
        yield (PathStep(tag, frozenset([name])),)
    for node in range(*record.span):
        path = view.path(node, top) if view.tags[node] >= 0 else None
        if path:
            yield path


def find_unseen(samples: Sequence[RegionSample]) -> tuple[str, ...]:
    """Find the signatures, from the record inwards, of elements that a browser shows in no record."""
    unseen: dict[str, None] = {}
    seen: set[str] = set()
    for sample in samples:
        if sample.region.document.layout is None:
            continue
        is_unseen = _unseen(sample.region.document)
        for record in sample.records:
            for node, signature in _elements(record, is_unseen):
                if is_unseen[node]:
                    unseen.setdefault(signature)
                else:
                    seen.add(signature)
    return tuple(signature for signature in unseen if signature not in seen)


def _elements(record: Record, is_unseen: NDArray[np.bool_]) -> Iterator[tuple[int, str]]:
    """List the elements of a record with their signatures, without those inside unseen ones."""
    view, top, (first, stop) = record.view, record.top, record.span
    node = first + record.is_whole
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


MAX_ALTERNATIVES = 4
"""Alternatives of a signature; cells at other paths are accidents."""
MIN_SHARE_LABELLED = 0.8
"""Share of the cells of a column that must have a label, for it to be the column's."""
MIN_SHARE_FILLED = 0.5
"""Share of the records of a sample that have a field, for it not to be optional."""


def learn_fields(columns: Sequence[Column], samples: Sequence[RegionSample]) -> tuple[FieldRule, ...]:
    """Learn a rule for each column that can be found again."""
    alternatives = _find_alternatives(columns)
    drafts = [
        (column, draft)
        for column, found in zip(columns, alternatives, strict=True)
        if found
        for draft in _draft(column, found, samples)
    ]
    matcher = Matcher([draft for _, draft in drafts])
    found = {record: matcher.find(record) for sample in samples for record in sample.records}
    best: dict[str, _Choice] = {}
    for number, (column, draft) in enumerate(drafts):
        for choice in _try(column, draft, number, found):
            if column.name not in best or choice.right > best[column.name].right:
                best[column.name] = choice
    return tuple(best[column.name].rule for column in columns if column.name in best and best[column.name].hits)


@dataclass(frozen=True)
class _Choice:
    """A rule, how many records it reads as mined (missing values included), and how many mined values it reads.

    A value that differs in separators only counts half.
    """

    rule: FieldRule
    right: float
    hits: float


def _draft(column: Column, alternatives: Sequence[Alternative], samples: Sequence[RegionSample]) -> Iterator[FieldRule]:
    """List candidate rules, the simplest first."""
    filled = Counter(record.view for record in column.cells)
    owners = [owner for each in alternatives for owner in each.owners.values()]
    rule = FieldRule(
        column.name,
        column.type,
        write_signature(each.path for each in alternatives),
        attribute=_attributes(owners),
        is_optional=any(filled[sample.view] < MIN_SHARE_FILLED * len(sample.records) for sample in samples),
    )
    placed = replace(rule, signature=write_signature(_add_places(each) for each in alternatives))
    headings = _headings(column, owners)
    for draft in (rule, placed) if placed != rule else (rule,):
        yield draft
        yield from (replace(draft, heading=heading) for heading in headings)


def _attributes(owners: Sequence[Owner]) -> str:
    names = {name for owner in owners for name in owner.attribute.split()}
    ordered = [name for name in IMAGE_ATTRIBUTES if name in names] + sorted(names.difference(IMAGE_ATTRIBUTES))
    return " ".join(ordered)


def _add_places(alternative: Alternative) -> StepPath:
    """Add places among siblings to a path, where they are the same in all records."""
    paths = []
    for record, owner in alternative.owners.items():
        view, top = record.view, owner.node
        for _ in owner.path:
            top = view.parents[top]
        path = view.path(owner.node, top, placed=True)
        paths.append(path if path is not None and tags_of(path) == tags_of(owner.path) else owner.path)
    shared = zip(alternative.path, share_path(paths), strict=True)
    return tuple(replace(step, place=placed.place) for step, placed in shared)


def _headings(column: Column, owners: Sequence[Owner]) -> list[str]:
    """Find possible labels of a column: in its texts, before them, or the texts themselves if all are the same."""
    if column.type in ADDRESSES:
        return []
    inside = Counter(owner.label for owner in owners if owner.label)
    before = Counter(label_before(record, node) for record, (node, _) in column.cells.items())
    fixed = Counter(value for _, value in column.cells.values())
    return [
        heading
        for counts in (inside, before, fixed)
        for heading, count in counts.most_common(1)
        if heading and count > 1 and count >= MIN_SHARE_LABELLED * len(column.cells)
    ]


def _try(column: Column, draft: FieldRule, number: int, found: Mapping[Record, Matches]) -> Iterator[_Choice]:
    """Try a draft with likely places, and count what each reads as mined."""
    read_cells: dict[Record, list[list[Cell]]] = {}
    alternatives = range(len(read_signature(draft.signature)))
    for record, here in found.items():
        spans = [here.get((number, place), []) for place in alternatives]
        read_cells[record] = [cells for each in spans if (cells := read_all(draft, each, record))]
    places = _places(column, read_cells)
    rules = [replace(draft, place=place) for place in places]
    if column.type != "link" and any(owner.is_part for owners in column.owners.values() for owner in owners):
        rules.append(replace(draft, type=IMAGES if column.type == "image" else LIST))
    for rule in rules:
        read = {
            record: next((cell.text for cells in groups if (cell := whole_cell(rule, pick_cells(rule, cells)))), None)
            for record, groups in read_cells.items()
        }
        hits = sum(_agreement(read[record], value) for record, (_, value) in column.cells.items())
        right = hits + sum(value is None for record, value in read.items() if record not in column.cells)
        yield _Choice(rule, right, hits)


def _agreement(read: str | None, mined: str) -> float:
    return 1.0 if is_same(read, mined) else 0.5 if is_similar(read, mined) else 0.0


def _places(column: Column, read_cells: Mapping[Record, list[list[Cell]]]) -> list[int]:
    """Find the most frequent position of values among the nodes, from the start and from the end."""
    starts, stops = Counter[int](), Counter[int]()
    for record, (_, value) in column.cells.items():
        for cells in read_cells[record]:
            for place, cell in enumerate(cells):
                if is_similar(cell.text, value):
                    starts[place] += 1
                    stops[place - len(cells)] += 1
    return [place for counts in (starts, stops) for place, _ in counts.most_common(1)]


@dataclass
class Alternative:
    """Owners of values of one column, all with the same tags."""

    owners: dict[Record, Owner]
    path: StepPath
    """What they have in common."""

    @property
    def is_attribute(self) -> bool:
        """True if the values are attributes."""
        return any(owner.attribute for owner in self.owners.values())

    @property
    def class_count(self) -> int:
        """Class names on the path."""
        return sum(len(step.classes) for step in self.path)


def _find_alternatives(columns: Sequence[Column]) -> list[list[Alternative]]:
    """Find the alternatives of each column, the most frequent first."""
    found = []
    for column in columns:
        cover = [Alternative(group, _share(group)) for group in _cover(column)]
        found.append(cover + [Alternative(group, _share(group)) for group in _without_links(column, cover)])
    _settle_claims([each for alternatives in found for each in alternatives])
    return found


def _share(group: dict[Record, Owner]) -> StepPath:
    return share_path([owner.path for owner in group.values()])


def _cover(column: Column) -> Iterator[dict[Record, Owner]]:
    """Cover as many cells as possible with as few kinds of owners as possible, each kind with the same tags."""
    left = {key: owners for key, owners in column.owners.items() if owners}
    for _ in range(MAX_ALTERNATIVES):
        kinds: dict[tuple[object, ...], dict[Record, Owner]] = defaultdict(dict)
        for key, owners in left.items():
            for owner in owners:
                kinds[_kind(owner)].setdefault(key, owner)
        if kinds:
            chosen = max(kinds.values(), key=_worth)
            left = {key: owners for key, owners in left.items() if key not in chosen}
            yield chosen


def _kind(owner: Owner) -> tuple[object, ...]:
    return tags_of(owner.path), tuple(step.place for step in owner.path)


def _worth(group: dict[Record, Owner]) -> tuple[int, bool, bool, int]:
    """Rank a kind: by the number of cells, then elements before texts, then the innermost."""
    first = next(iter(group.values()))
    is_run = bool(first.path) and first.path[-1].tag == RUN
    return len(group), not is_text(first), not is_run, len(first.path)


def _without_links(column: Column, cover: Sequence[Alternative]) -> Iterator[dict[Record, Owner]]:
    """Find what is around texts that are links on all samples: on other pages some may not be links."""
    known = {_kind(owner) for each in cover for owner in each.owners.values()}
    for each in cover:
        if len(each.path) < 2 or each.path[-1].tag != "a" or each.is_attribute:
            continue
        outer = tags_of(each.path)[:-1]
        around = {
            key: owner
            for key in each.owners
            for owner in column.owners[key]
            if tags_of(owner.path) == outer and _kind(owner) not in known
        }
        if len(around) == len(each.owners):
            yield around


def _settle_claims(alternatives: Sequence[Alternative]) -> None:
    """Remove class names by which an alternative would claim nodes of another column.

    Of two that match a node, the one with more class names gets it.  That is right if these separate the columns, but
    they may be there by chance: in a sparse column, all values may be on one sample.
    """
    kinds: dict[tuple[object, ...], list[Alternative]] = defaultdict(list)
    for each in alternatives:
        kinds[tags_of(each.path), each.is_attribute].append(each)
    for group in kinds.values():
        is_settled = False
        while not is_settled:  # each round removes names
            is_settled = True
            for one in group:
                for other in group:
                    has_more = one.class_count > other.class_count
                    if has_more and any(_fits(one.path, owner.path) for owner in other.owners.values()):
                        one.path = share_path([one.path, other.path])
                        is_settled = False


def _fits(path: StepPath, whole: StepPath) -> bool:
    """Tell whether a path matches the full path of a node with the same tags."""
    return all(
        step.classes <= own.classes and step.place in (0, own.place) for step, own in zip(path, whole, strict=True)
    )
