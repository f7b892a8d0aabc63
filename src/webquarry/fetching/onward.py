"""Pages to which other pages lead, from where those came from: the web, or the folder tree of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from webquarry.errors import InputError, RefusedError
from webquarry.fetching.files import read_file
from webquarry.fetching.policy import DEFAULT_POLICY, Policy
from webquarry.html.file_addresses import path_of
from webquarry.model import Page


def fetch_onward(
    address: str,
    *,
    start: str,
    load: Callable[[str], Page],
    roots: Iterable[str | Path] = (),
    policy: Policy = DEFAULT_POLICY,
) -> Page:
    """The page at an address to which the page `start` leads, directly or over others.

    Addresses of the web are given to `load`.  A file is read if it is below one of the `roots` that holds the first
    page, or else below the first page's own folder; and only a file leads to files.
    """
    if not address.startswith("file:"):
        return load(address)
    if not start.startswith("file:"):
        raise RefusedError(f"{address}: a page that is no file does not lead to files")
    try:
        path, first = _resolved(path_of(address)), _resolved(path_of(start))
    except ValueError as error:  # a zero in it, or half of a host
        raise InputError(f"{address}: no file can have such a name") from error
    root = next((root for root in map(_resolved, roots) if first.is_relative_to(root)), first.parent)
    if not path.is_relative_to(root):
        raise RefusedError(f"{address}: not read, for it is outside of {root}; name a folder that holds both pages")
    if path.is_dir():
        raise InputError(f"{address}: a folder, not a page")
    return read_file(path, max_bytes=policy.max_bytes)


def _resolved(path: str | Path) -> Path:
    """Where a path leads in the end, so that no link leads out of a folder."""
    return Path(path).resolve()
