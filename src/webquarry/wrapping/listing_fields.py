"""Learn the rules that find the columns of samples again.

Each column has a few candidate rules, which separate its nodes from others of the same tags by their order, by a label,
or by their places among siblings.  The rule that reads most of the mined values wins, the simpler one on a tie.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from webquarry.html.urls import IMAGE_ATTRIBUTES
from webquarry.model.wrapper import FieldRule
from webquarry.wrapping.listing_reader import (
    ADDRESSES,
    IMAGES,
    LIST,
    Cell,
    is_same,
    is_similar,
    label_before,
    pick_cell,
    read_all,
)
from webquarry.wrapping.listing_samples import Column, Owner, RecordKey, RegionSample, is_text
from webquarry.wrapping.listing_signatures import (
    RUN,
    Matcher,
    Matches,
    Path,
    read_signature,
    share_path,
    tags_of,
    write_signature,
)

MAX_ALTERNATIVES = 4
"""Alternatives of a signature; cells at other paths are accidents."""
MIN_SHARE_LABELLED = 0.8
"""Share of the cells of a column that must have a label, for it to be the column's."""
MIN_SHARE_FILLED = 0.5
"""Share of the records of a sample that have a field, for it not to be optional."""


def learn_fields(
    columns: Sequence[Column], samples: Sequence[RegionSample], *, is_whole: bool
) -> tuple[FieldRule, ...]:
    """Learn a rule for each column that can be found again."""
    alternatives = _find_alternatives(columns)
    drafts = [
        (column, draft)
        for column, found in zip(columns, alternatives, strict=True)
        if found
        for draft in _draft(column, found, samples)
    ]
    matcher = Matcher([draft for _, draft in drafts])
    found: dict[RecordKey, Matches] = {
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
    """A rule, how many records it reads as mined (missing values included), and how many mined values it reads.

    A value that differs in separators only counts half.
    """

    rule: FieldRule
    right: float
    hits: float


def _draft(column: Column, alternatives: Sequence[Alternative], samples: Sequence[RegionSample]) -> Iterator[FieldRule]:
    """List candidate rules, the simplest first."""
    filled = Counter(number for number, _ in column.cells)
    owners = [owner for each in alternatives for owner in each.owners.values()]
    rule = FieldRule(
        column.name,
        column.type,
        write_signature(each.path for each in alternatives),
        attribute=_attributes(owners),
        is_optional=any(filled[number] < MIN_SHARE_FILLED * len(sample.spans) for number, sample in enumerate(samples)),
    )
    placed = replace(rule, signature=write_signature(_add_places(each, samples) for each in alternatives))
    headings = _headings(column, samples, owners)
    for draft in (rule, placed) if placed != rule else (rule,):
        yield draft
        yield from (replace(draft, heading=heading) for heading in headings)


def _attributes(owners: Sequence[Owner]) -> str:
    names = {name for owner in owners for name in owner.attribute.split()}
    ordered = [name for name in IMAGE_ATTRIBUTES if name in names] + sorted(names.difference(IMAGE_ATTRIBUTES))
    return " ".join(ordered)


def _add_places(alternative: Alternative, samples: Sequence[RegionSample]) -> Path:
    """Add places among siblings to a path, where they are the same in all records."""
    paths = []
    for (number, _), owner in alternative.owners.items():
        view, top = samples[number].view, owner.node
        for _ in owner.path:
            top = view.parents[top]
        path = view.path(owner.node, top, placed=True)
        paths.append(path if path is not None and tags_of(path) == tags_of(owner.path) else owner.path)
    shared = zip(alternative.path, share_path(paths), strict=True)
    return tuple(replace(step, place=placed.place) for step, placed in shared)


def _headings(column: Column, samples: Sequence[RegionSample], owners: Sequence[Owner]) -> list[str]:
    """Find possible labels of a column: in its texts, before them, or the texts themselves if all are the same."""
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
        if heading and count > 1 and count >= MIN_SHARE_LABELLED * len(column.cells)
    ]


