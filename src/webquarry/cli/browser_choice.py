"""Decide whether pages are rendered, and open them as documents."""

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
    """Raise if scripts are to run without a browser."""
    if scripts and render is False:
        raise UsageFault("--scripts needs a browser; leave --static out")


def is_rendered(*, render: bool | None, scripts: bool, browser: str | None) -> bool:
    """Tell whether to render pages; raise if that needs a browser and there is none."""
    if not (render or scripts):
        return False
    browsers.require_browser(browser)
    return True


def has_browser(named: str | None, *, needed: bool) -> bool:
    """Tell whether there is a browser; without one, raise if it is needed, else say how to get one."""
    if needed:
        browsers.require_browser(named)
    found = browsers.find_browser(named) is not None
    if not found:
        complain(f"no browser was found, so pages are read without rendering, which finds less; {browsers.ADVICE}", 0)
    return found


def with_web_roots(knobs: Knobs, folders: Iterable[Path]) -> Knobs:
    """Add the web roots of folders to those that `--root` names."""
    return {**knobs, "roots": [*knobs["roots"], *map(requests.find_web_root, folders)]}


def open_pages(
    pages: Iterable[Page | Failure], folders: Iterable[Path], knobs: Knobs, policy: Knobs, *, rendered: bool
) -> Iterator[Document | Failure]:
    """Clean or render pages; pages on disk may use the files of the site that their input folder is in."""
    if not rendered:
        return fetch_pages.clean_all(pages)
    return render_pages.render_all(pages, **with_web_roots(knobs, folders), **policy)
