"""How right tables are: ours and pandas.read_html, on the tables corpus, read without a browser."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import webquarry as wq
from benchmarks.corpora import draw_evenly
from benchmarks.findings import Finding
from benchmarks.halves import ALL, HALVES, by_half, split
from benchmarks.miners import grid_of, mine
from benchmarks.pandas_tables import has_pandas, read_tables
from benchmarks.pool import show_progress
from benchmarks.scoring.tables import Grid, TableScore, score_tables
from webquarry.html.parsing import decode
from webquarry.model.page import Page

OURS, PANDAS = "tables", "pandas.read_html, texts kept"
WEAK = 0.8  # pages with a lower share of right cells are named


@dataclass(frozen=True)
class TablePage:
    """A page, and the cells of the table that is looked for."""

    name: str
    half: str
    page: Page
    truth: Grid


Scores = Sequence[tuple[TablePage, TableScore]]


def run_tables(root: Path, count: int | None = None) -> Finding | None:
    """Both on all pages; None when there is no corpus of tables."""
    pages = read_table_pages(root, count)
    if not pages:
        return None
    complaints: list[str] = []
    scores = {OURS: _score(pages, lambda page: _mine_grids(page, complaints), OURS)}
    if has_pandas():
        scores[PANDAS] = _score(pages, lambda page: read_tables(decode(page.page.body)), PANDAS)
    return _report(scores, [*complaints, *_weak(scores[OURS])])


def read_table_pages(root: Path, count: int | None = None) -> list[TablePage]:
    """Read the corpus, or an even draw of it."""
    folders = sorted(path.parent for path in (root / "tables").glob("*/table.csv"))
    halves = split(folder.name for folder in folders)
    return [_read(folder, halves[folder.name]) for folder in (draw_evenly(folders, count) if count else folders)]


def _read(folder: Path, half: str) -> TablePage:
    with (folder / "table.csv").open(newline="", encoding="utf-8") as file:
        truth = list(csv.reader(file, escapechar="\\", doublequote=False))
    path = folder / "page.html"
    return TablePage(folder.name, half, Page(path.resolve().as_uri(), path.read_bytes()), truth)


def _mine_grids(page: TablePage, complaints: list[str]) -> list[Grid]:
    mined = mine(wq.clean(page.page), "tables")
    if mined.error:
        complaints.append(f"tables failed: {page.name}: {mined.error}")
    return [grid_of(region) for region in mined.regions]


def _score(pages: Sequence[TablePage], read: Callable[[TablePage], Sequence[Grid]], title: str) -> Scores:
    return [
        (page, score_tables(page.truth, read(page))) for page in show_progress(pages, len(pages), f"tables, {title}")
    ]


def _weak(scores: Scores) -> Iterator[str]:
    for page, score in sorted(scores, key=lambda pair: pair[1]):
        if score.cells < WEAK:
            yield f"tables is weak: {page.name}: cells {score.cells:.3f}, places {score.places:.3f}"


def _report(scores: dict[str, Scores], complaints: Sequence[str]) -> Finding:
    means = {title: _means(each) for title, each in scores.items()}
    return Finding(
        title="Tables",
        note=f"{len(scores[OURS])} pages; of each the table most like the true one; means over pages.",
        heads=("", *(f"{figure}: {half}" for figure in ("cells", "places") for half in HALVES)),
        rows=[
            [title, *(f"{getattr(each[half], figure):.3f}" for figure in ("cells", "places") for half in HALVES)]
            for title, each in means.items()
        ],
        figures={"tables, cells": means[OURS][ALL].cells, "tables, places": means[OURS][ALL].places},
        complaints=complaints,
    )


def _means(scores: Scores) -> dict[str, TableScore]:
    halves = by_half(scores, lambda pair: pair[0].half)
    return {
        half: TableScore(fmean(score.cells for _, score in pairs), fmean(score.places for _, score in pairs))
        for half, pairs in halves.items()
    }
