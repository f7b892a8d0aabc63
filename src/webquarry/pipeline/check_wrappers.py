"""Check wrappers, and pages against them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Unpack

from webquarry.model.document import Document
from webquarry.model.drift import Drift
from webquarry.model.page import Failure, Page
from webquarry.model.wrapper import Wrapper
from webquarry.pipeline.argument_types import require
from webquarry.pipeline.find_sources import check_wrapper
from webquarry.pipeline.learn_wrappers import extract_all
from webquarry.pipeline.render_pages import RENDERING, RenderOptions, split_options
from webquarry.pipeline.shared_options import FETCHING, takes


@takes(RENDERING, FETCHING)
def check(
    wrapper: Wrapper | str | Path,
    pages: Iterable[Page | Document | Failure] = (),
    **options: Unpack[RenderOptions],
) -> Drift:
    """Check a wrapper, and what pages lack that it expects.

    wrapper: a wrapper or its file; a file with mistakes raises `WrapperError`, which lists all of them.
    pages: documents, or pages, which are cleaned, or rendered if the wrapper says so.

    >>> import webquarry as wq
    >>> documents = [wq.clean(wq.fetch(f"examples/factbook/geos/{code}.html")) for code in ("am", "bv", "cd")]
    >>> wq.check(wq.wrap(documents, name="factbook"), documents)
    <Drift of factbook: 3 pages, as expected>
    """
    if isinstance(wrapper, str | Path):
        wrapper = check_wrapper(wrapper, **split_options(options)[0])
    require("check", wrapper, Wrapper)
    return Drift.of(wrapper, extract_all(wrapper, pages, **options))
