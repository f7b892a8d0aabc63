"""Mine regions of records from documents, page by page or over the pages of a listing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from webquarry.errors import InputError
from webquarry.fetching.downloads import Follower, Loader
from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.html.urls import path_of
from webquarry.mining.detail_page import put_item_first
from webquarry.mining.emine import explain_emine, mine_emine, trace_emine
from webquarry.mining.listing_choice import Listing, find_doubt, find_like, pick_region
from webquarry.mining.mdr import explain_mdr, mine_mdr
from webquarry.mining.pager import find_next
from webquarry.mining.stated_join import join_stated
from webquarry.mining.stated_regions import mine_data
from webquarry.mining.table_regions import mine_tables
from webquarry.mining.visual import mine_visual
from webquarry.model.document import Document
from webquarry.model.nouns import replace_fields
from webquarry.model.page import Failure, Page
from webquarry.model.region import PageRegions
from webquarry.page.stated_items import PageData
from webquarry.pipeline.call_arguments import FETCHING, WORKING, require, require_each, require_place, takes
from webquarry.pipeline.fetch_pages import clean, decode, fetch
from webquarry.pipeline.page_guard import PageWork, attempt, attempt_all
from webquarry.pipeline.render_pages import (
    RENDERING,
    RenderOptions,
    open_renderer,
    render as render_page,
    split_options,
)
from webquarry.pipeline.worker_pool import WorkerOptions, Workers, work_apart
from webquarry.rendering.browser import ADVICE, find_browser
from webquarry.rendering.pictures import draw_regions, draw_steps
from webquarry.rendering.requests import find_web_root

if TYPE_CHECKING:
    from webquarry.model.region import PageResult, Region
    from webquarry.rendering.renderer import Renderer

    Choose = Callable[[Sequence[Region]], Sequence[Region]]

_log = logging.getLogger(__name__)

MIN_SCORE_WITHOUT_LAYOUT = 0.1
"""Score of a list in the markup that counts although the layout shows none; a round number."""


def mine_with_and_without_layout(document: Document) -> list[Region]:
    """Mine a document as it is laid out, or by its markup alone where that says more and has a list.

    Where both have a list, the layout decides: it was right on more of the benchmark's pages, whatever the scores.  On
    pages without their style sheets the markup does: of 117 pages it was right on 3 more, on none less.
    """
    if document.layout is None:
        return mine_visual(document)
    if document.layout.is_unstyled:
        return _mine_markup(document, "the page lacks style sheets") or mine_visual(document)
    regions = mine_visual(document)
    if regions and len(regions[0]) > 1:
        return regions
    return _mine_markup(document, "the layout shows no list", MIN_SCORE_WITHOUT_LAYOUT) or regions


def _mine_markup(document: Document, why: str, least: float = 0.0) -> list[Region]:
    """Mine a document by its markup alone; nothing if that has no list of at least this score."""
    unseen = mine_visual(replace(document, layout=None))
    if not unseen or len(unseen[0]) < 2 or unseen[0].score < least:
        return []
    reason = f"found by the markup alone: {why}"
    return [replace_fields(region, document=document, reasons=(reason, *region.reasons)) for region in unseen]


def mine_seen_and_stated(document: Document) -> list[Region]:
    """Mine what is seen on a page, joined with what the page states about it; the default method.

    The first region of a detail page is the one thing that it is about.
    """
    data = PageData(document)
    return join_stated(put_item_first(document, mine_with_and_without_layout(document), data, by_facts=True), data)


MINERS: dict[str, Callable[[Document], list[Region]]] = {
    "visual": mine_seen_and_stated,
    "emine": mine_emine,
    "mdr": mine_mdr,
    "tables": mine_tables,
    "data": mine_data,
}
EXPLAINERS: dict[str, Callable[[Document], list[str]]] = {"emine": explain_emine, "mdr": explain_mdr}
"""Functions that describe the steps of a paper's method on a page, a line each."""


@takes()
def mine(document: Document, *, method: str = "visual", like: str | None = None) -> list[Region]:
    """Find the regions of records or tables on a document, best first, aligned in columns; never renders.

    document: what `clean` or `render` gives; `table` takes the name of a page.
    method: `visual`, `emine` (rendered documents only), `mdr`, `tables` (of the markup) or `data` (what pages state).
    like: find only the region with a record that has these words; it may be too small to be found otherwise.

    >>> import webquarry as wq
    >>> wq.mine(wq.clean(wq.fetch("examples/shops/kettleby/index.html")))[0].records[0].values["title"]
    'Brill Whistling Kettle K-15'
    """
    return _find_miner(method, like)(require("mine", document, Document))


@takes(RENDERING, FETCHING)
def table(
    source: str | Path | Page | Document,
    *,
    method: str = "visual",
    like: str | None = None,
    region: int = 1,
    render: bool | None = None,
    **options: Unpack[RenderOptions],
) -> Region:
    """Find the best table of a page: fetch it, render it if there is a browser, and mine it.

    Raises InputError if the page has no records.  `region["price"]` gives the values of a column, `to_pandas`,
    `to_polars` and `to_arrow` a data frame, and `mine` all regions.

    source: a file, an address, a page, or a document, which is mined as it is.
    method: as in `mine`.
    like: words of a record; its region is given.
    region: the number of the region that is given; 1 is the best.
    render: True needs a browser, False goes without one.

    >>> import webquarry as wq
    >>> offers = wq.table("examples/shops/kettleby/index.html", render=False)
    >>> offers["title"][:2], offers["price"][:2]
    (['Brill Whistling Kettle K-15', 'Brill Camping Kettle C-08'], [31.0, 17.9])
    """
    document = source if isinstance(source, Document) else _open(source, render, options)
    regions = mine(document, method=method, like=like)
    if not regions:
        advice = "" if document.layout else "; a browser may see more: leave out render=False"
        raise InputError(f"{document.url}: no records were found{advice}")
    return pick_region(regions, region)


