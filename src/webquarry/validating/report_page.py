"""Write a report as one HTML page, with charts, tables of nodes, columns and records, and screenshots with outlines."""

from __future__ import annotations

import pkgutil
import re
import struct
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model.document import Box, Layout
from webquarry.model.report import Report, Verdicts
from webquarry.model.wording import count
from webquarry.validating.column_outliers import ColumnSummary, find_records, summarise_columns
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
        height = _find_height(page, picture)
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
            *write_records(page.verdicts, f"{page.anchor}-shot" if height else None, height),
            _draw_screenshot(page, picture, height) if picture is not None and height else "",
            *_write_nodes(page.verdicts, page.anchor, kept_shown),
            id=page.anchor,
            class_=None if page.has_marks else "clean",
        )


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
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TAG_HEIGHT, _DIGIT_WIDTH = 20, 11
"""CSS pixels of the page: screenshots are shown at two thirds of their size or so."""


def _find_height(page: _Page, picture: bytes | None) -> int:
    """Find the height at which a screenshot is shown, in CSS pixels; 0 without a screenshot or a layout."""
    layout = page.verdicts.selection.document.layout
    if picture is None or layout is None:
        return 0
    if not picture.startswith(_PNG_SIGNATURE) or len(picture) < 24:
        raise ValueError("a screenshot must be PNG")
    width, height = struct.unpack(">II", picture[16:24])
    return max(1, round(int(height) * layout.width / max(1, int(width))))


def _draw_screenshot(page: _Page, picture: bytes, shown: int) -> Html:
    """Draw the picture, with outlines that link to the rows of their nodes."""
    verdicts, layout, title = page.verdicts, page.verdicts.selection.document.layout, page.title
    if layout is None:
        return Html()
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


MAX_COLUMNS = 200
"""Columns that are shown; a table with more is not read in a report."""
MAX_RECORDS = 40
"""Records of a page that are shown, those with something odd first."""
MAX_EXAMPLE = 60
"""Characters of a value that are shown among others."""
MAX_ADDRESS = 30
"""Characters of an address that are shown."""
PICTURE = (360, 140)
"""CSS pixels that the picture of a record may take, across and down."""
_ADDRESS = re.compile(r"(?:https?|file|data):", re.IGNORECASE)
_MARGIN = 4.0
"""CSS pixels of the page around a record."""


def write_columns(pages: Sequence[Verdicts]) -> list[Html]:
    """Write a row for each column of the tables; nothing for texts."""
    summaries = summarise_columns(pages)
    if not summaries:
        return []
    lead = (
        f"Each row is a column of the table with its {count(summaries[0].records, 'record')}: how many records have a "
        "value in it, what its values look like, and what is odd among them."
    )
    numbers = ["filled", "distinct"]
    heads = ["column", "filled", "type", "distinct", "shortest", "longest", "examples", "what is odd, and why"]
    rows = [_write_column(each) for each in summaries[:MAX_COLUMNS]]
    return [element("p", lead, class_="soft"), table(count(len(summaries), "column"), heads, rows, numbers=numbers)]


def _write_column(summary: ColumnSummary) -> Html:
    examples = element("ul", *(element("li", _short(each)) for each in summary.examples), class_="plain")
    odd = element("ul", *(element("li", foreign(each)) for each in summary.odd), class_="plain")
    return element(
        "tr",
        element("th", foreign(summary.name), scope="row"),
        element("td", share(summary.filled, summary.records), class_="number"),
        element("td", summary.type, class_="word"),
        element("td", f"{summary.distinct:,}", class_="number"),
        element("td", _short(summary.shortest), class_="narrow"),
        element("td", _short(summary.longest)),
        element("td", examples),
        element("td", odd if summary.odd else "nothing", class_="odd" if summary.odd else "soft"),
    )


