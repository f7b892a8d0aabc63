"""Where wrapper files are, and the pages of the sources that they describe."""

from __future__ import annotations

import csv
import importlib
import importlib.util
import inspect
import io
import logging
import os.path
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urljoin

from webquarry.errors import InputError, WebquarryError
from webquarry.fetching.inputs import SCHEME, file_uri, without_credentials
from webquarry.html.decoding import decode
from webquarry.html.parsing import parse_html
from webquarry.html.urls import path_of
from webquarry.model.extraction import Extraction
from webquarry.model.names import list_names
from webquarry.model.page import Failure, Page
from webquarry.model.wrapper import Source, Wrapper
from webquarry.pipeline.fetch_pages import fetch
from webquarry.storing.atomic_files import read_text, write_whole
from webquarry.wrapping.page_addresses import (
    fill,
    find_key,
    index_from_links,
    index_from_rows,
    is_function,
    match,
    template_arguments,
)
from webquarry.wrapping.wrapper_file import read_wrapper
from webquarry.wrapping.wrapper_text import write_wrapper

NEAREST = 5
"""Keys that are named in the place of one that is not there."""

_log = logging.getLogger(__name__)


def load_wrapper(path: str | Path) -> Wrapper:
    """The wrapper that a file describes; raises `WrapperError` with all of its mistakes."""

    return read_wrapper(read_text(Path(path)), str(path))


def save_wrapper(path: str | Path, wrapper: Wrapper) -> None:
    """Write a wrapper as a file, which is replaced whole or not at all."""

    write_whole(Path(path), write_wrapper(wrapper).encode())


def sources_of(
    wrapper: Wrapper, *, folder: str | Path = ".", keys: Iterable[str] = (), **policy: Any
) -> list[tuple[str, str]]:
    """The keys and addresses of all pages of the wrapper's source, or of those with the keys.

    `folder` is that of the wrapper file, to which it is relative where it names no base.  Keywords are the knobs of
    `webquarry.fetching.Policy`, by which an index is fetched.
    """
    wanted = list(keys)
    source = wrapper.source
    if not (source.index_page or source.index_file):
        return [_without_index(source, key, folder) for key in _some(source, wanted)]
    index = read_index(source, folder, partial(fetch, **policy))
    if not wanted:
        return index
    addresses = dict(index)
    return [(key, addresses[key]) for key in (_find_key(list(addresses), key, source) for key in wanted)]


def read_index(source: Source, folder: str | Path, load: Callable[[str], Page]) -> list[tuple[str, str]]:
    """The keys and addresses that a source's index names, a page or file which `load` gives; raises without any."""
    index = _read_index(source, folder, load)
    if not index:
        raise InputError(f"{index_of(source, folder)}: none of its links or rows names a page as `pages` says")
    return index


def name_by_index(
    wrapper: Wrapper, results: Iterable[Extraction | Failure], *, folder: str | Path = ".", **policy: Any
) -> Iterator[Extraction | Failure]:
    """Extractions with the keys that the index has for their pages.

    The index is read when the first page comes that the source can have; one that cannot be had is told, and then no
    extraction gets a key.
    """
    known: dict[str, str] | None = None
    for result in results:
        if isinstance(result, Failure) or not _may_have(wrapper.source, result.page, folder):
            yield result
            continue
        if known is None:
            known = _keys_by_address(wrapper, folder, policy)
        yield replace(result, key=known.get(result.page, result.key))


def address_of(folder: str | Path, source: Source, named: str) -> str:
    """The absolute address of what a wrapper in this folder names."""

    return locate(_base(source, folder), named)


def find_base(pages: str, addresses: Sequence[str]) -> str | None:
    """What the addresses are relative to so that all of them fit a relative template; None without such a place.

    >>> find_base("geos/{code}.html", ["https://example.org/book/geos/fr.html", "https://example.org/book/geos/de.html"])
    'https://example.org/book/'
    """

    if not pages or is_function(pages) or SCHEME.match(pages) or pages.startswith("/"):
        return None
    depth = pages.partition("?")[0].count("/") + 1
    bases = {address.partition("?")[0].rsplit("/", depth)[0] + "/" for address in addresses}
    if len(bases) != 1:
        return None
    base = bases.pop()
    fits = all(match(pages, address.removeprefix(base)) is not None for address in addresses)
    return base if fits else None


def relative_to(folder: str | Path, address: str) -> str:
    """An address as a wrapper file in this folder has it: a file by its way from there, all others as they are.

    So a wrapper and its pages can be moved together.  A way that is no text is no part of a file: it stays an address.
    """
    if not address.startswith("file:"):
        return address
    way = os.path.relpath(path_of(address), Path(folder).resolve())
    try:
        way.encode()
    except UnicodeEncodeError:
        return address
    return Path(way).as_posix()


