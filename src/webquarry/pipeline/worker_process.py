"""Work on the jobs that the supervisor of a worker process sends, and report each step.

Before each page a worker says where it is, and after it what came out, so that the supervisor always knows the page to
blame if the process dies, and loses no other.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Protocol

from webquarry.errors import WebquarryError
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.model.wording import count
from webquarry.pipeline import page_limits
from webquarry.pipeline.page_guard import attempt
from webquarry.pipeline.page_work import PageWork
from webquarry.pipeline.worker_downloads import open_remote_load

UNREAD = "unread"
"""The kind of the failure in place of pages of a job that could not be read."""
PACKAGE = "webquarry"

Position = Any
"""Where a page is in its job; equal for the same page, and sent between processes."""


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


@dataclass
class Assignment:
    """A job, or the rest of one that an earlier worker began."""

    job: Job
    after: Position | None = None
    """The last position whose result is there."""
    kept: list[tuple[Position, bytes]] = field(default_factory=list)
    """What came out for the pages after it, which wait for the others of their group."""
    blamed: dict[Position, Failure] = field(default_factory=dict)
    """Failures of pages that are not tried again."""
    keeps: bool = False
    """True if the worker sends what comes out for each page of a group, for a worker that may have to go on."""


def serve(connection: Connection, loads: Connection | None, level: int) -> None:
    """Work on jobs until there are no more; this runs in the worker."""
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
        page_limits.use_limits(limits)
        with open_remote_load(loads) as load, work.open(load) as act:
            while True:
                assignment = pickle.loads(connection.recv_bytes())  # noqa: S301
                for message in _do(assignment, work, act):
                    tell(*message)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the supervisor is gone, or has closed the pipe
    except WebquarryError as error:
        tell("fatal", error)


def _do(rest: Assignment, work: PageWork, act: Callable[[Any], Any]) -> Iterator[tuple[Any, ...]]:
    """Do a job, and report each step."""
    kept, blamed = rest.kept, rest.blamed
    waiting: list[tuple[Position, Any]] = [(position, blamed.get(position) or _Kept(each)) for position, each in kept]
    for position, page in _guarded(rest.job, kept[-1][0] if kept else rest.after):
        if len(waiting) == work.group:
            yield from _do_together(waiting, work)
            waiting = []
        if isinstance(page, Failure) or position in blamed:
            result: Any = blamed.get(position, page)
        else:
            yield "at", position, page.url, 1
            result = attempt(page.url, partial(_act_and_pack, act, page, is_packed=work.together is None))
        if work.together is None:
            yield "results", [(position, result if isinstance(result, bytes) else _pack(result))]
        else:
            yield "done", [(position, _pack(result))] if rest.keeps else []
            waiting.append((position, result))
    if waiting:
        yield from _do_together(waiting, work)
    yield ("end",)


def _act_and_pack(act: Callable[[Any], Any], page: Any, *, is_packed: bool) -> Any:
    """Work on a page; packed, its lazy parts are computed within the limits of the page too."""
    result = act(page)
    return _pack(result) if is_packed else result


class _Kept(bytes):
    """What came out for a page in an earlier worker; it is unpacked when the group is complete, in one worker only."""


def _do_together(waiting: list[tuple[Position, Any]], work: PageWork) -> Iterator[tuple[Any, ...]]:
    waiting = [
        (position, pickle.loads(each) if isinstance(each, _Kept) else each)  # noqa: S301 - of our own process
        for position, each in waiting
    ]
    made = [each for _, each in waiting if not isinstance(each, Failure)]
    if made:
        yield "at", waiting[-1][0], f"{count(len(made), 'page')} together", len(made)
        outcomes = iter(work.finish_together(made))
    packed = [(position, _pack(each if isinstance(each, Failure) else next(outcomes))) for position, each in waiting]
    yield "results", packed


def _pack(result: Any) -> bytes:
    return pickle.dumps(result, pickle.HIGHEST_PROTOCOL)


def _guarded(job: Job, after: Position | None) -> Iterator[tuple[Position, Page | Document | Failure]]:
    """Yield the pages of a job; an error while they are read is a failure in their place."""
    position = after
    try:
        for position, page in job.pages(after):
            yield position, page
    except WebquarryError as error:
        yield position, Failure(job.name, str(error), kind=UNREAD)
    except OSError as error:
        yield position, Failure(job.name, f"{job.name}: cannot be read ({error.strerror or error})", kind=UNREAD)


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
