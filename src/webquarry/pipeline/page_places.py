"""How a query finds the pages of a source: by an index, by a key that it must know, or as always the same ones."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

from webquarry.errors import InputError
from webquarry.model import Page, Source
from webquarry.model.naming import list_names
from webquarry.model.tabling import whole
from webquarry.pipeline.sources import address_of, mapping_of, read_index

Load = Callable[[str], Page]


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
        """The address of the page with a key, for a source without an index; raises when it makes none."""
        return self._address_of({self._source.key if self._is_function else self._arguments[0]: key})

    def find_example(self) -> str:
        """A key of a source without an index: that of a page which the wrapper was learnt from."""
        from webquarry.wrapping.mapping import match  # noqa: PLC0415 - the stages are loaded when they are needed

        if self.way is not Way.KEY or self._is_function:
            return ""
        template = address_of(self._folder, self._source, self._source.pages)
        found = (match(template, address) for address in self._samples())
        return next((each[self._arguments[0]] for each in found if each), "")

    @cached_property
    def roots(self) -> list[Path]:
        """The folder of the source on disk, if it is there: its pages may use the files in it, such as style sheets."""
        base = address_of(self._folder, self._source, "")
        return [Path(unquote(urlsplit(base).path))] if base.startswith("file:") else []

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

    def _samples(self) -> list[str]:
        return [address_of(self._folder, self._source, sample) for sample in self._source.samples]


def _arguments_of(source: Source) -> tuple[str, ...]:
    from webquarry.wrapping.mapping import is_function, template_arguments  # noqa: PLC0415

    return () if is_function(source.pages) else template_arguments(source.pages)


def _find_way(source: Source, arguments: tuple[str, ...]) -> Way:
    from webquarry.wrapping.mapping import is_function  # noqa: PLC0415

    if source.index_page or source.index_file:
        return Way.INDEX
    takes_key = bool(source.key) if is_function(source.pages) else len(arguments) == 1
    return Way.KEY if takes_key else Way.FIXED
