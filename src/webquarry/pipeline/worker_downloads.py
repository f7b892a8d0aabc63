"""Fetch the resources that pages load in other processes, so that one process keeps the pace of each host.

Workers ask over a pipe; the answers come in any order, each with the number of its question.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from multiprocessing.connection import Connection

from webquarry.errors import FetchError, WebquarryError
from webquarry.fetching.downloads import WORKERS, Loader
from webquarry.fetching.policy import Policy
from webquarry.model.page import Page
from webquarry.pipeline.page_work import Load


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
