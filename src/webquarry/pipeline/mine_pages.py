"""Mine regions of records from documents, page by page or over the pages of a listing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry.fetching.downloads import Follower, Loader
from webquarry.fetching.policy import Policy
from webquarry.html.urls import path_of
from webquarry.mining.emine import mine_emine, trace_emine
from webquarry.mining.joined_listing import Listing
from webquarry.mining.mdr import mine_mdr
from webquarry.mining.pager import find_next
from webquarry.mining.table_regions import mine_tables
from webquarry.mining.visual import mine_visual
from webquarry.mining.wanted_list import find_doubt, find_like
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.model.region import PageRegions
from webquarry.pipeline.fetch_pages import attempt, attempt_all, clean, decode
from webquarry.pipeline.render_pages import open_renderer
from webquarry.rendering.pictures import draw_regions, draw_steps
from webquarry.rendering.requests import find_web_root

if TYPE_CHECKING:
    from webquarry.model.region import PageResult, Region
    from webquarry.rendering.renderer import Renderer

    Choose = Callable[[Sequence[Region]], Sequence[Region]]

MIN_SCORE_WITHOUT_LAYOUT = 0.1
"""Score of a list in the markup that counts although the layout shows none; a round number."""


def mine_with_and_without_layout(document: Document) -> list[Region]:
    """Mine a document as it is laid out, or by its markup alone where the layout shows no list and the markup has one.

    Where both have a list, the layout decides: it was right on more of the benchmark's pages, whatever the scores.
    """
    regions = mine_visual(document)
    if document.layout is None or (regions and len(regions[0]) > 1):
        return regions
    unseen = mine_visual(replace(document, layout=None))
    if not unseen or len(unseen[0]) < 2 or unseen[0].score < MIN_SCORE_WITHOUT_LAYOUT:
        return regions
    reason = "found by the markup alone: the layout shows no list"
    return [replace(region, document=document, reasons=(reason, *region.reasons)) for region in unseen]


MINERS: dict[str, Callable[[Document], list[Region]]] = {
    "visual": mine_with_and_without_layout,
    "emine": mine_emine,
    "mdr": mine_mdr,
    "tables": mine_tables,
}


def mine(document: Document, *, method: str = "visual", like: str | None = None) -> list[Region]:
    """Find the regions of records or tables on a document, best first, aligned in columns; never renders.

    With `like`, find only the one with a record that has these words; it may be too small to be found otherwise.
    """
    miner = _find_miner(method, like)
    if not isinstance(document, Document):
        raise TypeError(f"mine takes a Document, not a {type(document).__name__}; make one with clean or render")
    return miner(document)


def mine_all(
    documents: Iterable[Document | Failure],
    *,
    method: str = "visual",
    like: str | None = None,
    choose: Choose | None = None,
) -> Iterator[PageResult]:
    """Mine many documents, as `mine` does; a document that cannot be mined becomes a failure.

    `choose` takes the regions of a page and returns the wanted ones.  Their columns are aligned at once, so that an
    error there is a failure of the page too; without `choose` columns are aligned on first use.
    """
    return attempt_all(documents, partial(_mine_page, _find_miner(method, like), choose))


def mine_following(
    page: Page,
    count: int,
    *,
    method: str = "visual",
    region: int = 1,
    like: str | None = None,
    read: Callable[[Page], Document] = clean,
    roots: Iterable[str | Path] = (),
    **policy: Any,
) -> Iterator[PageResult]:
    """Mine a listing that goes on over several pages: the given page and up to `count` next ones.

    Each page is a result with one region: region number `region` of the first page, or the one with a record that has
    the words `like`, and its continuation on the others, with the same column names and without records seen before.
    `read` turns pages into documents.  A page on disk leads to files below the first of the `roots` that holds it, or
    else below the web root that it is in.
    """
    rules = Policy(**policy)
    listing = Listing(region)
    with closing(Loader(rules)) as loader:
        follower = Follower(page.url, loader, [*roots, *_web_roots(page)])
        miners = chain([_find_miner(method, like)], repeat(_find_miner(method)))
        documents = _follow(page, count, read, follower)
        for number, mined in enumerate(attempt_all(documents, lambda each: _mine_page(next(miners), None, each))):
            result = mined if isinstance(mined, Failure) else attempt(mined.page, partial(_continue, listing, mined))
            if number == 0 or isinstance(result, Failure) or result.regions:
                yield result
            if isinstance(result, Failure) or not result.regions:
                return


def mine_pictured(
    page: Page, *, method: str = "visual", like: str | None = None, choose: Choose | None = None, **options: Any
) -> tuple[PageResult, bytes | None]:
    """Render and mine a page, and draw its regions as PNG; without a picture if the page could not be mined.

    The picture shows all regions, or the steps of eMine; the result has those that `choose` returns, as in `mine_all`.
    """
    with open_renderer(options) as renderer:
        drawn = attempt(page.url, partial(_mine_and_draw, renderer, page, _find_miner(method, like)))
        if isinstance(drawn, Failure):
            return drawn, None
        document, regions, picture = drawn
        return attempt(document.url, partial(_to_result, document, regions, choose)), picture


def _mine_and_draw(
    renderer: Renderer, page: Page, miner: Callable[[Document], list[Region]]
) -> tuple[Document, list[Region], bytes]:
    document, screenshot = renderer.shoot(page, decode(page))
    regions = miner(document)
    trace = trace_emine(document) if miner is mine_emine else None
    if trace is not None:
        return document, regions, draw_steps(renderer, document, screenshot, trace.steps)
    return document, regions, draw_regions(renderer, document, screenshot, regions)


def _find_miner(method: str, like: str | None = None) -> Callable[[Document], list[Region]]:
    if method not in MINERS:
        raise ValueError(f"no mining method {method!r}; there are {', '.join(MINERS)}")
    miner = MINERS[method]
    return miner if like is None else lambda document: [find_like(document, miner(document), like)]


def _mine_page(miner: Callable[[Document], list[Region]], choose: Choose | None, document: Document) -> PageRegions:
    return _to_result(document, miner(document), choose)


def _to_result(document: Document, regions: Sequence[Region], choose: Choose | None) -> PageRegions:
    doubt = find_doubt(document, regions)
    if choose is not None:
        regions = choose(regions)
        _align(regions)
    return PageRegions(document.url, document.kind, regions, doubt=doubt)


def _align(regions: Iterable[Region]) -> None:
    """Align columns inside the guard of the page: their next user, such as a sink, has none."""
    for region in regions:
        _ = region.columns


def _continue(listing: Listing, mined: PageRegions) -> PageRegions:
    """Keep the one region of a page that continues the listing, or none."""
    found = listing.take(mined.regions)
    regions = [] if found is None else [found]
    _align(regions)
    return replace(mined, regions=regions, doubt="" if listing.is_continued else mined.doubt)


def _web_roots(page: Page) -> list[Path]:
    return [find_web_root(Path(path_of(page.url)).parent)] if page.url.startswith("file:") else []


def _follow(
    page: Page, count: int, read: Callable[[Page], Document], follower: Follower
) -> Iterator[Document | Failure]:
    """Give the documents of a page and its next pages; stop after the first failure."""
    known: set[str] = set()
    for left in range(count, -1, -1):
        document = attempt(page.url, partial(read, page))
        yield document
        if isinstance(document, Failure):
            return
        known |= {page.url, document.url, document.web_address}
        address = attempt(document.url, partial(find_next, document)) if left else None
        if isinstance(address, Failure):
            yield address
            return
        if address is None or address in known:
            return
        fetch = partial(follower.fetch, address, page=page.url, page_address=document.web_address)
        following = attempt(address, fetch)
        if isinstance(following, Failure):
            yield following
            return
        page = following
        known.add(address)
