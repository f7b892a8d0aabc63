from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from webquarry.errors import InputError
from webquarry.fetching.downloads import fetch
from webquarry.fetching.inputs import parse_rows
from webquarry.model.page import Page
from webquarry.model.wrapper import Source
from webquarry.pipeline.source_addresses import load_function, locate
from webquarry.pipeline.source_pages import PageFinder, read_index, read_links

FACTBOOK = Path(__file__).parents[2] / "examples" / "factbook"


def page(body: str, url: str = "https://example.org/a/index.html") -> Page:
    return Page(url=url, body=body.encode())


def rows(body: bytes) -> list[dict[str, str]]:
    return parse_rows(body, "file:///index.csv")


def test_the_example_fact_book_is_indexed_by_its_page() -> None:
    index = read_index(Source("factbook", pages="geos/{code}.html", index_page="index.html"), FACTBOOK, fetch)
    assert len(index) == 14
    assert index[0] == ("Aldermark", (FACTBOOK / "geos" / "am.html").as_uri())
    assert index[-1] == ("Vélaine", (FACTBOOK / "geos" / "vl.html").as_uri())
    assert {address for _, address in index} == {file.as_uri() for file in (FACTBOOK / "geos").iterdir()}


def test_a_source_is_indexed_by_a_file(tmp_path: Path) -> None:
    (tmp_path / "index.csv").write_text('country,code\n"Sea, Inner",s e\n', encoding="utf-8-sig")
    source = Source("book", pages="geos/{code}.html", key="country", index_file="index.csv")
    assert read_index(source, tmp_path, fetch) == [("Sea, Inner", (tmp_path / "geos" / "s e.html").as_uri())]


def test_the_first_page_of_a_key_counts_and_the_others_are_told(caplog) -> None:
    source = Source("letters", pages="https://example.org/{n}", key="key", index_file="https://me:secret@example.org/")
    index = read_index(source, ".", lambda address: page("key,n\na,1\nb,2\na,3\nb,2\n", address))
    assert index == [("a", "https://example.org/1"), ("b", "https://example.org/2")]
    assert caplog.messages == ["https://example.org/: using the first of several pages for a"]


def test_links_have_texts_and_absolute_addresses_in_their_order() -> None:
    links = read_links(
        page(
            "<a name=top>Top</a><a href='#top'>Up</a><a href=''>Here</a>"
            "<select><option value=''>Choose<option value='geos/fr.html'>France</select>"
            "<a href=' ../geos/it.html\n'>\n The <b>Italian</b>\nRepublic</a><map><area href='/x'></map>"
            "<a href='//example.com/y'>y</a><a href='http://[z'>z</a>"
        )
    )
    assert links == [
        ("France", "https://example.org/a/geos/fr.html"),
        ("The Italian Republic", "https://example.org/geos/it.html"),
        ("", "https://example.org/x"),
        ("y", "https://example.com/y"),
        ("z", "http://[z"),
    ]


def test_links_are_relative_to_the_base_of_the_page() -> None:
    links = read_links(page("<base target=_top><base href='/b/'><base href='/c/'><a href=d>D</a>"))
    assert links == [("D", "https://example.org/b/d")]


