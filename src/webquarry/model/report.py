"""Verdicts on the nodes of an extraction, with reasons: the result of validating."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from webquarry.model.document import VISUAL_VALIDATION, Document
from webquarry.model.names import PAGE
from webquarry.model.nouns import ROWS_SHOWN, EqualByFields, html_table
from webquarry.model.page import Failure
from webquarry.model.table_columns import Column, to_arrow
from webquarry.model.wording import count, shorten, whole

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Selection(EqualByFields):
    """The nodes of a document that an extraction by any system has, in its order."""

    document: Document = field(repr=False)
    nodes: NDArray[np.int32]
    """Texts or elements."""
    texts: tuple[str, ...]
    """The text extracted from each node."""
    columns: tuple[str, ...] = ()
    """The column or section of each node; empty if all are of one kind, as in an article."""
    unmapped: tuple[str, ...] = ()
    """XPaths of the extraction that match no node of this document."""
    left_out: tuple[tuple[int, str], ...] = ()
    """Texts that the extraction lists as left out, each with its reason, such as `advertisement`."""

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        return f"<Selection of {count(len(self), 'node')} of {shorten(self.document.url)}>"


@dataclass(frozen=True, eq=False)
class Verdicts(EqualByFields):
    """For each node of a selection its oddness, whether to drop it, and why."""

    selection: Selection
    scores: NDArray[np.float64]
    """The higher, the odder; their range depends on the method."""
    drops: NDArray[np.bool_]
    reasons: tuple[str, ...]
    """In words, such as `font-size 11px, the others 16px`; may be empty."""
    additions: tuple[tuple[int, str], ...] = ()
    """Nodes that look like content and are not in the extraction, each with the reason."""

    def __repr__(self) -> str:
        page = shorten(self.selection.document.url)
        return f"<Verdicts on {count(len(self.selection), 'node')} of {page}: {int(self.drops.sum()):,} to drop>"

    @property
    def dropped(self) -> list[tuple[str, str, str]]:
        """The page, text and reason of each node to drop."""
        kept = zip(self.selection.texts, self.reasons, self.drops.tolist(), strict=True)
        return [(self.selection.document.url, text, reason) for text, reason, drop in kept if drop]

    def to_dict(self) -> dict[str, Any]:
        """Convert the verdicts to plain values for JSON; nodes become absolute XPaths."""
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
    """The verdicts on the extraction of some pages."""

    method: str
    pages: tuple[Verdicts, ...] = field(repr=False)
    """In the order of the extraction."""
    notes: tuple[str, ...] = ()
    """Remarks on the whole, such as a fallback or nodes that were not found."""
    failures: tuple[Failure, ...] = ()
    """Pages that could not be fetched or read again."""

    def __len__(self) -> int:
        return sum(len(page.selection) for page in self.pages)

    def __repr__(self) -> str:
        return f"<Report: {self.summary}>"

    def _repr_html_(self) -> str:
        rows = [row for page in self.pages for row in page.dropped][:ROWS_SHOWN]
        return html_table(("page", "text", "why"), rows, self.summary, (True, False, False))

    @property
    def scores(self) -> NDArray[np.float64]:
        """The scores of all nodes, page after page."""
        return np.concatenate([np.zeros(0), *(page.scores for page in self.pages)])

    @property
    def drops(self) -> NDArray[np.bool_]:
        """Whether to drop each node, page after page."""
        return np.concatenate([np.zeros(0, np.bool_), *(page.drops for page in self.pages)])

    @property
    def dropped(self) -> int:
        """The number of nodes to drop."""
        return int(self.drops.sum())

    @property
    def missing(self) -> int:
        """The number of texts that look like content and are not in the extraction."""
        return sum(len(page.additions) for page in self.pages)

    @property
    def summary(self) -> str:
        """One line that says how much looks wrong."""
        wrong = "looks" if self.dropped == 1 else "look"
        nodes, pages = count(len(self), "node"), count(len(self.pages), "page")
        missing = f", {count(self.missing, 'text')} may be missing" if self.missing else ""
        return f"{self.dropped:,} of {nodes} on {pages} {wrong} wrong{missing} (method {self.method})"

    def to_dict(self) -> dict[str, Any]:
        """Convert the report to plain values for JSON."""
        return {
            "method": self.method,
            "notes": list(self.notes),
            "pages": [page.to_dict() for page in self.pages],
            "failures": [{"page": failure.page, "error": failure.error} for failure in self.failures],
        }

    def to_arrow(self) -> pa.Table:
        """Make an Arrow table with a row for each node: its score and the 32 properties of its style."""
        rows = [row for page in self.pages for row in _rows(page)]
        names = [(PAGE, "text"), ("node", "text"), ("column", "text"), ("text", "text"), ("score", "number")]
        names += [("drop", "boolean"), ("reason", "text"), *((name, "text") for name in VISUAL_VALIDATION)]
        values: Iterable[tuple[Any, ...]] = zip(*rows, strict=True) if rows else [()] * len(names)
        return to_arrow(Column(name, kind, each) for (name, kind), each in zip(names, values, strict=True))

    def to_pandas(self) -> pd.DataFrame:
        """Make a data frame with a row for each node."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame


def _rows(page: Verdicts) -> Iterable[tuple[Any, ...]]:
    selection, document = page.selection, page.selection.document
    columns = selection.columns or (None,) * len(selection)
    nodes = zip(
        selection.nodes.tolist(), columns, selection.texts, page.scores.tolist(), page.drops.tolist(), strict=True
    )
    for (node, column, text, score, drop), reason, styles in zip(nodes, page.reasons, _styles(selection), strict=True):
        yield whole(document.url), document.xpath(node), column, whole(text), score, drop, reason, *styles


def _styles(selection: Selection) -> list[list[str | None]]:
    """List the 32 properties of each node; a text has those of its parent."""
    document, layout, nodes = selection.document, selection.document.layout, selection.nodes
    if layout is None:
        return [[None] * len(VISUAL_VALIDATION)] * len(nodes)
    elements = np.where(document.tags[nodes] >= 0, nodes, document.parents[nodes])
    has_own = layout.styles[elements, 0] >= 0  # not so for the parent of a text if it has `display: contents`
    properties = [layout.properties.index(name) for name in VISUAL_VALIDATION]
    values = np.array([*(value or None for value in layout.values), None], dtype=object)  # the last is for -1
    codes = layout.styles[np.where(has_own, elements, nodes)][:, properties]
    styles: list[list[str | None]] = values[codes].tolist()
    return styles
