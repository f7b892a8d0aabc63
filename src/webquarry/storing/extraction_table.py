"""Gather the extractions of a run in one table, nested as the sections are, or flat."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pyarrow as pa

from webquarry.model import section_columns
from webquarry.model.arrow_values import to_flat_columns
from webquarry.model.extraction import Extraction
from webquarry.model.page import Failure
from webquarry.model.table_columns import Column
from webquarry.model.wrapper import Wrapper
from webquarry.storing.results_table import repeat_times

if TYPE_CHECKING:
    from webquarry.model.region import Storable


class ExtractionTable:
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
            raise TypeError("regions need a sink that was opened without a wrapper")
        self.pages += 1
        count = section_columns.count_records(self._wrapper, result)
        if count:
            self.records += count
            self._extractions.append(result)
            self._fetched.append((datetime.now(UTC), count))

    def columns(self) -> list[Column]:
        """Make the table with dotted names, such as `geography.area.total`; lists become JSON."""
        table = self.to_arrow()
        while any(pa.types.is_struct(each) for each in table.schema.types):
            table = table.flatten()
        return to_flat_columns(table)

    def to_arrow(self) -> pa.Table:
        """Make the table with sections in sections."""
        return section_columns.to_arrow(self._wrapper, self._extractions)

    def fetched_column(self) -> Column:
        """Make the column that says when the page of each record was fetched, in UTC."""
        return repeat_times(self._fetched)
