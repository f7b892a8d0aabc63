"""Find the pages of a source by what its wrapper file says of them; load and save these files.

A source has an index (a page whose links lead to its pages, or a CSV file), or pages that are found by a key, or always
the same pages.
"""

from __future__ import annotations

import logging
import os.path
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from enum import Enum
from functools import cached_property, partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Unpack
from urllib.parse import urlsplit

from webquarry.errors import InputError, WebquarryError
from webquarry.fetching.inputs import parse_rows, without_credentials
from webquarry.fetching.policy import FetchOptions
from webquarry.fetching.saved_sites import read_url_map
from webquarry.html.parsing import decode, parse_html
from webquarry.html.urls import join_address, path_of
from webquarry.model.extraction import Extraction
from webquarry.model.names import join_key, key_names, show_key, split_key
from webquarry.model.page import Failure, Page
from webquarry.model.wording import list_names, whole
from webquarry.model.wrapper import Source, Wrapper
from webquarry.pipeline.call_arguments import require, require_place
from webquarry.pipeline.fetch_pages import fetch
from webquarry.pipeline.source_addresses import MakeAddress, address_of, make_mapping
from webquarry.rendering.requests import find_web_root
from webquarry.storing.result_files import read_text, write_whole
from webquarry.wrapping.page_addresses import (
    find_key,
    index_from_links,
    index_from_rows,
    is_function,
    match,
    template_arguments,
)
from webquarry.wrapping.wrapper_file import read_wrapper, write_wrapper

SUGGESTED_KEYS = 5
"""Keys that are named when the one asked for does not exist."""
MAX_KEY_LENGTH = 2000
"""The limit of characters in a key that is put into an address; servers refuse longer ones."""
KEY_LENGTH_SHOWN = 100
"""Characters of a key in a message."""
FIRST_LINES = 3
"""Lines of an index file in which an example of a key is looked for: the header row, and a row that may be empty."""

_LINK_ATTRIBUTES = {"a": "href", "area": "href", "option": "value"}
"""Elements that lead to pages; menus that jump to the chosen page name it as the value of an option."""

Load = Callable[[str], Page]
_log = logging.getLogger(__name__)


def load_wrapper(path: str | Path) -> Wrapper:
    """Load a wrapper from its file; raises `WrapperError` with all of its mistakes.

    path: of a file that `save_wrapper` or `quarry wrap` wrote, or a person.

    >>> import webquarry as wq
    >>> wq.load_wrapper("gone.toml")
    Traceback (most recent call last):
    webquarry.errors.InputError: gone.toml: there is no such file; check the path
    """
    require_place("load_wrapper", path)
    return read_wrapper(read_text(Path(path)), str(path))


def check_wrapper(path: str | Path, **options: Unpack[FetchOptions]) -> Wrapper:
    """Load a wrapper as `load_wrapper` does; an index or folder that does not exist is a mistake too.

    Options are those of `fetch`, by which an index on the web is fetched.
    """
    check = partial(_check_places, folder=Path(path).parent, load=partial(fetch, **options))
    return read_wrapper(read_text(Path(path)), str(path), check_places=check)


def _check_places(source: Source, folder: Path, load: Load) -> Iterator[tuple[str, str, str]]:
    for root in source.roots:
        if not (folder / root).is_dir():
            yield "source", "roots", f"there is no folder {folder / root}; correct its path, or remove it"
    if source.url_map and not (folder / source.url_map).is_file():
        yield "source", "url_map", f"there is no file {folder / source.url_map}; correct its path, or remove it"
    if source.index_page or source.index_file:
        try:
            read_index(source, folder, load)
        except WebquarryError as error:
            yield "index", "page" if source.index_page else "file", f"the index cannot be used: {error}"


def save_wrapper(path: str | Path, wrapper: Wrapper) -> None:
    """Write a wrapper to a file, which is replaced whole or not at all.

    path: of the file, such as `factbook.toml`.
    wrapper: what `wrap` or `correct` gives.

    >>> import webquarry as wq
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     wq.save_wrapper(f"{folder}/towns.toml", Wrapper(Source("towns")))
    ...     wq.load_wrapper(f"{folder}/towns.toml").source.name
    'towns'
    """
    require_place("save_wrapper", path)
    require("save_wrapper", wrapper, Wrapper)
    write_whole(Path(path), write_wrapper(wrapper).encode())


