"""Parse the one SELECT that a query may be, and find the files and databases that it reads besides sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import duckdb
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, SqlglotError, TokenError
from sqlglot.tokenizer_core import Token

from webquarry.errors import QueryError
from webquarry.querying.query_nouns import Catalog

DIALECT = "duckdb"
_FIRST_WORDS = frozenset(["SELECT", "WITH", "FROM", "VALUES", "("])
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
_WILDCARDS = frozenset("*?[")
_FILE_FUNCTIONS = ("read_", "parquet_")
"""Prefixes of functions whose texts are names of files."""


@dataclass(frozen=True)
class ShowTables:
    """`SHOW TABLES`: list the tables of the catalog."""


@dataclass(frozen=True)
class Describe:
    """`DESCRIBE name`, or `DESCRIBE SELECT ...`: list the columns."""

    name: str
    """Of a table; empty for a query."""
    query: str


Statement = exp.Query | exp.Values | ShowTables | Describe


def parse(query: str) -> Statement:
    """Parse a query; raises `QueryError` unless it is one SELECT, SHOW TABLES or DESCRIBE."""
    tokens = _tokenize(query)
    first = tokens[0].text.upper()
    if first in ("SHOW", "DESCRIBE", "DESC"):
        return _parse_description(query)
    if first not in _FIRST_WORDS:
        advice = f"; {_ADVICE[first]}" if first in _ADVICE else ""
        raise QueryError(f"{first} is not supported: a query is one SELECT (or SHOW TABLES, or DESCRIBE NAME){advice}")
    tree = _parse_tokens(tokens, query)
    if not isinstance(tree, (exp.Query, exp.Values)):
        raise QueryError("a query must be one SELECT; this is something else")
    return tree


def parse_view(text: str, name: str) -> exp.Query:
    """Parse the SELECT of a view."""
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
        raise QueryError(_find_mistake(query) or f"the query cannot be parsed: {error}") from error
    if not tokens:
        raise QueryError("the query is empty; try SHOW TABLES")
    return tokens


def _parse_tokens(tokens: list[Token], query: str) -> exp.Expr:
    try:
        parsed = _dialect().parser().parse(tokens, query)
    except ParseError as error:
        raise QueryError(_find_mistake(query) or f"the query cannot be parsed: {_describe(error)}") from error
    except (SqlglotError, RecursionError) as error:
        raise QueryError(f"the query cannot be parsed: {error or 'it is nested too deeply'}") from error
    statements = [each for each in parsed if each is not None and not isinstance(each, exp.Semicolon)]
    if len(statements) != 1:
        raise QueryError(f"a query must be one statement, not {len(statements)}; ask them one by one")
    for node in list(statements[0].find_all(exp.DataType)):
        if not isinstance(node.parent, exp.DataType) and (name := _name_of_type(node)) is not None:
            node.replace(name)
    return statements[0]


def _name_of_type(node: exp.Expr) -> exp.Expr | None:
    """Return the name that the parser took for a type: geography['area'], as there is a type GEOGRAPHY; else None."""
    path: list[exp.Expr] = []
    while isinstance(node, exp.DataType) and (inside := node.args.get("values")):
        if not (isinstance(inside[0], exp.Literal) and inside[0].is_string):
            return None
        path.append(inside[0])
        node = node.expressions[0]
    if not path or not isinstance(node, exp.DataType) or not isinstance(node.this, exp.DType):
        return None
    name: exp.Expr = exp.column(node.this.value.lower())
    for key in reversed(path):
        name = exp.Bracket(this=name, expressions=[key])
    return name


@cache
def _dialect() -> Dialect:
    return Dialect.get_or_raise(DIALECT)


def _parse_description(query: str) -> Statement:
    words = query.strip().rstrip(";").split(None, 1)
    rest = words[1].strip() if len(words) > 1 else ""
    if rest.upper() in ("TABLES", "ALL TABLES") or not rest:
        return ShowTables()
    words[0] = words[0].upper()
    if words[0] != "SHOW" and _tokenize(rest)[0].text.upper() in _FIRST_WORDS:
        return Describe("", rest)
    name = rest[len("TABLE ") :].strip() if rest.upper().startswith("TABLE ") else rest
    if words[0] == "SHOW" or any(mark in name for mark in " (;,"):
        raise QueryError(f"{words[0]} {rest} is not supported; use SHOW TABLES or DESCRIBE NAME")
    return Describe(name.strip('"').lower(), f"SELECT * FROM {name}")


def _find_mistake(query: str) -> str | None:
    """Return DuckDB's message, which its users know; None when DuckDB can parse the text."""
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


@dataclass
class Reach:
    """What DuckDB may read for a query, besides sources."""

    files: dict[str, str] = field(default_factory=dict)
    """Files of the catalog, by the names of their tables."""
    databases: dict[str, str] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    """Names of tables in memory."""
    paths: list[str] = field(default_factory=list)
    """Files that the query itself names."""
    folders: list[str] = field(default_factory=list)
    """Folders of files that it names by a pattern."""


def find_reach(tree: exp.Expr, catalog: Catalog) -> Reach:
    """Find what DuckDB may read; raises `QueryError` for addresses that are not local."""
    reach = Reach()
    for node in _find_tables(tree, catalog.views, set()):
        if isinstance(node.this, exp.Identifier):
            _add_name(node, catalog, reach)
            continue
        for argument in node.this.iter_expressions():  # only files named by literals; computed names are not allowed
            texts = argument.expressions if isinstance(argument, exp.Array) else [argument]
            for text in texts:
                if isinstance(text, exp.Literal) and text.is_string:
                    _add_path(text.this, reach, must_exist=node.name.lower().startswith(_FILE_FUNCTIONS))
    return reach


def _find_tables(tree: exp.Expr, views: Mapping[str, str], seen: set[str]) -> Iterator[exp.Table]:
    for node in tree.find_all(exp.Table):
        yield node
        name = node.name.lower()
        if name in views and name not in seen:
            seen.add(name)
            yield from _find_tables(parse_view(views[name], name), views, seen)


def _add_name(node: exp.Table, catalog: Catalog, reach: Reach) -> None:
    name, database = node.name.lower(), (node.catalog or node.db).lower()
    if database:
        if database in catalog.databases:
            reach.databases[database] = catalog.databases[database]
        return
    table = next((each for each in catalog.tables if each.lower() == name), None)
    if table is not None:
        reach.tables.append(table)
    elif name in catalog.files and name not in catalog.sources:
        reach.files[name] = catalog.files[name]
    elif any(mark in name for mark in "./\\:"):
        _add_path(node.name, reach, must_exist=True)


def _add_path(named: str, reach: Reach, *, must_exist: bool) -> None:
    if "://" in named:
        raise QueryError(
            f"{named}: a query reads sources of its catalog and local files; download the file, or wrap the page"
        )
    if _WILDCARDS & set(named):
        start = min(named.index(mark) for mark in _WILDCARDS if mark in named)
        reach.folders.append(str(Path(named[:start] + "x").resolve().parent))
        return
    path = Path(named)
    if must_exist and not path.exists():
        raise QueryError(f"{named}: no such file, and no table of this name (SHOW TABLES lists all)")
    reach.paths.append(str(path.resolve()))
