"""The one SELECT that a query may be, and words for all else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import duckdb
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, SqlglotError, TokenError
from sqlglot.tokenizer_core import Token

from webquarry.errors import QueryError
from webquarry.querying.catalog import Catalog

DIALECT = "duckdb"
_BEGINNINGS = frozenset(["SELECT", "WITH", "FROM", "VALUES", "("])
_ADVICE = {
    "EXPLAIN": "use --explain, or Connection.explain",
    "SUMMARIZE": "ask for what you want to know, such as count(*), min and max, in a SELECT",
    "PIVOT": "write it in the FROM of a SELECT",
    "UNPIVOT": "write it in the FROM of a SELECT",
    "ATTACH": "put the .duckdb file into the folder of the catalog; its tables are then NAME.TABLE",
    "COPY": "name a file for the answer with -o",
    "CREATE": "save the answer with -o data.duckdb --table NAME; a view is a file NAME.sql in the catalog",
    "INSERT": "save the answer with -o data.duckdb --table NAME",
}


@dataclass(frozen=True)
class ShowTables:
    """`SHOW TABLES`: what there is to query."""


@dataclass(frozen=True)
class Describe:
    """`DESCRIBE name`, or `DESCRIBE SELECT ...`: what the columns are."""

    name: str
    """Of a table; nothing when it is a query."""
    query: str


Statement = exp.Query | exp.Values | ShowTables | Describe


def parse(query: str) -> Statement:
    """What the query asks; raises `QueryError` unless it is one SELECT, SHOW TABLES or DESCRIBE."""
    tokens = _tokenize(query)
    begins = tokens[0].text.upper()
    if begins in ("SHOW", "DESCRIBE", "DESC"):
        return _parse_about(query)
    if begins not in _BEGINNINGS:
        advice = f"; {_ADVICE[begins]}" if begins in _ADVICE else ""
        raise QueryError(f"{begins} is not done here: a query is one SELECT (or SHOW TABLES, or DESCRIBE NAME){advice}")
    tree = _parse_tokens(tokens, query)
    if not isinstance(tree, (exp.Query, exp.Values)):
        raise QueryError("a query is one SELECT; this is something else")
    return tree


def parse_view(text: str, name: str) -> exp.Query:
    """The SELECT of a view."""
    try:
        tree = _parse_tokens(_tokenize(text), text)
    except QueryError as error:
        raise QueryError(f"the view {name}: {error}") from error
    if not isinstance(tree, exp.Query):
        raise QueryError(f"the view {name} must be one SELECT")
    return tree


def _tokenize(query: str) -> list[Token]:
    try:
        tokens = _dialect().tokenize(query)
    except TokenError as error:
        raise QueryError(_find_mistake(query) or f"the query cannot be read: {error}") from error
    if not tokens:
        raise QueryError("the query is empty; try SHOW TABLES")
    return tokens


def _parse_tokens(tokens: list[Token], query: str) -> exp.Expr:
    """The tree of the only statement that the text holds."""
    try:
        parsed = _dialect().parser().parse(tokens, query)
    except ParseError as error:
        raise QueryError(_find_mistake(query) or f"the query cannot be read: {_describe(error)}") from error
    except (SqlglotError, RecursionError) as error:
        raise QueryError(f"the query cannot be read: {error or 'it is nested too deeply'}") from error
    statements = [each for each in parsed if each is not None and not isinstance(each, exp.Semicolon)]
    if len(statements) != 1:
        raise QueryError(f"a query is one statement, and here are {len(statements)}; ask them one by one")
    return statements[0]


@cache
def _dialect() -> Dialect:
    return Dialect.get_or_raise(DIALECT)


def _parse_about(query: str) -> Statement:
    words = query.strip().rstrip(";").split(None, 1)
    rest = words[1].strip() if len(words) > 1 else ""
    if rest.upper() in ("TABLES", "ALL TABLES") or not rest:
        return ShowTables()
    words[0] = words[0].upper()
    if words[0] != "SHOW" and _tokenize(rest)[0].text.upper() in _BEGINNINGS:
        return Describe("", rest)
    name = rest[len("TABLE ") :].strip() if rest.upper().startswith("TABLE ") else rest
    if words[0] == "SHOW" or any(mark in name for mark in " (;,"):
        raise QueryError(f"{words[0]} {rest}: there are SHOW TABLES and DESCRIBE NAME")
    return Describe(name.strip('"').lower(), f"SELECT * FROM {name}")


def _find_mistake(query: str) -> str | None:
    """What DuckDB says of the text, in words that its users know; None when it can read it."""
    try:
        duckdb.extract_statements(query)
    except duckdb.Error as error:
        return str(error).strip()
    return None


def _describe(error: ParseError) -> str:
    if not error.errors:
        return str(error)
    first = error.errors[0]
    near = (first.get("highlight") or "").strip()
    place = f"line {first.get('line')}, column {first.get('col')}"
    return f"{str(first.get('description') or error).rstrip('.')} at {place}" + (f", near {near!r}" if near else "")


# MERGED querying/parsing/guarding: What a query reaches beside sources: the files and databases that it name
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
