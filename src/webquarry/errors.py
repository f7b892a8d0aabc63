"""The errors that webquarry raises, one tree.

    WebquarryError
    +-- InputError          what was named cannot be read as a web page
    +-- FetchError          an address did not give a page
        +-- RefusedError    our own policy forbids the request: robots.txt, a private address, --offline

Broken HTML is never an error, and finding nothing is an answer.  The text of each
error says what failed, where, and what to do next; the command line prints it as it is.
"""

from __future__ import annotations


class WebquarryError(Exception):
    """Anything that webquarry reports to its caller."""


class InputError(WebquarryError):
    """An input cannot be read as a web page."""


class FetchError(WebquarryError):
    """An address did not give a page."""


class RefusedError(FetchError):
    """Our own policy forbids the request; changing the policy would allow it."""
