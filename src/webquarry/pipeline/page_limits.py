"""Limit the time and memory that the work on a page may take.

The work runs in this process, so a timer checks it regularly and raises inside it.  Three things follow.  Only
the main thread is limited, because only there does Python run the handlers of signals: a program that works on pages in
other threads has to limit them itself.  A program that uses `SIGALRM` keeps it, and its pages have no limit.  A single
call into a C library is not interrupted, so pages that cost a parser much are bounded before they reach it
(`webquarry.html.parsing`).
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import FrameType

from webquarry.errors import LimitError

MAX_PAGE_SECONDS = 60.0
"""CPU time for a page; the slowest page of the benchmarks' corpora takes a twentieth of it."""
MAX_PAGE_BYTES = 3 * 2**30
"""Memory that a page may add to the process, at most half of the machine's; a page of a megabyte takes a third of it
at worst."""
LOOK_SECONDS = 0.2
"""The interval at which time and memory are checked."""
LOOKS_AT_LEAST = 4
"""The minimum number of checks within the time limit of a page, if that is short."""
_BYTES_OF_MEMORY_PAGE = os.sysconf("SC_PAGE_SIZE")

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
    return os.sysconf("SC_PHYS_PAGES") * _BYTES_OF_MEMORY_PAGE


def _has_free_timer() -> bool:
    """Tell whether this thread may set the timer and nobody else uses it."""
    return (
        threading.current_thread() is threading.main_thread()
        and hasattr(signal, "setitimer")
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0
    )


def resident_bytes(process: int | None = None) -> int:
    """Return the memory that a process, or this one, holds; 0 where the system does not tell."""
    try:
        with open(f"/proc/{process or 'self'}/statm", "rb", buffering=0) as file:  # noqa: PTH123 - quicker, for each page
            return int(file.read().split()[1]) * _BYTES_OF_MEMORY_PAGE
    except (OSError, IndexError):
        return 0
