"""Limits of time and memory for a page."""

from __future__ import annotations

import mmap
import signal
import threading
import time

import pytest

from webquarry.errors import LimitError
from webquarry.model.page import Failure
from webquarry.pipeline import page_guard
from webquarry.pipeline.page_guard import attempt, attempt_all, attempt_together, page_limit

FOR_EVER = 30.0
"""Seconds after which work that nobody stops gives up, so that a broken limit fails the test."""


def work_for_ever() -> str:
    end = time.monotonic() + FOR_EVER
    while time.monotonic() < end:
        pass
    return "not stopped"


def fill_memory() -> str:
    with mmap.mmap(-1, 64 * 2**20) as held:  # not from what the process has freed and still holds
        held.write(b"x" * len(held))
        return work_for_ever()


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(page_guard, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(page_guard, "MAX_PAGE_SECONDS", 0.05)


@pytest.fixture
def narrow(monkeypatch):
    monkeypatch.setattr(page_guard, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(page_guard, "MAX_PAGE_BYTES", 32 * 2**20)


@pytest.mark.usefixtures("short")
def test_a_page_that_takes_too_long_fails_and_the_others_go_on():
    class Page:
        def __init__(self, url):
            self.url = url

    results = list(attempt_all(map(Page, "abc"), lambda page: work_for_ever() if page.url == "b" else page.url))
    assert [each if isinstance(each, str) else each.error.split(" after")[0] for each in results] == [
        "a",
        "b: given up",
        "c",
    ]


@pytest.mark.usefixtures("narrow")
def test_a_page_that_takes_too_much_memory_fails():
    failure = attempt("a", fill_memory)
    assert isinstance(failure, Failure)
    assert "GB of memory" in failure.error


@pytest.mark.usefixtures("short")
def test_of_pages_together_the_one_that_takes_too_long_is_left_out():
    done, failures = attempt_together(["a", "b"], lambda places: work_for_ever() if 1 in places else [*places])
    assert done == [0]
    assert [failure.page for failure in failures.values()] == ["b"]


@pytest.mark.usefixtures("short")
def test_the_limit_ends_with_the_work():
    assert attempt("a", lambda: "done") == "done"
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


@pytest.mark.usefixtures("short")
def test_a_limit_that_the_work_catches_comes_again():
    def catch():
        for _ in range(3):
            try:
                work_for_ever()
            except LimitError:
                caught.append(True)
        return work_for_ever()

    caught: list[bool] = []
    assert isinstance(attempt("a", catch), Failure)
    assert len(caught) == 3


@pytest.mark.usefixtures("short")
def test_the_alarm_of_a_program_stays_its_own():
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        with page_limit("a"):
            assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_work_in_other_threads_is_done_without_limits():
    done: list[object] = []
    thread = threading.Thread(target=lambda: done.append(attempt("a", lambda: "done")))
    thread.start()
    thread.join()
    assert done == ["done"]


def test_a_page_for_which_memory_runs_out_fails_alone():
    def ask_for_too_much():
        raise MemoryError

    assert attempt("a", ask_for_too_much) == Failure("a", "a: needs more memory than there is; leave the page out")
