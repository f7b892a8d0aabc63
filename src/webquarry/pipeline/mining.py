"""Documents to regions, page by page or over the pages of a listing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry import fetching
from webquarry.model import Document, Failure, Page
from webquarry.pipeline.attempts import attempt, attempt_all
from webquarry.pipeline.pages import clean, open_renderer

if TYPE_CHECKING:
    from webquarry.mining.listings.joining import Listing
    from webquarry.model import Region
    from webquarry.storing import PageRegions, PageResult

MINERS = {
    "visual": "webquarry.mining.visual:mine_visual",
    "emine": "webquarry.mining.emine:mine_emine",
    "mdr": "webquarry.mining.mdr:mine_mdr",
    "tables": "webquarry.mining.tables.regions:mine_tables",
}
"""Where the miners are, which take a document and give its regions; they are slow to import."""


def mine(document: Document, *, method: str = "visual") -> list[Region]:
    """The regions of records or tables that a document has, the best first, aligned in columns; it never renders."""
    miner = _miner(method)
    if not isinstance(document, Document):
        raise TypeError(f"mine takes a Document, not a {type(document).__name__}; clean or render makes one of a Page")
    return miner(document)


def mine_all(documents: Iterable[Document | Failure], *, method: str = "visual") -> Iterator[PageResult]:
    """The regions of many documents, with a failure in the place of each that has none to mine."""
    _miner(method)  # a method that is not there is no fault of a page
    for document in documents:
        yield document if isinstance(document, Failure) else _mine_one(document, method)


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
    from webquarry.mining.listings.joining import Listing  # noqa: PLC0415 - NumPy is slow to import

    rules = fetching.Policy(**policy)
    listing = Listing(region)
    with closing(fetching.Loader(rules)) as loader:
        load = partial(fetching.fetch_onward, start=page.url, load=loader.load, roots=list(roots), policy=rules)
        for number, mined in enumerate(mine_all(_follow(page, count, read, load), method=method)):
            result = mined if isinstance(mined, Failure) else attempt(mined.page, partial(_take, listing, mined))
            if number == 0 or isinstance(result, Failure) or result.regions:
                yield result
            if isinstance(result, Failure) or not result.regions:
                return


def mine_pictured(page: Page, *, method: str = "visual", **knobs: Any) -> tuple[PageResult, bytes | None]:
    """The regions of a page, rendered, and a picture of them as PNG; none when the page could not be mined.

    For eMine the picture shows its steps.
    """
    with open_renderer(knobs) as renderer:
        from webquarry.mining.emine import trace_emine  # noqa: PLC0415
        from webquarry.rendering import draw_regions, draw_steps  # noqa: PLC0415

        document, screenshot = renderer.shoot(page, clean(page).markup)
        mined = _mine_one(document, method)
        if isinstance(mined, Failure):
            return mined, None
        trace = trace_emine(document) if method == "emine" else None
        if trace is not None:
            return mined, draw_steps(renderer, document, screenshot, trace.steps)
        return mined, draw_regions(renderer, document, screenshot, mined.regions)


def _miner(method: str) -> Callable[[Document], list[Region]]:
    if method not in MINERS:
        raise ValueError(f"no mining method {method!r}; there are {', '.join(MINERS)}")
    module, _, name = MINERS[method].partition(":")
    miner: Callable[[Document], list[Region]] = getattr(import_module(module), name)
    return miner


def _mine_one(document: Document, method: str) -> PageResult:
    from webquarry.storing import PageRegions  # noqa: PLC0415 - slow to import

    def work() -> PageRegions:
        return PageRegions(document.url, document.kind, mine(document, method=method))

    return attempt_all(document.url, work)


def _take(listing: Listing, mined: PageRegions) -> PageRegions:
    """The page with the one region that belongs to the listing, or with none."""
    found = listing.take(mined.regions)
    return replace(mined, regions=[] if found is None else [found])


def _follow(
    page: Page, count: int, read: Callable[[Page], Document], load: Callable[[str], Page]
) -> Iterator[Document | Failure]:
    """The documents of a page and of those that follow it; one that cannot be had is a failure and the last."""
    from webquarry.mining.listings.pagers import find_next  # noqa: PLC0415 - NumPy is slow to import

    known: set[str] = set()
    for left in range(count, -1, -1):
        document = attempt(page.url, partial(read, page))
        yield document
        if isinstance(document, Failure):
            return
        known |= {page.url, document.url}
        address = find_next(document) if left else None
        if address is None or address in known:
            return
        following = attempt(address, partial(load, address))
        if isinstance(following, Failure):
            yield following
            return
        page = following
        known.add(address)
