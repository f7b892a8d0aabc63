"""The errors that webquarry raises.

    WebquarryError
    +-- InputError          an input, output, table, region or column that the caller named cannot be used
    |   +-- WrapperError    a wrapper file has mistakes; all are listed, each with its line
    +-- QueryError          a query cannot be answered: wrong SQL, an unbound key, too many pages
    +-- FetchError          a page could not be fetched
    |   +-- RefusedError    our own policy forbids the request: robots.txt, a private address, --offline
    +-- RenderError         a page could not be rendered
    |   +-- BrowserError    there is no browser, or it does not start, so no page can be rendered
    +-- LimitError          a page takes too much time or memory

Broken HTML is never an error, and finding nothing is an answer.  The text of an error says what failed, where, and what
to do next; the command line prints it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable


class WebquarryError(Exception):
    """Base class of all errors that webquarry raises."""


class InputError(WebquarryError):
    """An input, output, table, region or column that the caller named cannot be used."""


class WrapperError(InputError):
    """A wrapper file has mistakes; the text lists one on each line, as `factbook.toml:12: what is wrong`."""

    def __init__(self, mistakes: Iterable[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__(self.mistakes)

    def __str__(self) -> str:
        return "\n".join(self.mistakes)


class QueryError(WebquarryError):
    """A query cannot be answered."""


class FetchError(WebquarryError):
    """A page could not be fetched."""


class RefusedError(FetchError):
    """Our own policy forbids the request; another policy would allow it."""


class RenderError(WebquarryError):
    """A page could not be rendered; others may be."""


class BrowserError(RenderError):
    """There is no working browser, so no page can be rendered."""


class LimitError(WebquarryError):
    """A page takes too much time or memory."""
