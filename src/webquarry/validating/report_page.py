"""The report, from its head to its last page."""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from webquarry.model.layout import Box, Layout
from webquarry.model.report import Report, Verdicts
from webquarry.validating.report_charts import Deletion, draw_curve, draw_histogram, short
from webquarry.validating.report_markup import (
    MAX_TEXT,
    STYLE,
    Html,
    address,
    count,
    element,
    foreign,
    join,
    share,
    table,
    text,
)


# MERGED validating/page/figures: What there is to count in a report.
@dataclass(frozen=True)
class Figures:
    """Numbers of one page, or of all."""

    nodes: int
    dropped: int
    bytes: int
    bytes_dropped: int
    """Of the texts in UTF-8, white space folded."""
    additions: int
    unmapped: int


def count_page(page: Verdicts) -> Figures:
    """The numbers of a page."""
    sizes = [len(" ".join(each.split()).encode(errors="replace")) for each in page.selection.texts]
    dropped = page.drops.tolist()
    return Figures(
        nodes=len(sizes),
        dropped=sum(dropped),
        bytes=sum(sizes),
        bytes_dropped=sum(size for size, drop in zip(sizes, dropped, strict=True) if drop),
        additions=len(page.additions),
        unmapped=len(page.selection.unmapped),
    )


def add_up(figures: Iterable[Figures]) -> Figures:
    """The numbers of all pages together."""
    every = list(figures)
    return Figures(
        sum(each.nodes for each in every),
        sum(each.dropped for each in every),
        sum(each.bytes for each in every),
        sum(each.bytes_dropped for each in every),
        sum(each.additions for each in every),
        sum(each.unmapped for each in every),
    )


def title_of(page: Verdicts) -> str:
    """What a page calls itself, or else the end of its address."""
    document = page.selection.document
    node = document.node("/html/head/title")
    told = " ".join(document.texts[node + 1].split()) if node is not None and node + 1 < len(document) else ""
    return told or document.url.rstrip("/").rpartition("/")[2] or "page"


def pages_of(report: Report) -> list[tuple[str, Verdicts, Figures]]:
    """Each page with its anchor and its numbers."""
    return [(f"page-{number}", page, count_page(page)) for number, page in enumerate(report.pages, start=1)]


# MERGED validating/page/summary: What a reader wants to know first: how much was dropped, and on which pages
def write_summary(report: Report, total: Figures, notes: Sequence[str]) -> Html:
    """Numbers of the whole, and what must be known of them."""
    tiles = [
        ("pages", f"{len(report.pages):,}", f"method {report.method}"),
        ("nodes", f"{total.nodes:,}", f"{total.bytes:,} bytes of text"),
        ("nodes dropped", f"{total.dropped:,}", share(total.dropped, total.nodes)),
        ("bytes dropped", f"{total.bytes_dropped:,}", share(total.bytes_dropped, total.bytes)),
    ]
    tiles += [("nodes to add", f"{total.additions:,}", "look as the extraction's own")] * (total.additions > 0)
    tiles += [("not found", f"{total.unmapped:,}", "addresses that stand for no node")] * (total.unmapped > 0)
    listed = element("dl", *(_tile(*tile) for tile in tiles), class_="tiles")
    told = element("ul", *(element("li", note) for note in notes), class_="notes") if notes else Html()
    return join([listed, told])


def write_overview(pages: Sequence[tuple[str, Verdicts, Figures]]) -> Html:
    """A row a page, which leads to it."""
    numbers = ["nodes", "dropped", "bytes dropped", "added", "not found"]
    return table(
        count(len(pages), "page"), ["page", *numbers], (_overview_row(*each) for each in pages), numbers=numbers
    )


def _tile(name: str, number: str, beside: str) -> Html:
    return element("div", element("dt", name), element("dd", number), element("dd", beside, class_="beside"))


def _overview_row(anchor: str, page: Verdicts, figures: Figures) -> Html:
    numbers = [
        f"{figures.nodes:,}",
        f"{figures.dropped:,}",
        f"{figures.bytes_dropped:,} ({share(figures.bytes_dropped, figures.bytes)})",
        f"{figures.additions:,}",
        f"{figures.unmapped:,}",
    ]
    return element(
        "tr",
        element("th", element("a", foreign(title_of(page)), href=f"#{anchor}"), scope="row"),
        *(element("td", number, class_="number") for number in numbers),
    )


# MERGED validating/page/node_tables: The nodes of a page, those that are dropped first.
MAX_DROPPED = 1_000
MAX_KEPT = 200
MAX_UNMAPPED = 200
"""Rows of a page that are shown; a report of a hundred pages must still open."""


def write_nodes(page: Verdicts, anchor: str, *, kept_shown: int = MAX_KEPT) -> Html:
    """Tables of what is dropped and what should be added, then, folded, what is kept and what was not found."""
    places = page.drops.nonzero()[0].tolist()
    kept = (~page.drops).nonzero()[0].tolist()
    parts: list[Html] = []
    if places:
        places.sort(key=lambda place: -page.scores[place])
        parts.append(_write(page, places, anchor, "dropped", MAX_DROPPED))
    if page.additions:
        parts.append(_write_additions(page, anchor))
    if kept and kept_shown:
        inside = _write(page, kept, anchor, "kept", min(kept_shown, MAX_KEPT))
        parts.append(element("details", element("summary", count(len(kept), "node"), " kept"), inside))
    if page.selection.unmapped:
        parts.append(_write_unmapped(page.selection.unmapped))
    return join(parts)


