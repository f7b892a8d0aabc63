from __future__ import annotations

from collections.abc import Callable

import pytest

from webquarry.errors import FetchError
from webquarry.fetching.session import MAX_BACKOFF, TemporaryError, with_retries
from webquarry.model.page import Page

PAGE = Page("http://example.org/", b"")


def failing(*errors: FetchError) -> Callable[[], Page]:
    """An attempt that fails with each error in turn, and then succeeds."""
    left = list(errors)

    def attempt() -> Page:
        if left:
            raise left.pop(0)
        return PAGE

    return attempt


def waits_of(*errors: FetchError, backoff: float = 1.0) -> list[float]:
    waits: list[float] = []
    assert with_retries(failing(*errors), retries=len(errors), backoff=backoff, pause=waits.append) is PAGE
    return waits


def test_a_success_is_not_waited_for() -> None:
    assert waits_of() == []


def test_pauses_double_with_a_little_chance() -> None:
    waits = waits_of(*[TemporaryError("x")] * 4)
    for wait, least in zip(waits, [1, 2, 4, 8], strict=True):
        assert least <= wait <= least + 1


def test_pauses_stop_growing() -> None:
    assert waits_of(*[TemporaryError("x")] * 12)[-1] == MAX_BACKOFF


def test_no_backoff_is_no_pause() -> None:
    assert waits_of(*[TemporaryError("x")] * 3, backoff=0.0) == [0, 0, 0]


def test_the_server_may_name_the_pause() -> None:
    assert waits_of(TemporaryError("x", 7.0), TemporaryError("x", 0.0)) == [7, 0]


def test_the_last_failure_is_told_when_all_attempts_are_used() -> None:
    last = TemporaryError("third")
    attempt = failing(TemporaryError("first"), TemporaryError("second"), last, TemporaryError("never"))
    with pytest.raises(TemporaryError) as caught:
        with_retries(attempt, retries=2, backoff=0, pause=lambda _: None)
    assert caught.value is last


def test_other_failures_are_final() -> None:
    with pytest.raises(FetchError, match="final"):
        with_retries(failing(FetchError("final")), retries=5, backoff=0, pause=lambda _: None)


def test_a_pause_can_be_broken_off() -> None:
    def stop(seconds: float) -> None:
        raise FetchError("stopped")

    with pytest.raises(FetchError, match="stopped"):
        with_retries(failing(TemporaryError("x")), retries=5, backoff=0, pause=stop)
