"""Read the rows that a query asks for from the pages of a source, which are fetched and read with its wrapper here."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

import pyarrow as pa

from webquarry.errors import InputError
from webquarry.fetching import downloads
from webquarry.fetching.inputs import Kind, sources_of, without_credentials
from webquarry.fetching.policy import Policy
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.names import FETCHED, show_key, snake_case
from webquarry.model.page import Failure, Page
from webquarry.model.section_columns import SectionColumns, ValueNodes, columns_of, to_arrow_with_places, to_schema
from webquarry.model.wrapper import OTHER, TITLE, Section, Wrapper
from webquarry.pipeline.extract_pages import READERS, find_paths, narrow
from webquarry.pipeline.fetch_pages import clean_all, decode, send_forms
from webquarry.pipeline.page_guard import attempt
from webquarry.pipeline.render_pages import RendererOptions
from webquarry.pipeline.source_pages import Access, PageFinder, with_addresses
from webquarry.querying.query_nouns import ColumnPath, Reading
from webquarry.rendering.renderer import Renderer, render_many
from webquarry.wrapping.listing_reader import is_empty_listing
from webquarry.wrapping.table_wrapper import is_empty_table

MIN_SHARE_OF_SECTIONS = 0.2
"""Share of its sections or fields that a page must have; the poorest of 261 pages of a fact book has 0.36."""
MAX_BYTES_KEPT = 64 * 2**20
"""Bytes of pages that are kept for other sources of a query; beyond it, the HTTP cache serves the oldest."""

IS_EMPTY: dict[str, Callable[[Wrapper, Document], bool]] = {"records": is_empty_listing, "tables": is_empty_table}
"""Tells by kind of source whether a page without records is still one of it."""

SectionPath = tuple[str, ...]
Read = Callable[[Document], Extraction]


class WrappedTable:
    """The source of a wrapper as a table, for one query (a `webquarry.querying.query_nouns.SourceTable`)."""

    def __init__(self, name: str, wrapper: Wrapper, supply: PageSupply, *, file: str | Path | None = None) -> None:
        """`file` is that of the wrapper, to whose folder addresses are relative."""
        self.name = name
        self._file = Path(f"{name}.toml" if file is None else file)
        self._finder = PageFinder(wrapper.source, self._file.parent)
        self._wrapper = replace(wrapper, source=replace(wrapper.source, key=self._finder.key))
        self._supply = supply
        self.key = ",".join(map(snake_case, self._wrapper.source.keys))
        self.is_listed = self._finder.access is not Access.KEY
        self.index_pages = self._finder.index_pages
        self.is_row_a_page = not wrapper.has_records
        self.is_rendered = wrapper.source.render
        self.schema = to_schema(self._wrapper).append(pa.field(FETCHED, pa.timestamp("us", tz="UTC")))

    @cached_property
    def example(self) -> str:
        """A key, if one is known without fetching from the web; else empty."""
        return self._finder.find_example()

    def index(self) -> dict[str, str]:
        """List the addresses of the source's pages by their keys."""
        return {key: without_credentials(address) for key, address in self._addresses.items()}

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        """List the outermost sections that are read for these columns, as dotted paths."""
        wanted = self._find_wanted(columns)
        if wanted is None:
            wanted = [(name,) for name in dict.fromkeys(path[0] for path in find_paths(self._wrapper))]
        return [".".join(path) for path in wanted]

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        """Read the rows of the pages with these keys; pages that gave none are failures."""
        addresses = {key: self._locate(key) for key in keys}
        counts = Counter(each for each in addresses.values() if isinstance(each, str))
        read: dict[str, tuple[Extraction, datetime] | Failure] = {}
        for address, result in self._read_pages(list(counts), columns):
            read[address] = result
            for _ in range(counts[address]):
                progress()
        results = {key: each if isinstance(each, Failure) else read[each] for key, each in addresses.items()}
        failures = dict.fromkeys(each for each in results.values() if isinstance(each, Failure))
        found = [(key, *each) for key, each in results.items() if not isinstance(each, Failure)]
        extractions = [replace(extraction, key=key) for key, extraction, _ in found]
        table, places = to_arrow_with_places(self._wrapper, extractions)
        times = pa.array([fetched for _, _, fetched in found], self.schema.field(FETCHED).type)
        nodes = ValueNodes(self._wrapper, extractions)
        return Reading(table.append_column(FETCHED, times.take(places)), tuple(failures), nodes.find)

    @cached_property
    def _addresses(self) -> dict[str, str]:
        addresses = self._finder.find_all(self._supply.fetch)
        if len(set(addresses.values())) < len(addresses):
            self._supply.is_shared = True  # one page has two keys
        return addresses

    @cached_property
    def _keys_by_address(self) -> dict[str, str]:
        return {address: key for key, address in self.index().items()}

    @cached_property
    def _columns(self) -> SectionColumns:
        return columns_of(self._wrapper)

    def _find_wanted(self, columns: Sequence[ColumnPath]) -> list[SectionPath] | None:
        """Find the outermost sections that columns come from; None for all sections."""
        found = dict.fromkeys(path for column in columns if (path := self._columns.find_section(column)))
        if (OTHER,) in found:
            return None
        return [path for path in found if not any(path[:end] in found for end in range(1, len(path)))]

    def _locate(self, key: str) -> str | Failure:
        return self._addresses[key] if self.is_listed else attempt(show_key(key), partial(self._finder.find_one, key))

    def _read_pages(
        self, addresses: list[str], columns: Sequence[ColumnPath]
    ) -> Iterator[tuple[str, tuple[Extraction, datetime] | Failure]]:
        """Read each page, and tell when it was fetched."""
        reader = PageReader(self._wrapper, self._find_wanted(columns))
        times: deque[datetime] = deque()  # the browser takes pages ahead of those that it has done
        with closing(self._documents(self._pages(addresses, times))) as documents:
            for address, document in zip(addresses, documents, strict=True):
                fetched = times.popleft()
                extraction = attempt(without_credentials(address), partial(self._read_one, reader, address, document))
                yield address, extraction if isinstance(extraction, Failure) else (extraction, fetched)

    def _pages(self, addresses: list[str], times: deque[datetime]) -> Iterator[Page | Failure]:
        posts = bool(self._wrapper.source.form)
        fetched = with_addresses(
            self._wrapper.source, self._file.parent, self._supply.fetch_all(addresses, posts=posts)
        )
        for address, page in zip(addresses, fetched, strict=True):
            times.append(_when_fetched(page, address))
            yield page

    def _documents(self, pages: Iterator[Page | Failure]) -> Generator[Document | Failure]:
        if self.is_rendered:
            yield from self._supply.render_all(pages, roots=self._finder.roots)
        else:
            yield from clean_all(pages)

    def _read_one(self, reader: PageReader, address: str, document: Document | Failure) -> Extraction | Failure:
        if isinstance(document, Failure):
            return document
        shown = without_credentials(address)
        # The values of another page are not those asked for.  Without an index, the address that a redirect leads to
        # may be just another name of the page.
        if document.url != shown and self.key and self.is_listed and document.url in self._keys_by_address:
            other = self._keys_by_address[document.url]
            return Failure(shown, f"{shown}: redirects to {document.url}, the page of {show_key(other)!r}")
        extraction = reader.read(document)
        if extraction is None:
            advice = f"see: quarry check {self._file} {shown}"
            return Failure(shown, f"{shown}: page does not match wrapper {self._file} (different template?); {advice}")
        return replace(extraction, page=shown)  # as the index has it, so that reading a page does not rename it


