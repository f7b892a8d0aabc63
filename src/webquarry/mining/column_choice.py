"""Choose the columns of records that a person would want: one for each thing, and none for buttons and labels.

Variants of a fact, notes that few records have and badges are joined; buttons, labels and copies are dropped.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import cache

from webquarry.mining.column_labels import Labels, leads_to_author, name_by_attributes
from webquarry.mining.column_names import TITLE
from webquarry.mining.column_splits import Column, are_amounts, first_piece, is_comma_between, is_fixed
from webquarry.mining.piece_texts import class_of
from webquarry.mining.record_pieces import Pieces
from webquarry.mining.title_column import find_heading
from webquarry.page.column_words import split_words
from webquarry.values.text_value import Value

MAX_DISTANCE = 1.0  # pieces by which the mean places of variants may differ, from the start or the end of records
MAX_SHARE_OF_RARE = 0.25  # of the records, for texts to share a column with others that are as rare
MIN_RARE_COLUMNS = 3
MAX_COMPARED = 50  # columns of one look that variants are compared with


def join_variants(pieces: Pieces, columns: Sequence[Column], look: Callable[[int], Hashable]) -> list[Column]:
    """Join columns that never occur together in a record, look alike and are in about the same place.

    Some records are built a little differently: a price is wrapped once more, a title is not a link.  Fails on
    two facts in the same format if every record has only one of them.
    """
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for number, column in enumerate(columns):
        alike[look(first_piece(column))].append(number)
    if len(alike) == len(columns) or len(pieces.spans) == 1:
        return list(columns)
    joined = [dict(column) for column in columns]
    for numbers in alike.values():
        kept: list[int] = []
        for number in sorted(numbers, key=lambda number: -len(columns[number])):
            larger = next((other for other in kept if _may_join(pieces, joined[other], joined[number])), None)
            if larger is not None:
                joined[larger] |= joined[number]
                joined[number] = {}
            elif len(kept) < MAX_COMPARED:
                kept.append(number)
    return [column for column in joined if column]


def join_lists(pieces: Pieces, columns: Sequence[Column]) -> list[Column]:
    """Join texts of one class that commas separate, of which some are links or marked, to lists: `Ann, Bob`.

    What all records have two of are two facts.
    """
    joined: list[Column] = []
    for column in columns:
        if joined and _goes_on(pieces, joined[-1], column):
            joined[-1] = {record: [*members, *column.get(record, [])] for record, members in joined[-1].items()}
        else:
            joined.append(column)
    return joined


def _goes_on(pieces: Pieces, column: Column, after: Column) -> bool:
    """Tell whether the texts of a column go on, after commas, those of another in some of its records."""
    if len(after) >= len(column) or not after.keys() <= column.keys():
        return False
    if class_of(pieces, first_piece(column)) != class_of(pieces, first_piece(after)):
        return False
    return all(
        is_comma_between(pieces, column[record][-1], members[0]) and not pieces.has_digits[members[0]]
        for record, members in after.items()
    )


def join_rare(pieces: Pieces, columns: Sequence[Column], labels: Labels) -> list[Column]:
    """Join texts that only a few of many records have to one column: they are notes, each of its own kind."""
    rare = [
        place
        for place in _places_of_texts(pieces, columns, labels)
        if len(columns[place]) < MAX_SHARE_OF_RARE * len(pieces.spans)
        and not pieces.is_money(first_piece(columns[place]))
        and not any(name_by_attributes(pieces, [columns[place]]))
    ]
    return _join_places(columns, rare) if len(rare) >= MIN_RARE_COLUMNS else list(columns)


def join_badges(pieces: Pieces, columns: Sequence[Column], labels: Labels, links: Sequence[int]) -> list[Column]:
    """Join fixed texts that some records have and others lack to one column: they are badges."""
    badges = [
        place
        for place in _places_of_texts(pieces, columns, labels)
        if len(columns[place]) < len(pieces.spans)
        and is_fixed(pieces, columns[place])
        and not pieces.has_digits[first_piece(columns[place])]
        and links[first_piece(columns[place])] < 0
    ]
    return _join_places(columns, badges) if len(badges) > 1 else list(columns)


def _places_of_texts(pieces: Pieces, columns: Sequence[Column], labels: Labels) -> list[int]:
    """List the places of columns of texts without a label, buttons excepted."""
    firsts = [first_piece(column) for column in columns]
    return [
        place
        for place, first in enumerate(firsts)
        if not pieces.is_image[first] and not labels.names[first] and not _are_buttons(pieces, columns[place])
    ]


def _join_places(columns: Sequence[Column], places: Sequence[int]) -> list[Column]:
    """Join the columns at the given places at the first of them."""
    joined: Column = {}
    for place in places:
        for record, members in columns[place].items():
            joined[record] = sorted([*joined.get(record, []), *members])
    others = set(places[1:])
    return [joined if place == places[0] else each for place, each in enumerate(columns) if place not in others]


def _may_join(pieces: Pieces, one: Column, other: Column) -> bool:
    if not one.keys().isdisjoint(other):
        return False
    firsts = [[members[0] for members in column.values()] for column in (one, other)]
    if all(pieces.is_price(group[0]) for group in firsts):  # an amount and a range; one with an old price before it
        return True
    if (heading := find_heading(pieces, firsts[0][0])) and heading == find_heading(pieces, firsts[1][0]):
        return True
    means = [[sum(pieces.places[piece][side] for piece in group) / len(group) for group in firsts] for side in (0, 1)]
    if all(abs(mean - other_mean) > MAX_DISTANCE for mean, other_mean in means):
        return False
    kinds = {are_amounts(pieces, group) for group in firsts}
    if kinds == {True}:  # a duration is not a date with words around it
        return _has_letters(pieces, firsts[0]) == _has_letters(pieces, firsts[1])
    return kinds != {True, False}


def _has_letters(pieces: Pieces, group: list[int]) -> bool:
    return any(any(map(str.isalpha, pieces.texts[piece])) for piece in group)


_FIRST_SLIDE = re.compile(r"1 ?(?:/|of|von|sur|de|di|z|av|van) ?\d{1,3}")
_CONTROLS = frozenset(["input", "option", "select", "textarea"])
_CONTROL_ROLES = frozenset(["checkbox", "menuitem", "option", "radio", "switch", "tab"])
_CONTROL_WORDS = frozenset(["btn", "btns", "button", "buttons", "cta"])
MAX_LEVELS = 4  # elements around a text that may be a button
MAX_PIECES_OF_BUTTON = 3  # a button with more is a card that can be clicked
MAX_CAPTIONS = 0.25  # share of different texts among the captions of links that look like buttons
MAX_CAPTIONS_OF_BUTTONS = 0.6  # the same for buttons by their tag; with more different texts they show facts
MIN_SHARED_LETTERS = 3  # of a word that captions share
MIN_LENGTH_OF_COPY = 4  # characters on average: two columns of small numbers may agree by chance
MAX_INITIALS = 2  # letters of an avatar
MIN_COPIED = 0.95  # share of the values of a column that another one repeats


def drop_controls(
    pieces: Pieces,
    groups: Sequence[list[Column]],
    labels: Labels,
    links: Sequence[int],
    *,
    leads: Mapping[int, int],
    keep: Collection[int],
) -> set[int]:
    """Find the places of columns that are not values: buttons, labels of others, marks between texts.

    Columns in `leads` lead to others; those in `keep` have values of a type, such as prices, and stay.
    """
    led = set(leads.values())
    columns = [group[0] for group in groups]
    return {
        place
        for place, column in enumerate(columns)
        if place not in keep
        and not pieces.is_image[first_piece(column)]
        and (
            place in leads
            or labels.is_label[first_piece(column)]
            or (is_fixed(pieces, column) and leads_to_author(pieces.texts[first_piece(column)]))
            or _is_marks(pieces, column)
            or _are_slides(pieces, column)
            or _announces(pieces, column)
            or (place not in led and _is_caption(pieces, groups[place], links))
            or _are_buttons(pieces, column)
        )
    }


def _is_marks(pieces: Pieces, column: Column) -> bool:
    """Tell whether a column has punctuation and signs only; stars, ticks, `$` and `$$` say something."""
    lengths = {len(pieces.texts[piece]) for members in column.values() for piece in members}
    if len(lengths) > 1 and all(_is_one_sign(pieces.texts[members[0]]) for members in column.values()):
        return False
    return all(
        unicodedata.category(mark)[0] in "PZ" or unicodedata.category(mark) in ("Sc", "Sm", "Sk")
        for members in column.values()
        for piece in members
        for mark in pieces.texts[piece]
    )


def _announces(pieces: Pieces, column: Column) -> bool:
    """Tell whether all records have the same words before a colon, as above several values: `Statistics:`."""
    return (
        len(column) == len(pieces.spans) > 1
        and pieces.texts[first_piece(column)].rstrip().endswith((":", "\uff1a"))
        and is_fixed(pieces, column)
    )


def _are_slides(pieces: Pieces, column: Column) -> bool:
    """Tell whether texts say which picture of how many is shown: `1/6`, `1 of 12`."""
    return all(_FIRST_SLIDE.fullmatch(pieces.texts[members[0]]) for members in column.values())


def _is_one_sign(text: str) -> bool:
    """Tell whether a text is one sign of a currency, once or several times, as for how dear a place is."""
    return len(set(text)) == 1 and unicodedata.category(text[0]) == "Sc"


def _is_caption(pieces: Pieces, group: Sequence[Column], links: Sequence[int]) -> bool:
    """Tell whether columns are captions of links that are the same in all records, such as `Read more`."""
    return all(
        is_fixed(pieces, column) and all(_fills_link(pieces, links, members[0]) for members in column.values())
        for column in group
    )


def _fills_link(pieces: Pieces, links: Sequence[int], piece: int) -> bool:
    return links[piece] >= 0 and _count_inside(pieces, links[piece], piece) == 1


def _count_inside(pieces: Pieces, node: int, piece: int) -> int:
    """Count the pieces in an element that holds a piece, as far as they matter for a button."""
    near = pieces.nodes[max(0, piece - MAX_PIECES_OF_BUTTON) : piece + MAX_PIECES_OF_BUTTON + 1]
    stop = pieces.document.ends.item(node)
    return sum([node <= each < stop for each in near])


def _are_buttons(pieces: Pieces, column: Column) -> bool:
    firsts = [members[0] for members in column.values()]
    kinds = set()
    for piece in firsts:
        kind = _control_around(pieces, piece)
        if not kind:  # most columns have no button in their first record
            return False
        kinds.add(kind)
    texts = [pieces.texts[piece] for piece in firsts]
    if "class" in kinds:
        return len(set(texts)) <= max(2, MAX_CAPTIONS * len(texts))
    if "button" in kinds:
        return len(set(texts)) <= max(2, MAX_CAPTIONS_OF_BUTTONS * len(texts)) or _share_words(texts)
    return True


def _share_words(texts: Sequence[str]) -> bool:
    """Tell whether nearly all texts have a word in common, as `Add Kettle to cart`; what they count is no such word."""
    if all(text[:1].isdigit() for text in texts):
        return False
    counts = Counter(word for text in texts for word in set(text.lower().split()) if len(word) >= MIN_SHARED_LETTERS)
    return bool(counts) and max(counts.values()) >= MIN_COPIED * len(texts)


def _control_around(pieces: Pieces, piece: int) -> str:
    """Say what shows that a piece is a control: `button`, another `tag` or a `class`; empty if it is not one."""
    document, node = pieces.document, pieces.owners[piece]
    first = pieces.spans[pieces.records[piece]][0]
    for _ in range(MAX_LEVELS):
        if node < first:
            break
        attributes = document.attributes[node]
        kind = ""
        if document.tag(node) == "button" or attributes.get("role") == "button":
            kind = "button"
        elif document.tag(node) in _CONTROLS or attributes.get("role", "") in _CONTROL_ROLES:
            kind = "tag"
        elif (document.tag(node) == "label" and "for" in attributes) or not _CONTROL_WORDS.isdisjoint(
            split_words(attributes.get("class", "")[:200])
        ):
            kind = "class"
        if kind:  # what holds too many pieces is a card, and so is what is around it
            return kind if _count_inside(pieces, node, piece) <= MAX_PIECES_OF_BUTTON else ""
        node = document.parents.item(node)
    return ""


def drop_copies(
    texts: Sequence[Sequence[str | None]], names: Sequence[str], prices: Mapping[int, Sequence[Value | None]]
) -> set[int]:
    """Find the places of columns that repeat another one, as copies for phones and for screen readers do.

    `prices` has the values of columns of money, which may be written differently: `$1,200`, `Price $ 1200.00`.
    """
    order = sorted(range(len(texts)), key=lambda place: (names[place] != TITLE, place))
    fold = cache(_fold)  # each text is compared with those of many columns
    kept: list[int] = []
    dropped = set()
    for place in order:
        filled = [(record, value) for record, value in enumerate(texts[place]) if value]
        is_copy = len(filled) > 1 and any(_has_copies(texts[other], filled, fold) for other in kept)
        if (
            (is_copy and _are_long(filled))
            or any(
                _are_same_prices(prices[place], prices[other]) for other in kept if place in prices and other in prices
            )
            or (names[order[0]] == TITLE and place != order[0] and _sum_up(texts, order[0], place, filled))
        ):
            dropped.add(place)
        else:
            kept.append(place)
    initials = [place for place in kept if _are_initials(texts[place])]
    return dropped | {
        place for place in initials if any(_abbreviates(texts[place], texts[other]) for other in kept if other != place)
    }


def _sum_up(texts: Sequence[Sequence[str | None]], title: int, place: int, filled: Sequence[tuple[int, str]]) -> bool:
    """Tell whether texts are the titles of their records and another value, as screen readers get both at once."""
    for record, value in filled:
        start, whole, rest = value.partition(texts[title][record] or value)
        others = (f" {column[record]} " for other, column in enumerate(texts) if other != place and column[record])
        if start or not whole or not rest.strip() or not any(f" {rest.strip()} " in other for other in others):
            return False
    return len(filled) > 1


def _are_same_prices(one: Sequence[Value | None], other: Sequence[Value | None]) -> bool:
    """Tell whether all of several amounts are the same as those of another column."""
    pairs = [(price, there) for price, there in zip(one, other, strict=True) if price is not None]
    return len(pairs) > 1 and all(
        there is not None and (price.value, price.to, price.unit) == (there.value, there.to, there.unit)
        for price, there in pairs
    )


def _fold(value: str) -> str:
    return " ".join(value.lower().split())


def _are_long(filled: Sequence[tuple[int, str]]) -> bool:
    return sum(len(_fold(value)) for _, value in filled) >= MIN_LENGTH_OF_COPY * len(filled)


def _are_initials(column: Sequence[str | None]) -> bool:
    """Tell whether a column has nothing but one or two letters a record."""
    filled = [value for value in column if value]
    return bool(filled) and all(len(each := value.strip()) <= MAX_INITIALS and each.isalpha() for value in filled)


def _abbreviates(column: Sequence[str | None], other: Sequence[str | None]) -> bool:
    """Tell whether initials are the first letters of another column, as avatars without a picture have them."""
    pairs = zip(column, other, strict=True)
    filled = [(_fold(value), there and _fold(there)) for value, there in pairs if value]
    return sum(there is not None and there[:1] == value[:1] for value, there in filled) >= MIN_COPIED * len(filled)


def _has_copies(column: Sequence[str | None], filled: Sequence[tuple[int, str]], fold: Callable[[str], str]) -> bool:
    """Tell whether a column has nearly all of the values, each in its record."""
    same = len(filled)
    for record, value in filled:
        other = column[record]
        if other is None or (other != value and fold(other) != fold(value)):
            same -= 1
            if same < MIN_COPIED * len(filled):  # told after a value or two, as a rule
                return False
    return True
