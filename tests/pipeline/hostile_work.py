"""Work on pages whose texts say what happens to the process; workers import it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from webquarry.errors import WebquarryError
from webquarry.fetching.policy import Policy
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline.fetch_pages import Cleaning

MEGABYTE = 2**20


def kill(_: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def crash(_: str) -> None:
    ctypes.string_at(0)


def hang(_: str) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)  # as in a library that does not come back to Python
    time.sleep(600)


def loop(_: str) -> None:
    while True:
        pass


def grow(_: str) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
    held = []
    while True:
        held.append(b"x" * MEGABYTE)
        time.sleep(0.0005)


def fail(_: str) -> None:
    raise ValueError("bad page")


def leave(_: str) -> None:
    os._exit(4)


def die_once(place: str) -> None:
    if not Path(place).exists():
        Path(place).touch()
        os.kill(os.getpid(), signal.SIGKILL)


def count_call(place: str) -> None:
    with Path(place).open("a") as file:
        file.write("x")


def tell_and_do(rest: str) -> None:
    fate, _, place = rest.partition(" ")
    count_call(place)
    FATES[fate]("")


FATES = {
    "kill": kill,
    "crash": crash,
    "hang": hang,
    "loop": loop,
    "grow": grow,
    "raise": fail,
    "exit": lambda _: sys.exit(3),
    "leave": leave,
    "once": die_once,
    "count": count_call,
    "tell": tell_and_do,
}


def work(document: Document) -> str:
    word, _, rest = document.text().partition(" ")
    FATES.get(word, str)(rest)
    return f"did {document.text()}"


def list_modules(document: Document) -> list[str]:
    return document.markup.split()


def together(results: list[str]) -> list[str]:
    return [f"{len(results)}: {each}" for each in results]


def crash_together(results: list[str]) -> list[str]:
    if any("die" in each for each in results):
        crash("")
    return results


def die_together(place: str, deaths: int, results: list[str]) -> list[str]:
    count_call(place)
    if len(Path(place).read_text()) <= deaths:
        kill("")
    return results


def gather(outcomes: list[tuple[int, object]]) -> str:
    return ", ".join(f"{place} {'failed' if isinstance(each, Failure) else each}" for place, each in outcomes)


@dataclass(frozen=True)
class Faltering:
    """A way to open pages that fails at first."""

    place: str
    failures: int
    loading = None

    @contextmanager
    def open(self, load: object) -> Iterator[Callable[[Page], Document]]:
        count_call(self.place)
        if len(Path(self.place).read_text()) <= self.failures:
            raise WebquarryError("browser does not start")
        with Cleaning().open(None) as to_document:
            yield to_document


@dataclass(frozen=True)
class KilledReading:
    """A job whose workers are killed before their first page, some times, but for the first workers."""

    given: list[Page]
    place: str
    deaths: int
    spared: int = 0
    name: str = "pages"

    def pages(self, after: int | None) -> Iterator[tuple[int, Page]]:
        count_call(self.place)
        if self.spared < len(Path(self.place).read_text()) <= self.spared + self.deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        yield from enumerate(self.given)


class ListingModules:
    """A way to open pages that gives documents of the modules that a worker has when it starts."""

    loading = None

    @contextmanager
    def open(self, load: object) -> Iterator[Callable[[Page], Document]]:
        modules = " ".join(sys.modules)
        yield lambda page: Document(modules, url=page.url)


class Missing:
    """A way to open pages that is not there."""

    loading = None

    def open(self, load: object) -> None:
        raise WebquarryError("no browser")


class Loading(Missing):
    """A way to open pages that load others from the web."""

    loading = Policy()
