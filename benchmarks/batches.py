"""Measure batches: workers beside bare processes and trafilatura, growth, hostile pages, and processes that are killed.

Ratios are of CPU time, since other programs disturb the clock; the clock's pages a second are shown beside them.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import webquarry as wq
from benchmarks.batches_bare import WRAPPER
from benchmarks.batches_hostile import HOSTILE_EVERY, measure_hostile
from benchmarks.batches_kills import measure_kills
from benchmarks.batches_runs import DIFFERENT, Cost, batch_command, measure, write_archive
from benchmarks.corpora import draw_evenly, web_pages
from benchmarks.findings import Finding
from benchmarks.workers import adopt_orphans
from webquarry.rendering.browser import find_browser
from webquarry.wrapping.wrapper_file import write_wrapper

PAGES, RENDERED_PAGES = 600, 24
"""Pages of a run, and of one with a browser."""
ROUNDS = 2
"""Runs of each kind, of which the least counts: other programs only add to the CPU time."""
FEW = 20
"""Pages of the runs that show what it costs to start, which is left out of the ratios."""
MAX_LENGTH = 200_000
"""Bytes of these pages."""
MAX_LENGTH_TO_GROW = 6_000
"""Bytes of the files with pages of long runs, so that 100,000 of them take minutes."""
SMALL_SHARD = 2
"""`--shard-pages` for these, which makes shards of about 130 pages: they are cut by the size of usual pages."""
GROWTH, LONG_GROWTH = (1_000, 10_000), (1_000, 10_000, 100_000)
"""Numbers of pages to compare, and those of a long run."""
RENDERED_GROWTH = (200, 2_000)
"""The same with a browser, in a long run."""
EXAMPLES = Path(__file__).parent.parent / "examples" / "factbook" / "geos"
"""The pages of `extract`: those of the corpora have no template in common."""


def run_batches(root: Path, count: int | None = None, *, is_long: bool = False) -> Finding:
    """Run all measurements."""
    adopt_orphans()
    folder = Path(tempfile.mkdtemp(prefix="webquarry-batches-"))
    try:
        return _Measuring(root, folder, count or PAGES).run(is_long=is_long)
    finally:
        shutil.rmtree(folder)


class _Measuring:
    """The measurements, with what they have found so far."""

    def __init__(self, root: Path, folder: Path, total: int) -> None:
        self.folder, self.total = folder, total
        pages = [(each, each.path.stat().st_size) for each in web_pages(root)]
        usual = [each for each, size in pages if size < MAX_LENGTH]
        small = [each for each, size in pages if size < MAX_LENGTH_TO_GROW]
        self.markups = [each.markup() for each in draw_evenly(usual, DIFFERENT)]
        self.small = [each.markup() for each in draw_evenly(small, DIFFERENT)]
        self.rows, self.figures = _Shown(), dict[str, float]()
        samples = [wq.clean(wq.fetch(path)) for path in sorted(EXAMPLES.glob("*.html"))]
        self.facts = [each.markup for each in samples]
        (folder / WRAPPER).write_text(write_wrapper(wq.wrap(samples[:4], name="facts")))

    def run(self, *, is_long: bool) -> Finding:
        archives = self._write("usual", self.markups, self.total)
        for verb, markups in (("read", self.markups), ("mine", self.markups), ("extract", self.facts)):
            self._compare(verb, markups, self.total)
        if find_browser() is not None:
            self._compare("mine rendered", self.markups, min(self.total, RENDERED_PAGES))
        peer = measure([_bare_command("trafilatura", archives)])
        self._show("trafilatura, pool of 2 processes", peer, self.total)
        self._grow("read", LONG_GROWTH if is_long else GROWTH)
        if is_long and find_browser() is not None:
            self._grow("mine rendered", RENDERED_GROWTH)
        for name, share in measure_hostile(self.markups, self.total // 2, self.folder / "hostile").items():
            self.figures[f"batches, cost of {name}, 1 in {HOSTILE_EVERY}, beyond their limits"] = share
            self.rows.append([f"{name}, 1 in {HOSTILE_EVERY}", "", "", f"{share:+.1%}"])
        few = self._write("few", self.markups, RENDERED_PAGES)
        for name, kills in measure_kills(archives, few, self.folder / "killed", self.total, RENDERED_PAGES):
            self.rows.append([f"{kills.count} kills of {name}", "", "", kills.describe()])
            for what, number in (("lost", kills.lost), ("doubled", kills.doubled)):
                key = f"batches, rows {what} by kills"
                self.figures[key] = self.figures.get(key, 0.0) + number
        return Finding(
            title="Batches",
            heads=("run", "pages a second", "CPU ms a page", ""),
            rows=self.rows,
            note=f"{self.total:,} pages of the corpora, repeated, in two archives.",
            figures=self.figures,
        )

    def _write(self, name: str, markups: Sequence[str], pages: int) -> list[Path]:
        return [
            write_archive(self.folder / f"{name}-{half}.warc.gz", markups, (pages + half) // 2, half)
            for half in range(2)
        ]

    def _compare(self, verb: str, markups: Sequence[str], total: int) -> None:
        """Compare a batch with bare processes."""
        archives = self._write(verb, markups, total)
        few = self._write(f"few {verb}", markups, min(FEW, total // 4))
        for workers in (1, 2):
            bare, batch = self._measure_both(verb, archives, workers, ROUNDS)
            bare_start, batch_start = self._measure_both(verb, few, workers, 1)
            self.figures[f"batches, {verb} by {workers} workers to bare processes"] = (bare.cpu - bare_start.cpu) / (
                batch.cpu - batch_start.cpu
            )
            self._show(f"{verb}, {workers} bare", bare, total)
            self._show(f"{verb}, batch of {workers} workers", batch, total)

    def _measure_both(self, verb: str, archives: Sequence[Path], workers: int, rounds: int) -> tuple[Cost, Cost]:
        """Measure bare processes and a batch in turn; return the least of each."""
        groups = [[each] for each in archives] if workers == 2 else [archives]
        bare, batch = zip(
            *(
                (
                    measure([_bare_command(verb, group) for group in groups]),
                    measure([self._batch_command(verb, archives, workers)]),
                )
                for _ in range(rounds)
            ),
            strict=True,
        )
        return min(bare, key=_cpu_of), min(batch, key=_cpu_of)

    def _grow(self, verb: str, sizes: Sequence[int]) -> None:
        """Measure what a page costs in longer and longer runs, beyond the first ones, which have the cost of the start.

        All runs have the same pages equally often, and each is repeated, since other programs add to the CPU time.
        """
        least = sizes[0]
        costs = self._measure_growth(verb, self.small[: least // 2], (least, 2 * least, *sizes[1:]))
        first, twice = costs[least], costs[2 * least]
        before = (twice.cpu - first.cpu) / least
        for size in sizes[1:]:
            cost = costs[size]
            name = f"batches, {verb}, {size:,} pages to {least:,}"
            self.figures[f"{name}, CPU of a page"] = (cost.cpu - twice.cpu) / (size - 2 * least) / before
            self.figures[f"{name}, memory of a worker"] = cost.worker_bytes / first.worker_bytes
            self.figures[f"{name}, memory of the driver"] = cost.driver_bytes / first.driver_bytes

    def _measure_growth(self, verb: str, markups: Sequence[str], sizes: Sequence[int]) -> dict[int, Cost]:
        """Measure runs over so many small pages; of several runs the least CPU time counts, and the most memory."""
        runs: dict[int, list[Cost]] = {size: [] for size in sizes}
        for _ in range(ROUNDS):
            for size in sizes:
                archives = self._write("small", markups, size)
                command = self._batch_command(verb, archives, 2, ("--shard-pages", str(SMALL_SHARD)))
                runs[size].append(measure([command]))
        costs = {}
        for size, each in runs.items():
            most = {name: max(vars(run)[name] for run in each) for name in ("worker_bytes", "driver_bytes")}
            costs[size] = replace(min(each, key=_cpu_of), **most)
            self._show(f"{verb}, small pages, batch of 2 workers, {size:,} pages", costs[size], size)
        return costs

    def _batch_command(self, verb: str, archives: Sequence[Path], workers: int, more: Sequence[str] = ()) -> list[str]:
        word, _, way = verb.partition(" ")
        # without JSON lines, a sample of up to 200 pages is mined for the columns before the batch begins
        lines = ["--format", "jsonl"]
        options = {"mine": ["--static", *lines], "mine rendered": ["--render", "--offline", *lines]}.get(verb, [])
        wrapper = [str(self.folder / WRAPPER)] if word == "extract" else []
        out = Path(tempfile.mkdtemp(prefix=f"{word}{way}-", dir=self.folder))
        return batch_command(word, [*wrapper, *map(str, archives)], out, workers, [*options, *more])

    def _show(self, name: str, cost: Cost, pages: int) -> None:
        held = [("worker", cost.worker_bytes), ("driver", cost.driver_bytes), ("browsers", cost.browser_bytes)]
        memory = ", ".join(f"{name} {size / 2**20:.0f} MB" for name, size in held if size)
        self.rows.append([name, f"{pages / cost.wall:.0f}", f"{1000 * cost.cpu / pages:.2f}", memory])


class _Shown(list[list[str]]):
    """Rows that are shown on standard error as soon as they are there: the whole takes minutes."""

    def append(self, row: list[str]) -> None:
        super().append(row)
        print("; ".join(filter(None, row)), file=sys.stderr, flush=True)


def _cpu_of(cost: Cost) -> float:
    return cost.cpu


def _bare_command(verb: str, archives: Sequence[Path]) -> list[str]:
    return [sys.executable, "-m", "benchmarks.batches_bare", verb, *map(str, archives)]
