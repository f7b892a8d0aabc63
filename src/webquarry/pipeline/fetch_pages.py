"""Fetch and clean pages; guard the work on each page, so that one failure stops no other page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from webquarry.cleaning.cleandom import clean_cleandom
from webquarry.cleaning.html5 import clean_html5
from webquarry.errors import BrowserError, WebquarryError
from webquarry.fetching import downloads
from webquarry.fetching.policy import Policy
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page

CLEANERS: dict[str, Callable[[Page], Document]] = {"html5": clean_html5, "cleandom": clean_cleandom}

P = TypeVar("P", bound=Page | Document)
T = TypeVar("T")
_log = logging.getLogger(__name__)


def fetch(source: str | Path, **policy: Any) -> Page:
    """Fetch one page: a file, an http address, or `-` for standard input.

    Keywords are the fields of `webquarry.fetching.policy.Policy`, such as `offline=True`.
    """
    return downloads.fetch(source, policy=Policy(**policy))


def fetch_all(
    inputs: Iterable[str | Path], *, progress: Callable[[int, int | None], None] | None = None, **policy: Any
) -> Iterator[Page | Failure]:
    """Fetch the pages of all inputs in order; a page that cannot be fetched becomes a failure."""
    return downloads.fetch_all(inputs, policy=Policy(**policy), progress=progress)


def clean(page: Page, *, method: str = "html5") -> Document:
    """Build the document that a browser would build from the page, or the one that CleanDOM builds."""
    if method not in CLEANERS:
        raise ValueError(f"no cleaning method {method!r}; there are {', '.join(CLEANERS)}")
    return CLEANERS[method](page)


def clean_all(pages: Iterable[Page | Failure], *, method: str = "html5") -> Iterator[Document | Failure]:
    """Clean many pages; a page that cannot be cleaned becomes a failure."""
    return attempt_all(pages, partial(clean, method=method))


def decode(page: Page) -> str:
    """Decode the bytes of a page to markup; raise InputError for what is not a web page."""
    return clean_html5(page).markup


def attempt_all(pages: Iterable[P | Failure], work: Callable[[P], T]) -> Iterator[T | Failure]:
    """Do the work on each page; pass failures on, and turn errors into failures."""
    for page in pages:
        yield page if isinstance(page, Failure) else attempt(page.url, partial(work, page))


def attempt(name: str, work: Callable[[], T]) -> T | Failure:
    """Do the work on a page; return a failure of this name for any error, including bugs of ours."""
    try:
        return work()
    except BrowserError:
        raise  # every other page would fail too
    except WebquarryError as error:
        return Failure(name, str(error))
    except Exception as error:  # noqa: BLE001 - a bug of ours; one page must not stop the others
        _log.debug("", exc_info=error)
        return Failure(name, f"{name}: internal error, please report it: {type(error).__name__}: {error}")


def attempt_together(names: Sequence[str], work: Callable[[Sequence[int]], T]) -> tuple[T | None, dict[int, Failure]]:
    """Do work that takes several pages at once, given by index; leave out the pages on which it fails alone.

    Returns the result (None if the work fails on every page) and the failures by index.  Raises if no single page is
    to blame: our own errors concern the whole set, and a bug may need several pages to show.
    """
    try:
        return work(range(len(names))), {}
    except WebquarryError:
        raise
    except Exception:
        outcomes = enumerate(attempt(name, partial(_try_alone, work, index)) for index, name in enumerate(names))
        failures = {index: outcome for index, outcome in outcomes if isinstance(outcome, Failure)}
        if not failures:
            raise
    left = [index for index in range(len(names)) if index not in failures]
    return (work(left) if left else None), failures


def _try_alone(work: Callable[[Sequence[int]], T], index: int) -> None:
    """Raise the bug that the work has on one page; errors of ours, such as too few pages, do not count."""
    try:
        work([index])
    except WebquarryError:
        return
