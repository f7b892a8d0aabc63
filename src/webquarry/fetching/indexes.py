"""Indexes: which pages a source has, by the links of a page or the rows of a CSV file.

What a link or a row says about a page is for others to tell: they hand in how keys and arguments are chosen from the
links or rows, and how arguments make an address.
"""

from __future__ import annotations

import csv
import importlib
import importlib.util
import inspect
import io
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from urllib.parse import urljoin

from webquarry.errors import InputError
from webquarry.fetching.files import file_uri
from webquarry.fetching.sources import SCHEME, without_credentials
from webquarry.html.decoding import decode
from webquarry.html.parsing import parse_html
from webquarry.model import Page
from webquarry.model.naming import list_names

_LINKS = {"a": "href", "area": "href", "option": "value"}
"""What leads to pages; menus that jump to the chosen page name it as the value of an option."""
_FOLDER = re.compile(r"(?:^|/)[^./?#]+$")
_PLAIN = re.compile(r"(?:[\w%~-][\w%~.-]*/)*[\w%~-][\w%~.-]*", re.ASCII)
"""What can be set after a folder as it is: names of which none begins with a dot."""

Entry = tuple[str, Mapping[str, str]]
"""A key and the arguments of its page."""
AddressOf = Callable[[Mapping[str, str]], str]

_log = logging.getLogger(__name__)


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
