"""What the robots.txt of a site allows us (RFC 9309)."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future

import httpx2
from protego import Protego

from webquarry.errors import FetchError, RefusedError
from webquarry.fetching.fetch_faults import is_unreachable
from webquarry.model.page import Page

# RFC 9309, section 2.5, asks for at least as much; what is behind it does not count.
MAX_BYTES = 500 * 2**10
# Seconds; a site that asks for a longer delay is asked this often all the same.
LONGEST_DELAY = 30.0


class Robots:
    """The rules of all sites of a run, each read once."""

    def __init__(self, user_agent: str, load: Callable[[httpx2.URL], Page]) -> None:
        """`load` gives the first `MAX_BYTES` of a file with its status; an error means that it cannot be known."""
        self._user_agent = user_agent
        self._load = load
        self._lock = threading.Lock()
        self._sites: dict[str, Future[Protego]] = {}

    def check(self, url: httpx2.URL) -> float | None:
        """The delay between requests that the site asks for; raises when it does not allow the address."""
        rules = self._rules(url.join("/robots.txt"))
        if not rules.can_fetch(str(url), self._user_agent):
            raise RefusedError("the robots.txt of the site does not allow it; --ignore-robots fetches it all the same")
        delay = rules.crawl_delay(self._user_agent)
        return None if delay is None else min(delay, LONGEST_DELAY)

    def _rules(self, address: httpx2.URL) -> Protego:
        with self._lock:
            known = self._sites.get(str(address))
            site = self._sites.setdefault(str(address), Future())
        if known is None:
            try:
                site.set_result(self._read(address))
            except BaseException as error:
                site.set_exception(error)
                raise
        return site.result()

    def _read(self, address: httpx2.URL) -> Protego:
        try:
            page = self._load(address)
        except RefusedError:
            raise
        except FetchError as error:
            if is_unreachable(error):
                # The page could not be had either, and this is what its reader wants to know.
                raise FetchError(str(error)) from error
            raise RefusedError(
                f"its robots.txt cannot be read ({error}), and so nothing is fetched; --ignore-robots goes without it"
            ) from error
        # Any other answer than a file, such as 404, sets no rules.
        text = page.body.decode("utf-8", "replace") if page.status < 300 else ""
        return Protego.parse(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))


# MERGED fetching/pace: Turns at each host: so many requests a second, so many at a time.
# Hosts whose next turn is remembered before those that are past are forgotten.
REMEMBERED = 10_000


class Timetable:
    """The moment from which each host may be asked again."""

    def __init__(self) -> None:
        """Every host is free at first."""
        self._lock = threading.Lock()
        self._free_from: dict[str, float] = {}

    def book(self, host: str, interval: float) -> float:
        """Take the next turn at a host; the seconds until it comes."""
        with self._lock:
            now = time.monotonic()
            if len(self._free_from) > REMEMBERED:
                self._free_from = {name: moment for name, moment in self._free_from.items() if moment > now}
            turn = max(now, self._free_from.get(host, now))
            self._free_from[host] = turn + interval
            return turn - now


# One for the process, so that page after page by single calls is as polite as many in one call.
_shared = Timetable()


class Pace:
    """Lets requests through in turn."""

    def __init__(
        self,
        *,
        requests_per_second: float,
        connections_per_host: int,
        pause: Callable[[float], None] = time.sleep,
        timetable: Timetable = _shared,
    ) -> None:
        """`pause` waits for a turn to come."""
        self._interval = 1 / requests_per_second
        self._intervals: dict[str, float] = {}
        self._slots: defaultdict[str, threading.Semaphore] = defaultdict(
            lambda: threading.Semaphore(connections_per_host)
        )
        self._lock = threading.Lock()
        self._pause = pause
        self._timetable = timetable

    def take_turn(self, host: str) -> Callable[[], None]:
        """Wait for a turn at a host; call what comes back when the connection is free again."""
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
        """Leave at least so many seconds between two requests to a host."""
        with self._lock:
            self._intervals[host] = max(interval, self._interval)
