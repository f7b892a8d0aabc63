"""Agreement: how far rules give again what was mined on the samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.model import Wrapper
from webquarry.wrapping.listings.cells import is_same
from webquarry.wrapping.listings.finding import find_records
from webquarry.wrapping.listings.reading import Row, fill_rows, listing_of
from webquarry.wrapping.listings.samples import Column, Sample
from webquarry.wrapping.listings.views import View


@dataclass(frozen=True, order=True)
class Agreement:
    """Shares from 0 to 1."""

    records: float
    """Of the records that were mined or found, those that are the same."""
    cells: float
    """Of the values of the records that were mined, and those found in them, the ones that are the same."""

    def __str__(self) -> str:
        return f"{self.records:.0%} of the records and {self.cells:.0%} of the values are as mined"


def measure(wrapper: Wrapper, samples: Sequence[Sample], columns: Sequence[Column]) -> Agreement:
    """The agreement of a wrapper with its samples: on plain documents, or on rendered ones if it asks for them."""
    rule = listing_of(wrapper)
    names = [field.name for field in rule.fields]
    same = either = right = all_cells = 0
    for number, sample in enumerate(samples):
        view = View(sample.region.document if wrapper.source.render else sample.view.document)
        rows = fill_rows(rule, view, find_records(rule, view), wrapper.ignored)
        by_first = {row.span: row for row in rows}
        mined = set(sample.spans)
        same += len(mined & by_first.keys())
        either += len(mined | by_first.keys())
        for record, span in enumerate(sample.spans):
            read = _texts(by_first.get(span), names)
            wanted = {each.name: each.cells[number, record][1] for each in columns if (number, record) in each.cells}
            all_cells += len(read.keys() | wanted.keys())
            right += sum(is_same(read.get(name), value) for name, value in wanted.items())
    return Agreement(same / max(1, either), right / max(1, all_cells))


def _texts(row: Row | None, names: Sequence[str]) -> dict[str, str]:
    cells = row.cells if row else ()
    return {name: cell.text for name, cell in zip(names, cells, strict=bool(cells)) if cell}
