"""Find the places on pages that the values of an answer come from.

The query runs a second time over the rows that were read, rewritten so that it also says which rows of sources each
value of a column is made of.  Each SELECT between the answer and the sources gets a further output: a list of numbers,
each for a row of an occurrence of a source and a column of it.  Rows of the sources are distinguished by DuckDB's own
`rowid`, which no star includes.  DISTINCT is left out, since the numbers would change what is distinct.  Rows of the
answer are found again by their values, so that what changes from run to run is not taken for another.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing

import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp, parse_one

from webquarry.errors import QueryError
from webquarry.model.names import quote_name
from webquarry.model.wording import count, list_names
from webquarry.querying.block_builder import arguments_of
from webquarry.querying.engine import Engine, HeldRows, SourceStore
from webquarry.querying.name_resolution import has_aggregate, names_in
from webquarry.querying.query_blocks import (
    ALL,
    AnyBlock,
    Block,
    LocalRelation,
    MemberUse,
    Output,
    QueryRelation,
    Ref,
    Relation,
    SetBlock,
    SourceRelation,
    Tree,
)
from webquarry.querying.query_nouns import ColumnPath, Place, Whereabouts
from webquarry.querying.statement import DIALECT

STRIDE = 2**40
"""Factor of a column in a number; a query never reads as many rows."""
NUMBERS = "__l0"
"""The column with the numbers."""
NO_PLACE = -1
"""In place of that of a column, in a part of a UNION BY NAME that lacks it."""
_ROW_ID = "rowid"
_NOTHING = "NULL::BIGINT[]"
_SUBTRACTING = (exp.Except, exp.Intersect)
_SHIFTING = (exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue)
"""Functions over a window that give the value of one of its rows."""


class UntraceableError(Exception):
    """A value cannot be followed to its source; the text says why."""


class LineageQuery:
    """A query whose rows can be followed to the rows of sources; it changes the nodes of its tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._targets: list[tuple[SourceRelation, ColumnPath]] = []
        self._numbers = itertools.count(1)
        self._added: dict[tuple[AnyBlock, int | None, ColumnPath], str] = {}
        self.merges_rows = False
        """Whether a DISTINCT was left out, so that one row of the answer may be several here."""
        self.keeps_order = _keeps_order(tree.root)
        """Whether rows come in the order of one source, so that the places of equal rows distinguish them."""

    def write(self, column: int) -> str:
        """Write the query with a further column, the numbers for a column of the answer."""
        root = self._root
        added = self._find_numbers(root, column, ALL)
        self._drop_distinct(root)
        _append(added, NUMBERS)
        written: str = root.node.sql(dialect=DIALECT)
        for block, _ in added:
            block.node.expressions.pop()
        return written

    def find(self, number: int) -> tuple[SourceRelation, ColumnPath, int]:
        """Return the occurrence of a source, its column and the row that a number stands for."""
        source, path = self._targets[number // STRIDE]
        return source, path, number % STRIDE

    @property
    def _root(self) -> AnyBlock:
        """The block that has a row for each of the answer: of EXCEPT and INTERSECT the first branch."""
        block = self._tree.root
        while isinstance(block, SetBlock) and isinstance(block.node, _SUBTRACTING):
            block = block.branches[0]
            self.merges_rows = True
        if block is not self._tree.root and self._tree.root.node.args.get("with_"):
            block.node.set("with_", self._tree.root.node.args["with_"])
        return block

    def _add(self, block: AnyBlock, place: int | None, rest: ColumnPath) -> str:
        """Add an output with the numbers for a column of a block, or for its rows; give its name."""
        key = (block, place, rest)
        if key in self._added:
            return self._added[key]
        if block.is_recursive:
            raise UntraceableError("it comes from a recursive query, which is not followed")
        added = self._find_numbers(block, place, rest)
        self._drop_distinct(block)
        self._added[key] = name = f"__l{next(self._numbers)}"
        _append(added, name)
        for use in block.uses:
            if isinstance(use, MemberUse):
                _leave_out(use.block.node, use.relation.alias, name)
        return name

    def _find_numbers(self, block: AnyBlock, place: int | None, rest: ColumnPath) -> list[tuple[Block, str]]:
        """Write the numbers for a column of a block, or for its rows, in each SELECT that it is made of."""
        if isinstance(block, Block):
            return [(block, self._numbers_of(block, place, rest))]
        if not isinstance(block, SetBlock) or not block.branches or isinstance(block.node, _SUBTRACTING):
            raise UntraceableError("it comes from VALUES, EXCEPT or INTERSECT inside the query, which are not followed")
        branches = [(branch, _place_in(block, branch, place)) for branch in block.branches]
        return [each for branch, at in branches for each in self._find_numbers(branch, at, rest)]

    def _drop_distinct(self, block: AnyBlock) -> None:
        """Leave out DISTINCT, and the LIMIT after it, which would count rows that are no longer merged."""
        node = block.node
        is_kept = isinstance(block, Block) and block.distinct_on is not None
        if node.args.get("distinct") and not is_kept:
            self.merges_rows = True
            node.set("distinct", False if isinstance(node, exp.Union) else None)
            node.set("limit", None)
            node.set("offset", None)
        if isinstance(block, SetBlock):
            for branch in block.branches:
                self._drop_distinct(branch)

    def _numbers_of(self, block: Block, place: int | None, rest: ColumnPath) -> str:
        """Write the list of numbers for a column of a SELECT, or for its rows."""
        if place is None:
            return self._gather(block, self._rows_of(block))
        if place == NO_PLACE:
            return _NOTHING
        if block.outputs is None or place >= len(block.outputs):
            raise UntraceableError("the columns of a query that it comes from are not known before it runs")
        output = block.outputs[place]
        merged = _find_merged(block, output)
        if merged:
            return self._gather(block, [self._number(Ref(ref.relation, (*ref.path, *rest))) for ref in merged])
        if not output.is_known:
            raise UntraceableError("a name that it is made of is not understood")
        if output.ref is not None:
            ref = Ref(output.ref.relation, (*output.ref.path, *rest))
            return self._gather(block, [self._number(ref)])
        return self._numbers_of_expression(block, output)

    def _numbers_of_expression(self, block: Block, output: Output) -> str:
        expression = output.expression
        if expression is None:
            raise UntraceableError("a name that it is made of is not understood")
        inside = expression.unalias()
        windows = list(expression.find_all(exp.Window))
        if windows and block.is_grouped:
            raise UntraceableError("it comes from a window over groups, which is not followed")
        if isinstance(inside, exp.Window) and isinstance(inside.this, _SHIFTING):
            return self._shift(inside)
        parts = self._parts_of(expression, values_only=True) or self._parts_of(expression)
        if not parts and has_aggregate(expression):  # count(*)
            parts = self._rows_of(block)
        if not parts:
            return _NOTHING
        own = _join(parts)
        if isinstance(inside, exp.Filter) and block.is_grouped:
            return f"flatten(list({own}) FILTER ({inside.expression.sql(dialect=DIALECT)}))"
        gathered = self._gather(block, parts)
        wide = [_over(window, own) for window in windows if isinstance(window.this, (exp.AggFunc, exp.Filter))]
        return _join([gathered, *wide])

    def _shift(self, window: exp.Window) -> str:
        argument = window.this.this
        own = _join(self._parts_of(argument))
        shifted = window.copy()
        shifted.this.set("this", _parse(own))
        return shifted.sql(dialect=DIALECT)

    def _parts_of(self, expression: exp.Expr, *, values_only: bool = False) -> list[str]:
        """Write the numbers of all columns in an expression; with `values_only` not of those that only choose rows."""
        parts: list[str] = []
        refs: dict[Ref, None] = {}
        for node in names_in(expression):
            if values_only and _is_choosing(node, expression):
                continue
            if isinstance(node, exp.Query):
                parts.append(self._number_query(node))
                continue
            meaning = self._tree.meanings.get(id(node))
            if meaning is None:
                raise UntraceableError("a name that it is made of is not understood")
            refs.update(dict.fromkeys(meaning.refs if isinstance(meaning, Output) else [meaning]))
        return [*map(self._number, refs), *parts]

    def _number_query(self, node: exp.Query) -> str:
        """Write the list of numbers for the value that a query inside an expression gives."""
        child = self._tree.children.get(id(node))
        if not isinstance(child, Block) or isinstance(node.parent, (exp.In, exp.Exists, exp.Any, exp.All)):
            raise UntraceableError("it comes from a query inside an expression that is not followed")
        alone = child.node.copy()
        alone.set("expressions", [_parse(self._numbers_of(child, 0, ALL))])
        alone.set("distinct", None)
        return f"({alone.sql(dialect=DIALECT)})"

    def _number(self, ref: Ref) -> str:
        """Write the list of numbers for a column of a relation."""
        relation = ref.relation
        if isinstance(relation, SourceRelation):
            return self._number_source(relation, ref.path)
        if isinstance(relation, QueryRelation):
            if not ref.path or relation.columns is None or ref.path[0] not in relation.columns:
                raise UntraceableError("the columns of a query that it comes from are not known before it runs")
            name = self._add(relation.block, relation.columns.index(ref.path[0]), ref.path[1:])
            return _qualify(relation, name)
        if isinstance(relation, LocalRelation):
            arguments = [part for part in arguments_of(relation.node) if not isinstance(part, exp.Join)]
            return _join(each for part in arguments for each in self._parts_of(part))
        raise UntraceableError("it comes from a recursive query, which is not followed")

    def _number_source(self, relation: SourceRelation, path: ColumnPath) -> str:
        if _ROW_ID in (relation.columns or (_ROW_ID,)):
            raise UntraceableError(f"rows of {relation.table.name} cannot be distinguished here")
        self._targets.append((relation, path))
        return f"[{(len(self._targets) - 1) * STRIDE} + {quote_name(relation.alias)}.{_ROW_ID}]"

    def _rows_of(self, block: Block) -> list[str]:
        """Write the lists of numbers for the rows that a SELECT reads."""
        return [found for relation in block.reachable if (found := self._number_rows(relation))]

    def _number_rows(self, relation: Relation) -> str:
        if isinstance(relation, SourceRelation):
            return self._number_source(relation, ALL)
        if isinstance(relation, QueryRelation):
            return _qualify(relation, self._add(relation.block, None, ALL))
        return ""

    def _gather(self, block: Block, parts: Sequence[str]) -> str:
        own = _join(parts)
        return f"flatten(list({own}))" if block.is_grouped else own


def _find_merged(block: Block, output: Output) -> list[Ref]:
    """Find the columns of both sides that a FULL JOIN merges into an output; none for other outputs."""
    column = None if output.expression is None else output.expression.unalias()
    if not output.refs or not (column is None or (isinstance(column, exp.Column) and not column.table)):
        return []
    name, *_ = output.refs[0].path or ("",)
    if block.merged.get(name, block) is not None:
        return []
    return [Ref(relation, (name,)) for relation in block.reachable if relation.has(name)]


def _keeps_order(block: AnyBlock) -> bool:
    while isinstance(block, Block) and len(block.members) == 1:
        node, relation = block.node, block.members[0].relation
        if block.is_grouped or block.is_windowed or any(map(node.args.get, ("distinct", "order", "sample"))):
            return False
        if not isinstance(relation, QueryRelation):
            return isinstance(relation, SourceRelation) and not relation.is_free
        block = relation.block
    return False


def _qualify(relation: Relation, name: str) -> str:
    """Write an added output of a relation; a query in brackets may have no name, which is not needed."""
    return f"{quote_name(relation.alias)}.{name}" if relation.alias else name


def _join(parts: Iterable[str]) -> str:
    several = list(parts)
    if len(several) < 2:
        return several[0] if several else _NOTHING
    return f"flatten([{', '.join(several)}])"


def _parse(written: str) -> exp.Expr:
    return parse_one(written, dialect=DIALECT)


def _is_choosing(node: exp.Expr, top: exp.Expr) -> bool:
    """Tell whether a name in an expression is in a FILTER, or says which rows a window has."""
    while node is not top and node.parent is not None:
        if isinstance(node.parent, (exp.Window, exp.Filter)) and node.arg_key != "this":
            return True
        node = node.parent
    return False


def _append(added: Iterable[tuple[Block, str]], name: str) -> None:
    for block, written in added:
        block.node.append("expressions", exp.alias_(_parse(written), name))


def _over(window: exp.Window, own: str) -> str:
    """Write the numbers of all rows that an aggregate over a window takes."""
    wide = window.copy()
    listed = _parse(f"list({own})")
    if isinstance(wide.this, exp.Filter):
        wide.this.set("this", listed)
    else:
        wide.set("this", listed)
    return f"flatten({wide.sql(dialect=DIALECT)})"


def _place_in(block: SetBlock, branch: AnyBlock, place: int | None) -> int | None:
    """Find a column of a set operation in one of its branches."""
    if place is None or not block.is_by_name:
        return place
    if block.names is None or branch.names is None or block.names[place] not in branch.names:
        return NO_PLACE
    return branch.names.index(block.names[place])


def _leave_out(node: exp.Expr, alias: str, name: str) -> None:
    """Let the stars of a SELECT not include an added output."""
    for expression in node.expressions:
        star = expression.this if isinstance(expression, exp.Column) else expression
        is_of_other = isinstance(expression, exp.Column) and expression.table and expression.table.lower() != alias
        if isinstance(star, exp.Star) and not is_of_other:
            star.set("except_", [*(star.args.get("except_") or ()), exp.column(name)])


MAX_PLACES = 1_000
"""Places that are given for one value: more than anybody opens."""
Reopen = Callable[[], Engine]
"""Opens DuckDB for what a query reads besides sources."""


class ValueFinder:
    """Finds the places of the values of one answer; it keeps the rows that were read."""

    def __init__(
        self,
        table: pa.Table,
        tree: Tree,
        stores: Mapping[str, SourceStore],
        held: Mapping[str, HeldRows],
        reopen: Reopen,
    ) -> None:
        self._table, self._tree, self._stores, self._held, self._reopen = table, tree, stores, held, reopen
        self._query = LineageQuery(tree)
        self._traced: dict[int, pa.Table | str] = {}
        """The rows with their numbers by the column asked for, or why there are none."""

    def find(self, row: int, column: int) -> Whereabouts:
        """Find the places of one value."""
        if column not in self._traced:
            self._traced[column] = self._trace(column)
        traced = self._traced[column]
        if isinstance(traced, str):
            return Whereabouts(note=f"no place is known: {traced}")
        rows = find_equal_rows(self._table, row, traced.drop_columns([NUMBERS]))
        if not rows:
            return Whereabouts(note="no place is known: the query gives another row when it runs again")
        if self._query.keeps_order and row in rows:
            rows = [row]
        numbers = traced[NUMBERS].take(pa.array(rows, pa.int64())).to_pylist()
        found = dict.fromkeys(number for each in numbers for number in each or () if number is not None)
        is_one_of = len(rows) > 1 and not self._query.merges_rows
        return self._describe(list(found), is_one_of=is_one_of)

    def _trace(self, column: int) -> pa.Table | str:
        try:
            written = self._query.write(column)
            with closing(self._reopen()) as engine:
                for source in self._tree.sources:
                    if source.rows_name in self._held:
                        rows = self._stores[source.table.name].rows(self._held[source.rows_name])
                        engine.put(source.rows_name, rows)
                traced = engine.answer(written)
        except UntraceableError as error:
            return str(error)
        except (QueryError, RecursionError):
            return "the query is of a form that is not followed"
        return traced

    def _describe(self, numbers: Sequence[int], *, is_one_of: bool) -> Whereabouts:
        if not numbers:
            return Whereabouts(note="no place is known: it is not made of values of pages")
        places: dict[Place, None] = {}
        unread = set()
        for number in numbers:
            source, path, row = self._query.find(number)
            store = self._stores[source.table.name]
            found = store.find_places(self._held[source.rows_name], row, path)
            if found is None:
                unread.add(source.table.name)
            places.update(dict.fromkeys(found or ()))
        if any(place.node for place in places):  # rows without the value add nothing to those that have it
            places = {place: None for place in places if place.node}
        if not places:
            indexes = list_names(sorted(unread))
            return Whereabouts(note=f"no place is known: the index of {indexes} has it; no page was read")
        note = _note(list(places), is_one_of=is_one_of)
        return Whereabouts(tuple(places)[:MAX_PLACES], note, is_one_of=is_one_of and len(places) > 1)


def _note(places: Sequence[Place], *, is_one_of: bool) -> str:
    if len(places) == 1:
        return "" if places[0].node else "the page as a whole"
    said = "one of" if is_one_of else "made of values at"
    shown = f"; the first {MAX_PLACES:,} are listed" if len(places) > MAX_PLACES else ""
    return f"{said} {count(len(places), 'place')}{shown}"


def find_equal_rows(table: pa.Table, row: int, traced: pa.Table) -> list[int]:
    """Find the rows of a second table that have the values of a row of the first."""
    if traced.num_columns != table.num_columns:
        return []
    numbers = pa.array(range(traced.num_rows), pa.int64())
    others = []
    for place, column in enumerate(table.columns):
        value, candidates = column[row], traced.column(place)
        if pa.types.is_nested(column.type) or pa.types.is_floating(column.type) or candidates.type != column.type:
            others.append(place)
            continue
        candidates = candidates.take(numbers)
        is_equal = pc.equal(candidates, value) if value.is_valid else pc.is_null(candidates)
        numbers = numbers.filter(is_equal.combine_chunks())
    for place in others:  # Arrow does not compare nested values, nor NaN with itself
        value = repr(table.column(place)[row].as_py())
        candidates = traced.column(place).take(numbers).to_pylist()
        numbers = numbers.filter(pa.array([repr(each) == value for each in candidates], pa.bool_()))
    found: list[int] = numbers.to_pylist()
    return found
