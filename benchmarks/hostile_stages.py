"""Run hostile pages through every stage: time and memory must grow with the input, and stay within bounds.

Each page runs in a process of its own, which ends when it takes too much.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Self

import webquarry as wq
from benchmarks.findings import Finding
from benchmarks.growth import FACTOR
from benchmarks.hostile import FAMILIES, Family
from benchmarks.pool import show_progress
from webquarry.errors import WebquarryError
from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.pipeline.learn_wrappers import WRAPPERS
from webquarry.pipeline.mine_pages import MINERS
from webquarry.pipeline.read_pages import ARTICLE_READERS
from webquarry.rendering.browser import WATCH_SECONDS, find_browser, measure_processes
from webquarry.rendering.renderer import Renderer

MEGABYTE = 2**20
SIZES = (MEGABYTE // 16, MEGABYTE // 4)
"""Characters of the pages of a family. The longer one runs first; where it costs much, the shorter one and a page of a
megabyte follow."""
MAX_SECONDS, MAX_BYTES = 10.0, 2**30
"""For a page of a megabyte."""
MAX_FACTOR = 5.0
"""For the time of four times the input."""
MIN_SECONDS = 0.25
"""Times below this say nothing about growth: starting and collecting garbage make more of them."""
MUCH_SECONDS, MUCH_BYTES = MIN_SECONDS * MAX_FACTOR, 2**27
"""For a page of a quarter of a megabyte: one that takes less has not grown too much from any shorter page, and stays
within the bounds at four times the length if it grows as it may."""
CHILD_BYTES, CHILD_SECONDS = 4 * 2**30, 20
"""What ends the process of a page."""
TRIES = 3
"""For a growth that looks too large, because other load on the machine only adds time."""
RENDER = "render"
ADDRESS = "https://page.example/"
WITH_WORDS = ", with words"
ALL_FAMILIES: Mapping[str, Family] = FAMILIES | {
    f"{name}{WITH_WORDS}": family.with_words() for name, family in FAMILIES.items()
}

Make = Callable[[int], str]
"""Makes a page of a number of characters."""
Stage = Callable[[Make, int], object]
"""Works on pages of a number of characters in all."""


@dataclass(frozen=True)
class Cost:
    """The cost of a stage on one page: CPU seconds, bytes, and what went wrong."""

    seconds: float
    memory: int
    fault: str = ""

    @property
    def is_much(self) -> bool:
        return self.seconds > MUCH_SECONDS or self.memory > MUCH_BYTES


@dataclass(frozen=True)
class Trial:
    """The costs of a stage on the pages of a family, shortest page first."""

    stage: str
    family: str
    costs: tuple[Cost, ...]

    @property
    def factor(self) -> float:
        """The worst growth for four times the input."""
        pairs = [(max(short.seconds, MIN_SECONDS), long.seconds) for short, long in pairwise(self.costs)]
        return max((longer / shorter for shorter, longer in pairs), default=0.0)

    @property
    def seconds(self) -> float:
        return max(cost.seconds for cost in self.costs)

    @property
    def memory(self) -> int:
        return max(cost.memory for cost in self.costs)

    @property
    def fault(self) -> str:
        return next((cost.fault for cost in self.costs if cost.fault), "")

    def describe(self) -> str:
        """Say what the stage cost on the family."""
        seconds = ", ".join(f"{cost.seconds:.2f} s" for cost in self.costs)
        return f"{self.stage}: {self.family}: {seconds}, {self.memory / 2**20:.0f} MB {self.fault}".rstrip()


def run_hostile_stages(_root: Path, count: int | None = None) -> Finding:
    """Measure the worst growth, time and memory of each stage over all families, or over `count` of them."""
    families = dict(list(ALL_FAMILIES.items())[: count or None])
    gc.collect()
    gc.freeze()
    stages = make_stages()
    total = len(stages) * len(families)
    trials = list(show_progress(_try_static(stages, families), total, "hostile pages"))
    with tempfile.TemporaryDirectory(prefix="webquarry-hostile-") as folder:
        # Pages without words have the same boxes, and rendering takes most of the time.
        shown = {name: family for name, family in families.items() if name.endswith(WITH_WORDS)} or families
        trials += show_progress(_try_rendered(shown, Path(folder)), len(shown) * (1 + len(RENDERED_STAGES)), "stages")
    return _report(trials)


def _report(trials: list[Trial]) -> Finding:
    by_stage: dict[str, list[Trial]] = {}
    for trial in trials:
        by_stage.setdefault(trial.stage, []).append(trial)
    rows = []
    for stage, own in by_stage.items():
        grown, slow, large = (max(own, key=key) for key in (_factor, _seconds, _memory))
        rows.append(
            [
                stage,
                f"{grown.factor:.1f} ({grown.family})" if grown.factor else f"under {MAX_FACTOR:g}",
                f"{slow.seconds:.1f} s ({slow.family})",
                f"{large.memory / 2**20:.0f} MB ({large.family})",
                str(sum(bool(each.fault) for each in own)),
            ]
        )
    bad = [each for each in trials if each.fault or each.factor > MAX_FACTOR or _is_large(each)]
    return Finding(
        title="Hostile pages through every stage",
        heads=("stage", f"time for {FACTOR} times the input", "longest", "most memory", "failed"),
        rows=rows,
        note=f"{len({each.family for each in trials})} families of pages of a quarter of a megabyte, where that costs "
        f"much also of a sixteenth and of a whole one; worst family each. Under {MAX_FACTOR:g}: too quick to measure.",
        figures={
            "hostile pages, growth for a fourfold input, worst": max(map(_factor, trials)),
            "hostile pages, seconds for a megabyte, worst": max(map(_seconds, trials)),
            "hostile pages, gigabytes for a megabyte, worst": max(map(_memory, trials)) / 2**30,
            "hostile pages, stages that fail on a family": float(sum(bool(each.fault) for each in trials)),
        },
        complaints=[f"hostile page costs too much: {each.describe()}" for each in bad],
    )


def _factor(trial: Trial) -> float:
    return trial.factor


def _seconds(trial: Trial) -> float:
    return trial.seconds


def _memory(trial: Trial) -> int:
    return trial.memory


def _is_large(trial: Trial) -> bool:
    return trial.memory > MAX_BYTES or trial.seconds > MAX_SECONDS


def make_stages() -> dict[str, Stage]:
    """Name every stage that computes without a layout, by each of its methods."""
    examples = Path(__file__).parent.parent / "examples"
    samples = {
        "sections": sorted((examples / "factbook" / "geos").glob("*.html"))[:3],
        "records": [examples / "shops" / "kettleby" / "index.html"],
    }
    wrappers = {
        kind: wq.wrap([wq.clean(wq.fetch(path)) for path in paths], name="example", kind=kind)
        for kind, paths in samples.items()
    }
    return {
        **{f"clean {method}": partial(_clean, method) for method in ("html5", "cleandom")},
        **{f"mine {method}": partial(_mine, method) for method in MINERS if method not in ("emine", "mdr")},
        **{f"read {method}": partial(_read, method) for method in ARTICLE_READERS},
        **{f"wrap {kind} {method}": partial(_wrap, kind, method) for kind, method in WRAPPERS},
        **{f"extract {kind}": partial(_extract, wrapper) for kind, wrapper in wrappers.items()},
        "validate articles": _validate_articles,
        "validate regions": _validate_regions,
    }


def _page(markup: str, url: str = ADDRESS) -> Page:
    return Page(url, markup.encode("utf-8", "replace"), headers=(("Content-Type", "text/html; charset=utf-8"),))


def _pair(make: Make, size: int) -> list[Document]:
    """Make two sample pages of one site, of half the size each."""
    markup = make(size // 2)
    return [wq.clean(_page(markup)), wq.clean(_page(f"{markup}<p>another", f"{ADDRESS}2"))]


def _clean(method: str, make: Make, size: int) -> object:
    return wq.clean(_page(make(size)), method=method).to_xhtml()


def _mine(method: str, make: Make, size: int) -> object:
    return [region.to_dict() for region in wq.mine(wq.clean(_page(make(size))), method=method)]


def _read(method: str, make: Make, size: int) -> object:
    return [(article.to_dict(), article.to_markdown()) for article in wq.read(_pair(make, size), method=method)]


def _wrap(kind: str, method: str, make: Make, size: int) -> object:
    return wq.wrap(_pair(make, size), name="hostile", kind=kind, method=method)


def _extract(wrapper: wq.Wrapper, make: Make, size: int) -> object:
    return wq.extract(wrapper, wq.clean(_page(make(size)))).to_dict()


def _validate_articles(make: Make, size: int) -> object:
    return wq.validate(wq.read(_pair(make, size), method="blocks")).to_dict()


def _validate_regions(make: Make, size: int) -> object:
    return [wq.validate(region).to_dict() for region in wq.mine(wq.clean(_page(make(size))))[:1]]


def _try_static(stages: Mapping[str, Stage], families: Mapping[str, Family]) -> Iterator[Trial]:
    for name, family in families.items():
        for stage, run in stages.items():
            yield try_stage(stage, name, partial(_measure_sizes, partial(run, family.fill)))


def try_stage(stage: str, family: str, measure_sizes: Callable[[], tuple[Cost, ...]]) -> Trial:
    """Run a stage on longer and longer pages of a family, again if it seems to grow too much."""
    trial = Trial(stage, family, measure_sizes())
    for _ in range(TRIES - 1):
        if trial.fault or trial.factor <= MAX_FACTOR:
            break
        again = Trial(stage, family, measure_sizes())
        trial = min(trial, again, key=_factor)
    return trial


def _measure_sizes(run: Callable[[int], object]) -> tuple[Cost, ...]:
    short, long = SIZES
    cost = measure(partial(run, long))
    if cost.fault or not cost.is_much:
        return (cost,)
    costs = measure(partial(run, short)), cost
    return costs if costs[0].fault else (*costs, measure(partial(run, MEGABYTE)))


def measure(run: Callable[[], object]) -> Cost:
    """Run work in a process of its own; return CPU seconds and the memory that it needed at most."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        try:
            os.write(writer, json.dumps(_measure_here(run)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(pid, 0)
    return Cost(*json.loads(answer)) if answer else Cost(float(CHILD_SECONDS), 0, f"ended, after {CHILD_SECONDS} s?")


def _measure_here(run: Callable[[], object]) -> tuple[float, int, str]:
    held = _resident("VmRSS")
    resource.setrlimit(resource.RLIMIT_AS, (CHILD_BYTES, CHILD_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CHILD_SECONDS, CHILD_SECONDS + 1))
    Path("/proc/self/clear_refs").write_text("5")  # forget the highest memory so far: proc_pid_clear_refs(5)
    start, fault = time.process_time(), ""
    try:
        run()
    except WebquarryError:
        pass  # finding nothing to learn from is an answer
    except MemoryError:
        fault = "memory ran out"
    except Exception as error:  # noqa: BLE001 - counted
        fault = f"{type(error).__name__}: {error}"[:200]
    return time.process_time() - start, _resident("VmHWM") - held, fault


def _resident(name: str) -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) * 2**10


RENDERED_STAGES: dict[str, Callable[[Document], object]] = {
    **{f"mine {method}, rendered": partial(wq.mine, method=method) for method in ("visual", "emine", "mdr")},
    "read blocks, rendered": lambda document: wq.read(document, method="blocks").to_dict(),
    "wrap sections, rendered": lambda document: wq.wrap([document], name="hostile"),
    "wrap records, rendered": lambda document: wq.wrap([document], name="hostile", kind="records"),
    "validate knn, rendered": lambda document: wq.validate(wq.read(document, method="blocks"), method="knn"),
}


def _try_rendered(families: Mapping[str, Family], folder: Path) -> Iterator[Trial]:
    """Render the pages of each family, then run the other stages on the documents that were kept."""
    if find_browser() is None:
        return
    for name, family in families.items():
        yield try_stage(RENDER, name, partial(render_sizes, family, folder))
        kept = [path for size in SIZES if (path := folder / str(size)).exists()]
        for stage, run in RENDERED_STAGES.items() if kept else ():
            yield Trial(stage, name, tuple(measure(partial(_run_kept, run, path)) for path in kept))


def render_sizes(family: Family, folder: Path) -> tuple[Cost, ...]:
    """Render longer and longer pages of a family; the longest only if the one before it costs much."""
    costs: list[Cost] = []
    for size in (*SIZES, MEGABYTE):
        path = folder / str(size)
        path.unlink(missing_ok=True)
        if size < MEGABYTE or costs[-1].is_much:
            costs.append(_render(family.fill(size), path))
    return tuple(costs)


def _render(markup: str, path: Path) -> Cost:
    """Render a page in a browser of its own and keep the document; return the cost without the start."""
    with Renderer(tabs=1) as renderer:
        renderer.render(_page("<p>Word"), "<p>Word")
        with BrowserCost() as spent:
            try:
                document = renderer.render(_page(markup), markup)
                if document.layout is not None:  # else its markup alone is read, as by the stages without a layout
                    path.write_bytes(pickle.dumps(document))
            except WebquarryError as error:  # for this page alone, which is an answer
                sys.stderr.write(f"\n{error} ({len(markup):,} characters)\n")
    return spent.cost


class BrowserCost:
    """The CPU seconds and the memory that the processes of a browser take while a block runs."""

    def __enter__(self) -> Self:
        self._seconds: dict[int, float] = {}
        """Of each process, also of those that have ended since."""
        self._most = 0
        self._held = self._look()
        self._before = sum(self._seconds.values())
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self._look()
        self.cost = Cost(sum(self._seconds.values()) - self._before, self._most - self._held)

    def _watch(self) -> None:
        while not self._ended.wait(WATCH_SECONDS):
            self._look()

    def _look(self) -> int:
        memory = measure_processes(os.getpid())
        del memory[os.getpid()]
        self._seconds |= {process: taken for process in memory if (taken := _cpu_seconds(process))}
        self._most = max(self._most, sum(memory.values()))
        return sum(memory.values())


def _cpu_seconds(process: int) -> float:
    """Read the CPU time of a process: proc_pid_stat(5), fields 14 and 15."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0.0
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _run_kept(run: Callable[[Document], object], path: Path) -> object:
    return run(pickle.loads(path.read_bytes()))
