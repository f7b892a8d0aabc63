"""SQL over a catalog: each query opens its sources and its supply of pages, and closes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from webquarry.fetching import Policy
from webquarry.model import Wrapper
from webquarry.pipeline.catalogs import Given, Lazy, Part, Parts, find_parts, open_wrapper, read_view, tell_hidden
from webquarry.pipeline.page_supply import PageSupply
from webquarry.pipeline.pages import RENDERING

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from webquarry.querying import Answer, Catalog, Plan
    from webquarry.querying.catalog import SourceTable

Progress = Callable[[int, int], None]
T = TypeVar("T")


def connect(catalog: Given = ".", *, render: bool | None = None, **knobs: Any) -> Connection:
    """What answers SQL over a catalog: a folder of wrapper files, or files and wrappers one by one.

    A wrapper file `factbook.toml` is the table `factbook`.  Pages are rendered where the wrapper says so, or with
    `render` all or none.  Knobs are those of `webquarry.fetching.Policy`, and for rendering those of `render`.
    """
    return Connection(catalog, render=render, **knobs)


class Connection:
    """Answers queries; what it was connected to is looked at anew for each."""

    def __init__(self, catalog: Given = ".", *, render: bool | None = None, **knobs: Any) -> None:
        self._given = _to_list(catalog)
        find_parts(self._given)  # what is not there is told at once
        self._policy = Policy(**{name: value for name, value in knobs.items() if name not in RENDERING})
        self._rendering = {name: value for name, value in knobs.items() if name in RENDERING}
        self._render = render
        self._tables: dict[str, pa.Table] = {}
        self._wrappers: dict[Path, tuple[tuple[int, int] | None, Wrapper]] = {}

    def sql(
        self, query: str, *, max_pages: int | None = None, strict: bool = False, progress: Progress | None = None
    ) -> Answer:
        """The answer to a query, from as few pages as it can need.

        With more pages than `max_pages` it is not answered.  A page that fails is told in the answer, or with
        `strict` raised.  `progress` is called with the number of pages that are done, and of those planned so far.
        """
        from webquarry import querying  # noqa: PLC0415 - DuckDB and sqlglot are slow to import

        with self._open() as catalog:
            return querying.answer(catalog, query, max_pages=max_pages, strict=strict, progress=progress)

    def explain(self, query: str) -> Plan:
        """What a query would fetch and read."""
        from webquarry import querying  # noqa: PLC0415

        with self._open() as catalog:
            return querying.explain(catalog, query)

    def register(self, name: str, table: pa.Table | pd.DataFrame) -> None:
        """Name a table at hand, which queries then have before all others of this name."""
        import pyarrow as pa  # noqa: PLC0415 - slow to import

        self._tables = {each: kept for each, kept in self._tables.items() if each.lower() != name.lower()}
        is_frame = not isinstance(table, pa.Table) and hasattr(table, "to_records")
        self._tables[name] = pa.Table.from_pandas(table, preserve_index=False) if is_frame else pa.table(table)

    @contextmanager
    def _open(self) -> Iterator[Catalog]:
        """The catalog of one query."""
        from webquarry.querying import Catalog  # noqa: PLC0415

        parts = find_parts(self._given)
        with PageSupply(self._policy, **self._rendering) as supply:
            yield Catalog(
                sources=Lazy(self._not_hidden(parts.wrappers), partial(self._open_source, parts, supply)),
                views=Lazy(self._not_hidden(parts.views), partial(_read, parts, read_view)),
                files=Lazy(self._not_hidden(parts.files), partial(_read, parts, str)),
                databases={name: str(part) for name, part in parts.databases.items()},
                tables=dict(self._tables),
            )

    def _not_hidden(self, parts: dict[str, Part]) -> dict[str, Part]:
        taken = {name.lower() for name in self._tables}
        return {name: part for name, part in parts.items() if name not in taken}

    def _open_source(self, parts: Parts, supply: PageSupply, name: str, part: Part) -> SourceTable:
        from webquarry.pipeline.source_tables import WrappedTable  # noqa: PLC0415

        wrapper = _read(parts, self._open_wrapper, name, part)
        is_rendered = wrapper.source.render if self._render is None else self._render
        source = replace(wrapper.source, render=is_rendered or bool(self._rendering.get("scripts")))
        supply.add_source()
        return WrappedTable(
            name,
            replace(wrapper, source=source),
            supply,
            file=part if isinstance(part, Path) else None,
        )

    def _open_wrapper(self, part: Part) -> Wrapper:
        """The wrapper of a part, which is read again only when its file was changed: that takes longer than a page."""
        if isinstance(part, Wrapper):
            return part
        stamp = _stamp(part)
        if part not in self._wrappers or self._wrappers[part][0] != stamp:
            self._wrappers[part] = stamp, open_wrapper(part)
        return self._wrappers[part][1]


def _stamp(path: Path) -> tuple[int, int] | None:
    """What tells whether a file is still the same; None when it cannot be seen."""
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_size


def _read(parts: Parts, read: Callable[[Part], T], name: str, part: Part) -> T:
    tell_hidden(parts, name, part)
    return read(part)


def _to_list(catalog: Given) -> str | Path | list[str | Path | Wrapper]:
    """The same, fit to be gone through again and again."""
    if isinstance(catalog, str | Path):
        return catalog
    return [catalog] if isinstance(catalog, Wrapper) else list(catalog)
