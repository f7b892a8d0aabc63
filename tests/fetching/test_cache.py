from __future__ import annotations

import gzip
import socket
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from webquarry.errors import FetchError, RefusedError
from webquarry.fetching.downloads import fetch, fetch_all
from webquarry.fetching.policy import Policy, cache_path, cache_size, clear_cache
from webquarry.model.page import Failure, Page

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Request, Server

OLD = "Mon, 02 Jan 2006 15:04:05 GMT"


@pytest.fixture
def policy(policy: Policy) -> Policy:
    """Without robots.txt, so that the server sees only what the tests are about."""
    return replace(policy, ignore_robots=True)


def bodies(server: Server, policy: Policy, *paths: str) -> list[bytes]:
    return [fetch(server.url(path), policy=policy).body for path in paths]


def test_a_fresh_page_is_not_asked_for_again(server: Server, policy: Policy) -> None:
    server.routes["/"] = [server.answer(b"one", Cache_Control="max-age=60", X="y"), server.answer(b"two")]
    first, second = fetch(server.url(), policy=policy), fetch(server.url(), policy=policy)
    assert (first.body, second.body) == (b"one", b"one")
    assert second.header("x") == "y"
    assert server.hits("/") == 1


def test_a_stale_page_is_asked_about_and_kept_when_unchanged(server: Server, policy: Policy) -> None:
    unchanged = server.answer(b"", 304, ETag='"v1"', X="new").replace(b"Content-Length: 0\r\n", b"")
    server.routes["/"] = [server.answer(b"one", ETag='"v1"', Cache_Control="max-age=0"), unchanged]
    assert bodies(server, policy, "/", "/", "/") == [b"one"] * 3
    assert [request.headers.get("if-none-match") for request in server.requests] == [None, '"v1"', '"v1"']


def test_a_stale_page_that_changed_is_replaced(server: Server, policy: Policy) -> None:
    server.routes["/"] = [
        server.answer(b"one", ETag='"v1"', Cache_Control="max-age=0"),
        server.answer(b"two", ETag='"v2"', Cache_Control="max-age=60"),
    ]
    assert bodies(server, policy, "/", "/", "/") == [b"one", b"two", b"two"]
    assert server.hits("/") == 2


def test_no_store_is_not_stored(server: Server, policy: Policy) -> None:
    server.routes["/"] = [server.answer(b"one", Cache_Control="no-store"), server.answer(b"two")]
    assert bodies(server, policy, "/", "/") == [b"one", b"two"]


def test_private_pages_are_stored_for_their_user(server: Server, policy: Policy) -> None:
    server.routes["/"] = server.answer(Cache_Control="private, max-age=60")
    bodies(server, policy, "/", "/")
    assert server.hits("/") == 1
    assert stat.S_IMODE(cache_path(policy).parent.stat().st_mode) == 0o700


def test_other_headers_are_another_page(server: Server, policy: Policy) -> None:
    server.routes["/"] = [server.answer(b"de", Cache_Control="max-age=60"), server.answer(b"fr")]
    german = replace(policy, headers=(("Accept-Language", "de"),))
    french = replace(policy, headers=(("Accept-Language", "fr"),))
    assert [fetch(server.url(), policy=each).body for each in (german, french, german)] == [b"de", b"fr", b"de"]


def test_compressed_pages_are_stored_plain(server: Server, policy: Policy) -> None:
    server.routes["/"] = server.answer(gzip.compress(b"one"), Content_Encoding="gzip", Cache_Control="max-age=60")
    assert bodies(server, policy, "/", "/") == [b"one", b"one"]


def test_refresh_asks_about_fresh_pages_and_keeps_the_answer(server: Server, policy: Policy) -> None:
    server.routes["/"] = [
        server.answer(b"one", Cache_Control="max-age=60", Date=OLD, ETag='"1"', Expires=OLD),
        server.answer(b"two", Cache_Control="max-age=60"),
        server.answer(b"three", Cache_Control="max-age=60"),
    ]
    refreshing = replace(policy, refresh=True)
    found = [fetch(server.url(), policy=each).body for each in (policy, refreshing, policy, refreshing, policy)]
    assert found == [b"one", b"two", b"two", b"three", b"three"]


def test_only_the_newest_copy_is_kept(server: Server, policy: Policy) -> None:
    server.routes["/"] = server.answer(Cache_Control="max-age=60")
    for _ in range(5):
        fetch(server.url(), policy=replace(policy, refresh=True))
    with sqlite3.connect(cache_path(policy)) as database:
        (kept,) = database.execute("SELECT count(*) FROM entries WHERE expires_at IS NULL").fetchone()
    database.close()
    assert kept == 1


# Offline


@pytest.mark.parametrize("freshness", ["max-age=60", "max-age=0", "no-cache", "max-age=0, must-revalidate"])
def test_offline_the_cache_answers_however_old_the_page(server: Server, policy: Policy, freshness: str) -> None:
    server.routes["/"] = server.answer(b"one", Cache_Control=freshness, X="y")
    fetch(server.url(), policy=policy)
    page = fetch(server.url(), policy=replace(policy, offline=True))
    assert (page.body, page.status, page.header("X")) == (b"one", 200, "y")
    assert server.hits("/") == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_offline_redirects_are_followed_in_the_cache(server: Server, policy: Policy, status: int) -> None:
    server.routes |= {"/a": server.redirect("/b", status), "/b": server.answer(b"there")}
    fetch(server.url("/a"), policy=policy)
    page = fetch(server.url("/a"), policy=replace(policy, offline=True))
    assert (page.url, page.body) == (server.url("/b"), b"there")


