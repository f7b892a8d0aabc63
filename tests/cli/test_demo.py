"""`quarry demo`."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from webquarry import demo

Done = tuple[subprocess.CompletedProcess[bytes], Path]


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> Done:
    """The demonstration, which takes seconds, once; and the folder of its results."""
    folder = tmp_path_factory.mktemp("demo") / "results"
    command = [sys.executable, "-m", "webquarry", "demo", str(folder)]
    return subprocess.run(command, capture_output=True, timeout=300, check=False), folder


def true_offers() -> list[dict[str, str]]:
    text = (demo.find_examples() / "truth" / "offers.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def test_the_demo_ends_well_and_tells_where_the_results_are(done):
    process, folder = done
    assert (process.returncode, process.stderr) == (0, b"")
    assert str(folder) in process.stdout.decode()


def test_the_demo_cleans_all_example_pages(done, read):
    process, folder = done
    written = list(folder.rglob("*.xhtml"))
    assert f"{len(written)} of {len(written)} pages" in process.stdout.decode()
    assert len(written) > 30
    assert "/html/body" in process.stdout.decode()
    for path in written[:5]:
        read(path.read_text(encoding="utf-8").rstrip("\n"))


def test_the_demo_mines_the_offers_of_both_shops_into_one_table(done):
    rows = true_offers()
    offers = sorted((row["shop"], row["product"], float(row["price"]) if row["price"] else None) for row in rows)
    with duckdb.connect(str(done[1] / "offers.duckdb"), read_only=True) as connection:
        shop = "regexp_extract(_page, 'shops/(\\w+)/', 1)"
        mined = connection.sql(f"SELECT {shop}, title, coalesce(price, now) FROM offers").fetchall()
    assert sorted(mined) == offers


def test_the_demo_tells_the_cheaper_offers_of_what_both_shops_have(done):
    told = done[0].stdout.decode()
    shops = Counter(row["product"] for row in true_offers())
    assert all(product in told for product, count in shops.items() if count == 2)


@pytest.mark.usefixtures("browser")
def test_the_demo_leaves_pictures(done):
    pictures = sorted(path.name for path in (done[1] / "pictures").iterdir())
    assert pictures == ["kettleby-emine.png", "kettleby-visual.png", "lumen-visual.png"]
