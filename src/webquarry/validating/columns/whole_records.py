"""What sets a whole record apart is not a value's: a record may be highlighted, or be a page of another make."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Selection

ENOUGH = 3
"""Values of a record of which most tell how the record looks."""

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


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