def _when_fetched(page: Page | Failure, address: str) -> datetime:
    """Date a page: by its server, which holds for cached pages too; or by the time its file was written."""
    try:
        if isinstance(page, Page) and (said := page.header("Date")):
            moment = parsedate_to_datetime(said)
            return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        source = sources_of(address)[0]
        if not isinstance(source, Failure) and source.kind is Kind.FILE:
            return datetime.fromtimestamp(source.path.stat().st_mtime, UTC)
    except (ValueError, OSError, InputError):  # not a valid date, or the file is gone
        pass
    return datetime.now(UTC)


class PageReader:
    """Reads pages of a source, made once for many.

    Only the wanted sections are read, unless they leave a doubt; then the page is read whole before it is judged.  So
    a page that lacks a section keeps its row, and a page of another template gives none.  Listings are read whole:
    without all fields there would be fewer records.
    """

    def __init__(self, wrapper: Wrapper, wanted: Sequence[SectionPath] | None) -> None:
        """`wanted` are paths of sections, and the title; None for all."""
        self._wrapper = wrapper
        self._wanted = None if wanted is None or wrapper.fields else _with_witness(wrapper, wanted)

    def read(self, document: Document) -> Extraction | None:
        """Read a page; None when it does not look like a page of the source."""
        if self._wanted is not None:
            read = self._read_wanted(document)
            found = narrow(read, self._wanted)
            has_sections = any(value.path[0] != TITLE for value in found.values)  # pages of all templates have titles
            if has_sections and not any(_overlaps(path, self._wanted) for path in read.missing):
                return found
        whole = self._read_whole(document)
        if self._is_of_source(whole):
            return whole
        is_empty = IS_EMPTY.get(self._wrapper.source.kind)
        if is_empty is not None and not whole.values and is_empty(self._wrapper, document):
            return replace(whole, missing=())
        return None

    @cached_property
    def _read_wanted(self) -> Read:
        return self._make_reader(self._wanted or ())

    @cached_property
    def _read_whole(self) -> Read:
        return self._make_reader(())

    def _make_reader(self, wanted: Sequence[SectionPath]) -> Read:
        return READERS[self._wrapper.source.kind, self._wrapper.method](self._wrapper, wanted)

    def _is_of_source(self, whole: Extraction) -> bool:
        """Tell whether a page has most of the outermost sections that it should, or a listing of the fields.

        Inside of them pages of one template differ widely (the page of a desert island lacks most of what countries
        have), but every page has some of it.
        """
        depth = 2 if self._wrapper.has_records else 0
        known = [value.path for value in whole.values if value.path[0] not in (TITLE, OTHER)]
        found = {path[depth] for path in known}
        lacking = [path for path in whole.missing if depth or "." not in path]
        least = MIN_SHARE_OF_SECTIONS * (len(known) + len(whole.missing))
        return len(found) >= max(len(lacking), 1) and len(known) >= least


