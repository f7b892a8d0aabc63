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
        BrowserError as BrowserError,
        FetchError as FetchError,
        InputError as InputError,
        QueryError as QueryError,
        RefusedError as RefusedError,
        RenderError as RenderError,
        WebquarryError as WebquarryError,
        WrapperError as WrapperError,
    )
    from webquarry.html.columns import Kind as Kind
    from webquarry.model.article import Article as Article, Metadata as Metadata
    from webquarry.model.document import Document as Document, Layout as Layout
    from webquarry.model.extraction import Extraction as Extraction
    from webquarry.model.page import Failure as Failure, Page as Page
    from webquarry.model.region import PageRegions as PageRegions, Record as Record, Region as Region
    from webquarry.model.report import Report as Report, Selection as Selection, Verdicts as Verdicts
    from webquarry.model.table_columns import Field as Field
    from webquarry.model.wrapper import Wrapper as Wrapper
    from webquarry.pipeline.fetch_pages import (
        clean as clean,
        clean_all as clean_all,
        fetch as fetch,
        fetch_all as fetch_all,
    )
    from webquarry.pipeline.find_sources import load_wrapper as load_wrapper, save_wrapper as save_wrapper
    from webquarry.pipeline.learn_wrappers import (
        correct as correct,
        extract as extract,
        extract_all as extract_all,
        undo as undo,
        wrap as wrap,
    )
    from webquarry.pipeline.mine_pages import mine as mine, mine_all as mine_all, mine_following as mine_following
    from webquarry.pipeline.open_catalogs import connect as connect
    from webquarry.pipeline.read_pages import read as read, read_all as read_all
    from webquarry.pipeline.render_pages import render as render, render_all as render_all
    from webquarry.pipeline.validate_results import drop as drop, validate as validate
    from webquarry.querying.answers import Answer as Answer, Plan as Plan

_HOMES = {
    "errors": "BrowserError FetchError InputError QueryError RefusedError RenderError WebquarryError WrapperError",
    "html.columns": "Kind",
    "model.article": "Article Metadata",
    "model.document": "Document Layout",
    "model.extraction": "Extraction",
    "model.page": "Failure Page",
    "model.region": "PageRegions Record Region",
    "model.table_columns": "Field",
    "model.report": "Report Selection Verdicts",
    "model.wrapper": "Wrapper",
    "pipeline.fetch_pages": "clean clean_all fetch fetch_all",
    "pipeline.find_sources": "load_wrapper save_wrapper",
    "pipeline.learn_wrappers": "correct extract extract_all undo wrap",
    "pipeline.mine_pages": "mine mine_all mine_following",
    "pipeline.open_catalogs": "connect",
    "pipeline.read_pages": "read read_all",
    "pipeline.render_pages": "render render_all",
    "pipeline.validate_results": "drop validate",
    "querying.answers": "Answer Plan",
}
"""The public names by the module that defines them; modules are loaded when a name of theirs is first used."""
_HOME_OF = {name: f"webquarry.{home}" for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 - a list all the same


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """Load a public name from its home when it is first used, so that importing webquarry is quick."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value
