"""What a reader wants to know first: how much was dropped, and on which pages."""

from __future__ import annotations

from collections.abc import Sequence

from webquarry.model import Report, Verdicts
from webquarry.validating.page.figures import Figures, title_of
from webquarry.validating.page.markup import Html, count, element, foreign, join, share, table


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
