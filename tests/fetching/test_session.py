"""The session against a server that misbehaves on purpose."""

from __future__ import annotations

import gzip
import socket
import struct
import threading
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import brotli
import pytest

from webquarry.errors import FetchError, InputError, RefusedError
from webquarry.fetching import transport as guard
from webquarry.fetching.downloads import fetch
from webquarry.fetching.policy import Policy
from webquarry.fetching.session import Session

if TYPE_CHECKING:
    from conftest import Request, Server

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def test_a_page_has_address_status_headers_and_body(server: Server, policy: Policy) -> None:
    server.routes["/a?b=c"] = server.answer(b"<p>\xe4</p>", Content_Type="text/html; charset=utf-8", Set_Cookie="a=b")
    page = fetch(server.url("/a?b=c#part"), policy=policy)
    assert (page.url, page.status, page.body) == (server.url("/a?b=c"), 200, b"<p>\xe4</p>")
    assert page.header("Content-Type") == "text/html; charset=utf-8"


def test_the_body_is_given_as_sent_under_a_wrong_charset(server: Server, policy: Policy) -> None:
    server.routes["/"] = server.answer("café".encode("latin-1"), Content_Type="text/html; charset=klingon")
    page = fetch(server.url(), policy=policy)
    assert (page.body, page.header("content-type")) == (b"caf\xe9", "text/html; charset=klingon")


def test_requests_say_who_asks_and_what_is_understood(server: Server, policy: Policy) -> None:
    server.routes["/"] = server.answer()
    fetch(server.url(), policy=policy)
    headers = server.requests[-1].headers
    assert headers["user-agent"].startswith("webquarry/")
    assert headers["accept-encoding"] == "gzip, deflate, br"


def test_headers_of_the_policy_are_sent_in_place_of_ours(server: Server, policy: Policy) -> None:
    server.routes["/"] = server.answer()
    chosen = replace(policy, user_agent="mine/1", headers=(("Accept", "x/y"), ("X-Key", "é")))
    fetch(server.url(), policy=chosen)
    headers = server.requests[-1].headers
    assert (headers["user-agent"], headers["accept"]) == ("mine/1", "x/y")
    assert headers["x-key"].encode("latin-1") == "é".encode()


def test_a_header_that_cannot_be_sent_is_an_error(server: Server, policy: Policy) -> None:
    with pytest.raises(FetchError, match="check the address and the headers"):
        fetch(server.url(), policy=replace(policy, user_agent="a\r\nb: c"))


def test_credentials_in_the_address_are_sent_and_not_shown(server: Server, policy: Policy) -> None:
    server.routes["/"] = server.answer()
    page = fetch(server.url(host="ada:secret@127.0.0.1"), policy=policy)
    assert server.requests[-1].headers["authorization"].startswith("Basic ")
    assert page.url == server.url()
    with pytest.raises(FetchError, match=f"^{server.url('/gone')}: ") as caught:
        fetch(server.url("/gone", host="ada:secret@127.0.0.1"), policy=policy)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("coding", "packed"), [("gzip", gzip.compress(b"<p>x</p>", mtime=0)), ("br", brotli.compress(b"<p>x</p>"))]
)
def test_compressed_bodies_are_given_plain(server: Server, policy: Policy, coding: str, packed: bytes) -> None:
    server.routes["/"] = server.answer(packed, Content_Encoding=coding)
    page = fetch(server.url(), policy=policy)
    assert (page.body, page.header("content-encoding")) == (b"<p>x</p>", None)


def test_an_answer_without_a_length_ends_with_the_connection(server: Server, policy: Policy) -> None:
    server.routes["/"] = lambda connection, _: connection.sendall(HEAD + b"\r\n<p>x</p>")
    assert fetch(server.url(), policy=policy).body == b"<p>x</p>"


def test_connections_are_used_again(server: Server, policy: Policy) -> None:
    server.routes |= {"/a": server.answer(), "/b": server.answer()}
    with Session(policy) as session:
        session.fetch(server.url("/a"))
        session.fetch(server.url("/b"))
    assert server.connections == 1


@pytest.mark.parametrize(("status", "text"), [(404, "404 Not Found; check the address"), (500, "500 Internal")])
def test_an_error_of_the_server_is_told_with_the_address(
    server: Server, policy: Policy, status: int, text: str
) -> None:
    server.routes["/x"] = server.answer(status=status)
    with pytest.raises(FetchError, match=f"^{server.url('/x')}: the server answered {text}"):
        fetch(server.url("/x"), policy=policy)
    assert server.hits("/x") == 1


# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_to_the_final_address(server: Server, policy: Policy, status: int) -> None:
    server.routes |= {"/a": server.redirect("b/#part", status), "/b/": server.answer(b"<p>there</p>")}
    page = fetch(server.url("/a"), policy=policy)
    assert (page.url, page.body) == (server.url("/b/"), b"<p>there</p>")


def test_a_redirect_loop_ends(server: Server, policy: Policy) -> None:
    server.routes |= {"/a": server.redirect("/b"), "/b": server.redirect("/a")}
    with pytest.raises(FetchError, match="redirects more than 4 times"):
        fetch(server.url("/a"), policy=replace(policy, max_redirects=4))
    assert server.hits("/a") + server.hits("/b") == 5


def test_cookies_last_for_the_redirects_of_one_page(server: Server, policy: Policy) -> None:
    server.routes |= {"/a": server.redirect("/b", Set_Cookie="seen=1"), "/b": server.answer(Cache_Control="no-store")}
    with Session(policy) as session:
        session.fetch(server.url("/a"))
        assert server.requests[-1].headers["cookie"] == "seen=1"
        session.fetch(server.url("/b"))
        assert "cookie" not in server.requests[-1].headers


def test_cookies_of_the_policy_follow_on_the_same_host(server: Server, policy: Policy) -> None:
    server.routes |= {"/a": server.redirect("/b", Set_Cookie="seen=1"), "/b": server.answer()}
    fetch(server.url("/a"), policy=replace(policy, headers=(("Cookie", "login=x"),)))
    assert server.requests[-1].headers["cookie"] == "login=x; seen=1"


def test_credentials_do_not_follow_to_another_host(server: Server, policy: Policy) -> None:
    server.routes |= {"/a": server.redirect(server.url("/b", host="localhost")), "/b": server.answer()}
    fetch(server.url("/a"), policy=replace(policy, headers=(("Authorization", "x"), ("Cookie", "y=z"))))
    first, last = server.requests[-3], server.requests[-1]
    assert (first.path, first.headers["authorization"], first.headers["cookie"]) == ("/a", "x", "y=z")
    assert last.path == "/b"
    assert not {"authorization", "cookie"} & set(last.headers)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://example.org/", "gopher://x"])
def test_redirects_to_other_schemes_are_refused(server: Server, policy: Policy, target: str) -> None:
    server.routes["/"] = server.redirect(target)
    with pytest.raises(RefusedError, match="addresses are not followed"):
        fetch(server.url(), policy=policy)


@pytest.mark.parametrize("target", ["http://[::1", "http://x:99999/", "http://\x7f/", "javascript:alert(1)", "data:,x"])
def test_a_redirect_to_nonsense_is_an_error(server: Server, policy: Policy, target: str) -> None:
    server.routes["/"] = server.redirect(target)
    with pytest.raises(FetchError, match="the site may be misconfigured"):
        fetch(server.url(), policy=policy)
    assert server.hits("/") == 1


def test_a_redirect_with_an_endless_body_is_followed(server: Server, policy: Policy) -> None:
    def endless(connection: socket.socket, _: Request) -> None:
        connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n")
        while True:
            connection.sendall(bytes(65536))

    server.routes |= {"/a": endless, "/b": server.answer(b"<p>there</p>")}
    assert fetch(server.url("/a"), policy=policy).body == b"<p>there</p>"


# The guard


def test_loopback_is_refused_by_default(server: Server, policy: Policy) -> None:
    with pytest.raises(RefusedError, match="not on the public internet; allow it with --allow-private"):
        fetch(server.url(), policy=replace(policy, allow_private=False))
    assert server.connections == 0


def test_a_redirect_to_a_private_address_is_refused(
    server: Server, policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "is_public", lambda address: address == "127.0.0.1")
    server.routes["/"] = server.redirect(server.url("/secret", host="127.0.0.2"))
    with pytest.raises(RefusedError, match=r"127\.0\.0\.2 is not on the public internet"):
        fetch(server.url(), policy=replace(policy, allow_private=False))
    assert server.hits("/secret") == 0


