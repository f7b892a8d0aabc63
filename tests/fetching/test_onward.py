from __future__ import annotations

import gzip
import os
from pathlib import Path
from urllib.parse import urljoin

import pytest

from webquarry.errors import InputError, RefusedError
from webquarry.fetching.downloads import Follower, Loader
from webquarry.fetching.inputs import file_uri
from webquarry.fetching.policy import Policy
from webquarry.model.page import Page


class FakeLoader(Loader):
    def load(self, address: str) -> Page:
        return Page(address, b"from the web")


def follow(address: str, *, start: str, roots=(), page_address="", **policy) -> Page:
    follower = Follower(start, FakeLoader(Policy(**policy)), roots)
    return follower.fetch(address, page=start, page_address=page_address or start)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site" / "shop").mkdir(parents=True)
    for name in ("secret.html", "site/other.html", "site/shop/index.html", "site/shop/page 2.html"):
        (tmp_path / name).write_text(name)
    return tmp_path / "site"


def test_addresses_of_the_web_are_loaded():
    page = follow("https://shop.example/2", start="https://shop.example/")
    assert page == Page("https://shop.example/2", b"from the web")


def test_a_file_leads_to_the_files_beside_it(site):
    start = (site / "shop" / "index.html").as_uri()
    page = follow((site / "shop" / "page 2.html").as_uri(), start=start)
    assert (page.url, page.body) == ((site / "shop" / "page 2.html").as_uri(), b"site/shop/page 2.html")
    with_query = follow((site / "shop" / "page 2.html").as_uri() + "?from=1", start=start)
    assert with_query.body == page.body


def test_a_file_whose_name_is_no_text_is_led_to(site):
    odd = site / os.fsdecode(b"\xff.html")
    odd.write_text("odd")
    assert follow(odd.as_uri(), start=(site / "other.html").as_uri()).body == b"odd"


def test_nothing_outside_of_the_folder_is_read(site):
    start = (site / "shop" / "index.html").as_uri()
    (site / "shop" / "link.html").symlink_to(site.parent / "secret.html")
    outside = [site / "other.html", site.parent / "secret.html", site / "shop" / "link.html", Path("/etc/passwd")]
    for path in outside:
        with pytest.raises(RefusedError, match="outside of"):
            follow(path.as_uri(), start=start)
    with pytest.raises(RefusedError, match="outside of"):
        follow(f"{site.as_uri()}/shop/%2e%2e/%2e%2e/secret.html", start=start)


def test_a_root_that_holds_the_page_widens_what_is_read(site):
    start = (site / "shop" / "index.html").as_uri()
    roots = [site / "elsewhere", site]
    assert follow((site / "other.html").as_uri(), start=start, roots=roots).body == b"site/other.html"
    with pytest.raises(RefusedError, match="outside of"):
        follow((site.parent / "secret.html").as_uri(), start=start, roots=roots)


def test_a_page_of_the_web_leads_to_no_files(site):
    with pytest.raises(RefusedError, match="only a page on disk may lead to files"):
        follow((site / "other.html").as_uri(), start="https://shop.example/", roots=[site])


def test_an_address_that_can_be_no_file_is_told(site):
    with pytest.raises(InputError, match="not a valid file name"):
        follow(f"{site.as_uri()}/a%00b.html", start=(site / "other.html").as_uri())


def test_what_is_no_page_is_told(site):
    start = (site / "shop" / "index.html").as_uri()
    with pytest.raises(InputError, match="there is no such file"):
        follow((site / "shop" / "gone.html").as_uri(), start=start)
    (site / "shop" / "empty").mkdir()
    with pytest.raises(InputError, match="there is no such file"):
        follow((site / "shop" / "empty").as_uri(), start=start)


LIST = "list/index.html"


@pytest.mark.parametrize(
    ("link", "file"),
    [
        ("page-2.html", "list/page-2.html"),
        ("/shop/page/2/", "shop/page/2/index.html"),
        ("/shop/page/2", "shop/page/2.html"),
        ("?page=2", "list/index.html?page=2"),
        ("?page=2", "list/index.html?page=2.html"),
        ("?page=2", "list/index.html@page=2"),
        ("?page=2", "list/index?page=2.html"),
        ("?page=2", "list/index%3Fpage=2.html"),
        ("index.html?a=b%2Fc", "list/index.html?a=b%2Fc"),
        ("/list/?page=2", "list/index.html?page=2"),
        ("/list/?page=2", "list?page=2.html"),
        ("/list.php?page=2", "list.php?page=2.html"),
        ("/caf%C3%A9/", "café/index.html"),
        ("/caf%C3%A9/", "caf%C3%A9/index.html"),
        ("page-2.html", "list/page-2.html.gz"),
    ],
)
@pytest.mark.parametrize("address", ["", "https://shop.example/list/index.html"])
def test_links_lead_to_saved_files_below_the_root(tmp_path, link, file, address):
    start = _save(tmp_path / LIST, b"first").as_uri()
    saved = _save(tmp_path / file, gzip.compress(b"second") if file.endswith(".gz") else b"second")
    page = follow(urljoin(address or start, link), start=start, roots=[tmp_path], page_address=address)
    assert (page.body, page.url) == (b"second", file_uri(saved))
    assert page.address == (urljoin(address, link) if address else "")


def test_links_lead_to_files_in_the_folder_of_their_host(tmp_path):
    start = _save(tmp_path / LIST, b"first").as_uri()
    _save(tmp_path / "shop.example" / "a" / "2.html", b"second")
    page = follow("https://shop.example/a/2", start=start, roots=[tmp_path], page_address="https://shop.example/a/")
    assert page.body == b"second"


def test_links_relative_to_the_page_lead_to_files_beside_it(tmp_path):
    start = _save(tmp_path / "one.html", b"first").as_uri()
    _save(tmp_path / "page" / "2.html", b"second")
    page = follow("https://shop.example/a/page/2/", start=start, page_address="https://shop.example/a/")
    assert page.body == b"second"


def test_a_url_map_leads_back_to_files(tmp_path):
    start = _save(tmp_path / "one.html", b"first").as_uri()
    _save(tmp_path / "second.html", b"second")
    _save(tmp_path / "urls.csv", b"file,url\nsecond.html,https://www.shop.example/a?page=2\n")
    page = follow("http://shop.example/a/?page=2", start=start, url_map=tmp_path / "urls.csv")
    assert (page.body, page.address) == (b"second", "https://www.shop.example/a?page=2")


def test_a_page_that_is_not_saved_is_told_and_not_requested(tmp_path):
    start = _save(tmp_path / "list.html", b"first").as_uri()
    for link in ("list.html?page=2", "/shop/2"):
        with pytest.raises(InputError, match="there is no such file"):
            follow(urljoin(start, link), start=start)
        address = "https://shop.example/list.html"
        with pytest.raises(InputError, match="there is no such file"):
            follow(urljoin(address, link), start=start, page_address=address)


def test_an_address_of_the_web_leads_to_no_file_outside_of_the_root(tmp_path):
    start = _save(tmp_path / "site" / "list.html", b"first").as_uri()
    _save(tmp_path / "secret.html", b"secret")
    for address in ("https://shop.example/../secret.html", "https://shop.example/%2e%2e/secret.html"):
        with pytest.raises(InputError, match="there is no such file"):
            follow(address, start=start, page_address="https://shop.example/list.html")


def _save(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path
