"""What there is to validate of a page: the nodes that an extraction gave, whatever system made it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webquarry.model.document import Document
from webquarry.model.equality import same_fields

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Selection:  # noqa: PLW1641 - arrays have no hash
    """The nodes of a document that an extraction gave, in the order of the extraction."""

    document: Document = field(repr=False)
    nodes: NDArray[np.int32]
    """Texts or elements."""
    texts: tuple[str, ...]
    """What was extracted of each."""
    columns: tuple[str, ...] = ()
    """For each node the column or section that it is a value of; none when all are of one kind, as in an article."""
    unmapped: tuple[str, ...] = ()
    """Addresses of the extraction that stand for no node of this document."""
    left_out: tuple[tuple[int, str], ...] = ()
    """Texts that the extraction names as left out, each with its reason, such as `advertisement`."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Selection):
            return NotImplemented
        return same_fields(self, other)

    def __len__(self) -> int:
        return len(self.nodes)
