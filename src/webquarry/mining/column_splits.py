"""Splitting: pieces of one key parted by what else tells them apart, as far as the records need it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence

import numpy as np

from webquarry.mining.record_pieces import Pieces

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


# MERGED mining/fields/slots: Slots: pieces that only their order tells apart, given to columns so that a mis
MOST_SLOTS = 24
"""Columns; a record with more pieces of one kind holds a list."""
SMALLEST_LIST = 3
"""Pieces of the longest list; where records have at most two, the second is an optional part."""
REGULAR = 0.6
"""Of the pieces in a place, those that look like most there: in a list every place looks alike, or none is regular."""
APART = 0.2
"""Of the records, those in which other pieces may stand between pieces of a list."""
_EARLIER = 0.01
"""How little the earlier of two slots is preferred when nothing else tells."""

_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]+(?:[ .'\u2019-]+[^\W\d_]+)*\.?")

Column = dict[int, list[int]]
"""For each record that has a value the pieces of it."""


def fill_slots(pieces: Pieces, column: Column, neighbours: Sequence[tuple[int, int]]) -> list[Column]:
    """The columns that pieces of one kind fall into: one when they are a list, else one a slot.

    Records with all slots filled show what stands in each; pieces of others go, in order, where they fit best by
    their neighbours and their look.
    """
    sizes = set(map(len, column.values()))
    size = max(sizes)
    if size == 1 or size > MOST_SLOTS:
        return [column]
    if len(sizes) == 1:
        return [{record: [members[place]] for record, members in column.items()} for place in range(size)]
    if _is_list(pieces, column, size):
        return [column]
    slots: list[Column] = [{} for _ in range(size)]
    known = [Counter[Hashable]() for _ in range(size)]
    for members in column.values():
        if len(members) == size:
            for counts, piece in zip(known, members, strict=True):
                counts.update(_looks(pieces, piece, neighbours))
    for record, members in column.items():
        places: Sequence[int] = range(size)
        if len(members) < size:
            fits = [
                [sum(counts[look] for look in _looks(pieces, piece, neighbours)) for counts in known]
                for piece in members
            ]
            places = _best_places(fits)
        for place, piece in zip(places, members, strict=True):
            slots[place][record] = [piece]
    return slots


def _is_list(pieces: Pieces, column: Column, size: int) -> bool:
    counts = Counter(map(len, column.values()))
    if size < SMALLEST_LIST:
        return False
    apart = sum(members[-1] - members[0] >= len(members) for members in column.values())
    return apart <= APART * (len(column) - counts[1]) and not _is_regular(pieces, column, size)


def _is_regular(pieces: Pieces, column: Column, size: int) -> bool:
    """Whether places differ from each other more than records do: `38 KB - 2017-02-06 - Cached`."""
    seen = [Counter[str]() for _ in range(size)]
    for members in column.values():
        for counts, piece in zip(seen, members, strict=False):
            counts[_skeleton(pieces.texts[piece])] += 1
    seen = [counts for counts in seen if counts.total() > 1]
    tops = [counts.most_common(1)[0] for counts in seen]
    regular = sum(count for _, count in tops) >= REGULAR * sum(counts.total() for counts in seen)
    return regular and len({look for look, _ in tops}) > 1


def _skeleton(text: str) -> str:
    """A text without what differs between values of a kind: `12 May 2017` and `3 July 2016` are both `0 a 0`."""
    return _WORDS.sub("a", _DIGITS.sub("0", text))


def _looks(pieces: Pieces, piece: int, neighbours: Sequence[tuple[int, int]]) -> tuple[Hashable, ...]:
    before, after = neighbours[piece]
    text = pieces.texts[piece]
    return ("before", before), ("after", after), _skeleton(text), ("text", text)


def _best_places(fits: list[list[int]]) -> list[int]:
    """An ever higher place for each row, so that what they fit there adds up to the most.

    >>> _best_places([[0, 3, 0], [0, 1, 1]])
    [1, 2]
    """
    size, many = len(fits[0]), len(fits)
    best = [[0.0] * (size + 1)]
    for row, scores in enumerate(fits):
        line = [float("-inf")] * (size + 1)
        for place in range(row, size - (many - row - 1)):
            here = best[row][place] + scores[place] - _EARLIER * place
            line[place + 1] = max(line[place], here)
        best.append(line)
    places, place = [], size
    for row in range(many, 0, -1):
        while best[row][place] == best[row][place - 1]:
            place -= 1
        place -= 1
        places.append(place)
    return places[::-1]


# MERGED mining/fields/captions: Captions: links side by side that say the same in every record, as a row of
def join_captions(pieces: Pieces, columns: Sequence[Column], links: Sequence[int]) -> list[list[Column]]:
    """The columns, each alone or together with the captions on its line that follow it in all records."""
    joined: list[list[Column]] = []
    for column in columns:
        if joined and _follows(pieces, joined[-1][-1], column, links):
            joined[-1].append(column)
        else:
            joined.append([column])
    return joined


def is_fixed(pieces: Pieces, column: Column) -> bool:
    """Whether a column has the same text in all of several records."""
    if len(column) == 1:
        return False
    text = pieces.texts[next(iter(column.values()))[0]]
    for members in column.values():
        for piece in members:
            if pieces.texts[piece] != text:  # most columns tell at once
                return False
    return True


def _follows(pieces: Pieces, column: Column, after: Column, links: Sequence[int]) -> bool:
    if column.keys() != after.keys() or not is_fixed(pieces, column) or not is_fixed(pieces, after):
        return False
    return all(_is_next(pieces, column[record], members, links) for record, members in after.items())


def _is_next(pieces: Pieces, members: list[int], after: list[int], links: Sequence[int]) -> bool:
    last, first = members[-1], after[0]
    return last + 1 == first and pieces.lines[last] == pieces.lines[first] and min(links[last], links[first]) >= 0
