"""Validate files of extractions, ours or another system's: get their pages again and judge what was extracted."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from os.path import commonpath, realpath
from pathlib import Path
from typing import Unpack

from webquarry.errors import InputError, RenderError
from webquarry.fetching.inputs import ARCHIVE_ENDINGS, PAGE_ENDINGS, SCHEME, file_uri, without_credentials
from webquarry.fetching.policy import FetchOptions
from webquarry.html.urls import path_of
from webquarry.model.document import Document
from webquarry.model.page import Failure, Page
from webquarry.model.report import Report, Selection
from webquarry.model.wording import count
from webquarry.pipeline.call_arguments import FETCHING, a_or_an, require, require_place, takes
from webquarry.pipeline.fetch_pages import clean, clean_all, decode, fetch_all
from webquarry.pipeline.page_guard import attempt, attempt_together
from webquarry.pipeline.render_pages import (
    RENDERING,
    RenderOptions,
    add_roots,
    open_renderer,
    render_all,
    split_options,
)
from webquarry.pipeline.validate_results import LOOKING, JudgeOptions, validate
from webquarry.rendering.renderer import Renderer
from webquarry.rendering.requests import find_web_root, is_above_sites
from webquarry.storing.query_tables import read_parquet
from webquarry.storing.result_files import read_standard_input, read_text
from webquarry.validating.extraction_file import ExtractionFile, read_extraction
from webquarry.validating.foreign_xpaths import select_rows
from webquarry.validating.labelled_quality import (
    Label,
    Measure,
    follow_scores,
    match_labels,
    parse_labels,
    split_by_page,
)
from webquarry.validating.report_page import write_page

MAX_PICTURES = 20
"""Pages of a report with a screenshot: each takes a second, and nobody looks at more."""
_PAGE_FILES = (*PAGE_ENDINGS, *(f"{ending}.gz" for ending in PAGE_ENDINGS), *ARCHIVE_ENDINGS)
_STDIN = "stdin:"
"""The address of a page that came from standard input."""
_MAX_PARTS_OF_WIDE_FOLDER = 2
"""Parts of a folder's path up to which it is not that of a site, but of a whole disk or of all its users."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LoadedFile:
    """A file of an extraction, by the addresses of its pages."""

    name: str
    file: ExtractionFile = field(repr=False)
    pages: Mapping[str, Sequence[int]] = field(repr=False)
    """For each address the places of its rows."""


@dataclass(frozen=True)
class Validation:
    """A report on files of extractions."""

    report: Report
    rows: tuple[tuple[tuple[int, int], ...], ...] = field(repr=False)
    """For each page of the report, for each of its nodes the number of its file and the place of its row there."""
    pages: Mapping[str, Page] = field(repr=False)
    """Those of the report, by address."""

    def without_drops(self, number: int, loaded: LoadedFile) -> str:
        """Write a file, by its number, without what the report says to drop."""
        dropped = [
            place
            for verdicts, rows in zip(self.report.pages, self.rows, strict=True)
            for (file, place), drop in zip(rows, verdicts.drops.tolist(), strict=True)
            if drop and file == number
        ]
        return loaded.file.without(dropped)


def load_extraction(name: str | Path) -> LoadedFile:
    """Load the extraction in a file: JSON of `read`, `mine` or `extract`, or JSON lines or CSV of any system.

    name: of the file, or `-` for standard input.

    >>> import webquarry as wq
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "theirs.csv").write_text("page,xpath\\nhttps://example.org/,/html/body/p[1]")
    ...     extraction = wq.load_extraction(f"{folder}/theirs.csv")
    >>> list(extraction.pages)
    ['https://example.org/']
    """
    name = str(require_place("load_extraction", name))
    if name.lower().endswith(_PAGE_FILES):
        raise InputError(f"{name}: is a page, not an extraction; `quarry read {name} -o FILE.jsonl` makes one of it")
    if name.lower().endswith(".toml"):
        raise InputError(
            f"{name}: is a wrapper, not an extraction; `quarry extract {name} -o FILE.jsonl` makes one with it"
        )
    file = read_extraction(_read(name), name)
    folder = Path() if name == "-" else Path(name).parent
    pages: dict[str, list[int]] = {}
    for page, places in file.pages.items():
        pages.setdefault(find_address(page, folder), []).extend(places)
    return LoadedFile(name, file, pages)


