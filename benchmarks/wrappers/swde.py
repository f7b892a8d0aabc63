"""Score fields that were learnt without labels against the attributes of SWDE."""

from __future__ import annotations

from pathlib import Path

import webquarry as wq
from benchmarks.findings import Finding
from benchmarks.pool import show_progress
from benchmarks.wrappers.sites import LEARNT, AttributeScore, Site, find_sites, score_site


def run_swde(root: Path, count: int | None = None) -> Finding | None:  # noqa: ARG001 - as all parts
    """Score every attribute of every site; None without the corpus."""
    sites = find_sites(root)
    if not sites:
        return None
    scores = {site: measure_site(site) for site in show_progress(sites, len(sites), "swde")}
    every = [score for each in scores.values() for score in each]
    found = sum(score.is_found for score in every)
    return Finding(
        title="Attributes of sites",
        note=f"Learnt from {LEARNT} pages without labels or a browser, read on the others. For each attribute, the"
        " field that equals it on most pages, word for word."
        f" {found} of {len(every)} attributes are equal on all pages.",
        heads=("", "attribute", "field", "pages equal", "in some field"),
        rows=[_row(site, score) for site, each in scores.items() for score in each],
        figures={"swde, attributes found": float(found)},
        complaints=[
            f"attribute not found: {site.name} {score.attribute}: {_reason(score)}"
            for site, each in scores.items()
            for score in each
            if not score.is_found
        ],
    )


def measure_site(site: Site) -> list[AttributeScore]:
    """Score a wrapper learnt from the samples."""
    wrapper = wq.wrap(site.samples, name=site.name.replace("-", "_"), kind="item")
    return score_site(site, [wq.extract(wrapper, document) for document in site.others])


def _row(site: Site, score: AttributeScore) -> list[str]:
    return [
        site.name,
        score.attribute,
        score.field or "-",
        f"{score.equal} of {score.pages}",
        f"{score.inside} of {score.pages}",
    ]


def _reason(score: AttributeScore) -> str:
    if score.inside < score.pages:
        return f"in no field on {score.pages - score.inside} of {score.pages} pages"
    return f"among other words on {score.pages - score.equal} of {score.pages} pages"
