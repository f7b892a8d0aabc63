"""Find values that look unlike the others of their column.

A value is compared with the others of its column, or of the column in whose gap it is, trait by trait (`traits.py`).
What hardly any other has, where most are alike, is a surprise, unless its whole record has it.  Each further surprise
of one kind counts half as much as the one before; their sum is the score, less what the type of the text says for it.
A look that several records share, such as stripes and sale prices, does not count.  To be dropped, a value needs more
than one odd trait, and more than an odd text: `sold out`, shown where and how a price is shown, is information.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from webquarry.model.report import Selection, Verdicts
from webquarry.model.wording import count
from webquarry.page.leaves import number_values
from webquarry.validating.selections import split_verdicts
from webquarry.validating.table_faults import MIN_SHARE_OF_TYPE, Cell, Table, find_faults, find_ranges
from webquarry.validating.traits import KINDS, NOTABLE, TEXT, TYPE, Trait, describe_values, find_traits, read_values
from webquarry.values.column_values import MISSING

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

MIN_SCORE = 5.0
"""Nats from which on a value is dropped: more than one trait can say.  On the records corpus, half to tune on, this
gives 2 false alarms in 1000 values."""
MIN_VALUES = 5
"""The number of values from which a column shows what is usual; in a shorter one a value needs twice the score."""
SCORE_FOR_TYPE = {"number": 2.0, "money": 4.0, "date": 4.0}
"""Nats that the type of a value says for it when most others of its column have it too.  Of the texts beside the
records on the pages to tune on 11 % are numbers, as those of pagers, and less than 1 % are prices or dates."""
NO_VALUE = MISSING | {"NA", "na"}
"""Texts for a missing value, which are never dropped, however they look."""
SCORE_OF_FAULT = 8.0
"""The score, in nats, of a value that no correct table has: more than that of most odd values."""
_WEIGHT_OF_NEXT = 0.5
"""The weight of each further trait of a kind, relative to the one before: such traits correlate, as size and weight."""


def validate_columns(selections: Sequence[Selection], *, kinds: Collection[str] = KINDS) -> list[Verdicts]:
    """Judge how odd the values of each selection are among those of the same column, on all its pages.

    Only traits of the given kinds count.
    """
    typed = read_values(selections)
    every = find_traits(selections, typed)
    traits = [trait for trait in every if trait.kind in kinds]
    types = next(trait for trait in every if trait.name == TYPE)
    records = find_records(selections)
    columns = number_values(_compared_columns(selections, records, types))
    pages = np.repeat(np.arange(len(selections)), [len(each) for each in selections])
    among = [pages if trait.is_of_page else columns for trait in traits]
    evidence = _weigh(among, records, traits)
    scores = np.maximum(evidence.sum(axis=0) - _score_for_types(columns, types) * (TEXT in kinds), 0)
    beside_texts = evidence[[trait.kind != TEXT for trait in traits]].sum(axis=0)
    needed = np.where(np.bincount(columns, minlength=1)[columns] < MIN_VALUES, 2 * MIN_SCORE, MIN_SCORE)
    has_value = np.array([text not in NO_VALUE for each in selections for text in each.texts], dtype=np.bool_)
    drops = (scores >= needed) & (beside_texts >= NOTABLE) & has_value
    reasons = list(describe_values(among, traits, evidence, drops))
    if set(kinds) != set(KINDS):
        return split_verdicts(selections, scores, drops, reasons)
    table = Table(selections, records, typed)
    for place in find_ranges(table):
        drops[place] = False
    for place, reason in find_faults(table).items():
        scores[place] = max(scores[place], SCORE_OF_FAULT)
        drops[place], reasons[place] = True, reason
    return split_verdicts(selections, scores, drops, reasons)


def _weigh(among: Sequence[Numbers], records: Numbers, traits: Sequence[Trait]) -> Floats:
    """Weigh for each trait and value what speaks against the value, among values with the same number in `among`."""
    evidence: Floats = np.zeros((len(traits), len(records)))
    for row, (others, trait) in enumerate(zip(among, traits, strict=True)):
        found = surprise(others, trait)
        evidence[row] = trait.weight * (found if trait.kind == TEXT else without_records(records, found))
    for kind in dict.fromkeys(trait.kind for trait in traits):
        rows = [row for row, trait in enumerate(traits) if trait.kind == kind]
        ranks = np.argsort(np.argsort(-evidence[rows], axis=0, kind="stable"), axis=0)
        evidence[rows] *= _WEIGHT_OF_NEXT**ranks
    return evidence


def _score_for_types(columns: Numbers, types: Trait) -> Floats:
    """Credit each value for having the usual type of its column."""
    worth = np.array([SCORE_FOR_TYPE.get(str(value), 0.0) for value in types.values])
    is_usual = (_count_equal(columns, types.codes) + 1) * 2 > np.bincount(columns, minlength=1)[columns]
    return np.where(is_usual, worth, 0)


MAX_SURPRISE = 4.0
"""Nats: as much as one trait can say.  One of 27 is as odd as one of a thousand, so no single trait of a value in a
long column, such as the colour of one price, says as much as several together."""
MIN_SHARING, MIN_SHARE_SHARING = 2, 0.05
"""A look that this number and this share of the others have does not surprise: the column has several looks."""


def surprise(columns: Numbers, trait: Trait) -> Floats:
    """Measure how much more each value surprises than the others of its column, in nats from 0 to MAX_SURPRISE.

    A value that k of n others share has the share (k + 1/2) / (n + 1) of them; its surprise is minus the logarithm of
    that, less the mean of the column: where all differ, as titles do, none surprises.  Values of a small column
    surprise little.  `columns` has for each value the number of its column.
    """
    if trait.tolerance is None:
        return _compare(columns, _count_equal(columns, trait.codes))
    nearness = [_compare(columns, _count_near(columns, each, trait.tolerance)) for each in trait.numbers]
    least: Floats = np.min(nearness, axis=0)
    return least


def _compare(columns: Numbers, sharing: Numbers) -> Floats:
    others = np.bincount(columns)[columns] - 1
    rarity = -np.log((sharing + 0.5) / (others + 1))
    typical = (np.bincount(columns, weights=rarity)[columns] - rarity) / np.maximum(others, 1)
    is_alone = (sharing < MIN_SHARING) | (sharing < MIN_SHARE_SHARING * others)
    return np.where(is_alone & (others > 0), np.clip(rarity - typical, 0, MAX_SURPRISE), 0)


def _count_equal(columns: Numbers, codes: Numbers) -> Numbers:
    """Count for each value the others of its column that are equal."""
    pairs = columns * (int(codes.max(initial=0)) + 1) + codes
    _, places, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    sharing: Numbers = counts[places] - 1
    return sharing


def _count_near(columns: Numbers, numbers: Floats, tolerance: float) -> Numbers:
    """Count for each value the others of its column that are within the tolerance."""
    near = np.zeros(len(columns), dtype=np.int64)
    order = np.lexsort((numbers, columns))
    bounds = np.flatnonzero(np.diff(columns[order], prepend=-1, append=-1))
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        members = order[start:stop]
        known = numbers[members]
        low, high = known - tolerance, known + tolerance
        near[members] = np.searchsorted(known, high, side="right") - np.searchsorted(known, low, side="left") - 1
    return near


MIN_VALUES_OF_RECORD = 3
"""Values whose majority tells how a record looks."""


def find_records(selections: Iterable[Selection]) -> Numbers:
    """Number the record of each value: a record ends where a column comes again, and with its page."""
    records: list[int] = []
    number = -1
    for selection in selections:
        seen: set[str] = set()
        number += 1
        for column in selection.columns or ("",) * len(selection):
            if column in seen:
                number += 1
                seen.clear()
            seen.add(column)
            records.append(number)
    return np.array(records, dtype=np.int64)


def without_records(records: Numbers, surprises: Floats) -> Floats:
    """Subtract from surprises what half of the values of the same record have too.

    A whole record may be highlighted, or be made differently; that is not the value's.
    """
    order = np.lexsort((surprises, records))
    starts = np.flatnonzero(np.diff(records[order], prepend=-1))
    sizes = np.diff(starts, append=len(records))
    medians = np.where(sizes >= MIN_VALUES_OF_RECORD, surprises[order[starts + (sizes - 1) // 2]], 0)
    rest: Floats = np.maximum(surprises - np.repeat(medians, sizes)[np.argsort(order)], 0)
    return rest


MIN_SHARE_OF_USUAL, MAX_SHARE_OF_RARE = 0.8, 0.1
"""Shares of the records that have a usual and a rare column."""
TYPED = frozenset(["number", "money", "date"])


def _compared_columns(selections: Sequence[Selection], records: Numbers, types: Trait) -> Iterator[str]:
    start = 0
    for each in selections:
        stop = start + len(each)
        yield from find_compared(each, records[start:stop], types.values[start:stop]) or ("",) * len(each)
        start = stop


def find_compared(selection: Selection, records: Numbers, types: Sequence[Hashable]) -> tuple[str, ...]:
    """Find for each value the column to compare it with: its own, or the one in whose gap it is.

    What is not a price is often given a column of its own, with nothing to compare it with.  When its record lacks a
    price or the like that nearly all records have, and it is in the place of that, it is compared with prices.  Among
    texts it may well be a field that only this record has.  `types` are those of the texts.
    """
    columns = list(selection.columns)
    by_record = [[place for place, _ in each] for _, each in groupby(enumerate(records.tolist()), key=itemgetter(1))]
    if not columns:
        return tuple(columns)
    counts = Counter(columns)
    usual = [name for name in counts if counts[name] >= MIN_SHARE_OF_USUAL * len(by_record)]
    rare = {name for name in counts if counts[name] <= max(1, MAX_SHARE_OF_RARE * len(by_record))}
    by_type = Counter(zip(columns, types, strict=True)).items()
    typed = {name for (name, kind), count in by_type if kind in TYPED and count >= MIN_SHARE_OF_USUAL * counts[name]}
    order = _usual_order(selection, by_record, usual)
    for places in by_record:
        own = {columns[place]: place for place in places}
        for name in [name for name in own if name in rare]:
            gap = _find_gap(selection, own, name, order)
            if gap is not None and gap in typed:
                columns[own[name]] = gap
                own[gap] = own[name]
    return tuple(columns)


def _usual_order(selection: Selection, by_record: list[list[int]], usual: list[str]) -> list[str]:
    """Order the usual columns as they are on the page, in the first record that has the most of them."""
    fullest = max(by_record, key=lambda places: sum(selection.columns[place] in usual for place in places))
    nodes = {selection.columns[place]: int(selection.nodes[place]) for place in fullest}
    return sorted((name for name in usual if name in nodes), key=nodes.__getitem__)


def _find_gap(selection: Selection, own: dict[str, int], name: str, order: list[str]) -> str | None:
    """Find the usual column that a record lacks where it has a value of a rare one."""
    node = selection.nodes[own[name]]
    for place, column in enumerate(order):
        if column not in own:
            follows = all(selection.nodes[own[each]] <= node for each in order[:place] if each in own)
            precedes = all(selection.nodes[own[each]] >= node for each in order[place + 1 :] if each in own)
            if follows and precedes:
                return column
    return None


EXAMPLES = 3
"""Values of a column that are shown, from its beginning, middle and end."""
REASONS = 3
"""Reasons of a column that are shown, the most frequent first."""
MIN_RECORDS_OF_CONSTANT = 3
"""Records from which on it is odd that all have the same value."""
MIN_SHARE_OF_SECOND = 0.2
"""The share of values from which a second type counts as a mixture, not as an exception."""
_PLAIN_NAMES = {"money": "price", "number": "number", "date": "date", "text": "text", "link": "address"}
_TYPE_NAMES = {"money": "price", "boolean": "yes or no", "link": "address"}


@dataclass(frozen=True)
class ColumnSummary:
    """A summary of a column of a table."""

    name: str
    filled: int
    """Records that have a value."""
    records: int
    """All records."""
    type: str
    """The type of most values, such as `price`; `mixed` if no type has most."""
    distinct: int
    shortest: str
    longest: str
    examples: tuple[str, ...]
    odd: tuple[str, ...]
    """Sentences about what is odd, and why."""


def summarise_columns(pages: Sequence[Verdicts]) -> list[ColumnSummary]:
    """Summarise the columns of some pages, in the order in which they first come; pages of texts have none."""
    judged = [page for page in pages if page.selection.columns]
    selections = [page.selection for page in judged]
    records = find_records(selections)
    table = Table(selections, records, read_values(selections))
    drops = [drop for page in judged for drop in page.drops.tolist()]
    reasons = [reason for page in judged for reason in page.reasons]
    number = len(set(records.tolist()))
    return [
        _summarise(name, [table.cells[place] for place in places], number, _find_odd(places, drops, reasons))
        for name, places in table.columns.items()
    ]


def _summarise(name: str, cells: Sequence[Cell], records: int, odd: Sequence[str]) -> ColumnSummary:
    texts = [cell.text for cell in cells]
    distinct = len(set(texts))
    filled = len({cell.record for cell in cells})
    is_constant = distinct == 1 and filled == records >= MIN_RECORDS_OF_CONSTANT
    said = ["All records have the same value, so the column says nothing about them."] * is_constant
    said += _find_mixture(cells)
    return ColumnSummary(
        name,
        filled=filled,
        records=records,
        type=_name_type(cells),
        distinct=distinct,
        shortest=min(texts, key=len),
        longest=max(texts, key=len),
        examples=tuple(_choose_examples(texts)),
        odd=(*odd, *said),
    )


def _name_type(cells: Iterable[Cell]) -> str:
    kinds = Counter(cell.kind for cell in cells)
    kind, number = kinds.most_common(1)[0]
    return _TYPE_NAMES.get(kind, kind) if number >= MIN_SHARE_OF_TYPE * kinds.total() else "mixed"


def _find_mixture(cells: Sequence[Cell]) -> list[str]:
    """Describe the types that a column mixes; numbers among words, as in product names, do not count."""
    kinds = Counter(cell.kind for cell in cells)
    common = [(kind, number) for kind, number in kinds.most_common(2) if number >= MIN_SHARE_OF_SECOND * len(cells)]
    if len(common) < 2 or {kind for kind, _ in common} == {"text", "number"}:
        return []
    listed = " and ".join(count(number, _PLAIN_NAMES.get(kind, f"{kind} value")) for kind, number in common)
    return [f"The column mixes {listed}, so it may be two columns."]


def _choose_examples(texts: Sequence[str]) -> Iterator[str]:
    """Choose distinct texts from the beginning, the middle and the end."""
    known = list(dict.fromkeys(texts))
    places = dict.fromkeys((0, len(known) // 2, len(known) - 1))
    yield from (known[place] for place in list(places)[:EXAMPLES])


def _find_odd(places: Iterable[int], drops: Sequence[bool], reasons: Sequence[str]) -> list[str]:
    """Count the reasons of what is dropped, the most frequent first."""
    counts = Counter(reasons[place] for place in places if drops[place])
    said = [f"{number:,} values: {reason}" if number > 1 else reason for reason, number in counts.most_common(REASONS)]
    return [*said, *[f"{len(counts) - REASONS:,} more."] * (len(counts) > REASONS)]
