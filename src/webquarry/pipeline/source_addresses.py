"""Translate between the addresses of pages and what a wrapper file writes: relative addresses, patterns with keys."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os.path
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from urllib.parse import urljoin

from webquarry.errors import InputError
from webquarry.fetching.inputs import SCHEME, file_uri
from webquarry.html.urls import path_of
from webquarry.model.wrapper import Source
from webquarry.wrapping.page_addresses import fill, is_function, match

_ENDS_IN_FOLDER = re.compile(r"(?:^|/)[^./?#]+$")
_PLAIN_PATH = re.compile(r"(?:[\w%~-][\w%~.-]*/)*[\w%~-][\w%~.-]*", re.ASCII)
"""Paths that can be appended to a folder as they are: none of their names begins with a dot."""

MakeAddress = Callable[[Mapping[str, str]], str]
"""Makes the address of a page from its arguments."""


def address_of(folder: str | Path, source: Source, named: str) -> str:
    """Make absolute what a wrapper in this folder names."""
    return locate(_base(source, folder), named)


def locate(base: str | Path, address: str) -> str:
    """Make an address absolute that is relative to a base: an http or file address, or a folder.

    The base is a folder even without a slash at its end, unless its last part looks like a file or `address` is a
    query.  An absolute `address` stays as it is.  Below a folder a question mark is part of a file name.
    """
    if SCHEME.match(address):
        return address
    start = base if isinstance(base, str) and SCHEME.match(base) else f"{file_uri(Path(base))}/"
    if _ENDS_IN_FOLDER.search(start.partition("://")[2]) and not address.startswith("?"):
        start += "/"
    if start.startswith("file:"):
        address = _as_file_name(address)
    is_plain = start.endswith("/") and _PLAIN_PATH.fullmatch(address)
    return start + address if is_plain else urljoin(start, address)


def _base(source: Source, folder: str | Path) -> str | Path:
    return source.base if SCHEME.match(source.base) else Path(folder) / source.base


def find_base(pages: str, addresses: Sequence[str]) -> str | None:
    """Find the base relative to which all addresses fit a relative template; None if there is no such base.

    >>> find_base("geos/{code}.html", ["https://example.org/book/geos/fr.html", "https://example.org/book/geos/de.html"])
    'https://example.org/book/'
    """
    if not pages or is_function(pages) or SCHEME.match(pages) or pages.startswith("/"):
        return None
    if all(address.startswith("file:") for address in addresses):
        pages = _as_file_name(pages)
    depth = pages.partition("?")[0].count("/") + 1
    bases = {address.partition("?")[0].rsplit("/", depth)[0] + "/" for address in addresses}
    if len(bases) != 1:
        return None
    base = bases.pop()
    fits = all(match(pages, address.removeprefix(base)) is not None for address in addresses)
    return base if fits else None


def relative_to(folder: str | Path, address: str) -> str:
    """Write the address of a page for a wrapper file in this folder: that of a file relative, all others as they are.

    So a wrapper and its pages can be moved together.  A path that is not valid text cannot be put in a wrapper file
    and stays an address.

    >>> relative_to("/pages", "file:///pages/100%25%3F.html"), relative_to("/pages", "file:///pages/caf%C3%A9.html")
    ('100%25%3F.html', 'café.html')
    """
    way = folder_relative_to(folder, address)
    return way if way == address else _as_file_name(way.replace("%", "%25").replace("#", "%23"))


def name_page(source: Source, folder: str | Path, address: str) -> str:
    """Write the address of a page as a wrapper in this folder names its pages: relative to the base of the source."""
    if SCHEME.match(source.base):
        return address.removeprefix(source.base if source.base.endswith("/") else f"{source.base}/")
    return relative_to(Path(folder) / source.base, address)


def folder_relative_to(folder: str | Path, address: str) -> str:
    """Write the address of a folder as `relative_to` does, but as a path: in a `base`, percent signs are literal."""
    if not address.startswith("file:"):
        return address
    way = os.path.relpath(path_of(address), Path(folder).resolve())
    try:
        way.encode()
    except UnicodeEncodeError:
        return address
    return Path(way).as_posix()


def _as_file_name(reference: str) -> str:
    """Write question marks so that they are part of a file name: files have no queries."""
    return reference.replace("?", "%3F")


def make_mapping(source: Source, folder: str | Path) -> MakeAddress:
    """Return the function that makes the absolute address of a page from its arguments."""
    make = load_function(source.pages, folder=folder) if is_function(source.pages) else partial(fill, source.pages)
    base = _base(source, folder)
    start = base if isinstance(base, str) else locate(base, "")  # once for all pages of an index
    if source.form:
        return lambda arguments: f"{locate(start, make(arguments))}#{fill(source.form, arguments)}"
    return lambda arguments: locate(start, make(arguments))


def load_function(named: str, *, folder: str | Path) -> MakeAddress:
    """Load the Python function that `module:function` names, which makes addresses from arguments.

    The module is a file in the folder of the wrapper, or else any that Python finds.  The function gets those of the
    arguments that it has parameters for.
    """
    module_name, _, name = named.partition(":")
    function = getattr(_load_module(module_name, Path(folder)), name, None)
    if not callable(function):
        raise InputError(f"{named}: the module {module_name} has no function {name}")
    takes = _parameters(function)

    def make_address(arguments: Mapping[str, str]) -> str:
        given = {key: value for key, value in arguments.items() if takes is None or key in takes}
        try:
            address = function(**given)
        except Exception as error:  # the function is the user's, and may fail in any way
            raise InputError(f"{named}: it failed for {given} ({type(error).__name__}: {error})") from error
        if not isinstance(address, str):
            raise InputError(f"{named}: for {given} it gave {address!r}; it must give an address as text")
        return address

    return make_address


def _parameters(function: Callable[..., object]) -> set[str] | None:
    """Name a function's parameters; None when it takes any, or does not say."""
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
