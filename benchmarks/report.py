"""Write results as Markdown: one table of targets, one of all systems, and one for each finding."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.acceptance import Acceptance
from benchmarks.findings import write_finding, write_table
from benchmarks.growth import FACTOR
from benchmarks.lost_words import Losses
from benchmarks.results import GROUPS, Check, Results, check_figures
from benchmarks.systems import OURS, PEERS, load

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
_MAX_GROWTHS = 10  # hostile families in the table of growth, worst first
_NOTHING = "-"
_HEADS = (
    "",
    *(f"accepted: {group}" for group in GROUPS),
    "tree: exact",
    "tree: lenient",
    "text",
    "text: 1,000 levels",
    "MB/s",
)


def write_report(results: Results) -> str:
    """Write a summary of the run and all its tables."""
    return "\n\n".join(filter(None, [_circumstances(results), write_tables(results)]))


def write_tables(results: Results) -> str:
    """Write the tables of what was measured; empty if nothing was."""
    figures = results.figures()
    parts = [_targets_table(check_figures(figures))] if figures else []
    if results.has_cleaning:
        parts += ["### Cleaning", _systems_table(results)]
    if results.growths:
        parts.append(_growth_table(results))
    parts += [write_finding(finding) for finding in results.findings]
    return "\n\n".join(parts)


def replace_figures(page: str, report: str) -> str:
    r"""Replace what is between the two markers of a page.

    >>> print(replace_figures(f"a\n{BEGIN}\nold\n{END}\nb", "new"))
    a
    <!-- figures: begin -->
    <BLANKLINE>
    new
    <BLANKLINE>
    <!-- figures: end -->
    b
    """
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{report}\n\n{END}{after}"


def update_page(path: Path, report: str) -> None:
    path.write_text(replace_figures(path.read_text("utf-8"), report), "utf-8")


def _circumstances(results: Results) -> str:
    lines = [f"Python {platform.python_version()}, {os.cpu_count()} cores; compare speeds by their ratios."]
    if results.accepted:
        counts = [
            f"{_total(scores, OURS)} {group} (peers {_total(scores, PEERS)})"
            for group, scores in results.accepted.items()
        ]
        lines.append(f"Accepted: {', '.join(counts)}.")
    if results.losses:
        lines.append(
            f"Text: {_total(results.losses, OURS)} pages and snippets (peers {_total(results.losses, PEERS)} pages)."
        )
    if results.speeds:
        lines.append(f"Speed: {results.speeds.pages} pages, {results.speeds.megabytes:.1f} MB.")
    return "\n".join(lines)


def _systems_table(results: Results) -> str:
    return write_table(_HEADS, [_system_row(results, name) for name in (*OURS, *PEERS)])


def _system_row(results: Results, name: str) -> list[str]:
    system = load(name)
    if system is None:
        return [name, "not installed", *[""] * (len(_HEADS) - 2)]
    tree = results.trees.get(name)
    rate = results.speeds.rates.get(name) if results.speeds else None
    return [
        f"{system.TITLE} {system.version()}",
        *(_share(results.accepted.get(group, {}).get(name), lambda score: score.share) for group in GROUPS),
        _percent(tree.exact if tree else None),
        _percent(tree.lenient if tree else None),
        _share(results.losses.get(name), lambda losses: losses.share_kept),
        _share(results.peer_deep_losses.get(name), lambda losses: losses.share_kept),
        _NOTHING if rate is None else f"{rate:.3g}",
    ]


def _targets_table(checks: Iterable[Check]) -> str:
    rows = [
        [check.name, f"{check.figure:.4g}", check.target, "yes" if check.holds else "**no**"]
        for check in checks
        if check.figure is not None
    ]
    return write_table(("figure", "this run", "target", "reached"), rows)


def _growth_table(results: Results) -> str:
    rows = [
        [growth.family, growth.operation, f"{growth.factor:.2f}", f"{growth.seconds * 1000:.0f}"]
        for growth in results.growths[:_MAX_GROWTHS]
    ]
    return write_table(("hostile family", "", f"time for {FACTOR} times the input", "ms for the longest"), rows)


def _share(score: Acceptance | Losses | None, share: Callable[..., float]) -> str:
    return _percent(None if score is None else share(score))


def _percent(share: float | None) -> str:
    """Format a share as a percentage, never rounding up to 100 %.

    >>> _percent(1.0), _percent(0.99999)
    ('100 %', '99.99 %')
    """
    if share is None:
        return _NOTHING
    if share == 1:
        return "100 %"
    return f"{int(share * 10_000) / 100:.4g} %"


def _total(scores: dict[str, Acceptance] | dict[str, Losses], names: Iterable[str]) -> str:
    return f"{max((scores[name].total for name in names if name in scores), default=0):,}"
