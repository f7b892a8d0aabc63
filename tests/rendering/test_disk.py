from __future__ import annotations

import os
from pathlib import Path

import pytest

from webquarry.rendering.requests import HOST, Disk, find_web_root


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with pages one level down, and things around it that are nobody's business."""
    files = {
        "secret.css": "secret",
        "site/index.html": "",
        "site/style.css": "p {}",
        "site/.hidden/style.css": "secret",
        "site/keys.pem": "secret",
        "site/pages/one.html": "",
        "site/pages/one_files/a b.png": "picture",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "site" / "link.css").symlink_to(tmp_path / "secret.css")
    return tmp_path / "site"


def given(disk: Disk, path: str) -> bytes | None:
    answer = disk.answer(HOST + path)
    return answer.body if answer else None


def test_a_page_has_the_root_of_the_nearest_index_page(site):
    disk = Disk((site / "pages" / "one.html").as_uri())
    assert disk.address == f"{HOST}pages/one.html"
    assert given(disk, "style.css") == b"p {}"
    assert given(disk, "pages/one_files/a%20b.png?version=2") == b"picture"


def test_names_that_are_no_text_are_found(site):
    folder = site / os.fsdecode(b"\xff")
    folder.mkdir()
    (folder / os.fsdecode(b"\xfe.css")).write_bytes(b"b {}")
    disk = Disk((folder / "one.html").as_uri())
    assert disk.address == f"{HOST}%FF/one.html"
    assert given(disk, "%FF/%FE.css") == b"b {}"


def test_a_page_without_an_index_page_has_its_own_folder(site):
    (site / "index.html").unlink()
    disk = Disk((site / "pages" / "one.html").as_uri())
    assert disk.address == f"{HOST}one.html"
    assert given(disk, "style.css") is None
    assert given(disk, "one_files/a%20b.png") == b"picture"


def test_a_folder_that_was_named_is_the_root(site):
    disk = Disk((site / "pages" / "one.html").as_uri(), [Path("/elsewhere"), site.parent])
    assert disk.address == f"{HOST}site/pages/one.html"
    assert given(disk, "secret.css") == b"secret"


def test_the_web_root_of_a_folder_is_the_nearest_with_an_index_page(site):
    assert find_web_root(site / "pages") == find_web_root(site) == site
    (site / "pages" / "index.html").touch()
    assert find_web_root(site / "pages") == site / "pages"


def test_a_folder_without_an_index_page_is_its_own_web_root(site):
    (site / "index.html").unlink()
    assert find_web_root(site / "pages") == site / "pages"


def test_an_index_page_is_looked_for_two_levels_up_and_no_further(site):
    deep = site / "pages" / "2024" / "05"
    deep.mkdir(parents=True)
    assert find_web_root(deep.parent) == site
    assert find_web_root(deep) == deep


def test_a_folder_reached_by_a_link_is_judged_where_it_is(site, tmp_path):
    (tmp_path / "short").symlink_to(site / "pages")
    (tmp_path / "index.html").touch()
    assert find_web_root(tmp_path / "short") == site


@pytest.mark.parametrize("home", ["site", "site/pages", "site/pages/of/somebody"])
def test_no_index_page_makes_a_web_root_of_all_that_a_user_has(site, tmp_path, monkeypatch, home):
    """Pages that were saved to the home folder must not see what else is there."""
    monkeypatch.setenv("HOME", str(tmp_path / home))
    disk = Disk((site / "pages" / "one.html").as_uri())
    assert find_web_root(site / "pages") == site / "pages"
    assert given(disk, "style.css") is given(disk, "../style.css") is None


def test_what_a_folder_below_the_web_root_asks_for_stays_refused(site):
    disk = Disk((site / "pages" / "one.html").as_uri(), [find_web_root(site / "pages")])
    assert given(disk, "style.css") == b"p {}"
    assert given(disk, "../secret.css") is given(disk, "link.css") is given(disk, ".hidden/style.css") is None


def test_a_folder_above_the_web_root_with_a_style_sheet_is_remembered(site):
    (site / "index.html").unlink()
    disk = Disk((site / "pages" / "one.html").as_uri())
    for path in ("../secret.css", "keys.pem", "missing.css"):
        assert given(disk, path) is None
    assert disk.folder_above is None
    assert given(disk, "style.css") is None
    assert disk.folder_above == site


@pytest.mark.parametrize(
    "path",
    [
        "../secret.css",
        "%2e%2e/secret.css",
        "..%2fsecret.css",
        "pages/../../secret.css",
        "/etc/passwd",
        "//etc/passwd",
        ".hidden/style.css",
        "keys.pem",
        "link.css",
        "missing.css",
        "pages",
        "style.css%00.png",
        "",
    ],
)
def test_nothing_else_is_given(site, path):
    assert given(Disk((site / "pages" / "one.html").as_uri()), path) is None


def test_another_host_is_not_on_disk(site):
    assert Disk((site / "index.html").as_uri()).answer("http://example.org/style.css") is None
