"""Run `python -m benchmarks`: measure, print tables, and fail if a figure misses its floor."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import batches, pictured, safety, systems
from benchmarks.ablation import run_ablation
from benchmarks.acceptance import Source, make_jobs, measure_acceptance
from benchmarks.articles.comparing import run_articles, run_cleaneval, run_made_pages, run_page_kinds
from benchmarks.articles.whole_sites import run_whole_sites
from benchmarks.claims import run_claims
from benchmarks.columns import run_columns
from benchmarks.corpora import (
    CorpusPage,
    draw_evenly,
    draw_from_each_corpus,
    find_corpora,
    snippets,
    tree_files,
    web_pages,
    whole_pages,
)
from benchmarks.example_pages import run_examples
from benchmarks.findings import Finding
from benchmarks.growth import measure_growth
from benchmarks.hostile_stages import run_hostile_stages
from benchmarks.locales import run_locales
from benchmarks.long_runs import run_long_runs
from benchmarks.lost_words import measure_deep_losses, measure_losses
from benchmarks.mining_speed import run_mining_speed
from benchmarks.modern import run_modern
from benchmarks.mutations import Mutant, make_mutants
from benchmarks.outliers.deletion import run_sites
from benchmarks.outliers.foreign_values import run_outlier_records
from benchmarks.outliers.papers import run_outlier_claims
from benchmarks.outliers.speed import run_outlier_speed
from benchmarks.outliers.wrong_tables import run_wrong_tables
from benchmarks.postgresql import run_postgresql
from benchmarks.queries.answers import run_answers
from benchmarks.queries.chain import run_chain
from benchmarks.queries.papers import run_queries
from benchmarks.queries.planning import run_planning
from benchmarks.records import run_records
from benchmarks.rendering import run_rendering
from benchmarks.report import update_page, write_report, write_tables
from benchmarks.results import GROUPS, Results, check_figures
from benchmarks.speed import measure_speed
from benchmarks.stated import run_stated
from benchmarks.tables import run_tables
from benchmarks.trees import documents, read_cases, score_trees
from benchmarks.workbench_actions import run_workbench
from benchmarks.wrappers.details import run_details
from benchmarks.wrappers.extraction import run_extraction
from benchmarks.wrappers.parsers import run_parsers
from benchmarks.wrappers.rankorder import run_rankorder
from benchmarks.wrappers.sections import run_sections
from benchmarks.wrappers.swde import run_swde
from benchmarks.wrappers.table2 import run_table2

NO_CORPORA = Path(__file__).parent / "no-corpora"
"""A folder that is not there, for parts that look for a corpus and go on without it."""
_PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
_MUTANTS = 2000
_SPEED_PAGES = 64
_MAX_PEER_PAGES = 250  # of each group; some peers are slow
_DEEP, _PEER_DEEP = 100_000, 1_000  # nesting levels; deeper pages overflow the stack of some peers
_MAX_COMPLAINTS = 10  # lines printed of each kind

Part = Callable[[Results, Path, argparse.Namespace], None]


def main() -> int:
    """Run the parts and return the exit status: 1 if a part failed or a figure missed its floor, else 0."""
    options = _parse_options()
    root = find_corpora()
    names: Sequence[str] = options.parts or list(PARTS)
    if root is None:
        names, left_out = _split_by_need(names)
        print(
            f"benchmarks: no corpora found; set WEBQUARRY_CORPORA to their folder. Left out: {', '.join(left_out)}.",
            file=sys.stderr,
        )
    results = Results()
    for name in names:
        part = _run_part(name, root or NO_CORPORA, options)
        _complain(part)
        results.add(part)
    report = write_report(results)
    print(report)
    if options.write:
        _keep(report, results)
    is_good = not results.failures and all(check.holds for check in check_figures(results.figures()))
    return 0 if is_good else 1


def _split_by_need(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split parts into those that run without corpora, and the others."""
    return [name for name in names if name in WITHOUT_CORPORA], [name for name in names if name not in WITHOUT_CORPORA]


