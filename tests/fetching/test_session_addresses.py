from __future__ import annotations

import httpx2
import pytest

from webquarry.errors import FetchError, InputError, RefusedError
from webquarry.fetching.session import check_redirect, parse_address


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("http://example.org", "http://example.org"),
        ("HTTP://Example.ORG/A", "http://example.org/A"),
        ("http://example.org/a b?c=ä#part", "http://example.org/a%20b?c=%C3%A4"),
        ("http://example.org:80/", "http://example.org/"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
    ],
)
def test_addresses_are_read_as_browsers_do(written: str, sent: str) -> None:
    assert str(parse_address(written)) == sent


@pytest.mark.parametrize(
    "written", ["http://", "http:///a", "http://[::1", "http://a:b:c/", "http://x:99999/", "http://x:0/", "http://\0/"]
)
def test_what_is_no_address_is_told(written: str) -> None:
    with pytest.raises(InputError, match="address"):
        parse_address(written)


def test_names_in_other_scripts_are_encoded() -> None:
    assert parse_address("http://bücher.example/").raw_host == b"xn--bcher-kva.example"


@pytest.mark.parametrize("target", ["http://example.org/", "https://example.org:8443/"])
def test_redirects_on_the_web_are_followed(target: str) -> None:
    check_redirect(httpx2.URL(target))


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://example.org/", "/relative"])
def test_redirects_to_elsewhere_are_refused(target: str) -> None:
    with pytest.raises(RefusedError, match="addresses are not followed"):
        check_redirect(httpx2.URL(target))


@pytest.mark.parametrize("target", ["http:///a", "http://x:99999/"])
def test_redirects_to_no_address_are_errors(target: str) -> None:
    with pytest.raises(FetchError, match="an invalid address"):
        check_redirect(httpx2.URL(target))
