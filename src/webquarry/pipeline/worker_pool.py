"""Process pages in several worker processes, and replace a worker that dies, hangs or grows: only its page fails.

A worker takes one job at a time: some pages, which it reads itself or which come with the job.  It answers when the job
is done; in between, only its journal says where it is.  Workers are forked from a server that has the stages loaded,
which takes a fraction of the time of a new Python; a fork of the caller itself would inherit its threads and locks.
"""

from __future__ import annotations

import logging
import multiprocessing
import pickle
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from types import ModuleType
from typing import Any, TypedDict

from webquarry.errors import WebquarryError
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.model.wording import count
from webquarry.pipeline.page_guard import OpenedPages, PageLimits, PageWork
from webquarry.pipeline.worker_process import (
    PACKAGE,
    Assignment,
    Blame,
    GivenPages,
    Job,
    Journal,
    LoadServer,
    Place,
    serve,
)
from webquarry.rendering.browser import resident_bytes

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
TRIES_BEFORE_MANY = 10
"""The number of workers that may be killed in a row before they reach a page of a job, or while they work on pages
together: where the machine is busy this takes longer than a page, and would give up many pages."""
JOBS_AHEAD = 2
"""Jobs for each worker that are begun before the results of the first are asked for, where these keep their order."""
PAGES_PER_JOB = 8
"""Pages that are sent to a worker at once: a worker waits for each job, and the last ones are done by fewer workers."""
GATHER_SECONDS = 0.05
"""The time in which the pages of a job must arrive."""
_PRELOADED = ["webquarry.pipeline.extract_pages", "webquarry.pipeline.warm_stages"]
_log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Called with the number of pages so far, and how many of them failed."""


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


@dataclass
class _Task:
    """A job under way, and what is known of it."""

    number: int
    rest: Assignment
    deaths: Counter[tuple[int, bool]] = field(default_factory=Counter)
    """How often workers died at pages, by the place in the job."""
    reached: int = 0
    """Pages that workers were through with when one died."""
    deaths_between: int = 0
    """How often workers died between two pages since then."""


class _Worker:
    """A process, and the job that it does; when it dies, another process takes its place."""

    def __init__(self, pool: Pool) -> None:
        self.journal = Journal()
        self.task: _Task | None = None
        self._pool = pool
        self._start()

    def _start(self) -> None:
        pool = self._pool
        self.connection, theirs = pool.context.Pipe()
        served, their_loads = pool.context.Pipe() if pool.loads is not None else (None, None)
        level = logging.getLogger(PACKAGE).getEffectiveLevel()
        self.process = pool.context.Process(target=serve, args=(theirs, their_loads, self.journal, level), daemon=True)
        with _without_main():
            self.process.start()
        theirs.close()
        if served is not None and their_loads is not None and pool.loads is not None:
            their_loads.close()
            pool.loads.serve(served)
        self._send(pool.start_message)

    def _send(self, message: bytes) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # its death is seen when its answer is read
            self.connection.send_bytes(message)

    def begin(self, task: _Task) -> None:
        self.task = task
        self.journal.clear()
        self._continue()

    def _continue(self) -> None:
        if self.task is not None:
            self._send(pickle.dumps(self.task.rest, pickle.HIGHEST_PROTOCOL))

    def restart(self) -> None:
        """Let another process go on with the job; until it reaches a page, it is between pages."""
        self._end_process()
        place = self.journal.place
        self.journal.mark(place.done, place.failed)
        self._start()
        self._continue()

    def end(self) -> None:
        self._end_process()
        self.journal.close()

    def _end_process(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()

    def find_fault(self, limits: PageLimits) -> str:
        """Say what is wrong with the worker, if it exceeds a limit."""
        place = self.journal.place
        seconds = time.monotonic() - place.since
        fault = ""
        if not place.pages:
            fault = f"nothing was read for {seconds:.0f} s" if seconds > READ_SECONDS else ""
        elif seconds > HARD_FACTOR * limits.seconds * place.pages + GRACE_SECONDS:
            fault = f"given up after {seconds:.0f} s; leave the page out, or allow more with --page-timeout"
        else:
            memory = resident_bytes(self.process.pid) - place.held
            if memory > limits.allowed_bytes(place.pages):
                said = f"{memory / 2**30:.1f} GB of memory"
                fault = f"given up after {said}; leave the page out, or allow more with --page-memory"
        return fault if self.journal.place == place else ""  # it may go on meanwhile


class Pool:
    """Workers that all do the same work; closing the iterator of `run` ends them."""

    def __init__(
        self,
        work: PageWork,
        options: Workers,
        *,
        loads: LoadServer | None = None,
        preloaded: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> None:
        """Take the work; `preloaded` are further modules that it needs, so that no new worker has to load them.

        `loads` serves what pages load from the web while they are rendered: one process keeps the pace of a host.
        """
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload([*preloaded, *_PRELOADED])
        self.loads = loads
        self._size, self._limits, self._progress = options.workers, options.limits, progress
        self._sends_results = work.gather is None
        self.start_message = pickle.dumps((work, self._limits), pickle.HIGHEST_PROTOCOL)
        self._keeps = work.is_rendering or work.together is not None
        """True if workers keep the result of each page: if it takes a browser, if pages wait for others, or if a worker
        has died."""
        self._useless = 0
        """Workers that could not work, such as without a browser, since the last job was done."""
        self._pages = self._failed = 0
        """Pages of jobs that are done."""
        self._workers: list[_Worker] = []

    def run(self, jobs: Iterable[Job], *, ordered: bool = False) -> Generator[tuple[int, Any]]:
        """Do the jobs, and give for each its number and the results of its pages, or what the work gathers of them.

        `ordered` gives them in the order of the jobs, else as soon as they are there.
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

    def _run(self, jobs: Iterable[Job], *, ordered: bool) -> Iterator[tuple[int, Any]]:
        todo, begun, is_over = iter(jobs), 0, False
        while True:
            while not is_over and self._has_idle() and not (ordered and self._is_far_ahead(begun)):
                job = next(todo, None)
                is_over = job is None
                if job is not None:
                    self._find_idle().begin(_Task(begun, Assignment(job, keeps=self._keeps)))
                    begun += 1
            busy = [worker for worker in self._workers if worker.task is not None]
            if not busy and is_over:
                return
            yield from self._look(busy)

    def _look(self, busy: list[_Worker]) -> Iterator[tuple[int, Any]]:
        """Wait for answers of workers, and replace those that have died or exceed a limit."""
        by_connection = {worker.connection: worker for worker in busy}
        answering = [by_connection[each] for each in wait([*by_connection], LOOK_SECONDS)]  # type: ignore[index]
        for worker in answering:
            try:
                kind, said = pickle.loads(worker.connection.recv_bytes())  # noqa: S301 - of our own process
            except (EOFError, ConnectionError, pickle.UnpicklingError):
                self._replace(worker, "")
                continue
            if kind == "log":
                logging.getLogger(said.name).handle(said)
            elif kind == "fatal":
                self._replace_useless(worker, said)
            else:
                yield self._finish(worker, said)
        for worker in busy:
            if worker not in answering and (fault := worker.find_fault(self._limits)):
                self._replace(worker, fault)
        if self._progress is not None:
            places = [worker.journal.place for worker in self._workers if worker.task is not None]
            self._progress(
                self._pages + sum(each.done for each in places), self._failed + sum(each.failed for each in places)
            )

    def _finish(self, worker: _Worker, made: Any) -> tuple[int, Any]:
        """Take the answer of a worker."""
        place, task = worker.journal.place, worker.task
        worker.task, self._useless = None, 0
        self._pages, self._failed = self._pages + place.done, self._failed + place.failed
        if task is None:
            raise RuntimeError("a worker without a job has answered")
        return task.number, list(map(pickle.loads, made)) if self._sends_results else made

    def _is_far_ahead(self, begun: int) -> bool:
        """Tell whether jobs that are done wait for one that was begun long before them."""
        numbers = [worker.task.number for worker in self._workers if worker.task is not None]
        return bool(numbers) and begun - min(numbers) >= JOBS_AHEAD * self._size

    def _has_idle(self) -> bool:
        return len(self._workers) < self._size or any(worker.task is None for worker in self._workers)

    def _find_idle(self) -> _Worker:
        """Find a worker without a job; start one if there is none."""
        for worker in self._workers:
            if worker.task is None:
                return worker
        self._workers.append(_Worker(self))
        return self._workers[-1]

    def _replace(self, worker: _Worker, fault: str) -> None:
        """End a worker, and let another one continue its job; blame the page that it was working on."""
        if not fault:
            worker.process.join(GRACE_SECONDS)  # it has closed its pipe, and a kill would hide how it ends
        # a busy machine may not have told by then how it ended; nothing shows that it was the work of its page
        was_killed = not fault and worker.process.exitcode in (-signal.SIGKILL, None)
        reason = fault or f"its worker {_describe_end(worker.process.exitcode)}"
        if worker.task is not None:
            _blame(worker.task, worker.journal.place, reason, was_killed=was_killed, is_limit=bool(fault))
        _log.debug("a worker was replaced: %s", reason)
        self._restart(worker)

    def _replace_useless(self, worker: _Worker, error: WebquarryError) -> None:
        """Replace a worker that cannot work; raise the error if others cannot either."""
        self._useless += 1
        if self._useless >= TRIES:
            raise error
        self._restart(worker)

    def _restart(self, worker: _Worker) -> None:
        self._keeps = True
        if worker.task is not None:
            worker.task.rest.keeps = True
        worker.restart()