def _run_part(name: str, root: Path, options: argparse.Namespace) -> Results:
    """Run one part and print its tables at once; if it raises, return only the failure."""
    part = Results()
    try:
        PARTS[name](part, root, options)
        tables = write_tables(part)
    except Exception as error:  # noqa: BLE001 - one part must not cost the results of the others
        return Results(failures=[f"part {name} failed: {error!r}"])
    if tables:
        print(tables, end="\n\n", flush=True)
    return part


def _keep(report: str, results: Results) -> None:
    """Write the report into the documentation, unless it is incomplete."""
    if results.failures:
        print(f"benchmarks: {_PAGE.name} not updated, because a part failed", file=sys.stderr)
    else:
        update_page(_PAGE, report)


def run_acceptance(results: Results, root: Path, options: argparse.Namespace) -> None:
    pages: dict[str, Sequence[Source]] = {
        "pages": _sample(whole_pages(root), options.sample),
        "snippets": _sample(snippets(root), options.sample),
        "mutants": make_mutants(web_pages(root), min(_MUTANTS, options.sample or _MUTANTS), options.seed),
    }
    for group in GROUPS:
        jobs = make_jobs(pages[group], systems.OURS, _installed_peers(), _seen_by_peers(pages[group]))
        results.accepted[group] = measure_acceptance(jobs, f"acceptance of {group}")


def run_trees(results: Results, root: Path, options: argparse.Namespace) -> None:  # noqa: ARG001 - as all parts
    cases = documents(case for path in tree_files(root) for case in read_cases(path))
    if not cases:
        print("benchmarks: skipping trees: html5lib-tests not found", file=sys.stderr)
        return
    for name in _installed():
        results.trees[name] = score_trees(_load(name), cases)


def run_words(results: Results, root: Path, options: argparse.Namespace) -> None:
    if systems.load("selectolax") is None:
        print("benchmarks: skipping words: the reference parser, selectolax, is not installed", file=sys.stderr)
        return
    pages = _sample(whole_pages(root), options.sample)
    jobs = make_jobs(pages, systems.OURS, _installed_peers(), _seen_by_peers(pages))
    jobs += make_jobs(_sample(snippets(root), options.sample), systems.OURS, (), set())
    results.losses = measure_losses(jobs)
    results.peer_deep_losses = measure_deep_losses(_installed(), _PEER_DEEP)
    results.deep_losses = measure_deep_losses(systems.OURS, _DEEP)


def run_speed(results: Results, root: Path, options: argparse.Namespace) -> None:
    pages = draw_from_each_corpus(root, min(_SPEED_PAGES, options.sample or _SPEED_PAGES))
    results.speeds = measure_speed([page.markup() for page in pages])


def run_growth(results: Results, root: Path, options: argparse.Namespace) -> None:  # noqa: ARG001 - as all parts
    results.growths = measure_growth()


def run_safety(results: Results, root: Path, options: argparse.Namespace) -> None:
    results.findings.append(safety.run_safety(root, options.sample, all_rendered=options.all_rendered))


def run_pictured(results: Results, root: Path, options: argparse.Namespace) -> None:
    finding = pictured.run_pictured(root, options.sample, all_rendered=options.all_rendered)
    results.findings.extend([finding] if finding else [])


def run_batches(results: Results, root: Path, options: argparse.Namespace) -> None:
    results.findings.append(batches.run_batches(root, options.sample, is_long=options.long))


def _finding_of(run: Callable[[Path, int | None], Finding | None]) -> Part:
    """Make a part of a function that returns one finding, or None if something it needs is missing."""

    def run_part(results: Results, root: Path, options: argparse.Namespace) -> None:
        finding = run(root, options.sample)
        if finding is None:
            name = run.__name__.removeprefix("run_").replace("_", " ")
            print(f"benchmarks: skipping {name}: its corpus, a browser or a peer is missing", file=sys.stderr)
        else:
            results.findings.append(finding)

    return run_part


