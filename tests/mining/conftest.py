"""Shared by the tests of columns: records of a small page, aligned without a layout."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from webquarry.mining.alignment import align_fields
from webquarry.model.document import Document
from webquarry.model.table_columns import Field

Align = Callable[..., dict[str, Field]]
Columns = Callable[..., dict[str, list[str | None]]]


@pytest.fixture
def align() -> Align:
    """Align the elements of a tag, by default the articles, and give the fields by name."""

    def align_markup(markup: str, tag: str = "article") -> dict[str, Field]:
        document = Document(markup, url="https://example.org/shop/list.html")
        nodes = np.flatnonzero(document.has_tag([tag])).tolist()
        return {field.name: field for field in align_fields(document, [(n, int(document.ends[n])) for n in nodes])}

    return align_markup


@pytest.fixture
def columns(align: Align) -> Columns:
    """Align articles with the given contents, and give the values of their columns by name."""

    def align_contents(*contents: str) -> dict[str, list[str | None]]:
        markup = "".join(f"<article>{content}</article>" for content in contents)
        return {name: list(field.values) for name, field in align(markup).items()}

    return align_contents
