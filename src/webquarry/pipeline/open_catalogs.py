"""Answer SQL over a catalog of files.

Wrapper files are sources, `.sql` files are views, `.csv` and `.parquet` files are tables and `.duckdb` files are
databases, each under the name of its file in snake case; a folder of Parquet files, such as that of a batch, is one
table.  Of files with one name a wrapper counts first, then a view, then a file.  Files are found by their names, and
read when a query names them.

The file `names.csv` of a catalog maps the names of things to canonical ones, so that joins match.  It has the columns
`source`, `name` and `canonical`: what a source calls by a name has the canonical name in its table.  A source without a
column means its key; `groups.country` is a column of `groups`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, Unpack

import pyarrow as pa

from webquarry.errors import InputError
from webquarry.fetching.inputs import parse_rows
from webquarry.fetching.policy import Policy
from webquarry.model.names import join_key, key_names, snake_case, split_key
from webquarry.model.wording import list_names
from webquarry.model.wrapper import Wrapper
from webquarry.pipeline.call_arguments import FETCHING, require, require_parts, takes
from webquarry.pipeline.remote_tables import RemoteTable, find_remote
from webquarry.pipeline.render_pages import RENDERING, RenderOptions, split_options
from webquarry.pipeline.source_pages import load_wrapper
from webquarry.pipeline.wrapped_tables import PageSupply, WrappedTable
from webquarry.querying import query_run
from webquarry.querying.query_nouns import Catalog, ColumnPath, Reading, SourceTable
from webquarry.storing.result_files import read_text

if TYPE_CHECKING:
    import pandas as pd

    from webquarry.querying.query_nouns import Answer, Plan

Part = Path | Wrapper
"""A file of a catalog, or a wrapper in memory."""
Given = str | Path | Wrapper | Iterable[str | Path | Wrapper]
"""A folder, a file or a wrapper, or several of them."""
Progress = Callable[[int, int], None]

_KINDS = {".toml": "wrappers", ".sql": "views", ".parquet": "files", ".csv": "files", ".duckdb": "databases"}
"""Kinds of files by their endings; of files with one name the first ending here counts."""
_BATCH = "_batch.json"
"""The file that marks the folder of a batch, whose Parquet files are one table."""
_SOURCE_TABLE = re.compile(rb"^[ \t]*(\[[ \t]*source[ \t]*\]|source[ \t]*[.=])", re.MULTILINE)
"""What tells a wrapper from the TOML files of other programs, without parsing it, which takes much longer."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


@takes(RENDERING, FETCHING)
def connect(catalog: Given = ".", *, render: bool | None = None, **options: Unpack[RenderOptions]) -> Connection:
    """Connect to a catalog, to query it in SQL.

    catalog: a folder of wrapper files, or files and wrappers one by one; `factbook.toml` is the table `factbook`.
    render: pages are rendered where the wrapper says so, or with `render` all or none.

    >>> import webquarry as wq
    >>> connection = wq.connect([])
    >>> connection.register("towns", {"name": ["Ash", "Elm"]})
    >>> connection.sql("SELECT count(*) AS towns FROM towns").table.to_pylist()
    [{'towns': 2}]
    """
    return Connection(catalog, render=render, **options)


