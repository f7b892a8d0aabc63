from __future__ import annotations

from pathlib import Path

import pytest

from webquarry.rendering.disk import HOST, Disk


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
