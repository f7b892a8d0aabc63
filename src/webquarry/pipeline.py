"""The order of the stages, written once; implementations are chosen by name from plain tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from webquarry import fetching
from webquarry.cleaning import clean_cleandom, clean_html5
from webquarry.errors import WebquarryError
from webquarry.model import Document, Failure, Page

CLEANERS: dict[str, Callable[[Page], Document]] = {"html5": clean_html5, "cleandom": clean_cleandom}


def fetch(source: str | Path, **policy: Any) -> Page:
    """The one page that a file, an http address or `-` for standard input names.

    Keywords are the knobs of `webquarry.fetching.Policy`, such as `offline=True`.
    """
    return fetching.fetch(source, policy=fetching.Policy(**policy))


def fetch_all(
    inputs: Iterable[str | Path], *, progress: Callable[[int, int | None], None] | None = None, **policy: Any
) -> Iterator[Page | Failure]:
    """The pages of all inputs, in their order, with a failure in the place of each that could not be had."""
    return fetching.fetch_all(inputs, policy=fetching.Policy(**policy), progress=progress)


def clean(page: Page, *, method: str = "html5") -> Document:
    """The document that a browser would build from the page, or that CleanDOM builds."""
    if method not in CLEANERS:
        raise ValueError(f"no cleaning method {method!r}; there are {', '.join(CLEANERS)}")
    return CLEANERS[method](page)


def clean_all(pages: Iterable[Page | Failure], *, method: str = "html5") -> Iterator[Document | Failure]:
    """The documents of many pages; a page that cannot be cleaned is a failure, and the others go on."""
    for page in pages:
        if isinstance(page, Failure):
            yield page
            continue
        try:
            yield clean(page, method=method)
        except WebquarryError as error:
            yield Failure(page.url, str(error))