def _base(source: Source, folder: str | Path) -> str | Path:

    return source.base if SCHEME.match(source.base) else Path(folder) / source.base


def index_of(source: Source, folder: str | Path) -> str:
    """The absolute address of a source's index."""
    return address_of(folder, source, source.index_page or source.index_file)


def _read_index(source: Source, folder: str | Path, load: Callable[[str], Page]) -> list[tuple[str, str]]:

    if not source.pages:
        raise InputError(
            "the wrapper has an index and no `pages`, the template of addresses; write one such as geos/{code}.html"
        )
    page = load(index_of(source, folder))
    mapping = mapping_of(source, folder)
    if source.index_page:
        absolute = address_of(folder, source, source.pages)
        return index_by_page(page, choose=partial(index_from_links, pages=absolute), address_of=mapping)
    rows = partial(index_from_rows, key=source.key, pages=source.pages)
    return index_by_file(page, choose=rows, address_of=mapping)


def mapping_of(source: Source, folder: str | Path) -> Callable[[Mapping[str, str]], str]:
    """The mapping function: from the arguments of a page to its absolute address."""

    make = load_function(source.pages, folder=folder) if is_function(source.pages) else partial(fill, source.pages)
    base = _base(source, folder)
    start = base if isinstance(base, str) else locate(base, "")  # once for all pages of an index
    return lambda arguments: locate(start, make(arguments))


def _some(source: Source, keys: list[str]) -> list[str]:
    if keys:
        return keys
    raise InputError(f"the wrapper {source.name} has no index that names its pages; name INPUT pages or keys")


def _without_index(source: Source, key: str, folder: str | Path) -> tuple[str, str]:
    """The page of a key that is itself the only argument."""

    if not source.pages:
        raise InputError(f"the wrapper {source.name} has no `pages` that makes an address of {key!r}; name INPUT pages")
    names = (source.key,) if is_function(source.pages) else template_arguments(source.pages)
    if len(names) != 1:
        raise InputError(
            f"the wrapper {source.name} has no index, and `pages` needs {list_names(names)}; {key!r} is one argument"
        )
    return key, mapping_of(source, folder)({names[0]: key})


def _find_key(keys: list[str], wanted: str, source: Source) -> str:

    found = find_key(keys, wanted)
    if found is None:
        nearest = get_close_matches(wanted, keys, NEAREST, 0.5) or list(islice(keys, NEAREST))
        raise InputError(f"the index has no {source.key or 'key'} {wanted!r}; the nearest are {list_names(nearest)}")
    return found


def _may_have(source: Source, address: str, folder: str | Path) -> bool:
    """Whether an index can name the page, as far as the template tells."""

    if not (source.index_page or source.index_file) or not source.pages:
        return False
    return is_function(source.pages) or match(address_of(folder, source, source.pages), address) is not None


def _keys_by_address(wrapper: Wrapper, folder: str | Path, policy: Mapping[str, Any]) -> dict[str, str]:
    try:
        index = _read_index(wrapper.source, folder, partial(fetch, **policy))
        return {address: key for key, address in reversed(index)}
    except WebquarryError as error:
        _log.warning("pages get no %s: %s", wrapper.source.key or "key", error)
        return {}


# MERGED fetching/indexes: Indexes: which pages a source has, by the links of a page or the rows of a CSV fil
# MERGED
# MERGED What a link or a row says about a page is for others to tell: they hand in how keys and arguments ar
# MERGED links or rows, and how arguments make an address.
_LINKS = {"a": "href", "area": "href", "option": "value"}
"""What leads to pages; menus that jump to the chosen page name it as the value of an option."""
_FOLDER = re.compile(r"(?:^|/)[^./?#]+$")
_PLAIN = re.compile(r"(?:[\w%~-][\w%~.-]*/)*[\w%~-][\w%~.-]*", re.ASCII)
"""What can be set after a folder as it is: names of which none begins with a dot."""

Entry = tuple[str, Mapping[str, str]]
"""A key and the arguments of its page."""
AddressOf = Callable[[Mapping[str, str]], str]


def index_by_page(
    page: Page,
    *,
    choose: Callable[[list[tuple[str, str]]], Iterable[Entry]],
    address_of: AddressOf,
    tell: Callable[[str], None] = _log.warning,
) -> list[tuple[str, str]]:
    """The keys and addresses of the pages that an index page links to.

    The first address of a key counts; that others are left out goes to `tell`.
    """
    return _index(page.url, choose(read_links(page)), address_of, tell)


def index_by_file(
    page: Page,
    *,
    choose: Callable[[list[dict[str, str]]], Iterable[Entry]],
    address_of: AddressOf,
    tell: Callable[[str], None] = _log.warning,
) -> list[tuple[str, str]]:
    """The keys and addresses of the pages that the rows of a CSV file name; the file was fetched as pages are.

    The first address of a key counts; that others are left out goes to `tell`.
    """
    return _index(page.url, choose(read_rows(page)), address_of, tell)


