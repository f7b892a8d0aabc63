from __future__ import annotations

import threading

import pytest

from webquarry.fetching import transport
from webquarry.fetching.transport import SpentError, spending, time_budget


class Clock:
    """A clock that moves only when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(transport, "time", clock)
    return clock


def test_a_wait_may_take_what_is_left_and_no_longer(clock: Clock) -> None:
    with time_budget(10):
        with spending(4) as seconds:
            assert seconds == 4
            clock.now += 3
        with spending(None) as seconds:
            assert seconds == 7
            clock.now += 5
        with spending(4) as seconds:
            assert seconds == 2


def test_a_spent_budget_ends_the_page(clock: Clock) -> None:
    with time_budget(10):
        with spending(20):
            clock.now += 10
        with pytest.raises(SpentError), spending(1):
            pass


def test_a_wait_that_fails_is_counted_too(clock: Clock) -> None:
    def wait() -> None:
        with spending(4):
            clock.now += 4
            raise TimeoutError("slow")

    with time_budget(10):
        with pytest.raises(TimeoutError, match="slow"):
            wait()
        with spending(None) as seconds:
            assert seconds == 6


def test_time_between_waits_costs_nothing(clock: Clock) -> None:
    with time_budget(10):
        clock.now += 1000
        with spending(None) as seconds:
            assert seconds == 10


def test_without_a_budget_only_the_single_wait_is_limited() -> None:
    with spending(3) as seconds:
        assert seconds == 3


def test_each_thread_has_a_budget_of_its_own() -> None:
    seen: list[float | None] = []

    def look() -> None:
        with spending(99) as seconds:
            seen.append(seconds)

    with time_budget(10):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert seen == [99]
