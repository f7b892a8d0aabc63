"""Tell which pieces are of one kind, and split those of a kind into columns if records have several of them.

A key (tag path and cell) often matches several values of a record.  They are separated by style, class names, units
and what precedes them, and at last by their order.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from webquarry.html.tables import MAX_WIDTH, read_span
from webquarry.html.visibility import CELLS
from webquarry.mining.record_pieces import Pieces, record_paths
from webquarry.model.document import Document
from webquarry.page.leaves import Leaves
from webquarry.values.cldr_dates import find_month, read_relative_date
from webquarry.values.text_value import Locale, fold
from webquarry.values.units import dimension_of, same_unit, unit_in

STYLE = ("font-size", "font-weight", "color")  # what most makes texts of one tag path look different
MIN_RECURRING = 0.8  # share of a group's pieces that must have a trait that recurs
MAX_PARTS = 50

MAX_SLOTS = 24  # columns; a record with more pieces of one kind holds a list
MIN_LIST_LENGTH = 3  # pieces of the longest list; where records have at most two, the second is mostly optional
MIN_REGULAR = (
    0.6  # share of the pieces in a place that look like most there: in lists all places look alike, or none is regular
)
MAX_COMPARED_LENGTH = 400  # characters of texts that are compared by their looks, about five lines
MAX_INTERRUPTED = 0.2  # share of the records in which other pieces may come between pieces of a list
_EARLIER_BONUS = 0.01  # prefers the earlier of two slots when nothing else decides


_AMOUNT = re.compile(r"[^\w\s]?\s?\d")  # a sign may be before the digits
_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]+(?:[ .'\u2019-]+[^\W\d_]+)*\.?")

Group = list[int]
"""Pieces."""
Column = dict[int, list[int]]
"""The pieces of each record that has a value."""
Trait = Callable[[int], Hashable]


def first_piece(column: Column) -> int:
    """Return the first piece of the first record that has any."""
    return next(iter(column.values()))[0]


def find_keys(pieces: Pieces, leaves: Leaves) -> list[int]:
    """Number the keys of pieces: tag path below the record, cell in its row, and text or image.

    Where no record has two pieces in a cell, the cell alone tells the column: some names are links, others are not.
    """
    paths = record_paths(leaves, pieces.tops[pieces.records], np.array(pieces.owners)).tolist()
    cells = list(zip(find_cells(pieces), pieces.is_image, strict=True))
    counts = Counter(zip(cells, pieces.records, strict=True))
    crowded = {cell for (cell, _), count in counts.items() if count > 1 or cell[0] < 0}
    codes: dict[tuple[int | None, tuple[int, bool]], int] = {}
    keys = ((path if cell in crowded else None, cell) for path, cell in zip(paths, cells, strict=True))
    return [codes.setdefault(key, len(codes)) for key in keys]


def find_cells(pieces: Pieces) -> list[int]:
    """Return for each piece the place of its cell, if the row is the record or in it; else -1.

    Cells that reach down from earlier rows are not counted.
    """
    document, spans = pieces.document, pieces.spans
    low, high = min(first for first, _ in spans), max(stop for _, stop in spans)
    cells = document.has_tag(CELLS, slice(low, high)).nonzero()[0] + low
    if not len(cells):
        return [-1] * len(pieces)
    owners = np.array(pieces.owners, dtype=np.int64)
    firsts = np.array(spans, dtype=np.int64)[pieces.records, 0]
    places = np.array(places_in_rows(document, cells), dtype=np.int64)
    last = np.maximum(np.searchsorted(cells, owners, side="right") - 1, 0)
    cell = cells[last]
    holds = (cell <= owners) & (owners < document.ends[cell]) & (document.parents[cell] >= firsts)
    found: list[int] = np.where(holds, places[last], -1).tolist()
    return found


def places_in_rows(document: Document, cells: NDArray[np.int64]) -> list[int]:
    """Return for each cell its place in its row, in columns of the table."""
    filled: dict[int, int] = {}
    places = []
    for cell, row in zip(cells.tolist(), document.parents[cells].tolist(), strict=True):
        places.append(filled.get(row, 0))
        filled[row] = places[-1] + (read_span(document.attributes[cell].get("colspan", ""), MAX_WIDTH) or 1)
    return places


def split_group(
    pieces: Pieces, group: Group, keys: Sequence[Hashable], styles: Sequence[Hashable], classes: Trait
) -> list[Group]:
    """Split a group by style, then class names, units and what precedes each piece.

    A group with at most one piece a record stays whole: a price in red is still a price.  In a single record no trait
    recurs.
    """
    if len(pieces.spans) == 1:
        return [group]
    if _is_single(pieces, group):
        return _split_kinds(pieces, group)
    groups = [group]
    for trait in (styles.__getitem__, classes):
        groups = [part for each in groups for part in _split(pieces, each, trait)]
    groups = [part for each in groups for part in _split_by_units(pieces, each)]
    if all(_is_even(pieces, each) for each in groups):
        return groups
    return [part for each in groups for part in _split(pieces, each, _before(pieces, each, keys))]


def _is_even(pieces: Pieces, group: Group) -> bool:
    """Tell whether all records have the same number of pieces of a group, so that their order tells them apart."""
    counts = Counter(map(pieces.records.__getitem__, group))
    return len(counts) == len(pieces.spans) and len(set(counts.values())) == 1


def _split_kinds(pieces: Pieces, group: Group) -> list[Group]:
    """Split amounts from words in their place, if their class names differ too: `12 EUR`, `sold out`.

    Numbers among a majority of words may be part of these; amounts of money are separated from words in any case.
    """
    amounts = [piece for piece in group if _AMOUNT.match(pieces.texts[piece]) or pieces.is_money(piece)]
    if 2 * len(amounts) < len(group):
        amounts = [piece for piece in amounts if pieces.is_money(piece)]
    if not amounts or len(amounts) == len(group):
        return [group]
    others = set(group).difference(amounts)
    shared = {class_of(pieces, piece) for piece in amounts} & {class_of(pieces, piece) for piece in others}
    return [group] if shared else [amounts, sorted(others)]


def _is_single(pieces: Pieces, group: Group) -> bool:
    """Tell whether no record has two pieces of a group."""
    return _count_records(pieces, group) == len(group)


def _split(pieces: Pieces, group: Group, trait: Trait) -> list[Group]:
    if _is_single(pieces, group):
        return [group]
    parts: dict[Hashable, Group] = defaultdict(list)
    for piece in group:
        parts[trait(piece)].append(piece)
    if len(parts) > MAX_PARTS:
        return [group]
    recurring = sum(len(part) for part in parts.values() if _count_records(pieces, part) > 1)
    return _join_disjoint(pieces, list(parts.values())) if recurring >= MIN_RECURRING * len(group) else [group]


def _join_disjoint(pieces: Pieces, parts: list[Group]) -> list[Group]:
    """Merge parts that never occur together in a record, unless one is numeric and the other text."""
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
    """Tell whether all texts have digits; None if only some have."""
    found = {pieces.has_digits[piece] for piece in group}
    return found.pop() if len(found) == 1 else None


def _count_records(pieces: Pieces, group: Group) -> int:
    return len(set(map(pieces.records.__getitem__, group)))


def _before(pieces: Pieces, group: Group, keys: Sequence[Hashable]) -> Trait:
    """Key each piece by what precedes its run of the group: title, authors; year, edition."""
    before: dict[int, Hashable] = {}
    for last, piece in zip([-1, *group], group, strict=False):
        if last >= 0 and last + 1 == piece and pieces.records[last] == pieces.records[piece]:
            before[piece] = before[last]
        else:
            starts = piece == 0 or pieces.records[piece - 1] != pieces.records[piece]
            before[piece] = None if starts else keys[piece - 1]
    return before.__getitem__


def find_styles(pieces: Pieces) -> list[int]:
    """Number the text styles of pieces; all the same without a layout."""
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
    """Make a function that numbers the class names around a piece within its record.

    The class of the record itself does not count: it may be odd or even.
    """
    attributes, parents = pieces.document.attributes, pieces.document.parents
    known: dict[int, int] = {}
    codes: dict[tuple[str | None, int], int] = {}

    def classes(piece: int) -> int:
        node, first = pieces.owners[piece], pieces.spans[pieces.records[piece]][0]
        inner = []
        while node > first and node not in known:
            inner.append(node)
            node = parents.item(node)
        code = known[node] if node > first else -1
        for element in reversed(inner):
            name = attributes[element].get("itemprop") or attributes[element].get("class")
            code = known[element] = codes.setdefault((name, code), len(codes))
        return code

    return classes


def _split_by_units(pieces: Pieces, group: Group) -> list[Group]:
    """Split a group by what its numbers count or measure, such as `3 rooms` and `62 m²`, if units recur."""
    if _is_single(pieces, group):
        return [group]
    by_unit: dict[str, Group] = {}
    for piece in group:
        unit = unit_in(pieces.texts[piece]) if pieces.has_digits[piece] else ""
        unit = dimension_of(unit) or unit  # `40 min`, `1 h`
        known = next((each for each in by_unit if each == unit or (unit and each and same_unit(each, unit))), unit)
        by_unit.setdefault(known, []).append(piece)
    others = by_unit.pop("", [])
    recurring = [part for part in by_unit.values() if _count_records(pieces, part) > 1]
    measured = sum(map(len, by_unit.values()))
    if not recurring or sum(map(len, recurring)) < MIN_RECURRING * measured:
        return [group]
    if _is_even(pieces, group) and all(_have_one_place(pieces, group, part) for part in recurring):
        return [group]  # their order tells them apart, also those without a number: `12 months`, `none`
    kept = {piece for part in recurring for piece in part}
    rest = sorted([*others, *(piece for part in by_unit.values() for piece in part if piece not in kept)])
    return [*recurring, rest] if rest else recurring


def _have_one_place(pieces: Pieces, group: Group, part: Group) -> bool:
    """Tell whether the pieces of a part have the same place among those of the group in all records."""
    firsts: dict[int, int] = {}
    for place, piece in enumerate(group):
        firsts.setdefault(pieces.records[piece], place)
    places = {piece: place for place, piece in enumerate(group)}
    return len({places[piece] - firsts[pieces.records[piece]] for piece in part}) == 1


def fill_slots(
    pieces: Pieces, column: Column, find_neighbours: Callable[[], Sequence[tuple[int, int]]]
) -> list[Column]:
    """Split pieces that only their order tells apart: into one column if they are a list, else one a slot.

    Records with all slots filled show what belongs in each; pieces of other records go, in order, where their
    neighbours and looks fit best, so that a missing value does not shift the others.
    """
    sizes = set(map(len, column.values()))
    size = max(sizes)
    if size == 1 or size > MAX_SLOTS:
        return [column]
    if len(sizes) == 1:
        return [{record: [members[place]] for record, members in column.items()} for place in range(size)]
    if _is_list(pieces, column, size):
        return [column]
    return _place_in_slots(pieces, column, size, find_neighbours())


def _place_in_slots(pieces: Pieces, column: Column, size: int, neighbours: Sequence[tuple[int, int]]) -> list[Column]:
    """Put pieces into slots by the neighbours and looks of those in records that fill all."""
    slots: list[Column] = [{} for _ in range(size)]
    known = [Counter[Hashable]() for _ in range(size)]
    for members in column.values():
        if len(members) == size:
            for counts, piece in zip(known, members, strict=True):
                counts.update(_looks(pieces, piece, neighbours))
    for record, members in column.items():
        places: Sequence[int] = range(size)
        if len(members) < size:
            looks = [_looks(pieces, piece, neighbours) for piece in members]
            places = _best_places([[sum([counts[look] for look in each]) for counts in known] for each in looks])
        for place, piece in zip(places, members, strict=True):
            slots[place][record] = [piece]
    return slots


def are_lines(pieces: Pieces, members: Sequence[int]) -> bool:
    """Tell whether pieces are lines of one text: their element is the same."""
    return len({pieces.owners[piece] for piece in members}) == 1


def _is_list(pieces: Pieces, column: Column, size: int) -> bool:
    if size < MIN_LIST_LENGTH:
        return False
    interrupted = sum(members[-1] - members[0] >= len(members) for members in column.values())
    lists = sum(len(members) > 1 for members in column.values())
    return interrupted <= MAX_INTERRUPTED * lists and not _is_regular(pieces, column, size)


def _is_regular(pieces: Pieces, column: Column, size: int) -> bool:
    """Tell whether places differ from each other more than records do: `38 KB - 2017-02-06 - Cached`."""
    seen = [Counter[str]() for _ in range(size)]
    for members in column.values():
        for counts, piece in zip(seen, members, strict=False):
            counts[_skeleton(pieces.texts[piece])] += 1
    seen = [counts for counts in seen if counts.total() > 1]
    tops = [counts.most_common(1)[0] for counts in seen]
    regular = sum(count for _, count in tops) >= MIN_REGULAR * sum(counts.total() for counts in seen)
    return regular and len({look for look, _ in tops}) > 1


def _skeleton(text: str) -> str:
    """Reduce a text to what values of a kind share: `12 May 2017` and `3 July 2016` are both `0 a 0`."""
    return _WORDS.sub("a", _DIGITS.sub("0", text[:MAX_COMPARED_LENGTH]))


def _looks(pieces: Pieces, piece: int, neighbours: Sequence[tuple[int, int]]) -> tuple[Hashable, ...]:
    before, after = neighbours[piece]
    text = pieces.texts[piece]
    return ("before", before), ("after", after), _skeleton(text), ("text", text)


def _best_places(fits: list[list[int]]) -> list[int]:
    """Choose rising places for the rows so that the sum of their fits is highest.

    >>> _best_places([[0, 3, 0], [0, 1, 1]])
    [1, 2]
    """
    size, many = len(fits[0]), len(fits)
    best = [[0.0] * (size + 1)]
    for row, scores in enumerate(fits):
        line = [float("-inf")] * (size + 1)
        for place in range(row, size - (many - row - 1)):
            here = best[row][place] + scores[place] - _EARLIER_BONUS * place
            line[place + 1] = max(line[place], here)
        best.append(line)
    places, place = [], size
    for row in range(many, 0, -1):
        while best[row][place] == best[row][place - 1]:
            place -= 1
        place -= 1
        places.append(place)
    return places[::-1]


def is_fixed(pieces: Pieces, column: Column) -> bool:
    """Tell whether a column has the same text in all of several records."""
    if len(column) == 1:
        return False
    text = pieces.texts[first_piece(column)]
    return all(pieces.texts[piece] == text for members in column.values() for piece in members)


MIN_SEPARATED = 0.8  # share of the texts of one key and class with bars, for these to separate facts
_BARS = re.compile(r" [|\u00b7] ")
_DASH = re.compile(r" [-\u2013\u2014\u2022] ")
_BARS_AND_DASHES = re.compile(r" [|\u00b7\u2013\u2014\u2022-] ")
_RATED = re.compile(r"\D{0,3}\d{1,2}(?:[.,]\d+)?\s?\([\d.,]+[kKmM]?\)")
_BEFORE_COUNT = re.compile(r"(?:\s|(?<=\d))(?=\([\d.,]+[kKmM]?\)$)")
_NUMERIC_DAY = re.compile(r"\b\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d)?(?!\d)|\b\d{4}-\d\d-\d\d\b")
_CLOCK = re.compile(r"\b\d{1,2}(?:[:.h]\d\d\b| ?[ap]\.?m\b)", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
MAX_LENGTH_OF_MOMENT = 40  # characters of a date or time
_ANY_DAY = date(2000, 1, 1)


def split_separated(pieces: Pieces, keys: Sequence[Hashable]) -> Pieces:
    """Split texts such as `2 rooms | Berlin` and `4.5 (120)` where nearly all texts of their key and class are such.

    A dash separates a date from what is not one: `Berlin - 3 May`.
    """
    marked = {
        piece
        for piece, text in enumerate(pieces.texts)
        if (" " in text and _BARS_AND_DASHES.search(text)) or (text[-1:] == ")" and _RATED.fullmatch(text))
    }
    if not marked:
        return pieces
    members: dict[Hashable, list[int]] = defaultdict(list)
    for piece, key in enumerate(keys):
        members[key, class_of(pieces, piece)].append(piece)
    marks: dict[int, re.Pattern[str]] = {}
    for group in members.values():
        if len(group) > 1 and not marked.isdisjoint(group):
            mark = _find_mark(pieces, group)
            marks |= dict.fromkeys(group, mark) if mark else {}
    if not marks:
        return pieces
    parts = [(piece, part) for piece in range(len(pieces)) for part in _parts(pieces, piece, marks)]
    kept = [piece for piece, _ in parts]
    return replace(
        pieces,
        texts=[part for _, part in parts],
        records=[pieces.records[piece] for piece in kept],
        owners=[pieces.owners[piece] for piece in kept],
        nodes=[pieces.nodes[piece] for piece in kept],
        lines=[pieces.lines[piece] for piece in kept],
        is_image=[pieces.is_image[piece] for piece in kept],
    )


def class_of(pieces: Pieces, piece: int) -> str:
    """Return the class of the element around a text, or of the one that holds it."""
    names, owner = pieces.document.values_of("class"), pieces.owners[piece]
    return names.get(owner) or names.get(pieces.document.parents.item(owner), "")


def _find_mark(pieces: Pieces, group: Sequence[int]) -> re.Pattern[str] | None:
    texts, least = [pieces.texts[piece] for piece in group], MIN_SEPARATED * len(group)
    if sum(_BARS.search(text) is not None for text in texts) >= least:
        return _BARS
    if sum(_RATED.fullmatch(text) is not None for text in texts) >= least:
        return _BEFORE_COUNT
    pairs = [_DASH.split(text) for text in texts]
    if sum(len(pair) == 2 for pair in pairs) < least:
        return None
    is_moment = moment_reader(pieces.document.language)
    counts: Counter[tuple[bool, ...]] = Counter()
    for pair in pairs:
        counts[tuple(map(is_moment, pair)) if len(pair) == 2 else ()] += 1
        possible = len(pairs) - counts.total()
        if max(counts[True, False], counts[False, True]) + possible < least:  # usually after a text or two
            return None
    return _DASH


def _parts(pieces: Pieces, piece: int, marks: dict[int, re.Pattern[str]]) -> list[str]:
    text = pieces.texts[piece]
    parts = marks[piece].split(text) if piece in marks else [text]
    return [part.strip() for part in parts] if all(parts) else [text]


def moment_reader(language: str) -> Callable[[str], bool]:
    """Make a function that tells whether a text is a date or a time."""
    is_day = day_reader(language)
    return lambda text: len(text) <= MAX_LENGTH_OF_MOMENT and (_CLOCK.search(text) is not None or is_day(text))


@lru_cache(maxsize=128)
def day_reader(language: str) -> Callable[[str], bool]:
    """Make a function that tells whether a text is a date, also one without a year or as `yesterday at 9:15`."""
    locale = Locale(language=language, today=_ANY_DAY)

    def is_day(text: str) -> bool:
        if not text or len(text) > MAX_LENGTH_OF_MOMENT:
            return False
        plain = fold(text)
        if read_relative_date(plain, locale) or read_relative_date(plain.partition(" ")[0].strip(",."), locale):
            return True
        has_number = any(map(str.isdigit, text))
        return has_number and (
            _NUMERIC_DAY.search(text) is not None or any(find_month(word, language) for word in _LETTERS.findall(text))
        )

    return is_day
