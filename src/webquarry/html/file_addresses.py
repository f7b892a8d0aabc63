"""The path that an address of a file has on disk."""

from __future__ import annotations

import sys
from urllib.parse import unquote, urlsplit


def path_of(address: str) -> str:
    """The path in an address as files are called by it; raises ValueError for an address that is none.

    Names of files are bytes: those that are no text in the file system's encoding come out as `os.fsdecode` has them.

    >>> path_of("file:///pages/caf%C3%A9%20one.html#top")
    '/pages/café one.html'
    """
    return unquote(urlsplit(address).path, sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
