from __future__ import annotations

import os
from pathlib import Path

import pytest

from webquarry.errors import InputError, RefusedError
from webquarry.fetching.downloads import fetch_onward
from webquarry.model.page import Page


def load(address: str) -> Page:
    return Page(address, b"from the web")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site" / "shop").mkdir(parents=True)
    for name in ("secret.html", "site/other.html", "site/shop/index.html", "site/shop/page 2.html"):
        (tmp_path / name).write_text(name)
    return tmp_path / "site"


def test_addresses_of_the_web_are_loaded():
    page = fetch_onward("https://shop.example/2", start="https://shop.example/", load=load)
    assert page == Page("https://shop.example/2", b"from the web")


def test_a_file_leads_to_the_files_beside_it(site):
    start = (site / "shop" / "index.html").as_uri()
    page = fetch_onward((site / "shop" / "page 2.html").as_uri(), start=start, load=load)
    assert (page.url, page.body) == ((site / "shop" / "page 2.html").as_uri(), b"site/shop/page 2.html")
    with_query = fetch_onward((site / "shop" / "page 2.html").as_uri() + "?from=1", start=start, load=load)
    assert with_query.body == page.body


def test_a_file_whose_name_is_no_text_is_led_to(site):
    odd = site / os.fsdecode(b"\xff.html")
    odd.write_text("odd")
    assert fetch_onward(odd.as_uri(), start=(site / "other.html").as_uri(), load=load).body == b"odd"


def test_nothing_outside_of_the_folder_is_read(site):
    start = (site / "shop" / "index.html").as_uri()
    (site / "shop" / "link.html").symlink_to(site.parent / "secret.html")
    outside = [site / "other.html", site.parent / "secret.html", site / "shop" / "link.html", Path("/etc/passwd")]
    for path in outside:
        with pytest.raises(RefusedError, match="outside of"):
            fetch_onward(path.as_uri(), start=start, load=load)
    with pytest.raises(RefusedError, match="outside of"):
        fetch_onward(f"{site.as_uri()}/shop/%2e%2e/%2e%2e/secret.html", start=start, load=load)


def test_a_root_that_holds_the_page_widens_what_is_read(site):
    start = (site / "shop" / "index.html").as_uri()
    roots = [site / "elsewhere", site]
    assert fetch_onward((site / "other.html").as_uri(), start=start, load=load, roots=roots).body == b"site/other.html"
    with pytest.raises(RefusedError, match="outside of"):
        fetch_onward((site.parent / "secret.html").as_uri(), start=start, load=load, roots=roots)


def test_a_page_of_the_web_leads_to_no_files(site):
    with pytest.raises(RefusedError, match="only a page on disk may lead to files"):
        fetch_onward((site / "other.html").as_uri(), start="https://shop.example/", load=load, roots=[site])


def test_an_address_that_can_be_no_file_is_told(site):
    with pytest.raises(InputError, match="not a valid file name"):
        fetch_onward(f"{site.as_uri()}/a%00b.html", start=(site / "other.html").as_uri(), load=load)


def test_what_is_no_page_is_told(site):
    start = (site / "shop" / "index.html").as_uri()
    with pytest.raises(InputError, match="there is no such file"):
        fetch_onward((site / "shop" / "gone.html").as_uri(), start=start, load=load)
    with pytest.raises(InputError, match="a folder"):
        fetch_onward((site / "shop").as_uri(), start=start, load=load)
