"""Values that look unlike the others of their column.

A value is compared with the others of its column, or of that in whose gap it stands (`gaps.py`), trait by trait
(`traits/`).  What hardly any other has, where most are alike, is a surprise (`surprise.py`), unless its whole record
has it (`whole_records.py`).  The surprises of one kind count each half as much as the one before; their sum is the
score, less what the type of the text says for it.  A look that several records share, as stripes and sale prices do,
is no surprise.  To be dropped, a value needs more than one odd trait, and more than an odd text: `sold out`, in the
look and the place of a price, is news.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from webquarry.model.report import Selection, Verdicts
from webquarry.validating.reasons import NOTABLE, describe_values
from webquarry.validating.selections import split_verdicts
from webquarry.validating.traits import (
    KINDS,
    TEXT,
    TYPE,
    Trait,
    find_look_traits,
    find_path_traits,
    find_place_traits,
    find_text_traits,
    to_codes,
)
from webquarry.values.column_values import MISSING
from webquarry.values.locale import find_locale

# MERGED validating/columns/gaps: Values that stand where another column has a gap.
# MERGED
# MERGED What is no price is often given a column of its own, in which there is nothing to compare it with.
# MERGED lacks a price or the like that nearly all records have, and it stands in the place of that, it is co
# MERGED Among texts it may well be a field that only this record has.
FEWEST = 5
"""Records by which to tell which columns all have."""
NEARLY_ALL, HARDLY_ANY = 0.8, 0.1
"""Shares of the records."""
TYPED = frozenset(["number", "money", "date"])

Places = list[int]
"""Of the values of a record, in the selection."""


def find_rivals(selection: Selection, records: NDArray[np.int64], types: Sequence[Hashable]) -> tuple[str, ...]:
    """For each value the column whose values it is to be compared with: its own, or that in whose gap it stands.

    `types` are those of the texts.
    """
    columns = list(selection.columns)
    by_record = [[place for place, _ in each] for _, each in groupby(enumerate(records.tolist()), key=itemgetter(1))]
    if not columns or len(by_record) < FEWEST:
        return tuple(columns)
    counts = Counter(columns)
    usual = [name for name in counts if counts[name] >= NEARLY_ALL * len(by_record)]
    rare = {name for name in counts if counts[name] <= max(1, HARDLY_ANY * len(by_record))}
    order, typed = _usual_order(selection, by_record, usual), _find_typed(columns, types)
    for places in by_record:
        own = {columns[place]: place for place in places}
        for name in [name for name in own if name in rare]:
            gap = _find_gap(selection, own, name, order)
            if gap is not None and gap in typed:
                columns[own[name]] = gap
                own[gap] = own[name]
    return tuple(columns)


def _find_typed(columns: Sequence[str], types: Sequence[Hashable]) -> set[str]:
    """The columns of which nearly all values are amounts or dates."""
    counts = Counter(columns)
    pairs = Counter(zip(columns, types, strict=True)).items()
    return {name for (name, kind), count in pairs if kind in TYPED and count >= NEARLY_ALL * counts[name]}


def _usual_order(selection: Selection, by_record: list[Places], usual: list[str]) -> list[str]:
    """The usual columns as they follow each other on the page, in the first record that has the most of them."""
    fullest = max(by_record, key=lambda places: sum(selection.columns[place] in usual for place in places))
    nodes = {selection.columns[place]: int(selection.nodes[place]) for place in fullest}
    return sorted((name for name in usual if name in nodes), key=nodes.__getitem__)


def _find_gap(selection: Selection, own: dict[str, int], name: str, order: list[str]) -> str | None:
    """The usual column that a record lacks where it has a value of a rare one."""
    node = selection.nodes[own[name]]
    for place, column in enumerate(order):
        if column not in own:
            before, after = order[:place], order[place + 1 :]
            follows = all(selection.nodes[own[each]] <= node for each in before if each in own)
            precedes = all(selection.nodes[own[each]] >= node for each in after if each in own)
            if follows and precedes:
                return column
    return None


# MERGED validating/columns/surprise: How surprising each value of a column is, given the others of its colum
# MERGED
# MERGED A value that k of n others share has the share (k + 1/2) / (n + 1) of them; its surprise is the loga
# MERGED less what the values of the column are on the mean: where all differ, as titles do, none surprises.
# MERGED column surprise little, whatever they are.  All columns are worked on at once: `columns` has for eac
# MERGED of its column.
MOST = 4.0
"""Nats: as much as one trait can say.  One of 27 is as odd as one of a thousand, so no single trait of a value in a
long column, such as the colour of one price, says as much as several together."""
SEVERAL, COMMON = 2, 0.05
"""What so many others, and this share of the others, have too is no surprise: it is one of the looks of the column."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


