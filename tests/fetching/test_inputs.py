from __future__ import annotations

import os
from pathlib import Path

import pytest

from webquarry.errors import InputError
from webquarry.fetching.downloads import fetch
from webquarry.fetching.inputs import Kind, Source, expand, sources_of, without_credentials
from webquarry.model.page import Failure


@pytest.mark.parametrize(
    ("named", "kind"),
    [
        ("http://example.org/", Kind.ADDRESS),
        ("HTTPS://example.org/a b", Kind.ADDRESS),
        ("-", Kind.STDIN),
        ("page.html", Kind.FILE),
        ("gone/page", Kind.FILE),
        ("http.html", Kind.FILE),
        ("C:/page.html", Kind.FILE),
        ("a.warc", Kind.ARCHIVE),
        ("a.WARC.gz", Kind.ARCHIVE),
        (Path("-"), Kind.FILE),
        (Path("a.warc.gz"), Kind.ARCHIVE),
    ],
)
def test_tells_what_an_input_is(named: str | Path, kind: Kind) -> None:
    (source,) = sources_of(named)
    assert (source.kind, source.name) == (kind, str(named))


def test_a_file_address_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ä b.html"
    assert sources_of(file.as_uri()) == [Source(Kind.FILE, str(file))]


def test_a_file_whose_name_is_no_text_is_found_by_its_address(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"caf\xe9") / os.fsdecode(b"\xff.html")
    file.parent.mkdir()
    file.write_bytes(b"<p>x")
    page = fetch(file)
    assert page.url.endswith("/caf%E9/%FF.html")
    assert fetch(page.url) == page


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("file://[/a.html", "not a valid file address; name the file by its path"),
        ("file:///a%00b.html", r"'/a\\x00b.html': not a valid file name; check the path"),
        ("\ud800.html", r"'\\ud800.html': not a valid file name; check the path"),
    ],
)
def test_what_can_be_no_file_is_told(named: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        sources_of(named)


def test_a_folder_is_all_its_pages(tmp_path: Path) -> None:
    for name in ("b.html", "a.html", "c.txt"):
        (tmp_path / name).touch()
    expected = [Source(Kind.FILE, str(tmp_path / name)) for name in ("a.html", "b.html")]
    assert sources_of(tmp_path) == sources_of(str(tmp_path)) == sources_of(tmp_path.as_uri()) == expected


@pytest.mark.parametrize("address", ["ftp://example.org/", "gopher://x/", "javascript://x"])
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(InputError, match="addresses cannot be fetched; use http or https"):
        sources_of(address)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://ada:secret@example.org/a", "http://example.org/a"),
        ("https://token@example.org", "https://example.org"),
        ("http://a@b:c@example.org/d@e", "http://example.org/d@e"),
        ("http://example.org/a@b", "http://example.org/a@b"),
        ("http://example.org/?next=http://u:p@x/", "http://example.org/?next=http://x/"),
        ("folder/a@b.html", "folder/a@b.html"),
    ],
)
def test_credentials_are_not_shown(address: str, shown: str) -> None:
    assert without_credentials(address) == shown


def test_an_empty_input_is_refused() -> None:
    with pytest.raises(InputError, match="an input is empty"):
        sources_of("")


def test_an_input_that_names_nothing_leaves_a_failure_in_its_place(tmp_path: Path) -> None:
    before, failure, after = expand(["a.html", tmp_path, "b.html"])
    assert isinstance(failure, Failure)
    assert failure.page == str(tmp_path)
    assert "this folder contains no pages" in failure.error
    assert [before, after] == [Source(Kind.FILE, "a.html"), Source(Kind.FILE, "b.html")]


def test_a_name_that_no_file_can_have_is_a_file_that_is_missing() -> None:
    assert [source.kind for source in sources_of("x" * 300 + ".html")] == [Kind.FILE]
