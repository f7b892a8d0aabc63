"""Find the pages that sitemaps and feeds name, on the web or among saved files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from webquarry.errors import FetchError, InputError, RefusedError
from webquarry.fetching.encodings import gather, gunzip
from webquarry.fetching.inputs import SCHEME, Kind, Source, file_uri, sources_of
from webquarry.fetching.saved_sites import SavedSite, UrlMap, is_web_address
from webquarry.html.page_lists import PageList, read_list, sniff
from webquarry.html.urls import path_of
from webquarry.model.page import Failure, Page

MAX_DEPTH = 3
"""The limit of nested index files; the protocol of sitemaps allows one level."""
MAX_LISTS = 10_000
"""The limit of sitemaps in a run, against servers that generate index files without end."""
_GZIP_MARK = b"\x1f\x8b"


class ListedPages:
    """The sitemaps and feeds among the fetched inputs of a run, and the pages that they name."""

    def __init__(self, roots: Iterable[Path], addresses: UrlMap, *, max_bytes: int) -> None:
        """Look for saved pages below the roots, and under their addresses on the web; `max_bytes` limits a sitemap."""
        self._roots, self._addresses, self._max_bytes = tuple(roots), addresses, max_bytes
        self._opened: set[str] = set()
        self._named: set[str] = set()

    def open(self, source: Source, page: Page) -> PageList | None:
        """Read a page as a sitemap or feed; None if it is neither."""
        body = self._unpack(page.body)
        kind = sniff(body, may_be_text=_may_be_text(source, page))
        return None if kind is None else read_list(body, kind, page.address or page.url)

    def find(self, listed: PageList, page: Page, depth: int) -> Iterator[Source | Failure]:
        """Find the sources of all addresses in a list; `depth` counts the index files above it."""
        self._opened.add(page.url)
        if not listed.addresses:
            yield Failure(page.url, f"{page.url}: {listed.kind} without pages")
        is_file = page.url.startswith("file:")
        site = SavedSite(Path(path_of(page.url)), self._roots, self._addresses) if is_file else None
        for address in listed.addresses:
            if address in self._named and not listed.is_index:
                continue
            self._named.add(address)
            try:
                source = _find_source(address, page, site)
                if listed.is_index:
                    self._check_list(source, address, page, depth)
                yield replace(source, may_list=listed.is_index)
            except (InputError, RefusedError) as error:
                yield Failure(address, str(error))

    def _check_list(self, source: Source, address: str, page: Page, depth: int) -> None:
        """Raise for a list that was read before, or that is nested too deeply."""
        name = file_uri(source.path) if source.kind is Kind.FILE else address
        if name in self._opened:
            raise InputError(f"{address}: {page.url} names this sitemap again; it was read before")
        if depth >= MAX_DEPTH or len(self._opened) >= MAX_LISTS:
            raise InputError(f"{address}: not read, because the sitemap index {page.url} is nested too deeply")
        self._opened.add(name)

    def _unpack(self, body: bytes) -> bytes:
        """Unpack a body that was sent as a gzip file, as sitemaps are; return any other body unchanged."""
        if not body.startswith(_GZIP_MARK):
            return body
        try:
            return gather(gunzip([body]), self._max_bytes)
        except FetchError:
            return body


def _find_source(address: str, page: Page, site: SavedSite | None) -> Source:
    """Find the saved file of an address that a list on disk names, else the address itself."""
    if not SCHEME.match(address):
        raise InputError(f"{address}: a relative address in {page.url}; say with --base-url what it is relative to")
    if site is None:
        if address.lower().startswith("file:"):
            raise RefusedError(f"{address}: not read, because {page.url} is on the web and may not lead to files")
    else:
        try:
            path = site.find(address, page=Path(path_of(page.url)), page_address=page.address)
            return Source(Kind.FILE, str(path), address=address if is_web_address(address) else "")
        except (InputError, RefusedError):
            if address.lower().startswith("file:"):
                raise
    (source,) = sources_of(address)
    if isinstance(source, Failure) or not is_web_address(address):
        raise InputError(f"{address}: not a valid address; it is named in {page.url}")
    return source


def _may_be_text(source: Source, page: Page) -> bool:
    """Tell whether a plain text may be a list: it is called a text, or it is standard input."""
    if source.kind is Kind.STDIN:
        return True
    if source.kind is Kind.FILE:
        return source.name.lower().removesuffix(".gz").endswith(".txt")
    return (page.header("content-type") or "").strip().lower().startswith("text/plain")
