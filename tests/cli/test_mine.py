"""`quarry mine`."""

from __future__ import annotations

import csv
import io
import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from webquarry.cli.demo import find_examples

GOODS = "Kettle Lamp Saw Hammer Chair Table Mirror Basket Ladder".split()
ROWS = "".join(f"<tr><td>{name}<td>{len(name)}.50" for name in GOODS[:4])
TOWNS = "<table><tr><th>town<th>size<tr><td>Ash<td>3<tr><td>Elm<td>4</table>"
TABLES = f"<table><tr><th>name<th>price{ROWS}</table><p>and{TOWNS}"
EMPTY = "<title>Nothing</title><p>A page that says little."


def listing(goods: list[str], following: str | None = None) -> str:
    """A page with a record a good, and where it goes on."""
    records = "".join(
        f"<div class=offer><h3><a href='goods/{name}'>{name}</a></h3><p>A {name.lower()} made to last for years.</p>"
        f"<span class=price>EUR {len(name)}.50</span></div>"
        for name in goods
    )
    pager = f"<p><a href='{following}'>Next</a>" if following else ""
    return f"<title>Shop</title><body><h1>Shop</h1><div id=list>{records}</div>{pager}"


@pytest.fixture
def shop(work: Path) -> Path:
    """A listing of three pages."""
    (work / "shop").mkdir()
    for number in range(3):
        following = f"{number + 2}.html" if number < 2 else None
        page = listing(GOODS[3 * number : 3 * number + 3], following)
        (work / "shop" / f"{number + 1}.html").write_text(page)
    return work / "shop"


@pytest.fixture
def tables(work: Path) -> Path:
    """A page with two tables; the first is the larger."""
    (work / "tables.html").write_text(TABLES)
    return work / "tables.html"


def results(output: bytes) -> list[dict]:
    return [json.loads(line) for line in output.decode().splitlines()]


def first_words(result: dict) -> list[str]:
    (region,) = result["regions"]
    return [record["text"].split()[0] for record in region["records"]]


def test_a_line_a_page_says_where_everything_stands(quarry, tables):
    done = quarry("mine", tables, "--method", "tables", "--static")
    assert (done.returncode, done.stderr) == (0, b"")
    (result,) = results(done.stdout)
    assert (result["page"], result["document"]) == (tables.as_uri(), "static")
    (region,) = result["regions"]
    assert (region["kind"], region["role"], region["method"], region["box"]) == ("table", "main", "tables", None)
    assert 0 < region["score"] <= 1
    assert region["reasons"]
    assert region["node"].startswith("/html/body/table")
    assert [field["name"] for field in region["fields"]] == ["name", "price"]
    record = region["records"][1]
    assert record["values"] == {"name": "Lamp", "price": "4.50"}
    assert record["typed"].keys() <= {"price"}
    assert record["nodes"]["name"].startswith(record["node"])
    assert record["box"] is None


def test_pages_are_rendered_unless_told_otherwise(browser, quarry, shop):
    done = quarry("mine", shop / "1.html")
    assert (done.returncode, done.stderr) == (0, b"")
    (result,) = results(done.stdout)
    assert result["document"] == "rendered"
    assert first_words(result) == GOODS[:3]
    assert len(result["regions"][0]["box"]) == 4


def test_the_steps_of_a_paper_are_printed_instead_of_records(browser, quarry, shop):
    done = quarry("mine", shop / "1.html", "--method", "emine", "--explain")
    assert (done.returncode, done.stderr) == (0, b"")
    page, *lines = done.stdout.decode().splitlines()
    assert page == (shop / "1.html").as_uri()
    assert [line.split()[0] for line in lines if not line.startswith("   ")] == [
        "getMaxRect:",
        "getContainer:",
        "Filter:",
        "comparisons",
    ]
    strings = quarry("mine", shop / "1.html", "--method", "mdr", "--explain", "--static")
    assert b"comparisons of strings: " in strings.stdout


def test_a_page_that_cannot_be_explained_fails_alone(quarry, shop):
    done = quarry("mine", shop / "1.html", shop / "gone.html", "--method", "mdr", "--explain", "--static")
    assert done.returncode == 1
    assert done.stdout.startswith((shop / "1.html").as_uri().encode())
    assert b"gone.html" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--method", "visual"], b"steps of --method emine and --method mdr"),
        (["--method", "mdr", "--all"], b"instead of records"),
        (["--method", "mdr", "-o", "x.csv"], b"instead of records"),
    ],
)
def test_only_papers_have_steps_and_they_are_not_records(quarry, shop, options, said):
    done = quarry("mine", shop / "1.html", "--explain", *options)
    assert done.returncode == 2
    assert said in done.stderr


