"""Tell which pieces are of one kind, and split those of a kind into columns if records have several of them.

A key (tag path and cell) often matches several values of a record.  They are separated by style, class names, icons,
units, what precedes them and fixed texts, and at last by their order.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import compress, pairwise

import numpy as np
from numpy.typing import NDArray

from webquarry.html.tables import MAX_WIDTH, read_span
from webquarry.html.visibility import CELLS
from webquarry.mining.piece_texts import class_of
from webquarry.mining.record_pieces import Pieces, record_paths
from webquarry.model.document import Document
from webquarry.model.nouns import once
from webquarry.page.leaves import Leaves, number_values
from webquarry.values.units import dimension_of, same_unit, unit_in

STYLE = ("font-size", "font-weight", "color")  # what most makes texts of one tag path look different
MIN_SHARE_OF_FIXED_TEXT = 0.3  # the same for a fixed text: the caption of a button, not a word that happens to recur
MAX_SHARE_OF_TAG = 0.8  # of the records, for one of several tags; captions and buttons are on nearly all
MIN_RECURRING = 0.8  # share of a group's pieces that must have a trait that recurs
MAX_PARTS = 50

MAX_SLOTS = 24  # columns; a record with more pieces of one kind holds a list
MIN_LIST_LENGTH = 3  # pieces of the longest list; where records have at most two, the second is mostly optional
MIN_RECORDS_WITH_SLOTS = 3  # what only one of so many has several times is a list
MIN_REGULAR = (
    0.6  # share of the pieces in a place that look like most there: in lists all places look alike, or none is regular
)
MAX_COMPARED_LENGTH = 400  # characters of texts that are compared by their looks, about five lines
MIN_MOVING = 3  # different words that are now in one part of a group and now in another
MIN_LINE_OF_PROSE = 40  # characters of a line on average; shorter ones are facts below each other
MAX_INTERRUPTED = 0.2  # share of the records in which other pieces may come between pieces of a list
_EARLIER_BONUS = 0.01  # prefers the earlier of two slots when nothing else decides

MAX_NODES_OF_ICON = 12  # nodes between an icon and the text behind it
_ICON_TAGS = frozenset(["i", "path", "svg", "use"])
_ICON_ATTRIBUTES = ("class", "href", "xlink:href", "aria-label", "d")

_TAG_CLASS = re.compile(r"(?:tag|chip|pill|keyword|genre|skill|topic|amenity|amenitie)s?(?:$|[^a-z])", re.IGNORECASE)
MIN_SPACES_OF_NOTE = 2  # on average; shorter points are facts
_AMOUNT = re.compile(r"[^\w\s]?\s?\d")  # a sign may be before the digits
_COMMAS = frozenset([",", ";", "&", "\u060c", "\u3001"])
_DIGITS = re.compile(r"\d+")
_NO_NUMBER = re.compile(r"^[-\u2013\u2014]{1,3}(?= )")  # a dash before a unit
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
    keys = ((path if cell in crowded else None, cell) for path, cell in zip(paths, cells, strict=True))
    found: list[int] = number_values(keys).tolist()
    return found


@once
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
    """Split a group by style, then class names, icons, units, what precedes each piece, and fixed texts.

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
    groups = [part for each in groups for part in _split_by_icons(pieces, each)]
    groups = [part for each in groups for part in _split_by_units(pieces, each)]
    if all(_is_even(pieces, each) for each in groups):
        return groups
    groups = [part for each in groups for part in _split_caption(pieces, each)]
    groups = [part for each in groups for part in _split(pieces, each, _before(pieces, each, keys))]
    return [part for each in groups for part in _split_fixed(pieces, each)]


def _is_even(pieces: Pieces, group: Group) -> bool:
    """Tell whether all records have the same number of pieces of a group, so that their order tells them apart."""
    counts = Counter(map(pieces.records.__getitem__, group))
    return len(counts) == len(pieces.spans) and len(set(counts.values())) == 1


