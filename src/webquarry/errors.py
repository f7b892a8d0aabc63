"""The errors that webquarry raises, one tree.

    WebquarryError
    +-- InputError          what the caller named cannot be used: an input, an output, a table, a region, a column
    |   +-- WrapperError    a wrapper file has mistakes, each of which is told with its line
    +-- QueryError          a query cannot be answered: wrong SQL, a key that nothing binds, too many pages
    +-- FetchError          an address did not give a page
    |   +-- RefusedError    our own policy forbids the request: robots.txt, a private address, --offline
    +-- RenderError         a page could not be rendered
        +-- BrowserError    there is no browser, or it does not start: no page can be rendered

Broken HTML is never an error, and finding nothing is an answer.  The text of each
error says what failed, where, and what to do next; the command line prints it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable


class WebquarryError(Exception):
    """Anything that webquarry reports to its caller."""


class InputError(WebquarryError):
    """What the caller named cannot be used: an input, an output, a table, a region or a column."""


class WrapperError(InputError):
    """A wrapper file has mistakes; its text has one on each line, as `factbook.toml:12: what is wrong`."""

    def __init__(self, mistakes: Iterable[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__(self.mistakes)

    def __str__(self) -> str:
        return "\n".join(self.mistakes)


class QueryError(WebquarryError):
    """A query cannot be answered as it stands."""


class FetchError(WebquarryError):
    """An address did not give a page."""


class RefusedError(FetchError):
    """Our own policy forbids the request; changing the policy would allow it."""


class RenderError(WebquarryError):
    """A page could not be rendered; other pages may."""


class BrowserError(RenderError):
    """There is no browser that works; no page can be rendered."""
