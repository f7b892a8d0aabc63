"""Write a report as one HTML page, with charts, tables of nodes, and screenshots with outlines."""

from __future__ import annotations

import pkgutil
import struct
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Box, Layout
from webquarry.model.report import Report, Verdicts
from webquarry.model.wording import count
from webquarry.validating.deletion_curves import Row, weigh
from webquarry.validating.labelled_quality import FIGURE_METHODS, FIGURE_RECALLS, PaperTables
from webquarry.validating.report_markup import (
    Deletion,
    Html,
    address,
    crop,
    draw_curve,
    draw_histogram,
    draw_labelled_histogram,
    draw_methods,
    element,
    foreign,
    join,
    number_row,
    share,
    short,
    table,
)
from webquarry.validating.report_tables import write_columns, write_records

MAX_PICTURES = 32_000_000
"""Bytes of all screenshots together: browsers open a file of twice that at once, mail takes less."""
MAX_KEPT_IN_ALL = 4_000
"""Rows of what is kept, on all pages together: about 2 MB."""
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


class Figures(NamedTuple):
    """Numbers of one page, or of all."""

    nodes: int = 0
    dropped: int = 0
    bytes: int = 0
    bytes_dropped: int = 0
    """Of the texts in UTF-8, white space collapsed."""
    additions: int = 0
    unmapped: int = 0


class _Page(NamedTuple):
    """A page with its anchor in the report and its numbers."""

    anchor: str
    verdicts: Verdicts
    figures: Figures

    @property
    def url(self) -> str:
        return self.verdicts.selection.document.url

    @property
    def title(self) -> str:
        """What the page calls itself, or else the end of its address."""
        document = self.verdicts.selection.document
        node = document.node("/html/head/title")
        title = " ".join(document.texts[node + 1].split()) if node is not None and node + 1 < len(document) else ""
        return title or document.url.rstrip("/").rpartition("/")[2] or "page"

    @property
    def has_marks(self) -> bool:
        return bool(self.verdicts.drops.any() or self.verdicts.additions)


def write_page(
    report: Report,
    *,
    screenshots: Mapping[str, bytes] | None = None,
    deletion: Deletion | None = None,
    content: NDArray[np.bool_] | None = None,
    tables: PaperTables | None = None,
) -> str:
    """Write the report as one HTML page; screenshots are PNG by the addresses of their pages.

    With labels, `content` tells for each node, page after page, whether it is content, and `tables` has what the
    paper's methods make of the nodes.  The page has no script and requests nothing: its policy forbids it, whatever
    the shown pages say.
    """
    pages = [
        _Page(f"page-{number}", verdicts, _count(verdicts)) for number, verdicts in enumerate(report.pages, start=1)
    ]
    total = Figures(*map(sum, zip(*(page.figures for page in pages), strict=True)))
    pictures, notes = _choose_pictures(report, pages, screenshots or {})
    title = f"Validation of {count(len(pages), 'page')}"
    marked = sum(int(page.drops.any()) for page in report.pages)
    them = "the page" if len(pages) == 1 else f"{marked:,} of the pages" if marked < len(pages) else "all pages"
    found = f"Something looks wrong on {them}." if marked else "Nothing looks wrong."
    columns = write_columns(report.pages)
    sections = [
        *([_section("Columns", "columns", *columns)] if columns else []),
        _section("Scores", "scores", draw_histogram(report)),
        *([_section("Deletion", "deletion", draw_curve(deletion))] if deletion is not None else []),
        *([_section("By labels", "labels", *_write_labelled(report, content, tables))] if content is not None else []),
        *([_section("Overview", "overview", _write_overview(pages))] if len(pages) > 1 else []),
        _section("Pages", "pages", *_write_articles(pages, pictures)),
    ]
    lead = f"What an extraction took from pages, and what of it looks wrong beside the rest. {found}"
    body = element(
        "body",
        element("a", "Skip to the pages", href="#pages", class_="skip"),
        element("header", element("h1", title), element("p", lead, class_="soft")),
        element("main", _write_summary(report, total, notes), *sections),
        element("footer", "Written by webquarry. Scores: the higher, the odder a node looks beside the others."),
    )
    return f"<!DOCTYPE html>\n{element('html', _head(title), body, lang='en')}\n"


