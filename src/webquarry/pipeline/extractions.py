"""Files of extractions, ours or of any other system: their pages had again, and what was taken from them judged."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry.errors import InputError
from webquarry.fetching.files import PAGE_ENDINGS
from webquarry.fetching.sources import WARC_ENDINGS
from webquarry.model import Document, Failure, Page, Report, Selection
from webquarry.model.wording import count
from webquarry.pipeline.attempts import attempt, attempt_together
from webquarry.pipeline.extracted_pages import find_address, folders_of_pages, supply_pages
from webquarry.pipeline.pages import clean, clean_all, open_renderer, render_all
from webquarry.pipeline.validating import validate
from webquarry.storing.texts import read_text

if TYPE_CHECKING:
    from webquarry.rendering import Renderer
    from webquarry.validating.extractions import ExtractionFile
    from webquarry.validating.labels import Label
    from webquarry.validating.measuring import Measure

MOST_PICTURES = 20
"""Pages of a report that are pictured: of more nobody looks at all, and each takes a second."""
_PAGES = (*PAGE_ENDINGS, *(f"{ending}.gz" for ending in PAGE_ENDINGS), *WARC_ENDINGS)


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
    rows: tuple[tuple[tuple[int, int], ...], ...]
    """For each page of the report, for each of its nodes the number of its file and the place of its row there."""
    pages: Mapping[str, Page]
    """Those of the report, by address."""

    def without_drops(self, number: int, extracted: Extracted) -> str:
        """The text of a file, by its number, without what the report says to drop."""
        dropped = [
            place
            for verdicts, rows in zip(self.report.pages, self.rows, strict=True)
            for (file, place), drop in zip(rows, verdicts.drops.tolist(), strict=True)
            if drop and file == number
        ]
        return extracted.file.without(dropped)


def load_extraction(name: str) -> Extracted:
    """The extraction in a file, or on standard input if it is called `-`."""
    from webquarry.validating.extractions import read_extraction  # noqa: PLC0415 - NumPy is slow to import

    if name.lower().endswith(_PAGES):
        raise InputError(f"{name}: is a page, not an extraction; `quarry read {name} -o FILE.jsonl` makes one of it")
    text = _read_input() if name == "-" else read_text(Path(name))
    file = read_extraction(text, name)
    folder = Path() if name == "-" else Path(name).parent
    pages: dict[str, list[int]] = {}
    for page, places in file.pages.items():
        pages.setdefault(find_address(page, folder), []).extend(places)
    return Extracted(name, file, pages)


def validate_extractions(
    extractions: Sequence[Extracted],
    *,
    supplied: Sequence[str | Path] = (),
    rendered: bool = True,
    rendering: Mapping[str, Any] | None = None,
    policy: Mapping[str, Any] | None = None,
    progress: Callable[[int, int | None], None] | None = None,
    **task: Any,
) -> Validation:
    """A report on what was extracted, on the pages as they are now; files count together, as if they were one.

    `supplied` are inputs that have pages under the addresses that the extraction names, such as archives; all others
    are fetched.  `rendering` has the knobs of `render`, `policy` those of fetching, `task` those of `validate`.
    """
    rendering, policy = rendering or {}, policy or {}
    addresses = list(dict.fromkeys(address for each in extractions for address in each.pages))
    had: list[Page | Failure] = []
    pages = _remember(supply_pages(addresses, supplied, progress=progress, **policy), had)
    roots = [*rendering.get("roots", ()), *folders_of_pages(addresses)]
    documents = render_all(pages, **{**rendering, "roots": roots, **policy}) if rendered else clean_all(pages)
    selections, rows, failures = [], [], []
    for place, document in enumerate(documents):
        page = had[place]
        if isinstance(document, Failure):
            failures.append(document)
        elif isinstance(page, Page):  # else it is its document
            found = attempt(page.url, partial(_find, extractions, addresses[place], page, document))
            if isinstance(found, Failure):
                failures.append(found)
                continue
            selections.append(found[0])
            rows.append(found[1])
    names = [each.document.url for each in selections]
    judged, failed = attempt_together(names, lambda places: validate([selections[place] for place in places], **task))
    report = validate([], **task) if judged is None else judged
    notes = (*_tell_failed(extractions), *report.notes)
    report = replace(report, notes=notes, failures=(*failures, *failed.values()))
    judged_rows = tuple(each for place, each in enumerate(rows) if place not in failed)
    return Validation(report, judged_rows, {page.url: page for page in had if isinstance(page, Page)})


def picture(validation: Validation, **knobs: Any) -> dict[str, bytes]:
    """Screenshots as PNG of the first pages on which something is marked, by their addresses."""
    marked = dict.fromkeys(
        each.selection.document.url for each in validation.report.pages if each.drops.any() or each.additions
    )
    pages = [page for url in list(marked)[:MOST_PICTURES] if (page := validation.pages.get(url)) is not None]
    if not pages:
        return {}
    roots = [*knobs.get("roots", ()), *folders_of_pages(list(validation.pages))]
    with open_renderer({**knobs, "roots": roots}) as renderer:
        shots = ((page.url, attempt(page.url, partial(_shoot, renderer, page))) for page in pages)
        return {url: shot[1] for url, shot in shots if not isinstance(shot, Failure)}


def _shoot(renderer: Renderer, page: Page) -> tuple[Document, bytes]:
    return renderer.shoot(page, clean(page).markup)


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


def _remember(pages: Iterable[Page | Failure], had: list[Page | Failure]) -> Iterator[Page | Failure]:
    """The pages, each put down before it goes on."""
    for page in pages:
        had.append(page)
        yield page


def _tell_failed(extractions: Sequence[Extracted]) -> list[str]:
    failed = sum(each.file.failures for each in extractions)
    return [f"the extraction says itself that {count(failed, 'page')} failed"] if failed else []


def _find(
    extractions: Sequence[Extracted], address: str, page: Page, document: Document
) -> tuple[Selection, tuple[tuple[int, int], ...]]:
    """What extractions took from a page, on its document, and for each node the file and the place of its row."""
    from webquarry.validating.addresses.mapping import select_rows  # noqa: PLC0415

    places = [(number, place) for number, each in enumerate(extractions) for place in each.pages.get(address, ())]
    rows = [extractions[number].file.rows[place] for number, place in places]
    source = clean(page) if document.kind == "scripts" else None  # only scripts make another tree of it
    selection, found = select_rows(document, rows, source=source)
    return selection, tuple(places[row] for row in found.tolist())


def _read_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("-: the extraction is not in UTF-8; save it in UTF-8") from error
    except OSError as error:
        raise InputError(f"standard input: cannot be read ({error.strerror or error})") from error
