"""What a user wants of the regions of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from webquarry.errors import InputError
from webquarry.model import Region


def pick_region(regions: Sequence[Region], number: int) -> Region:
    """The region of a number, counted from 1, the best; there must be one region at least."""
    if not 1 <= number <= len(regions):
        count = f"{len(regions)} region{'s' * (len(regions) != 1)}"
        raise InputError(f"{regions[0].document.url}: page has {count}; --region {number} is not among them")
    return regions[number - 1]


def keep_columns(region: Region, names: Sequence[str]) -> Region:
    """The region with those of its columns that have these names, in this order."""
    fields = {field.name: field for field in region.columns}
    return replace(region, fields=tuple(fields[name] for name in names if name in fields))
