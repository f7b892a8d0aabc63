"""Fields: the records of a region aligned in columns, named and typed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from itertools import compress

from webquarry.html.urls import Resolver, make_resolver
from webquarry.mining.cells import Cells, Seen, alternative_cells, image_cells, link_cells, text_cells
from webquarry.mining.column_names import (
    LINK,
    TEXT,
    TITLE,
    Labels,
    find_heading,
    find_labels,
    name_columns,
    unique_names,
)
from webquarry.mining.column_splits import (
    Column,
    Group,
    are_amounts,
    fill_slots,
    find_classes,
    find_styles,
    join_captions,
    split_group,
)
from webquarry.mining.record_pieces import Pieces, find_keys, find_pieces
from webquarry.model.document import Document
from webquarry.model.region import Field
from webquarry.page.leaves import Leaves, find_leaves
from webquarry.page.links import find_links
from webquarry.values.column_values import read_column
from webquarry.values.locale import Locale, find_locale
from webquarry.values.text_value import Value

# MERGED mining/fields/alignment: Alignment: which pieces of different records are values of one column.
MOST_COLUMNS = 100
"""What is in none of the commonest is joined in one more: so that a table has some bound on any page."""


def align_pieces(pieces: Pieces, keys: Sequence[Hashable], styles: Sequence[Hashable]) -> list[Column]:
    """The columns, in the order of the page."""
    by_key: dict[Hashable, Group] = defaultdict(list)
    for piece, key in enumerate(keys):
        by_key[key].append(piece)
    classes = find_classes(pieces)
    groups = [part for group in by_key.values() for part in split_group(pieces, group, keys, styles, classes)]
    neighbours = _neighbours(pieces, groups)
    columns: list[Column] = []
    for group in groups:
        column: Column = {}
        for piece in group:
            column.setdefault(pieces.records[piece], []).append(piece)
        columns += fill_slots(pieces, column, neighbours)
    return _in_order(pieces, _bound(columns))


def _neighbours(pieces: Pieces, groups: list[Group]) -> list[tuple[int, int]]:
    """For each piece the groups of the ones before and after it in its record; -1 where it is the first or last."""
    group_of = [0] * len(pieces)
    for number, group in enumerate(groups):
        for piece in group:
            group_of[piece] = number
    records = [-1, *pieces.records, -1]
    around = [-1, *group_of, -1]
    return [
        (
            around[place - 1] if records[place - 1] == records[place] else -1,
            around[place + 1] if records[place + 1] == records[place] else -1,
        )
        for place in range(1, len(pieces) + 1)
    ]


def _bound(columns: list[Column]) -> list[Column]:
    if len(columns) <= MOST_COLUMNS:
        return columns
    by_size = sorted(columns, key=len, reverse=True)
    rest: Column = {}
    for column in by_size[MOST_COLUMNS:]:
        for record, members in column.items():
            rest.setdefault(record, []).extend(members)
    return [*by_size[:MOST_COLUMNS], {record: sorted(members) for record, members in rest.items()}]


def _in_order(pieces: Pieces, columns: list[Column]) -> list[Column]:
    """Columns as the longest records have them; what only others have stands after what precedes it there."""
    column_of = [0] * len(pieces)
    for number, column in enumerate(columns):
        for members in column.values():
            for piece in members:
                column_of[piece] = number
    sequences: dict[int, dict[int, None]] = defaultdict(dict)
    for piece, number in enumerate(column_of):
        sequences[pieces.records[piece]].setdefault(number)
    following: dict[int, int | None] = {-1: None}
    for sequence in sorted(sequences.values(), key=len, reverse=True):
        last = -1
        for each in sequence:
            if each not in following:
                following[each], following[last] = following[last], each
            last = each
    ordered = []
    place = following[-1]
    while place is not None:
        ordered.append(columns[place])
        place = following[place]
    return ordered


# MERGED mining/fields/variants: Variants: columns of which no record has both, and which look and stand the
# MERGED
# MERGED Some records of a page are built a little differently: a price is wrapped once more, a title is no l
# MERGED two facts in the same format of which every record has one only.
NEAR = 1.0
"""Pieces by which the places of variants may differ on average, from the start of records or from their end."""
MOST_COMPARED = 50
"""Columns of one look."""


def join_variants(pieces: Pieces, columns: Sequence[Column], look: Callable[[int], Hashable]) -> list[Column]:
    """The columns, variants joined with the larger of them; what is given tells the look of a piece."""
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for number, column in enumerate(columns):
        alike[look(_first(column))].append(number)
    if len(alike) == len(columns):
        return list(columns)
    joined, places = [dict(column) for column in columns], _places(pieces)
    for numbers in alike.values():
        if len(numbers) > 1:
            _join_alike(pieces, joined, sorted(numbers, key=lambda number: -len(columns[number])), places)
    return [column for column in joined if column]


def _join_alike(pieces: Pieces, columns: list[Column], numbers: list[int], places: Sequence[tuple[int, int]]) -> None:
    """Join each column with the first of the larger ones that shares no record with it and is near."""
    kept: list[int] = []
    for number in numbers:
        column = columns[number]
        larger = next((other for other in kept if _may_join(pieces, columns[other], column, places)), None)
        if larger is not None:
            columns[larger] |= column
            columns[number] = {}
        elif len(kept) < MOST_COMPARED:
            kept.append(number)


def _may_join(pieces: Pieces, one: Column, other: Column, places: Sequence[tuple[int, int]]) -> bool:
    if not one.keys().isdisjoint(other):
        return False
    if all(abs(_mean(one, places, side) - _mean(other, places, side)) > NEAR for side in (0, 1)):
        return False
    firsts = [[members[0] for members in column.values()] for column in (one, other)]
    kinds = {are_amounts(pieces, group) for group in firsts}
    if kinds == {True}:  # a duration is no date with words around it
        return _are_bare(pieces, firsts[0]) == _are_bare(pieces, firsts[1])
    return kinds != {True, False}


def _are_bare(pieces: Pieces, group: list[int]) -> bool:
    """Whether there are no letters in any text."""
    return not any(any(map(str.isalpha, pieces.texts[piece])) for piece in group)


def _places(pieces: Pieces) -> list[tuple[int, int]]:
    """For each piece how many of its record stand before it, and how many after."""
    bounds: dict[int, list[int]] = {}
    for piece, record in enumerate(pieces.records):
        bounds.setdefault(record, [piece, piece])[1] = piece
    return [(piece - bounds[record][0], bounds[record][1] - piece) for piece, record in enumerate(pieces.records)]


def _mean(column: Column, places: Sequence[tuple[int, int]], side: int) -> float:
    return sum(places[members[0]][side] for members in column.values()) / len(column)


def _first(column: Column) -> int:
    return next(iter(column.values()))[0]


ColumnGroup = list[Column]
"""Columns whose texts are one value."""
Reading = tuple[str, tuple[Value | None, ...]]
"""The type of a column, and what its texts say."""


def align_fields(
    document: Document,
    spans: Sequence[tuple[int, int]],
    leaves: Leaves | None = None,
    locale: Locale | None = None,
) -> tuple[Field, ...]:
    """The columns of records, in the order of the page.

    Leaves and locale of the document are found when they are not given: give them when it has several regions.
    Every text that is seen in a record is in one value; mere separators between texts are in none.
    """
    if not spans:
        return ()
    leaves = find_leaves(document) if leaves is None else leaves
    pieces = find_pieces(document, spans, leaves)
    if not len(pieces):
        return ()
    keys = find_keys(pieces, leaves)
    labels, links, styles = (
        find_labels(pieces, keys),
        find_links(document, pieces.owners, min(spans)[0]),
        find_styles(pieces),
    )
    columns = align_pieces(pieces, list(zip(keys, labels.names, labels.is_label, strict=True)), styles)
    columns = join_variants(pieces, columns, _look(pieces, labels, links, styles))
    groups = join_captions(pieces, columns, links)
    resolve = make_resolver(document)
    cells = _fill_cells(pieces, labels, groups, resolve)
    readings = _read(pieces, groups, cells, locale)
    names = name_columns(pieces, labels, links, groups, [kind for kind, _ in readings])
    fields = _make_fields(names, readings, cells, _fill_links(pieces, groups, names, links, resolve))
    return _alternatives(pieces, groups) + fields if all(pieces.is_image) else fields


def _look(
    pieces: Pieces, labels: Labels, links: Sequence[int], styles: Sequence[Hashable]
) -> Callable[[int], Hashable]:
    """What variants of one column share: the level of a heading, which may be a link or not; else all that is seen."""
    tags = pieces.document.tags

    def look(piece: int) -> Hashable:
        label = labels.names[piece], labels.is_label[piece]
        if not pieces.is_image[piece] and (heading := find_heading(pieces, piece)):
            return heading, label
        tag = int(tags[pieces.owners[piece]])
        return tag, pieces.is_image[piece], styles[piece], label, links[piece] >= 0

    return look


def _fill_cells(pieces: Pieces, labels: Labels, groups: list[ColumnGroup], resolve: Resolver) -> list[Cells]:
    """The texts and images of columns; where records have no text at all, what stands for the images."""
    seen: Seen = set()
    return [
        image_cells(pieces, group[0], resolve, seen) if _is_image(pieces, group) else text_cells(pieces, labels, group)
        for group in groups
    ]


def _is_image(pieces: Pieces, group: ColumnGroup) -> bool:
    return pieces.is_image[next(iter(group[0].values()))[0]]


def _read(pieces: Pieces, groups: list[ColumnGroup], cells: list[Cells], locale: Locale | None) -> list[Reading]:
    """The types of columns, and what their texts say."""
    if locale is None:
        locale = find_locale(pieces.document.language, compress(pieces.texts, pieces.has_digits))
    readings: list[Reading] = []
    for group, column in zip(groups, cells, strict=True):
        if _is_image(pieces, group):
            readings.append(("image", ()))
        else:
            readings.append(read_column(column.values, locale) or (TEXT, ()))
    return readings


def _fill_links(
    pieces: Pieces, groups: list[ColumnGroup], names: Sequence[str], links: Sequence[int], resolve: Resolver
) -> list[list[Cells]]:
    """For each group the addresses that its columns lead to; what repeats those of the title is left out."""
    seen: Seen = set()
    linked: list[list[Cells]] = [[] for _ in groups]
    for place in sorted(range(len(groups)), key=lambda place: names[place] != TITLE):
        linked[place] = [link_cells(pieces, column, links, resolve, seen) for column in groups[place]]
    return linked


def _alternatives(pieces: Pieces, groups: list[ColumnGroup]) -> tuple[Field, ...]:
    """For records without any text, what stands for their images."""
    for group in groups:
        cells = alternative_cells(pieces, group[0])
        if cells:
            return (_make_field(TITLE, (TEXT, ()), cells),)
    return ()


def _make_fields(
    names: Sequence[str], readings: list[Reading], cells: list[Cells], linked: list[list[Cells]]
) -> tuple[Field, ...]:
    drafts: list[tuple[str, Reading, Cells]] = []
    for name, reading, column, addresses in zip(names, readings, cells, linked, strict=True):
        drafts.append((name, reading, column))
        link = LINK if name == TITLE or reading[0] == "image" else f"{name}_{LINK}"
        drafts += [(link, ("link", ()), each) for each in addresses]
    drafts = [draft for draft in drafts if draft[2]]
    unique = unique_names([name for name, _, _ in drafts])
    return tuple(_make_field(name, reading, column) for name, (_, reading, column) in zip(unique, drafts, strict=True))


def _make_field(name: str, reading: Reading, cells: Cells) -> Field:
    return Field(name, reading[0], tuple(cells.values), tuple(cells.nodes), reading[1])
