"""Regions to store, made of columns that a test names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest

from webquarry.model.document import Document
from webquarry.model.region import PageRegions, Region
from webquarry.model.table_columns import Field
from webquarry.values.text_value import Value

FETCHED = datetime(2026, 11, 15, 12, 30, 45, tzinfo=UTC)
TYPES: dict[type, str] = {float: "number", int: "number", bool: "boolean", date: "date"}


def make_field(name: str, cells: Sequence[Any]) -> Field:
    """A column of texts, or of (text, value) with unit and upper end if there are any."""
    texts = tuple(cell[0] if isinstance(cell, tuple) else cell for cell in cells)
    values = [Value(*cell[1:]) if isinstance(cell, tuple) else None for cell in cells]
    first = next((value for value in values if value is not None), None)
    if first is None:
        return Field(name, "text", texts, (None,) * len(texts))
    kind = "money" if first.unit else TYPES[type(first.value)]
    return Field(name, kind, texts, (None,) * len(texts), tuple(values))


def make_region(columns: dict[str, Sequence[Any]] | Sequence[Field], **knobs: Any) -> Region:
    fields = (
        tuple(make_field(name, cells) for name, cells in columns.items())
        if isinstance(columns, dict)
        else tuple(columns)
    )
    count = len(fields[0].values)
    document = Document("<ul>" + "<li>x" * count)
    first = document.node("/html/body/ul") + 1
    spans = tuple((first + 2 * place, first + 2 * place + 2) for place in range(count))
    plain = {"kind": "records", "method": "visual", "role": "main", "score": 0.93, "reasons": ()}
    return Region(document=document, node=first - 1, spans=spans, fields=fields, **{**plain, **knobs})


def make_page(
    columns: dict[str, Sequence[Any]] | Sequence[Field], page: str = "https://example.org/a", **knobs: Any
) -> PageRegions:
    return PageRegions(page, "static", [make_region(columns, **knobs)], FETCHED)


@pytest.fixture(scope="session")
def page_of() -> Callable[..., PageRegions]:
    """A page whose best region has these columns, by name."""
    return make_page


@pytest.fixture(scope="session")
def field_of() -> Callable[..., Field]:
    return make_field


@pytest.fixture(scope="session")
def region_of() -> Callable[..., Region]:
    return make_region
