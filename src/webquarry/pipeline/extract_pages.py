"""Read pages by wrappers: all that they find or some sections, and what pages lack that wrappers expect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Unpack

from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.extraction import Drift, Extraction
from webquarry.model.names import distinct, snake_case
from webquarry.model.page import Failure, Page
from webquarry.model.wording import list_names
from webquarry.model.wrapper import Section, Wrapper
from webquarry.pipeline.call_arguments import FETCHING, WORKING, require, require_each, takes
from webquarry.pipeline.fetch_pages import Cleaning, clean
from webquarry.pipeline.page_guard import PageWork, attempt
from webquarry.pipeline.render_pages import (
    RENDERING,
    Rendering,
    RenderManyOptions,
    RenderOptions,
    open_reader,
    split_options,
    split_workers,
)
from webquarry.pipeline.source_pages import check_wrapper
from webquarry.pipeline.worker_pool import Workers, work_apart
from webquarry.wrapping.ashish import extract_ashish
from webquarry.wrapping.item_reader import ItemReader
from webquarry.wrapping.listing_reader import read_listing
from webquarry.wrapping.section_reader import Reader
from webquarry.wrapping.table_wrapper import read_table

PATHS_SUGGESTED = 5
"""Paths that an error suggests for one that does not exist."""
MIN_SIMILARITY_OF_SUGGESTIONS = 0.5
"""As `difflib` measures it."""

SectionPath = tuple[str, ...]
Read = Callable[[Document], Extraction]


@takes()
def extract(wrapper: Wrapper, document: Document, *, only: Iterable[str] = ()) -> Extraction:
    """Extract the values that the wrapper finds on a page.

    wrapper: what `wrap` or `load_wrapper` gives.
    document: what `clean` or `render` gives.
    only: paths of sections such as `geography.area`, to extract no others.

    >>> import webquarry as wq
    >>> documents = [wq.clean(wq.fetch(f"examples/factbook/geos/{code}.html")) for code in ("am", "bv", "cd")]
    >>> wrapper = wq.wrap(documents, name="factbook")
    >>> wq.extract(wrapper, documents[0], only=["geography.area"]).record["Geography"]["Area"]["total"]
    '43,000 sq km'
    """
    require("extract", wrapper, Wrapper)
    return _make_reader(wrapper, only)(require("extract", document, Document))


@takes(RENDERING, FETCHING, WORKING)
def extract_all(
    wrapper: Wrapper,
    pages: Iterable[Page | Document | Failure],
    *,
    only: Iterable[str] = (),
    **options: Unpack[RenderManyOptions],
) -> Iterator[Extraction | Failure]:
    """Extract the values of many pages, as `extract` does; a page that cannot be read becomes a failure.

    wrapper: what `wrap` or `load_wrapper` gives.
    pages: documents, or pages, which are cleaned, or rendered if the wrapper says so.
    only: as in `extract`.

    >>> import webquarry as wq
    >>> pages = [wq.fetch(f"examples/factbook/geos/{code}.html") for code in ("am", "bv", "cd")]
    >>> wrapper = wq.wrap([wq.clean(page) for page in pages], name="factbook")
    >>> [len(result) > 0 for result in wq.extract_all(wrapper, pages)]
    [True, True, True]
    """
    wanted, workers = tuple(only), Workers(**split_workers(options))
    read = _make_reader(require("extract_all", wrapper, Wrapper), wanted)
    given = require_each("extract_all", pages, Page, Document, Failure)
    if workers.are_apart:
        opening = Rendering(options) if wrapper.source.render else Cleaning()
        return work_apart(given, PageWork(WrapperReader(wrapper, wanted), opening), workers)
    return _extract_all(read, given, options if wrapper.source.render else None)


@dataclass(frozen=True)
class WrapperReader:
    """Reads documents by a wrapper; it is made ready where it is first used, and sent without that."""

    wrapper: Wrapper
    only: tuple[str, ...] = ()

    def __call__(self, document: Document) -> Extraction:
        """Extract the values of a document."""
        return self._read(document)

    @cached_property
    def _read(self) -> Read:
        return _make_reader(self.wrapper, self.only)

    def __getstate__(self) -> dict[str, Any]:
        return {"wrapper": self.wrapper, "only": self.only}


@takes(RENDERING, FETCHING)
def check(
    wrapper: Wrapper | str | Path,
    pages: Iterable[Page | Document | Failure] = (),
    **options: Unpack[RenderOptions],
) -> Drift:
    """Check a wrapper, and what pages lack that it expects.

    wrapper: a wrapper or its file; a file with mistakes raises `WrapperError`, which lists all of them.
    pages: documents, or pages, which are cleaned, or rendered if the wrapper says so.

    >>> import webquarry as wq
    >>> documents = [wq.clean(wq.fetch(f"examples/factbook/geos/{code}.html")) for code in ("am", "bv", "cd")]
    >>> wq.check(wq.wrap(documents, name="factbook"), documents)
    <Drift of factbook: 3 pages, as expected>
    """
    if isinstance(wrapper, str | Path):
        wrapper = check_wrapper(wrapper, **split_options(options)[0])
    require("check", wrapper, Wrapper)
    return Drift.of(wrapper, extract_all(wrapper, pages, **options))


def _extract_all(
    read: Read, pages: Iterable[Page | Document | Failure], rendering: RenderOptions | None
) -> Iterator[Extraction | Failure]:
    with ExitStack() as stack:
        to_document: Callable[[Page], Document] | None = clean if rendering is None else None
        for page in pages:
            if isinstance(page, Page) and to_document is None:  # the browser starts with the first page that needs it
                to_document = stack.enter_context(open_reader(**(rendering or {})))
            if isinstance(page, Failure):
                yield page
            elif isinstance(page, Document):
                yield attempt(page.url, partial(read, page))
            else:
                yield attempt(page.url, partial(_clean_and_read, to_document or clean, read, page))


def _clean_and_read(to_document: Callable[[Page], Document], read: Read, page: Page) -> Extraction:
    return read(to_document(page))


def _make_reader(wrapper: Wrapper, only: Iterable[str]) -> Read:
    wanted = find_wanted(wrapper, only)
    read = choose_method(READERS, wrapper.source.kind, wrapper.method)(wrapper, wanted)
    return (lambda document: narrow(read(document), wanted)) if wanted else read


def read_sections(wrapper: Wrapper, wanted: Sequence[SectionPath] = ()) -> Read:
    """Make a reader of pages with headings."""
    return Reader(wrapper, only=[".".join(path) for path in wanted]).read


def read_item(wrapper: Wrapper, wanted: Sequence[SectionPath] = ()) -> Read:
    """Make a reader of pages about one thing each."""
    return ItemReader(wrapper, only=[".".join(path) for path in wanted]).read


READERS: dict[tuple[str, str], Callable[[Wrapper, Sequence[SectionPath]], Read]] = {
    ("sections", "format"): read_sections,
    ("sections", "ashish"): lambda wrapper, _wanted: partial(extract_ashish, wrapper),
    ("item", "format"): read_item,
    ("records", "format"): lambda wrapper, _wanted: partial(read_listing, wrapper),
    ("tables", "format"): lambda wrapper, _wanted: partial(read_table, wrapper),
}
"""Makers of readers by kind and method, from a wrapper and the wanted paths."""


def choose_method(table: dict[tuple[str, str], Any], kind: str, method: str) -> Any:
    """Look up a kind and method; raise for unknown ones and say which there are."""
    if (kind, method) in table:
        return table[kind, method]
    kinds = list(dict.fromkeys(each for each, _ in table))
    if kind not in kinds:
        raise ValueError(f"no kind of wrapper {kind!r}; choose from {', '.join(kinds)}")
    methods = [name for each, name in table if each == kind]
    raise ValueError(f"no method {method!r} for {kind}; choose from {', '.join(methods)}")


def find_paths(wrapper: Wrapper) -> list[SectionPath]:
    """List the names of all fields and the paths of all sections, in order."""
    fields = [(name,) for name in distinct(snake_case(field.name) for field in wrapper.fields)]
    return [*fields, *(path for path, _ in wrapper.grammar.walk())]


def find_wanted(wrapper: Wrapper, only: Iterable[str]) -> list[SectionPath]:
    """Find the paths that are meant; raise for an unknown one and suggest the nearest."""
    paths = {".".join(path): path for path in find_paths(wrapper)}
    wanted = []
    for named in [only] if isinstance(only, str) else only:
        dotted = ".".join(snake_case(part) for part in named.split("."))
        if dotted not in paths:
            raise InputError(f"there is no section {named!r}; {_suggest_paths(dotted, list(paths))}")
        wanted.append(paths[dotted])
    return wanted


def narrow(extraction: Extraction, wanted: Collection[SectionPath]) -> Extraction:
    """Keep the values at the wanted paths and below them."""
    values = tuple(value for value in extraction.values if _is_wanted(_names_of(value.path), wanted))
    missing = tuple(path for path in extraction.missing if _is_wanted(tuple(path.split(".")), wanted))
    return replace(extraction, values=values, missing=missing, unknown=())


def narrow_wrapper(wrapper: Wrapper, only: Iterable[str]) -> Wrapper:
    """Keep the wanted sections of a wrapper and those around them, which give the columns of its results."""
    wanted = find_wanted(wrapper, only)
    if not wanted:
        return wrapper
    pairs = zip(find_paths(wrapper), wrapper.fields, strict=False)  # paths of sections follow
    fields = tuple(field for path, field in pairs if path in wanted)
    listing = replace(wrapper.listing, fields=fields) if wrapper.listing else None
    return replace(wrapper, grammar=_prune(wrapper.grammar, (), wanted), listing=listing)


def _prune(section: Section, path: SectionPath, wanted: Collection[SectionPath]) -> Section:
    if _is_wanted(path, wanted):
        return section
    below = [(child, (*path, child.name)) for child in section.children]
    children = tuple(
        _prune(child, here, wanted)
        for child, here in below
        if any(each[: len(here)] == here or here[: len(each)] == each for each in wanted)
    )
    return replace(section, children=children)


def _names_of(path: tuple[str | int, ...]) -> SectionPath:
    """Take the names of a path, without numbers, and without the `records` that a listing's fields are under."""
    names = tuple(part for part in path if isinstance(part, str))
    is_record = len(path) > 1 and isinstance(path[1], int)
    return names[1:] if is_record and path[0] == "records" else names


def _is_wanted(path: SectionPath, wanted: Collection[SectionPath]) -> bool:
    return any(path[: len(each)] == each for each in wanted)


def _suggest_paths(dotted: str, paths: list[str]) -> str:
    if not paths:
        return "the wrapper has none"
    last = dotted.rpartition(".")[2]
    ending = [path for path in paths if path == last or path.endswith(f".{last}")]
    alike = get_close_matches(dotted, paths, PATHS_SUGGESTED, MIN_SIMILARITY_OF_SUGGESTIONS)
    near = list(dict.fromkeys([*ending, *alike]))[:PATHS_SUGGESTED]
    return f"the nearest are {list_names(near)}" if near else f"choose from {list_names(paths)}"