def test_a_name_that_changes_its_address_between_requests_is_refused(
    server: Server, policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "is_public", lambda address: address == "127.0.0.1")
    addresses = iter(["127.0.0.1", "127.0.0.2"])
    server.routes["/"] = server.redirect("/again", Connection="close")
    guarded = replace(policy, allow_private=False, ignore_robots=True)
    refused = pytest.raises(RefusedError, match=r"rebinding\.test, at 127\.0\.0\.2, is not")
    with Session(guarded, resolver=lambda *_: [next(addresses)]) as session, refused:
        session.fetch(server.url(host="rebinding.test"))
    assert server.requests[0].headers["host"] == f"rebinding.test:{server.port}"


def test_proxies_of_the_environment_do_not_lead_round_the_guard(
    server: Server, policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, server.url())
    with pytest.raises(RefusedError):
        fetch("http://10.0.0.1/", policy=replace(policy, allow_private=False))
    assert server.connections == 0


def test_an_unknown_host_is_told_once_and_clearly(policy: Policy) -> None:
    asked: list[str] = []

    def resolver(host: str, port: int) -> list[str]:
        asked.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    unknown = pytest.raises(FetchError, match=r"^http://nowhere\.test/a: the host is unknown; check the spelling")
    with Session(policy, resolver=resolver) as session, unknown:
        session.fetch("http://nowhere.test/a")
    assert asked == ["nowhere.test"]


@pytest.mark.parametrize("address", ["http://", "http:///path", "http://[::1", "http://a:b:c/", "http://x:99999/"])
def test_what_is_no_address_is_an_input_error(policy: Policy, address: str) -> None:
    with pytest.raises(InputError, match="address"):
        fetch(address, policy=policy)


# Limits of size and time


def test_an_endless_body_ends_at_the_limit(server: Server, policy: Policy) -> None:
    def endless(connection: socket.socket, _: Request) -> None:
        connection.sendall(HEAD + b"\r\n")
        while True:
            connection.sendall(bytes(65536))

    server.routes["/"] = endless
    with pytest.raises(FetchError, match="longer than the limit of 100,000 bytes; in Python, raise max_bytes"):
        fetch(server.url(), policy=replace(policy, max_bytes=100_000))
    assert server.hits("/") == 1


@pytest.mark.parametrize("coding", ["gzip", "br"])
def test_a_compression_bomb_ends_at_the_limit(server: Server, policy: Policy, coding: str) -> None:
    zeros = bytes(30_000_000)
    bomb = gzip.compress(zeros) if coding == "gzip" else brotli.compress(zeros, quality=5)  # as small as the best
    server.routes["/"] = server.answer(bomb, Content_Encoding=coding)
    with pytest.raises(FetchError, match="longer than the limit of 100,000 bytes"):
        fetch(server.url(), policy=replace(policy, max_bytes=100_000))


def test_endless_headers_end(server: Server, policy: Policy) -> None:
    def endless(connection: socket.socket, _: Request) -> None:
        connection.sendall(HEAD)
        while True:
            connection.sendall(b"X-More: and more\r\n" * 1000)

    server.routes["/"] = endless
    with pytest.raises(FetchError, match="broke off"):
        fetch(server.url(), policy=replace(policy, retries=0))


def test_a_server_that_says_nothing_is_too_slow(server: Server, policy: Policy) -> None:
    asked, waits = threading.Event(), list[float]()

    def say_nothing(_connection: socket.socket, _: Request) -> None:
        asked.set()
        server.closing.wait(300)

    server.routes["/"] = say_nothing
    impatient = replace(policy, timeout=0.3, ignore_robots=True)
    failed = pytest.raises(FetchError, match="too slow; try again later, or in Python with a longer timeout")
    with Session(impatient, pause=waits.append) as session, failed:
        session.fetch(server.url())
    assert asked.wait(60)
    assert waits == []  # it is not asked again


@pytest.mark.parametrize("head", [b"", HEAD + b"\r\n"])
def test_a_server_that_drips_runs_out_of_time(server: Server, policy: Policy, head: bytes) -> None:
    """Each byte is in time, all of them are not; in the headers as well as in the body."""

    def drip(connection: socket.socket, _: Request) -> None:
        connection.sendall(head)
        while not server.closing.wait(0.02):
            connection.sendall(b"H")

    server.routes["/"] = drip
    with pytest.raises(FetchError, match="too slow"):
        fetch(server.url(), policy=replace(policy, timeout=0.15, ignore_robots=True))


# Broken answers and retries


def truncated(connection: socket.socket, _: Request) -> None:
    connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n<p>only this")


def cut_chunks(connection: socket.socket, _: Request) -> None:
    connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n20\r\n<p>only this")


def cut_gzip(connection: socket.socket, _: Request) -> None:
    connection.sendall(HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"<p>page</p>" * 99)[:-9])


