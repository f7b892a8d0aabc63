"""What there is to store of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from webquarry.model import Article, Extraction, Failure, Region


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class PageRegions:
    """The regions of a page, the best first."""

    page: str
    """Its address."""
    document: str
    """Which tree the addresses of nodes are on: static, rendered or scripts."""
    regions: Sequence[Region]
    fetched: datetime = field(default_factory=_now)
    """When the page was had; unless told, the time of its regions."""

    def __len__(self) -> int:
        return len(self.regions)

    def to_dict(self) -> dict[str, Any]:
        """The regions as plain values fit for JSON."""
        regions = [region.to_dict() for region in self.regions]
        return {"page": self.page, "document": self.document, "regions": regions}


PageResult = PageRegions | Failure
"""What mining gives of a page."""
Storable = PageRegions | Extraction | Article | Failure
"""What can be stored of a page."""
