"""Check that no page raises: mine every page of every corpus, and convert its regions to JSON and Arrow."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import webquarry as wq
from benchmarks.corpora import CorpusPage, draw_evenly, every_page, page_of, snippets
from benchmarks.findings import Finding
from benchmarks.pool import show_progress, work_through
from webquarry.errors import WebquarryError
from webquarry.model.document import Document
from webquarry.model.page import Failure

STATIC_METHODS = ("visual", "tables")
RENDERED_METHODS = ("visual", "emine", "mdr", "tables")
RENDERED = 300  # pages rendered without --all-rendered, drawn evenly


def run_safety(root: Path, count: int | None = None, *, all_rendered: bool = False) -> Finding:
    """Count the pages that raise, static and rendered."""
    pages = [*every_page(root), *snippets(root)]
    static = draw_evenly(pages, count) if count else pages
    rendered = every_page(root)
    rendered = rendered if all_rendered else draw_evenly(rendered, min(RENDERED, count or RENDERED))
    answers = zip(static, work_through(mine_static, static, "mining every page"), strict=True)
    complaints = [f"static raises: {page.name}: {line}" for page, lines in answers for line in lines]
    refused, raised = _mine_rendered(rendered)
    return Finding(
        title="No page raises",
        heads=("", "methods", "pages", "raised"),
        rows=[
            ["static", ", ".join(STATIC_METHODS), f"{len(static):,}", str(len(complaints))],
            ["rendered", ", ".join(RENDERED_METHODS), f"{len(rendered) - refused:,}", str(len(raised))],
        ],
        note=f"{refused} pages could not be rendered." if refused else "",
        figures={"mining, pages that raise": float(len(complaints) + len(raised))},
        complaints=[*complaints, *raised],
    )


def mine_static(page: CorpusPage) -> list[str]:
    """Mine a page without layout; return a line for each method that raises."""
    try:
        document = wq.clean(page_of("https://page.example/", page.markup()))
    except WebquarryError:
        return []  # some files of the corpora are not web pages, and cleaning rejects them
    return mine_with(document, STATIC_METHODS)


def mine_with(document: Document, methods: Sequence[str]) -> list[str]:
    """Mine a document; return a line for each method that raises."""
    return [f"{method}: {error!r}" for method in methods if (error := _try(document, method))]


def _try(document: Document, method: str) -> Exception | None:
    try:
        for region in wq.mine(document, method=method):
            json.dumps(region.to_dict())
            region.to_arrow()
    except Exception as error:  # noqa: BLE001 - nothing should be raised
        return error
    return None


def _mine_rendered(pages: Sequence[CorpusPage]) -> tuple[int, list[str]]:
    """Return the number of pages that could not be rendered, and a line for each error of the others."""
    refused, raised = 0, []
    for page, result in zip(pages, _render(pages), strict=True):
        if isinstance(result, Failure):
            refused += 1
        else:
            raised += [f"rendered raises: {page.name}: {line}" for line in mine_with(result, RENDERED_METHODS)]
    return refused, raised


def _render(pages: Sequence[CorpusPage]) -> Iterable[Document | Failure]:
    given = (page_of(page.path.resolve().as_uri(), page.markup()) for page in pages)
    return show_progress(wq.render_all(given, offline=True), len(pages), "rendering and mining")
