from __future__ import annotations

import socket
import ssl

import httpcore2
import httpx2
import pytest

from webquarry.errors import FetchError, RefusedError
from webquarry.fetching.encodings import DamagedError
from webquarry.fetching.robots import is_unreachable
from webquarry.fetching.session import TemporaryError, check_status, explained, retry_after
from webquarry.fetching.transport import SpentError
from webquarry.model.page import Page


def caused(cause: Exception) -> httpcore2.ConnectError:
    error = httpcore2.ConnectError(str(cause))
    error.__context__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "text", "temporary"),
    [
        (caused(socket.gaierror(socket.EAI_NONAME, "x")), "the host is unknown; check the spelling", False),
        (caused(UnicodeError("label")), "the host is unknown; check the spelling", False),
        (caused(socket.gaierror(socket.EAI_AGAIN, "x")), "cannot be resolved; check the network", True),
        (caused(ssl.SSLError("certificate expired")), "cannot make a secure connection.*certificate expired", False),
        (caused(ConnectionRefusedError("refused")), "cannot connect .refused.", True),
        (httpcore2.ConnectTimeout("slow"), "cannot connect", True),
        (httpcore2.ReadError("reset"), "the connection broke off .reset.", True),
        (httpcore2.RemoteProtocolError("short"), "the connection broke off .short.", True),
        (httpcore2.RemoteProtocolError("bad line: bytearray(b'x')"), "the connection broke off .bad line.;", True),
        (DamagedError("the gzip data ends early"), "the gzip data ends early; try again", True),
        (httpcore2.ReadTimeout("slow"), "too slow; try again later, or in Python with a longer timeout", False),
        (SpentError("spent"), "too slow", False),
        (httpx2.InvalidURL("bad port"), "it redirects to an invalid address .bad port.", False),
        (httpx2.RemoteProtocolError("bad url"), "it redirects to an invalid address .bad url.", False),
        (httpcore2.LocalProtocolError("bad header"), "check the address and the headers", False),
        (OSError("disk full"), "disk full", False),
        (RuntimeError("storage closed"), "storage closed", False),
    ],
)
def test_errors_of_libraries_are_explained(error: Exception, text: str, temporary: bool) -> None:
    with pytest.raises(FetchError, match=text) as caught, explained():
        raise error
    assert isinstance(caught.value, TemporaryError) == temporary
    assert caught.value.__cause__ is error


def test_our_own_errors_stay_as_they_are() -> None:
    with pytest.raises(RefusedError, match=r"^no$"), explained():
        raise RefusedError("no")


def test_a_host_is_unreachable_when_no_connection_was_made() -> None:
    with pytest.raises(FetchError) as caught, explained():
        raise caused(ConnectionRefusedError())
    assert is_unreachable(caught.value)
    assert not is_unreachable(FetchError("x"))


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_a_success_is_a_page(status: int) -> None:
    check_status(Page("http://x/", b"", status))


@pytest.mark.parametrize(
    ("status", "text", "temporary"),
    [
        (404, "the server answered 404 Not Found; check the address", False),
        (401, "401 Unauthorized; send credentials with --header", False),
        (403, "403 Forbidden; the site refuses programs", False),
        (410, "410 Gone; it is gone for good", False),
        (418, "418 I'm a Teapot; check the address", False),
        (500, "500 Internal Server Error; try again later", False),
        (599, "the server answered 599; try again later", False),
        (300, "300 Multiple Choices; check the address", False),
        (429, "429 Too Many Requests; fetch fewer pages", True),
        (502, "502 Bad Gateway; try again later", True),
        (503, "503 Service Unavailable; try again later", True),
        (504, "504 Gateway Timeout; try again later", True),
    ],
)
def test_other_answers_say_what_to_do(status: int, text: str, temporary: bool) -> None:
    with pytest.raises(FetchError, match=text) as caught:
        check_status(Page("http://x/", b"", status))
    assert isinstance(caught.value, TemporaryError) == temporary


def test_the_wait_that_a_server_asks_for_is_kept() -> None:
    with pytest.raises(TemporaryError) as caught:
        check_status(Page("http://x/", b"", 503, (("retry-after", "7"),)))
    assert caught.value.retry_after == 7


def test_a_wait_that_is_too_long_is_told_and_not_waited_for() -> None:
    with pytest.raises(FetchError, match="asks to wait 3600 seconds; try again then") as caught:
        check_status(Page("http://x/", b"", 429, (("Retry-After", "3600"),)))
    assert not isinstance(caught.value, TemporaryError)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("0", 0),
        (" 120 ", 120),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 90),
        ("Thu, 01 Jan 1970 00:00:05 GMT", 0),
        ("soon", None),
        ("-5", None),
        ("Thu, 01 Jan 99999 00:00:00 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, now=10.0) == seconds
