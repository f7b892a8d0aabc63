"""Learn wrappers from sample pages."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Unpack

from webquarry.errors import InputError
from webquarry.mining.detail_page import ABOUT_ONE_THING
from webquarry.mining.stated_join import without_stated
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.page import Failure, Page
from webquarry.model.wording import list_names
from webquarry.model.wrapper import Source, Wrapper
from webquarry.pipeline.call_arguments import FETCHING, require, require_each, takes
from webquarry.pipeline.correct_wrappers import learn_like
from webquarry.pipeline.extract_pages import Read, SectionPath, choose_method, read_item, read_sections
from webquarry.pipeline.fetch_pages import decode
from webquarry.pipeline.kind_choice import KindChoice, choose_by_regions, choose_kind
from webquarry.pipeline.mine_pages import mine, mine_pictured
from webquarry.pipeline.page_guard import attempt, attempt_together
from webquarry.pipeline.render_pages import (
    RENDERING,
    RenderOptions,
    open_renderer,
)
from webquarry.rendering.pictures import draw_tokens
from webquarry.wrapping.ashish import INTENDED, NESTINGS, wrap_ashish
from webquarry.wrapping.heading_spots import find_tokens
from webquarry.wrapping.item_learner import learn_item
from webquarry.wrapping.listing_learner import learn_listing
from webquarry.wrapping.section_learner import learn_sections
from webquarry.wrapping.table_wrapper import learn_table

if TYPE_CHECKING:
    from webquarry.model.region import Region
    from webquarry.rendering.renderer import Renderer

MAX_SHARE_OF_DIFFERING_VALUES = 0.01
"""Share of the samples' values that may differ without a browser: rendering takes many times as long as parsing."""
LISTED = ("records", "tables")
"""The kinds of wrappers that read a list of the page."""
SECTIONS_NAMED = 3
"""Of the sections that differ without a browser, in the warning about it."""
MAX_FIELDS_OF_ODD_SAMPLE = 3
"""Fields of most samples that a page of another template may have by accident: a title, a date."""
MAX_SHARE_OF_ODD_SAMPLE = 0.2
"""Share of these fields that it may have."""

Statics = Sequence[Document | None] | None
"""Sample pages as they are without a browser, for pages that scripts have changed."""
Learn = Callable[[Sequence[Document], Source, Statics], Wrapper]

_log = logging.getLogger(__name__)


@takes()
def wrap(
    documents: Document | Iterable[Document],
    *,
    name: str,
    kind: str = "",
    method: str = "format",
    pages: str = "",
    key: str | Sequence[str] = "",
    base: str = "",
    index_page: str = "",
    index_file: str = "",
    samples: Sequence[str] = (),
    roots: Sequence[str] = (),
    base_url: str = "",
    url_map: str = "",
    form: str = "",
    nesting: str = INTENDED,
    like: str = "",
    statics: Statics = None,
) -> Wrapper:
    """Learn how to read every page of a source from sample pages; never renders.

    Duplicate samples are ignored.  If more than a few values of the samples cannot be read without a browser, the
    wrapper says `render`, and a warning says how many.

    documents: sample pages, at least one, better five; `clean` or `render` gives them.
    name: of the source; it is also the name of its table in SQL.
    kind: `sections` for pages with headings, `item` for pages about one thing each, `records` for listings, `tables`
        for tables; without one, `choose_kind` chooses.
    method: `format`, or for sections `ashish`, the paper's own.
    pages: where pages are, such as `geos/{code}.html`, or `module:function`.
    key: the name of what identifies a page, such as `country`, or several names.
    base: the address or folder that `pages` is relative to.
    index_page: the page whose links lead to all pages.
    index_file: the CSV file that lists all pages, instead of an index page.
    samples: where the documents are, unless that is their own address.
    roots: folders whose files the sample pages use; kept for reading them again, as are the next two.
    base_url: the address on the web of the one saved sample.
    url_map: the CSV file with the addresses of saved samples.
    form: the template of what is sent to `pages` by POST, such as `land={country}`.
    nesting: for `ashish`, `intended` or `printed`: how to read the condition of the paper's Figure 2.
    like: for records and tables, words of a record: the list that has it is learnt, instead of the best one.
    statics: for documents that scripts have changed, the same pages without scripts: they show whether pages can be
        read without a browser.

    >>> import webquarry as wq
    >>> documents = [wq.clean(wq.fetch(f"examples/factbook/geos/{code}.html")) for code in ("am", "bv", "cd")]
    >>> wq.wrap(documents, name="factbook").source.name
    'factbook'
    """
    documents = _check_documents(documents)
    places = tuple(samples) or tuple(document.url for document in documents)
    source = Source(
        name,
        kind,
        base,
        pages,
        key if isinstance(key, str) else ",".join(key),
        index_page,
        index_file,
        samples=places,
        roots=tuple(roots),
        base_url=base_url,
        url_map=url_map,
        form=form,
    )
    return _learn(documents, source, method, statics, nesting=nesting, like=like)


