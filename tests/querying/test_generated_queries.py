"""Whatever is asked, the answer is what DuckDB gives when all pages are read beforehand, and no page is read twice.

Queries are written by a `Writer`, which draws each choice; the first choice is the plainest, so that a query that fails
shrinks to one that can be read.  `WEBQUARRY_QUERIES=5000` asks for that many, drawn anew in each run.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, event, given, settings, strategies as st

from webquarry.errors import QueryError
from webquarry.querying.query_run import answer

Rows = Callable[[pa.Table], Counter[str]]
FEW = 70
WANTED = int(os.environ.get("WEBQUARRY_QUERIES", "0"))
bounded = settings(
    deadline=None,
    derandomize=not WANTED,
    max_examples=WANTED or FEW,
    database=None,
    suppress_health_check=list(HealthCheck),
)
LEAST_ANSWERED = 0.6
"""Of all queries: the others are refused by DuckDB too, or do not bind the keys of sources that must be told."""


@dataclass(frozen=True)
class Column:
    """An expression in reach, and what it can be compared with."""

    sql: str
    kind: str = "text"
    domain: str = "word"
    is_exact: bool = True
    """Whether its name is that of a column, so that USING can name it."""

    @property
    def name(self) -> str:
        return self.sql.rpartition(".")[2]


@dataclass(frozen=True)
class Relation:
    """A part of FROM, the columns that it has, and the key that it needs."""

    sql: str
    columns: tuple[Column, ...]
    required: tuple[str, ...] = ()


@dataclass(frozen=True)
class Query:
    """A query, its columns, and how many rows it may leave out."""

    sql: str
    columns: tuple[Column, ...]
    is_open: bool = False
    """Whether LIMIT can be written after it."""
    limit: int | None = None
    offset: int = 0


COUNTRY, CITY, NUMBER = ("text", "country"), ("text", "city"), ("number", "number")
WORD, STRUCT, YEAR = ("text", "word"), ("struct", "struct"), ("text", "year")
TABLES = {
    "book": {
        "country": COUNTRY,
        "government.capital": CITY,
        "geography.area.total": NUMBER,
        "geography.location": WORD,
        "geography.neighbour": COUNTRY,
        "people.population": NUMBER,
        "geography": STRUCT,
        "geography.area": STRUCT,
        "_page": WORD,
    },
    "groups": {"country": COUNTRY, "grp": WORD, "since": NUMBER},
    "prices": {"market": CITY, "item": WORD, "cost.amount": NUMBER, "country": COUNTRY, "cost": STRUCT, "_page": WORD},
    "cities": {
        "city": CITY,
        "country": COUNTRY,
        "site.river": WORD,
        "site.elevation": NUMBER,
        "twin": CITY,
        "site": STRUCT,
    },
    "census": {"year": YEAR, "country": COUNTRY, "heads": NUMBER, "note": WORD, "_page": WORD},
    "fares": {"origin": CITY, "target": CITY, "price": NUMBER, "carrier": COUNTRY},
    "rates": {"country": COUNTRY, "rate": NUMBER},
    "codes": {"country": COUNTRY, "code": WORD},
    "members": {"country": COUNTRY, "grp": WORD, "area": NUMBER},
    "europe": {"country": COUNTRY, "geography.area.total": NUMBER, "government.capital": CITY, "geography": STRUCT},
    "capitals": {"country": COUNTRY, "city": CITY},
}
REQUIRED = {"cities": ("city",), "fares": ("origin", "target")}
CONSTANTS = {
    "country": (
        "'France'",
        "'Fiji'",
        "'日本'",
        "'Côte d''Ivoire'",
        "'Atlantis'",
        "'NULL'",
        "'france'",
        "'Say \"Hi\"'",
        "'Andorra'",
    ),
    "city": ("'Paris'", "'Suva'", "'東京'", "'O''Higgins'", "'Nowhere'", "'Closed'"),
    "word": ("'EU'", "'Europe'", "'bread'", "''", "'UN'", "'Seine'"),
    "year": ("'1990'", "'2000'", "'2010'"),
    "number": ("0", "468", "2.5", "1975", "35", "100000", "NULL"),
}
PATTERNS = ("'F%'", "'%a%'", "'_a%'", "'%'", "''", "'日%'", "'%''%'")
JOINS = ("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "SEMI JOIN", "ANTI JOIN", "INNER JOIN", "LEFT OUTER JOIN")
ONE_SIDED = {"SEMI JOIN", "ANTI JOIN"}
SET_OPERATIONS = ("UNION ALL", "UNION", "INTERSECT", "EXCEPT", "EXCEPT ALL", "INTERSECT ALL", "UNION ALL BY NAME")
NAMES = ("a", "b", "c", "d", "e")
SHADOWING = ("country", "city", "capital", "market", "book")
DEEPEST = 2


@dataclass
class Writer:
    """Writes one query, drawing each choice."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    common: list[Relation] = field(default_factory=list)
    """Tables of WITH in reach."""
    aliases: int = 0

    def pick(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(list(options)))

    def number(self, most: int, least: int = 0) -> int:
        return int(self.draw(st.integers(least, most)))

    def chance(self, one_of: int) -> bool:
        return self.number(one_of - 1) == one_of - 1

    def alias(self) -> str:
        self.aliases += 1
        return f"t{self.aliases}"

    # Parts of FROM

    def relation(self, depth: int, outer: Sequence[Column] = ()) -> Relation:
        kinds = ["table"] * 8 + (["common"] * 4 if self.common else []) + ["derived"] * (2 if depth else 0) + ["values"]
        match self.pick(kinds):
            case "derived":
                return self.derived(depth - 1, outer)
            case "common":
                chosen = self.pick(self.common)
                return self.named(chosen.sql, {column.sql: (column.kind, column.domain) for column in chosen.columns})
            case "values":
                alias = self.alias()
                rows = ", ".join(f"({text})" for text in self.constants("country", 4))
                return Relation(f"(VALUES {rows}) {alias}(country)", (Column(f"{alias}.country", *COUNTRY),))
        hidden = {relation.sql for relation in self.common}
        name = self.pick([name for name in (*["book"] * 4, *TABLES) if name not in hidden])
        return self.named(name, TABLES[name])

    def named(self, name: str, columns: dict[str, tuple[str, str]]) -> Relation:
        shape = self.number(9)
        alias = (
            self.pick(("book", "cities", "groups", "country")) if shape == 9 and name not in TABLES else self.alias()
        )
        text = f"{name} AS {alias}" if shape % 2 else f"{name} {alias}"
        if self.chance(25):
            text = f"{name} {alias} TABLESAMPLE 100 PERCENT (bernoulli)"
        if self.chance(15):
            text = f"(FROM {name}) {alias}"
        own = tuple(
            Column(f"{alias}.{path}", kind, domain, "." not in path) for path, (kind, domain) in columns.items()
        )
        return Relation(text, own, tuple(f"{alias}.{key}" for key in REQUIRED.get(name, ())))

    def derived(self, depth: int, outer: Sequence[Column]) -> Relation:
        is_lateral = bool(outer) and self.chance(2)
        query = self.query(depth, outer if is_lateral else ())
        alias = self.alias()
        columns = tuple(replace(column, sql=f"{alias}.{column.sql}") for column in query.columns)
        return Relation(f"{'LATERAL ' if is_lateral else ''}({query.sql}) {alias}", columns)

    def from_clause(self, depth: int, outer: Sequence[Column]) -> tuple[str, list[Column], list[str]]:
        """The text of FROM, the columns in reach, and conditions that belong in WHERE."""
        first = self.relation(depth)
        text, columns, conditions = first.sql, list(first.columns), []
        required = list(first.required)
        for _ in range(self.number(2) if depth else self.number(1)):
            other = self.relation(depth, columns)
            text, conditions = self.join(text, columns, other, conditions, depth)
            if not text.endswith(" "):
                columns += other.columns
            text = text.strip()
            if required and self.chance(2):
                cities = [column.sql for column in other.columns if column.domain == "city" and column in columns]
                conditions += [f"{required.pop()} = {self.pick(cities)}"] if cities else []
        conditions += [f"{key} IN ({', '.join(self.constants('city', 2))})" for key in required]
        return text, columns, conditions

    def join(
        self, text: str, columns: list[Column], other: Relation, conditions: list[str], depth: int
    ) -> tuple[str, list[str]]:
        """FROM with one more relation; a blank at its end tells that its columns are not in reach."""
        if other.required:
            cities = [each.sql for each in columns if each.domain == "city"] or CONSTANTS["city"]
            pairs = [" AND ".join(f"{key} = {self.pick(cities)}" for key in other.required)]
        else:
            pairs = [
                f"{left.sql} {self.pick(('=', '=', '=', '<=>', '<>'))} {right.sql}".replace(
                    "<=>", "IS NOT DISTINCT FROM"
                )
                for left in columns
                for right in other.columns
                if left.domain == right.domain and left.kind != "struct"
            ][:6] or ["TRUE"]
        shared = sorted({c.name for c in columns if c.is_exact} & {c.name for c in other.columns if c.is_exact})
        unique = [name for name in shared if [c.name for c in columns].count(name) == 1 and name != "_page"]
        style = self.pick(("on", "comma", "using", "on", "cross", "natural"))
        if other.required and style != "on":
            style = "comma"
        if style == "using" and unique:
            kind = self.pick(JOINS)
            return f"{text} {kind} {other.sql} USING ({self.pick(unique)}){' ' * (kind in ONE_SIDED)}", conditions
        if style == "comma":
            return f"{text}, {other.sql}", [*conditions, self.pick(pairs)]
        if style == "cross":
            return f"{text} CROSS JOIN {other.sql}", [*conditions, *([self.pick(pairs)] if self.chance(2) else [])]
        if style == "natural" and unique and "." not in other.sql.partition(" ")[0]:
            return f"{text} NATURAL {self.pick(JOINS[:4])} {other.sql}", conditions
        kind = self.pick(JOINS)
        condition = self.pick(pairs)
        if self.chance(3):
            reach = [*columns, *other.columns]
            condition += f" AND {self.predicate(reach, depth - 1)}"
        return f"{text} {kind} {other.sql} ON {condition}{' ' * (kind in ONE_SIDED)}", conditions

    # Expressions

    def constants(self, domain: str, most: int) -> list[str]:
        return [self.pick(CONSTANTS[domain]) for _ in range(self.number(most, 1))]

    def column(self, columns: Sequence[Column], kind: str) -> Column | None:
        fitting = [column for column in columns if column.kind == kind]
        return self.pick([*fitting[:1] * len(fitting), *fitting]) if fitting else None  # the first is the key

    def text(self, columns: Sequence[Column]) -> str:
        column = self.column(columns, "text")
        if column is None:
            return str(self.pick(CONSTANTS["country"]))
        forms = (*["{0}"] * 6, "lower({0})", "coalesce({0}, 'none')", "{0} || ''", "nullif({0}, 'France')")
        return str(self.pick(forms)).format(column.sql)

    def value(self, columns: Sequence[Column], depth: int) -> tuple[str, str, str]:
        """An expression, its kind and its domain."""
        choice = self.pick(("text", "text", "number", "number", "struct", "made", "flag", "scalar"))
        column = self.column(columns, choice) if choice in ("text", "number", "struct") else None
        if column is not None:
            return column.sql, column.kind, column.domain
        number = self.column(columns, "number")
        if choice == "made" and number is not None:
            return f"{number.sql} * 2 + 1", "number", "number"
        if choice == "flag":
            return f"({self.predicate(columns, depth - 1)})", "flag", "flag"
        if choice == "scalar" and depth > 0:
            return self.scalar(columns, depth - 1), "text", "country"
        return self.text(columns), "text", "word"

    def predicate(self, columns: Sequence[Column], depth: int, outer: Sequence[Column] = ()) -> str:
        """A condition; those that hold others go down to depth -2, and those that hold queries need a depth."""
        reach = [*columns, *outer]
        kinds = [self.on_text] * 5 + [self.on_number] * 2 + [self.on_struct, self.odd, self.comparison]
        kinds += [self.either, self.negation, self.both, self.cases] if depth > -1 else []
        kinds += [self.membership, self.existence, self.on_scalar, self.quantified] * 2 if depth > 0 else []
        return str(self.pick(kinds)(reach, depth - 1))

    def either(self, columns: Sequence[Column], depth: int) -> str:
        return f"({self.predicate(columns, depth)} OR {self.predicate(columns, depth)})"

    def both(self, columns: Sequence[Column], depth: int) -> str:
        return f"({self.predicate(columns, depth)} AND {self.predicate(columns, depth)})"

    def negation(self, columns: Sequence[Column], depth: int) -> str:
        return f"NOT ({self.predicate(columns, depth)})"

    def cases(self, columns: Sequence[Column], depth: int) -> str:
        return "CASE WHEN {} THEN {} ELSE {} END".format(*(self.predicate(columns, depth) for _ in range(3)))

    def existence(self, columns: Sequence[Column], depth: int) -> str:
        return f"{self.pick(('', 'NOT '))}EXISTS ({self.query(depth, columns).sql})"

    def on_scalar(self, columns: Sequence[Column], depth: int) -> str:
        operator = self.pick(("=", "<>", ">=", "IS DISTINCT FROM"))
        return f"{self.text(columns)} {operator} {self.scalar(columns, depth)}"

    def quantified(self, columns: Sequence[Column], depth: int) -> str:
        query = self.query(depth, columns, ("text",))
        return f"{self.text(columns)} {self.pick(('= ANY', '<> ALL', '>= ALL', '= SOME'))} ({query.sql})"

    def membership(self, columns: Sequence[Column], depth: int) -> str:
        word = self.pick(("IN", "NOT IN"))
        if self.chance(5):
            query = self.query(depth, columns, ("text", "text"))
            return f"({self.text(columns)}, {self.text(columns)}) {word} ({query.sql})"
        query = self.query(depth, columns if self.chance(3) else (), ("text",))
        return f"{self.text(columns)} {word} ({query.sql})"

    def comparison(self, columns: Sequence[Column], _: int) -> str:
        return f"{self.text(columns)} {self.pick(('=', '<>', '<', 'IS NOT DISTINCT FROM'))} {self.text(columns)}"

    def on_struct(self, columns: Sequence[Column], _: int) -> str:
        column = self.column(columns, "struct") or Column("NULL")
        return f"{column.sql} IS {self.pick(('NULL', 'NOT NULL'))}"

    def odd(self, *_: object) -> str:
        """What holds for all rows or for none, and may be computed anew for each."""
        return str(self.pick((*("TRUE", "random() >= 0", "now() IS NOT NULL") * 2, "1 = 2", "NULL", "random() < 0")))

    def on_text(self, columns: Sequence[Column], _: int) -> str:
        column = self.column(columns, "text")
        if column is None:
            return "TRUE"
        x = column.sql
        one, two = self.pick(CONSTANTS[column.domain]), self.pick(CONSTANTS[column.domain])
        forms = (
            *(f"{x} = {one}", f"{x} IN ({one}, {two})", f"{x} LIKE {self.pick(PATTERNS)}", f"{x} IS NULL"),
            *(f"{one} = {x}", f"{x} <> {one}", f"{x} >= {one}", f"{x} BETWEEN {one} AND {two}", f"{x} IS NOT NULL"),
            *(f"{x} NOT IN ({one}, {two})", f"lower({x}) = lower({one})", f"coalesce({x}, {one}) = {one}"),
            *(f"length({x}) > 4", f"starts_with({x}, 'F')", f"{x} NOT LIKE {self.pick(PATTERNS)}"),
            *(f"{x} IN ({one}, NULL)", f"{x} NOT IN ({one}, NULL)", f"{x} ILIKE 'f%'", f"({x} = {one}) IS NOT TRUE"),
            *(f"{x} < {one} OR {x} > {two}", f"{x} = {one} AND {x} = {two}", f"{x} SIMILAR TO '[FA].*'"),
        )
        chosen = str(self.pick([*forms[:4] * 5, *forms]))
        return f"({chosen})" if " OR " in chosen or " AND " in chosen else chosen

    def on_number(self, columns: Sequence[Column], _: int) -> str:
        column = self.column(columns, "number")
        if column is None:
            return "TRUE"
        forms = ("{0} > {1}", "{0} = {1}", "{0} IS NULL", "{0} IS NOT NULL", "{0} <= {1}", "coalesce({0}, 0) = 0")
        return str(self.pick(forms)).format(column.sql, self.pick(CONSTANTS["number"]))

    def scalar(self, columns: Sequence[Column], depth: int) -> str:
        """A sub-query of at most one row."""
        relation = self.relation(0)
        conditions = [f"{key} = {self.pick(CONSTANTS['city'])}" for key in relation.required]
        conditions += [self.predicate(relation.columns, depth, columns if self.chance(2) else ())]
        chosen = self.text(relation.columns)
        where = " AND ".join(conditions)
        if self.chance(3):
            return f"(SELECT {chosen} AS s FROM {relation.sql} WHERE {where} ORDER BY ALL LIMIT 1)"
        return f"(SELECT {self.pick(('max', 'min'))}({chosen}) FROM {relation.sql} WHERE {where})"

    # Small queries, with a restriction on the key that must not be passed on

    def outside(self) -> Query:
        """A condition on the key, outside a query whose rows depend on each other."""
        name, key = self.pick((("book", "country"), ("prices", "market"), ("census", "year"), ("census", "country")))
        other = self.pick([path for path, (kind, _) in TABLES[name].items() if kind == "text" and path != key])
        pair = f"SELECT {key} AS a, {other} AS b FROM {name}"
        way, length = self.pick(("", " DESC")), self.number(4, 1)
        inside = self.pick(
            (
                f"{pair} ORDER BY a{way}, b LIMIT {length}",
                f"{pair} ORDER BY b{way}, a LIMIT {length} OFFSET 1",
                f"SELECT {key} AS a, rank() OVER (ORDER BY {key}{way}) AS b FROM {name}",
                f"SELECT {key} AS a, count(*) OVER (PARTITION BY {other}) AS b FROM {name}",
                f"SELECT {key} AS a, max({key}) OVER (PARTITION BY {other} ORDER BY {key}{way}) AS b FROM {name}",
                f"SELECT DISTINCT ON (b) {key} AS a, {other} AS b FROM {name} ORDER BY b, a{way}",
                f"SELECT min({key}) AS a, {other} AS b FROM {name} GROUP BY ALL",
                f"SELECT {key} AS a, count({other}) AS b FROM {name} GROUP BY ROLLUP ({key})",
                f"{pair} UNION ALL SELECT {other}, {key} FROM {name}",
                f"{pair} EXCEPT SELECT {other}, {key} FROM {name}",
            )
        )
        columns = (Column("x.a", "text", TABLES[name][key][1]),)
        form = self.pick(("SELECT * FROM ({0}) x WHERE {1}", "WITH x AS ({0}) SELECT * FROM x WHERE {1}"))
        return Query(form.format(inside, self.on_text(columns, 0)), columns, is_open=True)

    def beside(self) -> Query:
        """Two or three tables joined by their keys, with conditions on each side."""
        tables = [
            self.named(name, TABLES[name])
            for name in ("book", self.pick(("groups", "rates", "book", "prices", "census")))
        ]
        if self.chance(2):
            tables.reverse()
        text, reach = tables[0].sql, list(tables[0].columns)
        tables += [self.named("rates", TABLES["rates"])] if self.chance(3) else []
        for table in tables[1:]:
            kind = self.pick((*JOINS[1:6], "JOIN"))
            pairs = [
                f"{left.sql} = {right.sql}"
                for left in reach
                for right in table.columns
                if left.domain == right.domain == "country"
            ]
            both = [*reach, *table.columns]
            extra = f" AND {self.predicate(both, -1)}" if self.chance(2) else ""
            text += f" {kind} {table.sql} ON {self.pick(pairs)}{extra}"
            reach = reach if kind in ONE_SIDED else both
        keys = [column for column in reach if column.domain == "country"]
        null = f"{self.pick([column for column in keys if column.is_exact]).sql} IS NULL"
        where = self.pick(
            (f" WHERE {null}", "", f" WHERE {self.predicate(keys, -1)}", f" WHERE {self.predicate(reach, -1)}")
        )
        chosen = [self.of_kind(reach, kind) for kind in ("text", "number", "text")]
        listed, outputs = self.outputs(chosen)
        return Query(f"SELECT {listed} FROM {text}{where}", outputs, is_open=True)

    def apart(self) -> Query:
        """Three tables; two of them are joined with each other first: in brackets, or beside a comma."""
        names = ("book", self.pick(("groups", "rates", "book")), self.pick(("rates", "groups", "prices")))
        first, second, third = self.draw(st.permutations([self.named(name, TABLES[name]) for name in names]))
        inner, outer = self.pick(JOINS[:4]), self.pick(JOINS[:6])
        close = f"{second.sql} {inner} {third.sql} ON {self.by_country(second.columns, third.columns)}"
        inside = [*second.columns, *third.columns]
        far = f"{outer} ({close}) ON {self.by_country(first.columns, inside)}"
        is_close_hidden = outer in ONE_SIDED
        texts = {
            f"{first.sql} {far}": first.columns if is_close_hidden else [*first.columns, *inside],
            f"{first.sql}, {close}": [*first.columns, *inside],
            f"{close}, {first.sql}": [*first.columns, *inside],
            f"({close}) {outer} {first.sql} ON {self.by_country(inside, first.columns)}": (
                inside if is_close_hidden else [*first.columns, *inside]
            ),
        }
        text = self.pick(list(texts))
        reach = texts[text]
        null = f"{self.pick([column for column in reach if column.is_exact]).sql} IS NULL"
        where = self.pick((f" WHERE {null}", "", f" WHERE {self.predicate(reach, -1)}"))
        listed, outputs = self.outputs([self.of_kind(reach, kind) for kind in ("text", "number", "text")])
        return Query(f"SELECT {listed} FROM {text}{where}", outputs, is_open=True)

    def by_country(self, left: Sequence[Column], right: Sequence[Column]) -> str:
        """That two tables tell of one country, and maybe more."""
        pairs = [f"{a.sql} = {b.sql}" for a in left for b in right if a.domain == b.domain == "country"]
        extra = f" AND {self.predicate([*left, *right], -1)}" if self.chance(3) else ""
        return f"{self.pick(pairs)}{extra}"

    # Queries

    def query(self, depth: int, outer: Sequence[Column] = (), kinds: Sequence[str] = ()) -> Query:
        """A query whose rows are the same however it is answered."""
        if depth > 0 and self.chance(5):
            return self.with_common(depth, outer, kinds)
        return self.ordered(depth, outer, kinds)

    def ordered(self, depth: int, outer: Sequence[Column], kinds: Sequence[str]) -> Query:
        query = (
            self.set_operation(depth, outer, kinds)
            if depth > 0 and self.chance(5)
            else self.select(depth, outer, kinds)
        )
        if query.sql.endswith("ORDER BY ALL"):
            return query
        if self.chance(5):
            ending = self.pick((" LIMIT 2", " LIMIT 3 OFFSET 1", "", " LIMIT 0", " OFFSET 2", " LIMIT 1"))
            return Query(f"{query.sql} ORDER BY ALL{self.pick(('', ' DESC'))}{ending}", query.columns)
        return replace(query, is_open=True)

    def with_common(self, depth: int, outer: Sequence[Column], kinds: Sequence[str]) -> Query:
        before = list(self.common)
        texts = []
        for _ in range(self.number(2, 1)):
            query = self.query(depth - 1)
            self.aliases += 1
            name = f"w{self.aliases}"
            if self.chance(6):
                name = self.pick([each for each in ("rates", "groups", "book") if f"{each} AS" not in " ".join(texts)])
            hint = self.pick((" AS ", " AS ", " AS MATERIALIZED ", " AS NOT MATERIALIZED "))
            texts.append(f"{name}{hint}({query.sql})")
            self.common = [each for each in self.common if each.sql != name] + [Relation(name, query.columns)]
        query = self.ordered(depth - 1, outer, kinds)
        self.common = before
        return replace(query, sql=f"WITH {', '.join(texts)} {query.sql}")

    def set_operation(self, depth: int, outer: Sequence[Column], kinds: Sequence[str]) -> Query:
        kinds = kinds or self.pick((("text",), ("text", "text"), ("text", "number")))
        left, right = self.select(depth - 1, outer, kinds), self.select(depth - 1, outer, kinds)
        operation = self.pick(SET_OPERATIONS)
        if operation.endswith("BY NAME") and [c.sql for c in left.columns] != [c.sql for c in right.columns]:
            operation = "UNION ALL"
        columns = tuple(
            replace(column, domain="word" if column.kind == "text" else column.domain) for column in left.columns
        )
        return Query(f"({left.sql}) {operation} ({right.sql})", columns)

    def select(self, depth: int, outer: Sequence[Column], kinds: Sequence[str]) -> Query:
        text, columns, conditions = self.from_clause(depth, outer)
        if len({column.sql.partition(".")[0] for column in columns}) == 1 and self.chance(3):
            columns = [replace(column, sql=column.sql.partition(".")[2]) for column in columns]
        conditions += [
            self.predicate(columns, depth, outer if self.chance(2) else ()) for _ in range(self.pick((0, 1, 0, 1, 2)))
        ]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        shape = self.pick(("plain", "plain", "grouped", "distinct", "windowed", "star", "total", "first"))
        if shape == "star" and not kinds:
            return self.star(f"FROM {text}{where}", columns)
        if shape == "grouped":
            return self.grouped(f"FROM {text}{where}", columns, kinds, depth)
        if shape == "total":
            return self.total(f"FROM {text}{where}", columns, kinds, depth)
        if shape == "windowed" and not kinds:
            return self.windowed(f"FROM {text}{where}", columns)
        values = [self.of_kind(columns, kind) for kind in kinds]
        values = values or [self.value(columns, depth) for _ in range(self.number(3, 1))]
        listed, outputs = self.outputs(values)
        if shape == "first":
            return Query(f"SELECT DISTINCT ON (1) {listed} FROM {text}{where} ORDER BY ALL", outputs)
        return Query(f"SELECT {'DISTINCT ' * (shape == 'distinct')}{listed} FROM {text}{where}", outputs)

    def of_kind(self, columns: Sequence[Column], kind: str) -> tuple[str, str, str]:
        column = self.column(columns, kind)
        if column is not None:
            return column.sql, column.kind, column.domain
        return ("'France'", *COUNTRY) if kind == "text" else ("1.5", *NUMBER)

    def outputs(self, values: Sequence[tuple[str, str, str]]) -> tuple[str, tuple[Column, ...]]:
        """Expressions with their names, which may be those of columns that they are not."""
        names = list(NAMES)
        if self.chance(4):
            names[0] = self.pick(SHADOWING)
        pairs = list(zip(values, names, strict=False))
        listed = ", ".join(f"{sql} AS {name}" for (sql, _, _), name in pairs)
        return listed, tuple(Column(name, kind, domain) for (_, kind, domain), name in pairs)

    def star(self, rest: str, columns: Sequence[Column]) -> Query:
        """All columns: its own cannot be named from outside where names may occur twice."""
        aliases = sorted({column.sql.partition(".")[0] for column in columns if re.match(r"t\d+\.", column.sql)})
        if len(aliases) <= 1:
            return Query(f"SELECT * {rest}", tuple(replace(c, sql=re.sub(r"^t\d+\.", "", c.sql)) for c in columns))
        chosen = self.pick([f"{alias}.*" for alias in aliases] + ["*"])
        own = [column for column in columns if column.sql.startswith(chosen[:-1])] if chosen != "*" else []
        return Query(f"SELECT {chosen} {rest}", tuple(replace(c, sql=c.sql.partition(".")[2]) for c in own))

    def aggregate(self, columns: Sequence[Column], depth: int, kind: str = "") -> tuple[str, str, str]:
        number = self.column(columns, "number") or Column("1")
        text = self.text(columns)
        numbers = (f"count({text})", "count(*)", f"sum({number.sql})", f"count(DISTINCT {text})", f"max({number.sql})")
        texts = (f"min({text})", f"max({text})", f"string_agg({text}, ',' ORDER BY {text})")
        chosen = self.pick(texts if kind == "text" else numbers if kind == "number" else (*numbers, *texts))
        if self.chance(5):
            chosen += f" FILTER (WHERE {self.predicate(columns, depth - 1)})"
        return chosen, *(WORD if chosen.startswith(("min", "string")) or chosen in texts else NUMBER)

    def grouped(self, rest: str, columns: Sequence[Column], kinds: Sequence[str], depth: int) -> Query:
        by = self.of_kind(columns, "text")
        values = [by, *(self.aggregate(columns, depth, kind) for kind in (kinds[1:] if kinds else ("",)))]
        if kinds and kinds[0] != "text":
            return self.total(rest, columns, kinds, depth)
        listed, outputs = self.outputs(values)
        ways = ("1", outputs[0].sql if outputs[0].sql in NAMES else "1", "ALL", f"ROLLUP ({by[0]})", by[0])
        grouping = self.pick(ways)
        if grouping == "ALL" and len(values) == 1:
            grouping = "1"
        whole = self.predicate([Column(by[0], by[1], by[2])], depth - 1)
        having = f" HAVING {self.pick(('count(*) > 1', whole, 'count(*) = 0', f'{by[0]} IS NOT NULL'))}"
        return Query(f"SELECT {listed} {rest} GROUP BY {grouping}{having if self.chance(4) else ''}", outputs)

    def total(self, rest: str, columns: Sequence[Column], kinds: Sequence[str], depth: int) -> Query:
        """Aggregates over all rows: one row, also where there is none."""
        values = [self.aggregate(columns, depth, kind) for kind in kinds or ("",)]
        if not kinds and self.chance(3):
            values.append((self.scalar((), depth - 1), *WORD))
        listed, outputs = self.outputs(values)
        having = f" HAVING {self.predicate((), depth - 1)}" if self.chance(6) else ""
        return Query(f"SELECT {listed} {rest}{having}", outputs)

    def windowed(self, rest: str, columns: Sequence[Column]) -> Query:
        text, other = self.text(columns), self.text(columns)
        windows = (
            *(f"count(*) OVER (PARTITION BY {text})", f"rank() OVER (ORDER BY {text})", "count(*) OVER ()"),
            *(f"dense_rank() OVER (PARTITION BY {other} ORDER BY {text} DESC)", f"max({text}) OVER (ORDER BY {text})"),
        )
        window = self.pick(windows)
        listed, outputs = self.outputs([self.of_kind(columns, "text"), (window, *NUMBER)])
        qualify = f" QUALIFY {self.pick(windows[:2])} <= {self.number(3, 1)}" if self.chance(2) else ""
        kind = "text" if window.startswith("max") else "number"
        return Query(
            f"SELECT {listed} {rest}{qualify}",
            (outputs[0], replace(outputs[1], kind=kind, domain="word" if kind == "text" else "number")),
        )


