"""The nodes of a page, those that are dropped first."""

from __future__ import annotations

from collections.abc import Sequence

from webquarry.model import Verdicts
from webquarry.validating.page.chart import short
from webquarry.validating.page.markup import Html, address, count, element, foreign, join, table

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
