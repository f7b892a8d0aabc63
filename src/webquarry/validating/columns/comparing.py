"""Values that look unlike the others of their column.

A value is compared with the others of its column, or of that in whose gap it stands (`gaps.py`), trait by trait
(`traits/`).  What hardly any other has, where most are alike, is a surprise (`surprise.py`), unless its whole record
has it (`whole_records.py`).  The surprises of one kind count each half as much as the one before; their sum is the
score, less what the type of the text says for it.  A look that several records share, as stripes and sale prices do,
is no surprise.  To be dropped, a value needs more than one odd trait, and more than an odd text: `sold out`, in the
look and the place of a price, is news.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Selection, Verdicts
from webquarry.validating.columns.gaps import find_rivals
from webquarry.validating.columns.surprise import surprise
from webquarry.validating.columns.traits import (
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
from webquarry.validating.columns.whole_records import find_records, set_aside
from webquarry.validating.reasons.describing import NOTABLE, describe_values
from webquarry.validating.selecting import part_verdicts
from webquarry.values import find_locale
from webquarry.values.columns import MISSING

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

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


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
    return part_verdicts(selections, scores, drops, reasons)


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
