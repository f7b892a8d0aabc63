"""Decide by the inputs what opens on the workbench, and open it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from webquarry.errors import InputError
from webquarry.fetching.inputs import PAGE_ENDINGS, list_pages, may_hold_many
from webquarry.fetching.policy import FetchOptions
from webquarry.model.page import Failure
from webquarry.model.wrapper import Wrapper
from webquarry.pipeline import fetch_pages, find_sources, learn_wrappers, read_pages, validate_files
from webquarry.pipeline.mine_pages import fetch_next
from webquarry.pipeline.open_catalogs import connect
from webquarry.pipeline.render_pages import RenderOptions, add_roots
from webquarry.workbench.article_work import ArticleWork
from webquarry.workbench.bench_server import Bench, Work
from webquarry.workbench.catalog_work import CatalogWork
from webquarry.workbench.extraction_work import ExtractionWork
from webquarry.workbench.opened_pages import OpenedPage, PageOpener, open_opener
from webquarry.workbench.wrapper_work import WrapperWork

EXTRACTION_ENDINGS = (".jsonl", ".json", ".csv", ".tsv", ".parquet", ".jsonl.gz", ".json.gz", ".csv.gz")
_SNIFFED_BYTES = 4_096
"""Bytes of a file without the ending of a page in which there is a tag if it is one."""


@contextmanager
def open_work(
    inputs: Sequence[str],
    *,
    kind: str | None,
    name: str | None,
    rendered: bool,
    options: RenderOptions,
    policy: FetchOptions,
    article: bool = False,
) -> Iterator[Bench]:
    """Open what the inputs name.

    That is a catalog, a wrapper file with its samples, an extraction, or pages: to read their articles, or to learn a
    wrapper from.
    """
    if is_extraction(inputs[0]):
        with _open_extraction(inputs[0], rendered=rendered, options=options, policy=policy) as bench:
            yield bench
        return
    with open_opener(options, rendered=rendered) as opener:
        if len(inputs) == 1 and is_catalog(folder := Path(inputs[0])):
            open_page = partial(_open_page, opener, policy)
            yield Bench(CatalogWork(folder, connect(folder, **options), open_page), shoot=opener.shoot)
            return

        def follow(opened: OpenedPage) -> OpenedPage:
            page = fetch_next(opened.page, opened.document, roots=options.get("roots", ()), policy=policy)
            following = None if page is None else opener.open(page)
            if following is None or isinstance(following, Failure):
                raise InputError(following.error if following else f"{opened.title} has no link to a next page")
            return following

        if len(inputs) == 1 and inputs[0].endswith(".toml"):
            file = Path(inputs[0])
            wrapper = find_sources.load_wrapper(file)
            places = [find_sources.address_of(file.parent, wrapper.source, each) for each in wrapper.source.samples]
            pages, warnings = _open_pages(places, opener, policy)
            work: Work = WrapperWork(wrapper, pages, file, follow)
        elif article:
            pages, warnings = _open_pages(inputs, opener, policy)
            articles = read_pages.read([page.document for page in pages])
            work = ArticleWork(name or _name_of(pages[0]), pages, articles)
        else:
            pages, warnings = _open_pages(inputs, opener, policy)
            wrapper = _learn(pages, kind=kind, name=name or _name_of(pages[0]))
            work = WrapperWork(wrapper, pages, Path(f"{wrapper.source.name}.toml"), follow)
        yield Bench(work, shoot=opener.shoot, warnings=warnings)


@contextmanager
def _open_extraction(name: str, *, rendered: bool, options: RenderOptions, policy: FetchOptions) -> Iterator[Bench]:
    """Open an extraction on its pages, which are rendered once, to be judged and to be shown."""
    loaded = validate_files.load_extraction(name)
    addresses = validate_files.list_addresses([loaded])
    wider = add_roots(options, validate_files.folders_of_pages(addresses))
    with open_opener(wider, rendered=rendered) as opener:
        fetched = list(validate_files.supply_pages(addresses, (), progress=None, **policy))
        opened = [page if isinstance(page, Failure) else opener.open(page) for page in fetched]
        documents = [each if isinstance(each, Failure) else each.document for each in opened]
        validation = validate_files.judge_opened([loaded], zip(fetched, documents, strict=True))
        by_address = {each.page.url: each for each in opened if not isinstance(each, Failure)}
        pages = [by_address[each.selection.document.url] for each in validation.report.pages]
        failures = [failure.error for failure in validation.report.failures]
        if not pages:
            raise InputError("; ".join(failures) or f"{name}: the extraction has no nodes, so there is nothing to show")
        yield Bench(ExtractionWork(loaded, validation, pages), shoot=opener.shoot, warnings=failures)


def is_extraction(named: str) -> bool:
    """Tell whether an input is the file of an extraction; feeds in JSON are lists of pages."""
    return named.lower().endswith(EXTRACTION_ENDINGS) and Path(named).is_file() and not may_hold_many(named)


def explain_misfit(inputs: Sequence[str], *, article: bool = False) -> str:
    """Say why nothing can be made of the inputs; empty if they fit, or if opening them tells."""
    single = [named for named in inputs if named.endswith(".toml") or is_extraction(named) or is_catalog(Path(named))]
    if single and len(inputs) > 1:
        return f"{single[0]}: opens alone; leave out the other inputs"
    if single and article:
        return f"{single[0]}: --article is for pages; leave it out, or name pages"
    if single and is_extraction(single[0]):
        try:
            validate_files.load_extraction(single[0])
        except InputError as error:
            return str(error)
    for named in inputs:
        path = Path(named)
        if path.is_dir() and not is_catalog(path):
            try:
                list_pages(path)
            except InputError as error:
                return f"{error}, and for wrapper files (.toml)"
        if path.is_file() and named not in single and not may_hold_many(named) and not _may_be_page(path):
            return (
                f"{named}: neither a page, nor a wrapper (.toml), a folder of wrappers, or an extraction (.jsonl, .csv)"
            )
    return ""


def _may_be_page(path: Path) -> bool:
    if path.name.lower().removesuffix(".gz").endswith(PAGE_ENDINGS):
        return True
    with path.open("rb") as file:
        return b"<" in file.read(_SNIFFED_BYTES)


def is_catalog(place: Path) -> bool:
    """Tell whether a place is a folder with wrapper files."""
    return place.is_dir() and any(place.glob("*.toml"))


def _open_page(opener: PageOpener, policy: FetchOptions, place: str) -> OpenedPage:
    opened = opener.open(fetch_pages.fetch(place, **policy))
    if isinstance(opened, Failure):
        raise InputError(opened.error)
    return opened


def _open_pages(inputs: Sequence[str], opener: PageOpener, policy: FetchOptions) -> tuple[list[OpenedPage], list[str]]:
    opened = [
        page if isinstance(page, Failure) else opener.open(page) for page in fetch_pages.fetch_all(inputs, **policy)
    ]
    pages = [page for page in opened if not isinstance(page, Failure)]
    warnings = [page.error for page in opened if isinstance(page, Failure)]
    if not pages:
        raise InputError("; ".join(warnings) or "there is no page to open; name a file, a folder or an address")
    return pages, warnings


def _learn(pages: Sequence[OpenedPage], *, kind: str | None, name: str) -> Wrapper:
    """Learn a wrapper from pages: of one page its table, of several the kind that fits, unless a kind is given."""
    kind = kind or ("records" if len(pages) == 1 else "")
    samples = [find_sources.relative_to(Path(), page.page.url) for page in pages]
    return learn_wrappers.wrap([page.document for page in pages], name=name, kind=kind, samples=samples)


def _name_of(page: OpenedPage) -> str:
    """Name a source after the file of its first page, or the folder of an index page."""
    *_, folder, last = ["page", *page.page.url.rstrip("/").split("/")]
    stem = last.partition(".")[0]
    named = folder if stem in ("index", "page", "default", "") else stem
    return re.sub(r"\W+", "_", named).strip("_").lower() or "page"
