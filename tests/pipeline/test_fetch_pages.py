"""Guards of pages, for work on one of them and on several at once."""

from __future__ import annotations

import pytest

from webquarry.errors import BrowserError, InputError
from webquarry.pipeline.page_guard import attempt, attempt_together

NAMES = ["a", "b", "c"]


def raise_for(*bad: int, error: Exception | None = None):
    """Work that doubles places, and fails if one of these is among them."""

    def work(places):
        if set(bad) & set(places):
            raise error or IndexError("out of range")
        return [2 * place for place in places]

    return work


@pytest.mark.parametrize(
    ("error", "told"),
    [(InputError("a: is odd"), "a: is odd"), (KeyError("x"), "a: internal error, please report it: KeyError: 'x'")],
)
def test_an_error_is_a_failure_of_its_page(error, told):
    failure = attempt("a", lambda: raise_for(0, error=error)([0]))
    assert (failure.page, failure.error) == ("a", told)


def test_no_page_is_blamed_for_the_browser():
    with pytest.raises(BrowserError):
        attempt("a", lambda: raise_for(0, error=BrowserError("gone"))([0]))


def test_work_goes_on_without_the_pages_that_fail_alone():
    done, failures = attempt_together(NAMES, raise_for(1))
    assert done == [0, 4]
    assert {place: failure.page for place, failure in failures.items()} == {1: "b"}


def test_sound_pages_are_worked_on_once():
    calls = []
    assert attempt_together(NAMES, lambda places: calls.append(list(places)) or "done") == ("done", {})
    assert calls == [[0, 1, 2]]


def test_there_is_nothing_if_every_page_fails():
    done, failures = attempt_together(NAMES, raise_for(0, 1, 2))
    assert done is None
    assert [failure.page for failure in failures.values()] == NAMES


def test_a_fault_that_no_page_has_alone_is_raised():
    def work(places):
        if len(places) > 1:
            raise IndexError("out of range")

    with pytest.raises(IndexError):
        attempt_together(NAMES, work)


def test_our_own_errors_speak_of_all_pages():
    with pytest.raises(InputError):
        attempt_together(NAMES, raise_for(1, error=InputError("too few pages")))


def test_that_one_page_is_too_few_is_not_its_fault():
    def work(places):
        if 1 in places:
            raise IndexError("out of range")
        if len(places) == 1:
            raise InputError("too few pages")
        return list(places)

    done, failures = attempt_together(NAMES, work)
    assert (done, list(failures)) == ([0, 2], [1])