def surprise(columns: Numbers, trait: Trait) -> Floats:
    """For each value, in nats from 0 to MOST, how much more it surprises than the others of its column."""
    if trait.tolerance is None:
        return _compare(columns, _count_equal(columns, trait.codes))
    nearness = [_compare(columns, _count_near(columns, each, trait.tolerance)) for each in trait.numbers]
    least: Floats = np.min(nearness, axis=0)
    return least


def _compare(columns: Numbers, sharing: Numbers) -> Floats:
    others = np.bincount(columns)[columns] - 1
    rarity = -np.log((sharing + 0.5) / (others + 1))
    typical = (np.bincount(columns, weights=rarity)[columns] - rarity) / np.maximum(others, 1)
    is_alone = (sharing < SEVERAL) | (sharing < COMMON * others)
    return np.where(is_alone & (others > 0), np.clip(rarity - typical, 0, MOST), 0)


def _count_equal(columns: Numbers, codes: Numbers) -> Numbers:
    """For each value how many others of its column are the same."""
    pairs = columns * (int(codes.max(initial=0)) + 1) + codes
    _, places, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    sharing: Numbers = counts[places] - 1
    return sharing


def _count_near(columns: Numbers, numbers: Floats, tolerance: float) -> Numbers:
    """For each value how many others of its column are no further from it."""
    near = np.zeros(len(columns), dtype=np.int64)
    order = np.lexsort((numbers, columns))
    bounds = np.flatnonzero(np.diff(columns[order], prepend=-1, append=-1))
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        members = order[start:stop]
        known = numbers[members]
        low, high = known - tolerance, known + tolerance
        near[members] = np.searchsorted(known, high, side="right") - np.searchsorted(known, low, side="left") - 1
    return near


# MERGED validating/columns/whole_records: What sets a whole record apart is not a value's: a record may be h
ENOUGH = 3
"""Values of a record of which most tell how the record looks."""


def find_records(selections: Iterable[Selection]) -> Numbers:
    """For each value the number of its record: a record ends where a column comes again, and with its page."""
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


