"""The time that a page may spend on the network, all its waits together.

A limit for each wait alone lets a server that sends a byte a second go on for ever.  Waits for our own politeness do
not count: a page that stands in a queue has done nothing wrong.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class SpentError(TimeoutError):
    """The page has no time left."""


class _Budget:
    def __init__(self, seconds: float) -> None:
        self.left = seconds


_current: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def time_budget(seconds: float) -> Iterator[None]:
    """Whatever this thread does on the network inside may take so many seconds in all."""
    token = _current.set(_Budget(seconds))
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def spending(timeout: float | None) -> Iterator[float | None]:
    """The seconds that one wait may take; what it took is counted."""
    budget = _current.get()
    if budget is None:
        yield timeout
        return
    if budget.left <= 0:
        raise SpentError("the time for this page is spent")
    started = time.monotonic()
    try:
        yield budget.left if timeout is None else min(timeout, budget.left)
    finally:
        budget.left -= time.monotonic() - started
