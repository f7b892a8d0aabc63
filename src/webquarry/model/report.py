"""What validating gives: what looks wrong in an extraction, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webquarry.model.equality import same_fields
from webquarry.model.selection import Selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Verdicts:  # noqa: PLW1641 - arrays have no hash
    """For each node of a selection how odd it looks, whether to drop it, and why."""

    selection: Selection
    scores: NDArray[np.float64]
    """The higher, the odder; what they can be depends on the method."""
    drops: NDArray[np.bool_]
    reasons: tuple[str, ...]
    """In words, as `font-size 11px, the others 16px`; nothing where there is nothing to say."""
    additions: tuple[tuple[int, str], ...] = ()
    """Nodes that the extraction lacks and that look as what it should have, each with the reason."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verdicts):
            return NotImplemented
        return same_fields(self, other)

    def to_dict(self) -> dict[str, Any]:
        """The verdicts as plain values fit for JSON; nodes as absolute addresses."""
        selection, document = self.selection, self.selection.document
        nodes = zip(
            selection.nodes.tolist(),
            selection.texts,
            self.scores.tolist(),
            self.drops.tolist(),
            self.reasons,
            strict=True,
        )
        scores: list[dict[str, Any]] = [
            {"node": document.xpath(node), "text": text, "score": round(score, 6), "drop": drop, "reason": reason}
            for node, text, score, drop, reason in nodes
        ]
        for entry, column in zip(scores, selection.columns, strict=False):
            entry["column"] = column
        added = [
            {"node": document.xpath(node), "text": document.text(node), "reason": reason}
            for node, reason in self.additions
        ]
        return {
            "page": document.url,
            "scores": scores,
            **({"additions": added} if added else {}),
            **({"unmapped": list(selection.unmapped)} if selection.unmapped else {}),
        }


@dataclass(frozen=True)
class Report:
    """What looks wrong in the extraction from some pages."""

    method: str
    pages: tuple[Verdicts, ...] = field(repr=False)
    """In the order of the extraction."""
    notes: tuple[str, ...] = ()
    """What a reader of the report must know of the whole: a fall-back, nodes that were not found."""

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values fit for JSON."""
        return {"method": self.method, "notes": list(self.notes), "pages": [page.to_dict() for page in self.pages]}
