"""Turns at each host: so many requests a second, so many at a time."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable

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
