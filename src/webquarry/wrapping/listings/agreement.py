"""Agreement: how far rules give again what was mined on the samples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webquarry.model import Document, ListingRule, Wrapper
from webquarry.wrapping.listings.cells import is_same
from webquarry.wrapping.listings.reading import Row, listing_of, read_rows
from webquarry.wrapping.listings.samples import Column, Sample


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
        document = tried_on(wrapper, sample)
        rows = [] if document is None else read_rows(rule, document, wrapper.ignored)
        wanted = [
            {each.name: each.cells[number, record][1] for each in columns if (number, record) in each.cells}
            for record in range(len(sample.spans))
        ]
        pairs.append((sample, wanted, rows))
    return compare(rule, pairs)


def tried_on(wrapper: Wrapper, sample: Sample) -> Document | None:
    """The document of a sample that a wrapper would be used on; None when nobody knows how it was without scripts."""
    return sample.region.document if wrapper.source.render else sample.static


def _by_numbers(sample: Sample, rows: Sequence[Row]) -> Sequence[Row]:
    """The rows; where scripts changed the numbers of nodes, as many as there are records taken for them in order."""
    if sample.is_unchanged or len(rows) != len(sample.spans):
        return rows
    return [Row(span, row.cells) for span, row in zip(sample.spans, rows, strict=True)]


def compare(rule: ListingRule, pairs: Iterable[tuple[Sample, Sequence[dict[str, str]], Sequence[Row]]]) -> Agreement:
    """The agreement of rows with what was mined: given are for each sample the values of its records, and the rows."""
    names = [field.name for field in rule.fields]
    same = either = right = all_cells = 0
    for sample, mined, rows in pairs:
        found = {row.span: row for row in _by_numbers(sample, rows)}
        same += len(found.keys() & set(sample.spans))
        either += len(found.keys() | set(sample.spans))
        for span, wanted in zip(sample.spans, mined, strict=True):
            read = _texts(found.get(span), names)
            all_cells += len(read.keys() | wanted.keys())
            right += sum(is_same(read.get(name), value) for name, value in wanted.items())
    return Agreement(same / max(1, either), right / max(1, all_cells))


def _texts(row: Row | None, names: Sequence[str]) -> dict[str, str]:
    cells = row.cells if row else ()
    return {name: cell.text for name, cell in zip(names, cells, strict=bool(cells)) if cell}