def _write_labelled(report: Report, content: NDArray[np.bool_], tables: PaperTables | None) -> Iterator[Html]:
    """Write Figures 2 and 3 and Tables 1 and 2 of the paper for this extraction."""
    said = "What the labels say of the nodes, as in Figures 2 and 3 and Tables 1 and 2 of Potvin and Villemaire."
    yield element("p", said, class_="soft")
    yield draw_labelled_histogram(report, content)
    if tables is None:
        return
    shown = {name: tables.curves[name] for name in FIGURE_METHODS}
    for recall in FIGURE_RECALLS:
        yield draw_methods(shown, recall)
    numbers = ["precision", *(f"{name} {recall:g}" for recall in tables.recalls for name in ("R", "F1"))]
    rows = [_write_paper_row(row, "{:.4f}", has_deleted=True) for row in (tables.before, *tables.rows)]
    deleted = ["nodes", "bytes"]
    caption = "At the best F1 of each method, by assumed recall (R); nodes and bytes are the shares deleted"
    yield table(caption, ["", *numbers, *deleted], rows, numbers=[*numbers, *deleted])
    changes = [_write_paper_row(row, "{:+.2%}", has_deleted=False) for row in tables.increases]
    yield table("Change against the extraction", ["", *numbers], changes, numbers=numbers)


def _write_paper_row(row: Row, form: str, *, has_deleted: bool) -> Html:
    pairs = zip(row.recalls, row.f1s, strict=True)
    figures = [row.precision, *(figure for pair in pairs for figure in pair)]
    deleted = [f"{row.deleted_nodes:.2%}", f"{row.deleted_bytes:.2%}"] if has_deleted else []
    return number_row(row.name, [*map(form.format, figures), *deleted])


def _count(page: Verdicts) -> Figures:
    sizes = weigh(page.selection.texts)
    return Figures(
        nodes=len(sizes),
        dropped=int(page.drops.sum()),
        bytes=int(sizes.sum()),
        bytes_dropped=int(sizes[page.drops].sum()),
        additions=len(page.additions),
        unmapped=len(page.selection.unmapped),
    )


def _head(title: str) -> Html:
    style = (pkgutil.get_data(__package__, "report.css") or b"").decode()
    return Html(
        f'<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"{element('title', title)}<style>{style}</style></head>"
    )


def _section(title: str, anchor: str, *content: str) -> Html:
    return element("section", element("h2", title), *content, id=anchor)


def _choose_pictures(
    report: Report, pages: Sequence[_Page], screenshots: Mapping[str, bytes]
) -> tuple[dict[str, bytes], list[str]]:
    """Choose screenshots, of pages with marks first, as long as there is room, and note what is missing."""
    addresses = dict.fromkeys(page.url for page in sorted(pages, key=lambda page: not page.has_marks))
    chosen: dict[str, bytes] = {}
    room = MAX_PICTURES
    for url in addresses:
        picture = screenshots.get(url)
        if picture is not None and len(picture) <= room:
            chosen[url] = picture
            room -= len(picture)
    notes, given = list(report.notes), sum(url in screenshots for url in addresses)
    if given > len(chosen):
        notes.append(f"{count(given - len(chosen), 'screenshot')} left out: together they are too large for one file.")
    if screenshots and given < len(addresses):
        notes.append(f"There are screenshots of {given:,} of the {count(len(addresses), 'page')}.")
    return chosen, notes


def _write_summary(report: Report, total: Figures, notes: Sequence[str]) -> Html:
    things = "values" if any(page.selection.columns for page in report.pages) else "nodes"
    tiles = [
        ("pages", len(report.pages), f"method {report.method}"),
        (things, total.nodes, f"{total.bytes:,} bytes of text"),
        (f"{things} that look wrong", total.dropped, f"{share(total.dropped, total.nodes)}; --drop drops them"),
        ("bytes in them", total.bytes_dropped, share(total.bytes_dropped, total.bytes)),
    ]
    tiles += [("nodes to add", total.additions, "look like what was extracted")] * (total.additions > 0)
    tiles += [("not found", total.unmapped, "XPaths without a node")] * (total.unmapped > 0)
    written = [
        element("div", element("dt", name), element("dd", f"{number:,}"), element("dd", beside, class_="beside"))
        for name, number, beside in tiles
    ]
    listed = element("ul", *(element("li", note) for note in notes), class_="notes") if notes else Html()
    return join([element("dl", *written, class_="tiles"), listed])


def _write_overview(pages: Sequence[_Page]) -> Html:
    """Write a row for each page, with a link to it."""
    numbers = ["nodes", "dropped", "bytes dropped", "added", "not found"]
    rows = []
    for page in pages:
        figures = page.figures
        part = f"{figures.bytes_dropped:,} ({share(figures.bytes_dropped, figures.bytes)})"
        cells = [
            f"{figures.nodes:,}",
            f"{figures.dropped:,}",
            part,
            f"{figures.additions:,}",
            f"{figures.unmapped:,}",
        ]
        rows.append(number_row(element("a", foreign(page.title), href=f"#{page.anchor}"), cells))
    return table(count(len(pages), "page"), ["page", *numbers], rows, numbers=numbers)


