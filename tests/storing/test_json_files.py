"""JSON: an object a page, lines at once, files whole."""

from __future__ import annotations

import io
import json

import pytest

from webquarry.errors import InputError
from webquarry.model.page import Failure
from webquarry.model.region import PageRegions
from webquarry.storing.formats import open_sink

FAILED = Failure("https://example.org/b", "it is gone")


def test_a_line_is_there_as_soon_as_its_page_is(page_of):
    stream = io.BytesIO()
    sink = open_sink("jsonl", stream=stream)
    sink.add(page_of({"Title": ["Kettle"]}))
    assert stream.getvalue().endswith(b"\n")
    assert json.loads(stream.getvalue())["regions"][0]["records"][0]["values"] == {"Title": "Kettle"}
    sink.add(FAILED)
    assert json.loads(stream.getvalue().splitlines()[1]) == {"page": "https://example.org/b", "error": "it is gone"}


def test_a_line_is_as_documented(page_of):
    stream = io.BytesIO()
    page = page_of({"title": ["Kettle"]})
    open_sink("jsonl", stream=stream).add(page)
    expected = {"page": "https://example.org/a", "document": "static", "regions": [page.regions[0].to_dict()]}
    assert json.loads(stream.getvalue()) == expected


def test_a_page_without_regions_is_a_line_too():
    stream = io.BytesIO()
    open_sink("jsonl", stream=stream).add(PageRegions("https://example.org/", "rendered", []))
    assert json.loads(stream.getvalue()) == {"page": "https://example.org/", "document": "rendered", "regions": []}


@pytest.mark.parametrize("count", [0, 1, 3])
def test_an_array_has_all_pages(page_of, tmp_path, count):
    path = tmp_path / "a.json"
    sink = open_sink("json", path)
    for number in range(count):
        sink.add(page_of({"title": ["Kettle"]}, page=f"https://example.org/{number}") if number != 1 else FAILED)
    sink.finish()
    pages = [each["page"] for each in json.loads(path.read_bytes())]
    assert pages == ["https://example.org/0", "https://example.org/b", "https://example.org/2"][:count]


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_line_breaks_and_halves_of_characters_stay_inside_their_line(page_of, name, tmp_path):
    sink = open_sink(name, tmp_path / "a")
    sink.add(page_of({"title": ["a\nb\u2028c\ud800"]}))
    sink.finish()
    lines = (tmp_path / "a").read_bytes().decode().split("\n")
    (line,) = (line for line in lines if "page" in line)
    assert json.loads(line)["regions"][0]["records"][0]["values"]["title"] == "a\nb\u2028c\ufffd"


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_a_file_that_is_not_finished_leaves_the_old_one(page_of, tmp_path, name):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    sink = open_sink(name, path)
    sink.add(page_of({"title": ["Kettle"]}))
    sink.close()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_closing_what_is_finished_changes_nothing(page_of, tmp_path):
    sink = open_sink("jsonl", tmp_path / "a.jsonl")
    sink.add(page_of({"title": ["Kettle"]}))
    sink.finish()
    sink.close()
    assert (tmp_path / "a.jsonl").read_bytes().count(b"\n") == 1


@pytest.mark.parametrize("name", ["json", "jsonl", "csv", "parquet", "table"])
def test_a_file_that_cannot_be_written_in_the_end_is_named(page_of, tmp_path, name):
    path = tmp_path / "a"
    sink = open_sink(name, path)
    sink.add(page_of({"title": ["Kettle"]}))
    path.mkdir()
    with pytest.raises(InputError, match=r"/a: cannot be written: .*; .* name another file with -o"):
        sink.finish()
    sink.close()
    assert list(tmp_path.iterdir()) == [path]


def test_errors_of_standard_output_pass_as_they_are(page_of):
    class Closed(io.BytesIO):
        def write(self, content):
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        open_sink("jsonl", stream=Closed()).add(page_of({"title": ["Kettle"]}))
