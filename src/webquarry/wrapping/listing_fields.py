"""Fields: the rules by which the columns of samples are found again.

Each column has a few rules to choose from, which differ in how they tell its nodes from others of the same tags: by
their order, by a label, by their places among siblings.  The one that gives most of the mined values again is taken,
the simpler one of equals.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from webquarry.html.urls import IMAGE_ATTRIBUTES
from webquarry.model.wrapper import FieldRule
from webquarry.wrapping.listing_cells import (
    ADDRESSES,
    LIST,
    Cell,
    Found,
    Matcher,
    is_same,
    label_before,
    pick_cell,
    read_all,
)
from webquarry.wrapping.listing_samples import Column, Key, Owner, Sample, is_text
from webquarry.wrapping.listing_signatures import RUN, Path, read_signature, share_path, tags_of, write_signature

# MERGED wrapping/listings/alternatives: Alternatives: the few kinds of nodes that the values of a column sta
MOST_ALTERNATIVES = 4
"""Of a signature; cells that stand elsewhere are accidents."""


@dataclass
class Alternative:
    """Owners of values of one column, all of the same tags."""

    owners: dict[Key, Owner]
    path: Path
    """What tells them, as far as it is the same for all."""

    @property
    def is_attribute(self) -> bool:
        """Whether the values are attributes."""
        return any(owner.attribute for owner in self.owners.values())

    @property
    def names(self) -> int:
        """How many class names tell them."""
        return sum(len(step.classes) for step in self.path)


def find_alternatives(columns: Sequence[Column]) -> list[list[Alternative]]:
    """For each column its alternatives, the most frequent first."""
    found = []
    for column in columns:
        cover = [Alternative(group, _share(group)) for group in _cover(column)]
        found.append(cover + [Alternative(group, _share(group)) for group in _without_links(column, cover)])
    _settle([each for alternatives in found for each in alternatives])
    return found


def _share(group: dict[Key, Owner]) -> Path:
    return share_path([owner.path for owner in group.values()])


def _cover(column: Column) -> Iterator[dict[Key, Owner]]:
    """Owners of the same tags, for as many cells as can be with as few kinds of them."""
    left = {key: owners for key, owners in column.owners.items() if owners}
    for _ in range(MOST_ALTERNATIVES):
        kinds: dict[tuple[object, ...], dict[Key, Owner]] = defaultdict(dict)
        for key, owners in left.items():
            for owner in owners:
                kinds[_kind(owner)].setdefault(key, owner)
        if kinds:
            chosen = max(kinds.values(), key=_worth)
            left = {key: owners for key, owners in left.items() if key not in chosen}
            yield chosen


def _kind(owner: Owner) -> tuple[object, ...]:
    return tags_of(owner.path), tuple(step.place for step in owner.path)


def _worth(group: dict[Key, Owner]) -> tuple[int, bool, bool, int]:
    """How good a kind is: that of most cells, then elements before texts, and the innermost."""
    first = next(iter(group.values()))
    is_run = bool(first.path) and first.path[-1].tag == RUN
    return len(group), not is_text(first), not is_run, len(first.path)


def _without_links(column: Column, cover: Sequence[Alternative]) -> Iterator[dict[Key, Owner]]:
    """For texts that are links on all samples what holds the links: on some other page one is no link."""
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


def _settle(alternatives: Sequence[Alternative]) -> None:
    """Take from each alternative the class names by which it would claim what is of another column.

    Of two that name a node the one with more class names has it, as it should when they tell the columns apart.
    They may also be there by chance: in a column of few values, all values stand on one sample.
    """
    kinds: dict[tuple[object, ...], list[Alternative]] = defaultdict(list)
    for each in alternatives:
        kinds[tags_of(each.path), each.is_attribute].append(each)
    for group in kinds.values():
        is_settled = False
        while not is_settled:  # each round takes names away
            is_settled = True
            for one in group:
                for other in group:
                    if _steals(one, other):
                        one.path = share_path([one.path, other.path])
                        is_settled = False


def _steals(one: Alternative, other: Alternative) -> bool:
    return one.names > other.names and any(_fits(one.path, owner.path) for owner in other.owners.values())


def _fits(path: Path, whole: Path) -> bool:
    """Whether what a path says holds for the whole path of a node of the same tags."""
    return all(
        step.classes <= own.classes and step.place in (0, own.place) for step, own in zip(path, whole, strict=True)
    )


LABELLED = 0.8
"""Of the cells of a column, those that must have a label, for it to be the column's."""


COMMON = 0.5
"""Of the records of a sample, those that have a field which no page should lack."""


