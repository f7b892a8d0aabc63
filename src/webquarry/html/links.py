"""Addresses as pages write them, and where they lead."""

from __future__ import annotations

from urllib.parse import urldefrag, urljoin, urlsplit


def resolve(base: str, reference: str) -> str | None:
    """The absolute address that a reference stands for; None when it leads to no page.

    >>> resolve("https://example.org/a/b.html", " c.html#top ")
    'https://example.org/a/c.html#top'
    >>> resolve("https://example.org/", "javascript:void(0)"), resolve("stdin:", "c.html")
    (None, None)
    """
    try:
        address = urljoin(base, reference.strip())
        scheme = urlsplit(address).scheme
    except ValueError:  # such as http://[odd/
        return None
    return address if scheme in ("http", "https", "file") else None


def without_fragment(address: str) -> str:
    """The address of the page alone.

    >>> without_fragment("https://example.org/a#top")
    'https://example.org/a'
    """
    return urldefrag(address).url


def host_of(address: str) -> str:
    """The host of an address, as people think of it.

    >>> host_of("https://www.Example.org:8080/a")
    'example.org:8080'
    """
    try:
        return urlsplit(address).netloc.rpartition("@")[2].lower().removeprefix("www.")
    except ValueError:
        return ""
