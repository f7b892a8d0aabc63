"""What a part of the benchmarks found, ready to be shown and held against the floors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """A table with a heading, and beside it the figures that have a floor and what went wrong."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    figures: dict[str, float] = field(default_factory=dict)
    complaints: Sequence[str] = ()


def write_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown.

    >>> print(write_table(("a", "b"), [("1", "2")]))
    | a | b |
    | --- | --- |
    | 1 | 2 |
    """
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_finding(finding: Finding) -> str:
    """The finding in Markdown, under its heading."""
    parts = [f"### {finding.title}", finding.note, write_table(finding.heads, finding.rows)]
    return "\n\n".join(part for part in parts if part)
