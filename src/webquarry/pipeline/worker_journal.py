"""Keep what a worker has done where its death does not destroy it.

A journal is a file without a name, which supervisor, worker and successor share.  At its start is the place of the
worker in its job, which the supervisor looks at now and then; behind it is what came out for pages, which only a
successor reads.  Writing it wakes nobody, unlike a message.
"""

from __future__ import annotations

import os
import pickle
import struct
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.reduction import DupFd
from typing import Any, NamedTuple

from webquarry.errors import WebquarryError
from webquarry.pipeline import page_limits

Position = Any
"""The position of a page in its job: equal for the same page, and sent between processes."""


class Packed(bytes):
    """What came out for a page, pickled."""


_HEAD = struct.Struct("=qqq?dq")


class Place(NamedTuple):
    """The place of a worker in its job."""

    done: int = 0
    """Pages that it is through with."""
    failed: int = 0
    """Pages of these that failed."""
    pages: int = 0
    """Pages that it works on; 0 between pages."""
    are_together: bool = False
    """True if it works on pages together that it has done one by one."""
    since: float = 0.0
    """The time at which it came to this place, by the clock that all processes of a machine share."""
    held: int = 0
    """The bytes of memory that it held then."""


class Kept(NamedTuple):
    """What a worker has kept of a job."""

    results: list[tuple[Position, Packed]]
    drafts: list[tuple[Position, Packed]]
    """What came out for the pages behind them, which wait for others of their group."""
    failed: int


class Journal:
    """The journal of a worker."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=0, prefix="webquarry-")  # noqa: SIM115 - closed by `close`

    def __getstate__(self) -> Any:
        return DupFd(self._file.fileno())

    def __setstate__(self, sent: Any) -> None:
        self._file = os.fdopen(sent.detach(), "r+b", buffering=0)

    def close(self) -> None:
        """Give up the file; it is gone when all processes have."""
        self._file.close()

    def clear(self) -> None:
        """Forget everything, for the next job."""
        self._file.truncate(0)
        self.mark(0, 0)

    def mark(self, done: int, failed: int, pages: int = 0, *, are_together: bool = False) -> None:
        """Note the place in the job."""
        held = page_limits.resident_bytes() if pages else 0
        place = Place(done, failed, pages, are_together, time.monotonic(), held)
        os.pwrite(self._file.fileno(), _HEAD.pack(*place), 0)

    @property
    def place(self) -> Place:
        """The place in the job."""
        head = os.pread(self._file.fileno(), _HEAD.size, 0)
        return Place(*_HEAD.unpack(head)) if len(head) == _HEAD.size else Place()

    def add(self, packed: Sequence[tuple[Position, Packed]], failed: int, *, are_drafts: bool = False) -> None:
        """Note what came out for pages, and how many of the job have failed; results replace the drafts before them."""
        entry = memoryview(pickle.dumps((packed, failed, are_drafts), pickle.HIGHEST_PROTOCOL))
        try:
            self._file.seek(0, os.SEEK_END)
            while entry:
                entry = entry[self._file.write(entry) :]
        except OSError as error:
            raise WebquarryError(
                f"{tempfile.gettempdir()}: cannot be written ({error.strerror or error}); make room, or name another "
                "folder with TMPDIR"
            ) from error

    def read(self) -> Kept:
        """Return what was noted; an entry that death cut off is removed."""
        results: list[tuple[Position, Packed]] = []
        drafts: list[tuple[Position, Packed]] = []
        failed = 0
        end = self._file.seek(_HEAD.size)
        with os.fdopen(os.dup(self._file.fileno()), "rb") as reader:
            while True:
                try:
                    packed, failed, are_drafts = pickle.load(reader)  # noqa: S301 - of our own process
                except (EOFError, pickle.UnpicklingError):
                    break
                end = reader.tell()
                if are_drafts:
                    drafts += packed
                else:
                    results += packed
                    drafts = []
        self._file.truncate(end)
        return Kept(results, drafts, failed)
