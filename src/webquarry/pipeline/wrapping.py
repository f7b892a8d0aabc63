"""Wrappers learnt from sample pages, and used to read all pages of a source."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from webquarry.errors import InputError
from webquarry.model import Document, Extraction, Failure, Page, Source, Wrapper
from webquarry.pipeline.attempts import attempt, attempt_together
from webquarry.pipeline.mining import mine, mine_pictured
from webquarry.pipeline.narrowing import find_wanted, narrow
from webquarry.pipeline.pages import clean, open_reader, open_renderer
from webquarry.pipeline.verifying import MOST_DIFFERING, Statics, compare_without_browser

if TYPE_CHECKING:
    from webquarry.model import Region
    from webquarry.rendering import Renderer

Learn = Callable[[Sequence[Document], Source, Statics], Wrapper]
Read = Callable[[Document], Extraction]
Wanted = Sequence[tuple[str, ...]]

_log = logging.getLogger(__name__)


def wrap(
    documents: Document | Iterable[Document],
    *,
    name: str,
    kind: str = "sections",
    method: str = "format",
    pages: str = "",
    key: str = "",
    base: str = "",
    index_page: str = "",
    index_file: str = "",
    samples: Sequence[str] = (),
    statics: Statics = None,
) -> Wrapper:
    """How to read every page of the source that the documents are sample pages of; it never renders.

    `samples` says where these are, in the order of the documents, unless that is their own address.  Of documents
    that scripts have changed `statics` are those without: by them, or else by the markup, it is tried whether pages
    can be read without a browser.  If more than a few values are others then, the wrapper says `render`; a warning
    says how many are.  Of sample pages that are the same the first counts.
    """
    learn: Learn = _choose(WRAPPERS, kind, method)
    documents = _take_documents(documents)
    if not documents:
        raise InputError("there is no sample page; a wrapper is learnt from one at least, better from five")
    places = tuple(samples) or tuple(document.url for document in documents)
    kept = _find_distinct(documents)
    if len(kept) < len(documents):
        _log.warning("%s: %d of the samples are the same as others", name, len(documents) - len(kept))
        documents, places = [documents[number] for number in kept], tuple(places[number] for number in kept)
        statics = None if statics is None else [statics[number] for number in kept]
    source = Source(name, kind, base, pages, key, index_page, index_file, samples=places)
    wrapper = learn(documents, source, statics)
    return replace(wrapper, source=replace(wrapper.source, samples=places[: len(wrapper.source.samples) or None]))


def wrap_samples(
    documents: Sequence[Document], *, samples: Sequence[str], statics: Statics = None, **knobs: Any
) -> tuple[Wrapper | None, dict[int, Failure]]:
    """Learn a wrapper as `wrap` does, without the documents on which that fails by a fault of ours.

    Gives the wrapper, None if no document is left, and the failures by the places of their documents.
    """

    def learn(places: Sequence[int]) -> Wrapper:
        return wrap(
            [documents[place] for place in places],
            samples=[samples[place] for place in places],
            statics=None if statics is None else [statics[place] for place in places],
            **knobs,
        )

    return attempt_together([document.url for document in documents], learn)


def _take_documents(documents: Document | Iterable[Document]) -> list[Document]:
    given: list[Any] = [documents] if isinstance(documents, (Document, Page, str)) else list(documents)
    odd = next((type(each).__name__ for each in given if not isinstance(each, Document)), None)
    if odd is not None:
        raise TypeError(f"wrap takes Documents, not a {odd}; clean or render makes one of a Page")
    return given


def _find_distinct(documents: Sequence[Document]) -> list[int]:
    """The numbers of the documents that differ from all before: what a page repeats would look like furniture."""
    first: dict[Document, int] = {}
    for number, document in enumerate(documents):
        first.setdefault(document, number)
    return list(first.values())


def extract(wrapper: Wrapper, document: Document, *, only: Iterable[str] = ()) -> Extraction:
    """The values that the wrapper finds on a page; of `only` the sections at these paths, such as `geography.area`."""
    if not isinstance(document, Document):
        raise TypeError(
            f"extract takes a Document, not a {type(document).__name__}; clean or render makes one of a Page"
        )
    return _reader(wrapper, only)(document)


def extract_all(
    wrapper: Wrapper, pages: Iterable[Page | Document | Failure], *, only: Iterable[str] = (), **knobs: Any
) -> Iterator[Extraction | Failure]:
    """The values of many pages, with a failure in the place of each that has none to read.

    Pages that are no documents yet are cleaned, or if the wrapper says so rendered, with knobs as of `render`.
    """
    read = _reader(wrapper, only)  # what is not there is no fault of a page
    return _extract_all(read, pages, knobs if wrapper.source.render else None)


def wrap_pictured(
    wrapper: Wrapper, page: Page, *, numbers: dict[tuple[str, ...], int] | None = None, **knobs: Any
) -> bytes | Failure:
    """Draw on a page what the wrapper is made of, as PNG: the headings of sections, or the mined records.

    `numbers` are those of the sections by their paths; without them headings are counted as they come.  A page that
    cannot be rendered or drawn is a failure.
    """
    if wrapper.listing is not None:
        method = "tables" if wrapper.source.kind == "tables" else "visual"
        result, picture = mine_pictured(page, method=method, **knobs)
        return result if isinstance(result, Failure) else picture or b""
    with open_renderer(knobs) as renderer:
        return attempt(page.url, partial(_draw_headings, renderer, wrapper, page, numbers))


def _draw_headings(
    renderer: Renderer, wrapper: Wrapper, page: Page, numbers: dict[tuple[str, ...], int] | None
) -> bytes:
    from webquarry.rendering import draw_tokens  # noqa: PLC0415 - NumPy is slow to import
    from webquarry.wrapping.pointing import find_tokens  # noqa: PLC0415

    document, screenshot = renderer.shoot(page, clean(page).markup)
    return draw_tokens(renderer, document, screenshot, find_tokens(wrapper, document), numbers=numbers)


def _extract_all(
    read: Read, pages: Iterable[Page | Document | Failure], knobs: dict[str, Any] | None
) -> Iterator[Extraction | Failure]:
    with ExitStack() as stack:
        to_document: Callable[[Page], Document] | None = clean if knobs is None else None
        for page in pages:
            if isinstance(page, Page) and to_document is None:  # documents need no browser
                to_document = stack.enter_context(open_reader(**(knobs or {})))
            yield page if isinstance(page, Failure) else attempt(page.url, partial(_read, read, page, to_document))


def _read(read: Read, page: Page | Document, to_document: Callable[[Page], Document] | None) -> Extraction:
    if isinstance(page, Document):
        return read(page)
    return read((to_document or clean)(page))


def _reader(wrapper: Wrapper, only: Iterable[str]) -> Read:
    """What reads the pages of a source, made once for all."""
    wanted = find_wanted(wrapper, only)
    read = _choose(READERS, wrapper.source.kind, wrapper.method)(wrapper, wanted)
    return (lambda document: narrow(read(document), wanted)) if wanted else read


def _choose(table: dict[tuple[str, str], Any], kind: str, method: str) -> Any:
    if (kind, method) in table:
        return table[kind, method]
    kinds = list(dict.fromkeys(each for each, _ in table))
    if kind not in kinds:
        raise ValueError(f"no kind of wrapper {kind!r}; there are {', '.join(kinds)}")
    methods = [name for each, name in table if each == kind]
    raise ValueError(f"no method {method!r} for {kind}; there are {', '.join(methods)}")


def _learn_sections(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:
    from webquarry.wrapping.learning import learn_sections  # noqa: PLC0415 - NumPy is slow to import

    wrapper = learn_sections(documents, source)
    if not wrapper.grammar.children:
        raise InputError(
            f"{documents[0].url}: no headings were found that start sections; "
            "name more sample pages, or another kind if it is a listing or a table"
        )
    if all(document.layout is None for document in documents):
        return wrapper
    difference = compare_without_browser(_read_sections(wrapper), documents, statics)
    if not difference.share:
        return wrapper
    needs_browser = difference.share > MOST_DIFFERING
    _log.warning("%s: %s", source.name, difference.describe(needs_browser=needs_browser))
    return replace(wrapper, source=replace(wrapper.source, render=needs_browser))


def _learn_ashish(documents: Sequence[Document], source: Source, _statics: Statics) -> Wrapper:
    from webquarry.wrapping.ashish import wrap_ashish  # noqa: PLC0415

    wrapper = wrap_ashish(documents, name=source.name)
    return replace(wrapper, source=replace(source, samples=wrapper.source.samples))


def _learn_records(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:
    from webquarry.wrapping.listings.learning import learn_listing  # noqa: PLC0415 - NumPy is slow to import

    return learn_listing(
        [_best_region(document, "records", "visual") for document in documents], source, statics=statics
    )


def _learn_tables(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:
    from webquarry.wrapping.listings.tables import learn_table  # noqa: PLC0415 - NumPy is slow to import

    return learn_table([_best_region(document, "table", "tables") for document in documents], source, statics=statics)


def _best_region(document: Document, kind: str, method: str) -> Region:
    regions = mine(document, method=method)
    if not regions:
        raise InputError(f"{document.url}: no {kind.removesuffix('s')}s were found on this sample page; leave it out")
    return next((region for region in regions if region.kind == kind), regions[0])


def _read_sections(wrapper: Wrapper, wanted: Wanted = ()) -> Read:
    from webquarry.wrapping.reading import Reader  # noqa: PLC0415 - NumPy is slow to import

    return Reader(wrapper, only=[".".join(path) for path in wanted]).read


def _read_ashish(wrapper: Wrapper, _wanted: Wanted) -> Read:
    from webquarry.wrapping.ashish import extract_ashish  # noqa: PLC0415

    return partial(extract_ashish, wrapper)


def _read_records(wrapper: Wrapper, _wanted: Wanted) -> Read:
    from webquarry.wrapping.listings.reading import read_listing  # noqa: PLC0415

    return partial(read_listing, wrapper)


def _read_tables(wrapper: Wrapper, _wanted: Wanted) -> Read:
    from webquarry.wrapping.listings.tables import read_table  # noqa: PLC0415

    return partial(read_table, wrapper)


WRAPPERS: dict[tuple[str, str], Learn] = {
    ("sections", "format"): _learn_sections,
    ("sections", "ashish"): _learn_ashish,
    ("records", "format"): _learn_records,
    ("tables", "format"): _learn_tables,
}
"""How wrappers are learnt, by kind and method."""
READERS: dict[tuple[str, str], Callable[[Wrapper, Wanted], Read]] = {
    ("sections", "format"): _read_sections,
    ("sections", "ashish"): _read_ashish,
    ("records", "format"): _read_records,
    ("tables", "format"): _read_tables,
}
"""What makes of a wrapper, and of the paths that are wanted, that which reads its pages."""
