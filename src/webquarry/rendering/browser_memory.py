"""Bound the memory of rendering: end a process of the browser that takes too much, return what is free in our own.

Scripts can make a page take any amount of memory in its own process, such as by filling canvases.  When that process
ends, its tab is lost and the browser goes on.
"""

from __future__ import annotations

import ctypes
import os
import signal
import threading
from contextlib import suppress
from pathlib import Path

MAX_PROCESS_BYTES = 2 * 2**30
"""Memory of one process of the browser; those of ordinary pages take a tenth of it."""
WATCH_SECONDS = 0.2
"""Time between two looks; a page takes a few hundred megabytes in it at most."""
_PROC = Path("/proc")
_BYTES_OF_MEMORY_PAGE = os.sysconf("SC_PAGE_SIZE")


class MemoryWatch:
    """A thread that watches a process and all that it started; without `/proc` it sees nothing."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._stopped = threading.Event()
        self.ended = 0
        """Number of processes that were ended for the memory they took."""
        self.total_bytes = 0
        """Memory of all processes at the last look."""
        self._thread = threading.Thread(target=self._watch, name="webquarry-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopped.set()

    def _watch(self) -> None:
        while not self._stopped.wait(WATCH_SECONDS):
            taken = measure_processes(self._pid)
            self.total_bytes = sum(taken.values())
            for pid, memory in taken.items():
                if memory > MAX_PROCESS_BYTES:
                    self.ended += 1  # first, so that who finds the tab lost knows why
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)


def measure_processes(pid: int) -> dict[int, int]:
    """Return the bytes in memory of a process and of all that it started, by their numbers."""
    taken: dict[int, int] = {}
    waiting = [pid]
    while waiting:
        pid = waiting.pop()
        try:
            taken[pid] = int((_PROC / str(pid) / "statm").read_bytes().split()[1]) * _BYTES_OF_MEMORY_PAGE
            waiting += map(int, (_PROC / str(pid) / "task" / str(pid) / "children").read_bytes().split())
        except (OSError, IndexError, ValueError):  # it has ended, or the system has no such files
            continue
    return taken


def return_free_memory() -> None:
    """Return memory that is free in this process to the system, where its C library can (glibc).

    Threads that render allocate in areas of their own, which would otherwise grow from page to page: by a tenth in 600
    pages.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