def test_what_scripts_make_is_found(browser, quarry, work):
    program = f"document.body.innerHTML = {json.dumps(listing(GOODS))}"
    (work / "a.html").write_text(f"<body><script>{program}</script>")
    (result,) = results(quarry("mine", "a.html", "--scripts", "--wait-for", ".offer").stdout)
    assert result["document"] == "scripts"
    assert first_words(result) == GOODS


def test_without_a_browser_pages_are_read_by_their_markup(quarry, shop, environment):
    environment |= {"PATH": "/nowhere", "PLAYWRIGHT_BROWSERS_PATH": "/nowhere", "WEBQUARRY_BROWSER": ""}
    done = quarry("mine", shop / "1.html")
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 1
    assert b"apt-get install chromium-headless-shell" in done.stderr
    (result,) = results(done.stdout)
    assert result["document"] == "static"
    assert first_words(result) == GOODS[:3]


def test_words_of_one_record_choose_its_region_and_the_next_pages_follow(quarry, shop):
    first, second = results(quarry("mine", shop / "1.html", "--static", "--like", "a lamp", "--follow", 1).stdout)
    assert (first_words(first), first_words(second)) == (GOODS[:3], GOODS[3:6])


def test_words_that_no_text_has_are_an_error_with_the_nearest_text(quarry, shop):
    done = quarry("mine", shop / "1.html", "--static", "--like", "Kettel")
    assert (done.returncode, b"no text has 'Kettel'; the nearest is 'Kettle'" in done.stderr) == (1, True)


def test_a_doubtful_answer_comes_with_what_to_try(quarry, work):
    (work / "a.html").write_text("<h1>Kettle</h1><p>A kettle.<div><a href=k>Buy</a> <b>2.50</b></div><i>New</i>")
    done = quarry("mine", "a.html", "--static")
    assert (done.returncode, done.stderr.count(b"the best list is doubtful")) == (0, 1)
    assert quarry("mine", "a.html", "--static", "--region", 1).stderr == b""


def test_notes_on_many_pages_are_shown_for_the_first_few(quarry, work):
    for number in range(9):
        (work / f"{number}.html").write_text(f"<p>Nothing to list here, {number}.")
    done = quarry("mine", ".", "--static", "-o", "a.csv")
    *notes, last = done.stderr.splitlines()[:6]
    assert all(b"no records were found" in note for note in notes)
    assert last == b"quarry: notes on 4 more pages; --verbose shows all"
    assert quarry("mine", ".", "--static", "--verbose").stderr.count(b"no records were found") == 9


def test_a_page_that_comes_by_script_says_so(quarry, work):
    (work / "a.html").write_text("<div id=root></div><script src=app.js></script>")
    done = quarry("mine", "a.html", "--static")
    assert done.stderr.endswith(b"no records were found; its text may come by script: try --scripts\n")


@pytest.mark.parametrize("option", [["--render"], ["--method", "emine"], ["--scripts"], ["--picture", "a.png"]])
def test_what_needs_a_browser_says_so(quarry, shop, environment, option):
    environment |= {"PATH": "/nowhere", "PLAYWRIGHT_BROWSERS_PATH": "/nowhere", "WEBQUARRY_BROWSER": ""}
    done = quarry("mine", shop / "1.html", *option)
    assert (done.returncode, done.stdout) == (1, b"")
    assert len(done.stderr.splitlines()) == 1
    assert b"apt-get install chromium-headless-shell" in done.stderr


def test_another_region_can_be_chosen(quarry, tables):
    done = quarry("mine", tables, "--method", "tables", "--static", "--region", "2")
    assert [record["values"]["town"] for record in results(done.stdout)[0]["regions"][0]["records"]] == ["Ash", "Elm"]


def test_a_region_that_is_not_there_is_told_with_the_number_of_regions(quarry, tables):
    done = quarry("mine", tables, "--method", "tables", "--static", "--region", "3")
    assert done.returncode == 1
    assert done.stderr.decode() == f"quarry: {tables.as_uri()}: page has 2 regions; --region 3 is not among them\n"
    assert results(done.stdout)[0].keys() == {"page", "error"}


