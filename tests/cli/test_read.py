"""`quarry read` as a user meets it."""

import csv
import gzip
import json
import sqlite3

import duckdb
import pyarrow.parquet as pq
import pytest

SENTENCE = "Sentence {} of page {} tells of rivers, and of the towns that stand beside them since they were founded."


def make_page(number: int) -> str:
    paragraphs = "".join(f"<p>{SENTENCE.format(place, number)}</p>" for place in range(4))
    return (
        f"<!doctype html><html lang=en><title>River {number}</title><header><nav><a href=/>Home</a> "
        f"<a href=/b>Towns</a> <a href=/c>About us</a> <a href=/d>Contact</a></nav></header>"
        f"<main><article><h1>River {number}</h1>{paragraphs}</article></main><footer>All rights are reserved.</footer>"
    )


@pytest.fixture
def site(work):
    """A folder with four pages of one template."""
    (work / "site").mkdir()
    for number in range(4):
        (work / "site" / f"{number}.html").write_text(make_page(number))
    return work / "site"


def test_text_is_what_a_reader_came_for(quarry, site):
    done = quarry("read", "site/0.html", "--format", "text")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert all(SENTENCE.format(place, 0) in text for place in range(4))
    assert "Contact" not in text
    assert "rights" not in text


def test_lines_of_json_have_every_text_with_its_node(quarry, site):
    line = json.loads(quarry("read", "site/0.html").stdout)
    assert (line["title"], line["language"], line["document"]) == ("River 0", "en", "static")
    kept = {each["text"]: each for each in line["nodes"] if each["kept"]}
    assert kept[SENTENCE.format(1, 0)]["node"] == "/html/body/main/article/p[2]/text()"
    assert [each["text"] for each in line["nodes"] if not each["kept"]][:2] == ["Home", "Towns"]
    assert all(each["reason"] for each in line["nodes"])


def test_pages_of_a_site_are_read_together(quarry, site):
    reasons = [
        each["reason"] for line in quarry("read", site).stdout.splitlines() for each in json.loads(line)["nodes"]
    ]
    assert any("texts in this style" in reason for reason in reasons)
    alone = quarry("read", site, "--method", "blocks").stdout
    assert b"texts in this style" not in alone


def test_says_why_pages_were_read_alone_when_asked(quarry, site):
    assert quarry("read", "site/0.html", "site/1.html", "-o", "x.txt").stderr == b"2 pages in x.txt\n"
    told = quarry("-v", "read", "site/0.html", "site/1.html", "-o", "x.txt").stderr.decode()
    assert told.count("2 pages are too few for a vote") == 2


@pytest.mark.parametrize("ending", [".txt", ".md"])
def test_texts_of_several_pages_go_into_one_file_under_their_addresses(quarry, site, ending):
    done = quarry("read", site, "-o", f"all{ending}")
    assert done.returncode == 0
    text = (site.parent / f"all{ending}").read_text()
    assert [line.rpartition("/")[2] for line in text.splitlines() if line.startswith("file:")] == [
        f"{number}.html" for number in range(4)
    ]


def test_markdown_has_the_title(quarry, site):
    assert quarry("read", "site/2.html", "--format", "markdown").stdout.decode().startswith("# River 2\n\n")


def test_a_folder_gets_a_file_for_each_page(quarry, site):
    done = quarry("read", site, "-o", "texts")
    assert done.stderr.decode() == "4 files in texts\n"
    assert sorted(each.name for each in (site.parent / "texts").iterdir()) == ["0.txt", "1.txt", "2.txt", "3.txt"]


def test_a_folder_that_was_there_stays_though_nothing_comes_into_it(quarry, work):
    (work / "texts").mkdir()
    assert quarry("read", "gone.html", "gone-too.html", "-o", "texts").returncode == 1
    assert (work / "texts").is_dir()


