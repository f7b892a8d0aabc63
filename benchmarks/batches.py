"""Measure batches: workers beside bare processes and trafilatura, growth, hostile pages, and processes that are killed.

Ratios are of CPU time, since other programs disturb the clock; the clock's pages a second are shown beside them.
"""

from __future__ import annotations

import ctypes
import gzip
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

import webquarry as wq
from benchmarks.corpora import draw_evenly, web_pages
from benchmarks.findings import Finding
from benchmarks.workers import adopt_orphans
from webquarry.model.document import Document
from webquarry.model.page import Failure
from webquarry.pipeline.fetch_pages import Cleaning
from webquarry.pipeline.page_work import PageWork
from webquarry.pipeline.read_pages import make_reading
from webquarry.pipeline.worker_pool import Pool, Workers
from webquarry.pipeline.worker_process import GivenPages
from webquarry.storing.article_files import article_table, to_article_rows

PAGES = 1_000
FEW = 20
"""Pages of the runs that show what it costs to start, which is left out of the ratios."""
DIFFERENT = 200
"""Corpus pages that are repeated."""
MAX_LENGTH = 200_000
"""Characters of these pages."""
GROWTH = 10
"""Times as many pages, to see what a page costs then."""
HOSTILE_EVERY = 100
HOSTILE_SECONDS = 0.5
"""The limit of a page where some are hostile."""
KILLS = 20
_SEED = 19


@dataclass(frozen=True)
class Cost:
    """What a run took."""

    cpu: float
    wall: float


def run_batches(root: Path, count: int | None = None) -> Finding:
    """Run all measurements."""
    total = count or PAGES
    adopt_orphans()
    folder = Path(tempfile.mkdtemp(prefix="webquarry-batches-"))
    try:
        return _measure(root, folder, total)
    finally:
        shutil.rmtree(folder)


