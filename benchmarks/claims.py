"""Compare the claims of eMine's paper about eMine and MDR (sections 4 and 5) with measurements.

Containers, the single record, the advertisement and misused tags are tested on pages that we wrote: a shop with a menu,
a side column of advertisements and a footer, where only the list of goods differs.  Irrelevant regions are counted on
these and on the records corpus, comparisons and time on generated pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import webquarry as wq
from benchmarks.corpora import page_of
from benchmarks.findings import Finding
from benchmarks.listings import listings
from benchmarks.miners import Mined, mine
from benchmarks.mining_speed import SIZES, MiningGrowth, measure_mining_growth, rendered_long_pages
from benchmarks.pool import show_progress
from benchmarks.rendered import rendered_listings
from benchmarks.scoring.records import Score, score_records
from webquarry.mining.emine import mine_emine, trace_emine
from webquarry.mining.mdr import mine_mdr, trace_mdr
from webquarry.mining.visual import mine_visual
from webquarry.model.page import Failure, Page
from webquarry.model.region import Region

_STYLE = """
body {margin: 0; font: 14px sans-serif} .menu, .foot {padding: 8px; background: #eee} .menu a {margin-right: 20px}
.side {float: right; width: 200px; padding: 10px} .goods {margin: 0 240px 0 10px; padding: 0; list-style: none}
.good {display: block; padding: 10px; border-bottom: 1px solid #ccc; min-height: 60px} .good b {display: block}
.good i {display: block; color: #060} .offer {padding: 4px; background: #ffc}
"""
_GOODS = (
    ("Copper kettle", "Whistles when the water boils, holds two litres", "34.50"),
    ("Oak table", "Seats six, oiled by hand, legs can be taken off", "480.00"),
    ("Desk lamp", "Three joints and a heavy foot, takes any bulb", "61.20"),
    ("Wool blanket", "Woven in one piece from undyed yarn", "97.00"),
    ("Garden chair", "Folds flat and stays outside all the year", "42.75"),
    ("Bread knife", "A long serrated blade that cuts crust and crumb", "28.90"),
)
_MENU = ("Home", "Kitchen", "Garden", "Bedroom", "Help")
_OFFERS = ("Win a holiday", "Cheap loans", "Free phone")
_ADVERTISEMENT = '<div class="offer"><img width="80" height="20" alt="">Sponsored: insure your bicycle today</div>'


@dataclass(frozen=True)
class ClaimPage:
    """A page and the texts of its true records."""

    title: str
    page: Page
    truths: tuple[tuple[str, ...], ...]


def claim_pages() -> list[ClaimPage]:
    """Make a page for each container and misuse of tags, one with a single record, and one with an advertisement."""
    goods = [_good("div", each) for each in _GOODS]
    spans = "".join(_good("span", each) for each in _GOODS)
    rows = "".join(f"<tr><td>{_good('div', each)}</td></tr>" for each in _GOODS)
    whole = "".join(goods)
    made = {
        "in a div": f'<div class="goods">{whole}</div>',
        "in a table": f'<div class="goods"><table width="100%">{rows}</table></div>',
        "in a p": f'<p class="goods">{spans}</p>',
        "in a li": f'<ul class="goods"><li>{whole}</li></ul>',
        "in a form": f'<form class="goods">{whole}</form>',
        "a single record": f'<div class="goods">{goods[0]}</div>',
        "an advertisement before the last record": (
            f'<div class="goods">{"".join(goods[:-1])}{_ADVERTISEMENT}{goods[-1]}</div>'
        ),
    }
    made |= {f"misused tags: {title}": body for title, body in _misuse_tags().items()}
    return [_page(title, body, _GOODS[:1] if "single" in title else _GOODS) for title, body in made.items()]


def _misuse_tags() -> dict[str, str]:
    """Write the goods with mistakes that leave the page readable and give a wrong tag tree (section 4.1)."""
    goods = [_good("div", each) for each in _GOODS]
    crossed = [good.replace("</a></b>", "</b></a>").replace("<i>EUR", "<i><u>EUR") for good in goods]
    across = [goods[0].replace("<b>", "<font color=black><b>"), goods[1].replace("</b>", "</b></font>"), *goods[2:]]
    unclosed = [good.removesuffix("</div>") if place % 2 else good for place, good in enumerate(goods)]
    rows = [f"<tr><td>{good}" for good in goods]
    first, last = "".join(goods[:3]), "".join(goods[3:])
    made = {
        "inline tags that overlap": "".join(crossed),
        "a font tag around the first three records": f"<font color=black>{first}</font>{last}",
        "a font tag from one record into the next": "".join(across),
        "every second record not closed": "".join(unclosed),
        "a closing tag too many after the third record": f"{first}</div>{last}",
        "a form between the rows of a table": (
            f'<table width="100%">{"".join(rows[:3])}<form>{"".join(rows[3:])}</form></table>'
        ),
        "a row tag missing in a table": f'<table width="100%">{"".join(rows).replace("<tr><td>", "<td>", 2)}</table>',
    }
    return {title: f'<div class="goods">{body}</div>' for title, body in made.items()}


def _good(tag: str, good: Sequence[str]) -> str:
    name, text, price = good
    return f'<{tag} class="good"><b><a href="/goods">{name}</a></b>{text}<i>EUR {price}</i></{tag}>'


def _page(title: str, goods: str, truths: Sequence[tuple[str, ...]]) -> ClaimPage:
    menu = "".join(f'<a href="/{name.lower()}">{name}</a>' for name in _MENU)
    offers = "".join(f'<div class="offer"><a href="/offer">{name}</a></div>' for name in _OFFERS)
    markup = (
        f"<!DOCTYPE html><html><head><title>Shop</title><style>{_STYLE}</style></head><body>"
        f'<div class="menu">{menu}</div><div class="side">{offers}</div><h1>Goods</h1>{goods}'
        '<div class="foot">All prices with tax. <a href="/terms">Terms</a></div></body></html>'
    )
    return ClaimPage(title, page_of("https://shop.example/", markup), tuple(truths))


METHODS = ("emine", "mdr", "visual")
FINDERS = {"emine": mine_emine, "mdr": mine_mdr, "visual": mine_visual}
"""Timed functions: they find records, like the papers, and do not split them into columns."""
ROLES = ("main", "side", "menu")
_OF_MDR = {"in a table": "yes"}
"""Pages on which, says the paper, MDR finds the region; it says that MDR fails on the others."""
_NOT_SAID = "-"

Truths = Sequence[Sequence[str]]
Row = list[str]


def run_claims(root: Path, count: int | None = None) -> Finding:
    """Measure all claims, one row each."""
    pages = claim_pages()
    rendered = wq.render_all([each.page for each in pages])
    documents = [None if isinstance(result, Failure) else result for result in rendered]
    mined = {method: [mine(document, method) for document in documents] for method in METHODS}
    rows = [_found(page, [mined[method][place] for method in METHODS]) for place, page in enumerate(pages)]
    rows += _irrelevant("our pages", [page.truths for page in pages], mined)
    if listed := listings(root, count):
        rows += _irrelevant("corpus pages", [page.truths for page in listed], _mine_listings(root, count))
    most = SIZES[-1] if count is None else SIZES[2]
    rows += [*_comparisons(most), *_times(measure_mining_growth(FINDERS, most))]
    return Finding(
        title="The claims of eMine's paper",
        note="Claims of sections 4 and 5; measured on pages that we wrote, on the records corpus and on long pages.",
        heads=("", "claimed: eMine", "claimed: MDR", *(f"measured: {method}" for method in METHODS)),
        rows=rows,
        complaints=[
            f"{method} failed: {page.title}: {each.error}"
            for method in METHODS
            for page, each in zip(pages, mined[method], strict=True)
            if each.error
        ],
    )


def _found(page: ClaimPage, mined: Sequence[Mined]) -> Row:
    """Compare the best region with the true records."""
    measured = [_verdict(_score(page.truths, each.regions[:1])) for each in mined]
    return [f"records found: {page.title}", "yes", _OF_MDR.get(page.title, "no"), *measured]


def _verdict(score: Score) -> str:
    if score.right == score.found == score.true:
        return "yes"
    return f"{score.right} of {score.true} right, {score.found - score.right} wrong" if score.found else "nothing"


def _score(truths: Truths, regions: Sequence[Region]) -> Score:
    return score_records(truths, [record.text for region in regions for record in region.records])


def _mine_listings(root: Path, count: int | None) -> dict[str, list[Mined]]:
    documents = rendered_listings(root, count)
    return {
        method: [mine(each, method) for each in show_progress(documents, len(documents), f"claims, {method}")]
        for method in METHODS
    }


def _irrelevant(where: str, truths: Sequence[Truths], mined: Mapping[str, Sequence[Mined]]) -> list[Row]:
    """Count regions without any right record per page: of all roles, and of the role main only."""

    def count(method: str, roles: Sequence[str]) -> str:
        pages = zip(truths, mined[method], strict=True)
        return f"{fmean(_count_wrong(true, page.regions, roles) for true, page in pages):.1f}"

    return [
        [f"irrelevant regions a page: {where}{which}", "0", "some", *(count(method, roles) for method in METHODS)]
        for which, roles in (("", ROLES), (", called main", ROLES[:1]))
    ]


def _count_wrong(truths: Truths, regions: Sequence[Region], roles: Sequence[str]) -> int:
    return sum(not _score(truths, [region]).right for region in regions if region.role in roles)


def _comparisons(most: int) -> list[Row]:
    """Count comparisons on long lists; our default compares no nodes, but sorts and counts columns."""
    lists = [document for (kind, _), document in rendered_long_pages(most).items() if kind == "list"]
    return [
        [
            f"comparisons: list of {len(document):,} nodes",
            "O(n), of numbers",
            "O(nk), of strings",
            *(
                f"{trace.comparisons:,}" if trace else _NOT_SAID
                for trace in (trace_emine(document), trace_mdr(document))
            ),
            _NOT_SAID,
        ]
        for document in lists
    ]


def _times(growths: Sequence[MiningGrowth]) -> list[Row]:
    by_kind: dict[str, list[MiningGrowth]] = {}
    for growth in growths:
        by_kind.setdefault(growth.kind, []).append(growth)
    return [
        row
        for kind, each in by_kind.items()
        for row in (
            _time_row(f"growth exponent of time: {kind}", each, lambda growth: f"{growth.exponent:.2f}"),
            _time_row(f"ms for the longest: {kind}", each, _longest),
        )
    ]


def _time_row(title: str, growths: Sequence[MiningGrowth], show: Callable[[MiningGrowth], str]) -> Row:
    claimed = ("1", "1, without the comparison of strings") if "exponent" in title else (_NOT_SAID, _NOT_SAID)
    return [title, *claimed, *(show(growth) for growth in growths)]


def _longest(growth: MiningGrowth) -> str:
    nodes = max(growth.seconds)
    return f"{growth.seconds[nodes] * 1000:,.0f} ({nodes:,} nodes)"
