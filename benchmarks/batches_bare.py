"""Do in one process what a batch does, without supervision; `python -m benchmarks.batches_bare VERB ARCHIVE...`."""

from __future__ import annotations

import gzip
import multiprocessing
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import webquarry as wq
from webquarry.model.page import Failure
from webquarry.model.section_columns import to_arrow
from webquarry.pipeline.source_pages import load_wrapper
from webquarry.storing.article_files import article_table, to_article_rows
from webquarry.storing.formats import to_json, to_parquet

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
    content = _VERBS[verb](pages, Path(archives[0]).parent)
    with tempfile.TemporaryFile() as file:
        file.write(content)


def _extract_by_trafilatura(page: tuple[str, bytes]) -> str | None:
    from trafilatura import extract  # noqa: PLC0415 - only this run needs it

    return extract(page[1], url=page[0], with_metadata=True, output_format="json")


def _read(pages: Iterator[wq.Page | Failure], _folder: Path) -> bytes:
    articles = [each for each in wq.read_all(wq.clean_all(pages), with_metadata=True) if not isinstance(each, Failure)]
    return to_parquet(article_table([row for each in articles for row in to_article_rows(each)]))


def _mine(pages: Iterator[wq.Page | Failure], _folder: Path) -> bytes:
    return _mine_documents(wq.clean_all(pages))


def _mine_rendered(pages: Iterator[wq.Page | Failure], _folder: Path) -> bytes:
    return _mine_documents(wq.render_all(pages, offline=True))


def _mine_documents(documents: Iterator[wq.Document | Failure]) -> bytes:
    found = (each for each in wq.mine_all(documents, choose=_first) if not isinstance(each, Failure))
    return gzip.compress("".join(f"{to_json(each.to_dict())}\n" for each in found).encode())


def _first(regions: Sequence[wq.Region]) -> Sequence[wq.Region]:
    return regions[:1]


def _extract(pages: Iterator[wq.Page | Failure], folder: Path) -> bytes:
    wrapper = load_wrapper(folder / WRAPPER)
    found = [each for each in wq.extract_all(wrapper, wq.clean_all(pages)) if not isinstance(each, Failure)]
    return to_parquet(to_arrow(wrapper, found))


_VERBS: dict[str, Callable[[Iterator[wq.Page | Failure], Path], bytes]] = {
    "read": _read,
    "mine": _mine,
    "mine rendered": _mine_rendered,
    "extract": _extract,
}

if __name__ == "__main__":
    run_bare(sys.argv[1], sys.argv[2:])
