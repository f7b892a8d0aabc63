"""A file name for the result of each page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from webquarry.storing.result_files import ResultNames


@pytest.fixture(autouse=True)
def folders_without_disk(monkeypatch):
    """Names without an ending are folders, though nothing is there."""
    monkeypatch.setattr(Path, "is_dir", lambda path: not path.suffix)


def give(url: str, *folders: str) -> str:
    return str(ResultNames(map(Path, folders), ".xhtml").give(url))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/", "example.org/index.xhtml"),
        ("https://example.org", "example.org/index.xhtml"),
        ("https://example.org/a/b.html", "example.org/a/b.xhtml"),
        ("https://example.org/a/b", "example.org/a/b.xhtml"),
        ("https://example.org/a.php?id=1&x=2", "example.org/a.php_id=1_x=2.xhtml"),
        ("https://example.org:8080/a", "example.org_8080/a.xhtml"),
        ("https://example.org/%C3%A9.html", "example.org/é.xhtml"),
        ("stdin:", "stdin.xhtml"),
        ("file:///elsewhere/a.html", "a.xhtml"),
        ("file:///elsewhere/a.html.gz", "a.xhtml"),
        ("file:///elsewhere/a.MHTML", "a.xhtml"),
        ("file:///elsewhere/a.tar.xhtml", "a.tar.xhtml"),
        ("file:///site/b/a.htm", "b/a.xhtml"),
        ("file:///site/b/c/a%20b.html", "b/c/a_b.xhtml"),
        ("", "page.xhtml"),
    ],
)
def test_names_follow_the_page(url, expected):
    assert give(url, "/site") == expected


def test_results_are_placed_as_pages_are_in_a_folder_whose_name_is_not_text():
    assert give("file:///site%FF/b/a.html", os.fsdecode(b"/site\xff")) == "b/a.xhtml"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/../../etc/passwd",
        "https://example.org/%2e%2e/%2e%2e/etc/passwd",
        "https://../../x",
        "https://example.org//etc/passwd",
        "https://example.org/a%2Fb%2F..%2F..%2F..%2Fx",
        "https://example.org/a\\..\\..\\b",
        "https://example.org/?../../x",
        "https://example.org/%00",
        "file:///site/../../x.html",
        "file:///..",
        "../x",
        "/etc/passwd",
        "https://example.org/" + "a" * 5_000,
        "https://example.org/" + "é" * 5_000,
        "https://example.org/.hidden",
        "https://example.org/" + "\U00020000" * 100,
        "https://[bad/x",
        "https://example.org/%2F%2Fetc%2Fpasswd",
    ],
)
def test_no_address_leads_out_of_the_folder(tmp_path, url):
    given_name = give(url, "/site")
    target = tmp_path / "results" / given_name
    assert target.resolve().is_relative_to((tmp_path / "results").resolve())
    assert ".." not in Path(given_name).parts
    assert all(len(part.encode()) < 256 for part in Path(given_name).parts)
    target.parent.mkdir(parents=True)
    target.write_bytes(b"")


def test_no_two_pages_have_one_name_even_where_case_is_ignored():
    names = ResultNames([], ".xhtml")
    urls = ["https://example.org/a", "https://example.org/A", "https://example.org/a.html", "https://example.org/a"]
    given_names = [str(names.give(url)) for url in urls]
    assert given_names == [f"example.org/{name}.xhtml" for name in ("a", "A-2", "a-3", "a-4")]


def test_no_file_takes_the_name_of_a_folder():
    names = ResultNames([], ".xhtml")
    file = names.give("https://example.org/a/b")
    assert file not in names.give("https://example.org/a/b.xhtml/c").parents


def test_a_name_that_looks_numbered_is_not_given_twice():
    names = ResultNames([], ".xhtml")
    given_names = [str(names.give(f"https://example.org/{name}")) for name in ("a-2", "a", "a", "a-2")]
    assert len(set(given_names)) == 4


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (["/x/a/index.html", "/x/b/index.html"], ["a/index", "b/index"]),
        (["/x/a/index.html", "/x/b/index.html", "/x/c/about.html"], ["a/index", "b/index", "about"]),
        (["/x/2023/a/p.html", "/x/2024/a/p.html"], ["2023/a/p", "2024/a/p"]),
        (["/x/a/p.html", "/x/a/p.htm"], ["p", "p-2"]),
        (["/x/a.html", "/x/a.html"], ["a", "a-2"]),
        (["file:///x/a/p.html", "/x/b/p.html"], ["a/p", "b/p"]),
        (["/p.html", "/q/p.html"], ["p", "q/p"]),
    ],
)
def test_files_named_one_by_one_keep_what_tells_them_apart(inputs, expected):
    names = ResultNames(inputs, ".md")
    uris = [each if each.startswith("file:") else Path(each).as_uri() for each in inputs]
    assert [str(names.give(uri)) for uri in uris] == [f"{name}.md" for name in expected]


def test_pages_of_several_folders_are_below_the_names_of_these():
    names = ResultNames(["/x/news", "/x/shop"], ".md")
    assert [str(names.give(f"file:///x/{name}/index.html")) for name in ("news", "shop")] == [
        "news/index.md",
        "shop/index.md",
    ]


@settings(deadline=None, derandomize=True, max_examples=200, database=None, suppress_health_check=list(HealthCheck))
@given(
    urls=st.lists(
        st.text(
            st.sampled_from("abA./\\%:?#&=2eEfF é\0-_~") | st.characters(exclude_categories=("Cs",)), max_size=30
        ).map(lambda text: "https://example.org/" + text),
        max_size=6,
    )
)
def test_names_stay_inside_and_apart_whatever_the_addresses(urls):
    names = ResultNames([], ".xhtml")
    given_names = [names.give(url) for url in urls]
    assert len({str(name).lower() for name in given_names}) == len(urls)
    for name in given_names:
        assert not name.is_absolute()
        assert ".." not in name.parts
        assert name.name.endswith(".xhtml")
        assert "\0" not in str(name)
