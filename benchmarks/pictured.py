"""Mine pages with a picture and without: both must give the same table."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from unittest.mock import patch

from benchmarks.corpora import CorpusPage, draw_evenly, every_page, page_of
from benchmarks.findings import Finding
from benchmarks.miners import grid_of, mine
from benchmarks.pool import show_progress
from webquarry.errors import BrowserError, RenderError
from webquarry.model.document import Document
from webquarry.rendering.renderer import TABS, Renderer
from webquarry.rendering.tab import Tab

DRAWN = 300  # pages without --all-rendered, drawn evenly


def run_pictured(root: Path, count: int | None = None, *, all_rendered: bool = False) -> Finding | None:
    """Count the pages whose first region differs when a picture is taken; None without a corpus or a browser."""
    pages = every_page(root)
    pages = pages if all_rendered else draw_evenly(pages, min(DRAWN, count or DRAWN))
    fates: dict[str, Counter[str]] = {}
    differing = []
    try:
        # The picture itself is left out: it is taken when the document is finished, and costs more than all else.
        with (
            patch.object(Tab, "screenshot", return_value=b""),
            Renderer() as renderer,
            ThreadPoolExecutor(TABS) as pool,
        ):
            found = pool.map(partial(_compare, renderer), pages)
            for page, fate in zip(pages, show_progress(found, len(pages), "with and without pictures"), strict=True):
                fates.setdefault(page.name.split("/")[0], Counter())[fate] += 1
                differing += [page.name] if fate == "differs" else []
    except BrowserError:
        return None
    if not pages:
        return None
    return Finding(
        title="Mining with a picture",
        note="Pages whose first region has other columns or values when a picture of the page is taken.",
        heads=("corpus", "pages", "differing", "not rendered"),
        rows=[
            [corpus, f"{counts.total()}", f"{counts['differs']}", f"{counts['not rendered']}"]
            for corpus, counts in fates.items()
        ],
        figures={"pictured, pages that differ": float(len(differing))},
        complaints=[f"differs with a picture: {name}" for name in differing],
    )


def _compare(renderer: Renderer, page: CorpusPage) -> str:
    markup = page.markup()
    given = page_of(page.path.resolve().as_uri(), markup)
    try:
        plain = renderer.render(given, markup)
        pictured, _ = renderer.shoot(given, markup)
    except RenderError:
        return "not rendered"
    return "same" if plain == pictured or _table(plain) == _table(pictured) else "differs"


def _table(document: Document) -> list[list[list[str]]]:
    return [grid_of(region) for region in mine(document, "visual").regions[:1]]
