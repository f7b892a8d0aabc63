"""Choose which columns of records a person would want: one for each thing, and none for buttons and labels."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence

from webquarry.mining.column_labels import Labels
from webquarry.mining.column_names import TITLE, find_leads
from webquarry.mining.column_splits import Column, first_piece, is_fixed
from webquarry.mining.column_words import split_words
from webquarry.mining.record_pieces import Pieces

_CONTROLS = frozenset(["button", "input", "option", "select", "textarea"])
_CONTROL_ROLES = frozenset(["button", "checkbox", "menuitem", "option", "radio", "switch", "tab"])
_CONTROL_WORDS = frozenset(["btn", "btns", "button", "buttons", "cta"])
_STARS = frozenset("★☆⭐✩✪✭✮ ")
MAX_LEVELS = 4  # elements around a text that may be a button
MAX_PIECES_OF_BUTTON = 3  # a button with more is a card that can be clicked
MAX_CAPTIONS = 0.25  # share of different texts among the captions of links that look like buttons
MIN_LENGTH_OF_COPY = 4  # characters on average: two columns of small numbers may agree by chance
MAX_INITIALS = 2  # letters of an avatar
MIN_COPIED = 0.95  # share of the values of a column that another one repeats


def drop_controls(
    pieces: Pieces, groups: Sequence[list[Column]], labels: Labels, links: Sequence[int], keep: Collection[int]
) -> set[int]:
    """Find the places of columns that are no values: buttons, labels of others, marks between texts.

    Columns in `keep` have values of a type, such as prices, and stay.
    """
    columns = [group[0] for group in groups]
    leads = find_leads(pieces, columns, links)
    stems = Counter(filter(None, (_stem_of_number(pieces, column) for column in columns)))
    return {
        place
        for place, column in enumerate(columns)
        if place not in keep
        and not pieces.is_image[first_piece(column)]
        and (
            place in leads
            or labels.is_label[first_piece(column)]
            or _is_marks(pieces, column)
            or _draws_number(pieces, column)
            or stems[_stem_of_number(pieces, column) or ""] > 1
            or _is_caption(pieces, groups[place], links)
            or _are_buttons(pieces, column)
        )
    }


def _is_marks(pieces: Pieces, column: Column) -> bool:
    """Tell whether a column has punctuation and signs only; stars, ticks and the like say something."""
    return all(
        unicodedata.category(mark)[0] in "PZ" or unicodedata.category(mark) in ("Sc", "Sm", "Sk")
        for members in column.values()
        for piece in members
        for mark in pieces.texts[piece]
    )


def _stem_of_number(pieces: Pieces, column: Column) -> str | None:
    """Give the words of a fixed text that ends in a number, such as `Slide 3`; the parts of a carousel share them."""
    stem = pieces.texts[first_piece(column)].rstrip("0123456789")
    is_numbered = stem != pieces.texts[first_piece(column)] and any(map(str.isalpha, stem))
    return stem if is_numbered and is_fixed(pieces, column) else None


def _draws_number(pieces: Pieces, column: Column) -> bool:
    """Tell whether a column only draws, as stars, the number that follows it on its line."""
    return all(
        len(members) == 1
        and _STARS.issuperset(pieces.texts[members[0]])
        and members[0] + 1 < len(pieces)
        and pieces.lines[members[0] + 1] == pieces.lines[members[0]]
        and pieces.has_digits[members[0] + 1]
        for members in column.values()
    )


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
    stop = int(pieces.document.ends[node])
    return sum([node <= each < stop for each in near])


def _are_buttons(pieces: Pieces, column: Column) -> bool:
    firsts = [members[0] for members in column.values()]
    kinds = set()
    for piece in firsts:
        kind = _control_around(pieces, piece)
        if not kind:  # most columns have no button in their first record
            return False
        kinds.add(kind)
    texts = {pieces.texts[piece] for piece in firsts}
    return "class" not in kinds or len(texts) <= max(2, MAX_CAPTIONS * len(firsts))


def _control_around(pieces: Pieces, piece: int) -> str:
    """Say by what a piece is known as a button, `tag` or `class`; empty if it is none."""
    document, node = pieces.document, pieces.owners[piece]
    first = pieces.spans[pieces.records[piece]][0]
    for _ in range(MAX_LEVELS):
        if node < first:
            break
        attributes = document.attributes[node]
        if _count_inside(pieces, node, piece) > MAX_PIECES_OF_BUTTON:
            break
        if document.tag(node) in _CONTROLS or attributes.get("role", "") in _CONTROL_ROLES:
            return "tag"
        if not _CONTROL_WORDS.isdisjoint(split_words(attributes.get("class", "")[:200])):
            return "class"
        node = int(document.parents[node])
    return ""


def drop_copies(texts: Sequence[Sequence[str | None]], names: Sequence[str]) -> set[int]:
    """Find the places of columns that repeat another one, as copies for phones and for screen readers do."""
    folded = [[value and " ".join(value.lower().split()) for value in column] for column in texts]
    order = sorted(range(len(texts)), key=lambda place: (names[place] != TITLE, place))
    kept: list[int] = []
    dropped = set()
    for place in order:
        filled = [(record, value) for record, value in enumerate(folded[place]) if value]
        is_long = sum(len(value) for _, value in filled) >= MIN_LENGTH_OF_COPY * len(filled)
        if is_long and len(filled) > 1 and any(_has_copies(folded[other], filled) for other in kept):
            dropped.add(place)
        else:
            kept.append(place)
    initials = [place for place in kept if all(len(value or "") <= MAX_INITIALS for value in folded[place])]
    return dropped | {
        place
        for place in initials
        if any(_abbreviates(folded[place], folded[other]) for other in kept if other != place)
    }


def _abbreviates(column: Sequence[str | None], other: Sequence[str | None]) -> bool:
    """Tell whether a column has the first letters of another one, as avatars without a picture do."""
    filled = [(value, there) for value, there in zip(column, other, strict=True) if value]
    if not filled or not all(value.isalpha() for value, _ in filled):
        return False
    return sum(there is not None and there[:1] == value[:1] for value, there in filled) >= MIN_COPIED * len(filled)


def _has_copies(column: Sequence[str | None], filled: Sequence[tuple[int, str]]) -> bool:
    """Tell whether a column has nearly all of the values, each in its record."""
    same = len(filled)
    for record, value in filled:
        if column[record] != value:
            same -= 1
            if same < MIN_COPIED * len(filled):  # told after a value or two, as a rule
                return False
    return True