def sources_of(
    wrapper: Wrapper, *, folder: str | Path = ".", keys: Iterable[str] = (), **options: Unpack[FetchOptions]
) -> list[tuple[str, str]]:
    """List the keys and addresses of all pages of the wrapper's source, or of those with the given keys.

    `folder` is that of the wrapper file, to which addresses are relative unless it names a base.  Options are those of
    `fetch`, by which an index is fetched.
    """
    wanted = list(keys)
    source = wrapper.source
    if source.index_page or source.index_file:
        index = dict(read_index(source, folder, partial(fetch, **options)))
        found = [_find_in_index(list(index), key, source) for key in wanted] if wanted else index
        return [(key, index[key]) for key in found]
    if not wanted:
        raise InputError(f"the wrapper {source.name} has no index that lists its pages; name INPUT pages or keys")
    return [(key, _address_without_index(source, key, folder)) for key in wanted]


def name_by_index(
    wrapper: Wrapper,
    results: Iterable[Extraction | Failure],
    *,
    folder: str | Path = ".",
    **options: Unpack[FetchOptions],
) -> Iterator[Extraction | Failure]:
    """Give extractions the keys that the index has for their pages.

    The index is read for the first page that the source can have; if it cannot be read, that is a warning and no
    extraction gets a key.
    """
    keys_by_address: dict[str, str] | None = None
    for result in results:
        if isinstance(result, Failure) or not _may_be_in_index(wrapper.source, result.page, folder):
            yield result
            continue
        if keys_by_address is None:
            keys_by_address = {}
            try:
                index = _read_index(wrapper.source, folder, partial(fetch, **options))
                keys_by_address.update((address, key) for key, address in reversed(index))
            except WebquarryError as error:
                _log.warning("pages get no %s: %s", wrapper.source.key or "key", error)
        yield replace(result, key=keys_by_address.get(result.page, result.key))


def source_roots(source: Source, folder: str | Path) -> list[Path]:
    """List the folders whose files the pages of a source may use; `folder` is that of the wrapper file."""
    return [Path(folder) / root for root in source.roots]


def with_addresses(source: Source, folder: str | Path, pages: Iterable[Page | Failure]) -> Iterator[Page | Failure]:
    """Give saved pages without an address on the web the one that the source was learnt with."""
    addresses = read_url_map(Path(folder) / source.url_map) if source.url_map else {}
    for page in pages:
        if isinstance(page, Page) and not page.address and page.url.startswith("file:"):
            yield replace(page, address=addresses.get(os.path.realpath(path_of(page.url)), source.base_url))
        else:
            yield page


class Access(Enum):
    """How the pages of a source are found."""

    INDEX = "index"
    KEY = "key"
    FIXED = "fixed"


