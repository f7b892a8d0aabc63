"""Documents to regions, page by page or over the pages of a listing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry.fetching import downloads
from webquarry.fetching.downloads import Loader
from webquarry.fetching.policy import Policy
from webquarry.mining.emine import mine_emine, trace_emine
from webquarry.mining.joined_listing import Listing
from webquarry.mining.mdr import mine_mdr
from webquarry.mining.pager import find_next
from webquarry.mining.table_regions import mine_tables
from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.model.region import PageRegions
from webquarry.pipeline.fetch_pages import attempt, clean
from webquarry.pipeline.render_pages import open_renderer
from webquarry.rendering.pictures import draw_regions, draw_steps

if TYPE_CHECKING:
    from webquarry.model.region import PageResult, Region
    from webquarry.rendering.renderer import Renderer

    Choose = Callable[[Sequence[Region]], Sequence[Region]]

MINERS: dict[str, Callable[[Document], list[Region]]] = {
    "visual": mine_visual,
    "emine": mine_emine,
    "mdr": mine_mdr,
    "tables": mine_tables,
}


def mine(document: Document, *, method: str = "visual") -> list[Region]:
    """The regions of records or tables that a document has, the best first, aligned in columns; it never renders."""
    miner = _miner(method)
    if not isinstance(document, Document):
        raise TypeError(f"mine takes a Document, not a {type(document).__name__}; clean or render makes one of a Page")
    return miner(document)


def mine_all(
    documents: Iterable[Document | Failure], *, method: str = "visual", choose: Choose | None = None
) -> Iterator[PageResult]:
    """Mine the regions of many documents; give a failure in the place of each that cannot be mined.

    `choose` takes the regions of a page and gives those that are wanted.  Their columns are aligned at once, so that an
    error in it is a failure of the page too; without `choose` columns are aligned when they are first asked for.
    """
    _miner(method)  # a method that is not there is no fault of a page
    for document in documents:
        yield document if isinstance(document, Failure) else _mine_one(document, method, choose)


def mine_following(
    page: Page,
    count: int,
    *,
    method: str = "visual",
    region: int = 1,
    read: Callable[[Page], Document] = clean,
    roots: Iterable[str | Path] = (),
    **policy: Any,
) -> Iterator[PageResult]:
    """The records of a listing: those of a page, and of up to `count` pages that follow it.

    Each page is a result of its own with one region: the first page's of the number `region`, and on the others the
    one that goes on, with the same names of columns and without records that were there before.  `read` makes the
    documents.  Pages on disk lead to files below `roots`, or below their own folder.
    """

    rules = Policy(**policy)
    listing = Listing(region)
    with closing(Loader(rules)) as loader:
        load = partial(downloads.fetch_onward, start=page.url, load=loader.load, roots=list(roots), policy=rules)
        for number, mined in enumerate(mine_all(_follow(page, count, read, load), method=method)):
            result = mined if isinstance(mined, Failure) else attempt(mined.page, partial(_take, listing, mined))
            if number == 0 or isinstance(result, Failure) or result.regions:
                yield result
            if isinstance(result, Failure) or not result.regions:
                return


def mine_pictured(
    page: Page, *, method: str = "visual", choose: Choose | None = None, **knobs: Any
) -> tuple[PageResult, bytes | None]:
    """Mine a page, rendered, and draw its regions as PNG; there is no picture when the page could not be mined.

    The picture shows all regions, or for eMine its steps; the result has those that `choose` gives, as of `mine_all`.
    """
    with open_renderer(knobs) as renderer:
        drawn = attempt(page.url, partial(_mine_and_draw, renderer, page, method))
        if isinstance(drawn, Failure):
            return drawn, None
        document, regions, picture = drawn
        return attempt(document.url, partial(_to_result, document, regions, choose)), picture


def _mine_and_draw(renderer: Renderer, page: Page, method: str) -> tuple[Document, list[Region], bytes]:

    document, screenshot = renderer.shoot(page, clean(page).markup)
    regions = mine(document, method=method)
    trace = trace_emine(document) if method == "emine" else None
    if trace is not None:
        return document, regions, draw_steps(renderer, document, screenshot, trace.steps)
    return document, regions, draw_regions(renderer, document, screenshot, regions)


def _miner(method: str) -> Callable[[Document], list[Region]]:
    if method not in MINERS:
        raise ValueError(f"no mining method {method!r}; there are {', '.join(MINERS)}")
    return MINERS[method]


def _mine_one(document: Document, method: str, choose: Choose | None) -> PageResult:
    return attempt(document.url, lambda: _to_result(document, mine(document, method=method), choose))


def _to_result(document: Document, regions: Sequence[Region], choose: Choose | None) -> PageRegions:
    """Take the regions that are wanted, with their columns."""

    if choose is not None:
        regions = choose(regions)
        _align(regions)
    return PageRegions(document.url, document.kind, regions)


def _align(regions: Iterable[Region]) -> None:
    """Align the columns of regions.  Whoever asks for them first, such as a sink, is outside of the page's guard."""
    for region in regions:
        _ = region.columns


def _take(listing: Listing, mined: PageRegions) -> PageRegions:
    """The page with the one region that belongs to the listing, or with none."""
    found = listing.take(mined.regions)
    regions = [] if found is None else [found]
    _align(regions)
    return replace(mined, regions=regions)


def _follow(
    page: Page, count: int, read: Callable[[Page], Document], load: Callable[[str], Page]
) -> Iterator[Document | Failure]:
    """The documents of a page and of those that follow it; one that cannot be had is a failure and the last."""

    known: set[str] = set()
    for left in range(count, -1, -1):
        document = attempt(page.url, partial(read, page))
        yield document
        if isinstance(document, Failure):
            return
        known |= {page.url, document.url}
        address = attempt(document.url, partial(find_next, document)) if left else None
        if isinstance(address, Failure):
            yield address
            return
        if address is None or address in known:
            return
        following = attempt(address, partial(load, address))
        if isinstance(following, Failure):
            yield following
            return
        page = following
        known.add(address)
