"""Read and write files on disk and in object stores, each whole or not at all.

A file on disk gets its final name when it is complete.  Object stores cannot rename, but show an object only when
all of it is written, so objects are written under their final names.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.fs as pafs

from webquarry.errors import InputError
from webquarry.fetching.inputs import SCHEME
from webquarry.storing.result_files import translated, write_whole

WEB = ("http", "https")
LOCK = "_lock"
CLAIMS = "_claims"
"""The folder of the objects by which runs claim an output folder."""
RENEW_SECONDS = 15.0
"""The interval at which a run renews its object."""
STALE_SECONDS = 60.0
"""The age of an object, by the clock of the store, at which its run is taken for dead: it missed three renewals."""
_START_TIME = 19
"""The place of the start time in proc_pid_stat(5), counted from the field after the name."""
_NO_METADATA_ADDRESS = "AWS_EC2_METADATA_DISABLED"


def scheme_of(place: str) -> str:
    """Return the scheme of an address in lower case; empty for a path."""
    found = SCHEME.match(place)
    return found.group(1).lower() if found else ""


def is_remote(place: str) -> bool:
    """Tell whether a place is in an object store."""
    return scheme_of(place) not in ("", "file", *WEB)


def open_store(place: str) -> tuple[pafs.FileSystem, str]:
    """Open the object store of an address; return it with the path in it."""
    # outside of a cloud the metadata address does not answer, and the store would wait for it; "false" turns it on
    os.environ.setdefault(_NO_METADATA_ADDRESS, "true")
    try:
        if scheme_of(place) == "s3":
            return _open_s3(place)
        store, path = pafs.FileSystem.from_uri(place)
    except (pa.ArrowException, OSError, ValueError, TypeError) as error:
        raise InputError(f"{place}: cannot open this store ({_first_line(error)})") from error
    return store, path


def _open_s3(place: str) -> tuple[pafs.FileSystem, str]:
    """Open S3 with the settings of the environment; without a region, ask the store for that of the bucket."""
    parts = urlsplit(place)
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if parts.query or (region is None and endpoint is None):
        store, path = pafs.FileSystem.from_uri(place)
        return store, path
    store = pafs.S3FileSystem(region=region or "us-east-1", endpoint_override=endpoint, allow_bucket_creation=False)
    return store, f"{parts.netloc}{parts.path}".rstrip("/")


def open_file(place: str) -> BinaryIO:
    """Open a file or an object for random access."""
    if not is_remote(place):
        try:
            return Path(place).open("rb")
        except FileNotFoundError as error:
            raise InputError(f"{place}: there is no such file; check the path") from error
        except OSError as error:
            raise InputError(f"{place}: cannot be read ({error.strerror or error})") from error
    store, path = open_store(place)
    try:
        return cast("BinaryIO", store.open_input_file(path))
    except FileNotFoundError as error:
        raise InputError(f"{place}: there is no such object; check the address") from error
    except OSError as error:
        raise InputError(f"{place}: cannot be read ({_first_line(error)})") from error


def list_objects(place: str) -> list[tuple[str, int, str]]:
    """List the objects at or below an address: address, size and time of the last change."""
    store, path = open_store(place)
    start = place[: place.index("://") + 3]
    try:
        found = store.get_file_info(path)
        infos = [found] if found.is_file else store.get_file_info(pafs.FileSelector(path, recursive=True))
    except FileNotFoundError as error:
        raise InputError(f"{place}: there are no objects at this address; check it") from error
    except OSError as error:
        raise InputError(f"{place}: cannot be listed ({_first_line(error)})") from error
    return sorted((f"{start}{info.path}", info.size, str(info.mtime_ns)) for info in infos if info.is_file)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


class OutputFolder:
    """The folder that a batch writes to."""

    def __init__(self, place: str, hold: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """Name the folder; `hold` lets signals wait while a file is written."""
        self.place = place.rstrip("/") or place
        self._hold = hold
        self._store: pafs.FileSystem | None = None
        self._path = self.place
        if scheme_of(self.place) in WEB:
            raise InputError(f"{place}: a batch writes to a folder or an object store, not to a web address")
        if is_remote(self.place):
            self._store, self._path = open_store(self.place)

    @property
    def is_local(self) -> bool:
        """True for a folder on disk."""
        return self._store is None

    @property
    def path(self) -> Path:
        """The path of a folder on disk."""
        return Path(self._path)

    def prepare(self) -> None:
        """Make the folder; raise if it cannot be written."""
        if self._store is None:
            if self.path.exists() and not self.path.is_dir():
                raise InputError(f"{self.place}: is a file; name a folder with -o")
            with translated(self.path):
                self.path.mkdir(parents=True, exist_ok=True)

    def write(self, name: str, content: bytes) -> None:
        """Write a whole file."""
        if self._store is None:
            with self._hold():
                write_whole(self.path / name, content, is_packed=True)
            return
        try:
            with self._hold(), self._store.open_output_stream(f"{self._path}/{name}", compression=None) as stream:
                stream.write(content)
        except OSError as error:
            raise InputError(f"{self.place}/{name}: cannot be written ({_first_line(error)})") from error

    def read(self, name: str) -> bytes | None:
        """Read a file; None if there is none."""
        try:
            if self._store is None:
                return (self.path / name).read_bytes()
            with self._store.open_input_file(f"{self._path}/{name}") as stream:
                return bytes(stream.read())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"{self.place}/{name}: cannot be read ({_first_line(error)})") from error

    def list_names(self, below: str = "") -> list[str]:
        """List the names of the files in the folder, or in a folder below it."""
        if self._store is None:
            folder = self.path / below
            return sorted(each.name for each in folder.iterdir() if each.is_file()) if folder.is_dir() else []
        return sorted(self.list_changes(below))

    def list_changes(self, below: str) -> dict[str, float]:
        """List the objects in a folder of an object store with the times of their last change, in seconds."""
        if self._store is None:
            raise TypeError("files on disk are locked")
        selector = pafs.FileSelector(f"{self._path}/{below}".rstrip("/"), allow_not_found=True)
        try:
            found = self._store.get_file_info(selector)
        except OSError as error:
            raise InputError(f"{self.place}: cannot be listed ({_first_line(error)})") from error
        return {each.base_name: (each.mtime_ns or 0) / 10**9 for each in found if each.is_file}

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        if self._store is None:
            (self.path / name).unlink(missing_ok=True)
        elif self._store.get_file_info(f"{self._path}/{name}").is_file:
            self._store.delete_file(f"{self._path}/{name}")

    def add_line(self, name: str, line: dict[str, Any]) -> None:
        """Append a line to a file of JSON lines; in an object store, write it as a separate object."""
        content = json.dumps(line, ensure_ascii=False).encode() + b"\n"
        if self._store is not None:
            self.write(f"{name}/{line['shard']}.jsonl", content)
            return
        with self._hold(), translated(self.path / name), (self.path / name).open("ab") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def read_lines(self, name: str) -> list[dict[str, Any]]:
        """Read the objects of a file of JSON lines, without a last line that a crash cut off."""
        if self._store is not None:
            contents = [self.read(f"{name}/{each}") or b"" for each in self.list_names(name)]
            return [json.loads(line) for content in contents for line in content.splitlines()]
        lines = (self.read(name) or b"").split(b"\n")[:-1]
        return [json.loads(line) for line in lines if line.strip()]

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder against other runs; raise if one is active."""
        if self._store is not None:
            with claimed(OutputFolder(self.place)):  # signals are not held in the thread that renews a claim
                yield
            return
        with translated(self.path), (self.path / LOCK).open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise InputError(
                    f"{self.place}: another batch is writing there; wait until it ends, or name another folder with -o"
                ) from error
            yield


@contextmanager
def claimed(folder: OutputFolder) -> Iterator[None]:
    """Claim a folder of an object store while the block runs; raise if another run has it.

    Object stores have no locks, and pyarrow writes no object on the condition that it is new.  So each run writes an
    object of its own, and only then looks for those of others: of two runs that begin at the same moment, at least one
    sees the other.  A run renews its object while it lasts.  One that was killed does not, and is ignored after a
    while, on its own machine at once.
    """
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


def _refuse_others(folder: OutputFolder, own: str) -> None:
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
