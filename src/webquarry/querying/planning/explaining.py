"""What a query would fetch: the steps of a run, as far as indexes tell them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from webquarry.querying.answers import Plan, Step
from webquarry.querying.executing import Run
from webquarry.querying.parsing.blocks import Condition, SourceRelation
from webquarry.querying.parsing.statements import DIALECT
from webquarry.querying.planning.choosing import Choice


def explain_run(run: Run) -> Plan:
    """The steps of a query; pages are not fetched for it, only indexes."""
    run.take_indexes()
    run.chooser.check_bindings(run.sources)
    steps = [_index_step(run, source) for source in run.sources if run.is_read(source)]
    waiting = [source for source in run.sources if not run.is_read(source)]
    planned: dict[str, set[str]] = {}
    while waiting:
        choice = run.chooser.rank(waiting)[0]
        keys = planned.setdefault(choice.source.table.name, set())
        steps.append(_step_of(run, replace(choice, pages=len(set(choice.keys) - keys))))
        keys.update(choice.keys)
        run.narrow_keys(choice)
        waiting.remove(choice.source)
    return Plan(tuple(_count_indexes_once(steps)))


def _count_indexes_once(steps: list[Step]) -> Iterator[Step]:
    seen: set[str] = set()
    for step in steps:
        yield replace(step, index_pages=0 if step.source in seen else step.index_pages)
        seen.add(step.source)


def _index_step(run: Run, source: SourceRelation) -> Step:
    return _step(run, source, "all of its index", 0, 0, reads=False)


def _step_of(run: Run, choice: Choice) -> Step:
    source, needed = choice.source, choice.needed
    told = [*needed.told, *(() if needed.is_final else needed.waiting)]
    binding = " and ".join(map(_written, told)) or ("all of its index" if source.key else "all of its pages")
    if not needed.is_bound:
        return _step(run, source, binding, None, None)
    limit = choice.limit
    if limit is None:
        return _step(run, source, binding, choice.pages if needed.is_final else None, choice.pages)
    enough = limit.rows + (0 if limit.is_of_pages else limit.passed)
    pages = min(choice.pages, enough) if needed.is_exact and source.table.is_row_a_page else None
    binding += f", until there are {limit.rows + limit.passed} rows"
    return _step(run, source, binding, pages, choice.pages)


def _step(
    run: Run, source: SourceRelation, binding: str, pages: int | None, at_most: int | None, *, reads: bool = True
) -> Step:
    table = source.table
    sections = tuple(table.sections(run.columns_of(source))) if reads else ()
    index_pages = table.index_pages if table.is_listed else 0
    return Step(table.name, source.alias, table.key, binding, pages, at_most, index_pages, sections, table.is_rendered)


def _written(condition: Condition) -> str:
    """A condition as the query has it."""
    text = condition.expression.sql(dialect=DIALECT)
    for relation in condition.relations:  # USING is written with names of our own
        text = text.replace(f'"{relation.name}"', relation.alias or "query")
    return text
