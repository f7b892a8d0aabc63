"""The result of one part of the benchmarks, ready to print and to compare with the floors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """A table with a heading, the figures that have floors, and complaints about single pages."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    figures: dict[str, float] = field(default_factory=dict)
    complaints: Sequence[str] = ()


def write_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a Markdown table.

    >>> print(write_table(("a", "b"), [("1", "2")]))
    | a | b |
    | --- | --- |
    | 1 | 2 |
    """
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_finding(finding: Finding) -> str:
    """Write a finding as Markdown, under its heading."""
    parts = [f"### {finding.title}", finding.note, write_table(finding.heads, finding.rows)]
    return "\n\n".join(part for part in parts if part)
