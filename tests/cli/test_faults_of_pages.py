"""Faults of ours on one page of two, at each stage: that page is one line, and the results of the other are written."""

from __future__ import annotations

import csv
import importlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from pkgutil import walk_packages

import duckdb
import pyarrow.parquet as pq
import pytest
from benchmarks.switches import find_uses

import webquarry
from webquarry.mining import alignment

PAGES = ("1.html", "2.html")
TREES = ("Alder", "Birch")
"""A word of each page that the other lacks."""
TABLES = {"table": "out.txt", "json": "out.json", "jsonl": "out.jsonl", "csv": "out.csv"}
TABLES |= {"parquet": "out.parquet", "duckdb": "out.duckdb", "sqlite": "out.sqlite"}
TEXTS = {"text": "out.txt", "markdown": "out.md"}

CLEAN = ("webquarry.cleaning.html5:clean_html5",)
VISUAL = ("webquarry.mining.visual:mine_visual",)
TABLE_MINER = ("webquarry.mining.table_regions:mine_tables",)
COLUMNS = ("webquarry.mining.alignment:align_fields",)
BLOCKS = ("webquarry.pipeline.read_pages:read_listing_too",)
METADATA = ("webquarry.reading.article_metadata:PageStatements.to_metadata",)
VOTE = ("webquarry.validating.votes:decide_page",)
SECTIONS = ("webquarry.wrapping.section_reader:Reader.read",)
LISTING = ("webquarry.wrapping.listing_reader:read_listing",)
TABLE_READER = ("webquarry.wrapping.table_wrapper:read_table",)


def make_offers(tree: str) -> str:
    """A listing."""
    offers = "".join(
        f"<div class=offer><h3><a href='/{name}'>{tree} {name}</a></h3><p>A {name} of {tree} wood made to last.</p>"
        f"<span class=price>EUR {len(name)}.50</span></div>"
        for name in ("kettle", "lamp", "mirror", "basket")
    )
    return f"<div id=offers>{offers}</div>"


def make_page(tree: str) -> str:
    """A page with sections, a listing, a table and prose."""
    rows = "".join(f"<tr><td>{tree} {name}<td>{len(name)}.50" for name in ("bench", "stool", "wardrobe"))
    prose = "".join(f"<p>Sentence {n} on {tree} trees tells of rivers, and of towns beside them.</p>" for n in range(4))
    return (
        "<!doctype html><html lang=en>"
        f"<title>{tree} trees</title>\n<body>\n<h1>{tree} trees</h1>\n<article>{prose}</article>\n"
        f"<h2>Land</h2>\n<p><b>Setting:</b> hills of {tree}</p>\n<p><b>Area:</b> {len(tree)}7 sq km</p>\n"
        f"<h2>People</h2>\n<p><b>Trade:</b> weavers of {tree}</p>\n<p><b>Saint:</b> Saint {tree}</p>\n"
        f"{make_offers(tree)}<table><tr><th>name<th>price{rows}</table>"
    )


@pytest.fixture(autouse=True)
def pages(work: Path) -> None:
    for name, tree in zip(PAGES, TREES, strict=True):
        (work / name).write_text(make_page(tree))


def urls_of(argument: object) -> list[str]:
    """The addresses of the pages that an argument is, or is of."""
    if isinstance(argument, list | tuple):
        return [url for each in argument for url in urls_of(each)]
    url = getattr(getattr(argument, "document", argument), "url", "")
    return [url] if isinstance(url, str) else []


@pytest.fixture(scope="module", autouse=True)
def loaded_modules() -> None:
    """Load all modules first: one that is loaded later would keep what replaces a function for the next test."""
    for found in walk_packages(webquarry.__path__, "webquarry."):
        if not found.name.endswith("__main__"):
            vars(importlib.import_module(found.name))  # this also loads one that waits for its first use


@pytest.fixture
def replace_everywhere(monkeypatch):
    """Replaces a function in all modules that have imported it, and in their tables of methods."""

    def replace(original, replacement) -> None:
        for holder, key in find_uses(original):
            monkeypatch.setitem(holder, key, replacement)

    return replace


@pytest.fixture
def fail_on_first(monkeypatch, replace_everywhere):
    """Makes functions raise on the first page, each of them named by the module that defines it."""

    def fail(*names: str) -> None:
        for name in names:
            module, _, path = name.partition(":")
            *classes, function = path.split(".")
            holder = importlib.import_module(module)
            for each in classes:
                holder = getattr(holder, each)
            original = getattr(holder, function)
            if classes:
                monkeypatch.setattr(holder, function, broken(original))
            else:
                replace_everywhere(original, broken(original))

    def broken(original):
        def call(*arguments, **options):
            if any(url.endswith("1.html") for each in arguments for url in urls_of(each)):
                raise IndexError("out of range")
            return original(*arguments, **options)

        return call

    return fail