def _read(name: str) -> str:
    """Read the text of an extraction; a Parquet file as CSV, without what is nested in it."""
    if name == "-":
        return read_standard_input("extraction")
    return read_parquet(Path(name)) if name.lower().endswith(".parquet") else read_text(Path(name))


def find_address(page: str, folder: Path) -> str:
    """Find the address of a page that an extraction names; a path is relative to the working folder, or to the file."""
    if page == _STDIN:
        return page
    if scheme := SCHEME.match(page):
        return scheme[0].lower() + page[scheme.end() :]
    here = Path(page)
    try:
        is_here = here.is_absolute() or here.exists()
    except OSError:  # not a possible file name
        is_here = False
    try:
        return file_uri(here if is_here else folder / page)
    except ValueError:  # nor is one with half of a surrogate pair
        return page


@takes(RENDERING, FETCHING)
def validate_extractions(
    extractions: Sequence[LoadedFile],
    *,
    supplied: Sequence[str | Path] = (),
    rendered: bool = True,
    progress: Callable[[int, int | None], None] | None = None,
    judging: JudgeOptions | None = None,
    **options: Unpack[RenderOptions],
) -> Validation:
    """Report on what was extracted, on the pages as they are now; several files count as one.

    extractions: what `load_extraction` gives.
    supplied: inputs that have pages under the addresses in the extraction, such as archives; others are fetched.
    rendered: render pages, or use the markup alone.
    progress: called with the number of pages so far and in total.
    judging: the options of `validate`, such as `{"method": "vote"}`.

    >>> import json, webquarry as wq
    >>> from tempfile import TemporaryDirectory
    >>> article = wq.read(wq.clean(wq.fetch("examples/news/articles/lost-bell.html")))
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "bell.jsonl").write_text(json.dumps(article.to_dict()))
    ...     done = wq.validate_extractions([wq.load_extraction(f"{folder}/bell.jsonl")], rendered=False)
    >>> len(done.report) == len(article)
    True
    """
    _check_extractions("validate_extractions", extractions)
    policy = split_options(options)[0]
    addresses = list_addresses(extractions)
    had: list[Page | Failure] = []
    pages = _remember(supply_pages(addresses, supplied, progress=progress, **policy), had)
    wider = add_roots(options, folders_of_pages(addresses))
    documents = render_all(pages, **wider) if rendered else clean_all(pages)
    opened = ((had[place], document) for place, document in enumerate(documents))
    return judge_opened(extractions, opened, judging=judging)


def _check_extractions(function: str, given: Sequence[LoadedFile]) -> None:
    """Raise TypeError unless extractions are given, as a list."""
    is_list = isinstance(given, Iterable) and not isinstance(given, str)
    wrong = [each for each in given if not isinstance(each, LoadedFile)] if is_list else [given]
    if wrong:
        raise TypeError(f"{function} takes a list of what wq.load_extraction gives, not {a_or_an(wrong[0])}")


def list_addresses(extractions: Iterable[LoadedFile]) -> list[str]:
    """List the addresses of the pages of extractions, each once."""
    return list(dict.fromkeys(address for each in extractions for address in each.pages))


def judge_opened(
    extractions: Sequence[LoadedFile],
    opened: Iterable[tuple[Page | Failure, Document | Failure]],
    *,
    judging: JudgeOptions | None = None,
) -> Validation:
    """Report on what was extracted from pages that are open; they come in the order of `list_addresses`."""
    task, addresses = judging or {}, list_addresses(extractions)
    method = task.get("method")
    had: list[Page | Failure] = []
    selections, rows, failures = [], [], []
    for place, (page, document) in enumerate(opened):
        had.append(page)
        if isinstance(document, Failure):
            failures.append(document)
        elif isinstance(page, Page):  # a Failure gives no document
            found = attempt(page.url, partial(_select, extractions, addresses[place], page, document, method=method))
            if isinstance(found, Failure):
                failures.append(found)
                continue
            selections.append(found[0])
            rows.append(found[1])
    names = [each.document.url for each in selections]
    judged, failed = attempt_together(names, lambda places: validate([selections[place] for place in places], **task))
    report = validate([], **task) if judged is None else judged
    lost = sum(each.file.failures for each in extractions)
    notes = [f"the extraction itself reports {count(lost, 'failed page')}"] if lost else []
    report = replace(report, notes=(*notes, *report.notes), failures=(*failures, *failed.values()))
    judged_rows = tuple(each for place, each in enumerate(rows) if place not in failed)
    return Validation(report, judged_rows, {page.url: page for page in had if isinstance(page, Page)})