def set_aside(records: Numbers, surprises: Floats) -> Floats:
    """The surprises of values without what half of the values of their record have too."""
    order = np.lexsort((surprises, records))
    starts = np.flatnonzero(np.diff(records[order], prepend=-1))
    sizes = np.diff(starts, append=len(records))
    medians = np.where(sizes >= ENOUGH, surprises[order[starts + (sizes - 1) // 2]], 0)
    rest: Floats = np.maximum(surprises - np.repeat(medians, sizes)[np.argsort(order)], 0)
    return rest


ODD = 5.0
"""Nats from which on a value is dropped: more than one trait can say.  On the records corpus, half to tune on, this
gives 2 false alarms in 1000 values."""
FEW = 5
"""Values of a column: of fewer no one can tell what is usual, unless they differ in everything."""
FITTING = {"number": 2.0, "money": 4.0, "date": 4.0}
"""Nats that the type of a value says for it when most others of its column have it too.  Of the texts beside the
records on the pages to tune on 11 % are numbers, as those of pagers, and less than 1 % are prices or dates."""
NOTHING = MISSING | {"NA", "na"}
"""Texts that say that there is no value: they are in their place, however they are set."""
_AGAIN = 0.5
"""What each further trait of a kind counts to the one before: they go together, as do size and weight of letters."""


def validate_columns(selections: Sequence[Selection], *, kinds: Collection[str] = KINDS) -> list[Verdicts]:
    """For each selection how odd its values are among those of the same column, on this page and on the others.

    Only traits of the given kinds count.
    """
    every = find_traits(selections)
    traits = [trait for trait in every if trait.kind in kinds]
    types = next(trait for trait in every if trait.name == TYPE)
    records = find_records(selections)
    columns = to_codes(_rivals(selections, records, types))
    pages = np.repeat(np.arange(len(selections)), [len(each) for each in selections])
    among = [pages if trait.is_of_page else columns for trait in traits]
    evidence = _weigh(among, records, traits)
    scores = np.maximum(evidence.sum(axis=0) - _fitting(columns, types) * (TEXT in kinds), 0)
    beside_texts = evidence[[trait.kind != TEXT for trait in traits]].sum(axis=0)
    drops = _decide([text for each in selections for text in each.texts], columns, scores, beside_texts)
    reasons = describe_values(among, traits, evidence, drops)
    return split_verdicts(selections, scores, drops, reasons)


def find_traits(selections: Sequence[Selection]) -> list[Trait]:
    """The traits of all values, one selection after the other."""
    texts = [text for each in selections for text in each.texts]
    locales = [
        locale for each in selections for locale in [find_locale(each.document.language, each.texts)] * len(each)
    ]
    pages = [(each.document, each.nodes) for each in selections]
    return [
        *find_text_traits(texts, locales),
        *find_look_traits(pages),
        *find_path_traits(pages),
        *find_place_traits(pages),
    ]


def _decide(texts: Sequence[str], columns: Numbers, scores: Floats, beside_texts: Floats) -> NDArray[np.bool_]:
    """For each value whether to drop it."""
    enough = np.where(np.bincount(columns, minlength=1)[columns] < FEW, 2 * ODD, ODD)
    says_something = np.array([text not in NOTHING for text in texts], dtype=np.bool_)
    return (scores >= enough) & (beside_texts >= NOTABLE) & says_something


def _rivals(selections: Sequence[Selection], records: Numbers, types: Trait) -> Iterator[str]:
    """For each value the name of the column that it is compared in."""
    start = 0
    for each in selections:
        stop = start + len(each)
        yield from find_rivals(each, records[start:stop], types.values[start:stop]) or ("",) * len(each)
        start = stop


def _weigh(among: Sequence[Numbers], records: Numbers, traits: Sequence[Trait]) -> Floats:
    """For each trait and value what it says against the value; the others are those with the same number of `among`."""
    evidence: Floats = np.zeros((len(traits), len(records)))
    for row, (others, trait) in enumerate(zip(among, traits, strict=True)):
        found = surprise(others, trait)
        evidence[row] = trait.weight * (found if trait.kind == TEXT else set_aside(records, found))
    for kind in dict.fromkeys(trait.kind for trait in traits):
        rows = [row for row, trait in enumerate(traits) if trait.kind == kind]
        ranks = np.argsort(np.argsort(-evidence[rows], axis=0, kind="stable"), axis=0)
        evidence[rows] *= _AGAIN**ranks
    return evidence


def _fitting(columns: Numbers, types: Trait) -> Floats:
    """What the type of each value says for it."""
    worth = np.array([FITTING.get(str(value), 0.0) for value in types.values])
    pairs = columns * (int(types.codes.max(initial=0)) + 1) + types.codes
    _, places, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    fitting: Floats = np.where(counts[places] * 2 > np.bincount(columns, minlength=1)[columns], worth, 0)
    return fitting