def _learn(
    documents: Sequence[Document],
    source: Source,
    method: str,
    statics: Statics,
    *,
    nesting: str = INTENDED,
    like: str = "",
) -> Wrapper:
    if nesting not in NESTINGS:
        raise ValueError(f"no nesting {nesting!r}; choose from {', '.join(NESTINGS)}")
    if like and source.kind not in ("", *LISTED):
        raise InputError(f"words of a record choose among the lists of a page; a wrapper of {source.kind} reads none")
    source = replace(source, kind=LISTED[0]) if like and not source.kind else source
    if not source.kind:
        choice = choose_kind(documents) if method == "format" else KindChoice("sections", f"the method is {method}")
        _log.info("%s: the kind is %s: %s", source.name, choice.kind, choice.reason)
        source = replace(source, kind=choice.kind)
    learn: Learn = choose_method(WRAPPERS, source.kind, method)
    places = source.samples
    first: dict[Document, int] = {}  # duplicates would make every text look like boilerplate
    for number, document in enumerate(documents):
        first.setdefault(document, number)
    if len(first) < len(documents):
        _log.warning("%s: %d of the samples are the same as others", source.name, len(documents) - len(first))
        documents, places = [*first], tuple(places[number] for number in first.values())
        statics = None if statics is None else [statics[number] for number in first.values()]
    if method == "ashish":
        learn = partial(_learn_ashish, nesting=nesting)
    if like:
        learn = partial(_learn_like, like=like)
    wrapper = learn(documents, replace(source, samples=places), statics)
    return replace(wrapper, source=replace(wrapper.source, samples=places[: len(wrapper.source.samples) or None]))


def choose_kind_of_samples(documents: Sequence[Document]) -> tuple[KindChoice | None, dict[int, Failure]]:
    """Choose the kind of wrapper as `wrap` does, leaving out documents on which that fails by a bug of ours."""
    urls = [document.url for document in documents]
    return attempt_together(urls, lambda places: choose_kind([documents[place] for place in places]))


def wrap_samples(
    documents: Sequence[Document],
    source: Source,
    *,
    method: str = "format",
    statics: Statics = None,
    nesting: str = INTENDED,
    like: str = "",
) -> tuple[Wrapper | None, dict[int, Failure]]:
    """Learn a wrapper as `wrap` does, leaving out documents on which that fails by a bug of ours.

    The samples of the source are those of the documents.  Returns the wrapper (None if no document is left) and the
    failures by the indices of their documents.
    """

    def learn(places: Sequence[int]) -> Wrapper:
        return _learn(
            _check_documents(documents[place] for place in places),
            replace(source, samples=tuple(source.samples[place] for place in places)),
            method,
            None if statics is None else [statics[place] for place in places],
            nesting=nesting,
            like=like,
        )

    return attempt_together([document.url for document in documents], learn)