def test_links_are_decoded_as_pages_are() -> None:
    latin = Page("https://example.org/", b"<a href=v>V\xe9laine</a>", headers=(("Content-Type", "a; charset=latin1"),))
    assert read_links(latin) == [("Vélaine", "https://example.org/v")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"\xef\xbb\xbfkey, code \r\nA,1\r\n\r\nB,2", [{"key": "A", "code": "1"}, {"key": "B", "code": "2"}]),
        (b'key,code\n"a ""b"",\nc",1\n', [{"key": 'a "b",\nc', "code": "1"}]),
        (b"key,code\nshort\nlong,1,2\n", [{"key": "short", "code": ""}, {"key": "long", "code": "1"}]),
        ("key\nVélaine\n".encode(), [{"key": "Vélaine"}]),
        (b"key,code\rA,1\r", [{"key": "A", "code": "1"}]),
        (b"key,code\n", []),
        (b"\xef\xbb\xbfkey;code\r\nA, the first;1\r\n", [{"key": "A, the first", "code": "1"}]),
        (b"key\tcode\nA; B\t1\n", [{"key": "A; B", "code": "1"}]),
    ],
)
def test_rows_have_the_names_of_the_first_line(body: bytes, expected: list[dict[str, str]]) -> None:
    assert rows(body) == expected


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b"key\nA\nV\xe9laine\n", "index.csv: line 3 is not in UTF-8"),
        (b"", "index.csv: the file is empty"),
        (b"\n \n", "index.csv: the file is empty"),
        (b"key\n" + b"x" * 200_000, "index.csv: this is not CSV"),
    ],
)
def test_a_file_that_is_not_a_table_is_reported(body: bytes, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        rows(body)


@pytest.mark.parametrize(
    ("base", "address", "expected"),
    [
        ("https://example.org/book/", "geos/{code}.html", "https://example.org/book/geos/{code}.html"),
        ("https://example.org/book", "geos/fr.html", "https://example.org/book/geos/fr.html"),
        ("https://example.org", "geos/fr.html", "https://example.org/geos/fr.html"),
        ("http://localhost:8000", "fr.html", "http://localhost:8000/fr.html"),
        ("https://example.org/book/index.html", "geos/fr.html", "https://example.org/book/geos/fr.html"),
        ("https://example.org/book", "?id=1", "https://example.org/book?id=1"),
        ("https://example.org/book/", "https://example.com/x", "https://example.com/x"),
        ("/data/my book", "geos/{code}.html", "file:///data/my%20book/geos/{code}.html"),
        ("/data/book.2011", "geos/fr.html", "file:///data/book.2011/geos/fr.html"),
        (Path("/data/book"), "../other/", "file:///data/other/"),
        ("/data/book", "/elsewhere/x", "file:///elsewhere/x"),
        ("file:///data/book", "x.html", "file:///data/book/x.html"),
    ],
)
def test_pages_are_located_from_the_base_of_a_source(base: str | Path, address: str, expected: str) -> None:
    assert locate(base, address) == expected


def test_a_base_may_be_relative_to_the_folder_of_the_wrapper(tmp_path: Path) -> None:
    assert locate(locate(tmp_path, "pages"), "a.html") == (tmp_path / "pages" / "a.html").as_uri()


MODULE = """
import json

def by_code(code, region="none"):
    return f"{region}/{code}.html"

def by_all(**columns):
    return ",".join(columns)

def nothing(code):
    return None

number = 3
"""


@pytest.mark.parametrize(
    ("name", "arguments", "address"),
    [
        ("by_code", {"code": "fr", "region": "eu", "other": "x"}, "eu/fr.html"),
        ("by_code", {"code": "fr"}, "none/fr.html"),
        ("by_all", {"a": "1", "b": "2"}, "a,b"),
    ],
)
def test_a_function_beside_the_wrapper_makes_addresses(
    tmp_path: Path, name: str, arguments: Mapping[str, str], address: str
) -> None:
    (tmp_path / "mappings.py").write_text(MODULE)
    assert load_function(f"mappings:{name}", folder=tmp_path)(arguments) == address


def test_a_function_of_any_module_makes_addresses(tmp_path: Path) -> None:
    assert load_function("posixpath:basename", folder=tmp_path)({"p": "geos/fr.html"}) == "fr.html"


@pytest.mark.parametrize(
    ("named", "fault"),
    [
        ("no_such_module:f", "no_such_module: the module .* cannot be loaded .*looked for as .*no_such_module.py"),
        ("mappings:missing", "mappings:missing: the module mappings has no function missing"),
        ("mappings:number", "has no function number"),
        ("broken:f", "broken: the module of the mapping function cannot be loaded .ZeroDivisionError"),
    ],
)
def test_a_function_that_is_not_there_is_reported(tmp_path: Path, named: str, fault: str) -> None:
    (tmp_path / "mappings.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("1 / 0")
    with pytest.raises(InputError, match=fault):
        load_function(named, folder=tmp_path)


@pytest.mark.parametrize(
    ("name", "fault"), [("by_code", "it failed for {} (TypeError"), ("nothing", "for {'code': 'fr'} it gave None")]
)
def test_a_function_that_gives_no_address_is_reported(tmp_path: Path, name: str, fault: str) -> None:
    (tmp_path / "mappings.py").write_text(MODULE)
    address_of = load_function(f"mappings:{name}", folder=tmp_path)
    with pytest.raises(InputError, match=re.escape(fault)):
        address_of({"code": "fr"} if name == "nothing" else {})


@pytest.mark.parametrize(
    ("base", "pages", "key", "way"),
    [
        ("", "geos/{code}.html", "a/b", "/books/atlas/geos/a%2Fb.html"),
        ("", "../pages/{+way}.html", "a/b", "/books/pages/a/b.html"),
        ("", "{+way}", "/books/atlas/a.html", "/books/atlas/a.html"),
        ("/maps", "{+way}", "a/../b.html", "/maps/b.html"),
    ],
)
def test_a_key_is_filled_into_the_template(base, pages, key, way):
    assert PageFinder(Source("atlas", base=base, pages=pages), Path("/books/atlas")).find_one(key) == f"file://{way}"


def test_a_key_may_be_an_address():
    finder = PageFinder(Source("news", pages="{+link}"), Path("/books"))
    assert finder.find_one("https://news.test/a?b=1") == "https://news.test/a?b=1"


@pytest.mark.parametrize(
    ("base", "pages", "key"),
    [
        ("", "{+link}", "file:///etc/passwd"),
        ("https://news.test/", "{+link}", "file:///etc/passwd"),
        ("", "news/{+way}", "../../../etc/passwd"),
        ("", "news/{+way}", "../other/a.html"),
    ],
)
def test_keys_do_not_lead_to_files_that_are_none_of_the_source(base, pages, key):
    with pytest.raises(InputError, match="leads outside of"):
        PageFinder(Source("news", base=base, pages=pages), Path("/books")).find_one(key)


@pytest.mark.parametrize(
    ("base", "roots"), [("", [Path("/books")]), ("a b", [Path("/books/a b")]), ("https://news.test/", [])]
)
def test_files_of_a_source_are_in_its_folder(base, roots):
    assert PageFinder(Source("news", base=base, pages="{code}"), Path("/books")).roots == roots
