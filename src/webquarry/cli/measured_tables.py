"""Write precision and recall by labels as plain text, in the form of the paper's Tables 1 and 2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webquarry.validating.deletion_curves import Row
    from webquarry.validating.paper_tables import PaperTables
    from webquarry.validating.quality import Measure


def write_measure(measured: Measure) -> list[str]:
    """Write the rows of a measure, in the form of Table 1."""
    return _align([_head(measured.recalls), *map(_write_row, measured.rows)])


def write_paper_tables(tables: PaperTables) -> list[str]:
    """Write Table 1, with the extraction in its first row, and Table 2, each below its caption."""
    recalls = [f"recall {recall:g}" for recall in tables.recalls]
    changes = [
        ["", "precision", *(head for recall in recalls for head in (recall, "F1"))],
        *([row.name, *(f"{share:+.2%}" for share in _figures(row))] for row in tables.increases),
    ]
    return [
        "Table 1: at the stop with the highest F1",
        *_align([_head(tables.recalls), *map(_write_row, (tables.before, *tables.rows))]),
        "",
        "Table 2: change against the extraction",
        *_align(changes),
    ]


def _head(recalls: Sequence[float]) -> list[str]:
    named = [f"recall {recall:g}" for recall in recalls] or ["recall"]
    return ["", "precision", *(head for recall in named for head in (recall, "F1")), "nodes deleted", "bytes deleted"]


def _write_row(row: Row) -> list[str]:
    deleted = [f"{row.deleted_nodes:.2%}", f"{row.deleted_bytes:.2%}"]
    return [row.name, *(f"{figure:.4f}" for figure in _figures(row)), *deleted]


def _figures(row: Row) -> list[float]:
    """List precision, then recall and F1 for each recall."""
    return [row.precision, *(figure for pair in zip(row.recalls, row.f1s, strict=True) for figure in pair)]


def _align(lines: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