class Connection:
    """Answers queries; the files of its catalog are looked up again for each query."""

    def __init__(self, catalog: Given = ".", *, render: bool | None = None, **options: Unpack[RenderOptions]) -> None:
        self._given: list[str | Path | Wrapper] = require_parts("connect", catalog, str, Path, Wrapper)
        find_parts(self._given)  # raises now for files that are missing
        fetching, self._rendering = split_options(options)
        self._policy = Policy(**fetching)
        self._render = render
        self._tables: dict[str, pa.Table] = {}
        self._wrappers: dict[Path, tuple[tuple[int, int] | None, Wrapper]] = {}

    def sql(
        self,
        query: str,
        *,
        max_pages: int | None = None,
        strict: bool = False,
        progress: Progress | None = None,
        reads_files: bool = True,
    ) -> Answer:
        """Answer a query from as few pages as it can need.

        Raises when it needs more pages than `max_pages`.  Pages that fail are listed in the answer; with `strict` the
        first of them raises.  `progress` is called with the number of pages done, and of those planned so far.
        Without `reads_files` the query must not name files; for queries of untrusted users.
        """
        require("sql", query, str, "write a SELECT, or SHOW TABLES")
        with self._open() as catalog:
            return query_run.answer(
                catalog, query, max_pages=max_pages, strict=strict, progress=progress, reads_files=reads_files
            )

    @contextmanager
    def open_source(self, name: str) -> Iterator[SourceTable]:
        """Open a source as a table, for callers that read its pages themselves."""
        with self._open() as catalog:
            yield catalog.sources[name]

    def explain(self, query: str) -> Plan:
        """Plan what a query would fetch and read."""
        require("explain", query, str, "write a SELECT")
        with self._open() as catalog:
            return query_run.explain(catalog, query)

    def register(self, name: str, table: pa.Table | pd.DataFrame) -> None:
        """Name a table in memory; queries prefer it to all others of this name."""
        self._tables = {each: kept for each, kept in self._tables.items() if each.lower() != name.lower()}
        is_frame = not isinstance(table, pa.Table) and hasattr(table, "to_records")
        self._tables[name] = pa.Table.from_pandas(table, preserve_index=False) if is_frame else pa.table(table)

    @contextmanager
    def _open(self) -> Iterator[Catalog]:
        """Open the catalog for one query."""
        parts = find_parts(self._given)
        registered = {name.lower() for name in self._tables}

        def lazily(named: Mapping[str, Part], load: Callable[[str, Part], T]) -> Lazy[T]:
            return Lazy({name: part for name, part in named.items() if name not in registered}, parts.hidden, load)

        names = _find_names(parts)
        with PageSupply(self._policy, **self._rendering) as supply:
            yield Catalog(
                sources=lazily(parts.wrappers, partial(self._open_renamed, supply, names)),
                views=lazily(parts.views, lambda _, part: read_text(Path(str(part))).strip().removesuffix(";")),
                files=lazily(parts.files, lambda _, part: str(part)),
                databases={name: str(part) for name, part in parts.databases.items()},
                tables=dict(self._tables),
            )

    def _open_renamed(self, supply: PageSupply, names: Names, name: str, part: Part) -> SourceTable:
        table = self._open_source(supply, name, part)
        return RenamedTable(table, names[name]) if name in names else table

    def _open_source(self, supply: PageSupply, name: str, part: Part) -> SourceTable:
        if isinstance(part, Path) and (address := find_remote(part)):
            remote = RemoteTable(name, address, self._policy)
            supply.close_later(remote.close)
            return remote
        wrapper = part if isinstance(part, Wrapper) else self._load_wrapper(part)
        is_rendered = wrapper.source.render if self._render is None else self._render
        source = replace(wrapper.source, render=is_rendered or bool(self._rendering.get("scripts")))
        supply.add_source()
        file = part if isinstance(part, Path) else None
        return WrappedTable(name, replace(wrapper, source=source), supply, file=file)

    def _load_wrapper(self, path: Path) -> Wrapper:
        """Load a wrapper, again only when its file has changed: loading takes longer than reading a page."""
        try:
            seen = path.stat()
            stamp = seen.st_mtime_ns, seen.st_size
        except OSError:
            stamp = None
        if path not in self._wrappers or self._wrappers[path][0] != stamp:
            self._wrappers[path] = stamp, load_wrapper(path)
        return self._wrappers[path][1]


@dataclass(frozen=True)
class Parts:
    """The parts of a catalog by the names of tables, which are in lower case."""

    wrappers: dict[str, Part] = field(default_factory=dict)
    views: dict[str, Part] = field(default_factory=dict)
    files: dict[str, Part] = field(default_factory=dict)
    databases: dict[str, Part] = field(default_factory=dict)
    hidden: dict[str, list[Part]] = field(default_factory=dict)
    """Parts that are ignored for another one of the same name."""


def _find_names(parts: Parts) -> Names:
    """Read the canonical names of things from the file of names, if the catalog has one."""
    file = parts.files.get(Path(NAMES_FILE).stem)
    return read_names(file, parts.wrappers) if isinstance(file, Path) and file.name.lower() == NAMES_FILE else {}


