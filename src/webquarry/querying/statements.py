"""The one SELECT that a query may be, and words for all else."""

from __future__ import annotations

from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError, TokenError

from webquarry.errors import QueryError

DIALECT = "duckdb"
_BEGINNINGS = frozenset(["SELECT", "WITH", "FROM", "VALUES", "TABLE", "("])
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
    begins = _first_word(query)
    if begins in ("SHOW", "DESCRIBE", "DESC"):
        return _parse_about(query)
    if begins not in _BEGINNINGS:
        advice = f"; {_ADVICE[begins]}" if begins in _ADVICE else ""
        raise QueryError(f"{begins} is not done here: a query is one SELECT (or SHOW TABLES, or DESCRIBE NAME){advice}")
    tree = parse_one(query)
    if not isinstance(tree, (exp.Query, exp.Values)):
        raise QueryError("a query is one SELECT; this is something else")
    return tree


def parse_one(query: str) -> exp.Expr:
    """The tree of the only statement that the text holds."""
    try:
        statements = [each for each in sqlglot.parse(query, dialect=DIALECT) if each is not None]
    except ParseError as error:
        raise QueryError(f"the query cannot be read: {_describe(error)}") from error
    except (SqlglotError, RecursionError) as error:
        raise QueryError(f"the query cannot be read: {error or 'it is nested too deeply'}") from error
    if len(statements) != 1:
        raise QueryError(f"a query is one statement, and here are {len(statements)}; ask them one by one")
    statement: exp.Expr = statements[0]
    return statement


def _first_word(query: str) -> str:
    try:
        tokens = sqlglot.tokenize(query, dialect=DIALECT)
    except TokenError as error:
        raise QueryError(f"the query cannot be read: {error}") from error
    if not tokens:
        raise QueryError("the query is empty; try SHOW TABLES")
    return tokens[0].text.upper()


def _parse_about(query: str) -> Statement:
    words = query.strip().rstrip(";").split(None, 1)
    rest = words[1].strip() if len(words) > 1 else ""
    if rest.upper() in ("TABLES", "ALL TABLES") or not rest:
        return ShowTables()
    words[0] = words[0].upper()
    if words[0] != "SHOW" and _first_word(rest) in _BEGINNINGS - {"TABLE"}:
        return Describe("", rest)
    name = rest[len("TABLE ") :].strip() if rest.upper().startswith("TABLE ") else rest
    if words[0] == "SHOW" or any(mark in name for mark in " (;,"):
        raise QueryError(f"{words[0]} {rest}: there are SHOW TABLES and DESCRIBE NAME")
    return Describe(name.strip('"').lower(), f"SELECT * FROM {name}")


def _describe(error: ParseError) -> str:
    if not error.errors:
        return str(error)
    first = error.errors[0]
    near = (first.get("highlight") or "").strip()
    place = f"line {first.get('line')}, column {first.get('col')}"
    return f"{str(first.get('description') or error).rstrip('.')} at {place}" + (f", near {near!r}" if near else "")
