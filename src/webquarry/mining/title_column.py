"""Find the column that names the things a list is about, as a person would: by prominence, link and place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from statistics import median

from webquarry.html.columns import HEADING_TAGS
from webquarry.mining.column_splits import Column, first_piece
from webquarry.mining.record_pieces import Pieces
from webquarry.page.looks import to_number

SAMPLE_SIZE = 3  # records that are asked for letters and attributes
MIN_TITLED = 0.5  # share of the records that must have a title
MIN_TITLE_LENGTH = 3  # characters on average: less is a rank, or a letter of the alphabet
MIN_LETTERS_PER_DIGIT = 1.5  # less is a time, or a duration such as `2h 10min`
MIN_DISTINCT_TITLES = 0.5  # share of the titles that must be different
LONG_TITLE = 120  # characters on average, from which a text is more likely a description
_DIGITS = "0123456789"
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_TITLE_WORDS = frozenset(["title", "name", "headline"])

# Weights, by their order: what the page itself calls the title, then headings, links, size of letters, place
CALLED_TITLE, HEADING, HIGHER, LINKED, LARGER, BOLD, TOO_LONG, LATER = 2.0, 1.7, 0.3, 1.5, 3.0, 0.5, -3.0, -0.1
FULLER, FULL_LENGTH = 0.5, 40  # for lines of so many characters that are no headings: a brand is shorter than the title
MIN_TIMES_FULLER = 1.5  # words of a title, to those of a brand above it
MIN_LENGTH_OF_SENTENCES, MIN_SENTENCES = 40, 0.75  # characters on average, and share of the texts that end as such
_ENDS = (".", "!", "?", "\u2026", "\u3002")
MAX_LARGER = 1.0  # times larger than the median text, beyond which size says no more
_BOLD_WEIGHT = 600


def find_title(
    pieces: Pieces,
    columns: Sequence[Column],
    links: Sequence[int],
    candidates: Sequence[int],
    called: Sequence[str | None],
) -> int | None:
    """Find the candidate that is most likely the title; `called` has the names that attributes give to columns."""
    least = MIN_TITLED * len(pieces.spans)
    possible = [
        place for place in candidates if len(columns[place]) >= least and _may_be_title(pieces, columns[place], links)
    ]
    if not possible:
        return None
    usual = median(_size(pieces, members[0]) for place in candidates for members in islice(columns[place].values(), 1))

    def prominence(place: int) -> float:
        sample = [members[0] for members in islice(columns[place].values(), SAMPLE_SIZE)]
        is_linked = any(links[piece] >= 0 and _leads_to_page(pieces, links[piece]) for piece in sample)
        called_title = CALLED_TITLE * (called[place] in _TITLE_WORDS)
        length = sum(len(pieces.texts[piece]) for piece in sample) / len(sample)
        fullness = 0.0 if find_heading(pieces, sample[0]) else FULLER * min(1.0, length / FULL_LENGTH)
        return called_title + LINKED * is_linked + LATER * place + fullness + _prominence(pieces, sample, usual)

    best = max(possible, key=prominence)
    return next((place for place in possible if _is_fuller_twin(pieces, columns[best], columns[place], links)), best)


def _is_fuller_twin(pieces: Pieces, column: Column, other: Column, links: Sequence[int]) -> bool:
    """Tell whether another heading of the same level, in the same link, has more words: that of a brand has fewer."""
    one, two = first_piece(column), first_piece(other)
    heading = find_heading(pieces, one)
    if one == two or not heading or heading != find_heading(pieces, two) or links[one] != links[two] or links[one] < 0:
        return False
    words = [sum(pieces.texts[members[0]].count(" ") + 1 for members in each.values()) for each in (column, other)]
    return len(other) == len(column) and words[1] >= MIN_TIMES_FULLER * words[0]


def complete_title(pieces: Pieces, columns: Sequence[Column], links: Sequence[int]) -> list[Column]:
    """Join linked texts to the most prominent linked column where records lack it and have only them instead.

    Some records of a list are built differently: a festival among concerts, a sponsored offer among others.
    """
    linked = [place for place, column in enumerate(columns) if _is_linked_text(pieces, column, links)]
    if all(len(columns[place]) == len(pieces.spans) for place in linked):
        return list(columns)
    title = find_title(pieces, columns, links, linked, [None] * len(columns))
    if title is None or len(columns[title]) == len(pieces.spans):
        return list(columns)
    joined = dict(columns[title])
    used = {title}
    for place in linked:
        column = columns[place]
        if place not in used and joined.keys().isdisjoint(column) and all(len(each) == 1 for each in column.values()):
            joined |= column
            used.add(place)
    return [
        joined if place == title else each for place, each in enumerate(columns) if place == title or place not in used
    ]


def _is_linked_text(pieces: Pieces, column: Column, links: Sequence[int]) -> bool:
    firsts = [members[0] for members in column.values()]
    return not pieces.is_image[firsts[0]] and all(
        links[piece] >= 0 and any(map(str.isalpha, pieces.texts[piece])) for piece in firsts
    )


def _leads_to_page(pieces: Pieces, link: int) -> bool:
    return not pieces.document.attributes[link]["href"].lower().startswith(("mailto:", "tel:"))


def _may_be_title(pieces: Pieces, column: Column, links: Sequence[int]) -> bool:
    texts = [pieces.texts[members[0]] for members in column.values()]
    is_fixed = len(texts) > 1 and len(set(texts)) == 1
    is_distinct = len(set(texts)) >= MIN_DISTINCT_TITLES * len(texts) and not is_fixed
    whole = "".join(texts)
    if not is_distinct or len(whole) < MIN_TITLE_LENGTH * len(texts) or 2 * sum(map(_has_letter, texts)) < len(texts):
        return False
    first = first_piece(column)
    if links[first] < 0 and not find_heading(pieces, first) and _are_sentences(texts):
        return False  # what people wrote, as in reviews
    return _has_words(whole) or (links[first] >= 0 and find_heading(pieces, first) != "")


def _are_sentences(texts: Sequence[str]) -> bool:
    is_long = sum(map(len, texts)) >= MIN_LENGTH_OF_SENTENCES * len(texts)
    return is_long and sum(text.endswith(_ENDS) for text in texts) >= MIN_SENTENCES * len(texts)


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _has_words(text: str) -> bool:
    digits = sum(map(text.count, _DIGITS)) + sum(map(str.isdigit, _NOT_ASCII.findall(text)))
    least = MIN_LETTERS_PER_DIGIT * digits
    return any(sum(map(str.isalpha, part)) >= least for part in (text[: int(4 * least)], text))  # mostly told soon


def _prominence(pieces: Pieces, sample: Sequence[int], usual: float) -> float:
    """Weigh how texts look, beside the `usual` size of letters."""
    heading = find_heading(pieces, sample[0])
    larger = max(_size(pieces, piece) for piece in sample) / (usual or 1.0) - 1
    return (
        (HEADING + HIGHER * (7 - int(heading[1])) if heading else 0.0)
        + LARGER * min(MAX_LARGER, max(-MAX_LARGER, larger)) * (usual > 0)
        + BOLD * _is_bold(pieces, sample[0])
        + TOO_LONG * (sum(len(pieces.texts[piece]) for piece in sample) > LONG_TITLE * len(sample))
    )


def find_heading(pieces: Pieces, piece: int) -> str:
    """Return the tag of the heading that holds a piece in its record; empty if there is none."""
    node, first = pieces.owners[piece], pieces.spans[pieces.records[piece]][0]
    tag, parents, known = pieces.document.tag, pieces.document.parents, pieces.headings
    climbed = []
    while node >= first and node not in known:
        climbed.append(node)
        if (name := tag(node)) in HEADING_TAGS:
            known[node] = name
            break
        node = parents.item(node)
    heading = known[node] if node >= first else ""
    known.update(dict.fromkeys(climbed, heading))
    return heading


def _size(pieces: Pieces, piece: int) -> float:
    layout = pieces.document.layout
    return 0.0 if layout is None else to_number(layout.style(pieces.owners[piece], "font-size"), 0.0)


def _is_bold(pieces: Pieces, piece: int) -> bool:
    layout = pieces.document.layout
    if layout is None:
        return pieces.document.tag(pieces.owners[piece]) in ("b", "strong")
    return to_number(layout.style(pieces.owners[piece], "font-weight"), 0.0) >= _BOLD_WEIGHT
