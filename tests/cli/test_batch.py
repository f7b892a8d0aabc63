"""`quarry batch` as a user meets it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.batching.conftest import article, stories, titles_in, write_archive, write_folder

from webquarry.cli import batch, stopping

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def no_progress(monkeypatch):
    """A busy machine may take long enough for a line about the progress."""
    monkeypatch.setattr(batch, "SECONDS_BETWEEN_LINES", float("inf"))


@pytest.fixture
def work(tmp_path):
    return tmp_path / "work"


def read_failed_pages(out: Path) -> list[dict[str, object]]:
    """The failed pages of all shards."""
    return [json.loads(line) for file in sorted((out / "_failed").iterdir()) for line in file.read_text().splitlines()]


def slow_page() -> str:
    """A page that takes a second or more to read."""
    return "<table>" + "<tr><td><a href=x>y</a></td><td>z</td></tr>" * 40_000


def test_a_batch_is_begun_told_and_continued(quarry, work):
    write_archive(work / "crawl.warc.gz", stories(12))
    done = quarry("batch", "read", "crawl.warc.gz", "-o", "out", "--workers", "2")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"12 rows of 12 pages in out\n")
    assert titles_in(work / "out") == [f"Story {number}" for number in range(12)]
    told = quarry("batch", "status", "out")
    assert told.returncode == 0
    assert told.stdout.startswith(b"1 of 1 shard finished: 12 pages, 12 rows\n")
    assert quarry("batch", "read", "crawl.warc.gz", "-o", "out").stderr == done.stderr


def test_failed_pages_are_kept_with_their_place_and_tried_again(quarry, work):
    pages = [*stories(3), ("https://news.example/slow", slow_page()), *stories(2, first=3)]
    write_archive(work / "crawl.warc.gz", pages)
    write_folder(work / "pages", 2, first=5)
    (work / "pages" / "slow.html").write_text(slow_page())
    inputs = ("crawl.warc.gz", "pages")
    done = quarry("batch", "read", *inputs, "-o", "out", "--method", "blocks", "--page-timeout", "0.1")
    assert done.returncode == 1
    assert b"2 pages failed (2 limit); see out/_failed, or run quarry batch retry out" in done.stderr
    failed = read_failed_pages(work / "out")
    assert [page["page"].rpartition("/")[2] for page in failed] == ["slow", "slow.html"]
    assert failed[0]["input"] == str(work / "crawl.warc.gz")
    assert failed[0]["place"][1] == 0
    assert failed[0]["place"][0] > 0
    assert "given up" in failed[0]["error"]
    assert b"2 pages failed: limit" in quarry("batch", "status", "out").stdout

    (work / "crawl.warc.gz").rename(work / "moved.warc.gz")
    gone = quarry("batch", "retry", "out")
    assert gone.returncode == 1
    assert b"1 page failed (1 input)" in gone.stderr
    (work / "moved.warc.gz").rename(work / "crawl.warc.gz")
    again = quarry("batch", "retry", "out")
    assert (again.returncode, again.stderr) == (0, b"9 rows of 9 pages in out\n")
    assert len(titles_in(work / "out")) == 9
    assert b"failed" not in quarry("batch", "status", "out").stdout
    before = sorted(each.name for each in (work / "out").iterdir())
    assert quarry("batch", "retry", "out").returncode == 0  # there is nothing left to try
    assert sorted(each.name for each in (work / "out").iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["status", "other"], 1, "other: there is no batch here"),
        (["retry", "other"], 1, "other: there is no batch here"),
        (["retry", "nowhere"], 1, "nowhere: there is no batch here"),
        (["store", "other", "-o", "postgresql:///x", "--table", "t"], 1, "other: there is no batch here"),
        (["read", "a.html", "-o", "s3://"], 2, "s3://: names no bucket"),
        (["status", "s3:"], 2, "s3:: names no bucket"),
    ],
)
def test_a_folder_that_is_no_batch_is_told_and_left_alone(quarry, work, arguments, code, said):
    (work / "other").mkdir()
    (work / "a.html").write_text("<p>One")
    done = quarry("batch", *arguments)
    assert (done.returncode, done.stderr.count(b"\n"), said in done.stderr.decode()) == (code, 1, True)
    assert sorted(path.name for path in work.iterdir()) == ["a.html", "other"]
    assert not list((work / "other").iterdir())


def test_addresses_are_fetched_by_one_process(quarry, work, server):
    server.pages = {f"/{number}": article(number).encode() for number in range(6)}
    work.mkdir(exist_ok=True)
    (work / "pages.txt").write_text("".join(f"{server.url}/{number}\n" for number in (*range(6), 99)))
    done = quarry("batch", "read", "@pages.txt", "-o", "out", "--allow-private", "--workers", "2")
    assert done.returncode == 1
    assert titles_in(work / "out") == [f"Story {number}" for number in range(6)]
    (page,) = read_failed_pages(work / "out")
    assert (page["input"], page["kind"]) == (f"{server.url}/99", "fetch")
    server.pages["/99"] = article(99).encode()
    assert quarry("batch", "retry", "out", "--allow-private", "--refresh").returncode == 0
    assert "Story 99" in titles_in(work / "out")


def test_records_are_mined_and_extracted(quarry, work):
    mined = quarry("batch", "mine", EXAMPLES / "shops/kettleby", "-o", "offers", "--static", "--columns", "title,price")
    assert mined.returncode == 0
    assert pq.read_table(work / "offers/part-00000.parquet").column_names[:3] == ["_page", "title", "price"]
    quarry("wrap", *sorted((EXAMPLES / "factbook/geos").glob("*.html"))[:3], "--static", "--name", "f", "-o", "f.toml")
    assert quarry("batch", "extract", "f.toml", EXAMPLES / "factbook/geos", "-o", "facts").returncode == 0
    table = pq.read_table(work / "facts/part-00000.parquet")
    assert "geography" in table.column_names
    plain = quarry("sql", "SELECT count(*) AS n FROM facts", "--catalog", ".", "--format", "jsonl")
    assert json.loads(plain.stdout) == {"n": table.num_rows}


def listing(records: int) -> str:
    """A page with a list of links that are relative to its address."""
    items = "".join(f"<li><a href='lamp-{n}'>Lamp number {n}</a> $ {n}.50</li>" for n in range(1, records + 1))
    return f"<title>Lamps</title><main><h1>Lamps</h1><ul>{items}</ul></main>"


def test_saved_pages_have_the_addresses_of_the_url_map_when_they_are_tried_again_too(quarry, work):
    pages = work / "pages"
    pages.mkdir(parents=True)
    (pages / "a.html").write_text(listing(8))
    (pages / "b.html").write_text(listing(4_000))  # takes longer than a page may
    (work / "urls.csv").write_text(
        "file,url\npages/a.html,https://a.example/shop/\npages/b.html,https://b.example/shop/\n"
    )
    command = ("batch", "mine", "pages", "-o", "out", "--static", "--columns", "link")
    assert quarry(*command, "--url-map", "urls.csv", "--page-timeout", "0.1").returncode == 1
    assert set(links_in(work / "out")) == {f"https://a.example/shop/lamp-{n}" for n in range(1, 9)}
    (work / "urls.csv").write_text("file,url\npages/a.html,https://c.example/shop/\n")
    changed = quarry(*command, "--url-map", "urls.csv")
    assert (changed.returncode, b"has changed since the batch was started" in changed.stderr) == (1, True)
    assert quarry("batch", "retry", "out").returncode == 0
    assert {link.partition("/shop")[0] for link in links_in(work / "out")} == {"https://a.example", "https://b.example"}


def test_saved_pages_have_the_addresses_that_their_wrapper_was_learnt_with(quarry, work):
    work.mkdir(exist_ok=True)
    (work / "a.html").write_text(listing(8))
    (work / "urls.csv").write_text("file,url\na.html,https://a.example/shop/\n")
    quarry("wrap", "a.html", "--static", "--kind", "records", "--url-map", "urls.csv", "--name", "l", "-o", "l.toml")
    assert quarry("batch", "extract", "l.toml", "a.html", "-o", "out").returncode == 0
    assert links_in(work / "out") == [f"https://a.example/shop/lamp-{n}" for n in range(1, 9)]


def links_in(out: Path) -> list[str]:
    return [link for file in out.glob("*.parquet") for link in pq.read_table(file)["link"].to_pylist() if link]


@pytest.mark.needs_browser
def test_pages_are_rendered_by_workers_with_a_browser_each(quarry, work):
    write_folder(work / "pages", 4)
    done = quarry("batch", "read", "pages", "-o", "out", "--render", "--workers", "2", "--format", "jsonl")
    assert (done.returncode, done.stderr) == (0, b"4 rows of 4 pages in out\n")
    lines = subprocess.run(["zcat", work / "out/part-00000.jsonl.gz"], capture_output=True, check=True).stdout
    assert [json.loads(line)["document"] for line in lines.splitlines()] == ["rendered"] * 4


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_is_finished_and_says_how_to_go_on(environment, work, number):
    write_folder(work / "pages", 60)
    command = [sys.executable, "-m", "webquarry", "batch", "read", "pages", "-o", "out", "--shard-pages", "5"]
    process = subprocess.Popen(
        [*command, "--workers", "2"], cwd=work, env=environment, stderr=subprocess.PIPE, text=True
    )
    manifest = work / "out" / "_manifest.jsonl"
    end = time.monotonic() + 120
    while not manifest.exists():
        assert time.monotonic() < end
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(number)
    _, errors = process.communicate(timeout=120)
    if process.returncode != 0:  # it was not faster than the signal
        assert process.returncode == 128 + number
        *_, last = errors.splitlines()  # lines about the progress may come before
        assert last == "quarry: stopped; finished shards stay in out, and the same command continues"
    assert not list((work / "out").glob(".quarry-*"))
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, check=False)
    assert (done.returncode, len(titles_in(work / "out"))) == (0, 60)


def test_a_signal_waits_until_a_file_is_whole(tmp_path, monkeypatch):
    make = tempfile.mkstemp

    def make_and_signal(**options):
        made = make(**options)
        signal.raise_signal(signal.SIGTERM)
        return made

    monkeypatch.setattr(tempfile, "mkstemp", make_and_signal)
    before = {name: signal.getsignal(getattr(signal, name)) for name in stopping.SIGNALS}
    stopping.STOPPER.listen()
    try:
        with pytest.raises(KeyboardInterrupt):
            batch._open_folder(str(tmp_path)).write("part-00000.parquet", b"whole")
    finally:
        stopping.STOPPER.__init__()
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("part-00000.parquet", b"whole")]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["read", "gone/", "-o", "out"], 1, "gone/: there is no such file or folder; check the path"),
        (["read", "-o", "out"], 2, "Missing argument"),
        (["read", "pages"], 2, "Missing option"),
        (["read", "pages", "-o", "out", "--format", "csv"], 2, "parquet, jsonl"),
        (["read", "pages", "-o", "out", "--restart", "--keep"], 2, "cannot be used together"),
        (["mine", "pages", "-o", "out", "--region", "2", "--like", "lamp"], 2, "--like chooses one region"),
        (["read", "pages", "-o", "out", "--address", "x:1"], 2, "--engine ray"),
        (["read", "pages", "-o", "out", "--page-memory", "much"], 2, "500MB"),
        (["mine", "pages", "-o", "out", "--all", "--static"], 2, "--format jsonl"),
        (["status", "pages"], 1, "there is no batch"),
        (["retry", "pages"], 1, "there is no batch"),
        (["read", "pages", "-o", "pages/000.html"], 1, "is a file; name a folder with -o"),
        (["grind", "pages"], 2, "grind"),
    ],
)
def test_wrong_use_is_one_line(quarry, work, arguments, code, message):
    write_folder(work / "pages", 1)
    done = quarry("batch", *arguments)
    assert done.returncode == code
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["read", "pages", "--format", "jsonl"],
        ["mine", "pages", "--static", "--format", "jsonl"],
        ["mine", "pages", "--static", "--like", "Number 3", "--format", "jsonl"],
    ],
)
def test_plain_commands_give_the_same_with_several_workers(quarry, work, arguments):
    write_folder(work / "pages", 12)
    one, two = quarry(*arguments), quarry(*arguments, "--workers", "2")
    assert one.stdout == two.stdout
    assert sorted(one.stderr.splitlines()) == sorted(two.stderr.splitlines())


def test_clean_writes_the_same_files_with_several_workers(quarry, work):
    write_folder(work / "pages", 12)
    quarry("clean", "pages", "-o", "one")
    assert quarry("clean", "pages", "-o", "two", "--workers", "2").returncode == 0
    files = sorted(each.name for each in (work / "one").iterdir())
    assert len(files) == 12
    assert all((work / "one" / name).read_bytes() == (work / "two" / name).read_bytes() for name in files)
