"""Bound the work that a page is for a browser, before the browser gets it."""

from __future__ import annotations

from dataclasses import replace
from itertools import compress

import numpy as np

from webquarry.errors import RenderError
from webquarry.html.columns import MAX_DEPTH, Columns, Kind
from webquarry.html.node_paths import depths_of
from webquarry.rendering.snapshot import write_markup

MAX_TAGS = 250_000
"""Tags in markup, which can be counted before it is parsed; they make up to half as many elements."""
MAX_NODES = 400_000
"""Elements and texts. Half a million take Chromium 11 s of CPU time and 0.9 GB."""
MAX_LEVELS = 40_000_000
"""The levels of all nodes, added up: styles and boxes are computed from each node upwards. Nested lists with 33 million
take Chromium 7 s of CPU time; no page of the benchmarks' corpora has more than a million."""
MAX_STRAYS = 1_000
"""Comments before and after the root element: Chromium looks at all of them when another one follows, so that 50,000
take it 7 s."""
USE_STATIC = "use --static or clean to read its markup without a browser"


def check_size(url: str, markup: str) -> None:
    """Refuse a page that would take a browser minutes."""
    tags = markup.count("<")
    if tags > MAX_TAGS:
        raise RenderError(f"{url}: too large to render ({tags:,} tags, at most {MAX_TAGS:,}); {USE_STATIC}")


def cut_costly_markup(url: str, static: Columns) -> str | None:
    """Write the page of a static tree so that parsing it costs little; None if its own markup does.

    A page that nests as deep as a tree may be gets all end tags: Chromium's tree ends at the same depth, but its parser
    remembers all elements that are open, so that 5,000 times `<a><div>` crash it. Comments outside the root are left
    out if they are too many.
    """
    depths, nodes = depths_of(static.ends), len(static.kinds)
    if nodes > MAX_NODES:
        raise RenderError(f"{url}: too large to render ({nodes:,} nodes, at most {MAX_NODES:,}); {USE_STATIC}")
    if depths.sum() > MAX_LEVELS:
        raise RenderError(
            f"{url}: nested too deeply to render ({nodes:,} nodes, up to {depths.max()} levels deep); {USE_STATIC}"
        )
    has_strays = np.count_nonzero(depths == 1) > MAX_STRAYS
    if depths.max() < MAX_DEPTH and not has_strays:
        return None
    return write_markup(_without_strays(static) if has_strays else static)


def _without_strays(columns: Columns) -> Columns:
    """Leave out comments and instructions that are not in the root element."""
    is_stray = (columns.parents == 0) & np.isin(columns.kinds, [int(Kind.COMMENT), int(Kind.INSTRUCTION)])
    kept = ~is_stray
    numbers = np.cumsum(kept, dtype=np.int32) - 1
    parents = columns.parents[kept]
    return replace(
        columns,
        kinds=columns.kinds[kept],
        parents=np.where(parents < 0, -1, numbers[parents]).astype(np.int32),
        tags=columns.tags[kept],
        namespaces=columns.namespaces[kept],
        texts=tuple(compress(columns.texts, kept)),
        attributes=tuple(compress(columns.attributes, kept)),
    )