def _remember(pages: Iterable[Page | Failure], had: list[Page | Failure]) -> Iterator[Page | Failure]:
    for page in pages:
        had.append(page)
        yield page


def _select(
    extractions: Sequence[LoadedFile], address: str, page: Page, document: Document, *, method: str | None
) -> tuple[Selection, tuple[tuple[int, int], ...]]:
    """Select what extractions took from a page, and give for each node the file and the place of its row."""
    if method in LOOKING and document.layout is None:  # a page that is too large for a browser
        raise RenderError(f"{page.url}: not rendered, and {method} goes by how pages look; choose vote or columns")
    places = [(number, place) for number, each in enumerate(extractions) for place in each.pages.get(address, ())]
    rows = [extractions[number].file.rows[place] for number, place in places]
    source = clean(page) if document.kind == "scripts" else None  # only scripts change the tree
    selection, found = select_rows(document, rows, source=source)
    return selection, tuple(places[row] for row in found.tolist())


def supply_pages(
    addresses: Sequence[str],
    supplied: Sequence[str | Path],
    *,
    progress: Callable[[int, int | None], None] | None,
    **policy: Unpack[FetchOptions],
) -> Iterator[Page | Failure]:
    """Supply the page of each address, from the supplied inputs or else by fetching it."""
    refused = {address: Failure(address, fault) for address in addresses if (fault := _refuse(address))}
    known: dict[str, Page | Failure] = {**refused, **_find_supplied(addresses, supplied, **policy)}
    fetched = fetch_all([address for address in addresses if address not in known], follow_lists=False, **policy)
    for done, address in enumerate(addresses, start=1):
        page = known.get(address) or next(fetched)
        if progress is not None:
            progress(done, len(addresses))
        yield page


def _refuse(address: str) -> str:
    """Say why an address cannot be that of one page; empty if it can."""
    if address == _STDIN:
        return f"{_STDIN} the page came from standard input; save it in a file and extract from that"
    if SCHEME.match(address) and not address.startswith("file:"):
        return ""
    try:
        path = Path(path_of(address))
        realpath(path)
        if path.is_dir():
            return f"{path}: is a folder; the extraction must name pages"
    except OSError as error:  # not a possible file name
        return f"{path}: {error.strerror or error}"
    except ValueError:  # a zero or half of a surrogate pair
        return f"{address!r}: no file can have such a name; fix the extraction"
    is_archive = path.name.lower().endswith(ARCHIVE_ENDINGS)
    return f"{path}: is an archive; name its pages by their addresses" if is_archive else ""


def _find_supplied(
    addresses: Sequence[str], supplied: Sequence[str | Path], **policy: Unpack[FetchOptions]
) -> dict[str, Page]:
    """Find the pages of these addresses in inputs; the first of those with the same address."""
    found: dict[str, Page] = {}
    for each in supplied:
        inside, other = _look_into(each, frozenset(addresses), **policy)
        found = inside | found
        if addresses and not inside:
            _log.warning(
                "%s has none of the pages of the extraction, which are fetched or read from disk instead: it has %s, "
                "and the extraction names %s",
                without_credentials(str(each)),
                other,
                addresses[0],
            )
    return found


def _look_into(
    named: str | Path, wanted: Collection[str], **policy: Unpack[FetchOptions]
) -> tuple[dict[str, Page], str]:
    """Find the wanted pages of an input, by address, and the address of its first other page.

    Raises when nothing of it can be read; warns when some of it cannot.
    """
    found: dict[str, Page] = {}
    other, faults = "", []
    for page in fetch_all([named], **policy):
        if isinstance(page, Failure):
            faults.append(page.error)
        elif page.url in wanted:
            found.setdefault(page.url, page)
        else:
            other = other or page.url
    if faults and not (found or other):
        raise InputError(faults[0])
    if faults:
        _log.warning("%s%s", faults[0], f"; and {len(faults) - 1:,} more like it" if len(faults) > 1 else "")
    return found, other


def folders_of_pages(addresses: Collection[str]) -> list[Path]:
    """Find the web root of the folder that has all pages on disk: they may use the style sheets in it."""
    paths = [path_of(each) for each in addresses if each.startswith("file:") and not _refuse(each)]
    if not paths:
        return []
    folder = Path(commonpath([str(Path(path).parent) for path in paths])).resolve()
    is_wide = len(folder.parts) <= _MAX_PARTS_OF_WIDE_FOLDER or is_above_sites(folder)
    return [] if is_wide else [find_web_root(folder)]


