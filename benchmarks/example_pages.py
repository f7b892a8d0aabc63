"""Score every stage on `examples/`, whose tables in `examples/truth` a person wrote; needs no corpus."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import webquarry as wq
from benchmarks.findings import Finding
from benchmarks.scoring.articles import score_page, sum_up

EXAMPLES = Path(__file__).parent.parent / "examples"
SHOPS = {"kettleby": "index.html", "lumen": "index.html"}
SAMPLES = ("am", "bv", "cd", "dm", "es")
MAX_NEXT_PAGES = 10


def run_examples(root: Path | None, count: int | None = None) -> Finding:  # noqa: ARG001 - as all parts
    """Measure mining, extracting and reading on the example pages."""
    rows = [
        *(_measure_shop(shop, first) for shop, first in SHOPS.items()),
        _measure_book(),
        *(_measure_news(method) for method in ("vote", "blocks", "boilerpipe")),
    ]
    return Finding(
        title="The examples",
        note="The example web, without a browser: of the true values, the share that is right.",
        heads=("", "right", "of"),
        rows=[[name, f"{share:.3f}", of] for name, share, of in rows],
        figures={f"examples, right: {name}": share for name, share, _ in rows},
    )


def read_truth(name: str) -> list[dict[str, str]]:
    """Read a table of the truth."""
    with (EXAMPLES / "truth" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _measure_shop(shop: str, first: str) -> tuple[str, float, str]:
    """Mine the listing of a shop over all its pages, and count the offers whose title and price are right."""
    offers = [row for row in read_truth("offers") if row["shop"] == shop]
    true = Counter((row["product"], float(row["price"]) if row["price"] else None) for row in offers)
    found: Counter[tuple[str, float | None]] = Counter()
    for result in wq.mine_following(wq.fetch(EXAMPLES / "shops" / shop / first), MAX_NEXT_PAGES):
        if isinstance(result, wq.PageRegions):
            found.update(_read_offers(result.regions[0]))
    return f"offers of {shop}: title and price", (true & found).total() / true.total(), f"{true.total()} offers"


def _read_offers(region: wq.Region) -> Iterable[tuple[str, float | None]]:
    """List titles and prices; an offer whose price is a text, such as "price on request", has none."""
    for record in region.records:
        price = record.typed.get("price") or record.typed.get("now")
        amount = float(price.value) if price is not None and isinstance(price.value, int | float) else None
        yield record.values.get("title", ""), amount


def _measure_book() -> tuple[str, float, str]:
    """Learn the fact book from a few pages, and count the sections of the others whose text is right."""
    folder = EXAMPLES / "factbook" / "geos"
    wrapper = wq.wrap([wq.clean(wq.fetch(folder / f"{code}.html")) for code in SAMPLES], name="factbook")
    true, right = 0, 0
    rows = [row for row in read_truth("sections") if Path(row["page"]).stem not in SAMPLES]
    for page in sorted({row["page"] for row in rows}):
        extraction = wq.extract(wrapper, wq.clean(wq.fetch(EXAMPLES / page)))
        texts = Counter(_plain(value.text) for value in extraction.values)
        for row in (row for row in rows if row["page"] == page):
            true += 1
            right += _plain(row["value"]) in texts
    return "sections of the fact book, pages that it was not learnt from", right / true, f"{true} sections"


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()


def _measure_news(method: str) -> tuple[str, float, str]:
    """Read the articles, and score their words against the true paragraphs."""
    rows = read_truth("paragraphs")
    pages = sorted({row["page"] for row in rows})
    articles = wq.read([wq.clean(wq.fetch(EXAMPLES / page)) for page in pages], method=method)
    true = ["\n".join(row["text"] for row in rows if row["page"] == page) for page in pages]
    scores = [score_page(one, article.text) for one, article in zip(true, articles, strict=True)]
    return f"words of articles, {method}: F1", sum_up(scores).words, f"{len(pages)} articles"
