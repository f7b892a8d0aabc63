"""Which occurrence of a source is read next: that whose pages nothing else can spare, or else that with the fewest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from webquarry.errors import QueryError
from webquarry.querying.parsing.blocks import SourceRelation
from webquarry.querying.planning.contexts import Contexts
from webquarry.querying.planning.keys import KeyFinder, Needed
from webquarry.querying.planning.limits import Limit
from webquarry.querying.planning.translating import State
from webquarry.querying.store import SourceStore


@dataclass(frozen=True)
class Choice:
    """An occurrence that could be read next."""

    source: SourceRelation
    needed: Needed
    keys: list[str]
    pages: int
    """How many of the keys' pages were not read yet."""
    limit: Limit | None
    """The LIMIT that it can be read bit by bit for."""


class Chooser:
    """Looks at the occurrences of one query."""

    def __init__(
        self,
        finder: KeyFinder,
        contexts: Contexts,
        limits: Sequence[Limit],
        stores: Mapping[str, SourceStore],
        state: State,
    ) -> None:
        self._finder, self._contexts, self._limits = finder, contexts, limits
        self._stores, self._state = stores, state

    def choose(self, waiting: Iterable[SourceRelation]) -> list[Choice]:
        """What to read next, several when none spares pages of the others; raises when nothing says which pages."""
        choices = self.rank(waiting)
        first = choices[0]
        if not first.needed.is_bound:
            raise QueryError(_describe_unbound(first.source))
        return [choice for choice in choices if self._is_settled(choice)] or [first]

    def rank(self, waiting: Iterable[SourceRelation]) -> list[Choice]:
        """The occurrences, the next to read first; last those whose keys are not known."""
        return sorted(map(self._consider, waiting), key=self._rank)

    def _is_settled(self, choice: Choice) -> bool:
        """Whether it can be read whatever else is."""
        needed = choice.needed
        return needed.is_bound and needed.is_final and choice.limit is None and not self._is_better_later(choice)

    def check_bindings(self, waiting: Iterable[SourceRelation]) -> None:
        """Raise when nothing says the keys of an occurrence, however much is read."""
        for source in waiting:
            is_needed = not source.table.is_listed and self._contexts.of(source)
            if is_needed and not self._finder.find(source).is_bindable:
                raise QueryError(_describe_unbound(source))

    def _consider(self, source: SourceRelation) -> Choice:
        needed = self._finder.find(source)
        keys = self._keys(source, needed)
        limit = next((limit for limit in self._limits if source in limit.drivers), None)
        return Choice(source, needed, keys, len(self._stores[source.table.name].missing(keys)), limit)

    def _keys(self, source: SourceRelation, needed: Needed) -> list[str]:
        if not needed.is_bound:
            return []
        if not source.table.is_listed:
            return sorted(needed.keys or ())
        index = self._stores[source.table.name].index() if self._contexts.of(source) else ()
        if not source.key:
            return list(index) if needed.keys is None else []
        return [key for key in index if needed.keys is None or key in needed.keys]

    def _rank(self, choice: Choice) -> tuple[bool, bool, bool, int]:
        needed = choice.needed
        return not needed.is_bound, self._is_better_later(choice), not needed.is_final, choice.pages

    def _is_better_later(self, choice: Choice) -> bool:
        """Whether another occurrence is read bit by bit for a LIMIT, and then says which pages of this are needed."""
        return any(
            choice.source in limit.block.sources
            and choice.source not in limit.drivers
            and choice.pages > limit.rows + limit.passed
            and not all(map(self._state.is_read, limit.drivers))
            for limit in self._limits
        )


def _describe_unbound(source: SourceRelation) -> str:
    table, key = source.table, source.table.key
    return (
        f"{table.name}: its pages are found by {key}, and nothing in the query says which; name them, as in WHERE "
        f"{source.alias}.{key} = '{table.example or '...'}' or {key} IN (...), or join a table that has them: "
        f"... JOIN {table.name} ON {table.name}.{key} = other.column"
    )
