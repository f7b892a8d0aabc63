"""Where wrapper files are, and the pages of the sources that they describe."""

from __future__ import annotations

import logging
import os.path
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from webquarry.errors import InputError, WebquarryError
from webquarry.html.file_addresses import path_of
from webquarry.model import Extraction, Failure, Page, Source, Wrapper
from webquarry.model.naming import list_names
from webquarry.pipeline.pages import fetch

NEAREST = 5
"""Keys that are named in the place of one that is not there."""

_log = logging.getLogger(__name__)


def load_wrapper(path: str | Path) -> Wrapper:
    """The wrapper that a file describes; raises `WrapperError` with all of its mistakes."""
    from webquarry.storing.texts import read_text  # noqa: PLC0415 - slow to import
    from webquarry.wrapping.files import read_wrapper  # noqa: PLC0415

    return read_wrapper(read_text(Path(path)), str(path))


def save_wrapper(path: str | Path, wrapper: Wrapper) -> None:
    """Write a wrapper as a file, which is replaced whole or not at all."""
    from webquarry.storing.texts import write_text  # noqa: PLC0415 - slow to import
    from webquarry.wrapping.files import write_wrapper  # noqa: PLC0415

    write_text(Path(path), write_wrapper(wrapper))


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
    from webquarry.fetching.indexes import locate  # noqa: PLC0415

    return locate(_base(source, folder), named)


def find_base(pages: str, addresses: Sequence[str]) -> str | None:
    """What the addresses are relative to so that all of them fit a relative template; None without such a place.

    >>> find_base("geos/{code}.html", ["https://example.org/book/geos/fr.html", "https://example.org/book/geos/de.html"])
    'https://example.org/book/'
    """
    from webquarry.fetching.sources import SCHEME  # noqa: PLC0415
    from webquarry.wrapping.mapping import is_function, match  # noqa: PLC0415

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
    from webquarry.fetching.sources import SCHEME  # noqa: PLC0415

    return source.base if SCHEME.match(source.base) else Path(folder) / source.base


def index_of(source: Source, folder: str | Path) -> str:
    """The absolute address of a source's index."""
    return address_of(folder, source, source.index_page or source.index_file)


def _read_index(source: Source, folder: str | Path, load: Callable[[str], Page]) -> list[tuple[str, str]]:
    from webquarry.fetching.indexes import index_by_file, index_by_page  # noqa: PLC0415
    from webquarry.wrapping.mapping import index_from_links, index_from_rows  # noqa: PLC0415

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
    from webquarry.fetching.indexes import load_function, locate  # noqa: PLC0415
    from webquarry.wrapping.mapping import fill, is_function  # noqa: PLC0415

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
    from webquarry.wrapping.mapping import is_function, template_arguments  # noqa: PLC0415

    if not source.pages:
        raise InputError(f"the wrapper {source.name} has no `pages` that makes an address of {key!r}; name INPUT pages")
    names = (source.key,) if is_function(source.pages) else template_arguments(source.pages)
    if len(names) != 1:
        raise InputError(
            f"the wrapper {source.name} has no index, and `pages` needs {list_names(names)}; {key!r} is one argument"
        )
    return key, mapping_of(source, folder)({names[0]: key})


def _find_key(keys: list[str], wanted: str, source: Source) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - slow to import

    from webquarry.wrapping.mapping import find_key  # noqa: PLC0415

    found = find_key(keys, wanted)
    if found is None:
        nearest = get_close_matches(wanted, keys, NEAREST, 0.5) or list(islice(keys, NEAREST))
        raise InputError(f"the index has no {source.key or 'key'} {wanted!r}; the nearest are {list_names(nearest)}")
    return found


def _may_have(source: Source, address: str, folder: str | Path) -> bool:
    """Whether an index can name the page, as far as the template tells."""
    from webquarry.wrapping.mapping import is_function, match  # noqa: PLC0415

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
