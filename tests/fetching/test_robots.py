from __future__ import annotations

import math
import socket
import threading
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING

import httpx2
import pytest

from webquarry.errors import FetchError, RefusedError
from webquarry.fetching.downloads import fetch, fetch_all
from webquarry.fetching.policy import Policy
from webquarry.fetching.robots import MAX_CRAWL_DELAY, MAX_ROBOTS_BYTES, Robots
from webquarry.model.page import Failure, Page

if TYPE_CHECKING:
    from conftest import Request, Server


def robots_of(text: str, user_agent: str = "webquarry/1", status: int = 200) -> Robots:
    return Robots(user_agent, lambda url: Page(str(url), text.encode(), status))


def allowed(robots: Robots, path: str) -> bool:
    try:
        robots.check(httpx2.URL("http://example.org").join(path))
    except RefusedError:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("User-agent: *\nDisallow: /private", "/private/a", False),
        ("User-agent: *\nDisallow: /private", "/public", True),
        ("User-agent: *\nDisallow: /\nAllow: /open/", "/open/a", True),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("User-agent: *\nAllow: /\n\nUser-agent: webquarry\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x.pdf", False),
        ("User-agent: *\nDisallow: /a?b", "/a?b=c", False),
        ("\ufeffUser-agent: *\nDisallow: /", "/a", False),
        ("", "/a", True),
        ("<html>not rules</html>", "/a", True),
    ],
)
def test_rules_are_obeyed(text: str, path: str, expected: bool) -> None:
    assert allowed(robots_of(text), path) == expected


def test_rules_are_looked_up_by_the_user_agent() -> None:
    text = "User-agent: nightcrawler\nDisallow: /"
    assert not allowed(robots_of(text, "Mozilla/5.0 (compatible; NightCrawler/2.0)"), "/")
    assert allowed(robots_of(text, "webquarry/1"), "/")


@pytest.mark.parametrize("status", [301, 401, 403, 404, 410])
def test_an_answer_that_is_no_file_sets_no_rules(status: int) -> None:
    assert allowed(robots_of("User-agent: *\nDisallow: /", status=status), "/a")


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nCrawl-delay: 86400", MAX_CRAWL_DELAY),
        ("User-agent: *\nCrawl-delay: soon", None),
        ("User-agent: other\nCrawl-delay: 5", None),
    ],
)
def test_the_delay_of_a_site_is_honoured_within_reason(text: str, delay: float | None) -> None:
    assert robots_of(text).check(httpx2.URL("http://example.org/")) == delay