def _split_kinds(pieces: Pieces, group: Group) -> list[Group]:
    """Split amounts from words in their place, if their class names differ too: `12 EUR`, `sold out`.

    Numbers among a majority of words may be part of these; amounts of money are separated from words in any case.
    """
    amounts = [
        piece
        for piece in group
        if pieces.has_digits[piece] and (_AMOUNT.match(pieces.texts[piece]) or pieces.is_money(piece))
    ]
    if 2 * len(amounts) < len(group):
        amounts = [piece for piece in amounts if pieces.is_money(piece)]
    if not amounts or len(amounts) == len(group):
        return [group]
    others = set(group).difference(amounts)
    shared = {class_of(pieces, piece) for piece in amounts} & {class_of(pieces, piece) for piece in others}
    return [group] if shared else [amounts, sorted(others)]


def split_percentages(pieces: Pieces, group: Group) -> list[Group]:
    """Split percentages from money: some records have a discount where others have the price."""
    percentages = [piece for piece in group if pieces.texts[piece].endswith("%")]
    if not percentages or not any(map(pieces.is_money, group)):
        return [group]
    return [sorted(set(group).difference(percentages)), percentages]


def _is_single(pieces: Pieces, group: Group) -> bool:
    """Tell whether no record has two pieces of a group."""
    return _count_records(pieces, group) == len(group)


def _split(pieces: Pieces, group: Group, trait: Trait) -> list[Group]:
    if _is_single(pieces, group):
        return [group]
    parts: dict[Hashable, Group] = defaultdict(list)
    for piece in group:
        parts[trait(piece)].append(piece)
    if len(parts) > MAX_PARTS or _are_mixed(pieces, parts.values()):
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


def _split_fixed(pieces: Pieces, group: Group) -> list[Group]:
    if _is_single(pieces, group):
        return [group]
    records = _count_records(pieces, group)
    counts = Counter(pieces.texts[piece] for piece in group)
    least = max(2, MIN_SHARE_OF_FIXED_TEXT * records)
    fixed = {text for text, count in counts.items() if count >= least and text}
    common = MAX_SHARE_OF_TAG if len(fixed) >= MIN_MOVING else 0.5
    if max(counts.values()) <= common * records:
        return [group]  # tags, of which none is on most records
    parts: dict[str, Group] = defaultdict(list)
    for piece in group:
        text = pieces.texts[piece]
        parts[text if text in fixed else ""].append(piece)
    others = len(parts.get("", ()))
    return list(parts.values()) if others <= (1 - MIN_RECURRING) * len(group) else [group]


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


def _split_by_icons(pieces: Pieces, group: Group) -> list[Group]:
    """Split a group by what is drawn just before each piece, a bed or a star, if something is before most of them."""
    if _is_single(pieces, group):
        return [group]
    icons = _find_icons(pieces)
    drawn = sum(map(bool, map(icons, group)))
    return _split(pieces, group, icons) if 2 * drawn > len(group) else [group]


def _find_icons(pieces: Pieces) -> Trait:
    document = pieces.document

    def icons(piece: int) -> Hashable:
        before, node = piece - 1, pieces.nodes[piece]
        low = pieces.nodes[before] + (not pieces.is_image[before]) if before >= 0 else 0  # it may be the icon itself
        between = range(max(low, pieces.spans[pieces.records[piece]][0], node - MAX_NODES_OF_ICON), node)
        is_drawn = [document.tag(each) in _ICON_TAGS and document.ends.item(each) <= node for each in between]
        drawn = [document.attributes[each] for each in compress(between, is_drawn)]
        return tuple(tuple(own.get(name, "") for name in _ICON_ATTRIBUTES) for own in drawn)

    return icons


