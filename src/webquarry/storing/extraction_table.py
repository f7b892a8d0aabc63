"""Gather the extractions of a run in one table, nested as the sections are, or flat."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pyarrow as pa

from webquarry.model import section_columns as shaping
from webquarry.model.extraction import Extraction
from webquarry.model.page import Failure
from webquarry.model.region import Storable
from webquarry.model.table_columns import Column
from webquarry.model.wrapper import Wrapper
from webquarry.storing.results_table import fetch_times


def flatten(table: pa.Table) -> list[Column]:
    """The columns, those in another as `OUTER.INNER`."""

    while any(pa.types.is_struct(each) for each in table.schema.types):
        table = table.flatten()
    return [_flat(name, column) for name, column in zip(table.column_names, table.columns, strict=True)]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=date.isoformat)


def _flat(name: str, column: pa.ChunkedArray) -> Column:

    kinds = {pa.float64(): "number", pa.date32(): "date", pa.bool_(): "boolean"}
    values = column.to_pylist()
    if pa.types.is_list(column.type):
        values = [None if value is None else _json(value) for value in values]
    return Column(name, kinds.get(column.type, "text"), values)


class Extracted:
    """The records that a wrapper finds, in the columns that it says its pages have."""

    def __init__(self, wrapper: Wrapper) -> None:
        self.pages = self.records = 0
        self._wrapper = wrapper
        self._extractions: list[Extraction] = []
        self._fetched: list[tuple[datetime, int]] = []

    def add(self, result: Storable) -> None:
        """Add the records of a page."""
        if isinstance(result, Failure):
            return
        if not isinstance(result, Extraction):
            raise TypeError("regions go to a sink that was opened without a wrapper")
        self.pages += 1
        count = shaping.count_records(self._wrapper, result)
        if count:
            self.records += count
            self._extractions.append(result)
            self._fetched.append((datetime.now(UTC), count))

    def columns(self) -> list[Column]:
        """The table with dotted names, such as `geography.area.total`; lists as JSON."""
        return flatten(self.to_arrow())

    def to_arrow(self) -> pa.Table:
        """The table with sections in sections."""
        return shaping.to_arrow(self._wrapper, self._extractions)

    def fetched_column(self) -> Column:
        """For each record when it was had, in UTC."""
        return fetch_times(self._fetched)