def _short(text: str) -> Html:
    """Write the beginning of a text; of an address, which all begin alike, the end."""
    words = " ".join(text.split())
    if _ADDRESS.match(words) and len(words) > MAX_ADDRESS:
        return foreign(f"…{words[-MAX_ADDRESS:]}")
    return foreign(words if len(words) <= MAX_EXAMPLE else f"{words[:MAX_EXAMPLE]}…")


def write_records(page: Verdicts, picture: str | None, height: float) -> list[Html]:
    """Write the records of a page, the odd ones first, each with its values and its part of the screenshot.

    `picture` is the id of the screenshot's image in the report, `height` how far down it reaches, in CSS pixels.
    """
    selection = page.selection
    if not selection.columns:
        return []
    records: defaultdict[int, list[int]] = defaultdict(list)
    for place, record in enumerate(find_records([selection]).tolist()):
        records[record].append(place)
    ordered = sorted(records.items(), key=lambda each: not page.drops[each[1]].any())[:MAX_RECORDS]
    boxes = {record: _bound(page, places, height) for record, places in ordered} if picture else {}
    heads = ["", *["on the page"] * bool(picture), "values"]
    rows = [
        element(
            "tr",
            element("th", str(record + 1), scope="row"),
            *([element("td", _draw_record(picture, boxes[record], record + 1))] if picture else []),
            element("td", _write_values(page, places)),
            class_="record dropped" if page.drops[places].any() else "record kept",
        )
        for record, places in ordered
    ]
    inside = table(count(len(records), "record"), heads, rows)
    rest = f"{len(records) - len(ordered):,} more are not shown." if len(records) > len(ordered) else ""
    summary = element("summary", f"{count(len(records), 'record')}, those with something odd first")
    is_odd = bool(page.drops.any())
    return [Html(element("details", summary, inside, rest).replace("<details>", f"<details{' open' * is_odd}>", 1))]


def _write_values(page: Verdicts, places: Sequence[int]) -> Html:
    """Write the values of a record under the names of their columns."""
    pairs = [
        element(
            "div",
            element("dt", foreign(page.selection.columns[place])),
            element("dd", _short(page.selection.texts[place])),
            class_="wrong" if page.drops[place] else None,
        )
        for place in places
    ]
    reasons = dict.fromkeys(page.reasons[place] for place in places if page.drops[place])
    why = element("ul", *(element("li", foreign(each)) for each in reasons), class_="plain why")
    return join([element("dl", *pairs, class_="values"), why if reasons else ""])


def _bound(page: Verdicts, places: Sequence[int], height: float) -> Box | None:
    """Bound the values of a record on the screenshot; None if they are not on it."""
    document = page.selection.document
    if document.layout is None:
        return None
    nodes = page.selection.nodes[list(places)]
    own = document.layout.boxes[nodes].astype(np.float64)
    boxes = np.where(np.isnan(own), document.layout.boxes[np.maximum(document.parents[nodes], 0)], own)
    seen = boxes[(boxes[:, 2] > 0) & (boxes[:, 3] > 0)]
    if not len(seen):
        return None
    left, top = (seen[:, :2].min(axis=0) - _MARGIN).tolist()
    right, bottom = ((seen[:, :2] + seen[:, 2:]).max(axis=0) + _MARGIN).tolist()
    return None if top >= height else (left, top, right - left, min(bottom, height) - top)


def _draw_record(picture: str | None, box: Box | None, number: int) -> Html:
    """Draw the part of a screenshot that has a record, no larger than `PICTURE`."""
    if picture is None or box is None:
        return Html()
    scale = min(1.0, PICTURE[0] / box[2], PICTURE[1] / box[3])
    return element(
        "svg",
        element("use", href=f"#{picture}"),
        viewBox=" ".join(f"{side:.1f}" for side in box),
        width=max(1.0, box[2] * scale),
        height=max(1.0, box[3] * scale),
        role="img",
        aria_label=crop(f"Record {number} on the page"),
        class_="crop",
    )
