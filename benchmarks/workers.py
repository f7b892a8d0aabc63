"""Run each renderer in a process of its own, to measure its CPU time together with its browser's."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from benchmarks.renderers import load
from webquarry.model.page import Page

_PROC = Path("/proc")
_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)
_PARENT, _TIMES = 1, slice(11, 15)  # fields of proc_pid_stat(5), counted from the field after the name


def adopt_orphans() -> None:
    """Become the parent of orphaned processes, so that their CPU times stay in our process tree."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def cpu_seconds() -> float:
    """Sum the user and system time of our process tree, including ended children that were waited for."""
    processes = {int(folder.name): stat for folder in _PROC.glob("[0-9]*") if (stat := _read_stat(folder))}
    children: defaultdict[int, list[int]] = defaultdict(list)
    for number, stat in processes.items():
        children[int(stat[_PARENT])].append(number)
    ticks, todo = 0, [os.getpid()]
    while todo:
        number = todo.pop()
        ticks += sum(map(int, processes[number][_TIMES]))
        todo += children[number]
    return ticks / os.sysconf("SC_CLK_TCK")


def _read_stat(folder: Path) -> list[str]:
    """Read the fields after the name, which may contain blanks and brackets; empty if the process has ended."""
    try:
        return (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


@dataclass(frozen=True)
class Cost:
    """The time to render some pages, and the number of nodes of each."""

    cpu: float
    """Seconds of the driving process, the browser and all their children."""
    wall: float
    nodes: tuple[int, ...]

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.cpu + other.cpu, self.wall + other.wall, self.nodes + other.nodes)


class Worker:
    """A process with a renderer, idle until it is given pages."""

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
        """Render the pages; exceptions of the renderer are raised here."""
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
            except Exception as error:  # noqa: BLE001 - raised again in the parent process
                connection.send(error)
