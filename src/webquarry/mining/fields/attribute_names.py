"""Names of columns that stand in attributes: `itemprop`, `aria-label`, class names that are plain words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from webquarry.mining.fields.pieces import Pieces
from webquarry.mining.fields.slots import Column

LONGEST_NAME = 40
"""Characters."""
WITNESSES = 3
"""Records that are asked."""
MOST_AROUND = 20
"""Elements around a piece that are asked."""

_ATTRIBUTES = ("itemprop", "data-label", "aria-label")
_LETTERS = re.compile(r"[^\W\d_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PLAIN = re.compile(r"(?=.*[aeiouyäöüéè])[a-zäöüßéèà]{3,20}")
_SAY_NOTHING = frozenset(
    """
    active align alt area article aside background badge bar basic bidi big black block blue body bold border bottom
    box break btn button card cell center class clear clearfix clickable col cols column component container content
    css custom data default desktop detail details div element end entry even field fields first flex float font
    footer full gray green grey grid group has header heading hidden hide highlight hit hover icon inline inner item
    items label large last layout left light line link links list listing main margin media medium meta mini mobile
    module more muted nav new node non normal nowrap odd old only outer padding page panel para part pull record red
    regular result results right root row rows search secondary section sep separator show side small span start
    strong style styled sub table tablet text the tile top truncate txt uitext unit unstyled value view views
    visible white width wrap wrapper zone
    """.split()
)
"""Words of class names that tell the place or the look of a column, not its meaning."""


def name_by_attributes(pieces: Pieces, columns: Sequence[Column], known: Sequence[str | None]) -> list[str | None]:
    """The names that are known; of other columns, what attributes around their pieces, and no others, call them.

    All records must agree.  A word that would name several columns does not tell them apart, and names none.
    """
    names = [name or _name(pieces, column) for name, column in zip(known, columns, strict=True)]
    often = Counter(names)
    return [name if often[name] == 1 else None for name in names]


def _name(pieces: Pieces, column: Column) -> str | None:
    if len(column) < min(2, len(pieces.spans)):  # what one record alone has is no column to name
        return None
    members = [several[0] for several in column.values()]
    asked = members[:: max(1, len(members) // WITNESSES)][:WITNESSES]
    shared = _words_around(pieces, asked[0])
    for piece in asked[1:] if shared else ():
        others = _words_around(pieces, piece)
        shared = [word for word in shared if word in others]
    return shared[0] if shared else None


def _words_around(pieces: Pieces, piece: int) -> list[str]:
    """Names from the innermost element that has any, outwards to the last that holds no other piece."""
    document, node = pieces.document, pieces.owners[piece]
    low, high = _free_around(pieces, piece)
    words: list[str] = []
    for _ in range(MOST_AROUND):
        if node <= low or document.ends[node] > high:
            break
        attributes = document.attributes[node]
        if attributes:
            words += [attributes[name][:LONGEST_NAME].strip() for name in _ATTRIBUTES if name in attributes]
            words += _plain_words(attributes.get("class", "")[:200])
        node = int(document.parents[node])
    return [word for word in words if word]


def _free_around(pieces: Pieces, piece: int) -> tuple[int, int]:
    """The nodes between which an element around a piece is around no other, but for texts of the same element."""
    low, high = pieces.spans[pieces.records[piece]][0], len(pieces.document)
    owner, before, after = pieces.owners[piece], piece - 1, piece + 1
    if before >= 0 and pieces.owners[before] != owner:
        low = max(low, pieces.nodes[before])
    if after < len(pieces) and pieces.owners[after] != owner:
        high = pieces.nodes[after]
    return low, high


@lru_cache(maxsize=1024)  # records of one page share theirs
def _plain_words(classes: str) -> list[str]:
    return [word for token in classes.split() if (word := _plain_word(token))]


def _plain_word(token: str) -> str | None:
    """The last word of a class name that says something.

    >>> [_plain_word(token) for token in ("product-title", "releaseDate", "col-md-4", "css-1x2y", "mt-2")]
    ['title', 'date', None, None, None]
    """
    if any(map(str.isdigit, token)):
        return None
    words = [word.lower() for part in _LETTERS.findall(token) for word in _HUMP.split(part)]
    telling = [word for word in words if word not in _SAY_NOTHING and _PLAIN.fullmatch(word)]
    return telling[-1] if telling else None
