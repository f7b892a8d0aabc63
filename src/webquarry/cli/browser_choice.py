"""Decide whether pages are rendered, and which files pages on disk may use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.cli.options import Knobs, UsageFault, complain
from webquarry.model.page import Failure
from webquarry.pipeline import fetch_pages, render_pages
from webquarry.rendering import browser as browsers, requests

if TYPE_CHECKING:
    from webquarry.model.document import Document
    from webquarry.model.page import Page


def check_static(*, render: bool | None, scripts: bool) -> None:
    """Raise when pages are to be read without a browser, and what runs in one is asked for."""
    if scripts and render is False:
        raise UsageFault("--scripts run in a browser; leave --static out")


def is_rendered(*, render: bool | None, scripts: bool, browser: str | None) -> bool:
    """Whether pages are rendered; raises when that takes a browser, and there is none."""
    if not (render or scripts):
        return False

    browsers.require_browser(browser)
    return True


def has_browser(named: str | None, *, needed: bool) -> bool:
    """Whether there is a browser; when there is none and none is needed, one line says how to get it."""

    if needed:
        browsers.require_browser(named)
    found = browsers.find_browser(named) is not None
    if not found:
        complain(
            f"no browser was found, so pages are read by their markup alone, which finds less; {browsers.ADVICE}", 0
        )
    return found


def with_web_roots(knobs: Knobs, folders: Iterable[Path]) -> Knobs:
    """The knobs of rendering with the web roots of folders, which count after those that `--root` names."""

    return {**knobs, "roots": [*knobs["roots"], *map(requests.find_web_root, folders)]}


def open_pages(
    pages: Iterable[Page | Failure], folders: Iterable[Path], knobs: Knobs, policy: Knobs, *, rendered: bool
) -> Iterator[Document | Failure]:
    """The documents of pages, of which those on disk were named by these folders."""

    if not rendered:
        return fetch_pages.clean_all(pages)
    return render_pages.render_all(pages, **with_web_roots(knobs, folders), **policy)
