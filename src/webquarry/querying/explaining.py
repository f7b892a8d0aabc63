"""What a query would fetch: the steps of a run, as far as indexes tell them."""

from __future__ import annotations

from webquarry.querying.answer import Plan, Step
from webquarry.querying.blocks import Condition, SourceRelation
from webquarry.querying.executing import Choice, Run
from webquarry.querying.statements import DIALECT


def explain_run(run: Run) -> Plan:
    """The steps of a query; pages are not fetched for it, only indexes."""
    run.take_indexes()
    steps = [_index_step(run, source) for source in run.sources if run.is_read(source)]
    waiting = [source for source in run.sources if not run.is_read(source)]
    while waiting:
        choices = run.choices(waiting)
        step = _known_step(run, choices[0]) if choices else _later_step(run, waiting[0])
        if choices:
            run.narrow_keys(choices[0])
        steps.append(step)
        done = choices[0].source if choices else waiting[0]
        waiting = [source for source in waiting if source is not done]
    return Plan(tuple(steps))


def _index_step(run: Run, source: SourceRelation) -> Step:
    return _step(run, source, "its index tells all", 0, 0, reads=False)


def _known_step(run: Run, choice: Choice) -> Step:
    source, needed = choice.source, choice.needed
    binding = " and ".join(_written(condition) for condition in needed.told)
    if not binding:
        binding = "all of its index" if source.key else "all of its pages"
    limit = run.limit_for(choice)
    at_most = choice.pages
    if limit is None:
        pages = choice.pages if needed.is_final else None
    else:
        enough = limit.rows + (0 if limit.is_of_pages else limit.passed)
        pages = min(choice.pages, enough) if needed.is_exact and source.table.is_row_a_page else None
        binding += f", until there are {limit.rows + limit.passed} rows"
    return _step(run, source, binding, pages, at_most)


def _later_step(run: Run, source: SourceRelation) -> Step:
    """The step of an occurrence whose keys are told by pages of others."""
    waits = run.finder.find_waiting(source)
    return _step(run, source, " and ".join(map(_written, waits)), None, None)


def _step(
    run: Run, source: SourceRelation, binding: str, pages: int | None, at_most: int | None, *, reads: bool = True
) -> Step:
    table = source.table
    sections = tuple(table.sections(run.columns_of(source))) if reads else ()
    return Step(table.name, source.alias, table.key, binding, pages, at_most, sections, table.is_rendered)


def _written(condition: Condition) -> str:
    """A condition as the query has it."""
    text = condition.expression.sql(dialect=DIALECT)
    for ref in condition.refs:
        text = text.replace(f'{ref.relation.name}."', f'{ref.relation.alias or "query"}."')
        text = text.replace(f"{ref.relation.name}.", f"{ref.relation.alias or 'query'}.")
    return text
