"""Claim a folder of an object store for one run.

Object stores have no locks, and pyarrow writes no object on the condition that it is new.  So each run writes an object
of its own, and only then looks for those of others: of two runs that begin at the same moment, at least one sees the
other.  A run renews its object while it lasts.  One that was killed does not, and is ignored after a while, on its own
machine at once.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from webquarry.errors import InputError

CLAIMS = "_claims"
"""The folder of the objects."""
RENEW_SECONDS = 15.0
"""The interval at which a run renews its object."""
STALE_SECONDS = 60.0
"""The age of an object, by the clock of the store, at which its run is taken for dead: it missed three renewals."""
_START_TIME = 19
"""The place of the start time in proc_pid_stat(5), counted from the field after the name."""


class Folder(Protocol):
    """A folder of an object store."""

    place: str

    def write(self, name: str, content: bytes) -> None:
        """Write an object."""

    def read(self, name: str) -> bytes | None:
        """Read an object; None if there is none."""

    def remove(self, name: str) -> None:
        """Remove an object, if it is there."""

    def list_changes(self, below: str) -> Mapping[str, float]:
        """List the objects of a folder with the times of their last change, in seconds."""


@contextmanager
def claimed(folder: Folder) -> Iterator[None]:
    """Claim a folder while the block runs; raise if another run has it."""
    own = f"{uuid.uuid4().hex}.json"
    claim = {"host": socket.gethostname(), "process": os.getpid(), "started": _start_time(os.getpid())}
    content = json.dumps(claim).encode()
    folder.write(f"{CLAIMS}/{own}", content)
    ended = threading.Event()

    def renew() -> None:
        while not ended.wait(RENEW_SECONDS):
            with suppress(InputError):  # a store that cannot be written ends the run where it writes results
                folder.write(f"{CLAIMS}/{own}", content)

    renewing = threading.Thread(target=renew, daemon=True)
    try:
        _refuse_others(folder, own)
        renewing.start()
        yield
    finally:
        ended.set()
        if renewing.ident is not None:
            renewing.join()
        with suppress(InputError, OSError):
            folder.remove(f"{CLAIMS}/{own}")


def _refuse_others(folder: Folder, own: str) -> None:
    """Raise if another run is alive; remove what dead runs left."""
    changes = folder.list_changes(CLAIMS)
    for name, changed in changes.items():
        content = None if name == own else folder.read(f"{CLAIMS}/{name}")
        if content is None:
            continue
        claim = json.loads(content)
        if changes[own] - changed > STALE_SECONDS or _is_dead(claim):
            folder.remove(f"{CLAIMS}/{name}")
            continue
        raise InputError(
            f"{folder.place}: another batch is writing there (process {claim['process']} on {claim['host']}); wait "
            f"until it ends, or {STALE_SECONDS:.0f} seconds if it was killed, or name another folder with -o"
        )


def _is_dead(claim: Mapping[str, Any]) -> bool:
    """Tell whether the process of a claim has ended; False if it is on another machine."""
    return bool(claim["host"] == socket.gethostname() and claim["started"] != _start_time(claim["process"]))


def _start_time(process: int) -> str:
    """Return the start time of a process, which tells it from a later one with its number; empty if there is none."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[_START_TIME]
    except OSError:
        return ""
