"""Renderers at work in processes of their own, so that the CPU time of each is known with that of its browser."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Self, cast

from benchmarks.processes import adopt_orphans, cpu_seconds
from benchmarks.renderers import load
from webquarry.model.page import Page


@dataclass(frozen=True)
class Cost:
    """What it took to render some pages, and how many nodes each of them had."""

    cpu: float
    """Seconds, of the process that drives, the browser and all their children."""
    wall: float
    nodes: tuple[int, ...]

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.cpu + other.cpu, self.wall + other.wall, self.nodes + other.nodes)


class Worker:
    """A process with a renderer; it waits, at no cost, while others have their turn."""

    def __init__(self, name: str, tabs: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(name, tabs, theirs), daemon=False)
        self._process.start()
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._connection.close()
        self._process.join()

    def render(self, pages: Sequence[Page]) -> Cost:
        """Render the pages; what the renderer raises is raised here."""
        self._connection.send(pages)
        answer = self._connection.recv()
        if isinstance(answer, BaseException):
            raise answer
        return cast(Cost, answer)


def _work(name: str, tabs: int, connection: Connection) -> None:
    adopt_orphans()
    open_renderer = load(name)
    if open_renderer is None:
        raise LookupError(name)
    with open_renderer(tabs) as render:
        while True:
            try:
                pages = connection.recv()
            except EOFError:
                return
            try:
                cpu, wall = cpu_seconds(), time.monotonic()
                nodes = tuple(render(pages))
                connection.send(Cost(cpu_seconds() - cpu, time.monotonic() - wall, nodes))
            except Exception as error:  # noqa: BLE001 - it is raised again where it was asked for
                connection.send(error)
