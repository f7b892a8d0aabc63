"""Regions with their records and columns: the result of mining."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from webquarry.errors import InputError
from webquarry.model.document import Box, Document
from webquarry.model.nouns import ROWS_SHOWN, Deferred, html_table, value_to_dict
from webquarry.model.page import Failure
from webquarry.model.table_columns import Field, name_fields_apart, nest_data, to_arrow, to_columns
from webquarry.model.wording import count, suggest

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from webquarry.model.article import Article
    from webquarry.model.extraction import Extraction
    from webquarry.values.text_value import Value

NAMES_SHOWN = 8
"""In the `repr` of a region."""


@dataclass(frozen=True)
class Record:
    """One record of a region, as plain values."""

    text: str
    node: int
    """The first node of the record; most records are this one element."""
    stop: int
    """The number after the last node; a record may be several siblings."""
    box: Box | None
    values: dict[str, str]
    nodes: dict[str, int]
    typed: dict[str, Value]
    pointers: dict[str, str] = field(default_factory=dict)
    """Of values that are stated in JSON, their JSON pointers in the text of the node."""

    def address(self, name: str, xpath: str) -> str:
        """Write where a value is, given the XPath of its node: behind `#` its JSON pointer, if it has one."""
        return f"{xpath}#{self.pointers[name]}" if name in self.pointers else xpath

    def _repr_html_(self) -> str:
        return html_table(
            ("field", "value"), self.values.items(), f"a record of {len(self.values)} fields", (False, True)
        )


@dataclass(frozen=True)
class Region:
    """Similar records of a page, aligned in columns; or a table.

    A record is a run of nodes in document order: an element, or several siblings.  `region["price"]` gives the values
    of a column, `region[0]` a record.
    """

    document: Document = field(repr=False)
    node: int
    """The innermost element that holds all records."""
    spans: tuple[tuple[int, int], ...] = field(repr=False)
    """For each record its first node and the number after its last."""
    kind: str
    """`records` or `table`."""
    method: str
    role: str
    """`main`, `side` or `menu`."""
    score: float
    fields: Deferred[tuple[Field, ...]] = Deferred()  # noqa: RUF009 - a descriptor is one for all
    """The columns, which may be given as a function that is called on first use."""
    reasons: Deferred[tuple[str, ...]] = Deferred(())  # noqa: RUF009
    """Why the region was chosen, and what the page states about it; may be given as a function too."""
    doubt: str = ""
    """What speaks against the region; one of the reasons, which are not computed to know it."""

    def __len__(self) -> int:
        return len(self.spans)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "fields": self.fields, "reasons": self.reasons}

    def __repr__(self) -> str:
        return f"<Region of {self._summary}: {self._first_fields}>"

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __contains__(self, name: object) -> bool:
        return name in self._plain_columns

    @overload
    def __getitem__(self, wanted: int) -> Record: ...
    @overload
    def __getitem__(self, wanted: str) -> list[Any]: ...
    def __getitem__(self, wanted: int | str) -> Record | list[Any]:
        """Return the values of a column, as in `to_arrow`, or the record with a number."""
        if isinstance(wanted, int):
            return self.records[wanted]
        columns = self._plain_columns
        if wanted not in columns:
            raise InputError(f"there is no column {wanted!r}; {suggest(wanted, columns)}")
        return columns[wanted]

    def _repr_html_(self) -> str:
        more = len(self) - ROWS_SHOWN
        caption = self._summary + (f"; {more} more are not shown" if more > 0 else "")
        links = [each.type in ("link", "image") for each in self.columns]
        rows = zip(*(each.values[:ROWS_SHOWN] for each in self.columns), strict=True)
        return html_table((each.name for each in self.columns), rows, caption, links)

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """The records, one by one."""
        return tuple(self._record(place) for place in range(len(self.spans)))

    @cached_property
    def box(self) -> Box | None:
        """The bounding box of all records; None on a document without a layout."""
        return _union(record.box for record in self.records)

    @cached_property
    def columns(self) -> tuple[Field, ...]:
        """The fields; if there are none, the texts of the records as one field."""
        if self.fields:
            return self.fields
        texts, nodes = tuple(each.text for each in self.records), tuple(each.node for each in self.records)
        return (Field("text", "text", texts, nodes),)

    def to_dict(self) -> dict[str, Any]:
        """Convert the region to plain values for JSON; nodes become absolute XPaths."""
        address = self.document.xpath
        return {
            "kind": self.kind,
            "role": self.role,
            "method": self.method,
            "score": round(self.score, 4),
            "reasons": list(self.reasons),
            "node": address(self.node),
            "box": _rounded(self.box),
            "fields": [{"name": each.name, "type": each.type, "constant": each.is_constant} for each in self.fields],
            "records": [
                {
                    "text": record.text,
                    "node": address(record.node),
                    "box": _rounded(record.box),
                    "values": record.values,
                    "nodes": {name: record.address(name, address(node)) for name, node in record.nodes.items()},
                    "typed": {name: value_to_dict(value) for name, value in record.typed.items()},
                }
                for record in self.records
            ],
        }

    def to_arrow(self) -> pa.Table:
        """Make an Arrow table with a row for each record.

        A typed column holds values; beside it are its texts as `NAME_text` and, if there are any, its units as
        `NAME_unit` and the upper ends of ranges as `NAME_to`.  A field of the page that has such a name itself gets a
        number.  What the page states but does not show is in one column of structures, `data`.
        """
        return nest_data(to_arrow(to_columns(name_fields_apart([self.columns])[0])))

    def to_pandas(self) -> pd.DataFrame:
        """Make a data frame with a row for each record; what the page states but does not show as `data.NAME`."""
        frame: pd.DataFrame = self.to_arrow().flatten().to_pandas()
        return frame

    def to_polars(self) -> pl.DataFrame:
        """Make a Polars data frame with a row for each record, of the columns that `to_arrow` has."""
        try:
            import polars as pl  # noqa: PLC0415 - not installed with webquarry
        except ImportError as error:
            raise ImportError("to_polars needs Polars; get it with: pip install polars") from error
        return pl.DataFrame(self.to_arrow())

    @cached_property
    def _plain_columns(self) -> dict[str, list[Any]]:
        columns = to_columns(name_fields_apart([self.columns])[0])
        return {each.name: list(each.values) for each in columns}

    @property
    def _summary(self) -> str:
        fields = count(len(self.fields), "field")
        return f"{count(len(self), 'record')}, {fields} ({self.kind}, {self.role}, score {self.score:.2f})"

    @property
    def _first_fields(self) -> str:
        names = [each.name for each in self.fields[:NAMES_SHOWN]]
        return ", ".join(names + ["..."] * (len(self.fields) > NAMES_SHOWN))

    def _record(self, place: int) -> Record:
        first, stop = self.spans[place]
        present = [each for each in self.fields if each.values[place] is not None]
        values = {each.name: each.values[place] or "" for each in present}
        return Record(
            # a script shows nothing: its records are their values
            text="\n".join(values.values()) if self.method == "data" else self.document.text(first, stop),
            node=first,
            stop=stop,
            box=self._bound(first, stop),
            values=values,
            nodes={each.name: node for each in present if (node := each.nodes[place]) is not None},
            typed={each.name: value for each in present if each.typed and (value := each.typed[place]) is not None},
            pointers={
                each.name: pointer
                for each in present
                if each.pointers and (pointer := each.pointers[place]) is not None
            },
        )

    def _bound(self, first: int, stop: int) -> Box | None:
        """Bound the outermost nodes of a span."""
        layout = self.document.layout
        if layout is None:
            return None
        boxes: list[Box] = []
        node = first
        while node < stop:
            x, y, width, height = layout.boxes[node].tolist()
            if width * height > 0:
                boxes.append((x, y, width, height))
            node = int(self.document.ends[node])
        return _union(boxes)


def _union(boxes: Iterable[Box | None]) -> Box | None:
    known = [box for box in boxes if box is not None]
    if not known:
        return None
    left, top = min(box[0] for box in known), min(box[1] for box in known)
    right, bottom = max(box[0] + box[2] for box in known), max(box[1] + box[3] for box in known)
    return left, top, right - left, bottom - top


def _rounded(box: Box | None) -> list[float] | None:
    return None if box is None else [round(side, 2) for side in box]


@dataclass(frozen=True)
class PageRegions:
    """The regions of a page, best first."""

    page: str
    """Its address."""
    document: str
    """The kind of tree that the nodes refer to: static, rendered or scripts."""
    regions: Sequence[Region]
    fetched: datetime = field(default_factory=lambda: datetime.now(UTC))
    """The time when the page was fetched; by default now."""
    doubt: Deferred[str] = Deferred("")  # noqa: RUF009
    """Why the best region or its columns may be wrong, and what to try; empty if nothing speaks against them.

    May be given as a function: columns are aligned to judge them.
    """

    def __len__(self) -> int:
        return len(self.regions)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "doubt": self.doubt}

    def to_dict(self) -> dict[str, Any]:
        """Convert the regions to plain values for JSON."""
        regions = [region.to_dict() for region in self.regions]
        return {"page": self.page, "document": self.document, "regions": regions}


PageResult = PageRegions | Failure
"""The result of mining a page."""
if TYPE_CHECKING:
    Storable = PageRegions | Extraction | Article | Failure
    """A result that can be stored.  For annotations only: articles load NumPy, which few formats need."""