def test_tables_have_a_row_a_page(quarry, site):
    assert quarry("read", site, "-o", "x.csv").stderr.decode() == "4 rows in x.csv\n"
    with (site.parent / "x.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["title"] for row in rows] == [f"River {number}" for number in range(4)]
    assert SENTENCE.format(3, 2) in rows[2]["text"]
    quarry("read", site, "-o", "x.parquet")
    assert pq.read_table(site.parent / "x.parquet")["title"].to_pylist() == [row["title"] for row in rows]
    quarry("read", site, "-o", "x.duckdb", "--table", "rivers")
    with duckdb.connect(site.parent / "x.duckdb") as database:
        assert database.sql("SELECT count(*), min(title) FROM rivers").fetchall() == [(4, "River 0")]


def test_a_page_that_cannot_be_had_stops_no_other(quarry, site):
    done = quarry("read", "gone.html", "site/0.html")
    failed, had = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert done.stderr.decode() == "quarry: gone.html: there is no such file or folder; check the path\n"
    assert (failed["page"], had["title"]) == ("gone.html", "River 0")


@pytest.mark.parametrize(
    ("markup", "advice"),
    [
        ("", "\n"),
        ("<nav><a href=/>Home</a></nav>", "\n"),
        ("<nav><a href=/>Home</a></nav><script src=app.js></script>", "; try --scripts, as scripts may load it\n"),
        ("<meta http-equiv=refresh content='0; url=https://a.test/'>", "; it only refers to https://a.test/\n"),
    ],
)
def test_no_main_text_is_an_answer(quarry, work, markup, advice):
    (work / "bare.html").write_text(markup)
    done = quarry("read", "bare.html", "--format", "text")
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode().endswith(f"bare.html: no main text was found{advice}")


@pytest.mark.parametrize("command", [["read"], ["mine", "--static"], ["clean"], ["wrap", "--static", "--name", "x"]])
def test_bytes_that_are_not_a_page_are_told_from_one(quarry, work, command):
    (work / "odd.html").write_bytes(bytes(range(256)) * 8)
    done = quarry(*command, "odd.html")
    assert done.returncode == 1
    assert "odd.html: not a web page but binary data" in done.stderr.decode()


def test_standard_input_is_a_page(quarry):
    assert SENTENCE.format(0, 7) in quarry("read", "-", "--format", "text", given=make_page(7).encode()).stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "best"], "choose from vote, blocks, boilerpipe"),
        (["-o", "x.pdf"], "unknown file ending"),
        (["-o", "x.duckdb"], "name the table to add to with --table"),
        (["--static", "--scripts"], "leave --static out"),
        (["--format", "yaml"], "there is no such format; choose from text, markdown"),
    ],
)
def test_usage_that_makes_no_sense_is_reported_before_work(quarry, arguments, said):
    done = quarry("read", "gone.html", *arguments)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert b"no such file" not in done.stderr


def test_a_file_in_the_place_of_a_folder_is_reported(quarry, site):
    (site.parent / "texts").write_text("old")
    done = quarry("read", site, "--format", "markdown", "-o", "texts")
    assert done.returncode == 2
    assert b"texts is a file; name a folder for the texts, or a file that ends in .txt or .md" in done.stderr
    assert (site.parent / "texts").read_text() == "old"


@pytest.mark.parametrize("name", ["text", "jsonl", "csv"])
def test_a_full_disk_is_reported(quarry, site, name):
    done = quarry("read", "site/0.html", "-o", "/dev/full", "--format", name)
    assert done.returncode == 1
    assert b"/dev/full: cannot be written: No space left on device" in done.stderr


def test_what_fails_leaves_no_half_file(quarry, site):
    (site.parent / "x.jsonl").write_text("old")
    assert quarry("read", site, "-o", "x.jsonl/y.jsonl").returncode == 1
    assert (site.parent / "x.jsonl").read_text() == "old"


