"""Summarise the columns of a validated table: how full they are, what they hold, and what is odd in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from webquarry.model.names import count
from webquarry.model.report import Verdicts
from webquarry.validating.column_outliers import find_records
from webquarry.validating.table_faults import MIN_SHARE_OF_TYPE, Cell, Table

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
    table = Table(selections, records)
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
    is_constant = distinct == 1 and len(texts) >= MIN_RECORDS_OF_CONSTANT
    said = ["All records have the same value, so the column says nothing about them."] * is_constant
    said += _find_mixture(cells)
    return ColumnSummary(
        name,
        filled=len({cell.record for cell in cells}),
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
