"""Do the jobs that the supervisor of a worker process sends.

A worker gives out all results of a job at once.  Until then its journal has them, and the number of the page that it is
at: if the process dies, its successor goes on behind that page.

What pages load while they are rendered is fetched by the supervisor's process, so that one process keeps the pace of
each host.  Workers ask it over a pipe; the answers come in any order, each with the number of its question.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.reduction import DupFd
from typing import Any, NamedTuple, Protocol

from webquarry.errors import FetchError, WebquarryError
from webquarry.fetching.downloads import WORKERS, Loader
from webquarry.fetching.policy import Policy
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline import page_guard
from webquarry.pipeline.page_guard import Load, PageWork, attempt
from webquarry.rendering.browser import resident_bytes

UNREAD = "unread"
"""The kind of the failure in place of pages of a job that could not be read."""
PACKAGE = "webquarry"


class Job(Protocol):
    """Some pages, in a form that is sent to a worker."""

    @property
    def name(self) -> str:
        """The name of the job in messages."""

    def pages(self, after: Position | None) -> Iterator[tuple[Position, Page | Document | Failure]]:
        """Yield the pages behind a position, or all, each with its own."""


@dataclass(frozen=True)
class GivenPages:
    """Pages that are sent to the worker."""

    given: Sequence[Page | Document | Failure]
    name: str = "pages"

    def pages(self, after: Position | None) -> Iterator[tuple[Position, Page | Document | Failure]]:
        """Yield the pages behind a position."""
        yield from list(enumerate(self.given))[0 if after is None else after + 1 :]


class Blame(NamedTuple):
    """The reason why pages are not tried again."""

    error: str
    """What happened, without the name of a page."""
    kind: str


@dataclass
class Assignment:
    """A job, or the rest of one that an earlier worker began."""

    job: Job
    blamed: dict[tuple[int, bool], Blame] = field(default_factory=dict)
    """Reasons by the place in the job at which workers died: pages that were done, and whether they were together."""
    unread: str = ""
    """Why the rest of the job is not read."""
    keeps: bool = False
    """True if the journal keeps what comes out for each page, so that a successor has nothing to repeat."""


def serve(connection: Connection, loads: Connection | None, journal: Journal, level: int) -> None:
    """Do jobs until there are no more; this runs in the worker."""
    _settle()

    def tell(*message: Any) -> None:
        connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    log = logging.getLogger(PACKAGE)
    log.handlers, log.level, log.propagate = [_Passing(tell)], level, False
    try:
        try:
            work, limits = pickle.loads(connection.recv_bytes())  # noqa: S301 - of our own process
        except (AttributeError, ImportError) as error:
            raise WebquarryError(
                f"a function cannot be sent to workers ({error}); define it in a module that can be imported"
            ) from error
        page_guard.use_limits(limits)
        with open_remote_load(loads) as load, work.open(load) as act:
            while True:
                assignment = pickle.loads(connection.recv_bytes())  # noqa: S301
                tell("done", _JobRun(assignment, work, act, journal).run())
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the supervisor is gone, or has closed the pipe
    except WebquarryError as error:
        tell("fatal", error)


class _Draft(NamedTuple):
    """What came out for a page that waits for the others of its group."""

    name: str
    result: Any


class _JobRun:
    """The work on one job."""

    def __init__(self, rest: Assignment, work: PageWork, act: Callable[[Any], Any], journal: Journal) -> None:
        self._rest, self._work, self._act, self._journal = rest, work, act, journal
        kept = journal.read()
        known = [*kept.results, *kept.drafts]
        self._after = known[-1][0] if known else None
        self._done, self._failed = len(known), kept.failed
        self._sends_results = work.gather is None
        self._results: list[tuple[Position, Any]] = [*kept.results]
        """What came out by position; packed if it is sent, and in the journal if an earlier worker made it."""
        self._drafts: list[tuple[Position, _Draft | Stored]] = [*kept.drafts]
        """What waits for others of its group; in the journal if an earlier worker made it."""

    def run(self) -> Any:
        """Work on all pages, and return their results, or what is made of them."""
        for position, page in self._read_pages():
            if self._work.together is None:
                self._add([(position, self._do(page))])
                continue
            self._add_draft(position, _Draft(_name_of(page), self._do(page)))
            if len(self._drafts) == self._work.group:
                self._do_together()
        if self._drafts:
            self._do_together()
        if self._work.gather is None:
            return [self._journal.load(each) if isinstance(each, Stored) else each for _, each in self._results]
        return self._work.gather(self._unpack(self._results))

    def _read_pages(self) -> Iterator[tuple[Position, Page | Document | Failure]]:
        """Yield the pages that are left; an error while they are read is a failure in their place."""
        job, after = self._rest.job, self._after
        position = after
        if self._rest.unread:
            yield position, Failure(job.name, f"{job.name}: the rest was not read: {self._rest.unread}", kind=UNREAD)
            return
        try:
            for position, page in job.pages(after):
                yield position, page
        except WebquarryError as error:
            yield position, Failure(job.name, str(error), kind=UNREAD)
        except OSError as error:
            yield position, Failure(job.name, f"{job.name}: cannot be read ({error.strerror or error})", kind=UNREAD)

    def _do(self, page: Page | Document | Failure) -> Any:
        """Work on a page, unless it has failed before."""
        blame = self._rest.blamed.get((self._done, False))
        if isinstance(page, Failure):
            result: Any = page
        elif blame is not None:
            result = _make_failure(page.url, blame)
        else:
            self._journal.mark(self._done, self._failed, 1)
            result = attempt(page.url, partial(self._act_and_pack, page))
        self._done += 1
        self._failed += isinstance(result, Failure)
        return result

    def _act_and_pack(self, page: Any) -> Any:
        """Work on a page; packed, the lazy parts of its result are computed within the limits of the page too."""
        result = self._act(page)
        return _pack(result) if self._sends_results and self._work.together is None else result

    def _add(self, made: Sequence[tuple[Position, Any]]) -> None:
        """Add what came out for pages for good."""
        results = [(position, _pack(each)) for position, each in made] if self._sends_results else made
        self._results += results
        if self._rest.keeps:
            self._journal.add([(position, _pack(each)) for position, each in results], self._failed)
        self._journal.mark(self._done, self._failed)

    def _add_draft(self, position: Position, draft: _Draft) -> None:
        if self._rest.keeps:
            self._journal.add([(position, pickle.dumps(draft, pickle.HIGHEST_PROTOCOL))], self._failed, are_drafts=True)
        self._journal.mark(self._done, self._failed)
        self._drafts.append((position, draft))

    def _do_together(self) -> None:
        """Complete a group."""
        drafts, self._drafts = self._unpack(self._drafts), []
        good = [draft for _, draft in drafts if not isinstance(draft.result, Failure)]
        blame = self._rest.blamed.get((self._done, True))
        if blame is not None:
            outcomes = iter([_make_failure(draft.name, blame) for draft in good])
        else:
            self._journal.mark(self._done, self._failed, max(len(good), 1), are_together=True)
            outcomes = iter(self._work.finish_together([draft.result for draft in good]) if good else ())
        final = [
            (position, draft.result if isinstance(draft.result, Failure) else next(outcomes))
            for position, draft in drafts
        ]
        self._failed += sum(isinstance(each, Failure) for _, each in final) - (len(drafts) - len(good))
        self._add(final)

    def _unpack(self, made: Iterable[tuple[Position, Any]]) -> list[tuple[Position, Any]]:
        """Read what earlier workers made from the journal."""
        return [
            (position, pickle.loads(self._journal.load(each)) if isinstance(each, Stored) else each)  # noqa: S301 - ours
            for position, each in made
        ]


def _name_of(page: Page | Document | Failure) -> str:
    return page.page if isinstance(page, Failure) else page.url


def _make_failure(name: str, blame: Blame) -> Failure:
    return Failure(name, f"{name}: {blame.error}", kind=blame.kind)


def _pack(result: Any) -> Packed:
    return result if isinstance(result, Packed) else Packed(pickle.dumps(result, pickle.HIGHEST_PROTOCOL))


class _Passing(logging.Handler):
    """Passes log records to the supervisor."""

    def __init__(self, tell: Callable[..., None]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        plain = logging.makeLogRecord({**record.__dict__, "msg": record.getMessage(), "args": None, "exc_info": None})
        with suppress(OSError, ValueError):
            self._tell("log", plain)


def _settle() -> None:
    """Leave signals of the terminal to the supervisor, and end with it, whatever it dies of."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_supervisor, daemon=True).start()


