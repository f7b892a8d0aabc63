"""`quarry demo`."""

from __future__ import annotations

import csv
import itertools
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import webquarry as wq
from webquarry.cli.demo import MARK, NEXT, RESULTS, find_examples

NOT_ON_SAMPLES = (*3 * ["Birth rate"], *2 * ["Military - note"], *3 * ["Polar Stations"], *2 * ["Transnational Issues"])
"""Sections of further pages that none of the samples has."""
MEMBERSHIP = ("abbreviation", "country", "code", "joined")
Done = tuple[subprocess.CompletedProcess[bytes], Path]


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> Done:
    """The demonstration, which takes seconds, once; and the folder of its results."""
    folder = tmp_path_factory.mktemp("demo") / "results"
    command = [sys.executable, "-m", "webquarry", "demo", str(folder)]
    return subprocess.run(command, capture_output=True, timeout=300, check=False), folder


def true_table(name: str) -> list[dict[str, str]]:
    text = (find_examples() / "truth" / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(keepends=True)))


def true_offers() -> list[dict[str, str]]:
    return true_table("offers")


def test_the_demo_ends_well_and_tells_where_the_results_are(done):
    process, folder = done
    assert (process.returncode, process.stderr) == (0, b"")
    shown = process.stdout.decode()
    assert shown.index(f"the results go to {folder}") < shown.index("1. Clean")
    assert f"The results are in {folder}" in shown.splitlines()
    told, command = shown.rstrip("\n").splitlines()[-2:]
    assert "with the mouse" in told
    assert re.fullmatch(r"\S+ workbench \S+/shops/\S+\.html", command)
    assert {path.name for path in folder.iterdir()} == {MARK, *RESULTS}


def test_the_demo_cleans_all_example_pages(done, read):
    process, folder = done
    written = list(folder.rglob("*.xhtml"))
    assert f"{len(written)} files in {done[1] / 'clean'}" in process.stdout.decode()
    assert len(written) > 30
    for path in written:
        read(path.read_text(encoding="utf-8").rstrip("\n"))


def test_the_demo_mines_the_offers_of_both_shops_into_one_table(done):
    rows = true_offers()
    offers = sorted((row["shop"], row["product"], float(row["price"]) if row["price"] else None) for row in rows)
    with duckdb.connect(str(done[1] / "offers.duckdb"), read_only=True) as connection:
        shop = "regexp_extract(_page, 'shops/(\\w+)/', 1)"
        mined = connection.sql(f"SELECT {shop}, title, price FROM offers").fetchall()
    assert sorted(mined) == offers


def test_the_demo_tells_the_cheaper_offers_of_what_both_shops_have(done):
    told = done[0].stdout.decode()
    shops = Counter(row["product"] for row in true_offers())
    assert all(product in told for product, count in shops.items() if count == 2)


