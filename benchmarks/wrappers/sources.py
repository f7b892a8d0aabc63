"""The sources of Table 2: pages that we wrote, of the kinds that the paper names, with the truth about each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.scoring.sections import Truth
from benchmarks.wrappers.outlines import PageTruth
from webquarry.model.names import snake_case
from webquarry.model.page import Page

FOLDER = Path(__file__).parents[2] / "tests" / "pages-of-sources"


@dataclass(frozen=True)
class WrittenSource:
    """A source that we wrote: its pages, and what stands on each."""

    name: str
    pages: tuple[Page, ...]
    truths: tuple[PageTruth, ...]


def read_source(name: str) -> WrittenSource:
    """The source of the name, of `tests/pages-of-sources`."""
    folder = FOLDER / name
    expected = json.loads((folder / "expected-sections.json").read_text("utf-8"))
    paths = sorted(folder.glob("*.html"))
    return WrittenSource(
        name,
        tuple(Page(path.resolve().as_uri(), path.read_bytes()) for path in paths),
        tuple(_page_truth(expected, path.name, _free_labels(expected)) for path in paths),
    )


def _free_labels(expected: dict[str, Any]) -> frozenset[str]:
    """Those that may stand in any section of any page."""
    sections = (section for page in expected["pages"].values() for section in page)
    return frozenset(snake_case(each["path"][-1]) for each in sections if each.get("any_section", False))


def _page_truth(expected: dict[str, Any], page: str, free: frozenset[str]) -> PageTruth:
    sections = expected["pages"][page]
    rows = [row for row in expected.get("rows", []) if row["page"] == page]
    told = [(tuple(each["path"]), each["value"]) for each in sections if not each.get("any_section", False)]
    return PageTruth(
        [*told, *(truth for row in rows for truth in _row_truths(row))],
        rows={snake_case(row["heading"]): len(row["under"]) for row in rows},
        free=free,
    )


def _row_truths(row: dict[str, Any]) -> list[Truth]:
    path = (*row["under"], row["heading"])
    if "values" in row:
        return [(path, " ".join(row["values"]))]
    return [((*path, name), value) for name, value in row["fields"].items()]
