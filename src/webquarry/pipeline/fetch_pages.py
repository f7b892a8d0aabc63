"""Fetch and clean pages; guard work on each page, so that one failure stops no other page."""

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

T = TypeVar("T")
_log = logging.getLogger(__name__)


def attempt(name: str, work: Callable[[], T]) -> T | Failure:
    """Do the work on a page; give a failure of this name in place of an error, also of a fault of ours."""
    try:
        return work()
    except BrowserError:
        raise  # no other page would fare better
    except WebquarryError as error:
        return Failure(name, str(error))
    except Exception as error:  # noqa: BLE001 - a fault of ours; one page must not stop the others
        _log.debug("", exc_info=error)
        return Failure(name, f"{name}: internal error, please report it: {type(error).__name__}: {error}")


def attempt_together(names: Sequence[str], work: Callable[[Sequence[int]], T]) -> tuple[T | None, dict[int, Failure]]:
    """Do work that takes several pages at once, given by their places; leave out pages on which it fails alone.

    Gives what the work gave, None if it fails on every page, and the failures by place.  Raises if the fault is not
    that of a page: our own errors speak of the whole, and a fault may need several pages to show.
    """
    try:
        return work(range(len(names))), {}
    except WebquarryError:
        raise
    except Exception:
        outcomes = enumerate(attempt(name, partial(_try_alone, work, place)) for place, name in enumerate(names))
        failures = {place: outcome for place, outcome in outcomes if isinstance(outcome, Failure)}
        if not failures:
            raise
    left = [place for place in range(len(names)) if place not in failures]
    return (work(left) if left else None), failures


def _try_alone(work: Callable[[Sequence[int]], T], place: int) -> None:
    """Raise the fault of ours that the work has on one page; that one page is too few for it is no fault."""
    try:
        work([place])
    except WebquarryError:
        return


CLEANERS: dict[str, Callable[[Page], Document]] = {"html5": clean_html5, "cleandom": clean_cleandom}


def fetch(source: str | Path, **policy: Any) -> Page:
    """The one page that a file, an http address or `-` for standard input names.

    Keywords are the knobs of `webquarry.fetching.Policy`, such as `offline=True`.
    """
    return downloads.fetch(source, policy=Policy(**policy))


def fetch_all(
    inputs: Iterable[str | Path], *, progress: Callable[[int, int | None], None] | None = None, **policy: Any
) -> Iterator[Page | Failure]:
    """The pages of all inputs, in their order, with a failure in the place of each that could not be had."""
    return downloads.fetch_all(inputs, policy=Policy(**policy), progress=progress)


def clean(page: Page, *, method: str = "html5") -> Document:
    """The document that a browser would build from the page, or that CleanDOM builds."""
    if method not in CLEANERS:
        raise ValueError(f"no cleaning method {method!r}; there are {', '.join(CLEANERS)}")
    return CLEANERS[method](page)


def clean_all(pages: Iterable[Page | Failure], *, method: str = "html5") -> Iterator[Document | Failure]:
    """The documents of many pages; a page that cannot be cleaned is a failure, and the others go on."""
    for page in pages:
        yield page if isinstance(page, Failure) else attempt(page.url, partial(clean, page, method=method))
