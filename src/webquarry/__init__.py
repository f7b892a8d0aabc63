"""Give webquarry web pages and get tables that you can query.

>>> import webquarry as wq
>>> page = wq.Page(url="https://example.org/", body=b"<ul><li>One<li>Two")
>>> wq.clean(page).text()
'One\\nTwo'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webquarry.errors import (
        BrowserError,
        FetchError,
        InputError,
        QueryError,
        RefusedError,
        RenderError,
        WebquarryError,
        WrapperError,
    )
    from webquarry.model import (
        Article,
        Document,
        Extraction,
        Failure,
        Field,
        Kind,
        Layout,
        Metadata,
        Page,
        Record,
        Region,
        Report,
        Selection,
        Verdicts,
        Wrapper,
    )
    from webquarry.model.region import PageRegions
    from webquarry.pipeline.find_sources import load_wrapper, save_wrapper
    from webquarry.pipeline.learn_wrappers import correct, extract, extract_all, undo, wrap
    from webquarry.pipeline.mine_pages import mine, mine_all, mine_following
    from webquarry.pipeline.open_catalogs import connect
    from webquarry.pipeline.read_pages import read, read_all
    from webquarry.pipeline.render_pages import clean, clean_all, fetch, fetch_all, render, render_all
    from webquarry.pipeline.validate_results import drop, validate
    from webquarry.querying.answers import Answer, Plan

__all__ = [
    "Answer",
    "Article",
    "BrowserError",
    "Document",
    "Extraction",
    "Failure",
    "FetchError",
    "Field",
    "InputError",
    "Kind",
    "Layout",
    "Metadata",
    "Page",
    "PageRegions",
    "Plan",
    "QueryError",
    "Record",
    "RefusedError",
    "Region",
    "RenderError",
    "Report",
    "Selection",
    "Verdicts",
    "WebquarryError",
    "Wrapper",
    "WrapperError",
    "clean",
    "clean_all",
    "connect",
    "correct",
    "drop",
    "extract",
    "extract_all",
    "fetch",
    "fetch_all",
    "load_wrapper",
    "mine",
    "mine_all",
    "mine_following",
    "read",
    "read_all",
    "render",
    "render_all",
    "save_wrapper",
    "undo",
    "validate",
    "wrap",
]

_HOMES = {
    "webquarry.errors": (
        "BrowserError",
        "FetchError",
        "InputError",
        "QueryError",
        "RefusedError",
        "RenderError",
        "WebquarryError",
        "WrapperError",
    ),
    "webquarry.model": (
        "Article",
        "Document",
        "Extraction",
        "Failure",
        "Field",
        "Kind",
        "Layout",
        "Metadata",
        "Page",
        "Record",
        "Region",
        "Report",
        "Selection",
        "Verdicts",
        "Wrapper",
    ),
    "webquarry.pipeline": (
        "clean",
        "clean_all",
        "connect",
        "correct",
        "drop",
        "extract",
        "extract_all",
        "fetch",
        "fetch_all",
        "load_wrapper",
        "mine",
        "mine_all",
        "mine_following",
        "read",
        "read_all",
        "render",
        "render_all",
        "save_wrapper",
        "undo",
        "validate",
        "wrap",
    ),
    "webquarry.querying.answers": ("Answer", "Plan"),
    "webquarry.storing": ("PageRegions",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """Load a public name from its home when it is first used, so that importing webquarry is quick."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value