WAYS: dict[str, Callable[[Writer], Query]] = {
    "outside": Writer.outside,
    "beside": Writer.beside,
    "apart": Writer.apart,
    "all": lambda writer: writer.query(writer.number(DEEPEST)),
}


@st.composite
def queries(draw: Callable[[st.SearchStrategy[Any]], Any], way: str = "all") -> Query:
    writer = Writer(draw)
    query = WAYS[way](writer)
    if writer.chance(6):
        return replace(query, limit=writer.number(4), offset=writer.pick((0, 0, 1, 3)))
    return query


def check_rows(got: pa.Table, expected: pa.Table, query: Query, rows: Rows) -> None:
    assert got.schema.names == expected.schema.names
    assert got.schema.types == expected.schema.types
    if query.limit is None:
        assert rows(got) == rows(expected)
        return
    assert got.num_rows == min(query.limit, max(expected.num_rows - query.offset, 0))
    assert rows(got) <= rows(expected)


def limited(query: Query) -> str:
    if query.limit is None:
        return query.sql
    text = query.sql if query.is_open else f"FROM ({query.sql})"
    return f"{text} LIMIT {query.limit}{f' OFFSET {query.offset}' if query.offset else ''}"


@pytest.mark.parametrize("way", WAYS)
def test_generated_queries_are_answered_as_if_all_pages_were_at_hand(way, web, truth, rows):
    outcomes: Counter[str] = Counter()

    @bounded
    @given(queries(way))
    def check(query: Query) -> None:
        outcome = compare(query, web(), truth, rows)
        event(outcome)
        outcomes[outcome] += 1

    check()
    assert outcomes["answered"] > LEAST_ANSWERED * outcomes.total(), outcomes


