"""Pages with a browser or without: whether there is one, and what pages on disk may use in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.cli.faults import UsageFault, complain
from webquarry.cli.options import Knobs

if TYPE_CHECKING:
    from webquarry.model import Document, Failure, Page


def check_static(*, render: bool | None, scripts: bool) -> None:
    """Raise when pages are to be read without a browser, and what runs in one is asked for."""
    if scripts and render is False:
        raise UsageFault("--scripts run in a browser; leave --static out")


def is_rendered(*, render: bool | None, scripts: bool, browser: str | None) -> bool:
    """Whether pages are rendered; raises when that takes a browser, and there is none."""
    if not (render or scripts):
        return False
    from webquarry.rendering import require_browser  # noqa: PLC0415 - help and usage errors need no stages

    require_browser(browser)
    return True


def has_browser(named: str | None, *, needed: bool) -> bool:
    """Whether there is a browser; when there is none and none is needed, one line says how to get it."""
    from webquarry.rendering import ADVICE, find_browser, require_browser  # noqa: PLC0415

    if needed:
        require_browser(named)
    found = find_browser(named) is not None
    if not found:
        complain(f"no browser was found, so pages are read by their markup alone, which finds less; {ADVICE}", 0)
    return found


def with_web_roots(knobs: Knobs, folders: Iterable[Path]) -> Knobs:
    """The knobs of rendering with the web roots of folders, which count after those that `--root` names."""
    from webquarry.rendering.disk import find_web_root  # noqa: PLC0415

    return {**knobs, "roots": [*knobs["roots"], *map(find_web_root, folders)]}


def open_pages(
    pages: Iterable[Page | Failure], folders: Iterable[Path], knobs: Knobs, policy: Knobs, *, rendered: bool
) -> Iterator[Document | Failure]:
    """The documents of pages, of which those on disk were named by these folders."""
    from webquarry import pipeline  # noqa: PLC0415

    if not rendered:
        return pipeline.clean_all(pages)
    return pipeline.render_all(pages, **with_web_roots(knobs, folders), **policy)
