"""Item wrappers by the commands: learnt, corrected, checked, extracted and queried."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest

LAMPS = Path(__file__).parents[2] / "examples" / "shops" / "lumen"
SAMPLES = ("lu-4100", "lu-4107", "lu-4121")


@pytest.fixture
def shop(work: Path) -> Path:
    """The example shop in the working folder."""
    shutil.copytree(LAMPS, work / "shop")
    return work / "shop" / "leuchten"


@pytest.fixture
def lamps(quarry, work, shop) -> Path:
    """The wrapper of its lamps, learnt from three of them."""
    pages = [f"shop/leuchten/{name}.html" for name in SAMPLES]
    place = ("--pages", "lu-{number}.html", "--key", "lamp", "--index", "shop/leuchten/index.html")
    done = quarry("wrap", *pages, "--name", "lamps", "--static", *place, "-o", "lamps.toml")
    assert done.returncode == 0, done.stderr
    return work / "lamps.toml"


def test_the_outline_shows_each_field_with_an_example(quarry, work, shop):
    pages = [f"shop/leuchten/{name}.html" for name in SAMPLES]
    done = quarry("wrap", *pages, "--name", "lamps", "--static", "-o", "lamps.toml")
    assert b"kind item: each page is about one thing: its og:type is product; choose another with" in done.stderr
    lines = [line.split(maxsplit=1)[1] for line in done.stdout.decode().splitlines() if line.strip()[:1].isdigit()]
    assert 'title text  "Halden Desk Lamp HD-210"' in lines
    assert 'price money  "49,90 €"' in lines
    assert any(line.startswith("features list  ") for line in lines)


def test_samples_of_different_templates_are_told(quarry, work):
    for name, labels in (
        ("Lamp", "Height Width Depth Shade Bulb Cable"),
        ("Essay", "Author Editor Year Pages Theme Press"),
    ):
        facts = "".join(f"<tr><th>{label}</th><td>{label[::-1]} {name}</td></tr>" for label in labels.split())
        (work / f"{name}.html").write_text(f"<title>{name}</title><h1>{name}</h1><table>{facts}</table>")
    done = quarry("wrap", "Lamp.html", "Essay.html", "--kind", "item", "--name", "x", "--static", "-o", "x.toml")
    assert b"field is on all samples; if they have different templates, learn a wrapper for each" in done.stdout


def test_a_picture_shows_the_fields(browser, quarry, work, shop):
    pages = [f"shop/leuchten/{name}.html" for name in SAMPLES]
    done = quarry("wrap", *pages, "--root", "shop", "--name", "lamps", "--picture", "fields.png", "-o", "lamps.toml")
    assert done.returncode == 0, done.stderr
    assert (work / "fields.png").read_bytes().startswith(b"\x89PNG")
    assert tomllib.loads((work / "lamps.toml").read_text())["source"]["kind"] == "item"


def test_a_field_is_added_by_a_text_and_taken_back(quarry, lamps):
    before = lamps.read_text()
    done = quarry("correct", lamps, "add", "LU-4107", "--name", "sku")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, b"+ sku text"), done.stderr
    (found,) = (
        json.loads(line) for line in quarry("extract", lamps, "--key", "Orrin Chandelier C-12").stdout.splitlines()
    )
    assert found["record"]["sku"] == "LU-4128"
    quarry("correct", lamps, "undo")
    assert quarry("correct", lamps, "redo").returncode == 0
    quarry("correct", lamps, "undo")
    assert tomllib.loads(lamps.read_text())["field"] == tomllib.loads(before)["field"]


def test_only_the_wanted_fields_are_extracted(quarry, lamps):
    done = quarry("extract", lamps, "--key", "Orrin Spot Bar S-4", "--only", "price", "--only", "features")
    (found,) = (json.loads(line) for line in done.stdout.splitlines())
    assert found["record"] == {"price": "109,90 €", "features": ["Vier drehbare Köpfe", "Für Decke und Wand"]}
    assert found["typed"]["price"] == {"value": 109.9, "unit": "EUR"}


def test_a_query_reads_the_pages_of_its_keys_with_typed_columns(quarry, lamps):
    query = "SELECT title, price, price_unit, len(features) AS features FROM lamps WHERE lamp = 'Orrin Wall Lamp W-07'"
    done = quarry("sql", query, "--catalog", ".", "--format", "json")
    assert json.loads(done.stdout) == [
        {"title": "Orrin Wall Lamp W-07", "price": 62.0, "price_unit": "EUR", "features": 2}
    ]
    plan = quarry("sql", query, "--catalog", ".", "--explain").stdout.decode()
    assert "2 pages in all" in plan  # the index and the page of the key
    done = quarry("sql", "SELECT count(*) AS n FROM lamps WHERE price > 100", "--catalog", ".", "--format", "json")
    assert json.loads(done.stdout) == [{"n": 3}]


def test_check_tells_what_is_expected_and_not_found(quarry, lamps, shop):
    page = shop / "lu-4226.html"
    page.write_text(page.read_text().replace('class="price__now"', 'class="cost"'))
    done = quarry("check", lamps, "shop/leuchten/lu-4226.html", "shop/leuchten/lu-4107.html")
    assert "not found: price" in done.stdout.decode()


@pytest.mark.parametrize(
    ("pages", "options", "said"),
    [
        (["leuchten/lu-4100.html"], ["--kind", "item"], "name two or more of them"),
        (["leuchten/lu-4100.html"], [], "two or more pages like it could be an item"),
        (
            ["leuchten/lu-4100.html", "leuchten/lu-4107.html", "info.html"],
            ["--kind", "item"],
            "info.html: this sample has",
        ),
        (["leuchten/lu-4100.html", "leuchten/lu-4107.html", "empty.html"], ["--kind", "item"], "has 0 of the"),
        (["index.html", "page-2.html"], ["--kind", "item"], "look like listings (11 records that lead to other pages)"),
    ],
)
def test_samples_that_make_no_item_are_told(quarry, shop, pages, options, said):
    (shop.parent / "empty.html").write_text("")
    named = [f"shop/{page}" for page in pages]
    done = quarry("wrap", *named, "--name", "x", "--static", "-o", "x.toml", *options)
    assert said in done.stderr.decode()


def test_the_listing_of_detail_pages_can_still_be_learnt(quarry, shop):
    named = [f"shop/leuchten/{name}.html" for name in SAMPLES]
    done = quarry("wrap", *named, "--name", "related", "--kind", "records", "--static", "-o", "related.toml")
    assert done.returncode == 0, done.stderr
    found = json.loads(quarry("extract", "related.toml", "shop/leuchten/lu-4128.html").stdout)["record"]["records"]
    assert [record["title"] for record in found] == [
        "Halden Bedside Lamp HB-90",
        "Orrin Spot Bar S-4",
        "Halden Desk Lamp HD-210",
    ]


def test_validate_takes_extractions_of_items(quarry, lamps, work):
    assert quarry("extract", lamps, "-o", "lamps.jsonl").returncode == 0
    done = quarry("validate", "lamps.jsonl", "--static")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 8
    columns = [score["column"] for score in lines[0]["scores"]]
    assert [column for column in columns if column.startswith("features")] == [
        "features[0]",
        "features[1]",
        "features[2]",
    ]
