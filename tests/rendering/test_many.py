from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

import webquarry as wq
from webquarry.errors import BrowserError
from webquarry.model.page import Failure, Page
from webquarry.rendering.renderer import Renderer

FAILED = Failure("http://gone.test/", "gone")
TOO_LARGE = Page("http://large.test/", b"<p>" * 300_000)
PICTURE = Page("http://picture.test/", b"\x89PNG\r\n\x1a\n")


def pages(count: int) -> list[Page]:
    """Pages; every third takes longer."""
    return [
        Page(f"http://site.test/{number}", b"<p>%d" % number + b"<p>x" * (1000 if number % 3 == 0 else 1))
        for number in range(count)
    ]


def test_results_come_in_order_with_failures_in_their_place(browser):
    given = pages(12)
    results = list(wq.render_all([FAILED, *given[:6], PICTURE, *given[6:], PICTURE]))
    assert results[0] == FAILED
    assert [results[place].page for place in (7, 14)] == [PICTURE.url, PICTURE.url]
    assert "PNG picture" in results[14].error
    documents = [result for result in results if not isinstance(result, Failure)]
    assert [document.url for document in documents] == [page.url for page in given]
    assert [document.text().split()[0] for document in documents] == [str(number) for number in range(12)]


def test_a_page_too_large_for_a_browser_is_read_without_one_in_its_place(browser):
    given = [*pages(2), TOO_LARGE, *pages(1)]
    assert [result.kind for result in wq.render_all(given)] == ["rendered", "rendered", "static", "rendered"]


def test_tells_progress_and_time(browser):
    steps, seconds = [], {}
    start = time.monotonic()
    list(wq.render_all(pages(2), progress=lambda *step: steps.append(step), timing=seconds.__setitem__))
    assert steps == [(1, 2), (2, 2)]
    assert all(0 < seconds[page.url] < time.monotonic() - start for page in pages(2))


def test_pages_are_read_as_they_are_needed(browser):
    read = 0

    def endless() -> Iterator[Page]:
        nonlocal read
        while True:
            read += 1
            yield Page("http://site.test/", b"<p>x")

    results = wq.render_all(endless())
    next(results)
    results.close()
    assert read < 20


def test_a_browser_that_dies_among_many_pages_costs_none(browser, monkeypatch):
    renderers = []
    original = Renderer.render

    def remember(renderer, *rest, **options):
        renderers.append(renderer)
        return original(renderer, *rest, **options)

    monkeypatch.setattr(Renderer, "render", remember)
    results = []
    for number, result in enumerate(wq.render_all(pages(20))):
        if number == 5:
            os.killpg(renderers[0]._browser._process.pid, signal.SIGKILL)
        results.append(result)
    assert [result.url for result in results if not isinstance(result, Failure)] == [page.url for page in pages(20)]


def test_a_browser_that_does_not_start_ends_the_run(tmp_path):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(BrowserError, match="does not start"):
        list(wq.render_all(pages(3), browser=program))


def test_one_page(browser):
    document = wq.render(wq.Page("http://site.test/", b"<p>One"), width=500)
    assert (document.text(), document.layout.viewport, document.layout.width) == ("One", 500, 500)


def test_unknown_knobs_are_told():
    with pytest.raises(TypeError, match="unknown_knob"):
        wq.render(wq.Page("", b""), unknown_knob=1)


def test_a_run_that_is_stopped_gives_out_what_is_done(browser):
    shown = threading.Semaphore(0)

    def stopped() -> Iterator[Page]:
        yield from pages(3)
        for _ in range(3):
            assert shown.acquire(timeout=60)
        raise KeyboardInterrupt

    results = wq.render_all(stopped(), tabs=1, timing=lambda *_: shown.release())
    assert [next(results).url for _ in range(2)] == [page.url for page in pages(2)]
    with pytest.raises(KeyboardInterrupt):
        list(results)
