"""Prepare mined regions as samples to learn a listing from: nodes of their values, columns aligned across pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile

from webquarry.errors import InputError
from webquarry.html.urls import IMAGE_ATTRIBUTES
from webquarry.model.document import Document
from webquarry.model.names import distinct
from webquarry.model.region import Region
from webquarry.model.table_columns import Field
from webquarry.wrapping.field_signatures import (
    HOLDER,
    MAX_STEPS,
    RUN,
    TEXT_NODE,
    PathStep,
    Record,
    StepPath,
    View,
    find_runs,
    is_name,
    is_plain,
    share_path,
    tags_of,
)
from webquarry.wrapping.field_values import COLONS
from webquarry.wrapping.listing_reader import is_same, is_similar

MAX_LENGTH_OF_LABEL = 42
"""Characters, with the colon."""
LOOKS = frozenset(["class", "id", "style", "width", "height"])
"""Attributes that are equal to a value by chance."""
_MAX_NODES_TRIED = 400_000
"""Nodes of a page, times paths that are tried on it: a second for each time that many."""
_MIN_PLACES = 8
"""Steps whose place is tried, however large the page."""
_LABEL = re.compile(rf"[^{COLONS}]{{1,40}}[{COLONS}]\s*")


@dataclass(frozen=True)
class Owner:
    """A node whose text or attribute is a mined value."""

    node: int
    path: StepPath
    attribute: str = ""
    label: str = ""
    """The text before the value in the node, without its colon."""
    is_part: bool = False
    """Whether the value is a list that the node starts."""


def find_owners(record: Record, node: int, value: str, kind: str, others: Sequence[int] = ()) -> list[Owner]:
    """Find the nodes of a record that have a value mined at a node, from the innermost outwards.

    `others` are the nodes of the other values of the record.
    """
    view, top = record.view, record.top
    if kind == "link":
        path = (PathStep(HOLDER),) if node < record.first else view.path(node, top)
        return [] if path is None else [Owner(node, path, "href")]
    if kind == "image":
        return list(_image(view, top, node, value))
    if view.tags[node] >= 0 and " ".join(view.attributes[node].get("alt", "").split()) == value:
        path = view.path(node, top)
        return [] if path is None else [Owner(node, path, "alt")]
    around = list(_outwards(record, node))
    near = list(takewhile(lambda each: len(view.text(each[0])) <= len(value) + MAX_LENGTH_OF_LABEL, around))
    found = [*_texts(view, near, value), *_runs(record, node, value, others)]
    found = found or [Owner(each, path) for each, path in near if is_similar(view.text(each), value)]
    return found or list(_attributes(view, around, value))


def _outwards(record: Record, node: int) -> Iterator[tuple[int, StepPath]]:
    """List a node and the elements around it in its record, with their paths."""
    view = record.view
    while node >= record.first:
        path = view.path(node, record.top)
        if path is not None:
            yield node, path
        node = view.parents[node]


def _image(view: View, top: int, node: int, value: str) -> Iterator[Owner]:
    """Find the element of an image, of several the first; their addresses are separated by spaces."""
    first, *others = value.split()
    for inner in range(node, view.ends[node]):
        path = view.path(inner, top) if view.tags[inner] >= 0 else None
        for name in IMAGE_ATTRIBUTES if path is not None else ():
            if name in view.attributes[inner] and view.address(inner, name) == first and path is not None:
                yield _seen_image(view, top, Owner(inner, path, name, is_part=bool(others)))
                return


def _seen_image(view: View, top: int, owner: Owner) -> Owner:
    """Name the visible element around an image: the sources of a picture are hidden."""
    node = owner.node
    while view.unread[node] and view.parents[node] > top:
        node = view.parents[node]
    path = view.path(node, top)
    if node == owner.node or path is None:
        return owner
    return replace(owner, node=node, path=path, attribute=f"{owner.attribute} src")


def _texts(view: View, near: Iterable[tuple[int, StepPath]], value: str) -> Iterator[Owner]:
    for node, path in near:
        text = view.text(node)
        if is_same(text, value):
            yield Owner(node, path)
        elif text.endswith(value) and _LABEL.fullmatch(text[: len(text) - len(value)]):
            yield Owner(node, path, label=text[: len(text) - len(value)].rstrip(COLONS + " "))
        elif value.startswith((f"{text}, ", f"{text}; ")):
            yield Owner(node, path, is_part=True)


def _attributes(view: View, around: Iterable[tuple[int, StepPath]], value: str) -> Iterator[Owner]:
    """Find elements with an attribute that says the value, such as `datetime` or `aria-label`."""
    for node, path in around:
        own = view.attributes[node]
        name = next((each for each in own if " ".join(own[each].split()) == value and each not in LOOKS), None)
        if name is not None:
            yield Owner(node, path, name)


def _runs(record: Record, node: int, value: str, others: Iterable[int]) -> Iterator[Owner]:
    """Find the run of text that a value is, where it is not a whole element; `node` is its first text or around it."""
    view, start = record.view, node
    while node > record.first and (view.is_text[node] or view.is_inline[view.tags[node]]):
        node = view.parents[node]
    path = view.path(node, record.top)
    if path is None:
        return
    others = [each for each in others if each != start]
    apart = {
        view.name(child) for child in view.children(node) if any(child <= each < view.ends[child] for each in others)
    }
    for first, stop in find_runs(view, node, apart - {TEXT_NODE}):
        if is_same(view.text(first, stop), value):
            yield Owner(first, (*path, PathStep(RUN)))


def is_text(owner: Owner) -> bool:
    """Tell whether an owner is a text or a run of text, not an element."""
    return bool(owner.path) and owner.path[-1].tag in (TEXT_NODE, RUN)


_PATH, _NAME, _CLASSES, _TYPE = 3, 2, 2, 1
"""Weights of what two columns have in common."""
_MIN_AGREEMENT = 3
"""Two columns are one with the same path in the record, or the same name and type."""


@dataclass(frozen=True)
class RegionSample:
    """A region, and the documents that rules are learnt from and tried on."""

    region: Region
    static: Document | None
    """The page without a browser; None if scripts ran and the original page is not given."""
    view: View
    """The static page, or the region's document if scripts changed the tree."""
    is_unchanged: bool
    """Whether nodes have the same numbers in both."""
    total: int
    """Records on the page; the region has the first ones, if there are very many."""
    stop: int
    """The node that the first record left out starts with, or the number after the last node."""

    is_whole: bool = False
    """Whether each record of all samples is one element."""

    @cached_property
    def records(self) -> list[Record]:
        """The records that rules are learnt from."""
        return [Record(self.view, span, self.is_whole) for span in self.region.spans]


