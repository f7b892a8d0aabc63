"""Align the records of a region in columns, named and typed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import compress

import numpy as np

from webquarry.html.urls import IMAGE_ATTRIBUTES, Resolver, largest, make_resolver
from webquarry.mining.column_choice import drop_controls, drop_copies, join_badges, join_lists, join_rare, join_variants
from webquarry.mining.column_drafts import (
    Cells,
    Draft,
    Reading,
    UnseenValues,
    draft_bare_links,
    draft_headings,
    draft_ratings,
    draft_unseen,
    leads_apart,
    read_stated_dates,
    to_numbers,
    type_led_numbers,
    widen,
)
from webquarry.mining.column_labels import Labels, find_exclusive_range, find_group_headings, find_labels, find_leads
from webquarry.mining.column_names import (
    LINK,
    TEXT,
    TITLE,
    Naming,
    name_columns,
)
from webquarry.mining.column_splits import (
    Column,
    Group,
    are_lines,
    fill_slots,
    find_classes,
    find_keys,
    find_styles,
    first_piece,
    join_captions,
    split_group,
    split_percentages,
)
from webquarry.mining.piece_texts import join_dates, join_headings, join_written, split_labelled, split_separated
from webquarry.mining.record_pieces import Pieces, find_pieces
from webquarry.mining.title_column import complete_title, find_heading
from webquarry.model.document import Document
from webquarry.model.names import distinct
from webquarry.model.table_columns import Field
from webquarry.page.column_words import is_called_old
from webquarry.page.leaves import INLINE_TAGS, Leaves, find_leaves
from webquarry.page.looks import are_struck
from webquarry.values.column_values import read_column
from webquarry.values.text_value import Locale, Value, find_locale
from webquarry.values.units import same_unit

MAX_COLUMNS = 100  # the rest is joined in one more, so that tables have a bound on any page
_PART_OF_PAGE = re.compile(r"#(?![/!]).*", re.DOTALL)  # `#/` and `#!` begin pages that scripts make
MIN_LINKED = 0.5  # share of the records with the link of a picture, for it to be that of the record
MAX_LEVELS_OF_LINK = 4  # elements between a record and a link around it

ColumnGroup = list[Column]
"""Columns whose texts make one value."""
Key = tuple[int, str | None, bool, bool]
"""What pieces of one column share: tag path and cell, label, whether they are labels, and whether struck through."""
_FIRST = (TITLE, LINK)


def align_fields(
    document: Document, spans: Sequence[tuple[int, int]], leaves: Leaves | None = None, locale: Locale | None = None
) -> tuple[Field, ...]:
    """Align records in columns: title and link, then the others in page order.

    Pass leaves and locale if a document has several regions; else they are found here.  A visible text of a record is
    in one value at most: buttons, labels, copies of other values and marks between texts are in none.
    """
    if not spans:
        return ()
    leaves = find_leaves(document) if leaves is None else leaves
    pieces = join_dates(join_headings(join_written(find_pieces(document, spans, leaves), leaves)))
    if not len(pieces):
        return ()
    keys = find_keys(pieces, leaves)
    for split in (split_labelled, split_separated):
        separated = split(pieces, keys)
        if separated is not pieces:
            pieces, keys = separated, find_keys(separated, leaves)
    labels, links = find_labels(pieces, keys), find_links(document, pieces.owners, min(spans)[0])
    struck = _find_struck(pieces)
    groups = _find_columns(pieces, keys, labels, links, struck)
    is_image = [pieces.is_image[first_piece(group[0])] for group in groups]
    resolve = make_resolver(document)
    cells = _fill(pieces, labels, groups, is_image, resolve)
    if locale is None:
        locale = find_locale(document.language, compress(pieces.texts, pieces.has_digits))
        locale = replace(locale, today=document.received)
    readings = _read(pieces, groups, cells, is_image, locale)
    types, is_struck = [kind for kind, _ in readings], [struck[first_piece(group[0])] for group in groups]
    dearer = _find_dearer(readings) if document.layout is None or not any(struck) else set()
    typed = {place for place, kind in enumerate(types) if kind != TEXT}
    leads = find_leads(pieces, [group[0] for group in groups], links)
    dropped = drop_controls(pieces, groups, labels, links, leads=leads, keep=typed)
    dropped.update(_find_icons(cells, is_image))
    units = [_common_unit(values) if kind == "number" else "" for kind, values in readings]
    names = name_columns(Naming(pieces, labels, links, groups, types, units, is_struck, dearer, leads, dropped))
    prices = {place: values for place, (kind, values) in enumerate(readings) if kind == "money"}
    dropped |= drop_copies([column.values for column in cells], names, prices)
    linked = _link_cells(pieces, groups, names, links, resolve)
    for place in dropped:
        cells[place] = _empty_cells(pieces)
    drafts = _draft_fields(names, readings, cells, linked)
    if all(pieces.is_image):
        drafts = _alternative_titles(pieces, groups) + drafts
    whole = widen(document, spans, leaves)
    headings = draft_headings(find_group_headings(document, spans, leaves), locale)
    unseen = UnseenValues(document, whole)
    drafts = draft_ratings(document, unseen, type_led_numbers(drafts))
    captions = {f"{names[place]}_{LINK}" for place in dropped}
    drafts = draft_bare_links(document, whole, drafts, captions, resolve)
    return _make_fields(drafts + headings + draft_unseen(whole, unseen, drafts, resolve))


def _find_columns(
    pieces: Pieces, keys: Sequence[int], labels: Labels, links: Sequence[int], struck: Sequence[bool]
) -> list[ColumnGroup]:
    """Align pieces in columns, join those that are one to a reader, and group captions."""
    styles = find_styles(pieces)
    columns = align_pieces(pieces, list(zip(keys, labels.names, labels.is_label, struck, strict=True)), styles)
    columns = join_variants(pieces, columns, _look_of(pieces, labels, links, styles, struck))
    columns = join_variants(pieces, columns, _holder_of(pieces, labels, links))
    columns = join_lists(pieces, columns)
    columns = join_rare(pieces, complete_title(pieces, columns, links), labels)
    return join_captions(pieces, join_badges(pieces, columns, labels, links), links)


def _find_struck(pieces: Pieces) -> list[bool]:
    """Tell for each piece whether it is an amount of money that is struck through, or said to be old: `was £12`."""
    struck = [False] * len(pieces)
    amounts = [piece for piece in range(len(pieces)) if pieces.is_money(piece)]
    if amounts:
        marked = are_struck(pieces.document, np.array(pieces.owners, dtype=np.int64)[amounts]).tolist()
        for piece, is_marked in zip(amounts, marked, strict=True):
            struck[piece] = is_marked or is_called_old(pieces.texts[piece])
    return struck


def _find_dearer(readings: Sequence[Reading]) -> set[int]:
    """Find columns of prices that are always higher than the price that most records have.

    Where style sheets are missing, a price that is struck through is told by this alone.  Only some records have it,
    or it is beside the price in all of them and nothing says what else it is.
    """
    prices = {place: to_numbers(values) for place, (kind, values) in enumerate(readings) if kind == "money"}
    if len(prices) < 2:
        return set()
    first = min(prices, key=lambda place: (prices[place].count(None), sum(filter(None, prices[place]))))
    now = prices.pop(first)
    found = set()
    for place, numbers in prices.items():
        if any(each and each.note and each.note.startswith("/") for each in readings[place][1]):
            continue  # the price of a kilogram
        is_bare = abs(place - first) == 1 and not any(each and each.note for each in readings[place][1])
        if numbers.count(None) <= now.count(None) and not is_bare:
            continue
        pairs = [(one, other) for one, other in zip(numbers, now, strict=True) if one is not None and other is not None]
        if len(pairs) > 1 and all(one > other for one, other in pairs):
            found.add(place)
    return found


def _common_unit(values: Sequence[Value | None]) -> str:
    """Return the unit that all numbers of a column share, in its commonest form; empty if there is none."""
    units = Counter(value.unit or "" for value in values if value is not None)
    unit = units.most_common(1)[0][0] if units else ""
    return unit if unit and all(same_unit(unit, other) for other in units) else ""


def align_pieces(pieces: Pieces, keys: Sequence[Key], styles: Sequence[Hashable]) -> list[Column]:
    """Align pieces in columns: those of one key, split where records need several columns of them.

    Several values with one label are a list.
    """
    by_key: dict[Key, Group] = defaultdict(list)
    for piece, key in enumerate(keys):
        by_key[key].append(piece)
    classes = find_classes(pieces)
    lists = [group for (_, label, is_label, _), group in by_key.items() if label is not None and not is_label]
    others = [group for (_, label, is_label, _), group in by_key.items() if label is None or is_label]
    groups = [
        kind
        for group in others
        for part in split_group(pieces, group, keys, styles, classes)
        for kind in split_percentages(pieces, part)
    ]
    neighbours = cache(partial(_neighbours, pieces, groups + lists))  # few pages need them
    slots = [slot for group in groups for slot in fill_slots(pieces, _to_column(pieces, group), neighbours)]
    return _in_order(pieces, _limit(slots + [_to_column(pieces, group) for group in lists]))


def _to_column(pieces: Pieces, group: Group) -> Column:
    column: Column = {}
    for piece in group:
        column.setdefault(pieces.records[piece], []).append(piece)
    return column


def _neighbours(pieces: Pieces, groups: list[Group]) -> list[tuple[int, int]]:
    """Return for each piece the groups of the pieces before and after it in its record; -1 at the ends."""
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


def _limit(columns: list[Column]) -> list[Column]:
    if len(columns) <= MAX_COLUMNS:
        return columns
    by_size = sorted(columns, key=len, reverse=True)
    rest: Column = {}
    for column in by_size[MAX_COLUMNS:]:
        for record, members in column.items():
            rest.setdefault(record, []).extend(members)
    return [*by_size[:MAX_COLUMNS], {record: sorted(members) for record, members in rest.items()}]


def _in_order(pieces: Pieces, columns: list[Column]) -> list[Column]:
    """Order columns as the longest records have them; put others after what precedes them in their records."""
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


def _look_of(
    pieces: Pieces, labels: Labels, links: Sequence[int], styles: Sequence[Hashable], struck: Sequence[bool]
) -> Callable[[int], Hashable]:
    """Describe what variants of a column share.

    Amounts of money share only whether they are struck through, headings their level, other texts all that is visible.
    """
    tags, in_button = pieces.document.tags, _find_in_buttons(pieces)

    def look(piece: int) -> Hashable:
        label = labels.names[piece], labels.is_label[piece]
        if label == (None, False) and pieces.is_price(piece):
            return "money", struck[piece]
        if not pieces.is_image[piece] and (heading := find_heading(pieces, piece)):
            return heading, label
        tag = int(tags[pieces.owners[piece]])
        return tag, pieces.is_image[piece], styles[piece], label, links[piece] >= 0, in_button[piece]

    return look


def _find_in_buttons(pieces: Pieces) -> list[bool]:
    """Tell for each piece whether it is in a button; these do not nest."""
    owners, buttons = np.array(pieces.owners, dtype=np.int64), np.flatnonzero(pieces.document.has_tag(["button"]))
    if not len(buttons):
        return [False] * len(owners)
    last = np.maximum(0, np.searchsorted(buttons, owners, side="right") - 1)
    found: list[bool] = ((buttons[last] <= owners) & (owners < pieces.document.ends[buttons[last]])).tolist()
    return found


def _holder_of(pieces: Pieces, labels: Labels, links: Sequence[int]) -> Callable[[int], Hashable]:
    """Describe the element around the words of a text: some records may wrap the same fact once more, or emphasise it.

    It is the innermost one that has a class, is not inline, or holds another piece too.  A link and plain words are
    often two things.
    """
    document, paths = pieces.document, find_leaves(pieces.document).paths
    inline = document.has_tag(INLINE_TAGS)

    def holder(piece: int) -> Hashable:
        if pieces.is_image[piece] or pieces.is_money(piece):  # a kind of its own
            return piece
        low, high = find_exclusive_range(pieces, piece)
        node = pieces.owners[piece]
        while inline[node] and not document.attributes[node].get("class") and node > low:
            parent = document.parents.item(node)
            if parent <= low or document.ends.item(parent) > high:
                break
            node = parent
        around = int(paths[node]), document.attributes[node].get("class", "")
        return *around, labels.names[piece], labels.is_label[piece], links[piece] >= 0

    return holder


def _fill(
    pieces: Pieces, labels: Labels, groups: list[ColumnGroup], is_image: Sequence[bool], resolve: Resolver
) -> list[Cells]:
    """Fill columns with texts and with addresses of images; an image that a record shows twice counts once."""
    seen: set[tuple[int, str]] = set()
    return [
        _image_cells(pieces, group[0], resolve, seen) if has_images else _text_cells(pieces, labels, group)
        for group, has_images in zip(groups, is_image, strict=True)
    ]


def _find_icons(cells: Sequence[Cells], is_image: Sequence[bool]) -> set[int]:
    """Find columns of pictures that are none of a record's own: drawings without an address, and shared pictures.

    A picture that records share beside one of their own is an icon, or a placeholder for one that loads later.
    """
    pictures = {place for place, has_images in enumerate(is_image) if has_images}
    shown = {place: [value for value in cells[place].values if value] for place in pictures}
    drawn = {place for place, values in shown.items() if not values}
    shared = {place for place, values in shown.items() if len(set(values)) == 1 < len(values)}
    return drawn | shared if any(leads_apart(cells[place]) for place in pictures - shared) else drawn


def _empty_cells(pieces: Pieces) -> Cells:
    return Cells([None] * len(pieces.spans), [None] * len(pieces.spans))


def _text_cells(pieces: Pieces, labels: Labels, columns: ColumnGroup) -> Cells:
    """Fill in the texts of columns without their labels, several of a record joined by commas or semicolons."""
    cells, texts, starts = _empty_cells(pieces), pieces.texts, labels.starts
    for record, members in columns[0].items():
        first = members[0]
        cells.nodes[record] = pieces.nodes[first]
        if len(columns) == len(members) == 1:
            cells.values[record] = texts[first][starts[first] :]
        else:
            parts = [texts[piece][starts[piece] :].strip(" ,;") for column in columns for piece in column[record]]
            mark = "; " if any("," in part for part in parts) else ", "
            cells.values[record] = (" " if are_lines(pieces, members) else mark).join(parts)
    return cells


def _image_cells(pieces: Pieces, column: Column, resolve: Resolver, seen: set[tuple[int, str]]) -> Cells:
    cells = _empty_cells(pieces)
    for record, members in column.items():
        for piece in members:
            address = image_address(pieces.document, pieces.owners[piece], resolve)
            if address is not None and (record, address) not in seen:
                seen.add((record, address))
                before = cells.values[record]
                cells.values[record] = f"{before} {address}" if before else address
                cells.nodes[record] = pieces.nodes[members[0]]
    return cells


def image_address(document: Document, node: int, resolve: Resolver) -> str | None:
    """Find the absolute address of the image that a node is or holds; None for drawings."""
    inside = range(node, document.ends.item(node))
    pictures = [inner for inner in inside if inner == node or document.tag(inner) in ("img", "source")]
    for inner in sorted(pictures, key=lambda inner: document.tag(inner) == "source"):
        attributes = document.attributes[inner]
        written = [attributes[name] for name in IMAGE_ATTRIBUTES if name in attributes]
        for each in sorted(written, key=_is_template):
            if (address := resolve(largest(each))) is not None:
                return address
    return None


def _is_template(address: str) -> bool:
    """Tell whether a script fills in a part of an address, as in `shoe_{width}x.jpg`."""
    return "{" in address


def find_links(document: Document, nodes: Sequence[int], first: int) -> list[int]:
    """Find for each node the link that it is or is in, if that has an address; else -1.

    Searches from somewhat outside `first`, the first node of all records: a link may hold a whole record.
    """
    owners = np.array(nodes, dtype=np.int64)
    low, high = first, int(owners.max()) + 1
    for _ in range(MAX_LEVELS_OF_LINK):
        low = max(document.parents.item(low), 0)
    links = document.has_tag(["a"], slice(low, high)).nonzero()[0] + low
    if not len(links):
        return [-1] * len(nodes)
    before = links[np.maximum(np.searchsorted(links, owners, side="right") - 1, 0)]
    holds = (before <= owners) & (owners < document.ends[before])
    found = np.where(holds, before, -1).tolist()
    addresses = document.values_of("href")
    return [link if link in addresses else -1 for link in found]


def _link_cells(
    pieces: Pieces, groups: list[ColumnGroup], names: Sequence[str], links: Sequence[int], resolve: Resolver
) -> list[list[Cells]]:
    """Fill in for each group the addresses that its columns link to, the title's first; repeated ones are left out.

    Links to parts of one page, such as its reviews, are repeated too. A column of lists has none: there would be
    several a record.
    """
    seen: set[tuple[int, str]] = set()
    linked: list[list[Cells]] = [[] for _ in groups]
    for place in sorted(range(len(groups)), key=lambda place: names[place] != TITLE):
        for column in groups[place]:
            linking = {record: link for record, members in column.items() if (link := links[members[0]]) >= 0}
            if not linking or max(map(len, column.values())) > 1:
                continue
            cells = _empty_cells(pieces)
            linked[place].append(cells)
            for record, link in linking.items():
                address = resolve(pieces.document.attributes[link]["href"])
                if address is None:
                    continue
                whole = (record, _PART_OF_PAGE.sub("", address) if "#" in address else address)
                if whole not in seen:
                    seen.add(whole)
                    cells.values[record], cells.nodes[record] = address, link
    return linked


def _alternative_titles(pieces: Pieces, groups: list[ColumnGroup]) -> list[Draft]:
    """Make a title column of the `alt` texts of images, for records without any text."""
    attributes = pieces.document.attributes
    for group in groups:
        cells = _empty_cells(pieces)
        for record, members in group[0].items():
            text = " ".join(attributes[pieces.owners[members[0]]].get("alt", "").split())
            if text:
                cells.values[record], cells.nodes[record] = text, pieces.nodes[members[0]]
        if cells:
            return [(TITLE, (TEXT, ()), cells)]
    return []


def _read(
    pieces: Pieces, groups: list[ColumnGroup], cells: list[Cells], is_image: Sequence[bool], locale: Locale
) -> list[Reading]:
    """Find the types of columns, and their typed values."""
    return [
        ("image", ()) if has_images else _read_texts(pieces, group, column, locale)
        for group, column, has_images in zip(groups, cells, is_image, strict=True)
    ]


def _read_texts(pieces: Pieces, group: ColumnGroup, cells: Cells, locale: Locale) -> Reading:
    reading = read_column(cells.values, locale)
    if (reading is None or reading[0] == "date") and "time" in pieces.document.tag_names:
        firsts = [group[0][record][0] if record in group[0] else None for record in range(len(cells.values))]
        dates = read_stated_dates(pieces, firsts)
        if dates is not None:
            return "date", tuple(dates)
    return reading or (TEXT, ())


def _draft_fields(
    names: Sequence[str], readings: list[Reading], cells: list[Cells], linked: list[list[Cells]]
) -> list[Draft]:
    """Draft each column with the links of its texts behind it, leaving out empty ones."""
    drafts: list[Draft] = []
    main = _find_main_link(names, readings, linked)
    for place, (name, reading, column) in enumerate(zip(names, readings, cells, strict=True)):
        drafts.append((name, reading, column))
        link = LINK if place == main else f"{name}_{LINK}"
        drafts += [(link, ("link", ()), each) for each in linked[place]]
    return [draft for draft in drafts if draft[2]]


def _find_main_link(names: Sequence[str], readings: list[Reading], linked: list[list[Cells]]) -> int | None:
    """Find the column whose links lead to the things themselves: the title, else a picture that most records have."""
    title = names.index(TITLE) if TITLE in names else None
    if title is not None and any(leads_apart(each) for each in linked[title]):
        return title
    pictures = (place for place, reading in enumerate(readings) if reading[0] == "image")
    found = next((place for place in pictures if any(leads_apart(each, MIN_LINKED) for each in linked[place])), None)
    return title if found is None and title is not None and any(linked[title]) else found


def _make_fields(drafts: Sequence[Draft]) -> tuple[Field, ...]:
    """Make fields in page order, except that title and link come first: a reader asks what a record is about."""
    unique = distinct([name for name, _, _ in drafts], ignore_case=True)
    fields = (
        Field(name, reading[0], tuple(cells.values), tuple(cells.nodes), reading[1])
        for name, (_, reading, cells) in zip(unique, drafts, strict=True)
    )
    return tuple(sorted(fields, key=lambda field: _FIRST.index(field.name) if field.name in _FIRST else len(_FIRST)))