def locate(base: str | Path, address: str) -> str:
    """The absolute address of what is named relative to a base: an http or file address, or a folder.

    The base is a folder even without a slash at its end, unless its last part looks like a file or `address` is a
    query.  An absolute `address` stays as it is.
    """
    if SCHEME.match(address):
        return address
    start = base if isinstance(base, str) and SCHEME.match(base) else f"{file_uri(Path(base))}/"
    if _FOLDER.search(start.partition("://")[2]) and not address.startswith("?"):
        start += "/"
    is_plain = start.endswith("/") and _PLAIN.fullmatch(address)
    return start + address if is_plain else urljoin(start, address)


def read_links(page: Page) -> list[tuple[str, str]]:
    """The texts and absolute addresses of all links of a page, in their order; options of menus count as links."""
    tree = parse_html(decode(page.body, page.header("Content-Type")))
    bases = (element.attrs.get("href") for element in tree.find_all("base"))
    base = _join(page.url, next((str(href) for href in bases if href), ""))
    links = []
    for element in tree.find_all(list(_LINKS)):
        written = element.attrs.get(_LINKS[element.tag])
        if written and not str(written).startswith("#"):
            links.append((" ".join(element.text.split()), _join(base, str(written))))
    return links


def read_rows(page: Page) -> list[dict[str, str]]:
    """The rows of a CSV file by the names in its first one; what a short row lacks is empty."""
    shown = without_credentials(page.url)
    try:
        text = page.body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = page.body.count(b"\n", 0, error.start) + 1
        raise InputError(f"{shown}: line {line} is not in UTF-8; save the file as CSV in UTF-8") from error
    try:
        table = csv.reader(io.StringIO(text, newline=""), delimiter=_find_separator(text))
        rows = [row for row in table if any(map(str.strip, row))]
    except csv.Error as error:
        raise InputError(f"{shown}: this is not CSV ({error})") from error
    if not rows:
        raise InputError(f"{shown}: the file is empty; its first line names the columns")
    names = [name.strip() for name in rows[0]]
    return [dict(zip(names, row + [""] * (len(names) - len(row)), strict=False)) for row in rows[1:]]


def _find_separator(text: str) -> str:
    """What parts the names in the first line: spreadsheets write semicolons where commas are decimal."""
    first = text.lstrip().partition("\n")[0]
    return "," if "," in first else next((mark for mark in ";\t" if mark in first), ",")


def load_function(named: str, *, folder: str | Path) -> AddressOf:
    """The Python function that `module:function` names, which makes addresses of arguments.

    The module is a file in the folder of the wrapper, or else any that Python finds.  Of the arguments the function
    is given those that it has parameters for.
    """
    module_name, _, name = named.partition(":")
    function = getattr(_load_module(module_name, Path(folder)), name, None)
    if not callable(function):
        raise InputError(f"{named}: the module {module_name} has no function {name}")
    takes = _parameters(function)

    def address_of(arguments: Mapping[str, str]) -> str:
        given = {key: value for key, value in arguments.items() if takes is None or key in takes}
        try:
            address = function(**given)
        except Exception as error:  # the function is the user's, and may fail in any way
            raise InputError(f"{named}: it failed for {given} ({type(error).__name__}: {error})") from error
        if not isinstance(address, str):
            raise InputError(f"{named}: for {given} it gave {address!r}; it must give an address as text")
        return address

    return address_of


def _parameters(function: Callable[..., object]) -> set[str] | None:
    """The names of a function's parameters; None when it takes any, or does not say."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return None
    takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters)
    return None if takes_any else {each.name for each in parameters}


def _load_module(name: str, folder: Path) -> ModuleType:
    file = folder.joinpath(*name.split(".")).with_suffix(".py")
    try:
        spec = importlib.util.spec_from_file_location(name, file) if file.is_file() else None
        if spec is None or spec.loader is None:
            return importlib.import_module(name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception as error:  # the module is the user's, and may fail in any way
        raise InputError(
            f"{name}: the module of the mapping function cannot be loaded ({type(error).__name__}: {error}); "
            f"it was looked for as {file}, then where Python looks"
        ) from error
    return module


def _index(
    where: str, entries: Iterable[Entry], address_of: AddressOf, tell: Callable[[str], None]
) -> list[tuple[str, str]]:
    index: dict[str, str] = {}
    left_out: dict[str, None] = {}
    for key, arguments in entries:
        address = address_of(arguments)
        if index.setdefault(key, address) != address:
            left_out[key] = None
    if left_out:
        shown = without_credentials(where)
        tell(f"{shown}: some keys name several pages, of which the first counts: {list_names(list(left_out))}")
    return list(index.items())


def _join(base: str, written: str) -> str:
    try:
        return urljoin(base, written.strip())
    except ValueError:  # of hosts in broken brackets
        return written
