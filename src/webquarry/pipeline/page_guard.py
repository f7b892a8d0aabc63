"""Describe and guard the work on each page, so that one failure stops no other page.

The work on a page runs in this process, so a timer checks its time and memory regularly and raises inside it.  Three
things follow.  Only the main thread is limited, because only there does Python run the handlers of signals: a program
that works on pages in other threads has to limit them itself.  A program that uses `SIGALRM` keeps it, and its pages
have no limit.  A single call into a C library is not interrupted, so pages that cost a parser much are bounded before
they reach it (`webquarry.html.parsing`).
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from types import FrameType
from typing import Any, Protocol, TypeVar

from webquarry.errors import BrowserError, FetchError, InputError, LimitError, RenderError, WebquarryError
from webquarry.fetching.policy import Policy
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.rendering.browser import resident_bytes

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


MAX_PAGE_SECONDS = 60.0
"""CPU time for a page; the slowest page of the benchmarks' corpora takes a twentieth of it."""
MAX_PAGE_BYTES = 3 * 2**30
"""Memory that a page may add to the process, at most half of the machine's; a page of a megabyte takes a third of it
at worst."""
LOOK_SECONDS = 0.2
"""The interval at which time and memory are checked."""
LOOKS_AT_LEAST = 4
"""The minimum number of checks within the time limit of a page, if that is short."""

_is_limited = False
_limits: PageLimits | None = None


@dataclass(frozen=True)
class PageLimits:
    """The limits of a page."""

    seconds: float = MAX_PAGE_SECONDS
    """Seconds of CPU time."""
    memory: int = MAX_PAGE_BYTES
    """Bytes that it may add to its process."""

    def allowed_bytes(self, pages: int) -> int:
        """Return the memory limit of several pages together: at most half of the machine's memory."""
        return min(self.memory * pages, _machine_bytes() // 2)


def use_limits(limits: PageLimits) -> None:
    """Set the limits of pages in this process, which is there for nothing else."""
    global _limits  # noqa: PLW0603 - the process has one timer
    _limits = limits


@contextmanager
def page_limit(name: str, pages: int = 1) -> Iterator[None]:
    """Raise LimitError in the block when it takes too long or too much memory for its number of pages.

    A block within another one has no limit of its own.
    """
    global _is_limited  # noqa: PLW0603 - the process has one timer
    if _is_limited or not _has_free_timer():
        yield
        return
    started, held = time.thread_time(), resident_bytes()

    def look(_signal: int, _frame: FrameType | None) -> None:
        _check(name, pages, time.thread_time() - started, resident_bytes() - held)

    before = signal.signal(signal.SIGALRM, look)
    _is_limited = True
    interval = min(LOOK_SECONDS, _current_limits().seconds / LOOKS_AT_LEAST)
    signal.setitimer(signal.ITIMER_REAL, interval, interval)
    try:
        try:
            yield
        finally:  # the timer may raise once more right here, and must be stopped even then
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        _is_limited = False


def _current_limits() -> PageLimits:
    return _limits or PageLimits(MAX_PAGE_SECONDS, MAX_PAGE_BYTES)


def _check(name: str, pages: int, seconds: float, memory: int) -> None:
    limits = _current_limits()
    if seconds > limits.seconds * pages:
        raise LimitError(f"{name}: given up after {seconds:.0f} s; leave the page out, or report it")
    if memory > limits.allowed_bytes(pages):
        raise LimitError(f"{name}: given up after {memory / 2**30:.1f} GB of memory; leave the page out, or report it")


@cache
def _machine_bytes() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _has_free_timer() -> bool:
    """Tell whether this thread may set the timer and nobody else uses it."""
    return (
        threading.current_thread() is threading.main_thread()
        and hasattr(signal, "setitimer")
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0
    )


Load = Callable[[str], Page]
"""Fetches what a page loads while it is rendered."""


class Opening(Protocol):
    """A way to turn pages into documents."""

    @property
    def loading(self) -> Policy | None:
        """The rules by which pages load further resources from the web; None if they load none."""

    def open(self, load: Load | None) -> AbstractContextManager[Callable[[Page], Document]]:
        """Get ready, such as with a browser, and give the function that opens a page."""


@dataclass(frozen=True)
class PageWork:
    """The work on each page, and optionally on groups of pages."""

    each: Callable[[Document], Any]
    opening: Opening | None = None
    """How pages are opened; None if only documents come."""
    together: Callable[[list[Any]], list[Any]] | None = None
    """A function from the results of up to `group` consecutive pages to a result or failure for each."""
    group: int = 1
    then: Callable[[Any], Any] | None = None
    """A function that reduces a result to what is needed of it, so that less is sent."""
    gather: Callable[[list[tuple[Any, Any]]], Any] | None = None
    """A function from the positions and results of all pages of a job to what is sent in their place."""

    @property
    def is_rendering(self) -> bool:
        """True if pages are opened by a browser, which takes a hundred times as long."""
        return self.opening is not None and self.opening.loading is not None

    @contextmanager
    def open(self, load: Load | None) -> Iterator[Callable[[Page | Document], Any]]:
        """Yield the function that works on a page."""
        if self.opening is None:
            yield partial(self._act, None)
            return
        with self.opening.open(load) as to_document:
            yield partial(self._act, to_document)

    def _act(self, to_document: Callable[[Page], Document] | None, page: Page | Document) -> Any:
        if isinstance(page, Page):
            if to_document is None:
                raise TypeError("a Page needs an opening")
            page = to_document(page)
        result = self.each(page)
        return result if self.then is None or self.together is not None else self.then(result)

    def finish_together(self, results: list[Any]) -> list[Any]:
        """Do what is done to several pages together."""
        made = results if self.together is None else self.together(results)
        if self.then is None:
            return made
        return [each if isinstance(each, Failure) else attempt(each.page, partial(self.then, each)) for each in made]


class OpenedPages(Iterator[Document | Failure]):
    """Documents that are made one by one when they are asked for, or by the workers of the next stage."""

    def __init__(
        self,
        pages: Iterable[Page | Failure],
        opening: Callable[[], Opening],
        make: Callable[[Iterable[Page | Failure]], Iterator[Document | Failure]],
    ) -> None:
        """`make` opens the pages in this process."""
        self._pages, self._opening, self._make = pages, opening, make
        self._made: Iterator[Document | Failure] | None = None

    def __next__(self) -> Document | Failure:
        if self._made is None:
            self._made = self._make(self._pages)
        return next(self._made)

    def close(self) -> None:
        """End the work behind the documents."""
        close = getattr(self._made if self._made is not None else self._pages, "close", None)
        if close is not None:
            close()

    def hand_over(self) -> tuple[Iterable[Page | Document | Failure], Opening | None]:
        """Return the pages and the way to open them, for another process; documents if some are open already."""
        return (self._pages, self._opening()) if self._made is None else (self, None)
