"""Run batches for the benchmarks, and measure their processes."""

from __future__ import annotations

import gzip
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

DIFFERENT = 200
"""Corpus pages that are repeated."""
SHARD_PAGES = 250
SECONDS_BETWEEN_LOOKS = 0.1
BROWSER_NAMES = ("chrome", "headless_shell", "chromium")
_PROCESSES = Path("/proc")


@dataclass(frozen=True)
class Cost:
    """What a run took."""

    cpu: float
    wall: float
    worker_bytes: int = 0
    """The most memory of a worker."""
    driver_bytes: int = 0
    """The most memory of the process that supervises them."""
    browser_bytes: int = 0
    """The most memory of all browsers together; pages that their processes share count for each."""


def write_archive(path: Path, markups: Sequence[str], count: int, half: int) -> Path:
    """Write an archive of so many pages, each of a site of ten."""
    with path.open("wb") as file:
        for number in range(count):
            url = f"https://site{half}-{number % DIFFERENT // 10}.example/{half}/{number}"
            markup = markups[number % len(markups)]
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
            http += markup.encode("utf-8", "replace")
            head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(http)}\r\n"
            record = f"{head}Content-Type: application/http\r\n\r\n".encode() + http + b"\r\n\r\n"
            file.write(gzip.compress(record, 1))
    return path


def batch_command(verb: str, inputs: Sequence[str], out: Path, workers: int, options: Sequence[str] = ()) -> list[str]:
    """Write the command of a batch."""
    placed = ["--workers", str(workers), "-o", str(out)]
    shards = [] if "--shard-pages" in options else ["--shard-pages", str(SHARD_PAGES)]
    return [sys.executable, "-m", "webquarry", "batch", verb, *inputs, *options, *shards, *placed]


def measure(commands: Sequence[Sequence[str]]) -> Cost:
    """Run commands at once; measure them with all processes that they leave."""
    before, start = cpu_of_children(), time.monotonic()
    running = [subprocess.Popen(each, stderr=subprocess.DEVNULL) for each in commands]
    with _watching([each.pid for each in running]) as most:
        codes = [each.wait() for each in running]
    wall = time.monotonic() - start
    if any(codes):
        raise RuntimeError(f"a command failed: {codes} of {commands}")
    reap()
    return Cost(cpu_of_children() - before, wall, most["worker"], most["driver"], most["browser"])


def cpu_of_children() -> float:
    """Return the CPU time of ended children, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def reap() -> None:
    """Wait for processes whose parents have ended, such as the server that forks workers."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


@dataclass(frozen=True)
class Family:
    """The processes that a driver has started."""

    workers: Sequence[int]
    browsers: Sequence[int]
    """All processes of browsers."""
    main_browsers: Sequence[int]
    """Those that the workers started."""


def find_family(driver: int) -> Family:
    """Find the workers of a driver, which are forked by a server that it started, and the browsers below it."""
    children: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    for stat in _PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):
            name, _, rest = stat.read_text().partition("(")[2].rpartition(")")
            number = int(stat.parent.name)
            names[number] = name
            children.setdefault(int(rest.split()[1]), []).append(number)
    below, todo = [], [driver]
    while todo:
        found = children.get(todo.pop(), [])
        below += found
        todo += found
    browsers = [each for each in below if names[each].startswith(BROWSER_NAMES)]
    forked = [each for server in children.get(driver, []) for each in children.get(server, [])]
    workers = [each for each in forked if names[each].startswith("python")]
    return Family(workers, browsers, [each for worker in workers for each in children.get(worker, [])])


@contextmanager
def _watching(drivers: Sequence[int]) -> Iterator[dict[str, int]]:
    """Yield the most memory that the processes of drivers have held so far, by their role."""
    most = dict.fromkeys(("worker", "driver", "browser"), 0)
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(SECONDS_BETWEEN_LOOKS):
            families = [find_family(each) for each in drivers]
            workers = [_peak_bytes(each) for family in families for each in family.workers]
            browsers = [_own_bytes(each) for family in families for each in family.browsers]
            most["worker"] = max([most["worker"], *workers])
            most["driver"] = max([most["driver"], *map(_peak_bytes, drivers)])
            most["browser"] = max(most["browser"], sum(browsers))

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield most
    finally:
        ended.set()
        watcher.join()


def _peak_bytes(process: int) -> int:
    return _read_kilobytes(_PROCESSES / str(process) / "status", "VmHWM:") * 1024


def _own_bytes(process: int) -> int:
    """Return the memory of a process, with its part of what it shares."""
    return _read_kilobytes(_PROCESSES / str(process) / "smaps_rollup", "Pss:") * 1024


def _read_kilobytes(file: Path, field: str) -> int:
    with suppress(OSError):
        for line in file.read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1])
    return 0