def _measure(root: Path, folder: Path, total: int) -> Finding:
    pages = [each for each in web_pages(root) if each.path.stat().st_size < MAX_LENGTH]
    markups = [each.markup() for each in draw_evenly(pages, DIFFERENT)]
    halves = [write_archive(folder / f"{half}.warc.gz", markups, total // 2, half) for half in range(2)]
    rows, figures = _Shown(), dict[str, float]()
    few = [write_archive(folder / f"few-{half}.warc.gz", markups, FEW // 2, half) for half in range(2)]
    for verb in ("read", "mine"):
        for workers in (1, 2):
            bare = _cost(_bare_commands(verb, halves, workers))
            batch = _cost([_batch_command(verb, halves, folder / f"{verb}-{workers}", workers)])
            start = _cost(_bare_commands(verb, few, workers)).cpu
            batch_start = _cost([_batch_command(verb, few, folder / f"few-{verb}-{workers}", workers)]).cpu
            ratio = (bare.cpu - start) / (batch.cpu - batch_start)
            figures[f"batches, {verb} by {workers} workers to bare processes"] = ratio
            rows.append([f"{verb}, {workers} bare", *_describe(bare, total)])
            rows.append([f"{verb}, batch of {workers} workers", *_describe(batch, total)])
    peer = _cost(_bare_commands("trafilatura", halves, 2))
    rows.append(["trafilatura, 2 bare", *_describe(peer, total)])
    many = [write_archive(folder / f"many-{half}.warc.gz", markups, total * GROWTH // 2, half) for half in range(2)]
    grown = _cost([_batch_command("read", many, folder / "many", 2)])
    figures["batches, cpu of a page with ten times as many"] = grown.cpu / GROWTH / _cpu_of(rows, "read, batch of 2")
    rows.append([f"read, batch of 2 workers, {total * GROWTH:,} pages", *_describe(grown, total * GROWTH)])
    overhead = measure_hostile(markups, total)
    figures["batches, cost of hostile pages beyond their limits"] = overhead
    rows.append([f"1 hostile page in {HOSTILE_EVERY}", "", "", f"{overhead:+.1%}"])
    lost, doubled, repeated = measure_kills(halves, folder / "killed", total)
    figures |= {"batches, rows lost by kills": float(lost), "batches, rows doubled by kills": float(doubled)}
    rows.append([f"{KILLS} kills", "", "", f"{lost} lost, {doubled} doubled, {repeated} shards repeated"])
    return Finding(
        title="Batches",
        heads=("run", "pages a second", "CPU ms a page", ""),
        rows=rows,
        note=f"{total:,} pages of the corpora, repeated, in two archives.",
        figures=figures,
    )


class _Shown(list[list[str]]):
    """Rows that are shown on standard error as soon as they are there: the whole takes minutes."""

    def append(self, row: list[str]) -> None:
        super().append(row)
        print("; ".join(filter(None, row)), file=sys.stderr, flush=True)


def _cpu_of(rows: Sequence[Sequence[str]], name: str) -> float:
    """Take the CPU time of a run of the first size back from the table, in seconds."""
    (row,) = [each for each in rows if each[0].startswith(name)]
    return float(row[3].split()[0])


def _describe(cost: Cost, pages: int) -> list[str]:
    return [f"{pages / cost.wall:.0f}", f"{1000 * cost.cpu / pages:.2f}", f"{cost.cpu:.2f} s of CPU"]


def write_archive(path: Path, markups: Sequence[str], count: int, half: int) -> Path:
    """Write an archive of pages, each of a site of ten."""
    with path.open("wb") as file:
        for number in range(count):
            url = f"https://site{half}-{number % DIFFERENT // 10}.example/{half}/{number}"
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
            http += markups[number % len(markups)].encode("utf-8", "replace")
            head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(http)}\r\n"
            record = f"{head}Content-Type: application/http\r\n\r\n".encode() + http + b"\r\n\r\n"
            file.write(gzip.compress(record, 1))
    return path


def _batch_command(verb: str, archives: Sequence[Path], out: Path, workers: int) -> list[str]:
    options = ["--static"] if verb == "mine" else []
    shards = ["--shard-pages", "250", "--workers", str(workers), "-o", str(out)]
    return [sys.executable, "-m", "webquarry", "batch", verb, *map(str, archives), *options, *shards]


def _bare_commands(verb: str, archives: Sequence[Path], processes: int) -> list[list[str]]:
    groups = [[each] for each in archives] if processes == 2 else [archives]
    return [[sys.executable, "-m", "benchmarks.batches", verb, *map(str, group)] for group in groups]


def _cost(commands: Sequence[Sequence[str]]) -> Cost:
    """Run commands at once; measure them with all processes that they leave."""
    before, start = _cpu(), time.monotonic()
    running = [subprocess.Popen(each, stderr=subprocess.DEVNULL) for each in commands]
    codes = [each.wait() for each in running]
    wall = time.monotonic() - start
    if any(codes):
        raise RuntimeError(f"a command failed: {codes}")
    _reap()
    return Cost(_cpu() - before, wall)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _reap() -> None:
    """Wait for processes whose parents have ended, such as the server that forks workers."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def run_bare(verb: str, archives: Sequence[str]) -> None:
    """Do in one process what a batch does, without supervision; this runs in a process of its own."""
    pages = wq.fetch_all(archives)
    if verb == "trafilatura":
        from trafilatura import extract  # noqa: PLC0415 - only this run needs it

        for page in pages:
            if isinstance(page, wq.Page):
                extract(page.body, url=page.url, with_metadata=True, output_format="json")
        return
    documents = wq.clean_all(pages)
    if verb == "mine":
        for result in wq.mine_all(documents, choose=_first):
            if not isinstance(result, Failure):
                _ = [region.to_arrow() for region in result.regions]
        return
    articles = [each for each in wq.read_all(documents, with_metadata=True) if not isinstance(each, Failure)]
    table = article_table([row for each in articles for row in to_article_rows(each)])
    with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        pq.write_table(table, file.name, compression="zstd")


def _first(regions: Sequence[wq.Region]) -> Sequence[wq.Region]:
    return regions[:1]


def read_hostile(document: Document) -> object:
    """Read a page; pages that say so end the process, never end, or fill memory."""
    fates: dict[str, Callable[[], object]] = {"crash": _crash, "hang": _hang, "bomb": _fill}
    fates.get(document.markup[:5].strip(), lambda: None)()
    return to_article_rows(make_reading("blocks", with_metadata=True).each(document))


def _crash() -> None:
    ctypes.string_at(0)


def _hang() -> None:
    while True:
        pass


def _fill() -> None:
    held = []
    while True:
        held.append(b"x" * 2**20)


def measure_hostile(markups: Sequence[str], total: int) -> float:
    """Measure what hostile pages cost beyond their limits, as a share of the CPU time of the others."""
    fates = ("crash", "hang ", "bomb ")
    good = [_page(number, markups[number % len(markups)]) for number in range(total)]
    bad = [_page(total + number, fates[number % 3] + "<p>") for number in range(total // HOSTILE_EVERY)]
    mixed = list(good)
    for number, page in enumerate(bad):
        mixed.insert(number * (HOSTILE_EVERY + 1) + HOSTILE_EVERY // 2, page)
    plain, hostile = _cost_of_pages(good), _cost_of_pages(mixed)
    own = sum(HOSTILE_SECONDS for page in bad if page.body.startswith(b"hang"))  # the others end before
    return (hostile - own - plain) / plain


def _page(number: int, markup: str) -> wq.Page:
    return wq.Page(url=f"https://site.example/{number}", body=markup.encode("utf-8", "replace"))


def _cost_of_pages(pages: Sequence[wq.Page]) -> float:
    """Measure the CPU time of reading pages by two workers, in a process of its own."""
    before = _cpu()
    process = os.fork()
    if not process:
        crew = Workers(2, page_timeout=HOSTILE_SECONDS, page_memory=300 * 2**20)
        pool = Pool(PageWork(read_hostile, Cleaning()), crew, preloaded=[__name__])
        for _ in pool.run(GivenPages(pages[start : start + 8]) for start in range(0, len(pages), 8)):
            pass
        os._exit(0)
    os.waitpid(process, 0)
    _reap()
    return _cpu() - before


def measure_kills(archives: Sequence[Path], out: Path, total: int) -> tuple[int, int, int]:
    """Kill workers and drivers at random moments; count rows that are lost or doubled, and shards begun again."""
    chance = random.Random(_SEED)
    command = _batch_command("read", archives, out, 2)
    kills = 0
    while True:
        driver = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(1.0, 4.0))
        while driver.poll() is None and kills < KILLS:
            kills += 1
            workers = _workers_of(driver.pid)
            if kills % 2 and workers:
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(workers), signal.SIGKILL)
                time.sleep(chance.uniform(0.1, 0.6))
            else:
                driver.kill()
        code = driver.wait()
        _reap()
        if code >= 0 and kills >= KILLS:
            break
        if code >= 0:  # finished before all kills: begin anew
            command = [*_batch_command("read", archives, out, 2), "--restart"]
        else:
            command = _batch_command("read", archives, out, 2)
    found = [page for file in sorted(out.glob("*.parquet")) for page in pq.read_table(file)["_page"].to_pylist()]
    failed = sum(1 for file in (out / "_failed").glob("*.jsonl") for _ in file.read_text().splitlines())
    shards = [json.loads(line)["shard"] for line in (out / "_manifest.jsonl").read_text().splitlines()]
    return total - len(set(found)) - failed, len(found) - len(set(found)), len(shards) - len(set(shards))


def _workers_of(driver: int) -> list[int]:
    """Find the workers of a driver: they are forked by a server that it started."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    return [worker for server in children.get(driver, []) for worker in children.get(server, [])]


if __name__ == "__main__":
    run_bare(sys.argv[1], sys.argv[2:])
