"""Reasons: what sets a value apart from the others, in words, the most telling differences first."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from webquarry.validating.columns.traits import Trait, to_codes
from webquarry.validating.reasons.phrases import describe

MOST_DIFFERENCES = 3
"""In one reason: who wants more has the page at hand."""
NOTABLE = 1.0
"""Nats: what says less is not told."""
_FOLLOWING = ("border", "outline")
"""What properties begin with that mostly go with others, as their colours do, or are not painted."""
_TELLING = ("font-size", "color", "background-color", "font-weight", "font-style", "text-decoration", "text-align")
"""Properties that a reader sees first."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


def describe_values(
    among: Sequence[Numbers], traits: Sequence[Trait], evidence: Floats, drops: NDArray[np.bool_]
) -> tuple[str, ...]:
    """For each value what tells it from the others; nothing where it is kept and nothing is notable.

    `evidence` has a row for each trait, and `among` for each trait the number by which values belong together.
    """
    reasons = [""] * len(drops)
    members = {id(groups): _by_group(groups) for groups in among}
    for value in np.flatnonzero((evidence >= NOTABLE).any(axis=0) | drops).tolist():
        first, *others = np.argsort(-evidence[:, value], kind="stable")[:MOST_DIFFERENCES].tolist()
        reasons[value] = _join(
            _compare(traits[row], value, members[id(among[row])][among[row][value]])
            for row in (first, *(row for row in others if evidence[row, value] >= NOTABLE))
        )
    return tuple(reasons)


def describe_styles(names: Sequence[str], rows: Sequence[Sequence[str]], counts: Numbers) -> tuple[str, ...]:
    """For each style, of so many nodes, what tells it most from the others; nothing where it is as most are.

    `rows` hold the values of the properties that `names` lists.  Rarer values come first.
    """
    found: list[list[tuple[bool, float, int, str]]] = [[] for _ in rows]
    total = int(counts.sum())
    for place, name in enumerate(names if rows else ()):
        values = [row[place] for row in rows]
        codes = to_codes(values)
        sizes = np.bincount(codes, weights=counts)
        usual = int(sizes.argmax())
        said = values[int((codes == usual).argmax())]
        for row in np.flatnonzero(codes != usual).tolist():
            difference = describe(name, values[row], said, float(sizes[usual] / (total - counts[row])))
            found[row].append((name.startswith(_FOLLOWING), float(sizes[codes[row]]), _rank(name), difference))
    return tuple(_join(difference for *_, difference in sorted(each)[:MOST_DIFFERENCES]) for each in found)


def _by_group(groups: Numbers) -> list[Numbers]:
    return np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups, minlength=1))[:-1])


def _rank(name: str) -> int:
    return _TELLING.index(name) if name in _TELLING else len(_TELLING)


def _join(differences: Iterable[str]) -> str:
    return "; ".join(differences)


def _compare(trait: Trait, value: int, members: Numbers) -> str:
    own, usual, sharing = _usual_number(trait, value, members) if trait.numbers else _usual(trait, value, members)
    return describe(trait.name, own, usual, sharing / (len(members) - 1))


def _usual(trait: Trait, value: int, members: Numbers) -> tuple[Hashable, Hashable, int]:
    """The own value, that of most others, and how many these are."""
    _, firsts, counts = np.unique(trait.codes[members], return_index=True, return_counts=True)
    usual = int(counts.argmax())
    return trait.values[value], trait.values[int(members[firsts[usual]])], int(counts[usual])


def _usual_number(trait: Trait, value: int, members: Numbers) -> tuple[float, float, int]:
    numbers = trait.numbers[0]
    others = numbers[members[members != value]]
    middle = float(np.median(others))
    return float(numbers[value]), middle, int((np.abs(others - middle) <= (trait.tolerance or 0)).sum())