@pytest.fixture
def run_with(fail_on_first, faulty_quarry):
    """Runs `quarry` with functions that fail on the first page."""

    def run(fault: Sequence[str], *arguments: str):
        fail_on_first(*fault)
        return faulty_quarry(*arguments)

    return run


def place_of(name: str) -> list[str]:
    """The options for a format."""
    output = (TABLES | TEXTS)[name]
    return ["--format", name, "-o", output] + (["--table", "t"] if name in ("duckdb", "sqlite") else [])


def content_of(folder: Path, name: str) -> str:
    path = folder / (TABLES | TEXTS)[name]
    if name == "parquet":
        return str(pq.read_table(path).to_pylist())
    if name == "duckdb":
        with duckdb.connect(path, read_only=True) as database:
            return str(database.sql("FROM t").fetchall())
    if name == "sqlite":
        with closing(sqlite3.connect(path)) as database:
            return str(database.execute("SELECT * FROM t").fetchall())
    return path.read_text()


def check_told(done) -> None:
    """The run says in one line that the first page failed, and fails; of the other it says nothing bad."""
    told = done.stderr.decode().splitlines()
    failed = [line for line in told if "internal error" in line]
    assert len(failed) == 1, told
    assert failed[0].startswith("quarry: ")
    assert "1.html: internal error, please report it: IndexError: out of range" in failed[0]
    assert [line for line in told if "1.html" in line] == failed
    assert done.returncode == 1


def check(done, content: str) -> None:
    check_told(done)
    failed, sound = TREES
    assert sound in content
    assert failed not in content


@pytest.mark.parametrize("method", ["html5", "cleandom"])
def test_clean(run_with, work, method):
    done = run_with([f"webquarry.cleaning.{method}:clean_{method}"], "clean", *PAGES, "--method", method, "-o", "out")
    check(done, "".join(path.read_text() for path in (work / "out").iterdir()))


@pytest.mark.parametrize("fault", [CLEAN, ("webquarry.rendering.renderer:Renderer.render",)])
@pytest.mark.needs_browser
def test_render(run_with, work, fault):
    done = run_with(fault, "render", *PAGES, "-o", "out")
    check(done, "".join(path.read_text() for path in (work / "out").iterdir()))


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("fault", [CLEAN, VISUAL, COLUMNS], ids=["clean", "mine", "columns"])
def test_mine(run_with, work, fault, name):
    check(run_with(fault, "mine", *PAGES, "--static", *place_of(name)), content_of(work, name))


@pytest.mark.parametrize("name", ["table", "json", "jsonl"])
def test_mine_all_regions(run_with, work, name):
    check(run_with(COLUMNS, "mine", *PAGES, "--static", "--all", *place_of(name)), content_of(work, name))


@pytest.mark.parametrize(
    "options",
    [["--region", "1"], ["--columns", "title"], ["--follow", "1"], ["--follow", "1", "--columns", "title"]],
    ids=" ".join,
)
def test_mine_what_options_choose(run_with, work, options):
    check(run_with(COLUMNS, "mine", *PAGES, "--static", *options, *place_of("jsonl")), content_of(work, "jsonl"))


@pytest.mark.parametrize("fault", [CLEAN, VISUAL], ids=["clean", "mine"])
def test_mine_the_pages_of_listings(run_with, work, fault):
    check(run_with(fault, "mine", *PAGES, "--static", "--follow", "1", *place_of("csv")), content_of(work, "csv"))


def test_mine_a_listing_whose_next_page_cannot_be_looked_for(run_with, work):
    done = run_with(["webquarry.mining.pager:find_next"], "mine", *PAGES, "--static", "--follow", "1", *place_of("csv"))
    check_told(done)
    assert all(tree in content_of(work, "csv") for tree in TREES)


@pytest.mark.parametrize(
    ("method", "fault"),
    [("mdr", ("webquarry.mining.mdr:mine_mdr",)), ("mdr", COLUMNS), ("tables", TABLE_MINER)],
    ids=["mdr", "mdr columns", "tables"],
)
def test_mine_by_other_methods(run_with, work, method, fault):
    done = run_with(fault, "mine", *PAGES, "--static", "--method", method, *place_of("jsonl"))
    check(done, content_of(work, "jsonl"))


