"""How many of the standard's tree-construction cases come out right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.datfiles import TreeCase
from benchmarks.dumps import outline
from benchmarks.systems import System


@dataclass(frozen=True)
class TreeScore:
    """Shares of the cases; `exact` is None for trees that cannot hold all that a case asks for."""

    exact: float | None
    lenient: float
    failures: tuple[str, ...] = ()


def documents(cases: Iterable[TreeCase]) -> list[TreeCase]:
    """The cases that are whole documents and read without scripting."""
    return [case for case in cases if not case.is_fragment and not case.is_scripted]


def score_trees(system: System, cases: list[TreeCase]) -> TreeScore:
    """The score of a system; a case on which it raises counts as wrong."""
    exact = lenient = 0
    failures = []
    for case in cases:
        try:
            dump = system.dump(case.markup)
        except Exception as error:  # noqa: BLE001 - whatever a peer raises, it gave no tree
            failures.append(f"{case.markup!r}: {error!r}")
            continue
        is_exact = dump == case.tree
        exact += is_exact
        lenient += is_exact or outline(dump) == outline(case.tree)
        if not is_exact:
            failures.append(repr(case.markup))
    return TreeScore(exact / len(cases) if system.HAS_EXACT_TREE else None, lenient / len(cases), tuple(failures))
