"""Mining so that one page that fails does not end the run."""

from __future__ import annotations

from dataclasses import dataclass

import webquarry as wq
from webquarry.model.document import Document
from webquarry.model.region import Region


@dataclass(frozen=True)
class Mined:
    """The regions of a page, best first, or why there are none."""

    regions: tuple[Region, ...] = ()
    error: str = ""


def mine(document: Document | None, method: str) -> Mined:
    """What a method finds; whatever it raises is told, not raised: the page then counts as nothing found."""
    if document is None:
        return Mined(error="not rendered")
    try:
        return Mined(tuple(wq.mine(document, method=method)))
    except Exception as error:  # noqa: BLE001 - no page may raise, and the run goes on to show all that do
        return Mined(error=repr(error))


def grid_of(region: Region) -> list[list[str]]:
    """A region as rows of texts, the names of the columns first."""
    columns = [[each.name, *(value or "" for value in each.values)] for each in region.fields]
    return [list(row) for row in zip(*columns, strict=True)]