@dataclass
class Column:
    """The cells of one field on all samples."""

    name: str
    types: Counter[str] = field(default_factory=Counter)
    cells: dict[Record, tuple[int, str]] = field(default_factory=dict)
    """The node and the value of each record that has one."""
    owners: dict[Record, list[Owner]] = field(default_factory=dict)
    heading: str = ""
    """For a table, its header text, and its number."""
    place: int = 0

    @property
    def type(self) -> str:
        """The type of most values."""
        return self.types.most_common(1)[0][0] if self.types else "text"

    def take(self, other: Column) -> None:
        """Take the cells that the same column has on another sample."""
        self.types += other.types
        self.cells |= other.cells
        self.owners |= other.owners

    @property
    def paths(self) -> Counter[tuple[tuple[str, ...], str]]:
        """Tags and attributes of the innermost owners."""
        return Counter((tags_of(each[0].path), each[0].attribute) for each in self.owners.values() if each)


def make_samples(
    regions: Sequence[Region], statics: Sequence[Document | None] | None = None, most: int | None = None
) -> list[RegionSample]:
    """Prepare regions, at most `most` records of each, with their static documents.

    These are by default those of the same markup, unless scripts ran.
    """
    if not regions:
        raise InputError("no sample page has records to learn from")
    given = statics or [None] * len(regions)
    samples = [_make_sample(region, static, most) for region, static in zip(regions, given, strict=True)]
    empty = [sample.region.document.url for sample in samples if not sample.region.spans]
    if empty:
        raise InputError(f"{empty[0]}: no records to learn from")
    are_whole = all(
        sample.view.tags[first] >= 0 and sample.view.ends[first] == stop
        for sample in samples
        for first, stop in sample.region.spans
    )
    return [replace(sample, is_whole=are_whole) for sample in samples]


def static_of(document: Document) -> Document | None:
    """Return a page without its layout; None if scripts ran, which changes its markup."""
    if document.kind == "rendered":
        return Document(
            document.markup, document.method, document.url, address=document.address, received=document.received
        )
    return document if document.kind == "static" else None


