"""Score the best region of each page of the records corpus: our methods and pandas.read_html."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.findings import Finding
from benchmarks.halves import ALL, CHECK, TUNE, by_half
from benchmarks.listings import Listing, listings
from benchmarks.miners import mine
from benchmarks.pandas_tables import has_pandas, read_tables
from benchmarks.pool import show_progress
from benchmarks.rendered import rendered_listings, static_listings, unstyled_listings
from benchmarks.scoring.records import Mean, Score, mean_of, score_records
from webquarry.html.parsing import decode

VISUAL, STATIC, UNSTYLED = "visual", "visual, static", "visual, without CSS"
WEAK = 0.5  # F1 of the default method, below which a page is reported
METHODS = {
    VISUAL: ("visual", rendered_listings),
    STATIC: ("visual", static_listings),
    UNSTYLED: ("visual", unstyled_listings),
    "emine": ("emine", rendered_listings),
    "mdr": ("mdr", rendered_listings),
}
PANDAS = "pandas.read_html, best table"

Scores = Sequence[tuple[Listing, Score]]


def run_records(root: Path, count: int | None = None) -> Finding | None:
    """Score all methods on both halves; None without the records corpus."""
    pages = listings(root, count)
    if not pages:
        return None
    complaints: list[str] = []
    scores: dict[str, Scores] = {title: _score(title, root, count, complaints) for title in METHODS}
    if has_pandas():
        scores[PANDAS] = [(page, _score_pandas(page)) for page in show_progress(pages, len(pages), "pandas")]
    complaints += _weak(scores[VISUAL])
    return _report(scores, complaints)


def _score(title: str, root: Path, count: int | None, complaints: list[str]) -> Scores:
    method, documents_of = METHODS[title]
    pages, documents = listings(root, count), documents_of(root, count)
    scores = []
    for page, document in show_progress(zip(pages, documents, strict=True), len(pages), f"records, {title}"):
        mined = mine(document, method)
        if mined.error:
            complaints.append(f"{title} failed: {page.name}: {mined.error}")
        texts = [record.text for region in mined.regions[:1] for record in region.records]
        scores.append((page, score_records(page.truths, texts)))
    return scores


def _score_pandas(page: Listing) -> Score:
    """Score the best table of a page, which favours pandas: a user would not know which it is."""
    tables = read_tables(decode(page.page.body))
    texts = [[" ".join(row) for row in table[1:]] for table in tables]
    none = score_records(page.truths, [])
    return max((score_records(page.truths, each) for each in texts), key=lambda score: score.f1, default=none)


def _weak(scores: Scores) -> Iterator[str]:
    for page, score in sorted(scores, key=lambda pair: pair[1].f1):
        if score.f1 < WEAK:
            yield f"visual is weak: {page.name}: {score.right} right of {score.found} found and {score.true} true"


def _report(scores: dict[str, Scores], complaints: Sequence[str]) -> Finding:
    means = {title: _means(each) for title, each in scores.items()}
    halves = {half: len(pairs) for half, pairs in by_half(scores[VISUAL], lambda pair: pair[0].half).items()}
    return Finding(
        title="Records",
        note=f"{halves[TUNE]} pages to tune on, {halves[CHECK]} pages of other sites to check on; means over pages.",
        heads=("", "F1: tune", "F1: check", "F1: all", "precision", "recall", "F1 over all records", "perfect pages"),
        rows=[_row(title, means[title], scores[title]) for title in scores],
        figures={
            "records, F1 of visual: sites to tune on": means[VISUAL][TUNE].f1,
            "records, F1 of visual: sites to check on": means[VISUAL][CHECK].f1,
            "records, F1 of visual, static": means[STATIC][ALL].f1,
            "records, F1 of visual, without CSS": means[UNSTYLED][ALL].f1,
        },
        complaints=complaints,
    )


def _means(scores: Scores) -> dict[str, Mean]:
    halves = by_half(scores, lambda pair: pair[0].half)
    return {half: mean_of([score for _, score in pairs]) for half, pairs in halves.items()}


def _row(title: str, means: dict[str, Mean], scores: Scores) -> list[str]:
    all_pages = means[ALL]
    figures = (means[TUNE].f1, means[CHECK].f1, all_pages.f1, all_pages.precision, all_pages.recall, all_pages.micro)
    perfect = sum(score.right == score.found == score.true for _, score in scores)
    return [title, *(f"{figure:.3f}" for figure in figures), f"{perfect} of {len(scores)}"]