def _open(source: str | Path | Page, render: bool | None, options: RenderOptions) -> Document:
    page = source
    if not isinstance(page, Page):
        page = fetch(require_place("table", page), **split_options(options)[0])
    if render is None and find_browser(options.get("browser")) is None:
        _log.warning("no browser was found, so the page is read without rendering, which finds less; %s", ADVICE)
        return clean(page)
    return clean(page) if render is False else render_page(page, **options)


@takes(WORKING)
def mine_all(
    documents: Iterable[Document | Failure],
    *,
    method: str = "visual",
    like: str | None = None,
    choose: Choose | None = None,
    **options: Unpack[WorkerOptions],
) -> Iterator[PageResult]:
    """Mine many documents, as `mine` does; a document that cannot be mined becomes a failure.

    documents: what `clean_all` or `render_all` gives.
    method, like: as in `mine`.
    choose: takes the regions of a page and returns the wanted ones.  Their columns are aligned at once, so that an
        error there is a failure of the page too; without `choose` columns are aligned on first use.

    >>> import webquarry as wq
    >>> [result.page for result in wq.mine_all([wq.Document("<p>One", url="https://example.org/")])]
    ['https://example.org/']
    """
    each, workers = make_miner(method, like=like, choose=choose), Workers(**options)
    given = require_each("mine_all", documents, Document, Failure)
    return work_apart(given, PageWork(each), workers) if workers.are_apart else attempt_all(given, each)


def make_miner(
    method: str = "visual", *, like: str | None = None, choose: Choose | None = None
) -> Callable[[Document], PageRegions]:
    """Make the function that mines a document as `mine_all` does; it can be sent to other processes."""
    return partial(_mine_page, _find_miner(method, like), choose)


@takes(FETCHING)
def mine_following(
    page: Page,
    count: int,
    *,
    method: str = "visual",
    region: int = 1,
    like: str | None = None,
    read: Callable[[Page], Document] = clean,
    roots: Iterable[str | Path] = (),
    **options: Unpack[FetchOptions],
) -> Iterator[PageResult]:
    """Mine a listing that goes on over several pages: the given page and up to `count` next ones.

    Each page is a result with one region: the wanted one of the first page and its continuation on the others, with
    the same column names and without records seen before.

    page: the first page, as `fetch` gives it.
    count: of next pages, at most.
    method: as in `mine`.
    region: the number of the wanted region on the first page; 1 is the best.
    like: words of a record; the wanted region has it.
    read: turns pages into documents.
    roots: a page on disk leads to files below the first of these folders that holds it, or else below the web root
        that it is in.

    >>> import webquarry as wq
    >>> page = wq.fetch("examples/shops/kettleby/index.html")
    >>> [result.page.rpartition("/")[2] for result in wq.mine_following(page, 5)]
    ['index.html', 'page2.html', 'page3.html']
    """
    require("mine_following", page, Page)
    rules = Policy(**options)
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


@takes(RENDERING, FETCHING)
def mine_pictured(
    page: Page,
    *,
    method: str = "visual",
    like: str | None = None,
    choose: Choose | None = None,
    **options: Unpack[RenderOptions],
) -> tuple[PageResult, bytes | None]:
    """Render and mine a page, and draw its regions as PNG; without a picture if the page could not be mined.

    The picture shows all regions, or the steps of eMine; the result has those that `choose` returns, as in `mine_all`.

    page: what `fetch` gives.
    method, like: as in `mine`.

    >>> import webquarry as wq
    >>> from webquarry.rendering.browser import find_browser
    >>> if find_browser():
    ...     result, picture = wq.mine_pictured(wq.fetch("examples/shops/kettleby/index.html"))
    ...     assert picture[:4] == b"\\x89PNG"
    """
    require("mine_pictured", page, Page)
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
        raise ValueError(f"no mining method {method!r}; choose from {', '.join(MINERS)}")
    miner = MINERS[method]
    return miner if like is None else partial(_mine_like, miner, like)


def _mine_like(miner: Callable[[Document], list[Region]], like: str, document: Document) -> list[Region]:
    return [find_like(document, miner(document), like)]


def _mine_page(miner: Callable[[Document], list[Region]], choose: Choose | None, document: Document) -> PageRegions:
    return _to_result(document, miner(document), choose)


def _to_result(document: Document, regions: Sequence[Region], choose: Choose | None) -> PageRegions:
    chosen = regions if choose is None else choose(regions)
    if choose is not None:
        _align(chosen)
    return PageRegions(document.url, document.kind, chosen, doubt=partial(find_doubt, document, regions))


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


def fetch_next(
    page: Page, document: Document, *, roots: Iterable[str | Path] = (), policy: FetchOptions | None = None
) -> Page | None:
    """Fetch the page that continues the listing of a page, if its pager names one."""
    address = find_next(document)
    if address is None:
        return None
    with closing(Loader(Policy(**(policy or {})))) as loader:
        follower = Follower(page.url, loader, [*roots, *_web_roots(page)])
        return follower.fetch(address, page=page.url, page_address=document.web_address)


def _web_roots(page: Page) -> list[Path]:
    return [find_web_root(Path(path_of(page.url)).parent)] if page.url.startswith("file:") else []


def _follow(
    page: Page, count: int, read: Callable[[Page], Document], follower: Follower
) -> Iterator[Document | Failure]:
    """Yield the documents of a page and its next pages; stop after the first failure."""
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