def _make_sample(region: Region, static: Document | None, most: int | None) -> RegionSample:
    document, total = region.document, len(region)
    stop = len(document)
    if most is not None and total > most:
        stop = region.spans[most][0]
        region = _keep_first(region, most)
    static = static or static_of(document)
    is_same = static is not None and _have_same_tree(static, document)
    view = View(static if static is not None and is_same else document)
    return RegionSample(region, static, view, is_same, total, stop)


def _keep_first(region: Region, most: int) -> Region:
    """Keep the first records of a region, and the fields that they have."""
    fields = (
        replace(
            each,
            values=each.values[:most],
            nodes=each.nodes[:most],
            typed=each.typed[:most],
            pointers=each.pointers[:most],
        )
        for each in region.fields
    )
    kept = tuple(each for each in fields if any(value is not None for value in each.values))
    return replace(region, spans=region.spans[:most], fields=kept)


def _have_same_tree(one: Document, other: Document) -> bool:
    if len(one) != len(other):
        return False
    return bool((one.parents == other.parents).all() and (one.kinds == other.kinds).all())


def align_columns(samples: Sequence[RegionSample]) -> list[Column]:
    """Align the columns of all samples; names are those of the first sample that has them."""
    columns: list[Column] = []
    for sample in samples:
        drafts = [_draft(sample, each) for each in sample.region.columns]
        pairs = _match(columns, drafts)
        for place, draft in enumerate(drafts):
            if place in pairs:
                columns[pairs[place]].take(draft)
            else:
                columns.append(draft)
    return name_apart(columns)


def name_apart(columns: list[Column]) -> list[Column]:
    """Give no two columns one name."""
    for column, name in zip(columns, distinct(column.name for column in columns), strict=True):
        column.name = name
    return columns


def _draft(sample: RegionSample, each: Field) -> Column:
    column = Column(each.name)
    for place, (record, value, node) in enumerate(zip(sample.records, each.values, each.nodes, strict=True)):
        if value is None or node is None:
            continue
        column.types[each.type] += 1
        column.cells[record] = node, value
        others = [held for other in sample.region.columns if (held := other.nodes[place]) is not None]
        column.owners[record] = find_owners(record, node, value, each.type, others)
    return column


def _match(known: Sequence[Column], drafts: Sequence[Column]) -> dict[int, int]:
    """Match drafts to known columns by number, the best agreement first, then the nearest."""
    pairs = sorted(
        (-agreement, abs(place - place_known), place, place_known)
        for place, draft in enumerate(drafts)
        for place_known, column in enumerate(known)
        if (agreement := _agreement(column, draft)) >= _MIN_AGREEMENT
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
    """Find the class names that all innermost owners of one kind share, with the numbers of their steps."""
    paths = [each[0].path for each in column.owners.values() if each]
    shared = share_path([path for path in paths if tags_of(path) == kind[0]])
    return {(level, name) for level, step in enumerate(shared) for name in step.classes}


def region_paths(samples: Sequence[RegionSample]) -> list[StepPath]:
    """List paths from the body to the region that the samples share, the simplest first.

    They have no places among siblings, then one, from the inside outwards, then all: a place may shift between pages,
    so the fewer the better.
    """
    plain = _share_inner([_full_path(sample, placed=False) for sample in samples])
    placed = _share_inner([_full_path(sample, placed=True) for sample in samples])
    lone = [(*plain[:at], placed[at], *plain[at + 1 :]) for at in reversed(range(len(plain))) if placed[at].place]
    most = max(_MIN_PLACES, _MAX_NODES_TRIED // max(len(sample.view.tags) for sample in samples))
    return [plain, *lone[:most], placed]


def _full_path(sample: RegionSample, *, placed: bool) -> StepPath:
    view, node = sample.view, sample.region.node
    steps: list[PathStep] = []
    while node > 0 and len(steps) < MAX_STEPS and is_plain(view.name(node)):
        name = view.attributes[node].get("id", "")
        place = view.place(node) if placed else 0
        steps.append(PathStep(view.name(node), view.classes(node), name if is_name(name) else "", place))
        node = view.parents[node]
    return tuple(reversed([step for step in steps if step.tag != "html"]))


def _share_inner(paths: Sequence[StepPath]) -> StepPath:
    """Keep what paths share from their end outwards."""
    length = min(map(len, paths))
    while length > 1 and len({tags_of(path[-length:]) for path in paths}) > 1:
        length -= 1
    tags = Counter(tags_of(path[-length:]) for path in paths).most_common(1)[0][0]
    return share_path([path[-length:] for path in paths if tags_of(path[-length:]) == tags])
