"""Fetch pages, also into an archive, and clean them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Unpack

from webquarry.cleaning.cleandom import clean_cleandom
from webquarry.cleaning.html5 import clean_html5
from webquarry.fetching import downloads
from webquarry.fetching.downloads import fetch_named
from webquarry.fetching.inputs import without_credentials
from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.fetching.warc_file import WarcFile
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline.call_arguments import FETCHING, WORKING, require, require_each, require_place, takes
from webquarry.pipeline.page_guard import Load, OpenedPages, PageWork, attempt, attempt_all
from webquarry.pipeline.worker_pool import WorkerOptions, Workers, work_apart

CLEANERS: dict[str, Callable[[Page], Document]] = {"html5": clean_html5, "cleandom": clean_cleandom}
DEFAULT_CLEANER = "html5"


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


def fetch_answers(
    addresses: Sequence[str],
    *,
    progress: Callable[[int, int | None], None] | None = None,
    **options: Unpack[FetchOptions],
) -> Iterator[Page | Failure]:
    """Fetch the answers to forms; the fragment of each address is a form, encoded like a query, to send to it."""
    with closing(downloads.Loader(Policy(**options))) as loader:
        for done, page in enumerate(send_forms(loader, addresses), start=1):
            if progress is not None:
                progress(done, len(addresses))
            yield page


def send_forms(loader: downloads.Loader, addresses: Iterable[str]) -> Iterator[Page | Failure]:
    """Send forms by POST, many at once, and yield the answers in order."""
    parts = ((address, *address.partition("#")[::2]) for address in addresses)
    begun = ((address, loader.begin(place, form=form)) for address, place, form in parts)
    for address, download in downloads.look_ahead(begun):
        shown = without_credentials(address)
        page = attempt(shown, download.result)
        yield page if isinstance(page, Failure) else replace(page, url=shown)


@takes()
def clean(page: Page, *, method: str = DEFAULT_CLEANER) -> Document:
    """Build the tree of a page without a browser.

    page: what `fetch` gives.
    method: `html5` for the tree that a browser would build, `cleandom` for the one that CleanDOM builds.

    >>> import webquarry as wq
    >>> wq.clean(wq.Page(url="https://example.org/", body=b"<ul><li>One<li>Two")).text()
    'One\\nTwo'
    """
    return _find_cleaner(method)(require("clean", page, Page))


@takes(WORKING)
def clean_all(
    pages: Iterable[Page | Failure], *, method: str = DEFAULT_CLEANER, **options: Unpack[WorkerOptions]
) -> Iterator[Document | Failure]:
    """Clean many pages, as `clean` does; a page that cannot be cleaned becomes a failure.

    pages: what `fetch_all` gives.
    method: as in `clean`.

    >>> import webquarry as wq
    >>> [document.text() for document in wq.clean_all([wq.Page(url="https://example.org/", body=b"<p>One")])]
    ['One']
    """
    cleaner, workers = _find_cleaner(method), Workers(**options)
    opened = OpenedPages(
        require_each("clean_all", pages, Page, Failure),
        partial(Cleaning, method),
        lambda given: attempt_all(given, cleaner),
    )
    return work_apart(opened, PageWork(keep), workers) if workers.are_apart else opened


def keep(document: Document) -> Document:
    """Return a document as it is: the work on pages that are only opened."""
    return document


@dataclass(frozen=True)
class Cleaning:
    """Opens pages by cleaning them."""

    method: str = "html5"
    loading = None

    @contextmanager
    def open(self, load: Load | None) -> Iterator[Callable[[Page], Document]]:  # noqa: ARG002 - they load nothing
        """Yield the function that cleans a page."""
        yield _find_cleaner(self.method)


def _find_cleaner(method: str) -> Callable[[Page], Document]:
    if method not in CLEANERS:
        raise ValueError(f"no cleaning method {method!r}; choose from {', '.join(CLEANERS)}")
    return CLEANERS[method]


def decode(page: Page) -> str:
    """Decode the bytes of a page to markup; raise InputError for what is not a web page."""
    return clean_html5(page).markup


_log = logging.getLogger(__name__)


@takes(FETCHING)
def archive_all(
    inputs: Iterable[str | Path],
    output: str | Path,
    *,
    progress: Callable[[int, int | None], None] | None = None,
    max_pages: int | None = None,
    roots: Iterable[str | Path] = (),
    **options: Unpack[FetchOptions],
) -> Iterator[Page | Failure]:
    """Fetch the pages of all inputs and add each to a WARC archive; pages that it has already are not fetched again.

    inputs: files, folders, archives, addresses, and sitemaps and feeds, which stand for the pages that they name.
    output: the archive, a file that ends in .warc.gz.
    progress: called with the number of pages so far and in total (None if unknown).
    max_pages: fetch no more pages than this.
    roots: folders of saved sites, in which a sitemap or feed on disk finds its pages.

    >>> import tempfile, webquarry as wq
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pages = list(wq.archive_all(["examples/shops/kettleby"], f"{folder}/pages.warc.gz"))
    ...     again = list(wq.archive_all(["examples/shops/kettleby"], f"{folder}/pages.warc.gz"))
    >>> len(pages), len(again)
    (4, 0)
    """
    places = list(require_each("archive_all", inputs, str, Path))
    with closing(WarcFile(Path(require_place("archive_all", output)))) as archive:
        if archive.cut_off:
            _log.warning("%s: removed an unfinished record of an earlier run", output)
        named = fetch_named(
            places,
            policy=Policy(**options),
            progress=progress,
            max_pages=max_pages,
            roots=roots,
            known=frozenset(archive.known),
        )
        with closing(named):
            for name, result in named:
                if isinstance(result, Page):
                    archive.add(name, result)
                yield result
