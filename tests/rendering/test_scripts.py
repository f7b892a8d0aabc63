from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext

import pytest

from webquarry.errors import RenderError
from webquarry.model.document import Document
from webquarry.model.page import Page
from webquarry.rendering import tab
from webquarry.rendering.renderer import Renderer

WRITES = "<p>Static<script>document.body.append(' and scripted')</script>"
LATE = "<script>setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<p class=late>Late'),{})</script><p>Soon"


def load(address: str) -> Page:
    time.sleep(0.3)
    if address.endswith("/last.json"):
        tab.QUIET_SECONDS = 0.1
    return Page(address, b'{"name": "loaded"}', headers=(("Content-Type", "application/json"),))


@pytest.fixture(scope="module")
def scripted(browser: str) -> Iterator[Callable[[str], Document]]:
    with Renderer(browser=browser, scripts=True, load=load, timeout=60) as renderer:
        yield lambda markup: renderer.render(Page("http://site.test/", b""), markup)


def test_scripts_are_off_by_default(render):
    document = render(WRITES)
    assert (document.kind, document.text()) == ("rendered", "Static")


def test_scripts_run_when_asked_for(scripted):
    document = scripted(WRITES)
    assert (document.kind, document.text()) == ("scripts", "Static\nand scripted")
    assert "and scripted" in document.markup
    assert "and scripted" in document.to_xhtml()


def test_waits_until_nothing_more_is_asked_for(scripted, monkeypatch):
    """The last request comes when all is written; before it a busy browser has seconds from one to the next."""
    monkeypatch.setattr(tab, "QUIET_SECONDS", 3.0)
    document = scripted(
        "<p>x<script>fetch('a.json').then(r=>r.json()).then(a=>fetch('b.json')).then(r=>r.json())"
        ".then(b=>{document.body.append(b.name); fetch('last.json')})</script>"
    )
    assert document.text() == "x\nloaded"


def test_an_address_that_a_script_writes_anew_is_no_other_page(scripted):
    assert scripted("<p>x<script>history.pushState({}, '', '/other'); location.hash = 'a'</script>").text() == "x"


def test_pages_do_not_see_what_others_stored(scripted):
    page = "<script>document.write(localStorage.getItem('k') + document.cookie);"
    page += "localStorage.setItem('k','v'); document.cookie='c=1'</script>"
    assert [scripted(page).text(), scripted(page).text()] == ["null", "null"]


@pytest.mark.parametrize(
    ("wait_for", "milliseconds", "expected"), [(None, 600_000, "Soon"), (".late", 1000, "Soon\nLate")]
)
def test_waits_for_a_selector(browser, wait_for, milliseconds, expected):
    with Renderer(browser=browser, scripts=True, wait_for=wait_for, timeout=60) as renderer:
        assert renderer.render(Page("http://site.test/", b""), LATE.format(milliseconds)).text() == expected


@pytest.mark.parametrize(
    ("wait_for", "seconds", "message"),
    [(".never", 5, "nothing matched '.never'"), ("p[", 60, "'p\\[' is not a valid CSS selector")],
)
def test_a_selector_that_matches_nothing_is_told(browser, wait_for, seconds, message):
    with (
        Renderer(browser=browser, scripts=True, wait_for=wait_for, timeout=seconds) as renderer,
        pytest.raises(RenderError, match=message),
    ):
        renderer.render(Page("http://site.test/", b""), "<p>x")


@pytest.mark.parametrize(
    ("wait_for", "outcome"),
    [("#there", nullcontext()), (".never", pytest.raises(RenderError, match="nothing matched"))],
)
def test_a_selector_counts_on_a_page_that_never_ends_loading_too(browser, wait_for, outcome):
    over = threading.Event()

    def never(address: str) -> Page:
        over.wait(60)
        return Page(address, b"")

    with Renderer(browser=browser, scripts=True, wait_for=wait_for, timeout=5, load=never) as renderer:
        try:
            with outcome:
                document = renderer.render(Page("http://site.test/", b""), "<p id=there>There<img src=never.png>")
                assert document.text() == "There"
        finally:
            over.set()


def test_waiting_for_a_selector_needs_scripts(browser):
    with pytest.raises(ValueError, match="scripts=True"):
        Renderer(browser=browser, wait_for="p")