def _split_by_units(pieces: Pieces, group: Group) -> list[Group]:
    """Split a group by what its numbers count or measure, such as `3 rooms` and `62 m²`, if units recur."""
    if _is_single(pieces, group):
        return [group]
    by_unit: dict[str, Group] = {}
    for piece in group:
        text = pieces.texts[piece]
        unit = unit_in(text) if pieces.has_digits[piece] else unit_in(_NO_NUMBER.sub("0", text))
        unit = dimension_of(unit) or unit  # `40 min`, `1 h`
        known = next((each for each in by_unit if each == unit or (unit and each and same_unit(each, unit))), unit)
        by_unit.setdefault(known, []).append(piece)
    others = by_unit.pop("", [])
    recurring = [part for part in by_unit.values() if _count_records(pieces, part) > 1 and not _is_tag(pieces, part)]
    measured = sum(map(len, by_unit.values()))
    if not recurring or sum(map(len, recurring)) < MIN_RECURRING * measured:
        return [group]
    if _is_even(pieces, group) and all(_have_one_place(pieces, group, part) for part in recurring):
        return [group]  # their order tells them apart, also those without a number: `12 months`, `none`
    kept = {piece for part in recurring for piece in part}
    rest = sorted([*others, *(piece for part in by_unit.values() for piece in part if piece not in kept)])
    return [*recurring, rest] if rest else recurring


def _is_tag(pieces: Pieces, part: Group) -> bool:
    """Tell whether some records say the same of several, and others nothing: one of a list of tags, as `2200 W`."""
    texts = {pieces.texts[piece] for piece in part}
    return len(texts) == 1 and MIN_LIST_LENGTH <= len(part) < len(pieces.spans)


def _split_caption(pieces: Pieces, group: Group) -> list[Group]:
    """Split a caption that few records lack from numbers of one form, one a record: `Author`, `Published 1995`."""
    captions = [piece for piece in group if not pieces.has_digits[piece]]
    others = [piece for piece in group if pieces.has_digits[piece]]
    is_caption = 2 * len(captions) > len(pieces.spans) and len({pieces.texts[piece] for piece in captions}) == 1
    if not is_caption or len({_skeleton(pieces.texts[piece]) for piece in others}) != 1:
        return [group]
    return [captions, others] if all(_is_single(pieces, part) for part in (captions, others)) else [group]


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
    if size == 1 or size > MAX_SLOTS or _are_lines_of_cells(pieces, column):
        return [column]
    if len(column) == 1 < MIN_RECORDS_WITH_SLOTS <= len(pieces.spans):
        return [column]
    if len(sizes) == 1:
        slots = [{record: [members[place]] for record, members in column.items()} for place in range(size)]
        return [column] if _are_shuffled(pieces, slots) else slots
    if _is_list(pieces, column, size) or _is_prose(pieces, column) or _has_commas(pieces, column):
        return [column]
    slots = _place_in_slots(pieces, column, size, find_neighbours())
    return [column] if _are_shuffled(pieces, slots) else slots


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


def _is_prose(pieces: Pieces, column: Column) -> bool:
    """Tell whether a column has the lines of texts that are broken by hand."""
    members = [piece for several in column.values() for piece in several]
    is_long = sum(len(pieces.texts[piece]) for piece in members) >= MIN_LINE_OF_PROSE * len(members)
    return is_long and all(are_lines(pieces, several) for several in column.values())


def _are_lines_of_cells(pieces: Pieces, column: Column) -> bool:
    """Tell whether a column has the lines of cells, whose header then names them all."""
    document = pieces.document
    return all(
        document.tag(pieces.owners[members[0]]) in CELLS and are_lines(pieces, members) for members in column.values()
    )


def _has_commas(pieces: Pieces, column: Column) -> bool:
    """Tell whether commas separate the pieces of each record, as those of authors; numbers may mean several things."""
    if are_amounts(pieces, [piece for members in column.values() for piece in members]) is not False:
        return False
    lists = [members for members in column.values() if len(members) > 1]
    return all(is_comma_between(pieces, one, other) for members in lists for one, other in pairwise(members))


def is_comma_between(pieces: Pieces, one: int, other: int) -> bool:
    """Tell whether two pieces follow each other on a line, with a comma or the like between them."""
    if other != one + 1 or pieces.lines[one] != pieces.lines[other]:
        return False
    written = pieces.document.texts[pieces.nodes[other]].lstrip()[:1]  # the comma may begin the text of the other
    return pieces.text_between(one, other) in _COMMAS or written in _COMMAS


