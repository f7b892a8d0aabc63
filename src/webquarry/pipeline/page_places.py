"""How a query finds the pages of a source: by an index, by a key that it must know, or as always the same ones."""

from __future__ import annotations

import os.path
from collections.abc import Callable
from enum import Enum
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from webquarry.errors import InputError
from webquarry.html.file_addresses import path_of
from webquarry.model import Page, Source
from webquarry.model.naming import list_names
from webquarry.model.tabling import whole
from webquarry.pipeline.pages import fetch
from webquarry.pipeline.sources import address_of, index_of, mapping_of, read_index

Load = Callable[[str], Page]
LONGEST = 2000
"""Characters of a key that is put into an address; servers refuse longer ones."""
SHOWN = 100
"""Characters of a key that are told."""
FIRST_LINES = 3
"""Of an index, in which a key is looked for: the names of the columns, and a row that may be empty."""


class Way(Enum):
    """How pages are found."""

    INDEX = "index"
    KEY = "key"
    FIXED = "fixed"


class PagePlaces:
    """Where the pages of a source are; `folder` is that of the wrapper file."""

    def __init__(self, source: Source, folder: str | Path) -> None:
        self._source = source
        self._folder = folder
        self._arguments = _arguments_of(source)
        self.way = _find_way(source, self._arguments)

    @property
    def key(self) -> str:
        """What tells pages apart, as the wrapper calls it; nothing when all of them are read together.

        Pages that are always the same have no keys, whatever the wrapper says: a column without values would make
        conditions on it false, without a word.
        """
        if self.way is Way.KEY:
            return self._source.key or "".join(self._arguments[:1])
        return self._source.key if self.way is Way.INDEX else ""

    @property
    def index_pages(self) -> int:
        """How many pages are fetched to learn which there are."""
        return int(self.way is Way.INDEX and bool(self._source.index_page))

    def find_all(self, load: Load) -> dict[str, str]:
        """The addresses of all pages by their keys, or without keys by themselves."""
        if self.way is Way.FIXED:
            return {address: address for address in self._fixed()}
        addresses: dict[str, str] = {}
        for key, address in read_index(self._source, self._folder, load):
            addresses.setdefault(whole(key) if self.key else address, address)
        return addresses

    def find_one(self, key: str) -> str:
        """The address of the page with a key, for a source without an index; raises when it makes none.

        Keys may come from pages that others wrote: what they fill in must not lead to files that are none of the
        source's.  A function that a user wrote may lead anywhere.
        """
        if len(key) > LONGEST or not key.isprintable():
            raise InputError(f"{key[:SHOWN]!r}: a key of this kind names no page")
        if self._is_function:
            return self._address_of({self._source.key: key})
        address = self._address_of({self._arguments[0]: key})
        if not self._is_allowed(address):
            raise InputError(f"{key[:SHOWN]}: this does not lead to a page of {self._start}; it is not read")
        return address

    def _is_allowed(self, address: str) -> bool:
        """Whether an address is of the web, where fetching has a guard of its own, or of a file in the folder."""
        parts, start = urlsplit(address), urlsplit(self._start)
        if parts.scheme.lower() in ("http", "https"):
            return True
        folder = PurePosixPath(os.path.normpath(path_of(self._start)))
        file = PurePosixPath(os.path.normpath(path_of(address)))
        return parts.scheme == start.scheme == "file" and not parts.netloc and file.is_relative_to(folder)

    def find_example(self) -> str:
        """A key, as far as one is known without the web: that of a sample, or of an index on disk."""
        if self.way is Way.INDEX and self.key:
            return self._first_of_index()
        return self._first_of_samples() if self.way is Way.KEY and not self._is_function else ""

    @cached_property
    def roots(self) -> list[Path]:
        """The web root of the source on disk, if it is there: pages may use the files in it, such as style sheets."""
        from webquarry.rendering.disk import find_web_root  # noqa: PLC0415 - NumPy is slow to import

        base = address_of(self._folder, self._source, "")
        return [find_web_root(Path(path_of(base)))] if base.startswith("file:") else []

    @cached_property
    def _start(self) -> str:
        """What all addresses of the template begin with: the folder before its first argument."""
        fixed = self._source.pages.partition("{")[0]
        return address_of(self._folder, self._source, fixed[: fixed.rfind("/") + 1])

    @cached_property
    def _address_of(self) -> Callable[[dict[str, str]], str]:
        return mapping_of(self._source, self._folder)

    @property
    def _is_function(self) -> bool:
        from webquarry.wrapping.mapping import is_function  # noqa: PLC0415

        return is_function(self._source.pages)

    def _fixed(self) -> list[str]:
        source = self._source
        if len(self._arguments) > 1:
            raise InputError(
                f"the wrapper {source.name} has no index that says which pages there are, and `pages` needs "
                f"{list_names(self._arguments)}; add [index] to it, with the name of a CSV file that has columns "
                f"{list_names([source.key or 'for the key', *self._arguments])}"
            )
        if self._is_function:
            raise InputError(
                f"the wrapper {source.name} has no index, and no `key`: the name of the argument that "
                f"{source.pages} takes; add either"
            )
        if not (source.pages or source.samples):
            raise InputError(f"the wrapper {source.name} does not say where its pages are; add `pages` to [source]")
        return [address_of(self._folder, source, source.pages)] if source.pages else self._samples()

    def _first_of_samples(self) -> str:
        from webquarry.wrapping.mapping import match  # noqa: PLC0415 - the stages are loaded when they are needed

        template = address_of(self._folder, self._source, self._source.pages)
        found = (match(template, address) for address in self._samples())
        return next((each[self._arguments[0]] for each in found if each), "")

    def _first_of_index(self) -> str:
        """That of an index on disk; of a long file the first lines are enough."""
        index = index_of(self._source, self._folder)
        if not index.startswith("file:"):
            return ""
        try:
            return next(iter(self.find_all(_load_first_lines if self._source.index_file else fetch)))
        except InputError:  # told when the index is needed
            return ""

    def _samples(self) -> list[str]:
        return [address_of(self._folder, self._source, sample) for sample in self._source.samples]


def _load_first_lines(address: str) -> Page:
    path = Path(path_of(address))
    try:
        with path.open("rb") as file:
            return Page(address, b"".join(islice(file, FIRST_LINES)))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error


def _arguments_of(source: Source) -> tuple[str, ...]:
    from webquarry.wrapping.mapping import is_function, template_arguments  # noqa: PLC0415

    return () if is_function(source.pages) else template_arguments(source.pages)


def _find_way(source: Source, arguments: tuple[str, ...]) -> Way:
    from webquarry.wrapping.mapping import is_function  # noqa: PLC0415

    if source.index_page or source.index_file:
        return Way.INDEX
    takes_key = bool(source.key) if is_function(source.pages) else len(arguments) == 1
    return Way.KEY if takes_key else Way.FIXED
