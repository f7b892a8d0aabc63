"""SQL over a catalog: each query opens its sources and its supply of pages, and closes them."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import pyarrow as pa

from webquarry.errors import InputError, WebquarryError
from webquarry.fetching.policy import Policy
from webquarry.model.names import list_names, snake_case
from webquarry.model.wrapper import Wrapper
from webquarry.pipeline.find_sources import load_wrapper
from webquarry.pipeline.render_pages import RENDERING
from webquarry.pipeline.source_pages import PageSupply
from webquarry.pipeline.source_tables import WrappedTable
from webquarry.querying import run
from webquarry.querying.catalog import Catalog
from webquarry.storing.atomic_files import read_text

if TYPE_CHECKING:
    import pandas as pd

    from webquarry.querying.answers import Answer, Plan
    from webquarry.querying.catalog import SourceTable

# MERGED pipeline/catalogs: Catalogs: what the files of a folder are to a query.
# MERGED
# MERGED Wrapper files are sources, `.sql` files are views, `.csv` and `.parquet` files are tables and `.duck
# MERGED each under the name of its file in snake case.  Of two with one name a wrapper counts first, then a
# MERGED Files are looked at by their names, and read when a query names them.
Part = Path | Wrapper
"""A file of a catalog, or a wrapper at hand."""
Given = str | Path | Wrapper | Iterable[str | Path | Wrapper]
"""A folder, a file or a wrapper, or several of them."""

_KINDS = {".toml": "wrappers", ".sql": "views", ".parquet": "files", ".csv": "files", ".duckdb": "databases"}
"""What files are by their endings; of those with one name the first counts."""
_ORDER = tuple(_KINDS)
_SOURCE = re.compile(rb"^[ \t]*(\[[ \t]*source[ \t]*\]|source[ \t]*[.=])", re.MULTILINE)
"""What a wrapper has and settings of other programs have not."""

P = TypeVar("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Parts:
    """What there is in a catalog, by the names of tables."""

    wrappers: dict[str, Part] = field(default_factory=dict)
    views: dict[str, Part] = field(default_factory=dict)
    files: dict[str, Part] = field(default_factory=dict)
    databases: dict[str, Part] = field(default_factory=dict)
    hidden: dict[str, list[Part]] = field(default_factory=dict)
    """What another of the same name stands before."""


class Lazy(Mapping[str, T], Generic[P, T]):
    """What is loaded when it is asked for; the case of names does not count."""

    def __init__(self, places: Mapping[str, P], load: Callable[[str, P], T]) -> None:
        self._places = {name.lower(): place for name, place in places.items()}
        self._load = load
        self._loaded: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        name = name.lower()
        if name not in self._loaded:
            self._loaded[name] = self._load(name, self._places[name])
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def items(self) -> ItemsView[str, T]:
        """All that can be loaded; what cannot is a warning, as long as it is not asked for by its name."""
        return _Sound(self)


class _Sound(ItemsView[str, T]):
    def __init__(self, mapping: Mapping[str, T]) -> None:
        super().__init__(mapping)
        self._all = mapping

    def __iter__(self) -> Iterator[tuple[str, T]]:
        for name in self._all:
            try:
                loaded = self._all[name]
            except WebquarryError as error:
                first, *others = str(error).splitlines()
                _log.warning("%s is left out: %s%s", name, first, f" and {len(others)} more" if others else "")
                continue
            yield name, loaded


def find_parts(given: Given) -> Parts:
    """What a folder holds, or what is named one by one; raises for what is not there."""
    several = [given] if isinstance(given, str | Path | Wrapper) else list(given)
    found = [part for each in several for part in _expand(each)]
    parts = Parts()
    for name, kind, part in sorted(found, key=_rank):
        named: dict[str, Part] = getattr(parts, kind)
        taken = named if kind == "databases" else {**parts.wrappers, **parts.views, **parts.files}
        if name in taken:
            parts.hidden.setdefault(name, []).append(part)
        else:
            named[name] = part
    return parts


def open_wrapper(part: Part) -> Wrapper:
    """The wrapper that a part of a catalog is; raises with all of its mistakes."""
    return part if isinstance(part, Wrapper) else load_wrapper(part)


def read_view(part: Part) -> str:
    """The SELECT of a view."""

    return read_text(Path(str(part))).strip().removesuffix(";")


def tell_hidden(parts: Parts, name: str, chosen: Part) -> None:
    """Warn that others have the name of what a query reads."""
    if parts.hidden.get(name):
        others = list_names([describe(each) for each in parts.hidden[name]])
        _log.warning("%s is %s; the same name have %s", name, describe(chosen), others)


def describe(part: Part) -> str:
    """A part by its file, or as what it is."""
    return f"the wrapper {part.source.name}" if isinstance(part, Wrapper) else str(part)


def _expand(named: str | Path | Wrapper) -> Iterator[tuple[str, str, Part]]:
    """The name, the kind and the place of each part."""
    if isinstance(named, Wrapper):
        yield snake_case(named.source.name), "wrappers", named
        return
    if not isinstance(named, str | Path):
        raise TypeError(f"a catalog is made of folders, files and wrappers, not of a {type(named).__name__}")
    path = Path(named)
    if path.is_dir():
        yield from _list_folder(path)
    elif not path.is_file():
        raise InputError(f"{path}: there is no such folder or file; a catalog is a folder of wrapper files")
    elif path.suffix.lower() not in _KINDS:
        raise InputError(f"{path}: this cannot be a table; a catalog is made of files that end in {', '.join(_KINDS)}")
    else:
        yield snake_case(path.stem), _KINDS[path.suffix.lower()], path


def _list_folder(folder: Path) -> Iterator[tuple[str, str, Part]]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in _KINDS)
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({error.strerror or error})") from error
    for path in paths:
        if not path.name.startswith(".") and path.is_file() and (path.suffix.lower() != ".toml" or _is_wrapper(path)):
            yield snake_case(path.stem), _KINDS[path.suffix.lower()], path


def _is_wrapper(path: Path) -> bool:
    """Whether a TOML file means to be a wrapper, right or wrong; it is not parsed, which takes much longer."""
    try:
        return _SOURCE.search(path.read_bytes()) is not None
    except OSError:
        return True  # that it cannot be read is told when a query names it


def _rank(found: tuple[str, str, Part]) -> int:
    _, _, part = found
    return _ORDER.index(part.suffix.lower()) if isinstance(part, Path) else 0


Progress = Callable[[int, int], None]


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
        shared = {"timeout"}  # of which both fetching and rendering have one
        self._policy = Policy(**{name: knobs[name] for name in knobs if name not in RENDERING or name in shared})
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

        with self._open() as catalog:
            return run.answer(catalog, query, max_pages=max_pages, strict=strict, progress=progress)

    def explain(self, query: str) -> Plan:
        """What a query would fetch and read."""

        with self._open() as catalog:
            return run.explain(catalog, query)

    def register(self, name: str, table: pa.Table | pd.DataFrame) -> None:
        """Name a table at hand, which queries then have before all others of this name."""

        self._tables = {each: kept for each, kept in self._tables.items() if each.lower() != name.lower()}
        is_frame = not isinstance(table, pa.Table) and hasattr(table, "to_records")
        self._tables[name] = pa.Table.from_pandas(table, preserve_index=False) if is_frame else pa.table(table)

    @contextmanager
    def _open(self) -> Iterator[Catalog]:
        """The catalog of one query."""

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