@pytest.mark.parametrize("fault", [("webquarry.mining.emine:mine_emine",), COLUMNS], ids=["emine", "columns"])
@pytest.mark.needs_browser
def test_mine_rendered_pages(run_with, work, fault):
    done = run_with(fault, "mine", *PAGES, "--method", "emine", *place_of("csv"))
    check(done, content_of(work, "csv"))


@pytest.mark.parametrize("fault", [CLEAN, COLUMNS], ids=["clean", "columns"])
@pytest.mark.needs_browser
def test_mine_with_a_picture(run_with, work, fault):
    check_told(run_with(fault, "mine", PAGES[0], "--picture", "out.png", "-o", "out.jsonl"))
    assert "internal error" in (work / "out.jsonl").read_text()
    assert not (work / "out.png").exists()


@pytest.mark.parametrize("fault", [CLEAN, ("webquarry.rendering.pictures:draw_boxes",)], ids=["clean", "draw"])
@pytest.mark.needs_browser
def test_render_with_a_picture(run_with, work, fault):
    check_told(run_with(fault, "render", PAGES[0], "--picture", "out.png", "--tag", "p"))
    assert not (work / "out.png").exists()


@pytest.mark.parametrize(
    "options", [[], ["--region", "2"], ["--columns", "title"], ["--all"]], ids=["best", "second", "column", "all"]
)
def test_only_regions_that_are_wanted_are_aligned(quarry, work, replace_everywhere, options):
    shades = "".join(f"<li><b>{name}</b> grows in <i>shade {name}</i>" for name in ("Fern", "Moss", "Ivy", "Sedge"))
    tools = "".join(f"<dt>{name}</dt><dd>for {name} work" for name in ("Axe", "Saw", "Rake", "Hoe"))
    (work / "page.html").write_text(
        f"{make_offers('Cedar')}<h2>Plants</h2><ul>{shades}</ul><h2>Tools</h2><dl>{tools}</dl>"
    )
    calls = []
    original = alignment.align_fields
    replace_everywhere(original, lambda *given: calls.append(given) or original(*given))
    assert quarry("mine", "page.html", "--static", *options, "-o", "out.jsonl").returncode == 0
    regions = json.loads((work / "out.jsonl").read_text())["regions"]
    assert (len(regions) > 1) == (options == ["--all"])
    assert len(calls) == len(regions)


@pytest.mark.parametrize("name", TABLES | TEXTS)
@pytest.mark.parametrize("fault", [CLEAN, BLOCKS, VOTE], ids=["clean", "read", "vote"])
def test_read(run_with, work, fault, name):
    check(run_with(fault, "read", *PAGES, *place_of(name)), content_of(work, name))


@pytest.mark.parametrize("name", [*TABLES, "markdown"])
def test_read_metadata(run_with, work, name):
    check(run_with(METADATA, "read", *PAGES, *place_of(name)), content_of(work, name))


def test_text_alone_needs_no_metadata(quarry, work, fail_on_first):
    fail_on_first(*METADATA)
    assert quarry("read", *PAGES, *place_of("text")).returncode == 0
    assert all(tree in content_of(work, "text") for tree in TREES)


@pytest.mark.parametrize("format_name", ["text", "markdown"])
def test_read_into_a_folder(run_with, work, format_name):
    done = run_with(
        ["webquarry.model.document:Document.text_of", "webquarry.html.markdown:to_markdown"],
        "read",
        *PAGES,
        "--format",
        format_name,
        "-o",
        "out",
    )
    check(done, "".join(path.read_text() for path in (work / "out").iterdir()))


def test_read_by_boilerpipe(run_with, work):
    done = run_with(
        ["webquarry.reading.boilerpipe:read_boilerpipe"], "read", *PAGES, "--method", "boilerpipe", *place_of("jsonl")
    )
    check(done, content_of(work, "jsonl"))


@pytest.mark.needs_browser
def test_read_rendered_pages(run_with, work):
    check(
        run_with(["webquarry.rendering.renderer:Renderer.render"], "read", *PAGES, "--render", *place_of("text")),
        content_of(work, "text"),
    )


WRAPS = {
    "sections": (SECTIONS, ["--kind", "sections"]),
    "ashish": (("webquarry.wrapping.ashish:extract_ashish",), ["--method", "ashish"]),
    "records": (LISTING, ["--kind", "records"]),
    "tables": (TABLE_READER, ["--kind", "tables"]),
}


@pytest.fixture
def wrap(faulty_quarry):
    def run(*options: str):
        kind = () if "--kind" in options else ("--kind", "sections")
        return faulty_quarry("wrap", *PAGES, "--name", "trees", "--static", "-o", "trees.toml", *kind, *options)

    return run