def test_each_site_is_read_once_by_all_threads() -> None:
    loaded: list[str] = []
    together = threading.Barrier(8)

    def load(url: httpx2.URL) -> Page:
        loaded.append(str(url))
        return Page(str(url), b"")

    robots = Robots("webquarry/1", load)

    def check() -> None:
        together.wait()
        robots.check(httpx2.URL("http://example.org:8080/a?b"))

    threads = [threading.Thread(target=check) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    robots.check(httpx2.URL("https://example.org/a"))
    assert loaded == ["http://example.org:8080/robots.txt", "https://example.org/robots.txt"]


def test_a_file_that_cannot_be_read_stands_for_all_pages_of_the_site() -> None:
    calls: list[httpx2.URL] = []

    def load(url: httpx2.URL) -> Page:
        calls.append(url)
        raise FetchError("the server answered 500")

    robots = Robots("webquarry/1", load)
    for _ in range(3):
        with pytest.raises(RefusedError, match=r"robots\.txt cannot be read .the server answered 500.*--ignore-robots"):
            robots.check(httpx2.URL("http://example.org/a"))
    assert len(calls) == 1


# Over the network


def test_disallowed_pages_are_not_asked_for(server: Server, policy: Policy) -> None:
    server.routes["/robots.txt"] = server.answer(b"User-agent: *\nDisallow: /a")
    server.routes |= {"/a": server.answer(), "/b": server.answer(b"<p>b</p>")}
    refused, page = fetch_all([server.url("/a"), server.url("/b")], policy=policy)
    assert isinstance(refused, Failure)
    assert "the robots.txt of the site disallows it; use --ignore-robots" in refused.error
    assert isinstance(page, Page)
    assert (server.hits("/a"), server.hits("/robots.txt")) == (0, 1)


def test_robots_can_be_ignored(server: Server, policy: Policy) -> None:
    server.routes |= {"/robots.txt": server.answer(b"User-agent: *\nDisallow: /"), "/a": server.answer()}
    fetch(server.url("/a"), policy=replace(policy, ignore_robots=True))
    assert server.hits("/robots.txt") == 0


def test_a_redirect_to_a_disallowed_page_is_not_followed(server: Server, policy: Policy) -> None:
    server.routes["/robots.txt"] = server.answer(b"User-agent: *\nDisallow: /b")
    server.routes |= {"/a": server.redirect("/b"), "/b": server.answer()}
    with pytest.raises(RefusedError, match=r"robots\.txt"):
        fetch(server.url("/a"), policy=policy)
    assert server.hits("/b") == 0


def test_robots_may_be_redirected(server: Server, policy: Policy) -> None:
    server.routes["/robots.txt"] = server.redirect("/rules")
    server.routes |= {"/rules": server.answer(b"User-agent: *\nDisallow: /a"), "/a": server.answer()}
    with pytest.raises(RefusedError):
        fetch(server.url("/a"), policy=policy)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_site_whose_robots_fail_is_left_alone(server: Server, policy: Policy, status: int) -> None:
    server.routes |= {"/robots.txt": server.answer(status=status), "/a": server.answer()}
    with pytest.raises(RefusedError, match=rf"robots\.txt cannot be read .the server answered {status}"):
        fetch(server.url("/a"), policy=policy)
    assert server.hits("/a") == 0


def test_robots_that_fail_for_a_moment_are_asked_for_again(server: Server, policy: Policy) -> None:
    server.routes |= {"/robots.txt": [server.answer(status=503), server.answer(b"")], "/a": server.answer()}
    assert fetch(server.url("/a"), policy=policy).status == 200


def test_what_is_behind_the_limit_does_not_count(server: Server, policy: Policy) -> None:
    def endless(connection: socket.socket, _: Request) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /a\n")
        while True:
            connection.sendall(b"# comment\n" * 1000)

    server.routes |= {"/robots.txt": endless, "/a": server.answer(), "/b": server.answer()}
    first, second = fetch_all([server.url("/a"), server.url("/b")], policy=policy)
    assert isinstance(first, Failure)
    assert isinstance(second, Page)


def test_the_limit_cuts_a_long_file(server: Server, policy: Policy) -> None:
    rules = b"User-agent: *\n" + b"#" * MAX_ROBOTS_BYTES + b"\nDisallow: /"
    server.routes |= {"/robots.txt": server.answer(rules), "/a": server.answer()}
    assert fetch(server.url("/a"), policy=policy).status == 200


def test_robots_are_read_under_the_guard(server: Server, policy: Policy) -> None:
    with pytest.raises(RefusedError, match="not on the public internet"):
        fetch(server.url("/a"), policy=replace(policy, allow_private=False))
    assert server.connections == 0


def test_robots_are_cached_like_pages(server: Server, policy: Policy) -> None:
    server.routes["/robots.txt"] = server.answer(b"", Cache_Control="max-age=60")
    server.routes |= {"/a": server.answer(), "/b": server.answer()}
    for path in ("/a", "/b"):
        fetch(server.url(path), policy=policy)
    assert server.hits("/robots.txt") == 1


def test_a_crawl_delay_slows_the_site_down(server: Server, policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    slowed: list[tuple[str, float]] = []
    monkeypatch.setattr(
        "webquarry.fetching.robots.Pace.slow_down", lambda _self, host, seconds: slowed.append((host, seconds))
    )
    server.routes |= {"/robots.txt": server.answer(b"User-agent: *\nCrawl-delay: 7"), "/a": server.answer()}
    fetch(server.url("/a"), policy=replace(policy, requests_per_second=math.inf))
    assert slowed == [(f"127.0.0.1:{server.port}", 7)]


def test_a_site_that_fails_for_page_after_page_keeps_no_page_alive() -> None:
    def fail(_: httpx2.URL) -> Page:
        raise FetchError("the host is unknown")

    robots, raised = Robots("webquarry", fail), []
    for number in range(5):
        with pytest.raises(RefusedError) as caught:
            robots.check(httpx2.URL(f"http://gone.test/{number}"))
        raised.append(caught.value)
    assert len({id(error) for error in raised}) == len({str(error) for error in raised}) * 5 == 5
    assert len({len(traceback.extract_tb(error.__traceback__)) for error in raised[1:]}) == 1