def _end_with_supervisor() -> None:
    supervisor = multiprocessing.parent_process()
    if supervisor is not None:
        supervisor.join()
        os._exit(1)


Position = Any
"""The position of a page in its job: equal for the same page, and sent between processes."""


class Packed(bytes):
    """What came out for a page, pickled."""


class Stored(NamedTuple):
    """Where something packed is in a journal."""

    start: int
    size: int


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

    results: list[tuple[Position, Stored]]
    drafts: list[tuple[Position, Stored]]
    """What came out for the pages behind them, which wait for others of their group."""
    failed: int


class Journal:
    """What a worker has done, kept where its death does not destroy it.

    This is a file without a name, which supervisor, worker and successor share.  At its start is the place of the
    worker in its job, which the supervisor looks at now and then; behind it is what came out for pages, which only a
    successor reads.  Writing it wakes nobody, unlike a message.
    """

    def __init__(self) -> None:
        self._folder = tempfile.gettempdir()  # a worker would name another one if this is full
        self._file = tempfile.TemporaryFile(buffering=0, dir=self._folder)  # noqa: SIM115 - closed by `close`

    def __getstate__(self) -> Any:
        return self._folder, DupFd(self._file.fileno())

    def __setstate__(self, sent: Any) -> None:
        self._folder, file = sent
        self._file = os.fdopen(file.detach(), "r+b", buffering=0)

    def close(self) -> None:
        """Give up the file; it is gone when all processes have."""
        self._file.close()

    def clear(self) -> None:
        """Forget everything, for the next job."""
        self._file.truncate(0)
        self.mark(0, 0)

    def mark(self, done: int, failed: int, pages: int = 0, *, are_together: bool = False) -> None:
        """Note the place in the job."""
        held = resident_bytes() if pages else 0
        place = Place(done, failed, pages, are_together, time.monotonic(), held)
        os.pwrite(self._file.fileno(), _HEAD.pack(*place), 0)

    @property
    def place(self) -> Place:
        """The place in the job."""
        head = os.pread(self._file.fileno(), _HEAD.size, 0)
        return Place(*_HEAD.unpack(head)) if len(head) == _HEAD.size else Place()

    def add(self, packed: Sequence[tuple[Position, bytes]], failed: int, *, are_drafts: bool = False) -> None:
        """Note what came out for pages, and how many of the job have failed; results replace the drafts before them."""
        sizes = [(position, len(each)) for position, each in packed]
        head = pickle.dumps((sizes, failed, are_drafts), pickle.HIGHEST_PROTOCOL)
        try:
            self._file.seek(0, os.SEEK_END)
            for part in (head, *(each for _, each in packed)):
                left = memoryview(part)
                while left:
                    left = left[self._file.write(left) :]
        except OSError as error:
            raise WebquarryError(
                f"{self._folder}: cannot be written ({error.strerror or error}); make room, or name another "
                "folder with TMPDIR"
            ) from error

    def read(self) -> Kept:
        """Return what was noted; an entry that death cut off is removed."""
        kept = Kept([], [], 0)
        whole = os.fstat(self._file.fileno()).st_size
        end = self._file.seek(_HEAD.size)
        with os.fdopen(os.dup(self._file.fileno()), "rb") as reader:
            while True:
                try:
                    sizes, failed, are_drafts = pickle.load(reader)  # noqa: S301 - of our own process
                except (EOFError, pickle.UnpicklingError):
                    break
                start, stored = reader.tell(), []
                for position, size in sizes:
                    stored.append((position, Stored(start, size)))
                    start += size
                if start > whole:
                    break
                end = reader.seek(start)
                kept = (
                    Kept(kept.results, kept.drafts + stored, failed)
                    if are_drafts
                    else Kept(kept.results + stored, [], failed)
                )
        self._file.truncate(end)
        return kept

    def load(self, stored: Stored) -> bytes:
        """Return what was noted at a place."""
        return os.pread(self._file.fileno(), stored.size, stored.start)


