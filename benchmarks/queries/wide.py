"""The sources and queries of the tests, with as many columns as a fact book has, to plan over."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa

from webquarry.querying.catalog import Catalog

LEAVES = 720
"""Columns and parts of columns that hold values; a fact book has about as many."""
FOLDER = Path(__file__).parents[2] / "tests" / "querying"
_CHAPTERS, _FIELDS = 8, 4  # columns that are only there to be many, and leaves of each section in them


@dataclass(frozen=True)
class CountedQuery:
    """A query, and by source the number of pages that it cannot do without."""

    title: str
    sql: str
    least: Mapping[str, int]


class WideWeb:
    """The web of the tests, of whose sources each has 720 leaves."""

    def __init__(self, folder: Path) -> None:
        given = _load("conftest")
        sites = {name: widen(site) for name, site in given.SITES.items()}
        codes = folder / "codes.csv"
        codes.write_text(given.CODES, "utf-8")
        self.sources: dict[str, Any] = {name: given.Pages(site) for name, site in sites.items()}
        self.catalog = Catalog(self.sources, given.VIEWS, {"codes": str(codes)}, tables={"rates": given.RATES})

    def take_counts(self) -> dict[str, int]:
        """How many pages of each source were fetched since the last time, with those of indexes."""
        counts = {}
        for name, source in self.sources.items():
            counts[name] = len(source.keys_read) + source.times_listed * source.site.index_pages
            source.keys_read.clear()
            source.times_listed = 0
        return {name: count for name, count in counts.items() if count}


def read_queries() -> list[CountedQuery]:
    """Those of the tests."""
    given = _load("test_page_counts")
    return [CountedQuery(*given.read_block(block)) for block in given.BLOCKS]


def widen(site: Any) -> Any:
    """The site with so many more columns that there are 720 leaves."""
    missing = LEAVES - sum(count_leaves(field.type) for field in site.schema)
    return replace(site, columns=(*site.columns, *_make_chapters(missing)))


def count_leaves(kind: pa.DataType) -> int:
    """How many values a cell has places for.

    >>> count_leaves(pa.struct([("a", pa.string()), ("b", pa.struct([("c", pa.string()), ("d", pa.int64())]))]))
    3
    """
    return sum(count_leaves(field.type) for field in kind) if pa.types.is_struct(kind) else 1


def _make_chapters(leaves: int) -> list[tuple[str, pa.DataType]]:
    share = -(-leaves // _CHAPTERS)
    sizes = [min(share, leaves - start) for start in range(0, leaves, share)]
    return [(f"chapter_{number}", _make_chapter(size)) for number, size in enumerate(sizes)]


def _make_chapter(size: int) -> pa.DataType:
    leaves = [(f"leaf_{number}", pa.float64()) for number in range(size)]
    sections = [pa.struct(leaves[start : start + _FIELDS]) for start in range(0, size, _FIELDS)]
    return pa.struct([(f"section_{number}", section) for number, section in enumerate(sections)])


def _load(name: str) -> ModuleType:
    """A file of the tests, which are no package."""
    known = f"{__name__}.{name}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, FOLDER / f"{name}.py")
        if spec is None or spec.loader is None:
            raise FileNotFoundError(FOLDER / f"{name}.py")
        sys.modules[known] = importlib.util.module_from_spec(spec)  # before it is run: dataclasses look for it there
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]
