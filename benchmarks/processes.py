"""The CPU time of this process and of everything that it started, also of what has ended since."""

from __future__ import annotations

import ctypes
import os
from collections import defaultdict
from pathlib import Path

_PROC = Path("/proc")
_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)
_PARENT, _TIMES = 1, slice(11, 15)  # fields of proc_pid_stat(5), counted from the one after the name


def adopt_orphans() -> None:
    """Let processes whose parent ends become ours, so that none leaves the tree of processes with its times."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def cpu_seconds() -> float:
    """User and system time of all processes of our tree, and of their ended children that were waited for."""
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
    """The fields after the name, which may itself hold blanks and brackets; none when the process has just gone."""
    try:
        return (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
