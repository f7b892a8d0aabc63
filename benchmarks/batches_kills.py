"""Kill processes of batches at random moments, and count what is lost or doubled.

Before a batch goes on after its driver was killed, the bytes of its finished shards are erased in the archives: if any
of them were read again, its pages would be lost.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.batches_runs import Family, batch_command, find_family, reap
from webquarry.batching.batch_run import Batch
from webquarry.batching.page_tasks import JSON_LINES, BatchTask
from webquarry.batching.ray_engine import LOOPBACK, RayEngine, staying_here
from webquarry.batching.shard_files import ShardReport, UnreadShard
from webquarry.batching.stores import OutputFolder
from webquarry.fetching.archives import RECORD_START, find_member
from webquarry.pipeline.worker_pool import Workers
from webquarry.rendering.browser import find_browser

WORKER_KILLS, DRIVER_KILLS, BROWSER_KILLS, NODE_KILLS = 8, 6, 3, 3
SECONDS_BEFORE = (1.5, 4.0)
"""The time of a kill after the start of a driver, which itself takes a second."""
SECONDS_BETWEEN = (0.1, 0.6)
SHARD_PAGES = 50
NODES = 3
MAGIC_BYTES = 3
"""Of a gzip member: RFC 1952, section 2.3."""
_SEED = 19


@dataclass(frozen=True)
class Kills:
    """What became of the pages of batches whose processes were killed."""

    count: int = 0
    pages: int = 0
    lost: int = 0
    doubled: int = 0
    failed: int = 0
    """Pages that became rows of the failed ones."""
    repeated: int = 0
    """Shards that were finished twice."""

    def describe(self) -> str:
        """Describe it in one cell of a table."""
        said = f"{self.lost} of {self.pages:,} rows lost, {self.doubled} doubled, {self.failed} failed"
        return f"{said}, {self.repeated} shards repeated"

    def __add__(self, other: Kills) -> Kills:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Kills(*(one + another for one, another in pairs))


def measure_kills(
    archives: Sequence[Path], few: Sequence[Path], folder: Path, total: int, rendered: int
) -> Iterator[tuple[str, Kills]]:
    """Kill workers, drivers, browsers and Ray nodes; browsers work on the few archives, of `rendered` pages."""
    chance = random.Random(_SEED)
    read, mine = ["read"], ["mine", "--render", "--offline"]
    yield "workers", _kill_members(_Runs(read, archives, folder / "workers", total), WORKER_KILLS, chance, _pick_worker)
    yield "drivers", _kill_drivers(_Runs(read, archives, folder / "drivers", total), DRIVER_KILLS, chance)
    if find_browser() is not None:
        runs = _Runs(mine, few, folder / "browsers", rendered)
        yield "browsers", _kill_members(runs, BROWSER_KILLS, chance, _pick_browser)
    if find_spec("ray") is not None:
        yield f"nodes of {NODES} in a Ray cluster", _kill_nodes(_Runs(read, archives, folder / "nodes", total), chance)


@dataclass(frozen=True)
class _Runs:
    """A batch that is run again and again on copies of its archives."""

    verb: Sequence[str]
    originals: Sequence[Path]
    folder: Path
    total: int

    @property
    def out(self) -> Path:
        return self.folder / "out"

    @property
    def archives(self) -> list[Path]:
        return [self.folder / each.name for each in self.originals]

    def renew(self) -> None:
        """Begin anew: with whole archives and without results."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for original, copy in zip(self.originals, self.archives, strict=True):
            shutil.copy2(original, copy)

    def begin(self) -> subprocess.Popen[bytes]:
        verb, *options = self.verb
        options += ["--format", "jsonl", "--shard-pages", str(SHARD_PAGES)]
        command = batch_command(verb, [*map(str, self.archives)], self.out, 2, options)
        return subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def finished(self) -> list[ShardReport]:
        """List the shards that are finished, each as often as that was said."""
        manifest = self.out / "_manifest.jsonl"
        lines = manifest.read_text().splitlines(keepends=True) if manifest.exists() else []
        return [ShardReport(**json.loads(line)) for line in lines if line.endswith("\n")]

    def erase_finished(self) -> None:
        """Overwrite the bytes of finished shards, without a trace in size and time of their archives.

        What stays: the end of the last record before a shard, which is in its bytes but not of its pages, and the
        first bytes of a record, since those of an archive tell that it is compressed.
        """
        for shard in self.finished():
            path = Path(shard.input)
            seen = path.stat()
            end = shard.end or seen.st_size
            with path.open("r+b") as file:
                start = find_member(file, shard.start, RECORD_START)
                if start is not None and start < end:
                    file.seek(start + MAGIC_BYTES)
                    file.write(bytes(end - start - MAGIC_BYTES))
            os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))

    def count(self, kills: int) -> Kills:
        """Count what became of the pages after a whole run."""
        found: Counter[str] = Counter()
        for file in self.out.glob("*.jsonl.gz"):
            lines = gzip.decompress(file.read_bytes()).splitlines()  # failed pages have a line too
            found.update(json.loads(line)["page"] for line in lines)
        failed = sum(len(file.read_bytes().splitlines()) for file in (self.out / "_failed").glob("*.jsonl"))
        names = [shard.shard for shard in self.finished()]
        return Kills(
            kills,
            self.total,
            lost=self.total - len(found),
            doubled=found.total() - len(found),
            failed=failed,
            repeated=len(names) - len(set(names)),
        )


