"""Process pages in several worker processes, and replace a worker that dies, hangs or grows: only its page fails.

A worker takes one job at a time: some pages, which it reads itself or which come with the job.  Workers are forked from
a server that has the stages loaded, which takes a fraction of the time of a new Python; a fork of the caller itself
would inherit its threads and locks.
"""

from __future__ import annotations

import logging
import multiprocessing
import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from types import ModuleType
from typing import Any, TypedDict

from webquarry.errors import WebquarryError
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.model.wording import count
from webquarry.pipeline import page_limits
from webquarry.pipeline.page_limits import PageLimits
from webquarry.pipeline.page_work import OpenedPages, PageWork
from webquarry.pipeline.worker_downloads import LoadServer
from webquarry.pipeline.worker_process import PACKAGE, UNREAD, Assignment, GivenPages, Job, Position, serve

LOOK_SECONDS = 0.2
"""The interval at which time and memory of workers are checked."""
HARD_FACTOR = 2.0
"""A worker is ended when its page takes so many times the CPU time that it may take: it does not stop it itself, and a
busy machine gives it a part of a core only."""
GRACE_SECONDS = 2.0
"""The grace period after the time limit of a page before its worker is ended."""
READ_SECONDS = 600.0
"""The time in which a worker must reach its next page; it may read from a slow network."""
TRIES = 3
"""The number of attempts at a page whose worker is killed, and at the start of workers: another process may be the
reason, as when memory is short.  Any other death of a worker, such as by SIGSEGV, is the work of its page, which is not
tried again."""
TRIES_TO_READ = 10
"""The number of workers that may be killed in a row before they reach a page of a job: it is not their job's fault, and
starting one takes longer than a page where the machine is busy."""
JOBS_AHEAD = 2
"""Jobs for each worker that are begun before the results of the first are asked for, where these keep their order."""
PAGES_PER_JOB = 8
"""Pages that are sent to a worker at once: a worker waits for each job, and the last ones are done by fewer workers."""
GATHER_SECONDS = 0.05
"""The time in which the pages of a job must arrive."""
_PRELOADED = ["webquarry.pipeline.extract_pages", "webquarry.pipeline.warm_stages"]
_log = logging.getLogger(__name__)


class WorkerOptions(TypedDict, total=False):
    """The options of work in several processes."""

    workers: int
    """Processes that work on pages; 1 works in this process, unless a page has limits of its own."""
    page_timeout: float | None
    """Seconds of CPU time that a page may take."""
    page_memory: int | None
    """Bytes of memory that a page may take."""


@dataclass(frozen=True)
class Workers:
    """The options of work in several processes with their defaults."""

    workers: int = 1
    page_timeout: float | None = None
    page_memory: int | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ValueError("workers must be 1 or more")

    @property
    def are_apart(self) -> bool:
        """True if the work is done in other processes."""
        return self.workers > 1 or self.page_timeout is not None or self.page_memory is not None

    @property
    def limits(self) -> PageLimits:
        """The limits of a page."""
        given = PageLimits()
        return PageLimits(self.page_timeout or given.seconds, self.page_memory or given.memory)


@dataclass(frozen=True)
class Outcome:
    """The result of a page."""

    job: int
    """The number of the job."""
    position: Position
    result: Any


@dataclass(frozen=True)
class Finished:
    """The end of a job, after all its results."""

    job: int


@dataclass
class _Task:
    """A job under way, and what is known of it."""

    number: int
    rest: Assignment
    begun: dict[Position, int] = field(default_factory=dict)
    """How often a worker died at a page."""
    deaths_between: int = 0
    """How often a worker died between two pages since the last result."""


class _Worker:
    """A process, and what it does."""

    def __init__(self, pool: Pool) -> None:
        self.connection, theirs = pool.context.Pipe()
        served, their_loads = pool.context.Pipe() if pool.loads is not None else (None, None)
        level = logging.getLogger(PACKAGE).getEffectiveLevel()
        self.process = pool.context.Process(target=serve, args=(theirs, their_loads, level), daemon=True)
        with _without_main():
            self.process.start()
        theirs.close()
        if served is not None and their_loads is not None and pool.loads is not None:
            their_loads.close()
            pool.loads.serve(served)
        self.task: _Task | None = None
        self.at: tuple[Position, str, int] | None = None
        """Position and address of the page that it works on, and how many pages it takes together."""
        self.since = time.monotonic()
        self.held = 0
        self.send(pool.start_message)

    def send(self, message: bytes) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # its death is seen when its results are read
            self.connection.send_bytes(message)

    def begin(self, task: _Task) -> None:
        self.task, self.at, self.since = task, None, time.monotonic()
        self.send(pickle.dumps(task.rest, pickle.HIGHEST_PROTOCOL))

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()

    def find_fault(self, limits: PageLimits) -> str:
        """Say what is wrong with the worker, if it exceeds a limit."""
        if self.task is None:
            return ""
        seconds = time.monotonic() - self.since
        if self.at is None:
            return f"nothing was read for {seconds:.0f} s" if seconds > READ_SECONDS else ""
        _, name, pages = self.at
        if seconds > HARD_FACTOR * limits.seconds * pages + GRACE_SECONDS:
            return f"{name}: given up after {seconds:.0f} s; leave the page out, or allow more with --page-timeout"
        memory = page_limits.resident_bytes(self.process.pid) - self.held
        if memory > limits.allowed_bytes(pages):
            said = f"{memory / 2**30:.1f} GB of memory"
            return f"{name}: given up after {said}; leave the page out, or allow more with --page-memory"
        return ""