def _write_articles(pages: Sequence[_Page], pictures: Mapping[str, bytes]) -> Iterator[Html]:
    kept_left = MAX_KEPT_IN_ALL
    for page in pages:
        kept_shown = min(MAX_KEPT, kept_left)
        figures, picture = page.figures, pictures.get(page.url)
        kept_left -= min(kept_shown, figures.nodes - figures.dropped)
        nodes, part = count(figures.nodes, "node"), share(figures.bytes_dropped, figures.bytes)
        looks = "looks" if figures.dropped == 1 else "look"
        dropped = f"{figures.dropped:,} of {nodes} {looks} wrong, {part} of the bytes"
        yield element(
            "article",
            element("h3", foreign(page.title)),
            element(
                "p",
                foreign(page.url),
                " · ",
                dropped if figures.dropped else f"nothing of {nodes} looks wrong",
                class_="soft",
            ),
            *_write_tables(page, picture),
            _draw_screenshot(page, picture) if picture is not None else "",
            *_write_nodes(page.verdicts, page.anchor, kept_shown),
            id=page.anchor,
            class_=None if page.has_marks else "clean",
        )


def _write_tables(page: _Page, picture: bytes | None) -> list[Html]:
    """Write the records of a page, with their parts of the screenshot if there is one."""
    layout = page.verdicts.selection.document.layout
    if picture is None or layout is None:
        return write_records(page.verdicts, None, 0)
    width, height = _measure(picture)
    return write_records(page.verdicts, f"{page.anchor}-shot", height * layout.width / width)


MAX_DROPPED, MAX_KEPT, MAX_UNMAPPED = 1_000, 200, 200
"""Rows of a page that are shown; a report of a hundred pages must still open."""


def _write_nodes(page: Verdicts, anchor: str, kept_shown: int) -> Iterator[Html]:
    """Write tables of what is dropped and what should be added, then, folded, what is kept and what was not found."""
    dropped, kept = page.drops.nonzero()[0].tolist(), (~page.drops).nonzero()[0].tolist()
    if dropped:
        dropped.sort(key=lambda place: -page.scores[place])
        yield from _write_table(page, dropped, anchor, "dropped", MAX_DROPPED)
    if page.additions:
        yield from _write_additions(page, anchor)
    if kept and kept_shown:
        inside = _write_table(page, kept, anchor, "kept", min(kept_shown, MAX_KEPT))
        yield element("details", element("summary", count(len(kept), "node"), " kept"), *inside)
    if unmapped := page.selection.unmapped:
        summary = element("summary", f"XPaths of the extraction that have no node on the page: {len(unmapped):,}")
        entries = (element("li", address(each)) for each in unmapped[:MAX_UNMAPPED])
        yield element("details", summary, element("ul", *entries), _count_rest(len(unmapped), MAX_UNMAPPED))


def _write_table(page: Verdicts, places: Sequence[int], anchor: str, name: str, most: int) -> list[Html]:
    document, columns = page.selection.document, page.selection.columns
    has_reasons = any(page.reasons[place] for place in places)
    heads = ["", "text", "score", *["reason"] * has_reasons, *["column"] * bool(columns), "XPath"]
    rows = [
        element(
            "tr",
            element("th", str(place + 1), scope="row"),
            element("td", foreign(page.selection.texts[place]), class_="text"),
            element("td", short(round(float(page.scores[place]), 4)), class_="number"),
            *([element("td", foreign(page.reasons[place]))] if has_reasons else []),
            *([element("td", foreign(columns[place]))] if columns else []),
            element("td", address(document.xpath(int(page.selection.nodes[place])))),
            id=f"{anchor}-{place + 1}",
            class_=name,
        )
        for place in places[:most]
    ]
    caption = f"{count(len(places), 'node')} {name}"
    return [table(caption, heads, rows, numbers=["score"]), _count_rest(len(places), most)]


def _write_additions(page: Verdicts, anchor: str) -> list[Html]:
    document = page.selection.document
    rows = [
        element(
            "tr",
            element("th", f"+{number}", scope="row"),
            element("td", foreign(document.text(node)), class_="text"),
            element("td", foreign(reason)),
            element("td", address(document.xpath(node))),
            id=f"{anchor}-add-{number}",
            class_="added",
        )
        for number, (node, reason) in enumerate(page.additions[:MAX_DROPPED], start=1)
    ]
    caption = f"{count(len(page.additions), 'node')} that the extraction lacks"
    return [table(caption, ["", "text", "reason", "XPath"], rows), _count_rest(len(page.additions), MAX_DROPPED)]


