"""Do in one process what a batch does, without supervision; `python -m benchmarks.batches_bare VERB ARCHIVE...`."""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

import webquarry as wq
from webquarry.model.page import Failure
from webquarry.model.section_columns import to_arrow
from webquarry.pipeline.find_sources import load_wrapper
from webquarry.storing.article_files import article_table, to_article_rows
from webquarry.storing.formats import to_parquet
from webquarry.storing.results_table import RegionTable, part_of

WRAPPER = "wrapper.toml"
"""The wrapper of `extract`, in the folder of the archives."""
POOL = 2
"""Processes of the pool of trafilatura."""
_PAGES_AT_ONCE = 16


def run_bare(verb: str, archives: Sequence[str]) -> None:
    """Read the archives and do the work of a verb."""
    pages = wq.fetch_all(archives)
    if verb == "trafilatura":
        bodies = ((page.url, page.body) for page in pages if isinstance(page, wq.Page))
        with multiprocessing.Pool(POOL) as pool:
            for _ in pool.imap_unordered(_extract_by_trafilatura, bodies, _PAGES_AT_ONCE):
                pass
        return
    table = _VERBS[verb](pages, Path(archives[0]).parent)
    with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        file.write(to_parquet(table))


def _extract_by_trafilatura(page: tuple[str, bytes]) -> str | None:
    from trafilatura import extract  # noqa: PLC0415 - only this run needs it

    return extract(page[1], url=page[0], with_metadata=True, output_format="json")


def _read(pages: Iterator[wq.Page | Failure], _folder: Path) -> pa.Table:
    articles = wq.read_all(wq.clean_all(pages), with_metadata=True)
    return article_table([row for each in articles if not isinstance(each, Failure) for row in to_article_rows(each)])


def _mine(pages: Iterator[wq.Page | Failure], _folder: Path) -> pa.Table:
    return _mine_documents(wq.clean_all(pages))


def _mine_rendered(pages: Iterator[wq.Page | Failure], _folder: Path) -> pa.Table:
    return _mine_documents(wq.render_all(pages, offline=True))


def _mine_documents(documents: Iterator[wq.Document | Failure]) -> pa.Table:
    table = RegionTable()
    for result in wq.mine_all(documents, choose=_first):
        if not isinstance(result, Failure):
            table.add_part(part_of(result))
    return table.to_arrow()


def _first(regions: Sequence[wq.Region]) -> Sequence[wq.Region]:
    return regions[:1]


def _extract(pages: Iterator[wq.Page | Failure], folder: Path) -> pa.Table:
    wrapper = load_wrapper(folder / WRAPPER)
    found = [each for each in wq.extract_all(wrapper, wq.clean_all(pages)) if not isinstance(each, Failure)]
    return to_arrow(wrapper, found)


_VERBS: dict[str, Callable[[Iterator[wq.Page | Failure], Path], pa.Table]] = {
    "read": _read,
    "mine": _mine,
    "mine rendered": _mine_rendered,
    "extract": _extract,
}

if __name__ == "__main__":
    run_bare(sys.argv[1], sys.argv[2:])
