"""Addresses that a request can be made of."""

from __future__ import annotations

import httpx2

from webquarry.errors import FetchError, InputError, RefusedError
from webquarry.fetching.sources import without_credentials


def parse_address(address: str) -> httpx2.URL:
    """The parsed form of what a user wrote, without its fragment, which servers never see."""
    try:
        url = httpx2.URL(address).copy_with(fragment=None)
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise InputError(
            f"{without_credentials(address)}: this is not an address ({error}); check its spelling"
        ) from error
    if not _is_complete(url):
        shown = without_credentials(address)
        raise InputError(f"{shown}: the address names no host and port; write it as https://example.org/page")
    return url


def check_redirect(url: httpx2.URL) -> None:
    """Raise unless a server may send us to this address."""
    if url.scheme not in ("http", "https"):
        raise RefusedError(f"it redirects to {url}, and {url.scheme or 'such'} addresses are not followed")
    if not _is_complete(url):
        raise FetchError(f"it redirects to {url}, which is not an address; the site may be misconfigured")


def _is_complete(url: httpx2.URL) -> bool:
    return bool(url.host) and (url.port is None or 0 < url.port < 2**16)
