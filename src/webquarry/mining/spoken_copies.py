"""Find texts that say a number twice: once as it is shown, and once more for screen readers."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Document
from webquarry.values.prices import is_money

_SILENT = "aria-hidden"
MAX_LENGTH = 60  # characters of what is shown
_OTHERS = re.compile(r"[\W_]+")
_CENTS = re.compile(r"\d[.,]\d\d(?!\d)")

Nodes = NDArray[np.int64]


def find_spoken_copies(document: Document, low: int, high: int, leaves: Nodes, records: Nodes) -> list[int]:
    """Find the places of leaves that repeat others, where screen readers skip what is shown and read what is beside it.

    A price is kept as it is shown, unless only the other has a mark before its cents; of a number what is said is kept,
    which tells what it counts or rates.
    Leaves are those of the nodes from `low` to before `high`.
    """
    if _SILENT not in document.attribute_names:
        return []
    inside = enumerate(document.attributes[low:high], low)
    silent = [node for node, own in inside if _SILENT in own and own[_SILENT] == "true"]
    if not silent:
        return []
    ends = document.ends
    starts = np.searchsorted(leaves, silent).tolist()
    stops = np.searchsorted(leaves, ends[silent]).tolist()
    found: set[int] = set()
    for node, start, stop in zip(silent, starts, stops, strict=True):
        shown = "".join(document.texts[leaf] for leaf in leaves[start:stop].tolist()).strip() if start < stop else ""
        if not shown or len(shown) > MAX_LENGTH:
            continue
        holder = document.parents.item(document.parents.item(node))
        for beside in (stop, start - 1):
            if not 0 <= beside < len(leaves) or records[beside] != records[start] or beside in found:
                continue
            said = document.texts[leaves[beside]].strip()
            if not holder < leaves[beside] < ends[holder] or not _say_same(shown, said):
                continue
            found.update(range(start, stop) if _says_more(shown, said) else [beside])
            break
    return sorted(found)


def _say_same(shown: str, said: str) -> bool:
    """Tell whether a text ends with the price that another is, or has the number that it is."""
    one, other = _OTHERS.sub("", shown).lower(), _OTHERS.sub("", said).lower()
    if one and other.endswith(one) and is_money(shown):
        return not (one[:1].isdigit() and other[: -len(one)][-1:].isdigit())
    return one.isdigit() and shown != said and shown in said.split()


def _says_more(shown: str, said: str) -> bool:
    return not is_money(shown) or (_CENTS.search(shown) is None and _CENTS.search(said) is not None)
