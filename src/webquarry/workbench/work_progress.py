"""Report the progress of long work, and stop it when a person asks for that."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from webquarry.errors import InputError


class StoppedError(InputError):
    """A person stopped the work."""


class WorkProgress:
    """The long work of the process: its name, its progress, and whether it is to be stopped.

    The thread that works reports; those that answer requests read it and ask to stop.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._label = ""
        self._done, self._total = 0, 0
        self._is_stopped = False

    @contextmanager
    def track(self, label: str) -> Iterator[None]:
        """Name the work of a block, such as `rendering`; stopping is possible wherever it reports."""
        with self._lock:
            self._label, self._done, self._total, self._is_stopped = label, 0, 0, False
        try:
            yield
        finally:
            with self._lock:
                self._label, self._is_stopped = "", False

    def report(self, done: int, total: int | None = None) -> None:
        """Say how much is done; raise StoppedError if a person asked to stop."""
        with self._lock:
            self._done, self._total = done, total or 0
            if self._is_stopped:
                self._is_stopped = False
                of_all = f" of {total}" if total else ""
                raise StoppedError(f"stopped while {self._label}: {done}{of_all} done")

    def stop(self) -> None:
        """Ask the work to stop; it does so when it reports next."""
        with self._lock:
            self._is_stopped = bool(self._label)

    def describe(self) -> dict[str, Any]:
        """Describe the work for the browser; empty if there is none."""
        with self._lock:
            if not self._label:
                return {}
            return {"label": self._label, "done": self._done, "total": self._total, "is_stopping": self._is_stopped}
