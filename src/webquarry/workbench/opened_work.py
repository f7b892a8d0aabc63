"""Open on the workbench what the inputs name."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from webquarry.errors import InputError
from webquarry.fetching.inputs import PAGE_ENDINGS, list_pages, may_hold_many
from webquarry.fetching.policy import FetchOptions
from webquarry.model.page import Failure, Page
from webquarry.model.wrapper import ListingRule, Source, Wrapper
from webquarry.pipeline import fetch_pages, learn_wrappers, read_pages, source_addresses, source_pages, validate_files
from webquarry.pipeline.mine_pages import fetch_next
from webquarry.pipeline.open_catalogs import connect
from webquarry.pipeline.render_pages import RenderOptions, add_roots
from webquarry.workbench.bench_server import Bench, Opening, StoppedError, Work, WorkProgress
from webquarry.workbench.catalog_work import CatalogWork
from webquarry.workbench.opened_pages import OpenedPage, PageOpener, open_opener
from webquarry.workbench.text_work import ArticleWork, ExtractionWork
from webquarry.workbench.wrapper_work import WrapperWork

_log = logging.getLogger(__name__)
EXTRACTION_ENDINGS = (".jsonl", ".json", ".csv", ".tsv", ".parquet", ".jsonl.gz", ".json.gz", ".csv.gz")
_SNIFFED_BYTES = 4_096
"""The bytes of a file without the ending of a page that are searched for a tag."""


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
    max_pages: int | None = None,
    labels: Path | None = None,
) -> Iterator[Bench]:
    """Make a bench that opens what the inputs name.

    That is a catalog, a wrapper file with its samples, an extraction, or pages: to read their articles, or to learn a
    wrapper from.  `max_pages` limits the pages of all inputs, or those that a query may fetch; `labels` say
    what of an extraction is content.
    """
    first = Path(inputs[0])
    loaded = validate_files.load_extraction(inputs[0]) if is_extraction(inputs[0]) else None
    if loaded is not None:
        options = add_roots(options, validate_files.folders_of_pages(validate_files.list_addresses([loaded])))
    with open_opener(options, rendered=rendered) as opener:
        opening = _Opening(opener, options, policy, max_pages)
        if loaded is not None:
            open_it: Opening = partial(opening.open_extraction, loaded, labels)
        elif len(inputs) == 1 and is_catalog(first):
            open_it = partial(opening.open_catalog, first)
        elif len(inputs) == 1 and inputs[0].endswith(".toml"):
            open_it = partial(opening.open_wrapper, first)
        elif article:
            open_it = partial(opening.open_articles, inputs, name)
        else:
            open_it = partial(opening.learn_wrapper, inputs, kind, name)
        yield Bench(open_it, shoot=opener.shoot)


@dataclass(frozen=True)
class _Opening:
    """Opens each kind of work, with the pages that it needs rendered in one browser."""

    opener: PageOpener
    options: RenderOptions
    policy: FetchOptions
    max_pages: int | None

    def open_catalog(self, folder: Path, progress: WorkProgress) -> tuple[Work, list[str]]:
        """Open a folder of wrappers; pages are opened when a value of an answer is clicked."""
        connection = connect(folder, **self.options)
        return CatalogWork(folder, connection, self._open_page, progress, max_pages=self.max_pages), []

    def open_wrapper(self, file: Path, progress: WorkProgress) -> tuple[Work, list[str]]:
        """Open a wrapper on the samples that it names."""
        wrapper = source_pages.load_wrapper(file)
        places = [source_addresses.address_of(file.parent, wrapper.source, each) for each in wrapper.source.samples]
        pages, warnings = self._open_pages(places, progress)
        return WrapperWork(wrapper, pages, file, self._follow), warnings

    def open_articles(self, inputs: Sequence[str], name: str | None, progress: WorkProgress) -> tuple[Work, list[str]]:
        """Read the main texts of pages."""
        pages, warnings = self._open_pages(inputs, progress)
        with progress.track("reading pages"):
            articles = read_pages.read([page.document for page in pages])
        return ArticleWork(name or _name_of(pages[0]), pages, articles), warnings

    def learn_wrapper(
        self, inputs: Sequence[str], kind: str | None, name: str | None, progress: WorkProgress
    ) -> tuple[Work, list[str]]:
        """Learn a wrapper from pages."""
        pages, warnings = self._open_pages(inputs, progress)
        with progress.track("learning from pages"):
            try:
                wrapper = _learn(pages, kind=kind, name=name or _name_of(pages[0]))
            except InputError as error:
                if kind not in learn_wrappers.LISTED and (kind or len(pages) > 1):
                    raise
                wrapper = make_empty(name or _name_of(pages[0]), kind or "records", _name_samples(pages))
                _log.info("%s", error)
                warnings.append("no list was found on this page; click on a thing of the one that you want")
        return WrapperWork(wrapper, pages, Path(f"{wrapper.source.name}.toml"), self._follow), warnings

    def open_extraction(
        self, loaded: validate_files.LoadedFile, labels: Path | None, progress: WorkProgress
    ) -> tuple[Work, list[str]]:
        """Open an extraction on its pages, which are rendered once, to be judged and to be shown."""
        known, notes = ([], ()) if labels is None else validate_files.load_labels(labels, [loaded])
        addresses = validate_files.list_addresses([loaded])
        fetched: list[Page | Failure] = []
        opened: list[OpenedPage | Failure] = []
        stopped: list[str] = []
        with progress.track(self._label):
            try:
                for page in validate_files.supply_pages(addresses, (), progress=progress.report, **self.policy):
                    fetched.append(page)
                    opened.append(page if isinstance(page, Failure) else self.opener.open(page))
            except StoppedError as error:
                stopped = [f"{error}; the other pages are left out"]
        documents = [each if isinstance(each, Failure) else each.document for each in opened]
        with progress.track("judging values"):
            validation = validate_files.judge_opened([loaded], zip(fetched, documents, strict=True))
        by_address = {each.page.url: each for each in opened if not isinstance(each, Failure)}
        pages = [by_address[each.selection.document.url] for each in validation.report.pages]
        failures = [failure.error for failure in validation.report.failures]
        if not pages:
            none = f"{loaded.name}: the extraction has no nodes, so there is nothing to show"
            raise InputError("; ".join([*stopped, *failures]) or none)
        return ExtractionWork(loaded, validation, pages, known), [*stopped, *failures, *notes]

    @property
    def _label(self) -> str:
        return "rendering pages" if self.opener.has_browser else "opening pages"

    def _open_pages(self, inputs: Sequence[str], progress: WorkProgress) -> tuple[list[OpenedPage], list[str]]:
        """Open pages one by one; those that fail, or that follow after a stop, become warnings."""
        pages: list[OpenedPage] = []
        warnings: list[str] = []
        with progress.track(self._label):
            try:
                for page in fetch_pages.fetch_all(
                    inputs, progress=progress.report, max_pages=self.max_pages, **self.policy
                ):
                    opened = page if isinstance(page, Failure) else self.opener.open(page)
                    if isinstance(opened, Failure):
                        warnings.append(opened.error)
                    else:
                        pages.append(opened)
            except StoppedError as error:
                warnings.append(f"{error}; the other pages are left out")
        if not pages:
            raise InputError("; ".join(warnings) or "there is no page to open; name a file, a folder or an address")
        return pages, warnings

    def _open_page(self, place: str) -> OpenedPage:
        opened = self.opener.open(fetch_pages.fetch(place, **self.policy))
        if isinstance(opened, Failure):
            raise InputError(opened.error)
        return opened

    def _follow(self, opened: OpenedPage) -> OpenedPage:
        """Open the page that continues the listing of a page."""
        page = fetch_next(opened.page, opened.document, roots=self.options.get("roots", ()), policy=self.policy)
        following = None if page is None else self.opener.open(page)
        if following is None or isinstance(following, Failure):
            raise InputError(following.error if following else f"{opened.title} has no link to a next page")
        return following


def is_extraction(named: str) -> bool:
    """Tell whether an input is the file of an extraction; feeds in JSON are lists of pages."""
    return named.lower().endswith(EXTRACTION_ENDINGS) and Path(named).is_file() and not may_hold_many(named)


def explain_misfit(inputs: Sequence[str], *, article: bool = False) -> str:
    """Say why the inputs cannot be opened; empty if they can, or if opening them will report it."""
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


def _learn(pages: Sequence[OpenedPage], *, kind: str | None, name: str) -> Wrapper:
    """Learn a wrapper from pages: of one page its table, of several the kind that fits, unless a kind is given."""
    kind = kind or ("records" if len(pages) == 1 else "")
    return learn_wrappers.wrap([page.document for page in pages], name=name, kind=kind, samples=_name_samples(pages))


def make_empty(name: str, kind: str, samples: tuple[str, ...]) -> Wrapper:
    """Make a wrapper that reads nothing yet, of pages on which no list was found."""
    return Wrapper(Source(name, kind, samples=samples), listing=ListingRule("", ""))


def _name_samples(pages: Sequence[OpenedPage]) -> tuple[str, ...]:
    return tuple(source_addresses.relative_to(Path(), page.page.url) for page in pages)


def _name_of(page: OpenedPage) -> str:
    """Name a source after the file of its first page, or the folder of an index page."""
    *_, folder, last = ["page", *page.page.url.rstrip("/").split("/")]
    stem = last.partition(".")[0]
    named = folder if stem in ("index", "page", "default", "") else stem
    return re.sub(r"\W+", "_", named).strip("_").lower() or "page"
