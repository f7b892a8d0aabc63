"""Who belongs to a group: strangers among its records leave, siblings of the same family join.

The group is found by what its records have in common; its members are then settled by what the page calls them, so
that a list of several types of records is whole, and an advertisement in it is none of them.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.leaves import Leaves
from webquarry.mining.records.advertisements import is_advertisement
from webquarry.mining.records.measures import STRANGE
from webquarry.model import Document

FAMILIAR = 0.5
"""Likeness from which a record is one, whatever it is called."""
MOST = 0.8
"""Share of the familiar records that have a class name, for it to be the family's."""
LEAST_WEIGHT = 0.25
"""Of the median record, for a sibling to join."""

Pairs = NDArray[np.int64]
"""First node and stop of each record, side by side."""


def settle_members(document: Document, leaves: Leaves, spans: Pairs, likeness: NDArray[np.float64]) -> Pairs:
    """The first nodes and stops of the records that belong together."""
    family = _family(document, spans[likeness >= FAMILIAR])
    if not family or (document.ends[spans[:, 0]] != spans[:, 1]).any():
        return spans[likeness >= STRANGE]
    named = np.array([_is_named(document, node, family) for node in spans[:, 0].tolist()])
    for place in np.flatnonzero(named & (likeness < FAMILIAR)).tolist():
        named[place] = not is_advertisement(document, leaves, int(spans[place, 0]))
    kept = spans[np.where(named, likeness >= STRANGE / 2, likeness >= FAMILIAR)]
    judged = set(spans[:, 0].tolist())
    joining = [node for node in _siblings(document, leaves, kept, family) if node not in judged]
    if not joining:
        return kept
    both = np.concatenate([kept, np.array([(node, document.ends[node]) for node in joining])])
    return both[np.argsort(both[:, 0], kind="stable")]


def _family(document: Document, spans: Pairs) -> frozenset[str]:
    names = Counter(name for node in spans[:, 0].tolist() for name in _class_names(document, node))
    return frozenset(name for name, count in names.items() if count >= MOST * len(spans))


def _class_names(document: Document, node: int) -> set[str]:
    return set(document.attributes[node].get("class", "").split())


def _is_named(document: Document, node: int, family: frozenset[str]) -> bool:
    return len(family & _class_names(document, node)) * 2 >= len(family)


def _siblings(document: Document, leaves: Leaves, spans: Pairs, family: frozenset[str]) -> list[int]:
    """Elements of the family beside the records, and the records themselves."""
    if not len(spans):
        return []
    least = LEAST_WEIGHT * float(np.median(leaves.totals[spans[:, 0]]))
    siblings = np.flatnonzero(np.isin(document.parents, document.parents[spans[:, 0]]) & (leaves.totals > least))
    return [
        node
        for node in siblings.tolist()
        if _is_named(document, node, family) and not is_advertisement(document, leaves, node)
    ]
