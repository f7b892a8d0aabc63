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
from typing import TYPE_CHECKING, NamedTuple

from webquarry.errors import InputError
from webquarry.fetching.sources import Kind, sources_of, without_credentials
from webquarry.model import Document, Extraction, Failure, Page, Wrapper
from webquarry.model.columns import Group
from webquarry.model.naming import snake_case
from webquarry.model.shaping import columns_of, to_arrow_with_places, to_schema
from webquarry.model.wrapper import OTHER
from webquarry.pipeline.attempts import attempt
from webquarry.pipeline.narrowing import find_paths
from webquarry.pipeline.page_places import PagePlaces, Way
from webquarry.pipeline.page_reading import PageReader
from webquarry.pipeline.page_supply import PageSupply
from webquarry.pipeline.pages import clean_all
from webquarry.querying.catalog import ColumnPath, Reading

if TYPE_CHECKING:
    import pyarrow as pa

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
    def _columns(self) -> Group:
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
        import pyarrow as pa  # noqa: PLC0415 - slow to import

        return to_schema(self._wrapper).append(pa.field(FETCHED, pa.timestamp("us", tz="UTC")))

    def _to_arrow(self, extractions: list[Extraction], fetched: list[datetime]) -> pa.Table:
        import pyarrow as pa  # noqa: PLC0415

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
