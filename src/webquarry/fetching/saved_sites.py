"""Find the web addresses of saved pages, and the saved files that links lead to."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from webquarry.errors import InputError, RefusedError
from webquarry.fetching.inputs import check_file, parse_rows
from webquarry.html.urls import path_of

COLUMNS = ("file", "url")
"""The columns of a URL map."""
_INDEX_PAGES = ("index.html", "index.htm")
_PAGE_ENDINGS = (".html", ".htm")
_QUERY_MARKS = ("?", "@", "%3F")
"""Between path and query in names of saved files; wget writes @ for Windows."""
_MAX_NAME_BYTES = 255

UrlMap = Mapping[str, str]
"""Addresses on the web by the real paths of the files that hold their pages."""
_log = logging.getLogger(__name__)


def read_url_map(place: str | Path) -> UrlMap:
    """Read a CSV file with columns `file` and `url`; files are relative to its folder."""
    path = Path(place)
    try:
        check_file(path)
        content = path.read_bytes()
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror or error
        raise InputError(f"{path}: cannot be read ({reason}); name a CSV file with columns file and url") from error
    rows = [{name.lower(): cell.strip() for name, cell in row.items()} for row in parse_rows(content, str(path))]
    names = list(rows[0]) if rows else []
    lacking = [name for name in COLUMNS if name not in names]
    if lacking:
        columns = f"its columns are {', '.join(names)}" if names else "it has no rows"
        raise InputError(f"{path}: no column {' and no column '.join(lacking)}; {columns}, and file and url are needed")
    addresses: dict[str, str] = {}
    for row in rows:
        file, url = row["file"], row["url"]
        if not file:
            raise InputError(f"{path}: a row has no file; it has the url {url!r}")
        if not is_web_address(url):
            raise InputError(f"{path}: the url of {file} is {url!r}; it must be an http or https address")
        real = os.path.realpath(path.parent / file)
        if addresses.setdefault(real, url) != url:
            raise InputError(f"{path}: {file} has two urls, {addresses[real]} and {url}; leave one out")
    missing = [file for file in addresses if not Path(file).exists()]
    if len(missing) == len(addresses):
        raise InputError(f"{path}: none of its files exists, such as {missing[0]}; files are relative to its folder")
    if missing:
        _log.warning("%s: %d of its %d files do not exist, such as %s", path, len(missing), len(addresses), missing[0])
    return addresses


def is_web_address(address: str) -> bool:
    """Tell whether an address is of http or https and has a host.

    >>> [is_web_address(each) for each in ("https://a.example", "a.example", "ftp://a.example/", "http:///a", "http://[")]
    [True, False, False, False, False]
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(map(str.isspace, address))


