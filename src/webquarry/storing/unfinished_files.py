"""Keep what is not finished beside the place where it will be, and take away what a killed process left there.

A file or folder that is being written is locked.  The system drops the lock when its process ends, however it ends; so
one that can be locked belongs to nobody.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

PREFIX = ".quarry-"
_NAME = re.compile(rf"{re.escape(PREFIX)}[a-z0-9_]{{8}}")  # as tempfile makes them


class Unfinished:
    """A new file in a folder, or a new folder in it, that no other run takes away."""

    def __init__(self, folder: Path, *, is_folder: bool = False) -> None:
        remove_abandoned(folder)
        self.path, self._lock = _make_locked(folder, is_folder=is_folder)

    def release(self) -> None:
        """Release the lock, after the file was moved to its place."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def remove(self) -> None:
        """Remove what was not moved."""
        _remove(self.path)
        self.release()


def _make_locked(folder: Path, *, is_folder: bool) -> tuple[Path, int | None]:
    while True:
        if is_folder:
            path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        else:
            handle, name = tempfile.mkstemp(prefix=PREFIX, dir=folder)
            os.close(handle)
            path = Path(name)
        try:
            lock = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue  # another run took it for abandoned before it was locked
        if not _can_lock(lock):  # a file system without locks, or another run is looking at it
            os.close(lock)
            return path, None
        if os.fstat(lock).st_nlink and path.exists():
            return path, lock
        os.close(lock)


@cache  # once for each folder in a run: thousands of pages may be written to it
def remove_abandoned(folder: Path) -> None:
    """Remove what processes that are gone have left in a folder."""
    with suppress(OSError):
        for path in folder.iterdir():
            if _NAME.fullmatch(path.name):
                with suppress(OSError):
                    _remove_if_abandoned(path)


def _remove_if_abandoned(path: Path) -> None:
    lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if _can_lock(lock):
            _remove(path)
    finally:
        os.close(lock)


def _can_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
