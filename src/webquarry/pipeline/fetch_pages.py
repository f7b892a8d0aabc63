"""Fetch and clean pages; guard the work on each page, so that one failure stops no other page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from functools import partial
from pathlib import Path
from typing import TypeVar, Unpack

from webquarry.cleaning.cleandom import clean_cleandom
from webquarry.cleaning.html5 import clean_html5
from webquarry.errors import BrowserError, LimitError, WebquarryError
from webquarry.fetching import downloads
from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline.argument_types import require, require_each, require_place
from webquarry.pipeline.page_limits import page_limit
from webquarry.pipeline.shared_options import FETCHING, takes

CLEANERS: dict[str, Callable[[Page], Document]] = {"html5": clean_html5, "cleandom": clean_cleandom}
DEFAULT_CLEANER = "html5"

P = TypeVar("P", bound=Page | Document)
T = TypeVar("T")
_log = logging.getLogger(__name__)


@takes(FETCHING)
def fetch(source: str | Path, **options: Unpack[FetchOptions]) -> Page:
    """Fetch one page.

    source: a file, an http or https address, or `-` for standard input.

    >>> import webquarry as wq
    >>> wq.fetch("examples/shops/kettleby/index.html").status
    200
    """
    return downloads.fetch(require_place("fetch", source), policy=Policy(**options))


@takes(FETCHING)
def fetch_all(
    inputs: Iterable[str | Path],
    *,
    progress: Callable[[int, int | None], None] | None = None,
    max_pages: int | None = None,
    roots: Iterable[str | Path] = (),
    follow_lists: bool = True,
    **options: Unpack[FetchOptions],
) -> Iterator[Page | Failure]:
    """Fetch the pages of all inputs in order; a page that cannot be fetched becomes a failure.

    inputs: files, folders, archives, addresses, and sitemaps and feeds, which stand for the pages that they name.
    progress: called with the number of pages so far and in total (None if unknown).
    max_pages: fetch no more pages than this; a warning says how many are left out.
    roots: folders of saved sites, in which a sitemap or feed on disk finds its pages.
    follow_lists: False gives sitemaps and feeds as they are, so that every address gives one page.

    >>> import webquarry as wq
    >>> len([page for page in wq.fetch_all(["examples/shops/kettleby"]) if isinstance(page, wq.Page)])
    4
    """
    places = require_each("fetch_all", inputs, str, Path)
    known = list(places) if isinstance(inputs, Sized) else places  # a list has a total to tell
    return downloads.fetch_all(
        known,
        policy=Policy(**options),
        progress=progress,
        max_pages=max_pages,
        roots=roots,
        follow_lists=follow_lists,
    )


def clean(page: Page, *, method: str = DEFAULT_CLEANER) -> Document:
    """Build the tree of a page without a browser.

    page: what `fetch` gives.
    method: `html5` for the tree that a browser would build, `cleandom` for the one that CleanDOM builds.

    >>> import webquarry as wq
    >>> wq.clean(wq.Page(url="https://example.org/", body=b"<ul><li>One<li>Two")).text()
    'One\\nTwo'
    """
    return _find_cleaner(method)(require("clean", page, Page))


def clean_all(pages: Iterable[Page | Failure], *, method: str = DEFAULT_CLEANER) -> Iterator[Document | Failure]:
    """Clean many pages, as `clean` does; a page that cannot be cleaned becomes a failure.

    pages: what `fetch_all` gives.
    method: as in `clean`.

    >>> import webquarry as wq
    >>> [document.text() for document in wq.clean_all([wq.Page(url="https://example.org/", body=b"<p>One")])]
    ['One']
    """
    return attempt_all(require_each("clean_all", pages, Page, Failure), _find_cleaner(method))


def _find_cleaner(method: str) -> Callable[[Page], Document]:
    if method not in CLEANERS:
        raise ValueError(f"no cleaning method {method!r}; there are {', '.join(CLEANERS)}")
    return CLEANERS[method]


def decode(page: Page) -> str:
    """Decode the bytes of a page to markup; raise InputError for what is not a web page."""
    return clean_html5(page).markup


def attempt_all(pages: Iterable[P | Failure], work: Callable[[P], T]) -> Iterator[T | Failure]:
    """Do the work on each page; pass failures on, and turn errors into failures."""
    for page in pages:
        yield page if isinstance(page, Failure) else attempt(page.url, partial(work, page))


def attempt(name: str, work: Callable[[], T]) -> T | Failure:
    """Do the work on a page within its limits; return a failure of this name for any error, including bugs of ours."""
    try:
        with page_limit(name):
            return work()
    except BrowserError:
        raise  # every other page would fail too
    except WebquarryError as error:
        return Failure(name, str(error))
    except MemoryError:
        return Failure(name, f"{name}: needs more memory than there is; leave the page out")
    except Exception as error:  # noqa: BLE001 - a bug of ours; one page must not stop the others
        _log.debug("", exc_info=error)
        return Failure(name, f"{name}: internal error, please report it: {type(error).__name__}: {error}")


def attempt_together(names: Sequence[str], work: Callable[[Sequence[int]], T]) -> tuple[T | None, dict[int, Failure]]:
    """Do work that takes several pages at once, given by index; leave out the pages on which it fails alone.

    Returns the result (None if the work fails on every page) and the failures by index.  Raises if no single page is
    to blame: our own errors concern the whole set, and a bug may need several pages to show.
    """
    try:
        with page_limit(f"{len(names)} pages together", len(names)):
            return work(range(len(names))), {}
    except Exception as error:
        if isinstance(error, WebquarryError) and not isinstance(error, LimitError):
            raise
        outcomes = enumerate(attempt(name, partial(_try_alone, work, index)) for index, name in enumerate(names))
        failures = {index: outcome for index, outcome in outcomes if isinstance(outcome, Failure)}
        if not failures:
            raise
    left = [index for index in range(len(names)) if index not in failures]
    if not left:
        return None, failures
    with page_limit(f"{len(left)} pages together", len(left)):
        return work(left), failures


def _try_alone(work: Callable[[Sequence[int]], T], index: int) -> None:
    """Raise the bug that the work has on one page; errors of ours, such as too few pages, do not count."""
    try:
        work([index])
    except LimitError:
        raise
    except WebquarryError:
        return