def _is_list(pieces: Pieces, column: Column, size: int) -> bool:
    if _lead_to_one_folder(pieces, column) or _are_tags(pieces, column):
        return True
    if size < MIN_LIST_LENGTH and not _change_places(pieces, column):
        return False
    interrupted = sum(members[-1] - members[0] >= len(members) for members in column.values())
    lists = sum(len(members) > 1 for members in column.values())
    return interrupted <= MAX_INTERRUPTED * lists and not _is_regular(pieces, column, size)


def _are_tags(pieces: Pieces, column: Column) -> bool:
    """Tell whether pieces are tags by their class, or notes of some words in the points of a list."""
    members = [piece for each in column.values() for piece in each]
    if any(pieces.has_digits[piece] for piece in members):
        return False
    if all(_TAG_CLASS.search(class_of(pieces, piece)) for piece in members):
        return True
    are_points = all(pieces.document.tag(pieces.owners[piece]) == "li" for piece in members)
    return are_points and sum(pieces.texts[piece].count(" ") for piece in members) >= MIN_SPACES_OF_NOTE * len(members)


def _lead_to_one_folder(pieces: Pieces, column: Column) -> bool:
    """Tell whether all pieces are links to different pages of one folder, such as `/tag/`: they are of one kind."""
    addresses = {_address_of(pieces, piece) for members in column.values() for piece in members}
    folders = {address.split("?")[0].rpartition("/")[0] for address in addresses}
    return len(addresses) > 1 and len(folders) == 1 and folders.pop().strip("/") != ""


def _address_of(pieces: Pieces, piece: int) -> str:
    """Return the address of the link that a text fills, as it is written; empty if there is none."""
    document, node = pieces.document, pieces.owners[piece]
    link = node if document.tag(node) == "a" else document.parents.item(node)
    return document.attributes[link].get("href", "") if document.tag(link) == "a" else ""


def _change_places(pieces: Pieces, column: Column) -> bool:
    """Tell whether a text that comes first in one record comes second in another, as tags do."""
    seconds = {pieces.texts[members[1]] for members in column.values() if len(members) > 1}
    shared = seconds.intersection(pieces.texts[members[0]] for members in column.values())
    return any(not any(map(str.isdigit, text)) for text in shared)


def _are_shuffled(pieces: Pieces, slots: Sequence[Column]) -> bool:
    """Tell whether most words that recur do so in several slots, so that their order says nothing."""
    return _are_mixed(pieces, ([piece for members in slot.values() for piece in members] for slot in slots))


def _are_mixed(pieces: Pieces, parts: Iterable[Group]) -> bool:
    """Tell whether most words that recur do so in several parts, which then say nothing about them."""
    parts_of: dict[str, list[int]] = defaultdict(list)
    for number, part in enumerate(parts):
        for piece in part:
            if not pieces.has_digits[piece] and pieces.texts[piece]:
                parts_of[pieces.texts[piece]].append(number)
    recurring = [numbers for numbers in parts_of.values() if len(numbers) > 1]
    moving = sum(len(set(numbers)) > 1 for numbers in recurring)
    return moving >= MIN_MOVING and 2 * moving > len(recurring)


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


def join_captions(pieces: Pieces, columns: Sequence[Column], links: Sequence[int]) -> list[list[Column]]:
    """Group adjacent linked columns with fixed texts, such as a row of buttons; other columns stay alone."""
    joined: list[list[Column]] = []
    for column in columns:
        if joined and _follows(pieces, joined[-1][-1], column, links):
            joined[-1].append(column)
        else:
            joined.append([column])
    return joined


def is_fixed(pieces: Pieces, column: Column) -> bool:
    """Tell whether a column has the same text in all of several records."""
    if len(column) == 1:
        return False
    texts = pieces.texts
    text = texts[first_piece(column)]
    return all(texts[piece] == text for members in column.values() for piece in members)


def _follows(pieces: Pieces, column: Column, after: Column, links: Sequence[int]) -> bool:
    if column.keys() != after.keys() or not is_fixed(pieces, column) or not is_fixed(pieces, after):
        return False
    pairs = [(column[record][-1], members[0]) for record, members in after.items()]
    return all(
        last + 1 == first and pieces.lines[last] == pieces.lines[first] and min(links[last], links[first]) >= 0
        for last, first in pairs
    )