def test_generated_queries_are_answered_alike_by_sources_with_names_of_their_own(renamed_web, truth, rows):
    outcomes: Counter[str] = Counter()

    @bounded
    @given(queries("all"))
    def check(query: Query) -> None:
        outcomes[compare(query, renamed_web(), truth, rows)] += 1

    check()
    assert outcomes["answered"] > LEAST_ANSWERED * outcomes.total(), outcomes


def compare(query: Query, fresh: Any, truth: Callable[[str], pa.Table], rows: Rows) -> str:
    """How a query went; what it reads is held to the contract by the sources."""
    try:
        expected = truth(query.sql)
    except duckdb.Error as error:
        return refuse_too(query, fresh, error)
    try:
        given_answer = answer(fresh.catalog, limited(query))
    except QueryError as error:
        refusal = str(error)
        for name, keys in REQUIRED.items():
            if re.search(rf"\b{name}\b", query.sql) and name in refusal and all(key in refusal for key in keys):
                return "not bound"
        raise
    check_rows(given_answer.table, expected, query, rows)
    assert {name: count for name, count in given_answer.pages.items() if count} == fresh.pages_read
    return "answered"


def refuse_too(query: Query, fresh: Any, error: duckdb.Error) -> str:
    """Mistakes are reported before the first page; what fails on a row need not fail where that row is not read."""
    try:
        answer(fresh.catalog, limited(query))
    except QueryError:
        return "refused"
    assert isinstance(error, duckdb.ConversionException | duckdb.OutOfRangeException | duckdb.InvalidInputException), (
        error
    )
    return "failed on a row"
