"""Splitting: pieces of one key parted by what else tells them apart, as far as the records need it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence

import numpy as np

from webquarry.mining.fields.pieces import Pieces

STYLE = ("font-size", "font-weight", "color")
"""What most makes texts of one tag path look different."""
RECURS = 0.1
"""Of the records, those that a trait must be found in to be one of a column, and no accident of some."""
FIXED = 0.3
"""The same for a text that is a column of its own: the caption of a button, not a word that happens to recur."""
MOSTLY = 0.8
"""Of the pieces of a group, those that must have a trait that recurs."""
MOST_PARTS = 50

Group = list[int]
"""Pieces."""
Trait = Callable[[int], Hashable]


def split_group(
    pieces: Pieces, group: Group, keys: Sequence[Hashable], styles: Sequence[Hashable], classes: Trait
) -> list[Group]:
    """The groups that a group falls into by style, then class names, then fixed texts.

    A group that no record has two pieces of stays whole: a price in red is still a price.
    """
    if _is_single(pieces, group):
        return _split_kinds(pieces, group, classes)
    groups = [group]
    for trait in (styles.__getitem__, classes):
        groups = [part for each in groups for part in _split(pieces, each, trait)]
    groups = [part for each in groups for part in _split(pieces, each, _before(pieces, each, keys))]
    return [part for each in groups for part in _split_fixed(pieces, each)]


def _split_kinds(pieces: Pieces, group: Group, classes: Trait) -> list[Group]:
    """Amounts and the words that stand in their place, when their class names differ too: `12 EUR`, `sold out`."""
    amounts = [piece for piece in group if pieces.has_digits[piece]]
    if len(amounts) == len(group) or 2 * len(amounts) < len(group):
        return [group]
    others = set(group).difference(amounts)
    shared = {classes(piece) for piece in amounts} & {classes(piece) for piece in others}
    return [group] if shared else [amounts, sorted(others)]


def _is_single(pieces: Pieces, group: Group) -> bool:
    """Whether no record has two pieces of a group."""
    return _records_of(pieces, group) == len(group)


def _split(pieces: Pieces, group: Group, trait: Trait) -> list[Group]:
    if _is_single(pieces, group):
        return [group]
    parts: dict[Hashable, Group] = defaultdict(list)
    for piece in group:
        parts[trait(piece)].append(piece)
    if len(parts) > MOST_PARTS:
        return [group]
    least = max(2, RECURS * _records_of(pieces, group))
    recurring = sum(len(part) for part in parts.values() if _records_of(pieces, part) >= least)
    return _join_disjoint(pieces, list(parts.values())) if recurring >= MOSTLY * len(group) else [group]


def _join_disjoint(pieces: Pieces, parts: list[Group]) -> list[Group]:
    """Parts of which no record has two, joined: they are one column in another dress, unless of amounts and words."""
    joined: list[tuple[Group, set[int], bool | None]] = []
    for part in sorted(parts, key=len, reverse=True):
        records, kind = {pieces.records[piece] for piece in part}, are_amounts(pieces, part)
        for group, known, known_kind in joined:
            if known.isdisjoint(records) and {kind, known_kind} != {True, False}:
                group.extend(part)
                known.update(records)
                break
        else:
            joined.append((list(part), records, kind))
    return [sorted(group) for group, _, _ in joined]


def are_amounts(pieces: Pieces, group: Group) -> bool | None:
    """Whether all texts have digits in them; None when some have."""
    found = {pieces.has_digits[piece] for piece in group}
    return found.pop() if len(found) == 1 else None


def _split_fixed(pieces: Pieces, group: Group) -> list[Group]:
    if _is_single(pieces, group):
        return [group]
    least = max(2, FIXED * _records_of(pieces, group))
    fixed = {text for text, count in Counter(pieces.texts[piece] for piece in group).items() if count >= least and text}
    parts: dict[str, Group] = defaultdict(list)
    for piece in group:
        text = pieces.texts[piece]
        parts[text if text in fixed else ""].append(piece)
    others = len(parts.get("", ()))
    return list(parts.values()) if others <= (1 - MOSTLY) * len(group) else [group]


def _records_of(pieces: Pieces, group: Group) -> int:
    return len({pieces.records[piece] for piece in group})


def _before(pieces: Pieces, group: Group, keys: Sequence[Hashable]) -> Trait:
    """The key of what stands before the run of the group that a piece is in: title, authors; year, edition."""
    before: dict[int, Hashable] = {}
    for last, piece in zip([-1, *group], group, strict=False):
        if last >= 0 and last + 1 == piece and pieces.records[last] == pieces.records[piece]:
            before[piece] = before[last]
        else:
            starts = piece == 0 or pieces.records[piece - 1] != pieces.records[piece]
            before[piece] = None if starts else keys[piece - 1]
    return before.__getitem__


def find_styles(pieces: Pieces) -> list[int]:
    """For each piece what its letters look like; all the same without a layout."""
    layout = pieces.document.layout
    if layout is None:
        return [0] * len(pieces)
    columns = [layout.properties.index(name) for name in STYLE]
    styles = layout.styles[pieces.owners]
    codes = np.zeros(len(pieces), dtype=np.int64)
    for column in columns:
        codes = codes * (len(layout.values) + 1) + styles[:, column]
    return codes.tolist()


def find_classes(pieces: Pieces) -> Trait:
    """For a piece a number that tells the class names of the elements around it in its record.

    That of the record itself does not count: it may be odd or even.
    """
    attributes, parents = pieces.document.attributes, pieces.document.parents
    known: dict[int, int] = {}
    codes: dict[tuple[str | None, int], int] = {}

    def classes(piece: int) -> int:
        node, first = pieces.owners[piece], pieces.spans[pieces.records[piece]][0]
        inner = []
        while node > first and node not in known:
            inner.append(node)
            node = int(parents[node])
        code = known[node] if node > first else -1
        for element in reversed(inner):
            name = attributes[element].get("itemprop") or attributes[element].get("class")
            code = known[element] = codes.setdefault((name, code), len(codes))
        return code

    return classes
