"""What a query reaches beside sources: the files and databases that it names, which must be local."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sqlglot import exp

from webquarry.errors import QueryError
from webquarry.querying.catalog import Catalog
from webquarry.querying.parsing.statements import parse_view

_WILD = frozenset("*?[")
_READING = ("read_", "parquet_")
"""How functions begin whose texts are names of files."""


@dataclass
class Reach:
    """What DuckDB may read for a query."""

    files: dict[str, str] = field(default_factory=dict)
    """Files of the catalog, by the names of their tables."""
    databases: dict[str, str] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    """Names of tables at hand."""
    paths: list[str] = field(default_factory=list)
    """Files that the query itself names."""
    folders: list[str] = field(default_factory=list)
    """Folders in which it names files by a pattern."""


def find_reach(tree: exp.Expr, catalog: Catalog) -> Reach:
    """What DuckDB may read; raises `QueryError` for what is not local."""
    reach = Reach()
    for node in _tables(tree, catalog.views, set()):
        if isinstance(node.this, exp.Identifier):
            _add_name(node, catalog, reach)
        else:
            for path in _paths_in(node.this):
                _add_path(path, reach, must_be=node.name.lower().startswith(_READING))
    return reach


def _paths_in(function: exp.Expr) -> Iterator[str]:
    """The files that a function in a FROM names outright: what is put together of parts is not read."""
    for argument in function.iter_expressions():
        texts = argument.expressions if isinstance(argument, exp.Array) else [argument]
        yield from (each.this for each in texts if isinstance(each, exp.Literal) and each.is_string)


def _tables(tree: exp.Expr, views: Mapping[str, str], seen: set[str]) -> Iterator[exp.Table]:
    for node in tree.find_all(exp.Table):
        yield node
        view = find_name(views, node.name)
        if view is not None and view not in seen:
            seen.add(view)
            yield from _tables(parse_view(views[view], view), views, seen)


def _add_name(node: exp.Table, catalog: Catalog, reach: Reach) -> None:
    first = node.catalog or node.db
    if first:
        database = find_name(catalog.databases, first)
        if database is not None:
            reach.databases[database] = catalog.databases[database]
        return
    file, table = find_name(catalog.files, node.name), find_name(catalog.tables, node.name)
    if table is not None:
        reach.tables.append(table)
    elif file is not None and find_name(catalog.sources, node.name) is None:
        reach.files[file] = catalog.files[file]
    elif any(mark in node.name for mark in "./\\:"):
        _add_path(node.name, reach, must_be=True)


def _add_path(named: str, reach: Reach, *, must_be: bool) -> None:
    if "://" in named:
        raise QueryError(
            f"{named}: a query reads sources of its catalog and local files; download the file, or wrap the page"
        )
    if _WILD & set(named):
        start = min(named.index(mark) for mark in _WILD if mark in named)
        reach.folders.append(str(Path(named[:start] + "x").resolve().parent))
        return
    path = Path(named)
    if must_be and not path.exists():
        raise QueryError(f"{named}: there is no such file, and no table of this name (SHOW TABLES lists all)")
    reach.paths.append(str(path.resolve()))


def find_name(names: Iterable[str], wanted: str) -> str | None:
    """The name as it is written there, whatever its case here."""
    if isinstance(names, Mapping) and wanted in names:
        return wanted
    return next((name for name in names if name.lower() == wanted.lower()), None)
