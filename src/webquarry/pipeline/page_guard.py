"""Guard the work on each page, so that one failure stops no other page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from webquarry.errors import BrowserError, FetchError, InputError, LimitError, RenderError, WebquarryError
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline.page_limits import page_limit

P = TypeVar("P", bound=Page | Document)
T = TypeVar("T")
_KINDS: dict[type[WebquarryError], str] = {
    LimitError: "limit",
    FetchError: "fetch",
    RenderError: "render",
    InputError: "input",
}
_log = logging.getLogger(__name__)


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
        return Failure(name, str(error), kind=_kind_of(error))
    except MemoryError:
        return Failure(name, f"{name}: needs more memory than there is; leave the page out", kind="limit")
    except Exception as error:  # noqa: BLE001 - a bug of ours; one page must not stop the others
        _log.debug("", exc_info=error)
        said = f"{name}: internal error, please report it: {type(error).__name__}: {error}"
        return Failure(name, said, kind="internal")


def _kind_of(error: WebquarryError) -> str:
    return next((kind for each, kind in _KINDS.items() if isinstance(error, each)), "")


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
    """Re-raise a crash on one page alone; a WebquarryError, such as too few pages, does not count."""
    try:
        work([index])
    except LimitError:
        raise
    except WebquarryError:
        return