def test_all_regions_can_be_had(quarry, tables):
    done = quarry("mine", tables, "--method", "tables", "--static", "--all")
    (result,) = results(done.stdout)
    assert [region["fields"][0]["name"] for region in result["regions"]] == ["name", "town"]


def test_columns_are_kept_and_ordered_by_name(quarry, tables):
    done = quarry("mine", tables, "--method", "tables", "--static", "--columns", "price, name", "--format", "csv")
    rows = list(csv.reader(io.StringIO(done.stdout.decode())))
    assert [name for name in rows[0] if not name.endswith("_text")] == ["_page", "price", "name"]
    assert rows[1][0] == tables.as_uri()


def test_columns_are_renamed(quarry, tables):
    options = ["mine", tables, "--method", "tables", "--static", "--format", "csv"]
    done = quarry(*options, "--columns", "cost=price, name", "--values-only")
    assert done.stdout.decode().splitlines()[0] == "_page,cost,name"
    done = quarry(*options, "--columns", "cost=prize")
    assert "there is no column prize; choose from name, price" in done.stderr.decode()


def test_values_only_leaves_out_units_and_texts(quarry, work):
    rows = "".join(f"<tr><td>{name}<td>{len(name)} € - 9 €" for name in GOODS[:4])
    (work / "a.html").write_text(f"<table><tr><th>name<th>price{rows}</table>")
    options = ["mine", "a.html", "--method", "tables", "--static"]
    done = quarry(*options, "--format", "csv", "--values-only")
    assert done.stdout.decode().splitlines()[:2] == [
        "_page,name,price,price_to",
        f"{(work / 'a.html').as_uri()},Kettle,6,9",
    ]
    for _ in range(2):
        done = quarry(*options, "--values-only", "-o", "a.db", "--table", "goods")
        assert done.returncode == 0
    with closing(sqlite3.connect(work / "a.db")) as database:
        (row, *_) = database.execute("SELECT price, price_to, count(*) FROM goods WHERE name = 'Saw'")
        names = [column[1] for column in database.execute("PRAGMA table_info(goods)")]
    assert row == (3, 9, 2)
    assert names == ["_page", "name", "price", "price_to", "_fetched"]


def test_columns_that_are_the_same_in_all_records_are_left_out(quarry, work):
    for page, colour in (("a", "red"), ("b", "blue")):
        rows = "".join(f"<tr><td>{name}<td>{colour}<td>new" for name in GOODS[:4])
        (work / f"{page}.html").write_text(f"<table><tr><th>name<th>colour<th>state{rows}</table>")
    options = ["mine", "--method", "tables", "--static", "--drop-constant"]
    done = quarry(*options, "a.html", "b.html", "--format", "csv")
    assert done.stdout.decode().splitlines()[0] == "_page,name,colour"
    for result in results(quarry(*options, "a.html", "b.html").stdout):
        assert [field["name"] for field in result["regions"][0]["fields"]] == ["name"]


def test_a_column_that_is_not_there_is_told_with_those_that_are(quarry, tables):
    done = quarry("mine", tables, "--method", "tables", "--static", "--columns", "name,prize", "-o", "a.csv")
    assert done.returncode == 1
    assert f"quarry: {tables.as_uri()}: there is no column prize; choose from name, price" in done.stderr.decode()
    assert not (tables.parent / "a.csv").exists()


def test_a_column_that_is_not_there_is_told_with_some_of_very_many(quarry, work):
    heads = "".join(f"<th>x{number}" for number in range(900))
    rows = "".join("<tr>" + "".join(f"<td>{row * number}" for number in range(900)) for row in range(1, 5))
    (work / "a.html").write_text(f"<table><thead><tr>{heads}<tbody>{rows}</table>")
    done = quarry("mine", "a.html", "--method", "tables", "--static", "--columns", "nope")
    assert done.returncode == 1
    assert done.stderr.decode().endswith(
        "there is no column nope; choose from " + ", ".join(f"x{number}" for number in range(30)) + " and 870 more\n"
    )


