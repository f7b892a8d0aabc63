"""Sources as tables: pages are fetched and read when a query asks for their rows."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from webquarry.errors import InputError
from webquarry.fetching.inputs import Kind, sources_of, without_credentials
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.names import snake_case
from webquarry.model.page import Failure, Page
from webquarry.model.section_columns import SectionColumns, columns_of, to_arrow_with_places, to_schema
from webquarry.model.wrapper import OTHER, TITLE, Section, Wrapper
from webquarry.pipeline.fetch_pages import attempt, clean_all
from webquarry.pipeline.learn_wrappers import READERS, find_paths, narrow
from webquarry.pipeline.source_pages import PagePlaces, PageSupply, Way
from webquarry.querying.catalog import ColumnPath, Reading
from webquarry.wrapping.listing_reader import is_empty_listing

# MERGED pipeline/page_reading: What a query needs of a page, and whether the page is of the source's kind at
SectionPath = tuple[str, ...]
Read = Callable[[Document], Extraction]
LEAST_FOUND = 0.2
"""Of what a page has or should have, what is there; the poorest page of a fact book of 261 has 0.36."""


class PageReader:
    """Reads pages of a source, made once for many.

    Of sections only those that are wanted are read, unless they leave a doubt; then the page is read whole before it
    is judged.  So one that lacks a section keeps its row, and one of another template gives none.  Listings are read
    whole: without all fields there would be fewer records.
    """

    def __init__(self, wrapper: Wrapper, wanted: Sequence[SectionPath] | None) -> None:
        """`wanted` are paths of sections, and the title; None is all."""
        self._wrapper = wrapper
        self._wanted = None if wanted is None or wrapper.listing is not None else _with_witness(wrapper, wanted)

    def read(self, document: Document) -> Extraction | None:
        """What was found; None when the page looks like one of another template."""
        if self._wanted is not None:
            read = self._read_wanted(document)
            found = narrow(read, self._wanted)
            if _has_sections(found) and not any(_concerns(path, self._wanted) for path in read.missing):
                return found
        whole = self._read_whole(document)
        if self._is_of_source(whole):
            return whole
        if self._wrapper.listing is not None and not whole.values and self._is_empty_listing(document):
            return replace(whole, missing=())
        return None

    @cached_property
    def _read_wanted(self) -> Read:
        return self._make(self._wanted or ())

    @cached_property
    def _read_whole(self) -> Read:
        return self._make(())

    def _make(self, wanted: Sequence[SectionPath]) -> Read:
        return READERS[self._wrapper.source.kind, self._wrapper.method](self._wrapper, wanted)

    def _is_empty_listing(self, document: Document) -> bool:

        return is_empty_listing(self._wrapper, document)

    def _is_of_source(self, whole: Extraction) -> bool:
        """Whether a page has most of the outermost sections that it should, or a listing of the fields.

        Inside of them pages of one template differ widely: that of a desert island lacks most of what is told of
        countries.  But some of it they have.
        """
        depth = 0 if self._wrapper.listing is None else 2
        known = [value.path for value in whole.values if value.path[0] not in (TITLE, OTHER)]
        found = {path[depth] for path in known}
        lacking = [path for path in whole.missing if depth or "." not in path]
        return len(found) >= max(len(lacking), 1) and len(known) >= LEAST_FOUND * (len(known) + len(whole.missing))


def _has_sections(extraction: Extraction) -> bool:
    """Whether anything was found but the title, which pages of all templates have."""
    return any(value.path[0] != TITLE for value in extraction.values)


def _concerns(missing: str, wanted: Sequence[SectionPath]) -> bool:
    """Whether what is missing is wanted, or around it, or in it."""
    path = tuple(missing.split("."))
    return any(path[: len(each)] == each[: len(path)] for each in wanted)


def _with_witness(wrapper: Wrapper, wanted: Sequence[SectionPath]) -> list[SectionPath] | None:
    """The paths, with one that every page has where there is no other to tell the page by; None without such."""
    if any(path != (TITLE,) for path in wanted):
        return list(wanted)
    witness = _find_witness(wrapper.grammar)
    return [*wanted, witness] if witness else None


def _find_witness(section: Section) -> SectionPath:
    """The path of the first section that no sample lacks, as far inside as there are such."""
    child = next((each for each in section.children if not each.is_optional), None)
    if child is None or child.is_repeated or child.type == "table":
        return () if child is None else (child.name,)
    return (child.name, *_find_witness(child))


FETCHED = "_fetched"


class WrappedTable:
    """The source of a wrapper as a table, for one query."""

    def __init__(
        self,
        name: str,
        wrapper: Wrapper,
        supply: PageSupply,
        *,
        file: str | Path | None = None,
    ) -> None:
        """`file` is that of the wrapper, to whose folder it is relative."""
        self.name = name
        self._file = Path(f"{name}.toml" if file is None else file)
        self._places = PagePlaces(wrapper.source, self._file.parent)
        self._wrapper = replace(wrapper, source=replace(wrapper.source, key=self._places.key))
        self._supply = supply
        self.key = snake_case(self._places.key) if self._places.key else ""
        self.is_listed = self._places.way is not Way.KEY
        self.index_pages = self._places.index_pages
        self.is_row_a_page = wrapper.listing is None
        self.is_rendered = wrapper.source.render
        self.schema = self._find_schema()

    def index(self) -> dict[str, str]:
        """The addresses of the pages that the source has, by their keys."""
        return {key: without_credentials(address) for key, address in self._addresses.items()}

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        """The paths of what is read of a page, without those that are in another."""
        wanted = self._find_wanted(columns)
        if wanted is None:
            wanted = [(name,) for name in dict.fromkeys(path[0] for path in find_paths(self._wrapper))]
        return [".".join(path) for path in wanted]

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        """The rows of the pages with these keys, and the pages that gave none."""
        addresses = {key: self._locate(key) for key in keys}
        counts = Counter(each for each in addresses.values() if isinstance(each, str))
        read: dict[str | Failure, _Read | Failure] = {}
        for address, result in self._read_pages(list(counts), columns):
            read[address] = result
            for _ in range(counts[address]):
                progress()
        results = [(key, each if isinstance(each, Failure) else read[each]) for key, each in addresses.items()]
        found = [(key, each) for key, each in results if not isinstance(each, Failure)]
        failures = dict.fromkeys(each for _, each in results if isinstance(each, Failure))
        rows = self._to_arrow(
            [replace(each.extraction, key=key) for key, each in found], [each.fetched for _, each in found]
        )
        return Reading(rows, tuple(failures))

    @cached_property
    def _addresses(self) -> dict[str, str]:
        addresses = self._places.find_all(self._supply.fetch)
        if len(set(addresses.values())) < len(addresses):
            self._supply.is_shared = True  # one page under two keys
        return addresses

    @cached_property
    def example(self) -> str:
        """What a key looks like, as far as that is known without the web."""
        return self._places.find_example()

    @cached_property
    def _columns(self) -> SectionColumns:
        return columns_of(self._wrapper)

    def _find_wanted(self, columns: Sequence[ColumnPath]) -> list[tuple[str, ...]] | None:
        """The paths of the sections that columns are of, without those that are in another; None for all."""
        found = dict.fromkeys(path for column in columns if (path := self._columns.find_section(column)))
        if (OTHER,) in found:
            return None
        return [path for path in found if not any(path[:end] in found for end in range(1, len(path)))]

    def _locate(self, key: str) -> str | Failure:
        if self.is_listed:
            return self._addresses[key]
        return attempt(key, partial(self._places.find_one, key))

    def _read_pages(self, addresses: list[str], columns: Sequence[ColumnPath]) -> Iterator[tuple[str, _Read | Failure]]:
        """What each page holds, one after the other."""
        reader = PageReader(self._wrapper, self._find_wanted(columns))
        times: deque[datetime] = deque()  # a browser is given pages ahead of those that it has done
        with closing(self._documents(self._pages(addresses, times))) as documents:
            for address, document in zip(addresses, documents, strict=True):
                fetched = times.popleft()
                extraction = attempt(without_credentials(address), partial(self._read_one, reader, address, document))
                yield address, extraction if isinstance(extraction, Failure) else _Read(extraction, fetched)

    def _pages(self, addresses: list[str], times: deque[datetime]) -> Iterator[Page | Failure]:
        for address, page in zip(addresses, self._supply.fetch_all(addresses), strict=True):
            times.append(_when_fetched(page, address))
            yield page

    def _documents(self, pages: Iterator[Page | Failure]) -> Generator[Document | Failure]:
        if not self.is_rendered:
            yield from clean_all(pages)
            return
        yield from self._supply.render_all(pages, roots=self._places.roots)

    def _read_one(self, reader: PageReader, address: str, document: Document | Failure) -> Extraction | Failure:
        if isinstance(document, Failure):
            return document
        shown = without_credentials(address)
        other = self._find_other(shown, document.url)
        if other is not None:
            return Failure(shown, f"{shown}: it leads to {document.url}, which is the page of {other!r}")
        extraction = reader.read(document)
        if extraction is None:
            return Failure(
                shown,
                f"{shown}: little or nothing is on it that {self._file} names, as if it were of another template; "
                f"see: quarry check {self._file} {shown}",
            )
        # as the index has it, wherever a redirect has led: that a page was read must not change what it is called
        return replace(extraction, page=shown)

    def _find_other(self, asked: str, reached: str) -> str | None:
        """The key of another page of the index to which a redirect has led: its values are not those asked for.

        Without an index nobody can tell it from another name for the same thing.
        """
        if reached == asked or not self.key or not self.is_listed:
            return None
        return self._keys_by_address.get(reached)

    @cached_property
    def _keys_by_address(self) -> dict[str, str]:
        return {address: key for key, address in self.index().items()}

    def _find_schema(self) -> pa.Schema:

        return to_schema(self._wrapper).append(pa.field(FETCHED, pa.timestamp("us", tz="UTC")))

    def _to_arrow(self, extractions: list[Extraction], fetched: list[datetime]) -> pa.Table:

        table, places = to_arrow_with_places(self._wrapper, extractions)
        times = pa.array(fetched, self.schema.field(FETCHED).type)
        return table.append_column(FETCHED, times.take(places))


class _Read(NamedTuple):
    """A page that was read, and when it was had."""

    extraction: Extraction
    fetched: datetime


def _when_fetched(page: Page | Failure, address: str) -> datetime:
    """As its server dates the answer, which also tells when a cached page was had; of a file when it was written."""
    try:
        if isinstance(page, Page) and (said := page.header("Date")):
            return _in_utc(parsedate_to_datetime(said))
        source = sources_of(address)[0]
        if not isinstance(source, Failure) and source.kind is Kind.FILE:
            return datetime.fromtimestamp(source.path.stat().st_mtime, UTC)
    except (ValueError, OSError, InputError):  # a date that is none, a file that is no more
        pass
    return datetime.now(UTC)


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
