"""Pages to documents: fetched, cleaned, rendered."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from webquarry import fetching
from webquarry.cleaning.cleandom import clean_cleandom
from webquarry.cleaning.html5 import clean_html5
from webquarry.errors import BrowserError, WebquarryError
from webquarry.model import Document, Failure, Page

if TYPE_CHECKING:
    from webquarry.rendering.renderer import Renderer

# MERGED pipeline/attempts: What fails on one page must not stop the others.
T = TypeVar("T")
_log = logging.getLogger(__name__)


def attempt(name: str, work: Callable[[], T]) -> T | Failure:
    """Do the work on a page; give a failure of this name in place of an error, also of a fault of ours."""
    try:
        return work()
    except BrowserError:
        raise  # no other page would fare better
    except WebquarryError as error:
        return Failure(name, str(error))
    except Exception as error:  # noqa: BLE001 - a fault of ours; one page must not stop the others
        _log.debug("", exc_info=error)
        return Failure(name, f"{name}: internal error, please report it: {type(error).__name__}: {error}")


def attempt_together(names: Sequence[str], work: Callable[[Sequence[int]], T]) -> tuple[T | None, dict[int, Failure]]:
    """Do work that takes several pages at once, given by their places; leave out pages on which it fails alone.

    Gives what the work gave, None if it fails on every page, and the failures by place.  Raises if the fault is not
    that of a page: our own errors speak of the whole, and a fault may need several pages to show.
    """
    try:
        return work(range(len(names))), {}
    except WebquarryError:
        raise
    except Exception:
        outcomes = enumerate(attempt(name, partial(_try_alone, work, place)) for place, name in enumerate(names))
        failures = {place: outcome for place, outcome in outcomes if isinstance(outcome, Failure)}
        if not failures:
            raise
    left = [place for place in range(len(names)) if place not in failures]
    return (work(left) if left else None), failures


def _try_alone(work: Callable[[Sequence[int]], T], place: int) -> None:
    """Raise the fault of ours that the work has on one page; that one page is too few for it is no fault."""
    try:
        work([place])
    except WebquarryError:
        return


CLEANERS: dict[str, Callable[[Page], Document]] = {"html5": clean_html5, "cleandom": clean_cleandom}


def fetch(source: str | Path, **policy: Any) -> Page:
    """The one page that a file, an http address or `-` for standard input names.

    Keywords are the knobs of `webquarry.fetching.Policy`, such as `offline=True`.
    """
    return fetching.fetch(source, policy=fetching.Policy(**policy))


def fetch_all(
    inputs: Iterable[str | Path], *, progress: Callable[[int, int | None], None] | None = None, **policy: Any
) -> Iterator[Page | Failure]:
    """The pages of all inputs, in their order, with a failure in the place of each that could not be had."""
    return fetching.fetch_all(inputs, policy=fetching.Policy(**policy), progress=progress)


def clean(page: Page, *, method: str = "html5") -> Document:
    """The document that a browser would build from the page, or that CleanDOM builds."""
    if method not in CLEANERS:
        raise ValueError(f"no cleaning method {method!r}; there are {', '.join(CLEANERS)}")
    return CLEANERS[method](page)


def clean_all(pages: Iterable[Page | Failure], *, method: str = "html5") -> Iterator[Document | Failure]:
    """The documents of many pages; a page that cannot be cleaned is a failure, and the others go on."""
    for page in pages:
        yield page if isinstance(page, Failure) else attempt(page.url, partial(clean, page, method=method))


RENDERING = frozenset(["browser", "tabs", "width", "scripts", "wait_for", "timeout", "roots"])
"""The knobs of `webquarry.rendering.Renderer`; all others are those of `webquarry.fetching.Policy`."""


def render(page: Page, **knobs: Any) -> Document:
    """The document as a browser shows it: each node with its box and styles.

    Knobs are `scripts`, `wait_for`, `width`, `timeout`, `browser` and `roots` (folders whose files pages below them
    may use), and those of `webquarry.fetching.Policy` for what pages from the web need.  Each call starts a browser;
    for many pages `render_all` starts one.
    """
    with open_renderer(knobs) as renderer:
        return renderer.render(page, clean(page).markup)


def render_all(
    pages: Iterable[Page | Failure],
    *,
    progress: Callable[[int, int | None], None] | None = None,
    timing: Callable[[str, float], None] | None = None,
    **knobs: Any,
) -> Iterator[Document | Failure]:
    """The rendered documents of many pages, in their order, with a failure in the place of each that has none.

    `progress` is called before each result with the number of results so far and of all, None when that is unknown;
    `timing` with the address of each page and the seconds that it took.
    """
    from webquarry.rendering.renderer import render_many  # noqa: PLC0415 - NumPy is slow to import

    total = len(pages) if isinstance(pages, Sized) else None
    with ExitStack() as stack:
        renderer = stack.enter_context(open_renderer(knobs))
        results = render_many(renderer, pages, decode=lambda page: clean(page).markup, attempt=attempt, timing=timing)
        stack.enter_context(closing(results))  # its threads end before what they fetch with
        for done, result in enumerate(results, start=1):
            if progress is not None:
                progress(done, total)
            yield result


def shoot(page: Page, *, tags: Iterable[str] = (), **knobs: Any) -> tuple[Document | Failure, list[bytes]]:
    """Render a page and give its pictures as PNG: the page, and for each tag the page with that tag's boxes.

    A page that cannot be rendered or drawn is a failure without pictures.
    """
    with open_renderer(knobs) as renderer:
        shot = attempt(page.url, partial(_shoot, renderer, page, tags))
        return (shot, []) if isinstance(shot, Failure) else shot


def _shoot(renderer: Renderer, page: Page, tags: Iterable[str]) -> tuple[Document, list[bytes]]:
    from webquarry.rendering.pictures import draw_boxes  # noqa: PLC0415 - NumPy is slow to import

    document, screenshot = renderer.shoot(page, clean(page).markup)
    return document, [screenshot, *(draw_boxes(renderer, document, screenshot, tag) for tag in tags)]


@contextmanager
def open_reader(**knobs: Any) -> Iterator[Callable[[Page], Document]]:
    """A function that renders page after page in one browser, which ends with the context; knobs as of `render`."""
    with open_renderer(knobs) as renderer:
        yield lambda page: renderer.render(page, clean(page).markup)


@contextmanager
def open_renderer(knobs: dict[str, Any]) -> Iterator[Renderer]:
    """A renderer whose pages from the web load what they need through our fetch stage, under the same policy."""
    from webquarry.rendering.renderer import Renderer  # noqa: PLC0415 - NumPy is slow to import

    policy = fetching.Policy(**{name: value for name, value in knobs.items() if name not in RENDERING})
    loader = fetching.Loader(policy)
    renderer = Renderer(load=loader.load, **{name: value for name, value in knobs.items() if name in RENDERING})
    try:
        yield renderer
    finally:
        loader.stop()
        renderer.close()
        loader.close()