def leaves(record: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, inside in record.items():
        if isinstance(inside, dict):
            yield from leaves(inside, (*path, name))
        else:
            yield (*path, name), " ".join(inside.split())


def test_the_demo_extracts_every_section_of_the_fact_book_and_nothing_else(done):
    wanted: dict[str, dict[str, str]] = {}
    for row in true_table("sections"):
        wanted.setdefault(row["page"], {})[row["path"]] = row["value"]
    known = 0
    for line in (done[1] / "factbook.jsonl").read_text(encoding="utf-8").splitlines():
        result = json.loads(line)
        assert result["record"].pop("_title") == result["key"]
        found = dict(leaves(result["record"]))
        plain = {" > ".join(path[1:] if path[0] == "_other" else path): text for path, text in found.items()}
        assert plain == wanted.pop(result["page"].partition("/examples/")[2])
        known += sum(path[0] != "_other" for path in found)
    assert not wanted
    assert known == len(true_table("sections")) - len(NOT_ON_SAMPLES)


def test_the_demo_corrects_the_wrapper_and_leaves_it_for_the_reader(done):
    told = done[0].stdout.decode()
    assert "+   time_difference" in told
    wrapper = tomllib.loads((done[1] / "catalog" / "factbook.toml").read_text(encoding="utf-8"))
    assert wrapper["history"]["steps"]["actions"] == 1
    with duckdb.connect() as connection:
        query = f"SELECT country, government.time_difference FROM '{done[1] / 'factbook.parquet'}'"
        clocks = dict(connection.sql(query).fetchall())
    assert len(clocks) == 14
    assert all(clock.startswith("UTC") for clock in clocks.values() if clock is not None)
    assert all(country in told for country in ("Galdora", "Norrund", "Tarvenia"))


def tables(told: str) -> list[list[list[str]]]:
    """The cells of the tables that were printed, by rows; the first row is the names of columns."""
    lines = [line.strip() for line in told.splitlines()]
    found = []
    for place, line in enumerate(lines):
        if re.fullmatch(r"-+(  -+)+", line):
            rows = itertools.takewhile(lambda row: not re.fullmatch(r"\d+ rows|… .*", row), lines[place + 1 :])
            found.append([re.split(r"  +", row) for row in (lines[place - 1], *rows)])
    return found


def test_the_demo_joins_two_sources_and_answers_as_their_pages_say(done):
    members = {row["country"] for row in true_table("groups") if row["abbreviation"] == "ISCU"}
    expected = [
        (row["country"], float(row["unemployment_rate"]), float(row["military_percent_of_gdp"]))
        for row in true_table("countries")
        if row["country"] in members
    ]
    answers = {tuple(names): rows for names, *rows in tables(done[0].stdout.decode())}
    rows = answers["country", "unemployed", "defence"]
    assert [(country, float(first), float(second)) for country, first, second in rows] == sorted(expected)


def test_the_demo_tells_the_plan_and_fetches_the_pages_of_the_members_alone(done):
    told = done[0].stdout.decode()
    plan = ("1. groups as g: 1 page", "2. factbook as f: at most 14 pages and its index", "f.country = g.country")
    assert all(line in told for line in plan)
    assert "8 pages fetched (groups 1, factbook 7)" in told


def test_the_demo_leaves_a_catalog_to_query_further(done):
    process, folder = done
    catalog = folder / "catalog"
    told = process.stdout.decode()
    assert f'quarry sql "SHOW TABLES" --catalog {catalog}' in told
    assert f'quarry sql "{NEXT}" --catalog {catalog}' in told
    connection = wq.connect(catalog)
    assert connection.sql("SHOW TABLES").table.column("name").to_pylist() == ["factbook", "groups"]
    assert connection.sql(NEXT).table.to_pylist() == [{"country": "Kestria", "capital": "Zellen"}]


def test_the_table_of_groups_in_the_demo_is_the_true_one(done):
    table = wq.connect(done[1] / "catalog").sql("SELECT member_of, country, lower(code), joined_text FROM groups").table
    found = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    assert found == [tuple(row[name] for name in MEMBERSHIP) for row in true_table("groups")]


def test_the_demo_reads_all_paragraphs_and_what_pages_state(done):
    wanted = {row["text"] for row in true_table("paragraphs")}
    lines = (done[1] / "articles.jsonl").read_text(encoding="utf-8").splitlines()
    articles = [json.loads(line) for line in lines]
    assert wanted <= {" ".join(line.split()) for article in articles for line in article["text"].splitlines()}
    assert {article["title"] for article in articles} == {row["title"] for row in true_table("articles")}


def test_the_texts_of_the_demo_have_no_comment_menu_or_caption(done):
    texts = [path.read_text(encoding="utf-8") for path in (done[1] / "articles").iterdir()]
    assert len(texts) == len(true_table("articles"))
    others = (
        "This site uses cookies",
        "Most read",
        "Front page",
        "More from the Gazette",
        "Copy link",
        "Gazette picture",
    )
    assert not [other for other in others for text in texts if other in text]


def figures(told: str, name: str) -> list[tuple[float, float, float]]:
    """Precision, recall and F1 on the lines of this name: by the vote, then by style."""
    lines = [line.strip().removeprefix(name) for line in told.splitlines() if line.strip().startswith(name)]
    return [(float(precision), float(recall), float(f1)) for precision, recall, f1, *_ in map(str.split, lines)]


def test_validation_in_the_demo_betters_what_boilerpipe_reads(done):
    told = done[0].stdout.decode()
    before, after = figures(told, "as extracted")[0], figures(told, "without what is dropped")[0]
    assert after[0] > before[0] + 0.05
    assert (before[1], after[1]) == (1, 1)
    assert "Gazette picture" in told


@pytest.mark.usefixtures("browser")
def test_the_paper_is_right_about_visual_outliers_on_the_pages_of_the_demo(done):
    told = done[0].stdout.decode()
    (_, before), (_, stopped), (_, best) = (
        [f1 for _, _, f1 in figures(told, name)]
        for name in ("as extracted", "without what is dropped", "at the best F1")
    )
    assert before < stopped < best
    assert "It is grey (#555555)" in told


@pytest.mark.usefixtures("browser")
def test_the_demo_leaves_reports_with_pictures(done):
    for name in ("report.html", "report-hbos.html"):
        report = (done[1] / name).read_text(encoding="utf-8")
        assert report.count("data:image/png;base64,") == len(true_table("articles"))
        assert "Nell Ashgrove" in report


@pytest.mark.usefixtures("browser")
def test_the_demo_leaves_pictures(done):
    pictures = sorted(path.name for path in (done[1] / "pictures").iterdir())
    assert pictures == ["factbook-headings.png", "kettleby-emine.png", "kettleby-visual.png", "lumen-visual.png"]
