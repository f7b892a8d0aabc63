"""The rendered articles of the corpus of sites, made once in a run however many parts need them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import webquarry as wq
from benchmarks.corpora import draw_evenly
from benchmarks.pool import show_progress
from webquarry.model.document import Document
from webquarry.model.page import Failure

SITES = ("eightbar", "flink_web", "rust_blog")


@cache
def rendered_site(root: Path, site: str, count: int | None = None) -> tuple[Document, ...]:
    """So many articles of a site, evenly drawn, as a browser shows them, without those that it could not render."""
    folder = root / "sites" / site
    paths = sorted(folder.rglob("*.html"))
    pages = list(wq.fetch_all(draw_evenly(paths, count) if count else paths))
    results = show_progress(wq.render_all(pages, roots=[folder]), len(pages), f"rendering {site}")
    return tuple(result for result in results if not isinstance(result, Failure))
