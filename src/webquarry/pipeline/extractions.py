"""Files of extractions, ours or of any other system: their pages had again, and what was taken from them judged."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os.path import commonpath
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from webquarry.errors import InputError
from webquarry.fetching.files import file_uri
from webquarry.fetching.sources import SCHEME
from webquarry.model import Document, Failure, Page, Report, Selection
from webquarry.pipeline.attempts import attempt
from webquarry.pipeline.pages import clean, clean_all, fetch_all, open_renderer, render_all
from webquarry.pipeline.validating import validate
from webquarry.storing.texts import read_text

if TYPE_CHECKING:
    from webquarry.validating.extractions import ExtractionFile
    from webquarry.validating.labels import Label
    from webquarry.validating.measuring import Measure

MOST_PICTURES = 20
"""Pages of a report that are pictured: of more nobody looks at all, and each takes a second."""
_SHORTEST = 2
"""Parts of a folder's path below which it is no folder of a site: all of a disk, or of all its users."""


@dataclass(frozen=True)
class Extracted:
    """A file of an extraction, by the addresses of its pages."""

    name: str
    file: ExtractionFile
    pages: Mapping[str, Sequence[int]]
    """For each address the places of its rows."""


@dataclass(frozen=True)
class Validation:
    """A report on files of extractions."""

    report: Report
    rows: tuple[tuple[int, tuple[int, ...]], ...]
    """For each page of the report the number of its file, and for each of its nodes the place of its row there."""
    pages: Mapping[str, Page]
    """Those of the report, by address."""

    def without_drops(self, number: int, extracted: Extracted) -> str:
        """The text of a file, by its number, without what the report says to drop."""
        dropped = [
            place
            for verdicts, (file, places) in zip(self.report.pages, self.rows, strict=True)
            if file == number
            for place, drop in zip(places, verdicts.drops.tolist(), strict=True)
            if drop
        ]
        return extracted.file.without(dropped)


def load_extraction(name: str) -> Extracted:
    """The extraction in a file, or on standard input if it is called `-`."""
    from webquarry.validating.extractions import read_extraction  # noqa: PLC0415 - NumPy is slow to import

    text = _read_input() if name == "-" else read_text(Path(name))
    file = read_extraction(text, name)
    folder = Path() if name == "-" else Path(name).parent
    pages: dict[str, list[int]] = {}
    for page, places in file.pages.items():
        pages.setdefault(_address(page, folder), []).extend(places)
    return Extracted(name, file, pages)


def load_labels(path: Path) -> list[Label]:
    """The labels in a file."""
    from webquarry.validating.labels import parse_labels  # noqa: PLC0415

    return parse_labels(read_text(path), str(path))


def validate_extractions(
    extractions: Sequence[Extracted],
    *,
    rendered: bool = True,
    rendering: Mapping[str, Any] | None = None,
    policy: Mapping[str, Any] | None = None,
    progress: Callable[[int, int | None], None] | None = None,
    **task: Any,
) -> Validation:
    """A report on what was extracted, on the pages as they are now.

    `rendering` has the knobs of `render`, `policy` those of fetching, `task` those of `validate`.
    """
    rendering, policy = rendering or {}, policy or {}
    addresses = list(dict.fromkeys(address for each in extractions for address in each.pages))
    had = list(fetch_all(addresses, **policy))
    roots = [*rendering.get("roots", ()), *folders_of_pages(addresses)]
    knobs = {**rendering, "roots": roots, **policy}
    documents = render_all(had, progress=progress, **knobs) if rendered else clean_all(had)
    selections, rows, failures = [], [], []
    for address, page, document in zip(addresses, had, documents, strict=True):
        if isinstance(document, Failure):
            failures.append(document)
            continue
        if isinstance(page, Failure):  # it is then its document
            continue
        for number, each in enumerate(extractions):
            if address in each.pages:
                selection, places = _find(each, address, page, document)
                selections.append(selection)
                rows.append((number, places))
    report = replace(validate(selections, **task), failures=tuple(failures))
    return Validation(report, tuple(rows), {page.url: page for page in had if isinstance(page, Page)})


def picture(validation: Validation, **knobs: Any) -> dict[str, bytes]:
    """Screenshots as PNG of the first pages on which something is marked, by their addresses."""
    marked = dict.fromkeys(
        each.selection.document.url for each in validation.report.pages if each.drops.any() or each.additions
    )
    pages = [page for url in list(marked)[:MOST_PICTURES] if (page := validation.pages.get(url)) is not None]
    if not pages:
        return {}
    with open_renderer(knobs) as renderer:
        shots = ((page.url, attempt(page.url, partial(renderer.shoot, page, clean(page).markup))) for page in pages)
        return {url: shot[1] for url, shot in shots if not isinstance(shot, Failure)}


def measure_report(report: Report, labels: Sequence[Label], recalls: Sequence[float] = ()) -> Measure:
    """What a report is worth by labels; with recalls to assume where these are of the extracted nodes alone."""
    from webquarry.validating.measuring import measure  # noqa: PLC0415

    return measure(report, labels, recalls)


def write_report(
    report: Report, *, screenshots: Mapping[str, bytes] | None = None, measured: Measure | None = None
) -> str:
    """The report as one page of HTML that needs nothing else; screenshots are PNG by the addresses of pages."""
    from webquarry.validating.measuring import follow_scores  # noqa: PLC0415
    from webquarry.validating.page import write_page  # noqa: PLC0415

    deletion = follow_scores(report) if measured is None else measured.deletion
    return write_page(report, screenshots=screenshots, deletion=deletion)


def _find(extracted: Extracted, address: str, page: Page, document: Document) -> tuple[Selection, tuple[int, ...]]:
    """What an extraction took from a page, on its document, and the place of the row of each node."""
    from webquarry.validating.mapping import select_rows  # noqa: PLC0415

    places = extracted.pages[address]
    rows = [extracted.file.rows[place] for place in places]
    source = clean(page) if document.kind == "scripts" else None  # only scripts make another tree of it
    selection, found = select_rows(document, rows, source=source)
    return selection, tuple(places[row] for row in found.tolist())


def folders_of_pages(addresses: Collection[str]) -> list[Path]:
    """The folder that all pages on disk are in: they may use the style sheets in it."""
    paths = [unquote(urlsplit(address).path) for address in addresses if address.startswith("file:")]
    if not paths:
        return []
    folder = Path(commonpath([str(Path(path).parent) for path in paths]))
    return [folder] if len(folder.parts) > _SHORTEST else []


def _read_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("-: the extraction is not in UTF-8; save it in UTF-8") from error


def _address(page: str, folder: Path) -> str:
    """The address of a page that an extraction names; a path is relative to where we are, or to its file."""
    if SCHEME.match(page):
        return page
    here = Path(page)
    return file_uri(here if here.exists() or here.is_absolute() else folder / page)