def test_of_many_pages_some_may_lack_a_column(quarry, work):
    (work / "in").mkdir()
    for name, head in (("a", "<th>name<th>price"), ("b", "<th>name<th>size")):
        (work / "in" / f"{name}.html").write_text(f"<table><tr>{head}{ROWS}</table>")
    options = ["mine", "in", "--method", "tables", "--static", "-o", "a.csv"]
    done = quarry(*options, "--columns", "name,size")
    assert done.returncode == 0
    assert len((work / "a.csv").read_text().splitlines()) == 9
    (work / "a.csv").unlink()
    done = quarry(*options, "--columns", "name,weight")
    assert done.returncode == 1
    assert "no page has a column weight; choose from name, price, size" in done.stderr.decode()
    assert not (work / "a.csv").exists()


def test_pages_that_call_a_column_differently_share_it_in_the_order_asked_for(quarry, work):
    for name, head in (("a", "<th>price<th>name"), ("b", "<th>Artikel<th>size")):
        (work / f"{name}.html").write_text(f"<table><tr>{head}{ROWS}</table>")
    options = ["mine", "a.html", "b.html", "--method", "tables", "--static", "--format", "csv", "--values-only"]
    lines = quarry(*options, "--columns", "name=Artikel,price,name").stdout.decode().splitlines()
    assert lines[0] == "_page,name,price"
    assert all(line.split(",")[1] for line in lines)


def test_a_page_with_other_columns_is_not_said_to_have_no_records(quarry, work):
    for name, head in (("a", "<th>name<th>price"), ("b", "<th>maker<th>size")):
        (work / f"{name}.html").write_text(f"<table><tr>{head}{ROWS}</table>")
    done = quarry("mine", "a.html", "b.html", "--method", "tables", "--static", "--columns", "price")
    assert done.returncode == 0
    assert done.stderr.decode().endswith("b.html: none of its records has the columns of --columns\n")
    assert "a.html" not in done.stderr.decode()


def test_nothing_found_is_an_answer(quarry, work):
    (work / "a.html").write_text(EMPTY)
    done = quarry("mine", "a.html", "--static", "--method", "tables")
    assert done.returncode == 0
    assert done.stderr.decode() == f"quarry: {(work / 'a.html').as_uri()}: no records were found\n"
    assert results(done.stdout) == [{"page": (work / "a.html").as_uri(), "document": "static", "regions": []}]


def test_failures_do_not_stop_the_others(quarry, work, tables):
    (work / "b.html").write_bytes(b"%PDF-1.4")
    done = quarry("mine", "b.html", "gone.html", tables, "--static", "--method", "tables")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 2
    pdf, gone, good = results(done.stdout)
    assert "PDF" in pdf["error"]
    assert gone["page"] == "gone.html"
    assert len(good["regions"]) == 1


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "parquet"])
def test_the_ending_of_the_file_says_the_format(quarry, work, tables, ending):
    done = quarry("mine", tables, "--method", "tables", "--static", "-o", f"out/a.{ending}")
    assert (done.returncode, done.stdout) == (0, b"")
    assert (work / "out" / f"a.{ending}").stat().st_size > 0


@pytest.mark.parametrize("ending", ["duckdb", "sqlite"])
def test_a_table_of_a_database_grows(quarry, work, tables, ending):
    for count in (4, 8):
        done = quarry("mine", tables, "--method", "tables", "--static", "-o", f"a.{ending}", "--table", "offers")
        assert done.returncode == 0, done.stderr
        assert count_rows(work / f"a.{ending}") == count


def count_rows(path: Path) -> int:
    if path.suffix == ".sqlite":
        import sqlite3

        connection = sqlite3.connect(path)
    else:
        import duckdb

        connection = duckdb.connect(str(path), read_only=True)
    try:
        return connection.execute("SELECT count(*) FROM offers").fetchone()[0]
    finally:
        connection.close()


def test_a_listing_is_followed(quarry, shop):
    done = quarry("mine", shop / "1.html", "--static", "--follow", "5")
    assert (done.returncode, done.stderr) == (0, b"")
    assert [first_words(result) for result in results(done.stdout)] == [GOODS[:3], GOODS[3:6], GOODS[6:]]