def _pick_worker(family: Family, chance: random.Random) -> int | None:
    return chance.choice(family.workers) if family.workers else None


def _pick_browser(family: Family, chance: random.Random) -> int | None:
    return chance.choice(family.main_browsers) if family.main_browsers else None


def _kill_members(
    runs: _Runs, kills: int, chance: random.Random, pick: Callable[[Family, random.Random], int | None]
) -> Kills:
    """Kill processes below a driver, which goes on each time."""
    found = Kills()
    while found.count < kills:
        runs.renew()
        driver, done = runs.begin(), 0
        time.sleep(chance.uniform(*SECONDS_BEFORE))
        while driver.poll() is None and found.count + done < kills:
            victim = pick(find_family(driver.pid), chance)
            if victim is not None:
                with suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                    done += 1
            time.sleep(chance.uniform(*SECONDS_BETWEEN))
        driver.wait()
        reap()
        found += runs.count(done)
    return found


def _kill_drivers(runs: _Runs, kills: int, chance: random.Random) -> Kills:
    """Kill drivers; each time the same command goes on without the bytes of finished shards."""
    found = Kills()
    while found.count < kills:
        runs.renew()
        done, code = 0, -signal.SIGKILL
        while code < 0:
            driver = runs.begin()
            if found.count + done < kills:
                with suppress(subprocess.TimeoutExpired):
                    driver.wait(chance.uniform(*SECONDS_BEFORE))
                if driver.poll() is None:
                    driver.kill()
                    done += 1
            code = driver.wait()
            reap()
            runs.erase_finished()
        found += runs.count(done)
    return found


def _kill_nodes(runs: _Runs, chance: random.Random) -> Kills:
    """Kill nodes of clusters, each in a process of its own: Ray can be started once in a process."""
    found = Kills()
    for _ in range(NODE_KILLS):
        runs.renew()
        given = [str(chance.uniform(0.0, 3.0)), str(runs.out), *map(str, runs.archives)]
        done = subprocess.run(
            [sys.executable, "-m", __name__, *given], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        if done.returncode:
            raise RuntimeError("the batch on a Ray cluster failed")
        reap()
        found += runs.count(1)
    return found


def run_on_nodes(seconds: float, out: str, archives: Sequence[str]) -> None:
    """Run a batch on a cluster of this machine, and kill a node some seconds after the first shard is finished."""
    with staying_here():
        from ray.cluster_utils import Cluster  # noqa: PLC0415 - an extra

        each = {"num_cpus": 1, "node_ip_address": LOOPBACK}
        cluster = Cluster(initialize_head=True, head_node_args={**each, "include_dashboard": False})
        others = [cluster.add_node(**each) for _ in range(NODES - 1)]
        timers: list[threading.Timer] = []

        def tell(_report: ShardReport | UnreadShard, _state: object) -> None:
            if not timers:
                timers.append(threading.Timer(seconds, cluster.remove_node, (others[0],), {"allow_graceful": False}))
                timers[0].start()

        batch = Batch(OutputFolder(out), {}, Workers(1))
        task = BatchTask("read", format=JSON_LINES)
        state = batch.start(task, archives, pages=SHARD_PAGES, engine=RayEngine(cluster.address), tell=tell)
        timers[0].cancel()
        if state.unread or state.finished < state.shards:
            raise RuntimeError(f"{state.finished} of {state.shards} shards: {state.unread}")


if __name__ == "__main__":
    run_on_nodes(float(sys.argv[1]), sys.argv[2], sys.argv[3:])
