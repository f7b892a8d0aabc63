"""Describe what is done to pages in a form that can be sent to other processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from webquarry.fetching.policy import Policy
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.pipeline.page_guard import attempt

Load = Callable[[str], Page]
"""Fetches what a page loads while it is rendered."""


class Opening(Protocol):
    """A way to turn pages into documents."""

    @property
    def loading(self) -> Policy | None:
        """The rules by which pages load further resources from the web; None if they load none."""

    def open(self, load: Load | None) -> AbstractContextManager[Callable[[Page], Document]]:
        """Get ready, such as with a browser, and give the function that opens a page."""


@dataclass(frozen=True)
class PageWork:
    """The work on each page, and optionally on groups of pages."""

    each: Callable[[Document], Any]
    opening: Opening | None = None
    """How pages are opened; None if only documents come."""
    together: Callable[[list[Any]], list[Any]] | None = None
    """A function from the results of up to `group` consecutive pages to a result or failure for each."""
    group: int = 1
    then: Callable[[Any], Any] | None = None
    """A function that reduces a result to what is needed of it, so that less is sent."""
    gather: Callable[[list[tuple[Any, Any]]], Any] | None = None
    """A function from the positions and results of all pages of a job to what is sent in their place."""

    @property
    def is_rendering(self) -> bool:
        """True if pages are opened by a browser, which takes a hundred times as long."""
        return self.opening is not None and self.opening.loading is not None

    @contextmanager
    def open(self, load: Load | None) -> Iterator[Callable[[Page | Document], Any]]:
        """Yield the function that works on a page."""
        if self.opening is None:
            yield partial(self._act, None)
            return
        with self.opening.open(load) as to_document:
            yield partial(self._act, to_document)

    def _act(self, to_document: Callable[[Page], Document] | None, page: Page | Document) -> Any:
        if isinstance(page, Page):
            if to_document is None:
                raise TypeError("a Page needs an opening")
            page = to_document(page)
        result = self.each(page)
        return result if self.then is None or self.together is not None else self.then(result)

    def finish_together(self, results: list[Any]) -> list[Any]:
        """Do what is done to several pages together."""
        made = results if self.together is None else self.together(results)
        if self.then is None:
            return made
        return [each if isinstance(each, Failure) else attempt(each.page, partial(self.then, each)) for each in made]


class OpenedPages(Iterator[Document | Failure]):
    """Documents that are made one by one when they are asked for, or by the workers of the next stage."""

    def __init__(
        self,
        pages: Iterable[Page | Failure],
        opening: Callable[[], Opening],
        make: Callable[[Iterable[Page | Failure]], Iterator[Document | Failure]],
    ) -> None:
        """`make` opens the pages in this process."""
        self._pages, self._opening, self._make = pages, opening, make
        self._made: Iterator[Document | Failure] | None = None

    def __next__(self) -> Document | Failure:
        if self._made is None:
            self._made = self._make(self._pages)
        return next(self._made)

    def close(self) -> None:
        """End the work behind the documents."""
        close = getattr(self._made if self._made is not None else self._pages, "close", None)
        if close is not None:
            close()

    def hand_over(self) -> tuple[Iterable[Page | Document | Failure], Opening | None]:
        """Return the pages and the way to open them, for another process; documents if some are open already."""
        return (self._pages, self._opening()) if self._made is None else (self, None)
