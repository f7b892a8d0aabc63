"""Samples: mined regions with the plain documents that rules are tried on, and their columns side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from webquarry.errors import InputError
from webquarry.model import Document, Field, Region
from webquarry.model.naming import distinct
from webquarry.wrapping.listings.finding import Span
from webquarry.wrapping.listings.owners import Owner, Place, find_owners
from webquarry.wrapping.listings.signatures import share_path, tags_of
from webquarry.wrapping.listings.views import View

_PATH, _NAME, _CLASSES, _TYPE = 3, 2, 2, 1
_LEAST_AGREEMENT = 3
"""Of two columns that are one: the same place in the record, or the same name and type."""

Key = tuple[int, int]
"""A sample and a record of it, by number."""


@dataclass(frozen=True)
class Sample:
    """A region, and the documents that rules are learnt from and tried on."""

    region: Region
    static: Document | None
    """The page without a browser; None when scripts ran and nobody told how it was before."""
    view: View
    """Of the same, or where scripts changed the tree of the document with the region."""
    is_unchanged: bool
    """Whether nodes have the same numbers without a browser."""

    @property
    def spans(self) -> Sequence[Span]:
        """The records."""
        return self.region.spans

    def is_whole(self) -> bool:
        """Whether each record is one element."""
        return all(self.view.tags[first] >= 0 and self.view.ends[first] == stop for first, stop in self.spans)


@dataclass
class Column:
    """The cells of one field on all samples."""

    name: str
    types: Counter[str] = field(default_factory=Counter)
    cells: dict[Key, tuple[int, str]] = field(default_factory=dict)
    """The node and the value of each record that has one."""
    fields: dict[int, str] = field(default_factory=dict)
    """What each sample that has it calls it."""
    owners: dict[Key, list[Owner]] = field(default_factory=dict)

    @property
    def type(self) -> str:
        """That of most values."""
        return self.types.most_common(1)[0][0]

    @property
    def paths(self) -> Counter[tuple[tuple[str, ...], str]]:
        """Tags and attribute by which the innermost owners are found."""
        return Counter((tags_of(each[0].path), each[0].attribute) for each in self.owners.values() if each)


def make_samples(regions: Sequence[Region], statics: Sequence[Document | None] | None = None) -> list[Sample]:
    """The samples of regions; without documents of their own those of the same markup, unless scripts ran."""
    if not regions:
        raise InputError("no sample page has records to learn from")
    given = statics or [None] * len(regions)
    samples = [_make_sample(region, static) for region, static in zip(regions, given, strict=True)]
    empty = [sample.region.document.url for sample in samples if not sample.spans]
    if empty:
        raise InputError(f"{empty[0]}: no records to learn from")
    return samples


def _make_sample(region: Region, static: Document | None) -> Sample:
    document = region.document
    if static is None and document.kind == "static":
        static = document
    elif static is None and document.kind == "rendered":
        static = Document(document.markup, document.method, document.url)
    is_same = static is not None and _have_same_tree(static, document)
    return Sample(region, static, View(static if static is not None and is_same else document), is_same)


def _have_same_tree(one: Document, other: Document) -> bool:
    if len(one) != len(other):
        return False
    return bool((one.parents == other.parents).all() and (one.kinds == other.kinds).all())


def align_columns(samples: Sequence[Sample], *, is_whole: bool) -> list[Column]:
    """The columns of all samples; names are those of the first sample that has them."""
    columns: list[Column] = []
    for number, sample in enumerate(samples):
        drafts = [_draft(sample, number, each, is_whole=is_whole) for each in sample.region.columns]
        pairs = _match(columns, drafts)
        for place, draft in enumerate(drafts):
            known = pairs.get(place)
            if known is None:
                columns.append(draft)
                continue
            column = columns[known]
            column.types += draft.types
            column.cells |= draft.cells
            column.owners |= draft.owners
            column.fields |= draft.fields
    for column, name in zip(columns, distinct(column.name for column in columns), strict=True):
        column.name = name
    return columns


def _draft(sample: Sample, number: int, each: Field, *, is_whole: bool) -> Column:
    column = Column(each.name, fields={number: each.name})
    for record, (value, node) in enumerate(zip(each.values, each.nodes, strict=True)):
        if value is None or node is None:
            continue
        column.types[each.type] += 1
        column.cells[number, record] = node, value
        first = sample.spans[record][0]
        nodes = tuple(held for other in sample.region.columns if (held := other.nodes[record]) is not None)
        place = Place(first if is_whole else sample.view.parents[first], first, nodes)
        column.owners[number, record] = find_owners(sample.view, place, node, value, each.type)
    return column


def _match(known: Sequence[Column], drafts: Sequence[Column]) -> dict[int, int]:
    """For drafts the places of the columns that they go on with, the surest pairs first, and of equals in order."""
    pairs = sorted(
        (-agreement, abs(place - place_known), place, place_known)
        for place, draft in enumerate(drafts)
        for place_known, column in enumerate(known)
        if (agreement := _agreement(column, draft)) >= _LEAST_AGREEMENT
    )
    matched: dict[int, int] = {}
    for _, _, place, place_known in pairs:
        if place not in matched and place_known not in matched.values():
            matched[place] = place_known
    return matched


def _agreement(one: Column, other: Column) -> float:
    mine, theirs = (column.paths.most_common(1) for column in (one, other))
    agreement = float(_NAME * (one.name == other.name) + _TYPE * (one.type == other.type))
    if not mine or not theirs or mine[0][0] != theirs[0][0]:
        return agreement
    names, others = (_class_names(column, mine[0][0]) for column in (one, other))
    return agreement + _PATH + _CLASSES * len(names & others) / max(1, len(names | others))


def _class_names(column: Column, kind: tuple[tuple[str, ...], str]) -> set[tuple[int, str]]:
    """The class names that all innermost owners of one kind have, with the steps that have them."""
    paths = [each[0].path for each in column.owners.values() if each]
    shared = share_path([path for path in paths if tags_of(path) == kind[0]])
    return {(level, name) for level, step in enumerate(shared) for name in step.classes}