@takes(RENDERING, FETCHING)
def wrap_pictured(
    wrapper: Wrapper,
    page: Page,
    *,
    numbers: dict[SectionPath, int] | None = None,
    **options: Unpack[RenderOptions],
) -> bytes | Failure:
    """Draw on a page what the wrapper finds there, as PNG: the headings of sections, or the mined records.

    wrapper: what `wrap` or `load_wrapper` gives.
    page: what `fetch` gives.
    numbers: of sections by path; without them headings are counted in order.

    >>> import webquarry as wq
    >>> from webquarry.rendering.browser import find_browser
    >>> page = wq.fetch("examples/factbook/geos/am.html")
    >>> if find_browser():
    ...     picture = wq.wrap_pictured(wq.wrap([wq.clean(page)], name="factbook"), page)
    ...     assert picture[:4] == b"\\x89PNG"
    """
    require("wrap_pictured", wrapper, Wrapper)
    require("wrap_pictured", page, Page)
    if wrapper.has_records:
        method = "tables" if wrapper.source.kind == "tables" else "visual"
        result, picture = mine_pictured(page, method=method, **options)
        return result if isinstance(result, Failure) else picture or b""
    with open_renderer(options) as renderer:
        return attempt(page.url, partial(_draw_headings, renderer, wrapper, page, numbers))


def _check_documents(documents: Document | Iterable[Document]) -> list[Document]:
    several = documents if isinstance(documents, Iterable) and not isinstance(documents, str) else [documents]
    given = list(require_each("wrap", several, Document))
    if not given:
        raise InputError("there is no sample page; give at least one, better five")
    return given


def _draw_headings(renderer: Renderer, wrapper: Wrapper, page: Page, numbers: dict[SectionPath, int] | None) -> bytes:
    document, screenshot = renderer.shoot(page, decode(page))
    tokens = find_tokens(wrapper, document)
    return draw_tokens(renderer, document, screenshot, tokens, numbers=numbers, has_fields=bool(wrapper.fields))


