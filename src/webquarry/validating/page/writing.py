"""The report, from its head to its last page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from webquarry.model import Report, Verdicts
from webquarry.validating.page.curve import Deletion, draw_curve
from webquarry.validating.page.figures import Figures, add_up, pages_of, title_of
from webquarry.validating.page.histogram import draw_histogram
from webquarry.validating.page.markup import Html, count, element, foreign, join, share
from webquarry.validating.page.node_tables import MAX_KEPT, write_nodes
from webquarry.validating.page.screenshot import draw_screenshot
from webquarry.validating.page.style import STYLE
from webquarry.validating.page.summary import write_overview, write_summary

MAX_PICTURES = 32_000_000
"""Bytes of all screenshots together: browsers open a file of twice that at once, mail takes less."""
MAX_KEPT_IN_ALL = 4_000
"""Rows of what is kept, on all pages together: about 2 MB."""
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def write_page(
    report: Report, *, screenshots: Mapping[str, bytes] | None = None, deletion: Deletion | None = None
) -> str:
    """The report as one HTML page; screenshots are PNG by the addresses of their pages.

    It has no script and asks for nothing: its policy forbids it, whatever the pages that it shows say.
    """
    pages = pages_of(report)
    pictures, notes = _choose_pictures(report, screenshots or {})
    title = f"Validation of {count(len(pages), 'page')}"
    sections = [
        _section("Scores", "scores", draw_histogram(report)),
        *([_section("Deletion", "deletion", draw_curve(deletion))] if deletion is not None else []),
        *([_section("Overview", "overview", write_overview(pages))] if len(pages) > 1 else []),
        _section("Pages", "pages", *_write_pages(pages, pictures)),
    ]
    body = element(
        "body",
        element("a", "Skip to the pages", href="#pages", class_="skip"),
        element("header", element("h1", title), element("p", _lead(report), class_="soft")),
        element("main", write_summary(report, add_up(each for _, _, each in pages), notes), *sections),
        element("footer", "Written by webquarry. Scores: the higher, the odder a node looks beside the others."),
    )
    return f"<!DOCTYPE html>\n{element('html', _head(title), body, lang='en')}\n"


def _head(title: str) -> Html:
    return Html(
        f'<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"{element('title', title)}<style>{STYLE}</style></head>"
    )


def _lead(report: Report) -> str:
    dropped = sum(int(page.drops.any()) for page in report.pages)
    found = f"Something looks wrong on {dropped:,} of them." if dropped else "Nothing looks wrong on them."
    return f"What an extraction gave, by how it looks on the page. {found}"


def _section(title: str, anchor: str, *content: str) -> Html:
    return element("section", element("h2", title), *content, id=anchor)


def _choose_pictures(report: Report, screenshots: Mapping[str, bytes]) -> tuple[dict[str, bytes], list[str]]:
    """Screenshots of pages with something to show, as long as there is room; and what to say of it."""
    addresses = dict.fromkeys(page.selection.document.url for page in report.pages if _has_marks(page))
    chosen: dict[str, bytes] = {}
    room = MAX_PICTURES
    for address in addresses:
        picture = screenshots.get(address)
        if picture is not None and len(picture) <= room:
            chosen[address] = picture
            room -= len(picture)
    notes, given = list(report.notes), sum(address in screenshots for address in addresses)
    if given > len(chosen):
        notes.append(f"{count(given - len(chosen), 'screenshot')} left out: together they are too large for one file.")
    if screenshots and given < len(addresses):
        notes.append(f"Screenshots are there for {given:,} of the {count(len(addresses), 'page')} with marks.")
    return chosen, notes


def _has_marks(page: Verdicts) -> bool:
    return bool(page.drops.any() or page.additions)


def _write_pages(pages: list[tuple[str, Verdicts, Figures]], pictures: Mapping[str, bytes]) -> Iterator[Html]:
    kept_left = MAX_KEPT_IN_ALL
    for anchor, page, figures in pages:
        kept_shown = min(MAX_KEPT, kept_left)
        kept_left -= min(kept_shown, figures.nodes - figures.dropped)
        yield _write_page(anchor, page, figures, pictures.get(page.selection.document.url), kept_shown)


def _write_page(anchor: str, page: Verdicts, figures: Figures, picture: bytes | None, kept_shown: int) -> Html:
    title = title_of(page)
    has_marks = _has_marks(page)
    return element(
        "article",
        element("h3", foreign(title)),
        element("p", foreign(page.selection.document.url), " · ", _tell(figures), class_="soft"),
        draw_screenshot(page, picture, anchor, title) if picture is not None and has_marks else "",
        join([write_nodes(page, anchor, kept_shown=kept_shown)]),
        id=anchor,
        class_=None if has_marks else "clean",
    )


def _tell(figures: Figures) -> str:
    nodes = count(figures.nodes, "node")
    if not figures.dropped:
        return f"Nothing dropped of {nodes}"
    part = share(figures.bytes_dropped, figures.bytes)
    return f"{figures.dropped:,} of {nodes} dropped, {part} of the bytes"
