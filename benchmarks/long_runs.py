"""Watch memory, open files and temporary folders while many pages pass through one process."""

from __future__ import annotations

import gc
import multiprocessing
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import webquarry as wq
from benchmarks.corpora import draw_evenly, page_of, web_pages
from benchmarks.findings import Finding
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.rendering.browser import find_browser, resident_bytes

PAGES = 2_000
"""Pages of a run."""
WARM = 0.25
"""Share of a run after which it should hold all that it needs."""
DIFFERENT = 50
"""Pages that are repeated: growth is then not that of the pages."""
WINDOW = 2 * DIFFERENT
"""Pages after which the memory is looked at, at the warm page and at the end: the same ones twice in both. With a
browser, up to nine pages are in memory at a look, so that single looks differ by a tenth; the means are compared."""
MAX_LENGTH = 200_000
"""Characters of these pages."""

Work = Callable[[Iterator[Page]], Iterator[object]]


@dataclass(frozen=True)
class Run:
    """The growth of a process from the warm page to the last."""

    memory: float
    """Bytes at the end, as a share of those at the warm page."""
    files: int
    folders: int
    megabytes: float


def run_long_runs(root: Path, count: int | None = None) -> Finding:
    """Run each stage over many pages, in a process of its own."""
    pages = [page for page in web_pages(root) if page.path.stat().st_size < MAX_LENGTH]
    chosen = [
        page_of(f"https://page.example/{place}", each.markup())
        for place, each in enumerate(draw_evenly(pages, DIFFERENT))
    ]
    total = count or PAGES
    names = [name for name in WORK if name != RENDERED or find_browser() is not None]
    runs = {name: _run_apart(name, chosen, total) for name in names}
    worst = max(run.memory for run in runs.values())
    return Finding(
        title="Long runs",
        heads=("stage", "memory at the end", "growth after the first quarter", "open files", "temporary folders"),
        rows=[
            [name, f"{run.megabytes:.0f} MB", f"{run.memory - 1:+.1%}", f"{run.files:+d}", f"{run.folders:+d}"]
            for name, run in runs.items()
        ],
        note=f"{total:,} pages in one process.",
        figures={
            "long runs, memory at the end to that after a quarter, worst": worst,
            "long runs, open files and folders that stay": float(
                sum(max(0, run.files) + max(0, run.folders) for run in runs.values())
            ),
        },
    )


def _run_apart(name: str, pages: list[Page], total: int) -> Run:
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(_run_here, (name, pages, total))


def _run_here(name: str, pages: list[Page], total: int) -> Run:
    tempfile.tempdir = tempfile.mkdtemp(prefix="webquarry-long-run-")  # of this process alone
    warm = int(total * WARM)
    window = min(WINDOW, (total - warm) // 2)
    looks: list[tuple[int, int, int]] = []
    for number, _ in enumerate(WORK[name](islice(cycle(pages), total))):
        if warm <= number < warm + window or number >= total - window:
            gc.collect()
            looks.append((resident_bytes(), _count(Path("/proc/self/fd")), _count(Path(tempfile.gettempdir()))))
    shutil.rmtree(tempfile.gettempdir())
    first, last = (sum(look[0] for look in some) / window for some in (looks[:window], looks[window:]))
    return Run(last / first, looks[-1][1] - looks[0][1], looks[-1][2] - looks[0][2], last / 2**20)


def _count(folder: Path) -> int:
    return sum(1 for _ in folder.iterdir())


def _use(results: Iterator[Document | Failure], work: Callable[[Document], object]) -> Iterator[object]:
    for result in results:
        yield None if isinstance(result, Failure) else work(result)


def _mine(document: Document) -> object:
    return [region.to_dict() for region in wq.mine(document)]


def _extract(wrapper: wq.Wrapper, pages: Iterator[Page]) -> Iterator[object]:
    return (each if isinstance(each, Failure) else each.to_dict() for each in wq.extract_all(wrapper, pages))


def _render_and_mine(pages: Iterator[Page]) -> Iterator[object]:
    return _use(wq.render_all(pages, offline=True, cache=Path(tempfile.gettempdir(), "cache")), _mine)


def _read(pages: Iterator[Page]) -> Iterator[object]:
    return (each if isinstance(each, Failure) else each.to_dict() for each in wq.read_all(wq.clean_all(pages)))


def _example_wrapper() -> wq.Wrapper:
    folder = Path(__file__).parent.parent / "examples" / "factbook" / "geos"
    return wq.wrap([wq.clean(wq.fetch(path)) for path in sorted(folder.glob("*.html"))[:3]], name="factbook")


RENDERED = "render and mine"
WORK: dict[str, Work] = {
    "mine": lambda pages: _use(wq.clean_all(pages), _mine),
    "read": _read,
    "extract": lambda pages: _extract(_example_wrapper(), pages),
    RENDERED: _render_and_mine,
}