def _learn_sections(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:
    wrapper = learn_sections(documents, source)
    if not wrapper.grammar.children:
        raise InputError(
            f"{documents[0].url}: no headings were found that start sections; "
            "name more sample pages, or another kind if it is a listing or a table"
        )
    return _say_if_rendered(wrapper, read_sections(wrapper), documents, statics)


def _learn_item(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:
    if len(documents) == 1:
        raise InputError(
            f"{documents[0].url}: an item is learnt by comparing pages of one template; name two or more of them, "
            "better five, or read this one alone with quarry mine"
        )
    wrapper = learn_item(documents, source)
    _check_template(wrapper, documents)
    fields = replace(wrapper, tokens=())  # signatures find these with and without a browser
    return _say_if_rendered(wrapper, read_item(fields), documents, statics)


def _check_template(wrapper: Wrapper, documents: Sequence[Document]) -> None:
    """Raise for a sample that has hardly anything of what the others have; warn of listings."""
    read = read_item(wrapper)
    names = [{value.path[0] for value in read(document).values} for document in documents]
    counts = Counter(name for each in names for name in each)
    common = {name for name, number in counts.items() if 2 * number > len(documents)}
    most = min(MAX_FIELDS_OF_ODD_SAMPLE, MAX_SHARE_OF_ODD_SAMPLE * len(common))
    odd = [place for place, each in enumerate(names) if len(each & common) <= most]
    if common and odd:
        raise InputError(
            f"{documents[odd[0]].url}: this sample has {len(names[odd[0]] & common)} of the {len(common)} fields that "
            "most samples have (an empty page, or another template?); leave it out"
        )
    listing = choose_by_regions(documents)
    if listing is not None and listing.kind == "records":
        _log.warning(
            "%s: the samples look like listings (%s); for these, say --kind records",
            wrapper.source.name,
            listing.reason,
        )


def _say_if_rendered(wrapper: Wrapper, read: Read, documents: Sequence[Document], statics: Statics) -> Wrapper:
    """Let the wrapper say `render` if too many values of the samples differ without a browser."""
    if all(document.layout is None for document in documents):
        return wrapper
    difference = compare_without_browser(read, documents, statics)
    if not difference.share:
        return wrapper
    needs_browser = difference.share > MAX_SHARE_OF_DIFFERING_VALUES
    _log.warning("%s: %s", wrapper.source.name, difference.describe(needs_browser=needs_browser))
    return replace(wrapper, source=replace(wrapper.source, render=needs_browser))


def _learn_ashish(
    documents: Sequence[Document], source: Source, _statics: Statics, *, nesting: str = INTENDED
) -> Wrapper:
    wrapper = wrap_ashish(documents, name=source.name, nesting=nesting)
    return replace(wrapper, source=replace(source, samples=wrapper.source.samples))


def _learn_records(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:
    regions = [_find_best_region(document, "records", "visual") for document in documents]
    wrapper = learn_listing(regions, source, statics=statics)
    kept = {field.name for field in wrapper.listing.fields} if wrapper.listing else set()
    lost = [column.name for column in regions[0].columns if column.name not in kept]
    if lost:
        _log.warning(
            "%s: tags and class names do not lead to %s, so the wrapper lacks it", source.name, list_names(lost)
        )
    return wrapper


def _learn_tables(documents: Sequence[Document], source: Source, statics: Statics) -> Wrapper:
    regions = [_find_best_region(document, "table", "tables") for document in documents]
    return learn_table(regions, source, statics=statics)


def _learn_like(documents: Sequence[Document], source: Source, statics: Statics, *, like: str) -> Wrapper:
    return learn_like(documents, source, like, statics=statics)


def _find_best_region(document: Document, kind: str, method: str) -> Region:
    regions = mine(document, method=method)
    if not regions:
        raise InputError(f"{document.url}: no {kind.removesuffix('s')}s were found on this sample page; leave it out")
    of_kind = [region for region in regions if region.kind == kind]
    lists = [region for region in of_kind if region.reasons[:1] != (ABOUT_ONE_THING,)]
    # what a page only states has no place in its records
    return without_stated((lists or of_kind or regions)[0])


WRAPPERS: dict[tuple[str, str], Learn] = {
    ("sections", "format"): _learn_sections,
    ("sections", "ashish"): _learn_ashish,
    ("item", "format"): _learn_item,
    ("records", "format"): _learn_records,
    ("tables", "format"): _learn_tables,
}
"""Learners by kind and method."""


@dataclass(frozen=True)
class Difference:
    """The difference between values read without a browser and with one."""

    share: float
    sections: tuple[str, ...]
    """Dotted paths of the sections that differ, most frequent first."""

    def describe(self, *, needs_browser: bool) -> str:
        """Say what differs, and what follows from it."""
        where = list_names(self.sections[:SECTIONS_NAMED])
        said = f"{self.share:.1%} of the samples' values differ without a browser, such as {where}"
        if needs_browser:
            return f"{said}: the markup alone does not show the headings, so pages will be rendered"
        return f"{said}; pages are still read without one unless you say --render"


def compare_without_browser(read: Read, documents: Sequence[Document], statics: Statics) -> Difference:
    """Compare the values read from rendered samples and from plain ones; white space does not count.

    Only `statics` show what a page was before scripts changed it: without them all of its values differ.
    """
    same = total = 0
    sections: Counter[str] = Counter()
    for document, static in zip(documents, statics or [None] * len(documents), strict=True):
        plain = static or (
            replace(document, method="html5", kind="static", layout=None, tree=None)
            if document.kind != "scripts"
            else None
        )
        seen = _count_values(read(document))
        found = _count_values(read(plain)) if plain else Counter()
        same += (seen & found).total()
        total += max(seen.total(), found.total())
        sections.update(path for path, _ in (seen - found) | (found - seen))
    share = 1 - same / total if total else 0.0
    return Difference(share, tuple(path for path, _ in sections.most_common()))


def _count_values(extraction: Extraction) -> Counter[tuple[str, str]]:
    return Counter((".".join(map(str, value.path)), " ".join(value.text.split())) for value in extraction.values)
