"""Checking a wrapper says what pages lack that it expects."""

from __future__ import annotations

import pytest

import webquarry as wq

PAGE = "<h1>{}</h1><h2>Area</h2><p>{} km</p><h2>Coast</h2><p>{} km</p>"


def make_pages(template: str = PAGE, first: int = 1) -> list[wq.Document]:
    return [
        wq.Document(template.format(f"Town {number}", number, 3 * number), url=f"https://towns.example/{number}")
        for number in range(first, first + 4)
    ]


def test_pages_like_the_samples_are_as_expected(tmp_path):
    wrapper = wq.wrap(make_pages(), name="towns")
    drift = wq.check(wrapper, make_pages(first=9))
    assert not drift.is_serious
    assert repr(drift) == "<Drift of towns: 4 pages, as expected>"
    wq.save_wrapper(tmp_path / "towns.toml", wrapper)
    assert wq.check(tmp_path / "towns.toml", make_pages(first=9)) == drift


def test_a_section_that_is_gone_is_counted():
    drift = wq.check(wq.wrap(make_pages(), name="towns"), make_pages("<h1>{}</h1><h2>Area</h2><p>{}{} km</p>"))
    assert drift.is_serious
    assert drift.missing == {"coast": 4}
    assert list(drift.describe()) == ["expected and not found, number of pages of 4:", "      4  coast"]


def test_a_page_that_failed_keeps_its_error():
    failure = wq.Failure("gone.html", "gone.html: there is no such file")
    assert wq.check(wq.wrap(make_pages(), name="towns"), [failure]).failures == (failure,)


def test_a_wrapper_file_with_mistakes_lists_them(tmp_path):
    (tmp_path / "towns.toml").write_text("[source]\nname = 7")
    with pytest.raises(wq.WrapperError, match=r"towns.toml:"):
        wq.check(tmp_path / "towns.toml")
