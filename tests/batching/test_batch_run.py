"""Batches that are begun, stopped, continued and changed."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest
from tests.batching.conftest import article, stories, titles_in, write_archive, write_folder

import webquarry as wq
from webquarry.batching import batch_run
from webquarry.batching.batch_run import Batch
from webquarry.batching.page_tasks import BatchTask
from webquarry.batching.stores import OutputFolder
from webquarry.errors import InputError
from webquarry.pipeline.worker_pool import Workers


def test_a_folder_and_an_archive_give_the_rows_of_plain_reading(start, tmp_path):
    folder = write_folder(tmp_path / "pages", 12)
    archive = write_archive(tmp_path / "crawl.warc.gz", stories(15, first=12))
    state = start(folder, archive, workers=2)
    assert (state.finished, state.pages, state.rows, state.failures) == (3, 27, 27, {})
    assert titles_in(tmp_path / "out") == [f"Story {number}" for number in range(27)]
    table = pq.read_table(tmp_path / "out" / "part-00002.parquet")
    plain = list(wq.read_all(wq.clean_all(wq.fetch_all([archive]))))
    assert table["text"].to_pylist() == [each.text for each in plain]
    assert table["_page"].to_pylist() == [each.page for each in plain]


def test_other_programs_read_the_output_as_one_table(start, tmp_path):
    start(write_folder(tmp_path / "pages", 12))
    out = tmp_path / "out"
    assert duckdb.sql(f"SELECT count(DISTINCT title) FROM '{out}/*.parquet'").fetchall() == [(12,)]
    assert pl.read_parquet(out / "*.parquet").shape == (12, 7)
    assert pq.read_table(out).num_rows == 12  # passes over names that begin with _


def test_the_same_command_does_not_read_finished_shards_again(start, tmp_path):
    archive = write_archive(tmp_path / "crawl.warc.gz", stories(5))
    start(archive)
    before, stamp = titles_in(tmp_path / "out"), archive.stat()
    archive.write_bytes(b"\0" * stamp.st_size)
    os.utime(archive, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert start(archive).rows == 5
    assert titles_in(tmp_path / "out") == before


class StopHereError(Exception):
    pass


def test_a_run_that_is_stopped_goes_on_where_it_was(start, tmp_path):
    folder = write_folder(tmp_path / "pages", 40)

    def stop(report, state):
        if state.finished == 2:
            raise StopHereError

    with pytest.raises(StopHereError):
        start(folder, tell=stop)
    lines = (tmp_path / "out" / "_manifest.jsonl").read_text().splitlines()
    finished = [json.loads(line)["shard"] for line in lines]
    for place in finished:  # their pages are not needed again
        number = int(place.removeprefix("part-"))
        for page in sorted(folder.iterdir())[number * 10 : number * 10 + 10]:
            stamp = page.stat()
            page.write_bytes(b"\0" * stamp.st_size)
            os.utime(page, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    state = start(folder, workers=2)
    assert (state.finished, state.rows) == (4, 40)
    assert sorted(titles_in(tmp_path / "out")) == sorted(f"Story {number}" for number in range(40))


def test_a_crash_between_file_and_manifest_doubles_nothing(start, tmp_path):
    folder = write_folder(tmp_path / "pages", 20)
    start(folder)
    manifest = tmp_path / "out" / "_manifest.jsonl"
    first, _ = manifest.read_text().splitlines(keepends=True)
    manifest.write_text(first + '{"shard": "part-000')
    assert start(folder).rows == 20
    assert sorted(titles_in(tmp_path / "out")) == sorted(f"Story {number}" for number in range(20))


def test_new_pages_are_added_and_the_others_stay(start, tmp_path):
    first = write_archive(tmp_path / "a.warc.gz", stories(5))
    start(first)
    second = write_archive(tmp_path / "b.warc.gz", stories(5, first=5))
    state = start(second, first)
    assert (state.shards, state.rows) == (2, 10)
    assert titles_in(tmp_path / "out") == [f"Story {number}" for number in range(10)]


def test_an_input_that_has_changed_or_is_gone_asks_what_to_do(start, tmp_path):
    archive, other = (write_archive(tmp_path / f"{name}.warc.gz", stories(5)) for name in "ab")
    start(archive, other)
    with pytest.raises(InputError, match=r"b\.warc\.gz is no longer among the inputs.*--restart.*--keep"):
        start(archive)
    write_archive(archive, stories(7))
    with pytest.raises(InputError, match=r"a\.warc\.gz has changed.*--restart.*--keep"):
        start(archive, other)
    assert start(archive, other, keep=True).rows == 10
    assert start(archive, other, restart=True).rows == 12


def test_changed_code_asks_what_to_do(start, tmp_path, monkeypatch):
    folder = write_folder(tmp_path / "pages", 3)
    start(folder)
    monkeypatch.setattr(batch_run, "code_version", lambda: "2.0.0")
    with pytest.raises(InputError, match=r"webquarry changed since.*--restart.*--keep"):
        start(folder)
    assert start(folder, keep=True).rows == 3
    assert start(folder, restart=True).rows == 3
    assert json.loads((tmp_path / "out" / "_manifest.jsonl").read_text())["code"] == "2.0.0"


def wrapper_task(text: str) -> BatchTask:
    return BatchTask("extract", {"file": "f.toml"}, wrapper=text, folder="/")


def test_a_changed_wrapper_asks_what_to_do(start, tmp_path):
    pages = sorted(Path("examples/factbook/geos").glob("*.html"))[:3]
    wrapper = wq.wrap([wq.clean(wq.fetch(page)) for page in pages], name="factbook")
    wq.save_wrapper(tmp_path / "f.toml", wrapper)
    text = (tmp_path / "f.toml").read_text()
    assert start("examples/factbook/geos", task=wrapper_task(text)).failures == {}
    lines = (tmp_path / "out" / "_manifest.jsonl").read_text().splitlines()
    assert all(json.loads(line)["wrapper"] for line in lines)
    with pytest.raises(InputError, match="the wrapper changed since"):
        start("examples/factbook/geos", task=wrapper_task(text + "\n# edited\n"))


def test_other_options_are_refused(start, tmp_path):
    folder = write_folder(tmp_path / "pages", 3)
    start(folder)
    with pytest.raises(InputError, match=r"other options \(read .*parquet\).*-o"):
        start(folder, task=BatchTask("read", {"method": "blocks"}))
    with pytest.raises(InputError, match="--shard-pages"):
        start(folder, pages=7)


def test_a_second_run_on_the_same_folder_is_refused(start, tmp_path):
    folder = write_folder(tmp_path / "pages", 20)

    def start_again(report, state):
        with pytest.raises(InputError, match="another batch is writing there"):
            start(folder)

    assert start(folder, tell=start_again).rows == 20


def test_an_archive_that_cannot_be_read_stops_no_other(start, tmp_path):
    good = write_archive(tmp_path / "good.warc.gz", stories(3))
    bad = tmp_path / "bad.warc.gz"
    bad.write_bytes(b"no archive at all")
    state = start(bad, good)
    assert [each.error for each in state.unread] == [f"{bad}: this archive has no HTML pages; is it a WARC file?"]
    assert (state.finished, state.rows) == (1, 3)
    write_archive(bad, stories(4, first=3))
    state = start(bad, good, keep=True)  # the archive was mended
    assert (state.finished, state.rows, state.unread) == (2, 7, ())


def test_a_missing_input_is_said_before_anything_begins(start, tmp_path):
    with pytest.raises(InputError, match=r"gone\.warc\.gz: there is no such file"):
        start(tmp_path / "gone.warc.gz")
    with pytest.raises(InputError, match="gone: there is no such file or folder"):
        start(tmp_path / "gone")
    with pytest.raises(InputError, match="standard input"):
        start("-")


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("x")
    batch = Batch(OutputFolder(str(tmp_path / "file")), {}, Workers())
    with pytest.raises(InputError, match="is a file; name a folder with -o"):
        batch.start(BatchTask("read"), [str(write_folder(tmp_path / "pages", 1))], pages=10)
    with pytest.raises(InputError, match="not to a web address"):
        OutputFolder("https://example.org/out")


def test_archives_in_a_zip_file_are_read(start, tmp_path):
    archive = write_archive(tmp_path / "crawl.warc.gz", stories(3))
    with zipfile.ZipFile(tmp_path / "crawl.wacz", "w") as packed:
        packed.write(archive, "archive/data.warc.gz")
        packed.writestr("pages/pages.jsonl", "{}")
    assert start(tmp_path / "crawl.wacz").rows == 3
    assert len(list(wq.fetch_all([tmp_path / "crawl.wacz"]))) == 3


def test_a_wacz_file_that_holds_no_archive_is_told_by_its_name(start, tmp_path):
    (tmp_path / "broken.wacz").write_bytes(b"no ZIP file")
    with pytest.raises(InputError, match=r"broken\.wacz: not a WACZ file"):
        start(tmp_path / "broken.wacz")
    with zipfile.ZipFile(tmp_path / "other.wacz", "w") as packed:
        packed.writestr("notes.txt", "none")
    with pytest.raises(InputError, match=r"other\.wacz: this WACZ file contains no archives"):
        start(tmp_path / "other.wacz")


def test_a_list_names_inputs_relative_to_itself(start, tmp_path):
    write_folder(tmp_path / "site" / "pages", 3)
    write_archive(tmp_path / "site" / "crawl.warc", stories(2, first=3), packed=False)
    (tmp_path / "site" / "all.txt").write_text("# what there is\npages\n\ncrawl.warc\n")
    assert start(f"@{tmp_path / 'site' / 'all.txt'}").rows == 5
    (tmp_path / "empty.txt").write_text("\n")
    with pytest.raises(InputError, match="the list is empty"):
        start(f"@{tmp_path / 'empty.txt'}")


def test_json_lines_have_a_line_for_each_page_in_order(start, tmp_path):
    archive = write_archive(tmp_path / "crawl.warc.gz", stories(4))
    start(archive, task=BatchTask("read", format="jsonl"))
    rows = duckdb.sql(f"SELECT title, len(nodes) > 0 FROM '{tmp_path}/out/*.jsonl.gz'").fetchall()
    assert rows == [(f"Story {number}", True) for number in range(4)]


def test_cleaned_pages_are_a_table(start, tmp_path):
    start(write_folder(tmp_path / "pages", 2), task=BatchTask("clean", {"method": "html5"}))
    table = pq.read_table(tmp_path / "out" / "part-00000.parquet")
    assert all("<title>Story" in each for each in table["xhtml"].to_pylist())


def test_chunks_are_rows_of_their_own(start, tmp_path):
    start(write_folder(tmp_path / "pages", 2), task=BatchTask("read", {"chunks": 20}))
    assert pq.read_table(tmp_path / "out" / "part-00000.parquet").num_rows > 2


DAYS = ("Monday", "Tuesday", "Friday", "Sunday", "Thursday", "Saturday")


def shop(*, ships: bool) -> str:
    """A listing, with or without a day for each lamp."""
    cells = [
        f"<a href='/{n}'>Lamp {n}</a> <b>{n}.50 €</b>" + f" <i>ships {day}</i>" * ships for n, day in enumerate(DAYS)
    ]
    return f"<h1>Lamps</h1><ul>{''.join(f'<li>{cell}</li>' for cell in cells)}</ul>"


def test_mined_tables_have_one_schema_and_what_it_lacks_is_kept_as_json(start, tmp_path, monkeypatch):
    monkeypatch.setattr(batch_run, "SAMPLE_SHARDS", 1)
    (tmp_path / "a").mkdir()
    for number in range(3):
        (tmp_path / "a" / f"{number}.html").write_text(shop(ships=number == 2))
    state = start(tmp_path / "a", task=BatchTask("mine", {"method": "visual"}), pages=1)
    assert state.rows == 18
    tables = [pq.read_table(each) for each in sorted((tmp_path / "out").glob("*.parquet"))]
    assert len({each.schema.to_string(show_schema_metadata=False) for each in tables}) == 1
    assert tables[0]["_other"].to_pylist() == [None] * 6
    assert "ships Monday" in tables[2]["_other"].to_pylist()[0]


def test_the_manifest_says_what_was_read_and_by_how_many_it_was_voted(start, tmp_path):
    archive = write_archive(tmp_path / "crawl.warc.gz", stories(6))
    start(archive)
    (report,) = map(json.loads, (tmp_path / "out" / "_manifest.jsonl").read_text().splitlines())
    assert (report["input"], report["pages"], report["rows"]) == (str(archive), 6, 6)
    assert report["voted"] is not None
    assert report["seconds"] > 0
    assert report["code"].startswith("0.")
    digest = report["digest"]
    shutil.rmtree(tmp_path / "out")
    write_archive(archive, [*stories(5), ("https://news.example/5", article(6))])
    start(archive)
    assert json.loads((tmp_path / "out" / "_manifest.jsonl").read_text())["digest"] != digest
