"""Mine pages with a picture and without: both must give the same table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.findings import Finding
from benchmarks.listings import listings
from benchmarks.miners import grid_of, mine
from benchmarks.modern import modern_listings, rendered_modern
from benchmarks.pool import show_progress
from benchmarks.rendered import rendered_listings
from webquarry.errors import BrowserError
from webquarry.html.parsing import decode
from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.rendering.renderer import Renderer

CORPORA = ("records", "modern")


def run_pictured(root: Path, count: int | None = None) -> Finding | None:
    """Count the pages whose first region differs when a picture is taken; None without a corpus or a browser."""
    roots = [page.folder for page in modern_listings(root, count)]
    try:
        with Renderer(roots=roots) as renderer:
            differing = {corpus: list(_find_differing(root, count, corpus, renderer)) for corpus in CORPORA}
    except BrowserError:
        return None
    sizes = {"records": len(listings(root, count)), "modern": len(modern_listings(root, count))}
    if not any(sizes.values()):
        return None
    return Finding(
        title="Mining with a picture",
        note="Pages whose first region has other columns or values when a picture of the page is taken.",
        heads=("corpus", "pages", "differing"),
        rows=[[corpus, f"{sizes[corpus]}", f"{len(differing[corpus])}"] for corpus in CORPORA],
        figures={"pictured, pages that differ": float(sum(map(len, differing.values())))},
        complaints=[f"differs with a picture: {name}" for names in differing.values() for name in names],
    )


def _find_differing(root: Path, count: int | None, corpus: str, renderer: Renderer) -> Iterator[str]:
    pages: list[tuple[str, Page]]
    documents: tuple[Document | None, ...]
    if corpus == "records":
        pages, documents = [(each.name, each.page) for each in listings(root, count)], rendered_listings(root, count)
    else:
        pages = [(each.name, each.page) for each in modern_listings(root, count)]
        documents = rendered_modern(root, count)
    both = show_progress(zip(pages, documents, strict=True), len(pages), f"pictures of the {corpus} corpus")
    for (name, page), document in both:
        pictured, _ = renderer.shoot(page, decode(page.body))
        if _table(pictured) != _table(document):
            yield name


def _table(document: Document | None) -> list[list[list[str]]]:
    return [grid_of(region) for region in mine(document, "visual").regions[:1]]