PARTS: dict[str, Part] = {
    "speed": run_speed,
    "growth": run_growth,
    "trees": run_trees,
    "words": run_words,
    "acceptance": run_acceptance,
    "rendering": _finding_of(run_rendering),
    "records": _finding_of(run_records),
    "columns": _finding_of(run_columns),
    "tables": _finding_of(run_tables),
    "modern": _finding_of(run_modern),
    "pictured": run_pictured,
    "postgresql": _finding_of(run_postgresql),
    "stated": _finding_of(run_stated),
    "locales": _finding_of(run_locales),
    "examples": _finding_of(run_examples),
    "claims": _finding_of(run_claims),
    "mining": _finding_of(run_mining_speed),
    "sections": _finding_of(run_sections),
    "table2": _finding_of(run_table2),
    "rankorder": _finding_of(run_rankorder),
    "parsers": _finding_of(run_parsers),
    "swde": _finding_of(run_swde),
    "details": _finding_of(run_details),
    "extraction": _finding_of(run_extraction),
    "workbench": _finding_of(run_workbench),
    "queries": _finding_of(run_queries),
    "planning": _finding_of(run_planning),
    "answers": _finding_of(run_answers),
    "chain": _finding_of(run_chain),
    "sites": _finding_of(run_sites),
    "outlier_claims": _finding_of(run_outlier_claims),
    "outlier_records": _finding_of(run_outlier_records),
    "outlier_tables": _finding_of(run_wrong_tables),
    "outlier_speed": _finding_of(run_outlier_speed),
    "articles": _finding_of(run_articles),
    "page_kinds": _finding_of(run_page_kinds),
    "made_pages": _finding_of(run_made_pages),
    "cleaneval": _finding_of(run_cleaneval),
    "whole_sites": _finding_of(run_whole_sites),
    "safety": run_safety,
    "hostile": _finding_of(run_hostile_stages),
    "long_runs": _finding_of(run_long_runs),
    "batches": run_batches,
    "ablation": _finding_of(run_ablation),
}


WITHOUT_CORPORA = frozenset("growth examples claims table2 planning chain locales outlier_claims".split())
"""Parts that measure pages which we wrote or make; with corpora some of them measure those too."""


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure webquarry and its peers in one run."
    )
    parser.add_argument(
        "parts", nargs="*", choices=[[], *PARTS], metavar="PART", help=f"{', '.join(PARTS)} (default: all)"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="use at most N pages and N mutants")
    parser.add_argument("--seed", type=int, default=7, help="seed of the mutants (default: 7)")
    parser.add_argument("--write", action="store_true", help="write the report into docs/benchmarks.md")
    parser.add_argument("--all-rendered", action="store_true", help="safety: render every page, not a sample")
    parser.add_argument("--long", action="store_true", help="batches: also 100,000 pages, and 2,000 with a browser")
    options = parser.parse_args()
    if options.write and (options.parts or options.sample or find_corpora() is None):
        parser.error("--write needs a whole run with all corpora: leave out PART and --sample")
    return options


def _complain(results: Results) -> None:
    """Print to stderr where webquarry did badly: the first few lines of each kind, and how many there are."""
    kinds: Counter[str] = Counter()
    for line in results.complaints():
        kind = line.partition(":")[0]
        kinds[kind] += 1
        if kinds[kind] <= _MAX_COMPLAINTS:
            print(line[:300].encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    for kind, count in kinds.items():
        if count > 1:
            print(f"{kind}: {count} in total", file=sys.stderr)


def _sample(pages: list[CorpusPage], count: int | None) -> list[CorpusPage]:
    return draw_evenly(pages, count) if count else pages


def _seen_by_peers(pages: Sequence[Source]) -> set[int]:
    light = [place for place, page in enumerate(pages) if not (isinstance(page, Mutant) and page.is_heavy)]
    return set(draw_evenly(light, _MAX_PEER_PAGES))


def _installed() -> list[str]:
    return [name for name in (*systems.OURS, *systems.PEERS) if systems.load(name) is not None]


def _installed_peers() -> list[str]:
    return [name for name in systems.PEERS if systems.load(name) is not None]


def _load(name: str) -> systems.System:
    system = systems.load(name)
    if system is None:
        raise LookupError(name)
    return system


if __name__ == "__main__":
    sys.exit(main())