class PageFinder:
    """Finds the pages of a source; `folder` is that of the wrapper file."""

    def __init__(self, source: Source, folder: str | Path) -> None:
        self._source, self._folder = source, folder
        self._is_function = is_function(source.pages)
        self._arguments = () if self._is_function else template_arguments(source.pages + source.form)
        takes_key = bool(source.key if self._is_function else self._arguments)
        has_index = bool(source.index_page or source.index_file)
        self.access = Access.INDEX if has_index else Access.KEY if takes_key else Access.FIXED
        self.index_pages = int(bool(source.index_page))
        """The number of pages that are fetched to list the pages of the source."""
        self._check_keys()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of the template, or the parameters that `key` names."""
        return self._source.keys if self._is_function else self._arguments

    @property
    def key(self) -> str:
        """The name of what identifies a page; empty if all pages are read together.

        Fixed pages have no keys, whatever the wrapper says: a column without values would silently make conditions on
        it false.
        """
        if self.access is Access.KEY:
            named = self._source.keys
            if self._is_function or (len(self._arguments) == 1 and named):
                return self._source.key
            return ",".join(dict.fromkeys([*named, *self._arguments]))  # what `key` leaves out is needed too
        return self._source.key if self.access is Access.INDEX else ""

    def _check_keys(self) -> None:
        """Raise for a key that names no known argument; its column would have no values."""
        keys, source = self._source.keys, self._source
        unknown = [name for name in keys if name not in self._arguments]
        is_renamed = len(keys) == len(self._arguments) == 1
        if self.access is Access.KEY and not self._is_function and unknown and not is_renamed:
            raise InputError(
                f"the wrapper {source.name} finds its pages by {list_names(self._arguments)}, and its `key` names "
                f"{list_names(unknown)}; add [index], a CSV file with columns "
                f"{list_names(list(dict.fromkeys([*keys, *self._arguments])))}, or let `key` name the arguments"
            )

    def find_all(self, load: Load) -> dict[str, str]:
        """Find the addresses of all pages by their keys, or without keys by themselves."""
        if self.access is Access.FIXED:
            return {address: address for address in self._fixed_pages()}
        addresses: dict[str, str] = {}
        for key, address in read_index(self._source, self._folder, load):
            addresses.setdefault(whole(key) if self.key else address, address)
        return addresses

    def find_one(self, key: str) -> str:
        """Make the address of the page with a key, for a source without an index; raises when it makes none.

        Keys may come from pages that others wrote, so a filled-in template must not lead to files outside of the
        source.  A function that a user wrote may lead anywhere.
        """
        parts = split_key(key)
        if len(key) > MAX_KEY_LENGTH or not all(map(str.isprintable, parts)):
            shown = show_key(key)[:KEY_LENGTH_SHOWN]
            raise InputError(f"{shown!r}: not a possible key; it is too long or not printable")
        if self._is_function:
            return self._make_address(dict(zip(self._source.keys, parts, strict=True)))
        names = self._arguments if len(parts) == 1 else key_names(self.key)
        address = self._make_address(dict(zip(names, parts, strict=True)))
        if not self._is_allowed(address):
            raise InputError(f"{show_key(key)[:KEY_LENGTH_SHOWN]}: not read, because it leads outside of {self._start}")
        return address

    def find_example(self) -> str:
        """Find a key without fetching from the web: that of a sample, or of an index on disk; empty without one."""
        source = self._source
        if self.access is Access.INDEX and self.key:
            if not _index_address(source, self._folder).startswith("file:"):
                return ""
            try:
                return next(iter(self.find_all(_load_first_lines if source.index_file else fetch)))
            except InputError:  # reported when the index is needed
                return ""
        if self.access is not Access.KEY or self._is_function or source.form:
            return ""
        template = address_of(self._folder, source, source.pages)
        found = (match(template, address_of(self._folder, source, sample)) for sample in source.samples)
        names = self._arguments if len(self._arguments) == 1 else key_names(self.key)
        return next((join_key(each[name] for name in names) for each in found if each), "")

    @cached_property
    def roots(self) -> list[Path]:
        """The web roots of a source on disk: pages may use the files in them, such as style sheets."""
        base = address_of(self._folder, self._source, "")
        own = [find_web_root(Path(path_of(base)))] if base.startswith("file:") else []
        return [*source_roots(self._source, self._folder), *own]

    @cached_property
    def _start(self) -> str:
        """The folder before the first argument of the template."""
        fixed = self._source.pages.partition("{")[0]
        return address_of(self._folder, self._source, fixed[: fixed.rfind("/") + 1])

    @cached_property
    def _make_address(self) -> MakeAddress:
        return make_mapping(self._source, self._folder)

    def _is_allowed(self, address: str) -> bool:
        """Tell whether an address is on the web, which fetching guards, or a file in the folder of the source."""
        parts, start = urlsplit(address), urlsplit(self._start)
        if parts.scheme.lower() in ("http", "https"):
            return True
        folder = PurePosixPath(os.path.normpath(path_of(self._start)))
        file = PurePosixPath(os.path.normpath(path_of(address)))
        return parts.scheme == start.scheme == "file" and not parts.netloc and file.is_relative_to(folder)

    def _fixed_pages(self) -> list[str]:
        source = self._source
        if self._is_function:
            raise InputError(
                f"the wrapper {source.name} has no index, and no `key`: the name of the argument that "
                f"{source.pages} takes; add either"
            )
        if not (source.pages or source.samples):
            raise InputError(f"the wrapper {source.name} does not say where its pages are; add `pages` to [source]")
        return [address_of(self._folder, source, each) for each in ([source.pages] if source.pages else source.samples)]


def _load_first_lines(address: str) -> Page:
    path = Path(path_of(address))
    try:
        with path.open("rb") as file:
            return Page(address, b"".join(islice(file, FIRST_LINES)))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error


def read_index(source: Source, folder: str | Path, load: Load) -> list[tuple[str, str]]:
    """List the keys and addresses in a source's index, a page or file fetched by `load`; raises if there are none."""
    index = _read_index(source, folder, load)
    if not index:
        raise InputError(f"{_index_address(source, folder)}: none of its links or rows matches `pages`")
    return index