def find_parts(given: Given) -> Parts:
    """Find the parts of a catalog in a folder, or named one by one; raises for what does not exist."""
    several = [given] if isinstance(given, str | Path | Wrapper) else list(given)
    parts = Parts()
    for name, kind, part in sorted((part for each in several for part in _expand(each)), key=_rank):
        named: dict[str, Part] = getattr(parts, kind)
        taken = named if kind == "databases" else {**parts.wrappers, **parts.views, **parts.files}
        if name in taken:
            parts.hidden.setdefault(name, []).append(part)
        else:
            named[name] = part
    return parts


def _expand(named: str | Path | Wrapper) -> Iterator[tuple[str, str, Part]]:
    """Yield the name, the kind and the place of each part."""
    if isinstance(named, Wrapper):
        yield snake_case(named.source.name), "wrappers", named
        return
    if not isinstance(named, str | Path):
        raise TypeError(f"a catalog is made of folders, files and wrappers, not of a {type(named).__name__}")
    path = Path(named)
    if not path.is_dir():
        if not path.is_file():
            raise InputError(f"{path}: no such folder or file; a catalog is a folder of wrapper files")
        if path.suffix.lower() not in _KINDS:
            raise InputError(f"{path}: this cannot be a table; a catalog has files that end in {', '.join(_KINDS)}")
        paths, folders = [path], []
    else:
        try:
            if (path / _BATCH).is_file():
                yield snake_case(path.resolve().name), "files", path
                return
            inside = sorted(path.iterdir())
            paths = [each for each in inside if each.suffix.lower() in _KINDS and _is_part(each)]
            folders = [each for each in inside if each.is_dir() and _is_part_folder(each)]
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    for path in paths:
        yield snake_case(path.stem), _KINDS[path.suffix.lower()], path
    for path in folders:
        yield snake_case(path.name), "files", path


def _is_part_folder(path: Path) -> bool:
    """Tell whether a folder is a table: one of Parquet files, as `quarry batch` writes them."""
    if path.name.startswith("."):
        return False
    try:
        return (path / _BATCH).is_file() or next(path.glob("*.parquet"), None) is not None
    except OSError:
        return False


def _is_part(path: Path) -> bool:
    """Tell whether a file in the folder of a catalog is part of it; a wrapper with mistakes is."""
    if path.name.startswith(".") or not path.is_file():
        return False
    try:
        return path.suffix.lower() != ".toml" or _SOURCE_TABLE.search(path.read_bytes()) is not None
    except OSError:
        return True  # reported when a query names it


def _rank(found: tuple[str, str, Part]) -> int:
    _, _, part = found
    if not isinstance(part, Path):
        return 0
    return list(_KINDS).index(part.suffix.lower()) if part.suffix.lower() in _KINDS else len(_KINDS)


class Lazy(Mapping[str, T]):
    """Loads parts of a catalog when they are asked for, and warns if others of the same name are ignored."""

    def __init__(
        self, parts: Mapping[str, Part], hidden: Mapping[str, Iterable[Part]], load: Callable[[str, Part], T]
    ) -> None:
        self._parts, self._hidden, self._load = parts, hidden, load
        self._loaded: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            part = self._parts[name]
            if name in self._hidden:
                others = list_names([_describe(each) for each in self._hidden[name]])
                _log.warning("using %s for %s; ignoring %s with the same name", _describe(part), name, others)
            self._loaded[name] = self._load(name, part)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


def _describe(part: Part) -> str:
    return f"the wrapper {part.source.name}" if isinstance(part, Wrapper) else str(part)


NAMES_FILE = "names.csv"
HEADER = ("source", "name", "canonical")

Names = dict[str, dict[str, dict[str, str]]]
"""By source and column, empty for the key, the canonical names of things by those that pages have."""