def learn_fields(columns: Sequence[Column], samples: Sequence[Sample], *, is_whole: bool) -> tuple[FieldRule, ...]:
    """For each column that can be found again its rule."""
    alternatives = find_alternatives(columns)
    drafts = [
        (column, draft)
        for column, found in zip(columns, alternatives, strict=True)
        if found
        for draft in _draft(column, found, samples)
    ]
    matcher = Matcher([draft for _, draft in drafts])
    found: dict[Key, Found] = {
        (number, record): matcher.find(sample.view, first, stop, is_whole=is_whole)
        for number, sample in enumerate(samples)
        for record, (first, stop) in enumerate(sample.spans)
    }
    best: dict[str, _Choice] = {}
    for number, (column, draft) in enumerate(drafts):
        for choice in _try(column, draft, number, found, samples):
            if column.name not in best or choice.right > best[column.name].right:
                best[column.name] = choice
    return tuple(best[column.name].rule for column in columns if column.name in best and best[column.name].hits)


@dataclass(frozen=True)
class _Choice:
    """A rule, and how many records it reads as they were mined, those without a value too."""

    rule: FieldRule
    right: int
    hits: int


def _draft(column: Column, alternatives: Sequence[Alternative], samples: Sequence[Sample]) -> Iterator[FieldRule]:
    """The rules to choose from, the simplest first."""
    owners = [owner for each in alternatives for owner in each.owners.values()]
    rule = FieldRule(
        column.name,
        column.type,
        write_signature(each.path for each in alternatives),
        attribute=_attributes(owners),
        is_optional=_is_optional(column, samples),
    )
    placed = replace(rule, signature=write_signature(_add_places(each, samples) for each in alternatives))
    headings = _headings(column, samples, owners)
    for draft in (rule, placed) if placed != rule else (rule,):
        yield draft
        yield from (replace(draft, heading=heading) for heading in headings)


def _is_optional(column: Column, samples: Sequence[Sample]) -> bool:
    filled = Counter(number for number, _ in column.cells)
    return any(filled[number] < COMMON * len(sample.spans) for number, sample in enumerate(samples))


def _attributes(owners: Sequence[Owner]) -> str:
    names = {owner.attribute for owner in owners}
    ordered = [name for name in IMAGE_ATTRIBUTES if name in names] + sorted(names.difference(IMAGE_ATTRIBUTES, [""]))
    return " ".join(ordered)


def _add_places(alternative: Alternative, samples: Sequence[Sample]) -> Path:
    """The path with places among siblings, where they are the same in all records."""
    paths = []
    for (number, _), owner in alternative.owners.items():
        view, top = samples[number].view, owner.node
        for _ in owner.path:
            top = view.parents[top]
        path = view.path(owner.node, top, placed=True)
        paths.append(path if path is not None and tags_of(path) == tags_of(owner.path) else owner.path)
    shared = zip(alternative.path, share_path(paths), strict=True)
    return tuple(replace(step, place=placed.place) for step, placed in shared)


def _headings(column: Column, samples: Sequence[Sample], owners: Sequence[Owner]) -> list[str]:
    """What may be the label of a column: in its texts, before them, or they themselves when they are all the same."""
    if column.type in ADDRESSES:
        return []
    inside = Counter(owner.label for owner in owners if owner.label)
    before = Counter(
        label_before(samples[number].view, node, samples[number].spans[record][0])
        for (number, record), (node, _) in column.cells.items()
    )
    fixed = Counter(value for _, value in column.cells.values())
    return [
        heading
        for counts in (inside, before, fixed)
        for heading, count in counts.most_common(1)
        if heading and count > 1 and count >= LABELLED * len(column.cells)
    ]


def _try(
    column: Column, draft: FieldRule, number: int, found: dict[Key, Found], samples: Sequence[Sample]
) -> Iterator[_Choice]:
    """The draft with the places that may be the column's, each with what it reads rightly."""
    said: dict[Key, list[list[Cell]]] = {}
    alternatives = range(len(read_signature(draft.signature)))
    for key, here in found.items():
        view, first = samples[key[0]].view, samples[key[0]].spans[key[1]][0]
        spans = [here.get((number, place), []) for place in alternatives]
        said[key] = [cells for each in spans if (cells := read_all(draft, each, view, first))]
    places = _places(column, said)
    rules = [replace(draft, place=place) for place in places]
    if column.type not in ADDRESSES and any(owner.is_part for owners in column.owners.values() for owner in owners):
        rules.append(replace(draft, type=LIST))
    for rule in rules:
        read = {key: _read(rule, groups) for key, groups in said.items()}
        hits = sum(is_same(read[key], value) for key, (_, value) in column.cells.items())
        right = hits + sum(value is None for key, value in read.items() if key not in column.cells)
        yield _Choice(rule, right, hits)


def _read(rule: FieldRule, groups: Sequence[Sequence[Cell]]) -> str | None:
    return next((cell.text for cells in groups if (cell := pick_cell(rule, cells))), None)


def _places(column: Column, said: dict[Key, list[list[Cell]]]) -> list[int]:
    """Where in the order of the nodes the values mostly are, from the start and from the end."""
    starts, stops = Counter[int](), Counter[int]()
    for key, (_, value) in column.cells.items():
        for cells in said[key]:
            for place, cell in enumerate(cells):
                if is_same(cell.text, value):
                    starts[place] += 1
                    stops[place - len(cells)] += 1
    return [place for counts in (starts, stops) for place, _ in counts.most_common(1)]