class SavedSite:
    """The files below a folder that the pages of a saved site are in.

    A link may lead to them, to files that the URL map names, and to no other file, whatever it says and wherever a
    symbolic link points.
    """

    def __init__(self, first: Path, roots: Iterable[Path], addresses: UrlMap) -> None:
        """Take the first of the `roots` that holds the first page, or else the folder of that page."""
        first = first.resolve()
        self._visited = {first}
        folders = (root.resolve() for root in roots)
        self.root = next((folder for folder in folders if first.is_relative_to(folder)), first.parent)
        self._files = {_address_key(address): Path(file) for file, address in reversed([*addresses.items()])}

    def find(self, address: str, *, page: Path, page_address: str) -> Path:
        """Find the file that a link to an address leads to; raise if there is none, or if it may not be read.

        The link is on the page in the file `page`, whose address on the web is `page_address` if it has one.  An
        address of the web is looked up in the URL map, then below the root by its host and path, by its path alone,
        and by its path relative to the page's own.  Query, missing ending and index page are written into file names
        in the ways of wget and browsers; without its query a page counts only if it has not been found before.
        """
        try:
            parts = urlsplit(address)
            paths = list(self._paths(parts, page.resolve().parent, page_address))
            names = [name for path in paths for name in file_names(path, parts.query)]
            files = filter(None, map(self._file, names))
            plain = filter(None, (self._file(name) for path in paths for name in file_names(path, "")))
            file = (
                self._mapped(address)
                or next(files, None)
                or next((each for each in plain if each not in self._visited), None)
            )
            outside = parts.scheme == "file" and not self._is_inside(path_of(address))
        except ValueError as error:  # a zero in it
            raise InputError(f"{address}: this is not a valid file name") from error
        if file is not None:
            self._visited.add(file)
            return file
        if outside and Path(path_of(address)).exists():
            raise RefusedError(
                f"{address}: not read, because it is outside of {self.root}; name a folder that holds both pages"
            )
        shown = next((os.path.relpath(name, self.root) for name in names if self._is_inside(name)), "it")
        raise InputError(
            f"{address}: there is no such file as {shown} below {self.root}; "
            "name the folder of the site with --root, or the file of this page in --url-map"
        )

    def _paths(self, parts: SplitResult, folder: Path, page_address: str) -> Iterator[str]:
        """Yield the paths that an address can mean, the likeliest first; `folder` is that of the page with the link."""
        path = path_of(parts.geturl()) or "/"
        is_file = parts.scheme == "file"
        for written in dict.fromkeys((path, parts.path or "/")):  # some programs save names as they are in the address
            yield written if is_file else f"{self.root / (parts.hostname or '')}{written}"
            yield f"{self.root}{written}"
        if is_file:
            return
        if urlsplit(page_address).hostname == parts.hostname:
            way = os.path.relpath(path, path_of(page_address).rpartition("/")[0] or "/")
            yield f"{folder / way}{'/' if path.endswith('/') else ''}"

    def _mapped(self, address: str) -> Path | None:
        file = self._files.get(_address_key(address))
        return file if file is not None and file.is_file() else None

    def _file(self, name: str) -> Path | None:
        """Return the real path of a file below the root; None if it is not there, or not below the root."""
        if any(len(os.fsencode(part)) > _MAX_NAME_BYTES for part in name.split("/")):
            return None
        existing = (path for path in (Path(name).resolve(), Path(f"{name}.gz").resolve()) if path.is_file())
        return next((path for path in existing if path.is_relative_to(self.root)), None)

    def _is_inside(self, name: str) -> bool:
        return Path(name).resolve().is_relative_to(self.root)


def file_names(path: str, query: str) -> Iterator[str]:
    """Yield the names under which programs save the page at a path, the likeliest first.

    >>> list(file_names("/shop/", ""))
    ['/shop/index.html', '/shop/index.htm', '/shop.html', '/shop.htm']
    >>> list(file_names("/list.html", "page=2"))[:4]
    ['/list.html?page=2', '/list.html?page=2.html', '/list?page=2.html', '/list.html@page=2']
    """
    folder = path.rstrip("/")
    inside = [f"{folder}/{name}" for name in _INDEX_PAGES]
    others = [folder + ending for ending in _PAGE_ENDINGS] if folder else []
    plain = [*inside, *others] if path.endswith("/") else [path, *others, *inside]
    if not query:
        yield from plain
        return
    queries = dict.fromkeys(each.replace("/", "%2F") for each in (query, unquote(query)))
    for start in [folder, *plain] if path.endswith("/") and folder else plain:
        ending = Path(start).suffix
        for written in (f"{mark}{each}" for mark in _QUERY_MARKS for each in queries):
            yield start + written
            yield f"{start}{written}.html"
            if ending in _PAGE_ENDINGS:
                yield start.removesuffix(ending) + written + ending


def _address_key(address: str) -> tuple[str, str, str]:
    """Make an address comparable: without scheme, www, fragment and the slash at its end."""
    parts = urlsplit(address)
    host = (parts.netloc.rpartition("@")[2]).lower().removeprefix("www.")
    return host, unquote(parts.path).rstrip("/"), parts.query
