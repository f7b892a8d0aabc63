"""The errors that webquarry raises, one tree.

    WebquarryError
    +-- InputError          what the caller named cannot be used: an input, an output, a table, a region, a column
    +-- FetchError          an address did not give a page
    |   +-- RefusedError    our own policy forbids the request: robots.txt, a private address, --offline
    +-- RenderError         a page could not be rendered
        +-- BrowserError    there is no browser, or it does not start: no page can be rendered

Broken HTML is never an error, and finding nothing is an answer.  The text of each
error says what failed, where, and what to do next; the command line prints it as it is.
"""

from __future__ import annotations


class WebquarryError(Exception):
    """Anything that webquarry reports to its caller."""


class InputError(WebquarryError):
    """What the caller named cannot be used: an input, an output, a table, a region or a column."""


class FetchError(WebquarryError):
    """An address did not give a page."""


class RefusedError(FetchError):
    """Our own policy forbids the request; changing the policy would allow it."""


class RenderError(WebquarryError):
    """A page could not be rendered; other pages may."""


class BrowserError(RenderError):
    """There is no browser that works; no page can be rendered."""