def _read_index(source: Source, folder: str | Path, load: Load) -> list[tuple[str, str]]:
    if not source.pages:
        raise InputError("the wrapper has an index but no `pages`, a template of addresses such as geos/{code}.html")
    page = load(_index_address(source, folder))
    if source.index_page:
        entries = index_from_links(read_links(page), address_of(folder, source, source.pages), source.keys)
    else:
        rows = parse_rows(page.body, without_credentials(page.url))
        entries = index_from_rows(rows, source.key, source.pages + source.form)
    make_address = make_mapping(source, folder)
    index: dict[str, str] = {}
    ambiguous: dict[str, None] = {}
    for key, arguments in entries:
        address = make_address(arguments)
        if index.setdefault(key, address) != address:
            ambiguous[key] = None
    if ambiguous:
        shown = without_credentials(page.url)
        _log.warning("%s: using the first of several pages for %s", shown, list_names(list(map(show_key, ambiguous))))
    return list(index.items())


def _index_address(source: Source, folder: str | Path) -> str:
    return address_of(folder, source, source.index_page or source.index_file)


def _address_without_index(source: Source, key: str, folder: str | Path) -> str:
    """Make the address of a page from a key whose parts are separated by commas."""
    if not source.pages:
        raise InputError(f"the wrapper {source.name} has no `pages` to make an address from {key!r}; name INPUT pages")
    finder = PageFinder(source, folder)
    names = key_names(finder.key)
    parts = _parts_of(key, names)
    if finder.access is not Access.KEY or len(parts) != len(names):
        raise InputError(
            f"the wrapper {source.name} has no index, and its pages are found by {list_names(names) or 'no key'}; "
            f"write a key as {','.join(names) or 'INPUT'}, not {key!r}"
        )
    return make_mapping(source, folder)(dict(zip(names if len(names) > 1 else finder.arguments, parts, strict=True)))


def _parts_of(key: str, names: Sequence[str]) -> list[str]:
    """Split a key as a user writes it, with a comma between its parts."""
    return [part.strip() for part in key.split(",")] if len(names) > 1 else [key]


def _find_in_index(keys: list[str], wanted: str, source: Source) -> str:
    found = find_key(keys, join_key(_parts_of(wanted, source.keys)))
    if found is None:
        shown = list(map(show_key, keys))
        nearest = get_close_matches(wanted, shown, SUGGESTED_KEYS, 0.5) or shown[:SUGGESTED_KEYS]
        raise InputError(f"the index has no {source.key or 'key'} {wanted!r}; the nearest are {list_names(nearest)}")
    return found


def _may_be_in_index(source: Source, address: str, folder: str | Path) -> bool:
    """Tell whether an index can list the page, as far as the template tells."""
    if not (source.index_page or source.index_file) or not source.pages:
        return False
    return is_function(source.pages) or match(address_of(folder, source, source.pages), address) is not None


def read_links(page: Page) -> list[tuple[str, str]]:
    """List the texts and absolute addresses of all links of a page, in their order; options of menus count as links."""
    tree = parse_html(decode(page.body, page.header("Content-Type")))
    bases = (element.attrs.get("href") for element in tree.find_all("base"))
    base = join_address(page.url, next((str(href) for href in bases if href), ""))
    links = []
    for element in tree.find_all(list(_LINK_ATTRIBUTES)):
        written = element.attrs.get(_LINK_ATTRIBUTES[element.tag])
        if written and not str(written).startswith("#"):
            links.append((" ".join(element.text.split()), join_address(base, str(written))))
    return links
