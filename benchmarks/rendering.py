"""Compare the cost of rendering with Playwright's, on saved pages with resources and on self-contained pages.

CPU seconds are those of the driving process, its browser and all their children.  The systems take turns, a few
pages each, so that other load on the machine affects all alike; a ratio is the median over rounds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.corpora import CorpusPage, draw_evenly, page_of
from benchmarks.findings import Finding
from benchmarks.listings import listings
from benchmarks.pool import show_progress
from benchmarks.renderers import OURS, PEER, PEER_CONTENT, load
from benchmarks.workers import Cost, Worker
from webquarry.html.parsing import parse_html
from webquarry.model.page import Page
from webquarry.rendering.browser import find_browser

PAGES = 24
TABS = (1, 2, 4)
ROUNDS = 3
TURN = 6  # pages that a system renders before the next one

WITH_RESOURCES, SELF_CONTAINED = "pages with resources", "self-contained pages"
_CONTENDERS = {WITH_RESOURCES: (OURS, PEER), SELF_CONTAINED: (OURS, PEER, PEER_CONTENT)}
_TITLES = {OURS: "webquarry", PEER: "Playwright, route.fulfill", PEER_CONTENT: "Playwright, set_content"}
_SLACK = 0.05  # share of nodes by which systems may differ, because snapshots omit the content of templates
_LOADING = "link, script, iframe, frame, object, embed, source, video, audio, base, use, image"
_ADDRESSES = ("src", "srcset", "poster", "background", "data")
_IN_STYLES = re.compile(r"@import[^;]*;?|url\([^)]*\)", re.IGNORECASE)

Costs = Mapping[tuple[str, int], Sequence[Cost]]
"""The cost of each round, by system and number of tabs."""


@dataclass(frozen=True)
class Rendering:
    """The cost of rendering a group of pages."""

    group: str
    pages: int
    costs: Costs

    def cpu_ratio(self, peer: str) -> float:
        """Return the ratio of our CPU time to the peer's, the median over all rounds."""
        return median(
            ours.cpu / theirs.cpu
            for (name, tabs), costs in self.costs.items()
            if name == OURS
            for ours, theirs in zip(costs, self.costs[peer, tabs], strict=True)
        )

    def cpu_a_page(self, name: str) -> float:
        """Return CPU seconds per page, the median over all rounds."""
        costs = [cost for (system, _), rounds in self.costs.items() if system == name for cost in rounds]
        return median(cost.cpu for cost in costs) / self.pages

    def pages_a_second(self, name: str, tabs: int) -> float:
        """Return pages per second of wall time, the median over rounds."""
        return self.pages / median(cost.wall for cost in self.costs[name, tabs])

    def complaints(self) -> Iterator[str]:
        """Report pages on which the systems saw different numbers of nodes, so that costs cannot be compared."""
        for name in {name for name, _ in self.costs}:
            ours, theirs = (self.costs[system, TABS[0]][0].nodes for system in (OURS, name))
            for place, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
                if abs(mine - other) > _SLACK * max(mine, other):
                    yield f"rendering differs: {self.group}, page {place}: {mine} nodes, {_TITLES[name]} {other}"


def saved_pages(root: Path, count: int) -> list[Page]:
    """Return pages of the records corpus, which are saved with their style sheets and images."""
    return [listing.page for listing in listings(root, count)]


def self_contained_pages(root: Path, count: int) -> list[Page]:
    """Return article pages without external resources, each on a host of its own."""
    paths = draw_evenly(sorted((root / "articles-scrapinghub" / "html").glob("*.html.gz")), count)
    markups = (CorpusPage(path.name, path).markup() for path in paths)
    return [page_of(f"https://site{place}.example/", without_resources(each)) for place, each in enumerate(markups)]


def without_resources(markup: str) -> str:
    """Remove whatever loads a resource; inline styles stay.

    >>> without_resources('<link href=a.css><style>p {background: url(a.png); color: red}</style><p><img src=a.png>')
    '<html><head><style>p {background: none; color: red}</style></head><body><p><img></p></body></html>'
    """
    tree = parse_html(markup)
    for node in tree.select(_LOADING):
        node.extract()
    for name in _ADDRESSES:
        for node in tree.select(f"[{name}]"):
            del node.attrs[name]
    for node in tree.select("[style]"):
        node.attrs["style"] = _IN_STYLES.sub("none", str(node.attrs["style"]))
    for node in tree.select("style"):
        node.set_text(_IN_STYLES.sub("none", node.text))
    return tree.html


def run_rendering(root: Path, count: int | None = None) -> Finding | None:
    """Compare with Playwright; None without a browser or Playwright."""
    if find_browser() is None or load(PEER) is None:
        return None
    drawn = min(PAGES, count or PAGES)
    groups = {WITH_RESOURCES: saved_pages(root, drawn), SELF_CONTAINED: self_contained_pages(root, drawn)}
    measured = [_measure(group, pages) for group, pages in groups.items() if pages]
    return _report(measured)


def _measure(group: str, pages: Sequence[Page]) -> Rendering:
    costs: dict[tuple[str, int], list[Cost]] = {}
    for tabs in TABS:
        with ExitStack() as stack:
            workers = {name: stack.enter_context(Worker(name, tabs)) for name in _CONTENDERS[group]}
            for worker in workers.values():
                worker.render(pages[:TURN])  # warms up the browser
            for _ in show_progress(range(ROUNDS), ROUNDS, f"rendering, {group}, {tabs} tabs"):
                for name, cost in _round(workers, pages).items():
                    costs.setdefault((name, tabs), []).append(cost)
    return Rendering(group, len(pages), costs)


def _round(workers: Mapping[str, Worker], pages: Sequence[Page]) -> dict[str, Cost]:
    total = dict.fromkeys(workers, Cost(0.0, 0.0, ()))
    for start in range(0, len(pages), TURN):
        for name, worker in workers.items():
            total[name] += worker.render(pages[start : start + TURN])
    return total


def _report(measured: Sequence[Rendering]) -> Finding:
    rows = [_row(rendering, name) for rendering in measured for name in _CONTENDERS[rendering.group]]
    return Finding(
        title="Rendering",
        note=" ".join(f"{each.pages} {each.group}." for each in measured),
        heads=("", "", "CPU ms per page", "our CPU to this", *(f"pages per second, {_tabs(tabs)}" for tabs in TABS)),
        rows=rows,
        figures={f"rendering, CPU to Playwright: {each.group}": each.cpu_ratio(PEER) for each in measured},
        complaints=[line for each in measured for line in each.complaints()],
    )


def _row(rendering: Rendering, name: str) -> list[str]:
    return [
        rendering.group,
        _TITLES[name],
        f"{rendering.cpu_a_page(name) * 1000:.0f}",
        f"{rendering.cpu_ratio(name):.2f}",
        *(f"{rendering.pages_a_second(name, tabs):.1f}" for tabs in TABS),
    ]


def _tabs(count: int) -> str:
    return f"{count} tab{'s' if count > 1 else ''}"