class LoadServer:
    """A server for workers, each over a separate pipe."""

    def __init__(self, policy: Policy) -> None:
        self._loader = Loader(policy)
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="webquarry-serve")

    def serve(self, connection: Connection) -> None:
        """Answer a worker until it is gone."""
        threading.Thread(target=self._listen, args=(connection, threading.Lock()), daemon=True).start()

    def close(self) -> None:
        """End all downloads."""
        self._loader.stop()
        self._threads.shutdown(cancel_futures=True)
        self._loader.close()

    def _listen(self, connection: Connection, lock: threading.Lock) -> None:
        with suppress(EOFError, OSError, RuntimeError):  # the worker, or the server, is gone
            while True:
                number, address = connection.recv()
                self._threads.submit(partial(self._answer, connection, lock, number, address))

    def _answer(self, connection: Connection, lock: threading.Lock, number: int, address: str) -> None:
        answer: Page | Exception
        try:
            answer = self._loader.load(address)
        except WebquarryError as error:
            answer = error
        except Exception as error:  # noqa: BLE001 - a page lacks a resource then, and says so
            answer = FetchError(f"{address}: unexpected {type(error).__name__} ({error})")
        with suppress(OSError), lock:
            connection.send((number, answer))


@contextmanager
def open_remote_load(connection: Connection | None) -> Iterator[Load | None]:
    """Yield the function that loads through the server; this runs in a worker."""
    if connection is None:
        yield None
        return
    asked: dict[int, Future[Page]] = {}
    numbers, lock = count(), threading.Lock()

    def listen() -> None:
        with suppress(EOFError, OSError):
            while True:
                number, answer = connection.recv()
                waiting = asked.pop(number)
                if isinstance(answer, Exception):
                    waiting.set_exception(answer)
                else:
                    waiting.set_result(answer)
        for each in list(asked.values()):
            each.set_exception(FetchError("stopped"))

    def load(address: str) -> Page:
        answer: Future[Page] = Future()
        with lock:
            number = next(numbers)
            asked[number] = answer
            connection.send((number, address))
        return answer.result()

    threading.Thread(target=listen, daemon=True).start()
    yield load
