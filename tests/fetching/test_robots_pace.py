from __future__ import annotations

import math
import threading

import pytest

from webquarry.fetching import robots as pace
from webquarry.fetching.robots import Pace, Timetable


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were asked for, while the clock does not move."""
    monkeypatch.setattr(pace.time, "monotonic", lambda: 100.0)
    return []


def pace_of(waits: list[float], rate: float = 4.0, connections: int = 9) -> Pace:
    return Pace(requests_per_second=rate, connections_per_host=connections, pause=waits.append, timetable=Timetable())


def test_requests_to_a_host_are_spread_over_time(waits: list[float]) -> None:
    turns = pace_of(waits, rate=4)
    for _ in range(4):
        turns.take_turn("a.test")
    assert waits == [0, 0.25, 0.5, 0.75]


def test_hosts_do_not_wait_for_each_other(waits: list[float]) -> None:
    turns = pace_of(waits, rate=4)
    for host in ("a.test", "b.test", "a.test:8080"):
        turns.take_turn(host)
    assert waits == [0, 0, 0]


def test_a_host_that_rested_is_asked_at_once(waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    turns = pace_of(waits, rate=4)
    turns.take_turn("a.test")
    monkeypatch.setattr(pace.time, "monotonic", lambda: 101.0)
    turns.take_turn("a.test")
    assert waits == [0, 0]


def test_no_limit_is_no_wait(waits: list[float]) -> None:
    turns = pace_of(waits, rate=math.inf)
    for _ in range(5):
        turns.take_turn("a.test")
    assert waits == [0] * 5


def test_a_site_can_ask_for_more_time_but_not_for_less(waits: list[float]) -> None:
    turns = pace_of(waits, rate=4)
    turns.slow_down("slow.test", 2.0)
    turns.slow_down("fast.test", 0.01)
    for host in ("slow.test", "slow.test", "fast.test", "fast.test"):
        turns.take_turn(host)
    assert waits == [0, 2.0, 0, 0.25]


def test_connections_to_a_host_are_limited() -> None:
    turns = Pace(requests_per_second=math.inf, connections_per_host=2, timetable=Timetable())
    first, _ = turns.take_turn("a.test"), turns.take_turn("a.test")
    third = threading.Thread(target=turns.take_turn, args=("a.test",))
    third.start()
    third.join(timeout=0.05)
    assert third.is_alive()
    first()
    third.join(timeout=60)
    assert not third.is_alive()


def test_a_broken_off_wait_gives_the_connection_back() -> None:
    def stop(seconds: float) -> None:
        raise InterruptedError

    turns = Pace(requests_per_second=math.inf, connections_per_host=1, pause=stop, timetable=Timetable())
    for _ in range(3):
        with pytest.raises(InterruptedError):
            turns.take_turn("a.test")


def test_hosts_of_the_past_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "MAX_TRACKED_HOSTS", 10)
    now = 0.0
    monkeypatch.setattr(pace.time, "monotonic", lambda: now)
    timetable = Timetable()
    for number in range(100):
        now = float(number)
        timetable.book(f"{number}.test", 1.0)
    assert len(timetable._free_from) <= 12


def test_runs_of_one_process_share_the_timetable(waits: list[float]) -> None:
    for _ in range(2):
        Pace(requests_per_second=4, connections_per_host=1, pause=waits.append).take_turn("shared-in-this-test.test")
    assert waits == [0, 0.25]
