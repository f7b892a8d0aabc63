"""How many tables of modern listing pages need no touching: the first region of each page, as it comes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import webquarry as wq
from benchmarks.corpora import draw_evenly
from benchmarks.findings import Finding
from benchmarks.halves import ALL, CHECK, TUNE, by_half, split
from benchmarks.miners import mine
from benchmarks.pool import show_progress
from benchmarks.scoring.modern import TableScore, score_table
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page

RENDERED, STATIC = "visual", "visual, static"


@dataclass(frozen=True)
class ModernListing:
    """A page of a site of today, and the table that a person would want of it."""

    name: str
    half: str
    page: Page
    folder: Path
    truth: dict[str, Any]


Scores = Sequence[tuple[ModernListing, TableScore]]


@cache
def modern_listings(root: Path, count: int | None = None) -> tuple[ModernListing, ...]:
    """Read the corpus, or an even draw of it; each page is of a site of its own."""
    folders = sorted(path.parent for path in (root / "modern").glob("*/truth.json"))
    halves = split(folder.name for folder in folders)
    return tuple(_read(folder, halves[folder.name]) for folder in (draw_evenly(folders, count) if count else folders))


def _read(folder: Path, half: str) -> ModernListing:
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    path = folder / truth.get("page", "page.html")
    return ModernListing(folder.name, half, Page(path.resolve().as_uri(), path.read_bytes()), folder, truth)


@cache
def rendered_modern(root: Path, count: int | None) -> tuple[Document | None, ...]:
    """Render the corpus, each page with its site's folder as web root."""
    pages = modern_listings(root, count)
    results = wq.render_all([each.page for each in pages], offline=True, roots=[each.folder for each in pages])
    shown = show_progress(results, len(pages), "rendering the modern corpus")
    return tuple(None if isinstance(result, Failure) else result for result in shown)


@cache
def static_modern(root: Path, count: int | None) -> tuple[Document | None, ...]:
    """The same pages, not rendered."""
    return tuple(wq.clean(each.page) for each in modern_listings(root, count))


METHODS = {RENDERED: rendered_modern, STATIC: static_modern}


def run_modern(root: Path, count: int | None = None) -> Finding | None:
    """Score the default method on both halves; None when there is no such corpus."""
    pages = modern_listings(root, count)
    if not pages:
        return None
    scores = {title: score_documents(pages, documents(root, count)) for title, documents in METHODS.items()}
    sizes = {half: len(each) for half, each in by_half(pages, lambda page: page.half).items()}
    return Finding(
        title="Modern listings",
        note=f"{sizes[TUNE]} pages to tune on, {sizes[CHECK]} to check on, each of another site; the first region as it"
        " comes. A table is right when its records have an F1 of .95 and its essential columns are usable.",
        heads=("", "half", "tables right", "records F1", "essential usable", "usable", "well named", "other columns"),
        rows=[
            [title, half, *(f"{figure:.3f}" for figure in _means(each).values())]
            for title, both in scores.items()
            for half, each in by_half(both, lambda pair: pair[0].half).items()
        ],
        figures={
            f"modern, {name}: {half}": figure
            for half, each in by_half(scores[RENDERED], lambda pair: pair[0].half).items()
            if half != ALL
            for name, figure in _means(each).items()
        },
        complaints=[
            f"table needs touching: {page.name}: records F1 {score.f1:.2f}, not usable:"
            f" {', '.join(name for name in score.essential if not score.usable[name]) or 'none'}"
            for page, score in scores[RENDERED]
            if not score.is_right
        ],
    )


def score_documents(pages: Sequence[ModernListing], documents: Sequence[Document | None]) -> Scores:
    """Score the first region of each page."""
    regions = [mine(document, "visual").regions[:1] for document in documents]
    return [
        (page, score_table(page.truth, found[0].to_dict() if found else None))
        for page, found in zip(pages, regions, strict=True)
    ]


def _means(scores: Scores) -> dict[str, float]:
    every = [score for _, score in scores]
    return {
        "tables right": fmean(score.is_right for score in every),
        "records F1": fmean(score.f1 for score in every),
        "essential columns usable": fmean(score.share_essential for score in every),
        "columns usable": fmean(score.share_usable for score in every),
        "well named": fmean([named for score in every for named in score.well_named] or [0.0]),
        "other columns": fmean(score.others for score in every),
    }