def test_a_terminal_gets_text_after_the_bar(on_terminal, site):
    done = on_terminal("read", "site", TERM="xterm")
    bar, _, texts = done.stdout.decode().partition("file:")
    assert done.returncode == 0
    assert "reading" in bar
    assert "reading" not in texts
    assert SENTENCE.format(3, 3) in texts


@pytest.mark.parametrize(("command", "ending"), [("read", ".md"), ("clean", ".xhtml")])
def test_pages_listed_one_by_one_are_named_by_what_tells_them_apart(quarry, work, command, ending):
    for folder in ("north", "south"):
        (work / folder).mkdir()
        (work / folder / "index.html").write_text(f"<p>{'A long sentence of the ' + folder + ', and more of it. '}" * 5)
    style = ["--format", "markdown"] if command == "read" else []
    done = quarry(command, "north/index.html", "south/index.html", *style, "-o", "out")
    assert done.returncode == 0, done.stderr
    found = sorted(str(path.relative_to(work / "out")) for path in (work / "out").rglob(f"*{ending}"))
    assert found == [f"north/index{ending}", f"south/index{ending}"]


def test_packed_results_can_be_validated(quarry, site):
    assert quarry("read", "site", "-o", "a.jsonl.gz").returncode == 0
    done = quarry("validate", "a.jsonl.gz", "--static", "--format", "jsonl")
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_front_matter_begins_each_file(quarry, site, work):
    done = quarry("read", "site", "--format", "markdown", "--front-matter", "-o", "texts")
    assert done.returncode == 0, done.stderr
    text = (work / "texts" / "0.md").read_text()
    assert text.startswith('---\ntitle: "River 0"\nurl: "file://')
    assert '\nlanguage: "en"\n---\n\nSentence 0' in text
    alone = quarry("read", "site/0.html", "--front-matter", "-o", "a.md", "--base-url", "https://rivers.example/0")
    assert alone.returncode == 0, alone.stderr
    assert 'url: "https://rivers.example/0"\n' in (work / "a.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["site", "--front-matter", "-o", "a.jsonl"], "--front-matter is for Markdown, not jsonl"),
        (["site", "--front-matter", "-o", "a.md"], "several pages need a folder"),
        (["site", "--front-matter", "--format", "markdown"], "several pages need a folder"),
        (["site", "--chunks", "10", "-o", "a.md"], "--chunks gives records, which markdown does not hold"),
        (["site", "--chunks", "0"], "--chunks"),
    ],
)
def test_front_matter_and_chunks_have_their_formats(quarry, site, arguments, said):
    done = quarry("read", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json", "a.csv", "a.parquet", "a.duckdb", "a.sqlite"])
def test_chunks_are_records_in_every_format(quarry, site, work, name):
    table = ["--table", "chunks"] if name.endswith(("duckdb", "sqlite")) else []
    done = quarry("read", "site", "gone.html", "--chunks", "20", "-o", name, *table)
    assert done.returncode == 1
    path = work / name
    if name == "a.parquet":
        rows = pq.read_table(path).to_pylist()
    elif name == "a.csv":
        rows = list(csv.DictReader(path.read_text().splitlines()))
    elif name == "a.duckdb":
        with duckdb.connect(str(path), read_only=True) as connection:
            cursor = connection.execute("SELECT * FROM chunks")
            names = [column[0] for column in cursor.description]
            rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    elif name == "a.sqlite":
        connection = sqlite3.connect(path)
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM chunks")]
    else:
        text = gzip.decompress(path.read_bytes()).decode() if name.endswith("gz") else path.read_text()
        rows = json.loads(text) if name == "a.json" else [json.loads(line) for line in text.splitlines()]
        assert "error" in rows.pop()
    assert len(rows) == 16
    assert {row["title"] for row in rows} == {f"River {number}" for number in range(4)}
    assert [int(row["position"]) for row in rows[:4]] == [1, 2, 3, 4]
    nodes = rows[0]["nodes"]
    assert (json.loads(nodes) if isinstance(nodes, str) else nodes) == ["/html/body/main/article/p[1]/text()"]
