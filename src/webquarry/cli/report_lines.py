"""What a report on an extraction says on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from webquarry.cli.faults import complain

if TYPE_CHECKING:
    from webquarry.model import Report
    from webquarry.validating.deleting import Row
    from webquarry.validating.measuring import Measure

DROPS_TOLD = 20
"""Nodes that `--drop` tells one by one; a report has all."""


def tell_report(report: Report, measured: Measure | None, *, told_drops: bool) -> int:
    """Say what there is to know of the whole, and give the exit code."""
    for failure in report.failures:
        complain(failure.error, 0)
    if told_drops:
        _tell_drops(report)
    for note in (*report.notes, *(measured.notes if measured else ())):
        complain(note, 0)
    if report.pages:
        typer.echo(report.summary, err=True)
    elif not report.failures:
        complain("the extraction has no nodes, so there is nothing to judge", 0)
    if measured is not None:
        for line in _tabulate(measured):
            typer.echo(line, err=True)
    return 1 if report.failures else 0


def _tell_drops(report: Report) -> None:
    dropped = [each for page in report.pages for each in page.dropped]
    for page, text, reason in dropped[:DROPS_TOLD]:
        complain(f"dropped from {page}: {text[:80]!r}: {reason}", 0)
    if len(dropped) > DROPS_TOLD:
        complain(f"and {len(dropped) - DROPS_TOLD:,} more; --report FILE has all", 0)


def _tabulate(measured: Measure) -> list[str]:
    """The rows of the paper's Table 1."""
    recalls = [f"recall {recall:g}" for recall in measured.recalls] or ["recall"]
    figures = (part for recall in recalls for part in (recall, "F1"))
    lines = [["", "precision", *figures, "nodes deleted", "bytes deleted"], *map(_cells, measured.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def _cells(row: Row) -> list[str]:
    pairs = zip(row.recalls, row.f1s, strict=True)
    figures = (f"{figure:.4f}" for pair in pairs for figure in pair)
    return [row.name, f"{row.precision:.4f}", *figures, f"{row.deleted_nodes:.2%}", f"{row.deleted_bytes:.2%}"]
