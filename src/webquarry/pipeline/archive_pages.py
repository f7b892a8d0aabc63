"""Fetch pages into a WARC archive, so that results can be reproduced."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Unpack

from webquarry.fetching.downloads import fetch_named
from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.fetching.warc_file import WarcFile
from webquarry.model.page import Failure, Page
from webquarry.pipeline.call_arguments import FETCHING, require_each, takes

_log = logging.getLogger(__name__)


@takes(FETCHING)
def archive_all(
    inputs: Iterable[str | Path],
    output: str | Path,
    *,
    progress: Callable[[int, int | None], None] | None = None,
    max_pages: int | None = None,
    roots: Iterable[str | Path] = (),
    **options: Unpack[FetchOptions],
) -> Iterator[Page | Failure]:
    """Fetch the pages of all inputs and add each to a WARC archive; pages that it has already are not fetched again.

    inputs: files, folders, archives, addresses, and sitemaps and feeds, which stand for the pages that they name.
    output: the archive, a file that ends in .warc.gz.
    progress: called with the number of pages so far and in total (None if unknown).
    max_pages: fetch no more pages than this.
    roots: folders of saved sites, in which a sitemap or feed on disk finds its pages.

    >>> import tempfile, webquarry as wq
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pages = list(wq.archive_all(["examples/shops/kettleby"], f"{folder}/pages.warc.gz"))
    ...     again = list(wq.archive_all(["examples/shops/kettleby"], f"{folder}/pages.warc.gz"))
    >>> len(pages), len(again)
    (4, 0)
    """
    places = list(require_each("archive_all", inputs, str, Path))
    with closing(WarcFile(Path(output))) as archive:
        if archive.cut_off:
            _log.warning("%s: removed an unfinished record of an earlier run", output)
        named = fetch_named(
            places,
            policy=Policy(**options),
            progress=progress,
            max_pages=max_pages,
            roots=roots,
            known=frozenset(archive.known),
        )
        with closing(named):
            for name, result in named:
                if isinstance(result, Page):
                    archive.add(name, result)
                yield result
