"""Prominence: which column of a region is its title."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from webquarry.mining.fields.pieces import Pieces
from webquarry.mining.fields.slots import Column

COMMON = 0.5
"""Of the records, those that must have a title."""
SHORTEST = 3
"""Characters of a title on average: less is a rank, or a letter of the alphabet."""
DISTINCT = 0.5
"""Of the titles, those that are not the same as another."""
WITNESSES = 3
"""Records that are looked at."""
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


def find_title(
    pieces: Pieces, columns: Sequence[Column], links: Sequence[int], candidates: Sequence[int]
) -> int | None:
    """The most prominent of the candidates: of the largest letters, then in a heading, then a link, then the first."""
    least = COMMON * len(pieces.spans)
    common = [place for place in candidates if len(columns[place]) >= least]
    witnesses = {
        place: [members[0] for members in islice(columns[place].values(), WITNESSES)]
        for place in common
        if _may_be_title(pieces, columns[place])
    }
    letters = _letters(pieces, [piece for several in witnesses.values() for piece in several])
    largest = max(letters.values(), default=0.0)
    best, title = (False, False), None
    for place, several in witnesses.items():
        ranks = [
            (find_heading(pieces, piece) != "", links[piece] >= 0) for piece in several if letters[piece] == largest
        ]
        if ranks and (title is None or max(ranks) > best):
            best, title = max(ranks), place
    return title


def _may_be_title(pieces: Pieces, column: Column) -> bool:
    texts = [pieces.texts[members[0]] for members in column.values()]
    return len(set(texts)) >= DISTINCT * len(texts) and sum(map(len, texts)) >= SHORTEST * len(texts)


def _letters(pieces: Pieces, asked: list[int]) -> dict[int, float]:
    """The size of letters of pieces in pixels; all the same without a layout."""
    layout = pieces.document.layout
    if layout is None:
        return dict.fromkeys(asked, 0.0)
    sizes = layout.styles[:, layout.properties.index("font-size")]
    return {
        piece: _pixels(layout.values[code]) if (code := sizes[pieces.owners[piece]]) >= 0 else 0.0 for piece in asked
    }


def _pixels(size: str) -> float:
    try:
        return float(size.removesuffix("px"))
    except ValueError:
        return 0.0


def find_heading(pieces: Pieces, piece: int) -> str:
    """The name of the heading of its record that a piece stands in; nothing when it is in none."""
    node, first = pieces.owners[piece], pieces.spans[pieces.records[piece]][0]
    tag, parents = pieces.document.tag, pieces.document.parents
    while node >= first:
        if (name := tag(node)) in _HEADINGS:
            return name
        node = int(parents[node])
    return ""
