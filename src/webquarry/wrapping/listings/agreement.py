"""Agreement: how far rules give again what was mined on the samples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webquarry.errors import InputError
from webquarry.model import ListingRule, Wrapper
from webquarry.wrapping.listings.cells import is_same
from webquarry.wrapping.listings.finding import find_records
from webquarry.wrapping.listings.reading import Row, fill_rows, listing_of
from webquarry.wrapping.listings.samples import Column, Sample
from webquarry.wrapping.listings.views import View

LEAST_RECORDS = 0.5
"""Of the records of samples, those that must be found again."""


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
    pairs = []
    for number, sample in enumerate(samples):
        view = View(sample.region.document if wrapper.source.render else sample.view.document)
        rows = fill_rows(rule, view, find_records(rule, view), wrapper.ignored)
        wanted = [
            {each.name: each.cells[number, record][1] for each in columns if (number, record) in each.cells}
            for record in range(len(sample.spans))
        ]
        pairs.append((sample, wanted, rows))
    return compare(rule, pairs)


def compare(rule: ListingRule, pairs: Iterable[tuple[Sample, Sequence[dict[str, str]], Sequence[Row]]]) -> Agreement:
    """The agreement of rows with what was mined: given are for each sample the values of its records, and the rows."""
    names = [field.name for field in rule.fields]
    same = either = right = all_cells = 0
    for sample, mined, rows in pairs:
        found = {row.span: row for row in rows}
        same += len(found.keys() & set(sample.spans))
        either += len(found.keys() | set(sample.spans))
        for span, wanted in zip(sample.spans, mined, strict=True):
            read = _texts(found.get(span), names)
            all_cells += len(read.keys() | wanted.keys())
            right += sum(is_same(read.get(name), value) for name, value in wanted.items())
    return Agreement(same / max(1, either), right / max(1, all_cells))


def fail_below(agreed: Agreement, samples: Sequence[Sample]) -> None:
    """Refuse rules that do not find the records of their own samples."""
    if agreed.records < LEAST_RECORDS:
        raise InputError(
            f"{samples[0].region.document.url}: tags and class names do not tell the records from the rest of the page:"
            f" {agreed}; mine its pages instead"
        )


def _texts(row: Row | None, names: Sequence[str]) -> dict[str, str]:
    cells = row.cells if row else ()
    return {name: cell.text for name, cell in zip(names, cells, strict=bool(cells)) if cell}