class Pool:
    """Workers that all do the same work; closing the iterator of `run` ends them."""

    def __init__(
        self, work: PageWork, options: Workers, *, loads: LoadServer | None = None, preloaded: Sequence[str] = ()
    ) -> None:
        """Take the work; `preloaded` are further modules that it needs, so that no new worker has to load them.

        `loads` serves what pages load from the web while they are rendered: one process keeps the pace of a host.
        """
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload([*preloaded, *_PRELOADED])
        self.loads = loads
        self._size, self._limits = options.workers, options.limits
        self.start_message = pickle.dumps((work, self._limits), pickle.HIGHEST_PROTOCOL)
        self.replaced = 0
        """Workers that were replaced."""
        self._useless = 0
        """Workers that could not work, such as without a browser, since the last result."""
        self._workers: list[_Worker] = []

    def run(self, jobs: Iterable[Job], *, ordered: bool = False) -> Generator[Outcome | Finished]:
        """Do the jobs; `ordered` gives the results in the order of the jobs, else as soon as they are there.

        The results of one job have the order of its pages in any case.
        """
        try:
            yield from _in_order(self._run(jobs, ordered=ordered)) if ordered else self._run(jobs, ordered=False)
        finally:
            self.close()

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.end()
        self._workers = []

    @property
    def process_ids(self) -> list[int]:
        """The numbers of the processes."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def _run(self, jobs: Iterable[Job], *, ordered: bool) -> Iterator[Outcome | Finished]:
        todo, again = enumerate(jobs), deque[_Task]()
        under_way: set[int] = set()
        is_over = False
        while True:
            while not is_over and (worker := self._find_idle()) is not None:
                if ordered and under_way and _count_ahead(under_way) >= JOBS_AHEAD * self._size:
                    break
                if again:
                    worker.begin(again.popleft())
                    continue
                following = next(todo, None)
                is_over = following is None
                if following is not None:
                    number, job = following
                    worker.begin(_Task(number, Assignment(job, keeps=self.replaced > 0)))  # most runs need no copies
                    under_way.add(number)
            while again and (worker := self._find_idle()) is not None:
                worker.begin(again.popleft())
            busy = [worker for worker in self._workers if worker.task is not None]
            if not busy and not again and is_over:
                return
            yield from self._look(busy, again, under_way)

    def _look(self, busy: list[_Worker], again: deque[_Task], under_way: set[int]) -> Iterator[Outcome | Finished]:
        """Receive the messages of workers; replace those that have died."""
        by_connection = {worker.connection: worker for worker in busy}
        for ready in wait([*by_connection], LOOK_SECONDS):
            worker = by_connection[ready]  # type: ignore[index]
            try:
                message = pickle.loads(worker.connection.recv_bytes())  # noqa: S301 - of our own process
            except (EOFError, ConnectionError, pickle.UnpicklingError):
                self._replace(worker, again, "")
                continue
            if message[0] == "fatal":
                self._replace_useless(worker, again, message[1])
                continue
            yield from self._take(worker, message, under_way)
        for worker in busy:
            if worker in self._workers and not worker.connection.poll() and (fault := worker.find_fault(self._limits)):
                self._replace(worker, again, fault)

    def _take(self, worker: _Worker, message: tuple[Any, ...], under_way: set[int]) -> Iterator[Outcome | Finished]:
        kind, *said = message
        task = worker.task
        if kind == "log":
            logging.getLogger(said[0].name).handle(said[0])
        elif task is None:
            return
        elif kind == "at":
            worker.at, worker.since = (said[0], said[1], said[2]), time.monotonic()
            worker.held = page_limits.resident_bytes(worker.process.pid)
        elif kind == "done":
            worker.at, worker.since, task.deaths_between, self._useless = None, time.monotonic(), 0, 0
            task.rest.kept += said[0]
        elif kind == "results":
            worker.at, worker.since, task.deaths_between, self._useless = None, time.monotonic(), 0, 0
            task.rest.kept = []
            for position, result in said[0]:
                task.rest.after = position
                yield Outcome(task.number, position, pickle.loads(result))  # noqa: S301 - of our own process
        elif kind == "end":
            worker.task = None
            under_way.discard(task.number)
            yield Finished(task.number)

    def _find_idle(self) -> _Worker | None:
        """Find a worker without a job, starting one as long as there are too few."""
        for worker in self._workers:
            if worker.task is None:
                return worker
        if len(self._workers) < self._size:
            self._workers.append(_Worker(self))
            return self._workers[-1]
        return None

    def _replace(self, worker: _Worker, again: deque[_Task], fault: str) -> None:
        """End a worker, and let another one continue its job; blame the page that it was working on."""
        if not fault:
            worker.process.join(GRACE_SECONDS)  # it has closed its pipe, and a kill would hide how it ends
        ending = "" if fault else _describe_end(worker.process.exitcode)
        task = self._remove(worker, again)
        if task is None:
            return
        was_killed = not fault and worker.process.exitcode == -signal.SIGKILL
        if worker.at is None:
            tries = TRIES_TO_READ if was_killed else TRIES
            _blame_job(task, fault or f"a worker {ending} before its next page", tries)
        else:
            position, name, _ = worker.at
            task.begun[position] = task.begun.get(position, 0) + 1
            if not was_killed or task.begun[position] >= TRIES:
                times = f", {count(TRIES, 'time')}" if was_killed else ""
                error = fault or f"{name}: its worker {ending}{times}; leave the page out, or report it"
                task.rest.blamed[position] = Failure(name, error, kind="limit" if fault else "died")
        _log.debug("a worker was replaced: %s", fault or ending)

    def _replace_useless(self, worker: _Worker, again: deque[_Task], error: WebquarryError) -> None:
        """End a worker that cannot work, and let another one do its job; raise the error if others cannot either."""
        self._useless += 1
        if self._useless >= TRIES:
            raise error
        self._remove(worker, again)

    def _remove(self, worker: _Worker, again: deque[_Task]) -> _Task | None:
        """End a worker and put its job back."""
        worker.end()
        self._workers.remove(worker)
        self.replaced += 1
        if worker.task is not None:
            worker.task.rest.keeps = True
            again.append(worker.task)
        return worker.task


def work_apart(
    pages: Iterable[Page | Document | Failure],
    work: PageWork,
    options: Workers,
) -> Iterator[Any]:
    """Work on pages in other processes, and give a result or a failure for each, in their order.

    Documents that are not made yet are made by the workers too.
    """
    if isinstance(pages, OpenedPages):
        pages, opening = pages.hand_over()
        work = replace(work, opening=opening or work.opening)
    policy = work.opening.loading if work.opening is not None else None
    with ExitStack() as stack:
        close = getattr(pages, "close", None)
        if close is not None:
            stack.callback(close)
        loads = None if policy is None else stack.enter_context(closing(LoadServer(policy)))
        outcomes = stack.enter_context(closing(Pool(work, options, loads=loads).run(_cut(pages, work), ordered=True)))
        for outcome in outcomes:
            if isinstance(outcome, Outcome):
                yield outcome.result


def _cut(pages: Iterable[Page | Document | Failure], work: PageWork) -> Iterator[GivenPages]:
    """Cut pages into jobs; pages that come slowly do not wait for others, unless they are worked on together."""
    job: list[Page | Document | Failure] = []
    started = time.monotonic()
    for page in pages:
        job.append(page)
        is_late = time.monotonic() - started > GATHER_SECONDS
        if len(job) >= work.group if work.together is not None else len(job) >= PAGES_PER_JOB or is_late:
            yield GivenPages(job)
            job, started = [], time.monotonic()
    if job:
        yield GivenPages(job)


def _count_ahead(under_way: set[int]) -> int:
    return max(under_way) - min(under_way) + 1


def _blame_job(task: _Task, fault: str, tries: int) -> None:
    """Give up the rest of a job if its workers die again and again without reaching a page."""
    task.deaths_between += 1
    if task.deaths_between >= tries:
        name = task.rest.job.name
        task.rest = Assignment(GivenPages([Failure(name, f"{name}: the rest was not read: {fault}", kind=UNREAD)]))


def _describe_end(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
    return f"ended with code {code}"


def _in_order(outcomes: Iterator[Outcome | Finished]) -> Iterator[Outcome | Finished]:
    """Hold back the results of jobs until those before are finished."""
    held: dict[int, list[Outcome | Finished]] = {}
    head = 0
    for latest in outcomes:
        held.setdefault(latest.job, []).append(latest)
        while ready := held.pop(head, []):
            yield from ready
            head += isinstance(ready[-1], Finished)


@contextmanager
def _without_main() -> Iterator[None]:
    """Keep a new process from importing the caller's script, which would do its work again if it has no guard."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