def test_a_followed_listing_is_one_table_with_the_page_of_each_record(quarry, shop):
    done = quarry("mine", shop / "1.html", "--static", "--follow", "1", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert [row["_page"].rpartition("/")[2] for row in rows] == 3 * ["1.html"] + 3 * ["2.html"]
    assert len({tuple(row) for row in rows}) == 1


def test_a_listing_on_the_web_is_followed_by_the_rules_of_fetching(quarry, server):
    for number in range(3):
        page = listing(GOODS[3 * number : 3 * number + 3], f"/list?page={number + 2}")
        server.pages[f"/list?page={number + 1}"] = page.encode()
    start = f"{server.url}/list?page=1"
    done = quarry("mine", start, "--static", "--follow", "9", "--allow-private")
    assert done.returncode == 1
    *good, gone = results(done.stdout)
    assert [first_words(result) for result in good] == [GOODS[:3], GOODS[3:6], GOODS[6:]]
    assert gone["page"] == f"{server.url}/list?page=4"
    assert "404" in gone["error"]
    again = quarry("mine", start, "--static", "--follow", "2", "--allow-private", "--offline")
    assert again.returncode == 0
    assert len(results(again.stdout)) == 3


def test_listings_are_followed_in_one_browser(browser, quarry, shop):
    done = quarry("mine", shop / "1.html", shop / "3.html", "--follow", "1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert [first_words(result) for result in results(done.stdout)] == [GOODS[:3], GOODS[3:6], GOODS[6:]]


@pytest.mark.parametrize("name", ["lumen", "kettleby"])
def test_the_example_shops_are_mined_whole(browser, quarry, name):
    examples = find_examples()
    with (examples / "truth" / "offers.csv").open(encoding="utf-8") as file:
        offers = [row for row in csv.DictReader(file) if row["shop"] == name]
    done = quarry("mine", examples / "shops" / name / "index.html", "--follow", "9")
    assert (done.returncode, done.stderr) == (0, b"")
    records = {
        result["page"].rpartition("/examples/")[2]: result["regions"][0]["records"] for result in results(done.stdout)
    }
    assert (len(records), sum(map(len, records.values()))) == (3, len(offers))
    priced = []
    for offer in offers:
        (record,) = [each for each in records[offer["page"]] if offer["product"] in each["values"].values()]
        if offer["price"]:
            price = {"value": float(offer["price"]), "unit": offer["currency"]}
            priced.append({name for name, typed in record["typed"].items() if typed == price})
    assert set.intersection(*priced)  # one column has the price of all offers, on whatever page


@pytest.mark.parametrize("method", ["visual", "emine"])
def test_a_picture_shows_what_was_found(browser, quarry, work, shop, method):
    done = quarry("mine", shop / "1.html", "--picture", "a.png", "--method", method)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (work / "a.png").read_bytes().startswith(b"\x89PNG")
    assert results(done.stdout)[0]["regions"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--method", "magic"], "visual, emine, mdr, tables"),
        (["--region", "0"], "--region"),
        (["--region", "2", "--all"], "cannot be used together"),
        (["--all", "--follow", "2"], "leave --all out"),
        (["--all", "-o", "a.csv"], "choose a region with --region, or one of table, json, jsonl"),
        (["--all", "-o", "a.duckdb", "--table", "t"], "duckdb holds one"),
        (["--columns", ""], "title,price"),
        (["--columns", "a,,b"], "title,price"),
        (["--columns", "a,a"], "name each column once"),
        (["--columns", "a=b,a=b"], "name each column once"),
        (["--columns", "a="], "name each column once"),
        (["--follow", "-1"], "--follow"),
        (["--follow", "2", "--picture", "a.png"], "--picture shows one page"),
        (["--static", "--picture", "a.png"], "leave --static out"),
        (["--static", "--scripts"], "leave --static out"),
        (["--static", "--method", "emine"], "leave --static out"),
        (["--wait-for", "p"], "--wait-for needs --scripts"),
        (["--format", "xls"], "there is no such format"),
        (["--format", "duckdb"], "name one with -o"),
        (["-o", "a.xls"], "--format"),
        (["-o", "a.duckdb"], "name the table to add to with --table"),
        (["-o", "a.csv", "--table", "t"], "has no tables"),
        (["-o", "a.duckdb", "--table", " "], "needs the name of a table"),
        (["-o", "a.sqlite", "--table", "a\x1bb"], "cannot be the name of a table"),
        (["--offline", "--refresh"], "cannot be used together"),
        (["--width", "0"], "--width"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(quarry, work, shop, options, message):
    done = quarry("mine", shop / "1.html", *options)
    assert done.returncode == 2
    assert done.stdout == b""
    assert len(done.stderr.splitlines()) == 1
    assert message in done.stderr.decode()
    assert [path.name for path in work.iterdir()] == ["shop"]


def test_a_picture_that_has_no_place_is_told_before_the_work(browser, quarry, work, shop):
    done = quarry("mine", shop / "1.html", "--picture", shop)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == f"quarry: {shop}: is a folder; name a file with --picture\n"


@pytest.mark.parametrize("command", [["mine", "--picture"], ["render", "--png"]])
def test_a_picture_that_cannot_be_written_costs_nothing_else(browser, quarry, work, shop, command):
    name, option = command
    done = quarry(name, shop / "1.html", option, "/dev/full", "-o", "a.json")
    assert (work / "a.json").exists()
    assert done.returncode == 1
    *_, told = done.stderr.decode().splitlines()
    fault = "quarry: /dev/full: cannot be written: No space left on device"
    assert told == f"{fault}; make room or name another file with {option}"


def test_a_picture_of_several_pages_is_refused(browser, quarry, shop):
    done = quarry("mine", shop, "--picture", "a.png")
    assert done.returncode == 2
    assert "a picture shows one page, and there are 3" in done.stderr.decode()


@pytest.mark.parametrize("body", [b"", b"\x00\xff\xfe<", b"<table>", b"<a rel=next href>", b"<ul><li><li>" * 50])
def test_nonsense_is_mined_in_peace(quarry, work, body):
    (work / "a.html").write_bytes(body)
    for method in ("visual", "mdr", "tables", "data"):
        done = quarry("mine", "a.html", "--static", "--method", method, "--follow", "2")
        assert done.returncode == 0, done.stderr
        assert len(results(done.stdout)) == 1


def test_standard_input_is_mined_and_leads_nowhere(quarry):
    done = quarry("mine", "-", "--static", "--follow", "3", given=listing(GOODS, "2.html").encode())
    (result,) = results(done.stdout)
    assert (done.returncode, result["page"], first_words(result)) == (0, "stdin:", GOODS)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_stopped_leaves_no_half_of_a_file(work, server, shop, environment, number):
    options = ["--static", "--allow-private", "-o", "a.jsonl"]
    command = [sys.executable, "-m", "webquarry", "mine", "shop/1.html", f"{server.url}/slow", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work, env=environment
    ) as process:
        assert server.asked.wait(120)
        process.send_signal(number)
        output, errors = process.communicate(timeout=120)
    assert (process.returncode, output) == (128 + number, b"")
    found = sorted(path.name for path in work.iterdir())
    if errors == b"quarry: stopped\n":  # before the first page was done
        assert found == ["shop"]
    else:
        assert errors == b"quarry: stopped after 1 of 2 pages; partial result: 1 page in a.jsonl\n"
        assert found == ["a.jsonl", "shop"]
        json.loads((work / "a.jsonl").read_text())


def test_a_terminal_shows_a_table(on_terminal, tables):
    done = on_terminal("mine", "tables.html", "--method", "tables", "--static", stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert any(line.split()[:2] == ["Lamp", "4.50"] for line in done.stdout.decode().splitlines())


def test_mining_by_the_markup_starts_no_database(quarry, work, tables, environment):
    program = (
        "import sys; sys.argv = ['quarry', 'mine', 'tables.html', '--method', 'tables', '--static', '-o', 'a.jsonl']\n"
        "from webquarry.cli.program import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "print(*{'duckdb', 'pyarrow', 'pandas', 'sqlite3', 'httpx2', 'pydantic', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, cwd=work, env=environment, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "1 page in a.jsonl\n")


def test_safe_csv_disarms_texts_that_a_spreadsheet_would_run(quarry, work):
    names = ["=1+1", "+cmd", "-lamp", "@sum", "Kettle"]
    rows = "".join(f"<tr><td>{name}<td>-{place}<td>+4{place} 1" for place, name in enumerate(names))
    (work / "bad.html").write_text(f"<table><tr><th>=name<th>degrees<th>phone{rows}</table>")
    options = ("mine", "bad.html", "--static", "--method", "tables", "--format", "csv")
    plain, safe = (
        list(csv.reader(io.StringIO(quarry(*given).stdout.decode()))) for given in (options, (*options, "--safe-csv"))
    )
    assert [row[1] for row in plain[1:]] == names
    assert [row[1] for row in safe[1:]] == ["'=1+1", "'+cmd", "'-lamp", "'@sum", "Kettle"]
    assert [row[2] for row in safe[1:]] == [row[2] for row in plain[1:]]
    assert quarry(*options[:-1], "json", "--safe-csv").returncode == 2
