"""The order of the stages, written once; implementations are chosen by name from plain tables."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from webquarry import fetching
from webquarry.cleaning import clean_cleandom, clean_html5
from webquarry.errors import BrowserError, WebquarryError
from webquarry.model import Document, Failure, Page

if TYPE_CHECKING:
    from webquarry.mining.listings.joining import Listing
    from webquarry.model import Region
    from webquarry.rendering import Renderer
    from webquarry.storing import PageRegions, PageResult

CLEANERS: dict[str, Callable[[Page], Document]] = {"html5": clean_html5, "cleandom": clean_cleandom}
MINERS = {
    "visual": "webquarry.mining.visual:mine_visual",
    "emine": "webquarry.mining.emine:mine_emine",
    "mdr": "webquarry.mining.mdr:mine_mdr",
    "tables": "webquarry.mining.tables.regions:mine_tables",
}
"""Where the miners are, which take a document and give its regions; they are slow to import."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


def fetch(source: str | Path, **policy: Any) -> Page:
    """The one page that a file, an http address or `-` for standard input names.

    Keywords are the knobs of `webquarry.fetching.Policy`, such as `offline=True`.
    """
    return fetching.fetch(source, policy=fetching.Policy(**policy))


def fetch_all(
    inputs: Iterable[str | Path], *, progress: Callable[[int, int | None], None] | None = None, **policy: Any
) -> Iterator[Page | Failure]:
    """The pages of all inputs, in their order, with a failure in the place of each that could not be had."""
    return fetching.fetch_all(inputs, policy=fetching.Policy(**policy), progress=progress)


def clean(page: Page, *, method: str = "html5") -> Document:
    """The document that a browser would build from the page, or that CleanDOM builds."""
    if method not in CLEANERS:
        raise ValueError(f"no cleaning method {method!r}; there are {', '.join(CLEANERS)}")
    return CLEANERS[method](page)


def clean_all(pages: Iterable[Page | Failure], *, method: str = "html5") -> Iterator[Document | Failure]:
    """The documents of many pages; a page that cannot be cleaned is a failure, and the others go on."""
    for page in pages:
        yield page if isinstance(page, Failure) else _attempt(page.url, partial(clean, page, method=method))


RENDERING = frozenset(["browser", "tabs", "width", "scripts", "wait_for", "timeout", "roots"])
"""The knobs of `webquarry.rendering.Renderer`; all others are those of `webquarry.fetching.Policy`."""


def render(page: Page, **knobs: Any) -> Document:
    """The document as a browser shows it: each node with its box and styles.

    Knobs are `scripts`, `wait_for`, `width`, `timeout`, `browser` and `roots` (folders whose files pages below them
    may use), and those of `webquarry.fetching.Policy` for what pages from the web need.  Each call starts a browser;
    for many pages `render_all` starts one.
    """
    with _renderer(knobs) as renderer:
        return renderer.render(page, clean(page).markup)


def render_all(
    pages: Iterable[Page | Failure],
    *,
    progress: Callable[[int, int | None], None] | None = None,
    timing: Callable[[str, float], None] | None = None,
    **knobs: Any,
) -> Iterator[Document | Failure]:
    """The rendered documents of many pages, in their order, with a failure in the place of each that has none.

    `progress` is called before each result with the number of results so far and of all, None when that is unknown;
    `timing` with the address of each page and the seconds that it took.
    """
    from webquarry.rendering import render_many  # noqa: PLC0415 - NumPy is slow to import

    total = len(pages) if isinstance(pages, Sized) else None
    with ExitStack() as stack:
        renderer = stack.enter_context(_renderer(knobs))
        results = render_many(renderer, pages, decode=lambda page: clean(page).markup, timing=timing)
        stack.enter_context(closing(results))  # its threads end before what they fetch with
        for done, result in enumerate(results, start=1):
            if progress is not None:
                progress(done, total)
            yield result


def shoot(page: Page, *, tags: Iterable[str] = (), **knobs: Any) -> tuple[Document, list[bytes]]:
    """The rendered document, with pictures as PNG: the page, and for each tag the page with that tag's boxes."""
    with _renderer(knobs) as renderer:
        from webquarry.rendering import draw_boxes  # noqa: PLC0415

        document, screenshot = renderer.shoot(page, clean(page).markup)
        return document, [screenshot, *(draw_boxes(renderer, document, screenshot, tag) for tag in tags)]


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
            result = mined if isinstance(mined, Failure) else _attempt(mined.page, partial(_take, listing, mined))
            if number == 0 or isinstance(result, Failure) or result.regions:
                yield result
            if isinstance(result, Failure) or not result.regions:
                return


def mine_pictured(page: Page, *, method: str = "visual", **knobs: Any) -> tuple[PageResult, bytes | None]:
    """The regions of a page, rendered, and a picture of them as PNG; none when the page could not be mined.

    For eMine the picture shows its steps.
    """
    with _renderer(knobs) as renderer:
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

    try:
        return PageRegions(document.url, document.kind, mine(document, method=method))
    except Exception as error:  # noqa: BLE001 - a fault of ours; one page must not stop the others
        _log.debug("", exc_info=error)
        fault = f"internal error, please report it: {type(error).__name__}: {error}"
        return Failure(document.url, f"{document.url}: {fault}")


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
        document = _attempt(page.url, partial(read, page))
        yield document
        if isinstance(document, Failure):
            return
        known |= {page.url, document.url}
        address = find_next(document) if left else None
        if address is None or address in known:
            return
        following = _attempt(address, partial(load, address))
        if isinstance(following, Failure):
            yield following
            return
        page = following
        known.add(address)


def _attempt(name: str, work: Callable[[], T]) -> T | Failure:
    """What the work gives, or a failure of this name in its place."""
    try:
        return work()
    except BrowserError:
        raise  # no other page would fare better
    except WebquarryError as error:
        return Failure(name, str(error))


@contextmanager
def open_reader(**knobs: Any) -> Iterator[Callable[[Page], Document]]:
    """A function that renders page after page in one browser, which ends with the context; knobs as of `render`."""
    with _renderer(knobs) as renderer:
        yield lambda page: renderer.render(page, clean(page).markup)


@contextmanager
def _renderer(knobs: dict[str, Any]) -> Iterator[Renderer]:
    """A renderer whose pages from the web load what they need through our fetch stage, under the same policy."""
    from webquarry.rendering import Renderer  # noqa: PLC0415 - NumPy is slow to import

    policy = fetching.Policy(**{name: value for name, value in knobs.items() if name not in RENDERING})
    loader = fetching.Loader(policy)
    renderer = Renderer(load=loader.load, **{name: value for name, value in knobs.items() if name in RENDERING})
    try:
        yield renderer
    finally:
        loader.stop()
        renderer.close()
        loader.close()
