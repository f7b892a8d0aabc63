"""Score how records are split into columns, on the records corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.findings import Finding
from benchmarks.halves import ALL, CHECK, TUNE, by_half
from benchmarks.listings import Listing, listings
from benchmarks.miners import mine
from benchmarks.pool import show_progress
from benchmarks.rendered import rendered_listings, static_listings
from benchmarks.scoring.columns import ColumnMean, ColumnScore, mean_of_columns, score_columns

VISUAL = "visual"
METHODS = {VISUAL: ("visual", rendered_listings), "visual, static": ("visual", static_listings)}

Scores = Sequence[tuple[Listing, ColumnScore]]


def run_columns(root: Path, count: int | None = None) -> Finding | None:
    """Score the columns of the default method; None without the records corpus."""
    if not listings(root, count):
        return None
    means = {title: _means(_score(title, root, count)) for title in METHODS}
    return Finding(
        title="Columns",
        note="Right records only. A pair is two cells of a page in the same column; means over pages.",
        heads=("", "pair F1: tune", "pair F1: check", "pair F1: all", "precision", "recall", "cells found"),
        rows=[_row(title, each) for title, each in means.items()],
        figures={
            "columns, pair F1": means[VISUAL][ALL].f1,
            "columns, cells found": means[VISUAL][ALL].cells,
        },
    )


def _score(title: str, root: Path, count: int | None) -> Scores:
    method, documents_of = METHODS[title]
    pages, scores = listings(root, count), []
    for page, document in show_progress(
        zip(pages, documents_of(root, count), strict=True), len(pages), f"columns, {title}"
    ):
        records = [record for region in mine(document, method).regions[:1] for record in region.records]
        texts, values = [record.text for record in records], [record.values for record in records]
        scores.append((page, score_columns(page.truths, texts, values)))
    return scores


def _means(scores: Scores) -> dict[str, ColumnMean]:
    halves = by_half(scores, lambda pair: pair[0].half)
    return {half: mean_of_columns([score for _, score in pairs]) for half, pairs in halves.items()}


def _row(title: str, means: dict[str, ColumnMean]) -> list[str]:
    every = means[ALL]
    figures = (means[TUNE].f1, means[CHECK].f1, every.f1, every.precision, every.recall, every.cells)
    return [title, *(f"{figure:.3f}" for figure in figures)]