@takes(RENDERING, FETCHING)
def picture_pages(validation: Validation, **options: Unpack[RenderOptions]) -> dict[str, bytes]:
    """Take screenshots, as PNG by address, of the first pages; those on which something is marked come first.

    validation: what `validate_extractions` gives.

    >>> import webquarry as wq
    >>> wq.picture_pages(wq.validate_extractions([]))
    {}
    """
    require("picture_pages", validation, Validation, "get one with wq.validate_extractions")
    ordered = sorted(validation.report.pages, key=lambda each: not (each.drops.any() or each.additions))
    marked = dict.fromkeys(each.selection.document.url for each in ordered)
    pages = [page for url in list(marked)[:MAX_PICTURES] if (page := validation.pages.get(url)) is not None]
    if not pages:
        return {}
    with open_renderer(add_roots(options, folders_of_pages(list(validation.pages)))) as renderer:
        shots = ((page.url, attempt(page.url, partial(_shoot, renderer, page))) for page in pages)
        return {url: shot for url, shot in shots if not isinstance(shot, Failure)}


def _shoot(renderer: Renderer, page: Page) -> bytes:
    return renderer.shoot(page, decode(page))[1]


@takes()
def write_report(
    report: Report, *, screenshots: Mapping[str, bytes] | None = None, measured: Measure | None = None
) -> str:
    """Write the report as one self-contained HTML page, without scripts or requests.

    report: what `validate` gives.
    screenshots: PNG by the addresses of pages, as `picture_pages` gives them.
    measured: what `measure` gives, to show it too.

    >>> import webquarry as wq
    >>> wq.write_report(wq.validate([]))[:15]
    '<!DOCTYPE html>'
    """
    require("write_report", report, Report, "get one with wq.validate")
    if measured is not None:
        return write_page(
            report,
            screenshots=screenshots,
            deletion=measured.deletion,
            content=measured.content,
            tables=measured.tables,
        )
    return write_page(report, screenshots=screenshots, deletion=follow_scores(report) if report.dropped else None)


@takes()
def load_labels(
    path: str | Path, extractions: Sequence[LoadedFile], *, scripts: bool = False
) -> tuple[list[Label], tuple[str, ...]]:
    """Load the labels in a file that may be of an extraction, and notes on the others.

    Raises, before any page is rendered, when none can be.  Pages on disk are checked by name, and without `scripts` by
    their nodes; pages of the web may redirect, so their labels are kept.

    path: of a CSV or JSON lines file of page, node and label.
    extractions: what `load_extraction` gives.

    >>> import webquarry as wq
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "labels.csv")
    ...     _ = file.write_text("page,node,label\\nhttps://example.org/,/html/body/p[1],content")
    ...     labels, notes = wq.load_labels(file, [])
    >>> labels[0].content
    True
    """
    _check_extractions("load_labels", extractions)
    labels = parse_labels(read_text(Path(require_place("load_labels", path))), str(path))
    if not any(label.content for label in labels):
        raise InputError(f"{path}: no label says content, so there is nothing to measure by; label some content")
    documents = _find_documents(extractions)
    if not documents:
        return labels, ()
    known, others = split_by_page(labels, [document.url for document in documents])
    if not known:
        raise InputError(
            f"{path}: none of the labels is of a page of the extraction, the first: line {labels[0].line}: "
            f"{labels[0].page}; name pages as the extraction does, or by how their addresses end: {documents[0].url}"
        )
    missing = [] if scripts else match_labels(known, documents, str(path))[1]
    if missing and len(missing) == len(known):  # a browser's tree may have some, as with shadow roots
        raise InputError(f"{missing[0]}; the same for all labels: nodes are absolute XPaths such as /html/body/p[2]")
    if not others:
        return known, ()
    told = f"{count(len(others), 'label')} of pages outside the extraction, the first: line {others[0].line}"
    return known, (f"{path}: {told}: {others[0].page}",)


def _find_documents(extractions: Sequence[LoadedFile]) -> list[Document]:
    """Read the pages of extractions if all are on disk; otherwise give none."""
    addresses = list_addresses(extractions)
    if not all(address.startswith("file:") for address in addresses):
        return []
    pages = list(supply_pages(addresses, (), progress=None))
    found = [page for page in pages if isinstance(page, Page)]
    return [clean(page) for page in found] if len(found) == len(pages) else []
