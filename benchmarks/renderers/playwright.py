"""Render with Playwright, tuned for speed: tabs are reused, and `route.fulfill` answers requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager

import playwright.async_api as api

from benchmarks.renderers import Render
from webquarry.cleaning.html5 import read_markup
from webquarry.model.page import Page
from webquarry.rendering.browser import require_browser
from webquarry.rendering.renderer import WIDTH
from webquarry.rendering.requests import Responder
from webquarry.rendering.snapshot import PROPERTIES
from webquarry.rendering.tab import HEIGHT

Show = Callable[[api.Page, Responder], Awaitable[object]]


def open_renderer(tabs: int) -> AbstractContextManager[Render]:
    """Open a browser that stays open between calls and loads pages by their address."""
    return _open(tabs, lambda tab, serving: tab.goto(serving.address))


def open_content_renderer(tabs: int) -> AbstractContextManager[Render]:
    """Open a browser that shows pages by `set_content`, which only works for pages without resources."""
    return _open(tabs, lambda tab, serving: tab.set_content(serving.markup))


@contextmanager
def _open(tabs: int, show: Show) -> Iterator[Render]:
    """Open a browser that stays open between calls and shows pages by `show`."""
    with asyncio.Runner() as runner:
        opened = _open_tabs(tabs, show)
        shown = runner.run(opened.__aenter__())
        try:
            yield lambda pages: runner.run(_render_all(shown, pages))
        finally:
            runner.run(opened.__aexit__(None, None, None))


class _Tab:
    """A tab, the session that takes its snapshots, and the page it shows."""

    def __init__(self, tab: api.Page, session: api.CDPSession, show: Show) -> None:
        self._tab, self._session, self._show = tab, session, show
        self._responder: Responder | None = None

    async def render(self, page: Page) -> int:
        self._responder = Responder(page, read_markup(page))
        await self._show(self._tab, self._responder)
        snapshot = await self._session.send(
            "DOMSnapshot.captureSnapshot",
            {"computedStyles": list(PROPERTIES), "includePaintOrder": False, "includeDOMRects": False},
        )
        nodes = snapshot["documents"][0]["nodes"]
        return len(nodes["nodeType"]) - len(nodes["pseudoType"]["index"])  # like ours, without generated content

    async def answer(self, route: api.Route, request: api.Request) -> None:
        if self._responder is None:
            return await route.abort()
        is_page = request.url == self._responder.address and request.resource_type == "document"
        answer = self._responder.page() if is_page else self._responder.answer_locally(request.url)
        if answer is None:
            return await route.abort()
        headers = {"Access-Control-Allow-Origin": "*"}
        return await route.fulfill(body=answer.body, content_type=answer.content_type, headers=headers)


@asynccontextmanager
async def _open_tabs(count: int, show: Show) -> AsyncIterator[list[_Tab]]:
    async with api.async_playwright() as started:
        browser = await started.chromium.launch(executable_path=require_browser())
        context = await browser.new_context(java_script_enabled=False, viewport={"width": WIDTH, "height": HEIGHT})
        yield [await _open_tab(context, show) for _ in range(count)]
        await browser.close()


async def _open_tab(context: api.BrowserContext, show: Show) -> _Tab:
    page = await context.new_page()
    tab = _Tab(page, await context.new_cdp_session(page), show)
    await page.route("**/*", tab.answer)
    return tab


async def _render_all(tabs: list[_Tab], pages: Sequence[Page]) -> list[int]:
    counts = [0] * len(pages)
    waiting = iter(enumerate(pages))

    async def work(tab: _Tab) -> None:
        for place, page in waiting:
            counts[place] = await tab.render(page)

    await asyncio.gather(*map(work, tabs))
    return counts