def _overlaps(missing: str, wanted: Sequence[SectionPath]) -> bool:
    """Tell whether a missing section is wanted, or contains or is inside a wanted one."""
    path = tuple(missing.split("."))
    return any(path[: len(each)] == each[: len(path)] for each in wanted)


def _with_witness(wrapper: Wrapper, wanted: Sequence[SectionPath]) -> list[SectionPath] | None:
    """Add a section that every page has if only the title is wanted; None, for all, if there is no such section."""
    if any(path != (TITLE,) for path in wanted):
        return list(wanted)
    witness = _find_witness(wrapper.grammar)
    return [*wanted, witness] if witness else None


def _find_witness(section: Section) -> SectionPath:
    """Find the path of the first section that no sample lacks, as deep as there is one."""
    child = next((each for each in section.children if not each.is_optional), None)
    if child is None or child.is_repeated or child.type == "table":
        return () if child is None else (child.name,)
    return (child.name, *_find_witness(child))


class PageSupply:
    """The pages of one query, fetched over one session and rendered in one browser.

    A session for each batch would read each robots.txt again, and forget the pace that a host asks for; a browser for
    each batch would cost more than its pages.
    """

    def __init__(self, policy: Policy, **rendering: Unpack[RendererOptions]) -> None:
        self.is_shared = False
        """Whether a page may be asked for again; only then are pages kept."""
        self._has_source = False
        self._rendering = rendering
        self._loader = downloads.Loader(policy)
        self._kept: OrderedDict[str, Page] = OrderedDict()
        self._bytes_kept = 0
        self._open = ExitStack()
        self._open.callback(self._kept.clear)  # an answer knows its sources, but needs no page of them
        self._open.callback(self._loader.close)

    def __enter__(self) -> Self:
        """Return the supply itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """End all downloads and the browser, then the session."""
        self._open.close()

    def add_source(self) -> None:
        """Count a source that takes its pages from here; two of them may share pages."""
        self.is_shared = self.is_shared or self._has_source
        self._has_source = True

    def close_later(self, close: Callable[[], None]) -> None:
        """Call `close` when the query is done."""
        self._open.callback(close)

    def fetch(self, address: str) -> Page:
        """Fetch the page at an address or in a file; raises when that fails."""
        return self._kept.get(address) or self._keep(address, self._load(address))

    def fetch_all(self, addresses: Sequence[str], *, posts: bool = False) -> Iterator[Page | Failure]:
        """Fetch pages in their order, many downloads under way at once; a failure in place of each that fails.

        With `posts`, the fragment of an address is a form that is sent to it.
        """
        if posts:
            yield from send_forms(self._loader, addresses)
            return
        begun = ((address, self._begin(address)) for address in addresses)
        for address, download in downloads.look_ahead(begun):
            finish = partial(self.fetch, address) if download is None else download.result
            page = attempt(without_credentials(address), finish)
            yield page if isinstance(page, Failure) else self._keep(address, page)

    def render_all(
        self, pages: Iterable[Page | Failure], *, roots: Sequence[str | Path] = ()
    ) -> Generator[Document | Failure]:
        """Render pages in their order; `roots` are folders whose files pages below them may use."""
        return render_many(
            self._renderer,
            pages,
            decode=decode,
            attempt=attempt,
            roots=roots,
            stop=self._open.close,
        )

    @cached_property
    def _renderer(self) -> Renderer:
        renderer = Renderer(load=self._loader.load, **self._rendering)
        self._open.callback(renderer.close)
        self._open.callback(self._loader.stop)  # runs first, so that pages do not wait for requests
        return renderer

    def _begin(self, address: str) -> Future[Page] | None:
        """Begin a download; None for kept pages, and for files, which are read when their turn comes."""
        return None if address in self._kept or not _is_on_web(address) else self._loader.begin(address)

    def _load(self, address: str) -> Page:
        if _is_on_web(address):
            return self._loader.load(address)
        return downloads.fetch(address, policy=self._loader.policy)

    def _keep(self, address: str, page: Page) -> Page:
        if self.is_shared and address not in self._kept:
            self._kept[address] = page
            self._bytes_kept += len(page.body)
            while self._bytes_kept > MAX_BYTES_KEPT:
                _, oldest = self._kept.popitem(last=False)
                self._bytes_kept -= len(oldest.body)
        return page


def _is_on_web(address: str) -> bool:
    return address.lower().startswith(("http:", "https:"))
