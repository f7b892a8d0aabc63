"""What there is to count in a report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from webquarry.model import Report, Verdicts


@dataclass(frozen=True)
class Figures:
    """Numbers of one page, or of all."""

    nodes: int
    dropped: int
    bytes: int
    bytes_dropped: int
    """Of the texts in UTF-8, white space folded."""
    additions: int
    unmapped: int


def count_page(page: Verdicts) -> Figures:
    """The numbers of a page."""
    sizes = [len(" ".join(each.split()).encode(errors="replace")) for each in page.selection.texts]
    dropped = page.drops.tolist()
    return Figures(
        nodes=len(sizes),
        dropped=sum(dropped),
        bytes=sum(sizes),
        bytes_dropped=sum(size for size, drop in zip(sizes, dropped, strict=True) if drop),
        additions=len(page.additions),
        unmapped=len(page.selection.unmapped),
    )


def add_up(figures: Iterable[Figures]) -> Figures:
    """The numbers of all pages together."""
    every = list(figures)
    return Figures(
        sum(each.nodes for each in every),
        sum(each.dropped for each in every),
        sum(each.bytes for each in every),
        sum(each.bytes_dropped for each in every),
        sum(each.additions for each in every),
        sum(each.unmapped for each in every),
    )


def title_of(page: Verdicts) -> str:
    """What a page calls itself, or else the end of its address."""
    document = page.selection.document
    node = document.node("/html/head/title")
    told = " ".join(document.texts[node + 1].split()) if node is not None and node + 1 < len(document) else ""
    return told or document.url.rstrip("/").rpartition("/")[2] or "page"


def pages_of(report: Report) -> list[tuple[str, Verdicts, Figures]]:
    """Each page with its anchor and its numbers."""
    return [(f"page-{number}", page, count_page(page)) for number, page in enumerate(report.pages, start=1)]