def _write(page: Verdicts, places: Sequence[int], anchor: str, name: str, most: int) -> Html:
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
    return join(
        [table(f"{count(len(places), 'node')} {name}", heads, rows, numbers=["score"]), _tell_rest(len(places), most)]
    )


def _write_additions(page: Verdicts, anchor: str) -> Html:
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
    return join([table(caption, ["", "text", "reason", "XPath"], rows), _tell_rest(len(page.additions), MAX_DROPPED)])


def _write_unmapped(unmapped: Sequence[str]) -> Html:
    summary = element("summary", f"Addresses of the extraction that stand for no node of the page: {len(unmapped):,}")
    entries = (element("li", address(each)) for each in unmapped[:MAX_UNMAPPED])
    return element("details", summary, element("ul", *entries), _tell_rest(len(unmapped), MAX_UNMAPPED))


def _tell_rest(number: int, most: int) -> Html:
    return element("p", f"{number - most:,} more are not shown.", class_="note") if number > most else Html()


# MERGED validating/page/screenshot: A screenshot of a page with what was extracted outlined on it.
MAX_KEPT_SCREENSHOT = 2_000
"""Outlines of what is kept, for each page."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LABEL = 20
"""CSS pixels of the page, in height: screenshots are shown at two thirds of their size or so."""
_DIGIT = 11


def draw_screenshot(page: Verdicts, picture: bytes, anchor: str, title: str) -> Html:
    """The picture, with outlines that lead to the rows of their nodes; nothing on a page without a layout."""
    layout = page.selection.document.layout
    if layout is None:
        return Html()
    width, height = _size(picture)
    shown = f"0 0 {layout.width} {max(1, round(height * layout.width / width))}"
    outlines = element(
        "svg",
        *_outline(page, layout, anchor),
        viewBox=shown,
        preserveAspectRatio="none",
        aria_label=f"Outlines on {title}",
    )
    image = element(
        "img",
        src=f"data:image/png;base64,{b64encode(picture).decode()}",
        width=width,
        height=height,
        alt=f"Screenshot of {title}; {count(int(page.drops.sum()), 'dropped node')} and "
        f"{count(len(page.additions), 'addition')} are outlined",
    )
    frame = element("div", Html(image.removesuffix("</img>")), outlines, class_="frame")
    return element(
        "figure",
        element("div", frame, class_="view", tabindex="0", role="group", aria_label=f"Screenshot of {title}, scrolls"),
        element(
            "figcaption",
            element("span", "dropped", class_="key dropped"),
            element("span", "added", class_="key added"),
            element("span", "kept", class_="key kept"),
            " Numbers lead to the rows below.",
        ),
    )


def _size(picture: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    if not picture.startswith(_SIGNATURE) or len(picture) < 24:
        raise ValueError("a screenshot must be PNG")
    width, height = struct.unpack(">II", picture[16:24])
    return max(1, width), max(1, height)


def _outline(page: Verdicts, layout: Layout, anchor: str) -> list[Html]:
    """Outlines of what is kept below those of what is dropped and added."""
    nodes, drops = page.selection.nodes, page.drops
    kept = [
        element("rect", **_sides(box), class_="kept")
        for node in nodes[~drops][:MAX_KEPT_SCREENSHOT].tolist()
        if (box := box_of(page, layout, node))
    ]
    dropped = [(place + 1, int(nodes[place]), page.reasons[place]) for place in drops.nonzero()[0].tolist()]
    marked = [
        _mark(box, "dropped", number, f"{number}: {page.selection.texts[number - 1]}: {reason}", f"{anchor}-{number}")
        for number, node, reason in dropped
        if (box := box_of(page, layout, node))
    ]
    added = [
        _mark(box, "added", number, f"+{number}: {reason}", f"{anchor}-add-{number}")
        for number, (node, reason) in enumerate(page.additions, start=1)
        if (box := box_of(page, layout, node))
    ]
    return [*kept, *added, *marked]


def _mark(box: Box, name: str, number: int, told: str, target: str) -> Html:
    """An outline with its number, which tells why and leads to the row."""
    label = f"+{number}" if name == "added" else str(number)
    width = _DIGIT * len(label) + 8
    x, y = max(0.0, box[0] - 3), max(0.0, box[1] - _LABEL)
    told = told if len(told) <= MAX_TEXT else f"{told[:MAX_TEXT]}…"
    around = box[0] - 3, box[1] - 3, box[2] + 6, box[3] + 6
    return element(
        "a",
        element("title", told),
        element("rect", **_sides(around), class_=name),
        element("rect", x=x, y=y, width=width, height=_LABEL, class_=f"tag {name}"),
        element("text", text(label), x=x + width / 2, y=y + 15, text_anchor="middle"),
        href=f"#{target}",
        aria_label=told,
    )


def _sides(box: Box) -> dict[str, float]:
    return dict(zip(("x", "y", "width", "height"), box, strict=True))


def box_of(page: Verdicts, layout: Layout, node: int) -> Box | None:
    """The box of a node, or of the element that holds it; None where neither has an area."""
    for each in (node, int(page.selection.document.parents[node])):
        x, y, width, height = layout.boxes[each].tolist() if each >= 0 else (0.0, 0.0, 0.0, 0.0)
        if width > 0 and height > 0:  # not so where it is NaN
            return x, y, width, height
    return None


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
    for url in addresses:
        picture = screenshots.get(url)
        if picture is not None and len(picture) <= room:
            chosen[url] = picture
            room -= len(picture)
    notes, given = list(report.notes), sum(url in screenshots for url in addresses)
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
