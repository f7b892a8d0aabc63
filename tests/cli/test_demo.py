"""`quarry demo`."""

from __future__ import annotations

import csv
from collections import Counter

import duckdb
import pytest

from webquarry import demo
from webquarry.rendering import ADVICE, find_browser

NEEDS_BROWSER = pytest.mark.skipif(find_browser() is None, reason=f"no browser: {ADVICE}")


def true_offers() -> list[dict[str, str]]:
    text = (demo.find_examples() / "truth" / "offers.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def test_the_demo_cleans_all_example_pages(quarry, work, read):
    done = quarry("demo", "results")
    assert (done.returncode, done.stderr) == (0, b"")
    written = list((work / "results").rglob("*.xhtml"))
    assert f"{len(written)} of {len(written)} pages" in done.stdout.decode()
    assert len(written) > 30
    assert "/html/body" in done.stdout.decode()
    for path in written[:5]:
        read(path.read_text(encoding="utf-8").rstrip("\n"))


def test_the_demo_mines_the_offers_of_both_shops_into_one_table(quarry, work):
    rows = true_offers()
    offers = sorted((row["shop"], row["product"], float(row["price"]) if row["price"] else None) for row in rows)
    quarry("demo", "results")
    with duckdb.connect(str(work / "results" / "offers.duckdb"), read_only=True) as connection:
        shop = "regexp_extract(_page, 'shops/(\\w+)/', 1)"
        mined = connection.sql(f"SELECT {shop}, title, coalesce(price, now) FROM offers").fetchall()
    assert sorted(mined) == offers


def test_the_demo_tells_the_cheaper_offers_of_what_both_shops_have(quarry, work):
    told = quarry("demo", "results").stdout.decode()
    shops = Counter(row["product"] for row in true_offers())
    assert all(product in told for product, count in shops.items() if count == 2)


@NEEDS_BROWSER
def test_the_demo_leaves_pictures(quarry, work):
    quarry("demo", "results")
    pictures = sorted(path.name for path in (work / "results" / "pictures").iterdir())
    assert pictures == ["kettleby-emine.png", "kettleby-visual.png", "lumen-visual.png"]