def _count_rest(number: int, most: int) -> Html:
    return element("p", f"{number - most:,} more are not shown.", class_="note") if number > most else Html()


MAX_KEPT_OUTLINES = 2_000
"""For each page."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TAG_HEIGHT, _DIGIT_WIDTH = 20, 11
"""CSS pixels of the page: screenshots are shown at two thirds of their size or so."""


def _draw_screenshot(page: _Page, picture: bytes) -> Html:
    """Draw the picture, with outlines that link to the rows of their nodes; nothing for a page without a layout."""
    verdicts, layout, title = page.verdicts, page.verdicts.selection.document.layout, page.title
    if layout is None:
        return Html()
    width, height = _measure(picture)
    shown = max(1, round(height * layout.width / width))
    image = element(
        "image",
        href=f"data:image/png;base64,{b64encode(picture).decode()}",
        width=layout.width,
        height=shown,
        preserveAspectRatio="none",
        id=f"{page.anchor}-shot",
        role="img",
        aria_label=f"Screenshot of {title}; {count(int(verdicts.drops.sum()), 'dropped node')} and "
        f"{count(len(verdicts.additions), 'addition')} are outlined",
    )
    outlines = element(
        "svg",
        image,
        *_draw_outlines(verdicts, layout, page.anchor),
        viewBox=f"0 0 {layout.width} {shown}",
        aria_label=f"Outlines on {title}",
    )
    frame = element("div", outlines, class_="frame")
    keys = [element("span", name, class_=f"key {name}") for name in ("dropped", "added", "kept")]
    return element(
        "figure",
        element("div", frame, class_="view", tabindex="0", role="group", aria_label=f"Screenshot of {title}, scrolls"),
        element("figcaption", *keys, " Numbers lead to the rows below."),
    )


def _measure(picture: bytes) -> tuple[int, int]:
    """Read the width and height of a PNG in pixels; raise for anything else."""
    if not picture.startswith(_SIGNATURE) or len(picture) < 24:
        raise ValueError("a screenshot must be PNG")
    width, height = struct.unpack(">II", picture[16:24])
    return max(1, width), max(1, height)


def _draw_outlines(page: Verdicts, layout: Layout, anchor: str) -> Iterator[Html]:
    """Draw outlines of what is kept below those of what is added and dropped."""
    nodes, drops = page.selection.nodes, page.drops
    for node in nodes[~drops][:MAX_KEPT_OUTLINES].tolist():
        if box := _box_of(page, layout, node):
            yield element("rect", **_sides(box), class_="kept")
    for number, (node, reason) in enumerate(page.additions, start=1):
        if box := _box_of(page, layout, node):
            yield _draw_mark(box, "added", f"+{number}", f"+{number}: {reason}", f"{anchor}-add-{number}")
    for place in drops.nonzero()[0].tolist():
        if box := _box_of(page, layout, int(nodes[place])):
            number = place + 1
            title = f"{number}: {page.selection.texts[place]}: {page.reasons[place]}"
            yield _draw_mark(box, "dropped", str(number), title, f"{anchor}-{number}")


def _draw_mark(box: Box, name: str, label: str, title: str, target: str) -> Html:
    """Draw an outline with its number, which says why and links to the row."""
    width = _DIGIT_WIDTH * len(label) + 8
    x, y = max(0.0, box[0] - 3), max(0.0, box[1] - _TAG_HEIGHT)
    around = box[0] - 3, box[1] - 3, box[2] + 6, box[3] + 6
    return element(
        "a",
        element("title", crop(title)),
        element("rect", **_sides(around), class_=name),
        element("rect", x=x, y=y, width=width, height=_TAG_HEIGHT, class_=f"tag {name}"),
        element("text", label, x=x + width / 2, y=y + 15, text_anchor="middle"),
        href=f"#{target}",
        aria_label=crop(title),
    )


def _sides(box: Box) -> dict[str, float]:
    return dict(zip(("x", "y", "width", "height"), box, strict=True))


def _box_of(page: Verdicts, layout: Layout, node: int) -> Box | None:
    """Return the box of a node, or of its parent; None if neither has an area."""
    for each in (node, int(page.selection.document.parents[node])):
        x, y, width, height = layout.boxes[each].tolist() if each >= 0 else (0.0, 0.0, 0.0, 0.0)
        if width > 0 and height > 0:  # NaN is not
            return x, y, width, height
    return None