def test_temporary_redirects_are_asked_for_each_time(server: Server, policy: Policy) -> None:
    server.routes["/a"] = [server.redirect("/b"), server.redirect("/c")]
    server.routes |= {"/b": server.answer(b"b"), "/c": server.answer(b"c")}
    assert bodies(server, policy, "/a", "/a") == [b"b", b"c"]


def test_offline_a_missing_page_is_refused_without_a_request(server: Server, policy: Policy) -> None:
    with pytest.raises(RefusedError, match=f"^{server.url('/x')}: it is not in the cache; fetch it once without"):
        fetch(server.url("/x"), policy=replace(policy, offline=True))
    assert server.connections == 0


def test_offline_robots_and_retries_are_left_out(server: Server, policy: Policy) -> None:
    server.routes |= {"/robots.txt": server.answer(b"", Cache_Control="no-store"), "/a": server.answer(b"one")}
    fetch(server.url("/a"), policy=replace(policy, ignore_robots=False))
    offline = replace(policy, ignore_robots=False, offline=True)
    assert fetch(server.url("/a"), policy=offline).body == b"one"


# Half-written pages and broken caches


def truncated(connection: socket.socket, _: Request) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 99\r\n\r\nonly this")


def cut_gzip(connection: socket.socket, _: Request) -> None:
    body = gzip.compress(b"<p>page</p>" * 99)[:-9]
    connection.sendall(b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Encoding: gzip\r\n\r\n" + body)


@pytest.mark.parametrize("broken", [truncated, cut_gzip])
def test_a_page_that_broke_off_is_not_stored(server: Server, policy: Policy, broken: object) -> None:
    server.routes["/"] = broken  # type: ignore[assignment]
    with pytest.raises(FetchError):
        fetch(server.url(), policy=policy)
    with pytest.raises(RefusedError, match="not in the cache"):
        fetch(server.url(), policy=replace(policy, offline=True))


def test_a_page_above_the_limit_is_not_stored(server: Server, policy: Policy) -> None:
    server.routes["/"] = server.answer(bytes(300_000), Cache_Control="max-age=60")
    with pytest.raises(FetchError, match="longer than"):
        fetch(server.url(), policy=replace(policy, max_bytes=1000))
    with pytest.raises(RefusedError, match="not in the cache"):
        fetch(server.url(), policy=replace(policy, offline=True))


def test_a_failed_refresh_leaves_the_old_copy(server: Server, policy: Policy) -> None:
    server.routes["/"] = [server.answer(b"one", Cache_Control="max-age=60"), truncated]
    fetch(server.url(), policy=policy)
    with pytest.raises(FetchError):
        fetch(server.url(), policy=replace(policy, refresh=True))
    assert fetch(server.url(), policy=policy).body == b"one"


def test_a_long_page_comes_back_whole(server: Server, policy: Policy) -> None:
    body = bytes(range(256)) * 5000
    server.routes["/"] = server.answer(body, Cache_Control="max-age=60")
    assert bodies(server, policy, "/", "/") == [body, body]


@pytest.mark.parametrize("content", [b"this is not a database, and it is long enough to tell" * 99])
def test_a_broken_cache_is_an_error_that_names_it(server: Server, policy: Policy, content: bytes) -> None:
    cache_path(policy).parent.mkdir()
    cache_path(policy).write_bytes(content)
    (failure,) = fetch_all([server.url()], policy=policy)
    assert isinstance(failure, Failure)
    assert f"the cache {cache_path(policy)} cannot be used" in failure.error
    assert "delete it, or name another folder with --cache" in failure.error


def test_a_cache_folder_that_is_a_file_is_an_error(server: Server, policy: Policy, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FetchError, match="cannot be used"):
        fetch(server.url(), policy=replace(policy, cache=tmp_path / "file"))


def test_a_cleared_cache_starts_anew(server: Server, policy: Policy) -> None:
    server.routes["/"] = [server.answer(b"one", Cache_Control="max-age=60"), server.answer(b"two")]
    fetch(server.url(), policy=policy)
    assert cache_size(policy) > 0
    assert clear_cache(policy) > 0
    assert cache_size(policy) == 0
    assert fetch(server.url(), policy=policy).body == b"two"


# Many at once


def test_threads_share_one_cache(server: Server, policy: Policy) -> None:
    paths = [f"/{number}" for number in range(8)]
    server.routes |= {path: server.answer(path.encode() * 9000, Cache_Control="max-age=60") for path in paths}
    addresses = [server.url(path) for path in paths * 4]

    def run(_: int) -> list[Page | Failure]:
        return list(fetch_all(addresses, policy=policy))

    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(run, range(4)))
    expected = [path.encode() * 9000 for path in paths * 4]
    assert all([page.body for page in result if isinstance(page, Page)] == expected for result in results)
    assert [page.body for page in fetch_all(addresses, policy=replace(policy, offline=True))] == expected  # type: ignore[union-attr]


def test_processes_share_one_cache(server: Server, policy: Policy) -> None:
    paths = [f"/{number}" for number in range(12)]
    server.routes |= {path: server.answer(path.encode() * 9000, Cache_Control="max-age=60") for path in paths}
    addresses = [server.url(path) for path in paths]
    code = (
        "import math, sys; from pathlib import Path; from webquarry.fetching.downloads import fetch_all\n"
        "from webquarry.fetching.policy import Policy\n"
        "policy = Policy(cache=Path(sys.argv[1]), allow_private=True, requests_per_second=math.inf)\n"
        "print(sum(len(page.body) for page in fetch_all(sys.argv[2:], policy=policy)))"
    )
    command = [sys.executable, "-c", code, str(policy.cache), *addresses]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    expected = [path.encode() * 9000 for path in paths]
    for process in processes:
        assert process.communicate(timeout=120) == (b"%d\n" % len(b"".join(expected)), b"")
    assert bodies(server, replace(policy, offline=True), *paths) == expected