def reset(connection: socket.socket, _: Request) -> None:
    connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n<p>only this")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def hang_up(connection: socket.socket, _: Request) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def nonsense(connection: socket.socket, _: Request) -> None:
    connection.sendall(b"this is not HTTP\r\n\r\n")


def two_lengths(connection: socket.socket, _: Request) -> None:
    connection.sendall(HEAD + b"Content-Length: 5\r\nContent-Length: 7\r\n\r\n<p>x</p>")


BROKEN = [truncated, cut_chunks, cut_gzip, reset, hang_up, nonsense, two_lengths]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_answer_is_asked_for_again(server: Server, policy: Policy, broken: object) -> None:
    server.routes["/"] = [broken, broken, server.answer(b"<p>whole</p>")]  # type: ignore[list-item]
    assert fetch(server.url(), policy=policy).body == b"<p>whole</p>"
    assert server.hits("/") == 3


@pytest.mark.parametrize("broken", BROKEN)
def test_an_answer_that_stays_broken_is_an_error(server: Server, policy: Policy, broken: object) -> None:
    server.routes["/"] = broken  # type: ignore[assignment]
    with pytest.raises(FetchError, match=r"broke off|ends early"):
        fetch(server.url(), policy=policy)
    assert server.hits("/") == 1 + policy.retries


def test_bytes_behind_the_announced_length_are_left_out(server: Server, policy: Policy) -> None:
    server.routes["/"] = lambda connection, _: connection.sendall(HEAD + b"Content-Length: 8\r\n\r\n<p>x</p>and more")
    assert fetch(server.url(), policy=policy).body == b"<p>x</p>"


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_an_overloaded_server_is_asked_again(server: Server, policy: Policy, status: int) -> None:
    server.routes["/"] = [server.answer(status=status), server.answer(b"<p>now</p>")]
    assert fetch(server.url(), policy=policy).body == b"<p>now</p>"


def test_a_server_that_stays_overloaded_is_an_error(server: Server, policy: Policy) -> None:
    server.routes["/"] = server.answer(status=503)
    with pytest.raises(FetchError, match="503 Service Unavailable; try again later"):
        fetch(server.url(), policy=policy)
    assert server.hits("/") == 1 + policy.retries


def test_waits_grow_and_follow_retry_after(server: Server, policy: Policy) -> None:
    server.routes["/"] = [
        server.answer(status=503),
        server.answer(status=503),
        server.answer(status=429, Retry_After="17"),
        server.answer(),
    ]
    waits: list[float] = []
    patient = replace(policy, retries=3, backoff=1.0, ignore_robots=True)
    with Session(patient, pause=waits.append) as session:
        session.fetch(server.url())
    first, second, third = waits
    assert 1 <= first <= 2 <= second <= 3
    assert third == 17


def test_a_long_retry_after_is_told_at_once(server: Server, policy: Policy) -> None:
    server.routes["/"] = server.answer(status=503, Retry_After="86400")
    with pytest.raises(FetchError, match="503 Service Unavailable and asks to wait 86400 seconds"):
        fetch(server.url(), policy=policy)
    assert server.hits("/") == 1


@pytest.mark.parametrize("ignore_robots", [False, True])
def test_a_refused_connection_is_tried_again_and_told(policy: Policy, ignore_robots: bool) -> None:
    waits: list[float] = []
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        failed = pytest.raises(FetchError, match=f"^{address}: cannot connect")
        with Session(replace(policy, ignore_robots=ignore_robots), pause=waits.append) as session, failed:
            session.fetch(address)
    assert len(waits) == policy.retries


def test_plain_http_on_a_secure_address_is_an_error(server: Server, policy: Policy) -> None:
    with pytest.raises(FetchError, match="cannot make a secure connection"):
        fetch(f"https://127.0.0.1:{server.port}/", policy=policy)


def test_the_server_name_of_a_secure_connection_is_that_of_the_address(server: Server, policy: Policy) -> None:
    failed = pytest.raises(FetchError, match="cannot make a secure connection")
    with Session(policy, resolver=lambda *_: ["127.0.0.1"]) as session, failed:
        session.fetch(f"https://secure.test:{server.port}/")
    assert b"secure.test" in server.hellos[0]


def test_a_stopped_session_gives_up_waiting(policy: Policy) -> None:
    with Session(policy) as session:
        session.stop()
        with pytest.raises(FetchError, match="stopped"):
            session.fetch("http://127.0.0.1:9/")
