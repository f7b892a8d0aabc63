"""Mine a page without letting a failure end the run."""

from __future__ import annotations

from dataclasses import dataclass

import webquarry as wq
from webquarry.model.document import Document
from webquarry.model.region import Region


@dataclass(frozen=True)
class Mined:
    """The regions of a page, best first, or the error."""

    regions: tuple[Region, ...] = ()
    error: str = ""


def mine(document: Document | None, method: str) -> Mined:
    """Mine a document; an exception becomes `Mined.error`, and the page counts as having no regions."""
    if document is None:
        return Mined(error="not rendered")
    try:
        return Mined(tuple(wq.mine(document, method=method)))
    except Exception as error:  # noqa: BLE001 - no page should raise; report every page that does
        return Mined(error=repr(error))


def grid_of(region: Region) -> list[list[str]]:
    """Return a region as rows of texts, with the column names first."""
    columns = [[each.name, *(value or "" for value in each.values)] for each in region.fields]
    return [list(row) for row in zip(*columns, strict=True)]