@pytest.mark.parametrize(
    ("fault", "options"),
    [
        (CLEAN, []),
        (("webquarry.wrapping.section_learner:read_samples",), []),
        (("webquarry.wrapping.ashish:wrap_ashish",), ["--method", "ashish"]),
        (VISUAL, ["--kind", "records"]),
        (COLUMNS, ["--kind", "records"]),
        (TABLE_MINER, ["--kind", "tables"]),
    ],
    ids=["clean", "sections", "ashish", "mine", "columns", "tables"],
)
def test_wrap_learns_from_the_other_samples(wrap, work, fail_on_first, fault, options):
    fail_on_first(*fault)
    check_told(wrap(*options))
    written = (work / "trees.toml").read_text()
    assert "2.html" in written
    assert "1.html" not in written


@pytest.mark.parametrize("kind", WRAPS)
def test_wrap_shows_what_it_reads_of_the_other_samples(wrap, work, fail_on_first, kind):
    fault, options = WRAPS[kind]
    fail_on_first(*fault)
    check_told(wrap(*options))
    assert (work / "trees.toml").exists()


def test_wrap_without_a_sound_sample_tells_each(wrap, work, monkeypatch):
    def fail(*_: object) -> None:
        raise IndexError("out of range")

    monkeypatch.setattr("webquarry.wrapping.section_learner.read_samples", fail)
    done = wrap()
    assert done.returncode == 1
    told = done.stderr.decode().splitlines()
    assert [line.partition(": internal error")[0][-6:] for line in told] == ["1.html", "2.html"]
    assert not (work / "trees.toml").exists()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("kind", ["sections", "records"])
def test_extract(run_with, wrap, work, kind, name):
    fault, options = WRAPS[kind]
    assert wrap(*options).returncode == 0
    check(run_with(fault, "extract", "trees.toml", *PAGES, *place_of(name)), content_of(work, name))


@pytest.mark.parametrize("kind", ["ashish", "tables"])
@pytest.mark.parametrize("is_cleaned", [True, False], ids=["extract", "clean"])
def test_extract_other_kinds(run_with, wrap, work, kind, is_cleaned):
    fault, options = WRAPS[kind]
    assert wrap(*options).returncode == 0
    check(
        run_with(fault if is_cleaned else CLEAN, "extract", "trees.toml", *PAGES, *place_of("jsonl")),
        content_of(work, "jsonl"),
    )


def test_check(run_with, wrap):
    assert wrap().returncode == 0
    done = run_with(SECTIONS, "check", "trees.toml", *PAGES)
    check_told(done)
    assert b"2.html: " in done.stdout


@pytest.fixture
def theirs(work) -> str:
    """What another system took from the pages."""
    rows = [
        [page, f"/html/body/article/p[{place}]", f"Sentence {place - 1} on {tree} trees"]
        for page, tree in zip(PAGES, TREES, strict=True)
        for place in range(1, 5)
    ]
    with (work / "theirs.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["page", "xpath", "text"], *rows])
    return "theirs.csv"


VALIDATIONS = {
    "clean": (CLEAN, []),
    "select": (("webquarry.validating.foreign_xpaths:select_rows",), []),
    "vote": (VOTE, []),
    "voter": (BLOCKS, ["--voter", "blocks"]),
    "columns": (("webquarry.validating.column_outliers:validate_columns",), ["--method", "columns"]),
}


@pytest.mark.parametrize("name", [name for name in TABLES if name != "table"])
@pytest.mark.parametrize("stage", ["select", "vote"])
def test_validate(run_with, work, theirs, stage, name):
    fault, options = VALIDATIONS[stage]
    check(run_with(fault, "validate", theirs, "--static", *options, *place_of(name)), content_of(work, name))


@pytest.mark.parametrize("stage", VALIDATIONS)
@pytest.mark.parametrize("options", [["--format", "table"], ["--drop"]], ids=["table", "drop"])
def test_validate_without_results_of_each_page(run_with, theirs, stage, options):
    fault, others = VALIDATIONS[stage]
    done = run_with(fault, "validate", theirs, "--static", *others, *options)
    check_told(done)
    assert b" on 1 page " in done.stderr


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("fault", [CLEAN, SECTIONS], ids=["clean", "extract"])
def test_sql(run_with, wrap, work, fault, name):
    (work / "index.csv").write_text("tree,number\nAlder,1\nBirch,2\n")
    assert wrap("--pages", "{number}.html", "--key", "tree", "--index", "index.csv").returncode == 0
    check(run_with(fault, "sql", "SELECT * FROM trees", *place_of(name)), content_of(work, name))