def _try(
    column: Column, draft: FieldRule, number: int, found: dict[RecordKey, Matches], samples: Sequence[RegionSample]
) -> Iterator[_Choice]:
    """Try a draft with likely places, and count what each reads as mined."""
    read_cells: dict[RecordKey, list[list[Cell]]] = {}
    alternatives = range(len(read_signature(draft.signature)))
    for key, here in found.items():
        view, first = samples[key[0]].view, samples[key[0]].spans[key[1]][0]
        spans = [here.get((number, place), []) for place in alternatives]
        read_cells[key] = [cells for each in spans if (cells := read_all(draft, each, view, first))]
    places = _places(column, read_cells)
    rules = [replace(draft, place=place) for place in places]
    if column.type != "link" and any(owner.is_part for owners in column.owners.values() for owner in owners):
        rules.append(replace(draft, type=IMAGES if column.type == "image" else LIST))
    for rule in rules:
        read = {
            key: next((cell.text for cells in groups if (cell := pick_cell(rule, cells))), None)
            for key, groups in read_cells.items()
        }
        hits = sum(_agreement(read[key], value) for key, (_, value) in column.cells.items())
        right = hits + sum(value is None for key, value in read.items() if key not in column.cells)
        yield _Choice(rule, right, hits)


def _agreement(read: str | None, mined: str) -> float:
    return 1.0 if is_same(read, mined) else 0.5 if is_similar(read, mined) else 0.0


def _places(column: Column, read_cells: dict[RecordKey, list[list[Cell]]]) -> list[int]:
    """Find the most frequent position of values among the nodes, from the start and from the end."""
    starts, stops = Counter[int](), Counter[int]()
    for key, (_, value) in column.cells.items():
        for cells in read_cells[key]:
            for place, cell in enumerate(cells):
                if is_similar(cell.text, value):
                    starts[place] += 1
                    stops[place - len(cells)] += 1
    return [place for counts in (starts, stops) for place, _ in counts.most_common(1)]


@dataclass
class Alternative:
    """Owners of values of one column, all with the same tags."""

    owners: dict[RecordKey, Owner]
    path: Path
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


def _share(group: dict[RecordKey, Owner]) -> Path:
    return share_path([owner.path for owner in group.values()])


def _cover(column: Column) -> Iterator[dict[RecordKey, Owner]]:
    """Cover as many cells as possible with as few kinds of owners as possible, each kind with the same tags."""
    left = {key: owners for key, owners in column.owners.items() if owners}
    for _ in range(MAX_ALTERNATIVES):
        kinds: dict[tuple[object, ...], dict[RecordKey, Owner]] = defaultdict(dict)
        for key, owners in left.items():
            for owner in owners:
                kinds[_kind(owner)].setdefault(key, owner)
        if kinds:
            chosen = max(kinds.values(), key=_worth)
            left = {key: owners for key, owners in left.items() if key not in chosen}
            yield chosen


def _kind(owner: Owner) -> tuple[object, ...]:
    return tags_of(owner.path), tuple(step.place for step in owner.path)


def _worth(group: dict[RecordKey, Owner]) -> tuple[int, bool, bool, int]:
    """Rank a kind: by the number of cells, then elements before texts, then the innermost."""
    first = next(iter(group.values()))
    is_run = bool(first.path) and first.path[-1].tag == RUN
    return len(group), not is_text(first), not is_run, len(first.path)


def _without_links(column: Column, cover: Sequence[Alternative]) -> Iterator[dict[RecordKey, Owner]]:
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


def _fits(path: Path, whole: Path) -> bool:
    """Tell whether a path matches the full path of a node with the same tags."""
    return all(
        step.classes <= own.classes and step.place in (0, own.place) for step, own in zip(path, whole, strict=True)
    )
