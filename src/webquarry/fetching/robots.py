"""Obey robots.txt (RFC 9309) and pace the requests to each host."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future

import httpcore2
import httpx2
from protego import Protego

from webquarry.errors import FetchError, RefusedError
from webquarry.model.page import Page

MAX_ROBOTS_BYTES = 500 * 2**10
"""The rest of a robots.txt is ignored; RFC 9309, section 2.5, asks for at least this much."""
MAX_CRAWL_DELAY = 30.0  # seconds; a site that asks for more gets this
MAX_TRACKED_HOSTS = 10_000  # above it, hosts whose turn is over are forgotten


class Robots:
    """The robots.txt rules of all sites of a run, each read once."""

    def __init__(self, user_agent: str, load: Callable[[httpx2.URL], Page]) -> None:
        """`load` fetches the first `MAX_ROBOTS_BYTES` of a file with its status; on error the rules are unknown."""
        self._user_agent = user_agent
        self._load = load
        self._lock = threading.Lock()
        self._sites: dict[str, Future[Protego]] = {}

    def check(self, url: httpx2.URL) -> float | None:
        """Return the delay between requests that the site asks for; raise RefusedError if it disallows the address."""
        rules = self._rules(url.join("/robots.txt"))
        if not rules.can_fetch(str(url), self._user_agent):
            raise RefusedError("the robots.txt of the site disallows it; use --ignore-robots to fetch it anyway")
        delay = rules.crawl_delay(self._user_agent)
        return None if delay is None else min(delay, MAX_CRAWL_DELAY)

    def _rules(self, address: httpx2.URL) -> Protego:
        with self._lock:
            known = self._sites.get(str(address))
            site = self._sites.setdefault(str(address), Future())
        if known is None:
            try:
                site.set_result(self._read(address))
            except BaseException as error:
                site.set_exception(_without_frames(error))
                raise
        failure = site.exception()
        if failure is not None:
            raise _without_frames(failure)
        return site.result()

    def _read(self, address: httpx2.URL) -> Protego:
        try:
            page = self._load(address)
        except RefusedError:
            raise
        except FetchError as error:
            if is_unreachable(error):
                # The page itself would fail the same way, which tells more than a missing robots.txt.
                raise FetchError(str(error)) from error
            raise RefusedError(
                f"its robots.txt cannot be read ({error}); use --ignore-robots to fetch it anyway"
            ) from error
        # Any answer but a file, such as 404, sets no rules.
        text = page.body.decode("utf-8", "replace") if page.status < 300 else ""
        return Protego.parse(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))


def _without_frames(error: BaseException) -> BaseException:
    """Copy an error: one that is raised for page after page would keep the frames of all of them alive."""
    return type(error)(*error.args)


def is_unreachable(error: FetchError) -> bool:
    """Tell whether no connection to the host was made at all."""
    return isinstance(error.__cause__, httpcore2.ConnectError | httpcore2.ConnectTimeout)


class Timetable:
    """The earliest time of the next request to each host."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free_from: dict[str, float] = {}

    def book(self, host: str, interval: float) -> float:
        """Book the next turn at a host and return the seconds until it comes."""
        with self._lock:
            now = time.monotonic()
            if len(self._free_from) > MAX_TRACKED_HOSTS:
                self._free_from = {name: moment for name, moment in self._free_from.items() if moment > now}
            turn = max(now, self._free_from.get(host, now))
            self._free_from[host] = turn + interval
            return turn - now


# One for the whole process, so that many single calls are as polite as one call for many pages.
_shared = Timetable()


class Pace:
    """Limits requests a second and connections at a time, for each host."""

    def __init__(
        self,
        *,
        requests_per_second: float,
        connections_per_host: int,
        pause: Callable[[float], None] = time.sleep,
        timetable: Timetable = _shared,
    ) -> None:
        """`pause` sleeps until a turn comes."""
        self._interval = 1 / requests_per_second
        self._intervals: dict[str, float] = {}
        self._slots: defaultdict[str, threading.Semaphore] = defaultdict(
            lambda: threading.Semaphore(connections_per_host)
        )
        self._lock = threading.Lock()
        self._pause = pause
        self._timetable = timetable

    def take_turn(self, host: str) -> Callable[[], None]:
        """Wait for a turn at a host; return the function that frees its connection again."""
        with self._lock:
            slot = self._slots[host]
            interval = self._intervals.get(host, self._interval)
        slot.acquire()
        try:
            self._pause(self._timetable.book(host, interval))
        except BaseException:
            slot.release()
            raise
        return slot.release

    def slow_down(self, host: str, interval: float) -> None:
        """Leave at least `interval` seconds between two requests to a host."""
        with self._lock:
            self._intervals[host] = max(interval, self._interval)
