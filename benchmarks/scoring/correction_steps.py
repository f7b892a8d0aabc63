"""Count the correction steps from the structure that a method finds on a page to the right one, as the paper does.

"Each time the user has to manually correct a token (i.e., add or delete a token) or correct a rule in the grammar
describing the nesting hierarchy of sections, it is counted as one correction step" (Ashish and Knoblock, section 3).

Tokens are corrected first.  Each heading on the page is a token, even if its text occurs again.  Found and wanted
tokens are aligned by name, in page order, as a longest common subsequence; the rest must be deleted or added.

Rules are counted once the tokens are right.  A rule is a section with all of its children, as in Figure 3, and is one
step however many of its children are wrong; moving a child corrects two rules.  Equal paths are one section, so a
repeated section has one rule.  A token that was added is assumed to be put where it belongs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webquarry.model.names import snake_case
from webquarry.model.wrapper import Section

Path = tuple[str, ...]
"""The headings from the outermost section to its own, as on the page or in snake case."""
Nest = Callable[[Sequence[int]], Sequence[Path]]
"""Nests the tokens of some numbers again, and returns their paths."""
_ROOT = -1


@dataclass(frozen=True)
class StepCount:
    """The corrections that a page needs."""

    deleted: int
    """Tokens found that are not headings."""
    added: int
    """Tokens that were not found."""
    rules: int
    """Rules of the grammar that are wrong once the tokens are right."""
    misplaced: int
    """Sections with a wrong parent then; not counted as steps, as a rule is corrected as a whole."""

    @property
    def total(self) -> int:
        """The correction steps of the paper."""
        return self.deleted + self.added + self.rules


def count_steps(found: Sequence[Path], wanted: Sequence[Path], *, nest: Nest | None = None) -> StepCount:
    """Count the steps from a found outline to the wanted one, each given as paths in page order.

    A method that nests again once the tokens are corrected gives `nest`; otherwise a section whose parent is deleted
    goes to the next section outside.
    """
    found, wanted = list(map(_normal, found)), list(map(_normal, wanted))
    pairs = match_names([path[-1] for path in found], [path[-1] for path in wanted])
    places = dict(pairs)
    if nest is None:
        holders = _kept_parents(_parents(found), places)
    else:
        kept = _parents(list(map(_normal, nest([number for number, _ in pairs]))))
        holders = {
            place: pairs[parent][1] if parent >= 0 else _ROOT for (_, place), parent in zip(pairs, kept, strict=True)
        }
    right = dict(enumerate(_parents(wanted)))
    said = right | holders
    rules, said_rules = _rules(wanted, right), _rules(wanted, said)
    return StepCount(
        deleted=len(found) - len(pairs),
        added=len(wanted) - len(pairs),
        rules=sum(rules.get(path) != said_rules.get(path) for path in rules | said_rules),
        misplaced=len({wanted[place] for place in right if _path(wanted, right[place]) != _path(wanted, said[place])}),
    )


def outline(grammar: Section) -> list[Path]:
    """List the paths of a grammar's sections, by first heading where they were renamed, joined or numbered."""
    found: dict[Path, Path] = {(): ()}
    for path, section in grammar.walk():
        found[path] = (*found[path[:-1]], section.headings[0] if section.headings else section.name)
    return list(found.values())[1:]


def match_names(found: Sequence[str], wanted: Sequence[str]) -> list[tuple[int, int]]:
    """Pair the positions of a longest common subsequence.

    Time grows with the number of equal pairs: a few for each name on real pages.
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(wanted):
        places.setdefault(name, []).append(place)
    ends: list[int] = []  # for each length the first position where a common subsequence can end
    chains: list[_Chain] = []
    for number, name in enumerate(found):
        for place in reversed(places.get(name, [])):
            length = bisect_left(ends, place)
            chain = (number, place, chains[length - 1] if length else None)
            ends[length : length + 1] = [place]
            chains[length : length + 1] = [chain]
    return _unchained(chains[-1] if chains else None)


_Chain = tuple[int, int, "_Chain | None"]


def _unchained(chain: _Chain | None) -> list[tuple[int, int]]:
    pairs = []
    while chain is not None:
        pairs.append(chain[:2])
        chain = chain[2]
    return pairs[::-1]


def _normal(path: Path) -> Path:
    return tuple(map(snake_case, path))


def _parents(paths: Sequence[Path]) -> list[int]:
    """Find the position of each path's parent, the last one before it."""
    parents: list[int] = []
    open_places: list[int] = []
    for place, path in enumerate(paths):
        while open_places and paths[open_places[-1]] != path[:-1]:
            open_places.pop()
        parents.append(open_places[-1] if open_places else _ROOT)
        open_places.append(place)
    return parents


def _kept_parents(parents: Sequence[int], places: dict[int, int]) -> dict[int, int]:
    """Map the wanted position of each kept token to that of the nearest kept token around it."""
    nearest: list[int] = []  # for each found token, itself or else the next kept one outside
    holders = {}
    for number, parent in enumerate(parents):
        holder = nearest[parent] if parent >= 0 else _ROOT
        if number in places:
            holders[places[number]] = holder
        nearest.append(places.get(number, holder))
    return holders


def _path(paths: Sequence[Path], place: int) -> Path:
    return paths[place] if place >= 0 else ()


def _rules(paths: Sequence[Path], parents: dict[int, int]) -> dict[Path, set[str]]:
    """Map the path of each section with children to their names."""
    rules: dict[Path, set[str]] = {}
    for place, parent in parents.items():
        rules.setdefault(_path(paths, parent), set()).add(paths[place][-1])
    return rules