def _blame(task: _Task, place: Place, reason: str, *, was_killed: bool, is_limit: bool) -> None:
    """Note the death of a worker; give up the page that it was at, or the rest of its job if others died there too."""
    if not place.pages:
        task.deaths_between = task.deaths_between + 1 if place.done == task.reached else 1
        task.reached = place.done
        if task.deaths_between >= (TRIES_BEFORE_MANY if was_killed else TRIES):
            if task.rest.unread:
                raise WebquarryError(f"{task.rest.job.name}: its results cannot be put together: {reason}")
            task.rest.unread, task.deaths_between = reason if is_limit else f"{reason} before its next page", 0
        return
    at = place.done, place.are_together
    task.deaths[at] += 1
    tries = TRIES_BEFORE_MANY if place.are_together else TRIES
    if not was_killed or task.deaths[at] >= tries:
        times = f", {count(tries, 'time')}" if was_killed else ""
        where = f" with {count(place.pages, 'page')} together" if place.are_together else ""
        error = reason if is_limit else f"{reason}{where}{times}; leave the page out, or report it"
        task.rest.blamed[at] = Blame(error, "limit" if is_limit else "died")


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
        for _, results in outcomes:
            yield from results


def _cut(pages: Iterable[Page | Document | Failure], work: PageWork) -> Iterator[GivenPages]:
    """Cut pages into jobs; pages that come or are done slowly do not wait for others, unless they are a group."""
    job: list[Page | Document | Failure] = []
    started = time.monotonic()
    for page in pages:
        job.append(page)
        is_late = work.is_rendering or time.monotonic() - started > GATHER_SECONDS
        if len(job) >= work.group if work.together is not None else len(job) >= PAGES_PER_JOB or is_late:
            yield GivenPages(job)
            job, started = [], time.monotonic()
    if job:
        yield GivenPages(job)


def _describe_end(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
    return "ended" if code is None else f"ended with code {code}"


def _in_order(done: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Hold jobs back until those before are done."""
    held: dict[int, Any] = {}
    head = 0
    for number, made in done:
        held[number] = made
        while head in held:
            yield head, held.pop(head)
            head += 1


@contextmanager
def _without_main() -> Iterator[None]:
    """Keep a new process from importing the caller's script, which would do its work again if it has no guard."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
