"""Settle which elements are the records of a list: outliers leave, siblings of the same family join."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.measures import MIN_LIKENESS, Floats
from webquarry.model.document import Document
from webquarry.page.landmarks import is_advertisement
from webquarry.page.leaves import Leaves

SURE_LIKENESS = 0.5  # likeness from which a record belongs to its group, whatever its class
FAMILY_SHARE = 0.8  # share of the sure records that have a class name, for it to mark the family
MIN_SIBLING_WEIGHT = 0.25  # of the median record, for a sibling to join

# A row of headings
MIN_RECORDS_BELOW = 2
MIN_HEADINGS = 2
MAX_HEADING_LENGTH = 30  # characters
MAX_LOOKS = 3  # of the records below: two of alternating rows, and one of a marked row

Spans = NDArray[np.int64]
"""First node and stop of each record, one row a record."""


def settle_members(document: Document, leaves: Leaves, spans: Spans, likeness: Floats) -> Spans:
    """Drop outliers and advertisements from a group, and add siblings of the same family.

    A group is found by what its records have in common; class names then complete a list that mixes kinds of records.
    A row of headings above the records is none of them.
    """
    return _without_headings(document, leaves, _settle(document, leaves, spans, likeness))


def _settle(document: Document, leaves: Leaves, spans: Spans, likeness: Floats) -> Spans:
    family = _find_family(document, spans[likeness >= SURE_LIKENESS])
    if not family or (document.ends[spans[:, 0]] != spans[:, 1]).any():
        return spans[likeness >= MIN_LIKENESS]
    named = np.array([_is_of_family(document, node, family) for node in spans[:, 0].tolist()])
    for place in np.flatnonzero(named & (likeness < SURE_LIKENESS)).tolist():
        named[place] = not is_advertisement(document, leaves, int(spans[place, 0]))
    kept = spans[np.where(named, likeness >= MIN_LIKENESS / 2, likeness >= SURE_LIKENESS)]
    judged = set(spans[:, 0].tolist())
    joining = [node for node in _family_siblings(document, leaves, kept, family) if node not in judged]
    if not joining:
        return kept
    both = np.concatenate([kept, np.array([(node, document.ends[node]) for node in joining])])
    return both[np.argsort(both[:, 0], kind="stable")]


def _find_family(document: Document, spans: Spans) -> frozenset[str]:
    """Find the class names that nearly all records have."""
    names = Counter(name for node in spans[:, 0].tolist() for name in _class_names(document, node))
    return frozenset(name for name, count in names.items() if count >= FAMILY_SHARE * len(spans))


def _class_names(document: Document, node: int) -> set[str]:
    return set(document.attributes[node].get("class", "").split())


def _is_of_family(document: Document, node: int, family: frozenset[str]) -> bool:
    return len(family & _class_names(document, node)) * 2 >= len(family)


def _family_siblings(document: Document, leaves: Leaves, spans: Spans, family: frozenset[str]) -> list[int]:
    """Find the elements of the family beside the records, the records included."""
    if not len(spans):
        return []
    least = MIN_SIBLING_WEIGHT * float(np.median(leaves.totals[spans[:, 0]]))
    siblings = np.flatnonzero(np.isin(document.parents, document.parents[spans[:, 0]]) & (leaves.totals > least))
    return [
        node
        for node in siblings.tolist()
        if _is_of_family(document, node, family) and not is_advertisement(document, leaves, node)
    ]


def _without_headings(document: Document, leaves: Leaves, spans: Spans) -> Spans:
    """Drop the first record if it is a row of headings: short fixed texts in cells that look unlike those below.

    Fails on headings that are links to sort by.
    """
    if len(spans) < MIN_RECORDS_BELOW + 1:
        return spans
    starts, stops = leaves.starts[spans].T
    counts = stops - starts
    head, below = leaves.nodes[starts[0] : stops[0]].tolist(), leaves.nodes[starts[1] : stops[1]].tolist()
    texts = [document.texts[node].strip() for node in head]
    is_head = (
        abs(int(counts[0]) - float(np.median(counts[1:]))) <= 1
        and len(texts) >= MIN_HEADINGS
        and all(0 < len(text) <= MAX_HEADING_LENGTH and not any(map(str.isdigit, text)) for text in texts)
        and any(any(map(str.isdigit, document.texts[node])) for node in below)
        and not _has_link(document, spans[0])
        and _sets_apart(document, spans)
    )
    return spans[1:] if is_head else spans


def _has_link(document: Document, span: NDArray[np.int64]) -> bool:
    return bool(document.has_tag(["a"], slice(*span.tolist())).any())


def _sets_apart(document: Document, spans: Spans) -> bool:
    """Tell whether the first record alone has its class, its tags, or the weight of its letters."""
    first, others = int(spans[0, 0]), spans[1:, 0].tolist()
    looks = [_look_of(document, node) for node in (first, *others)]
    return looks[0] not in looks[1:] and len(set(looks[1:])) <= MAX_LOOKS


def _look_of(document: Document, node: int) -> tuple[str, str, str]:
    inner = node + 1 if document.ends[node] > node + 1 else node
    weight = "" if document.layout is None else document.layout.style(inner, "font-weight")
    return document.attributes[node].get("class", ""), document.tag(inner), weight