def read_names(path: Path, sources: Iterable[str]) -> Names:
    """Read the names of a catalog with these sources; none if the file has other columns than names have."""
    try:
        rows = list(parse_rows(path.read_bytes(), str(path)))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    if not rows or {name.strip().lower() for name in rows[0]} != set(HEADER):
        return {}
    known = {name.lower(): name for name in sources}
    names: Names = {}
    for row in rows:
        cells = {name.strip().lower(): (text or "").strip() for name, text in row.items()}
        if not all(cells.values()):
            raise InputError(f"{path}: a row lacks its {' or '.join(HEADER)}: {list_names(list(cells.values()))}")
        source, _, column = cells["source"].lower().partition(".")
        if source not in known:
            near = get_close_matches(source, known, 1) or list(known)[:5]
            raise InputError(f"{path}: the catalog has no source {source!r}; the nearest are {list_names(near)}")
        given = names.setdefault(known[source], {}).setdefault(column, {})
        if given.setdefault(cells["name"], cells["canonical"]) != cells["canonical"]:
            raise InputError(
                f"{path}: {cells['name']!r} of {cells['source']} is both {given[cells['name']]!r} and "
                f"{cells['canonical']!r}; keep one of these rows"
            )
    return names


class RenamedTable:
    """A source whose things have canonical names (a `webquarry.querying.query_nouns.SourceTable`)."""

    def __init__(self, table: SourceTable, names: Mapping[str, Mapping[str, str]]) -> None:
        """`names` are canonical names by column, which is empty for the key."""
        self._table = table
        self.name, self.schema, self.key = table.name, table.schema, table.key
        self.is_listed, self.index_pages = table.is_listed, table.index_pages
        self.is_row_a_page, self.is_rendered = table.is_row_a_page, table.is_rendered
        self._keys = key_names(table.key)
        self._names = {self._find_column(column): dict(given) for column, given in names.items()}
        self._back = {
            column: {canonical: name for name, canonical in reversed(given.items())}
            for column, given in self._names.items()
        }

    def _find_column(self, column: str) -> str:
        if not column and len(self._keys) == 1:
            return self._keys[0]
        texts = [field.name for field in self.schema if pa.types.is_string(field.type)]
        found: str | None = next((name for name in texts if name.lower() == column), None)
        if found is None:
            what = f"no column {column!r} of texts" if column else "no single key"
            raise InputError(
                f"{NAMES_FILE}: {self.name} has {what}; write {self.name}.COLUMN with one of {list_names(texts)}"
            )
        return found

    @property
    def example(self) -> str:
        """A key, if one is known without fetching from the web; else empty."""
        return self._translate(self._table.example, self._names) if self._table.example else ""

    def index(self) -> Mapping[str, str]:
        """List the addresses of the source's pages by their canonical keys."""
        index: dict[str, str] = {}
        for key, address in self._listed.items():
            canonical = self._translate(key, self._names)
            if index.setdefault(canonical, address) != address:
                raise InputError(
                    f"{NAMES_FILE}: {self.name} has two pages that would both be {canonical!r}; "
                    f"leave out the row of one of them, such as {key!r}"
                )
        return index

    def sections(self, columns: Sequence[ColumnPath]) -> list[str]:
        """List the outermost sections that are read for these columns, as dotted paths."""
        return self._table.sections(columns)

    def read(self, keys: Sequence[str], columns: Sequence[ColumnPath], progress: Callable[[], None]) -> Reading:
        """Read the rows of the pages with these canonical keys."""
        reading = self._table.read([self._original(key) for key in keys], columns, progress)
        rows = reading.rows
        for column, given in self._names.items():
            texts = [given.get(text, text) for text in rows[column].to_pylist()]
            rows = rows.set_column(rows.schema.get_field_index(column), column, pa.array(texts, pa.string()))
        return replace(reading, rows=rows)

    def _original(self, key: str) -> str:
        if not self.is_listed:
            return self._translate(key, self._back)
        return self._originals.get(key, key)

    @cached_property
    def _listed(self) -> Mapping[str, str]:
        return self._table.index()

    @cached_property
    def _originals(self) -> dict[str, str]:
        return {self._translate(key, self._names): key for key in self._listed}

    def _translate(self, key: str, names: Mapping[str, Mapping[str, str]]) -> str:
        """Translate each part of a key."""
        if not self._keys:
            return key
        parts = zip(self._keys, split_key(key), strict=True)
        return join_key(names.get(column, {}).get(part, part) for column, part in parts)
