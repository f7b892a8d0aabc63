"""How a query finds the pages of a source: by an index, by a key that it must know, or as always the same ones."""

from __future__ import annotations

import os.path
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from enum import Enum
from functools import cached_property, partial
from itertools import islice
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from webquarry.errors import InputError
from webquarry.fetching import downloads
from webquarry.fetching.downloads import AHEAD, WORKERS, Loader
from webquarry.fetching.inputs import without_credentials
from webquarry.fetching.policy import Policy
from webquarry.html.urls import path_of
from webquarry.model.document import Document
from webquarry.model.names import list_names
from webquarry.model.page import Failure, Page
from webquarry.model.wording import whole
from webquarry.model.wrapper import Source
from webquarry.pipeline.fetch_pages import attempt, clean, fetch
from webquarry.pipeline.find_sources import address_of, index_of, mapping_of, read_index
from webquarry.rendering.renderer import Renderer, render_many
from webquarry.rendering.requests import find_web_root
from webquarry.wrapping.page_addresses import is_function, match, template_arguments

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

    return () if is_function(source.pages) else template_arguments(source.pages)


def _find_way(source: Source, arguments: tuple[str, ...]) -> Way:

    if source.index_page or source.index_file:
        return Way.INDEX
    takes_key = bool(source.key) if is_function(source.pages) else len(arguments) == 1
    return Way.KEY if takes_key else Way.FIXED


# MERGED pipeline/page_supply: The pages of one query: each is fetched once, all over one session, and render
MEMORY = 64 * 2**20
"""Bytes of pages that are remembered for other sources of the query; of more, the HTTP cache serves the oldest."""


class PageSupply:
    """Gives pages as often as they are asked for.

    A session for each batch would read each robots.txt anew, and forget the pace that a host asks for; a browser for
    each would cost more than its pages.
    """

    def __init__(self, policy: Policy, **rendering: Any) -> None:
        """`rendering` are knobs of `webquarry.rendering.Renderer`."""
        self.is_shared = False
        """Whether a page may be asked for again; only then are pages remembered."""
        self._has_source = False
        self._policy = policy
        self._rendering = rendering
        self._loader = Loader(policy)
        self._threads: ThreadPoolExecutor | None = None
        self._memory: OrderedDict[str, Page] = OrderedDict()
        self._bytes = 0
        self._open = ExitStack()
        self._open.callback(self._loader.close)

    def __enter__(self) -> Self:
        """The supply itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """End all downloads and the browser, then the session."""
        self._open.close()

    def add_source(self) -> None:
        """Note that a source takes its pages from here; two of them may share some."""
        self.is_shared = self.is_shared or self._has_source
        self._has_source = True

    def fetch(self, address: str) -> Page:
        """The page at an address or in a file; raises when it cannot be had."""
        return self._memory.get(address) or self._remember(address, self._load(address))

    def fetch_all(self, addresses: Sequence[str]) -> Iterator[Page | Failure]:
        """The pages in their order, many downloads under way at once; a failure in the place of each not to be had."""
        waiting: deque[tuple[str, Future[Page | Failure] | None]] = deque()
        for address in addresses:
            waiting.append((address, self._begin(address)))
            if len(waiting) > AHEAD:
                yield self._finish(*waiting.popleft())
        while waiting:
            yield self._finish(*waiting.popleft())

    def render_all(
        self, pages: Iterable[Page | Failure], *, roots: Sequence[str | Path] = ()
    ) -> Generator[Document | Failure]:
        """The rendered documents of pages, in their order; `roots` are folders whose files pages below them may use."""

        return render_many(
            self._renderer,
            pages,
            decode=lambda page: clean(page).markup,
            attempt=attempt,
            roots=roots,
            stop=self._open.close,
        )

    @cached_property
    def _renderer(self) -> Renderer:
        """The browser of the query, which starts with its first page."""

        renderer = Renderer(load=self._loader.load, **self._rendering)
        self._open.callback(renderer.close)
        self._open.callback(self._loader.stop)  # first: what pages wait for
        return renderer

    def _begin(self, address: str) -> Future[Page | Failure] | None:
        """A download; None for what is at hand, and for files, which are read when their turn comes."""
        if address in self._memory or not _is_on_web(address):
            return None
        if self._threads is None:
            self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="webquarry-fetch")
            # In reverse: requests are told to stop, the threads are awaited, the session is closed.
            self._open.callback(self._threads.shutdown, cancel_futures=True)
            self._open.callback(self._loader.stop)
        return self._threads.submit(self._attempt, address)

    def _finish(self, address: str, download: Future[Page | Failure] | None) -> Page | Failure:
        if download is None:
            return self._memory.get(address) or self._kept(address, self._attempt(address))
        return self._kept(address, download.result())

    def _attempt(self, address: str) -> Page | Failure:
        return attempt(without_credentials(address), partial(self._load, address))

    def _load(self, address: str) -> Page:
        if _is_on_web(address):
            return self._loader.load(address)
        return downloads.fetch(address, policy=self._policy)

    def _kept(self, address: str, result: Page | Failure) -> Page | Failure:
        return result if isinstance(result, Failure) else self._remember(address, result)

    def _remember(self, address: str, page: Page) -> Page:
        if self.is_shared and address not in self._memory:
            self._memory[address] = page
            self._bytes += len(page.body)
            while self._bytes > MEMORY:
                _, oldest = self._memory.popitem(last=False)
                self._bytes -= len(oldest.body)
        return page


def _is_on_web(address: str) -> bool:
    return address.lower().startswith(("http:", "https:"))
