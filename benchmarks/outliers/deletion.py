"""Score extractions of whole sites before and after deleting visual outliers, and after the vote."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.findings import Finding
from benchmarks.outliers.methods import METHODS, Extracted, all_texts, extracted_by
from benchmarks.outliers.sites import SELECTORS, SITES, Score, Truth, find_truth, rendered_site
from webquarry.errors import BrowserError
from webquarry.model.article import Article
from webquarry.model.document import Document
from webquarry.pipeline.read_pages import find_called, find_refused
from webquarry.reading.boilerpipe import read_boilerpipe
from webquarry.reading.reader import read_blocks
from webquarry.validating.deletion_curves import AssumedContent, assume_content, find_stop_against, follow, rank
from webquarry.validating.votes import Decision, decide

POOLED = "all three"
ALL_TEXT, BOILERPIPE, OURS = "all text", "Boilerpipe", "our reader"
READERS: dict[str, Callable[[Document], Article]] = {BOILERPIPE: read_boilerpipe, OURS: read_blocks}
BEFORE, VOTE = "as it is", "vote"
FEW, DRAWS = 5, 8
"""The number of pages in a small vote, and how often they are drawn."""


@dataclass(frozen=True)
class Case:
    """A method applied to an extraction, stopped at the best place and where it stops without labels."""

    scope: str
    extraction: str
    method: str
    before: Score
    oracle: Score
    """At the stop with the highest F1; equal to `free` for the vote, which has no stop."""
    free: Score

    @property
    def gain(self) -> float:
        """The relative gain of F1 without labels."""
        return self.free.f1 / self.before.f1 - 1

    @property
    def possible_gain(self) -> float:
        """The relative gain of F1 with labels."""
        return self.oracle.f1 / self.before.f1 - 1


def run_sites(root: Path, count: int | None = None) -> Finding | None:
    """Score all methods; None without the corpus or a browser.  `count` limits the pages of each site."""
    if not all((root / "sites" / site).is_dir() for site in SITES):
        return None
    try:
        cases = [case for scope in (*SITES, POOLED) for case in measure(scope, truth_of(root, scope, count))]
        few = {site: vote_on_few(truth_of(root, site, count), SELECTORS[site]) for site in SITES}
    except BrowserError:
        return None
    finding = report(cases, few)
    return finding if count is None else replace(finding, figures={})  # floors are for whole sites


@cache
def truth_of(root: Path, scope: str, count: int | None) -> Truth:
    """Find the true content of the pages of a site, or of all sites."""
    sites = SITES if scope == POOLED else (scope,)
    pages = [(document, SELECTORS[site]) for site in sites for document in rendered_site(root, site, count)]
    return find_truth([document for document, _ in pages], [selector for _, selector in pages])


def extract(truth: Truth, reader: str) -> Extracted:
    """Extract the texts of some pages by one of the readers."""
    return extracted_by(truth, find_called(map(READERS[reader], truth.documents)))


def vote_on(truth: Truth, articles: Sequence[Article]) -> list[Decision]:
    """Let the pages vote as `wq.read` does, treating them as pages of one site."""
    return decide(truth.documents, find_called(articles), refused=find_refused(articles))


def measure(scope: str, truth: Truth) -> list[Case]:
    """Score all extractions by all methods; the vote with our reader decides where to stop without labels."""
    articles = {name: [*map(read, truth.documents)] for name, read in READERS.items()}
    votes = {name: vote_on(truth, read) for name, read in articles.items()}
    beliefs = assume_content(truth.documents, votes[OURS])
    extractions = {name: extracted_by(truth, find_called(read)) for name, read in articles.items()}
    cases = []
    for name, extracted in ({ALL_TEXT: all_texts(truth)} | extractions).items():
        before = truth.score(extracted.kept)
        cases.append(Case(scope, name, BEFORE, before, before, before))
        cases += [_delete(scope, name, method, extracted, beliefs) for method in METHODS]
        if name in votes:
            after = _score_vote(truth, votes[name])
            cases.append(Case(scope, name, VOTE, before, after, after))
    return cases


def vote_on_few(truth: Truth, selector: str) -> float:
    """Return the mean F1 of the vote with Boilerpipe on a few pages at a time."""
    generator = np.random.default_rng(0)
    count = len(truth.documents)
    scores = []
    for _ in range(DRAWS):
        pages = sorted(generator.choice(count, min(FEW, count), replace=False).tolist())
        few = find_truth([truth.documents[page] for page in pages], [selector] * len(pages))
        scores.append(_score_vote(few, vote_on(few, [*map(read_boilerpipe, few.documents)])).f1)
    return float(np.mean(scores))


def report(cases: Sequence[Case], few: dict[str, float]) -> Finding:
    """Make the table of all cases, and the figures with floors."""
    scopes = list(dict.fromkeys(case.scope for case in cases))
    rows: dict[tuple[str, str], list[str]] = {}
    for case in cases:
        cells = rows.setdefault((case.extraction, case.method), [case.extraction, case.method])
        has_stop = case.method not in (BEFORE, VOTE)
        cells += [_show(case.oracle) if has_stop else "", _show(case.free)]
    stopped = [case for case in cases if case.method in METHODS]
    votes = [case.free.f1 for case in cases if case.method == VOTE and case.extraction == BOILERPIPE]
    sites = votes[: len(few)]
    return Finding(
        title="Visual outliers on whole sites",
        note=(
            "Precision, recall and F1 by bytes of words; F1 by nodes after the semicolon. For each site, and for all"
            " pages together: at the stop with the highest F1, and at the stop found without labels by the vote with"
            f" our reader. Vote with Boilerpipe on {FEW} pages, mean of {DRAWS} draws: "
            + ", ".join(f"{site} {score:.4f}" for site, score in few.items())
            + "."
        ),
        heads=("extraction", "method", *(f"{scope}, {stop}" for scope in scopes for stop in ("best stop", "stop"))),
        rows=list(rows.values()),
        figures={
            "sites, F1 of the vote with Boilerpipe: mean": float(np.mean(sites)),
            "sites, F1 of the vote with Boilerpipe: least": min(sites),
            f"sites, F1 of the vote with Boilerpipe: {FEW} pages": float(np.mean(list(few.values()))),
            "sites, stop without labels: share of the best stop's gain": sum(case.gain for case in stopped)
            / sum(case.possible_gain for case in stopped),
            "sites, stop without labels: change of F1 at worst": min(case.gain for case in stopped),
        },
    )


def _delete(scope: str, name: str, method: str, extracted: Extracted, beliefs: Sequence[AssumedContent]) -> Case:
    truth, scores = extracted.truth, extracted.score(method)
    order = rank(extracted.selections, scores)
    curve = follow(order, truth.content[extracted.kept], truth.bytes[extracted.kept], truth.total)
    stops = (0, curve.best, find_stop_against(extracted.selections, scores, beliefs))
    before, oracle, free = (truth.score(extracted.without(order[:stop])) for stop in stops)
    return Case(scope, name, method, before, oracle, free)


def _score_vote(truth: Truth, decisions: Sequence[Decision]) -> Score:
    return truth.score(np.concatenate([decision.kept for decision in decisions]))


def _show(score: Score) -> str:
    return f"{score.precision:.3f} {score.recall:.3f} {score.f1:.4f}; {score.nodes:.3f}"
