"""Join the paragraphs of what people write into records, such as posts, answers and reviews: one text to a reader."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from webquarry.html.columns import HEADING_TAGS
from webquarry.mining.piece_texts import rebuild
from webquarry.mining.record_pieces import Pieces, record_paths
from webquarry.page.leaves import INLINE_TAGS, Leaves

MIN_PARAGRAPH = 30  # characters on average; shorter ones are facts below each other
MIN_PARAGRAPHS = 3  # of the longest text
MIN_SENTENCES = 0.5  # share of the paragraphs that end as sentences do, or as what comes before a list or a quotation
MIN_SHARE_OF_RECORDS = 0.5  # that have such a text
MAX_LEVELS = 8  # elements between a text and what holds its paragraphs
_PARAGRAPHS = frozenset(["blockquote", "dd", "dl", "dt", "li", "ol", "p", "pre", "ul", *HEADING_TAGS])
_PASSED = _PARAGRAPHS | INLINE_TAGS
_ENDS = (".", "!", "?", ":", "\u2026", "\u3002", "\uff01", "\uff1f", "\u0964", "\u061f")
_DIGITS = re.compile(r"\d+")


def join_written(pieces: Pieces, leaves: Leaves) -> Pieces:
    """Join the texts of elements that have paragraphs, in one record more than in another.

    Facts below each other have classes, links or headings of their own in most records, or are short.
    """
    members: dict[int, list[int]] = defaultdict(list)
    for piece, holder in enumerate(_find_holders(pieces)):
        members[holder].append(piece)
    members.pop(-1, None)
    if max(map(len, members.values()), default=0) < MIN_PARAGRAPHS:
        return pieces
    alike: dict[tuple[int, str], list[int]] = defaultdict(list)
    nodes = np.array(sorted(members), dtype=np.int64)
    tops = pieces.tops[[pieces.records[members[node][0]] for node in nodes.tolist()]]
    for node, path in zip(nodes.tolist(), record_paths(leaves, tops, nodes).tolist(), strict=True):
        name = _DIGITS.sub("", pieces.document.attributes[node].get("class", ""))
        alike[path, name].append(node)
    found = [
        node for group in alike.values() if _are_written(pieces, [members[node] for node in group]) for node in group
    ]
    return _join_inside(pieces, sorted(found)) if found else pieces


def _find_holders(pieces: Pieces) -> list[int]:
    """Find for each piece the element that holds its paragraph; -1 if there is none within its record."""
    document = pieces.document
    owners = np.array(pieces.owners, dtype=np.int64)
    firsts = np.array(pieces.spans, dtype=np.int64)[pieces.records, 0]
    passes = document.has_tag(_PASSED)
    holders = owners
    for _ in range(MAX_LEVELS):
        goes_on = passes[holders]
        if not goes_on.any():
            break
        holders = np.where(goes_on, document.parents[holders], holders)
    is_held = (holders > firsts) & ~np.array(pieces.is_image, dtype=np.bool_) & ~passes[holders]
    found: list[int] = np.where(is_held, holders, -1).tolist()
    return found


def _are_written(pieces: Pieces, texts: Sequence[list[int]]) -> bool:
    """Tell whether groups of pieces, each with one holder, are texts of several paragraphs."""
    records = {pieces.records[members[0]] for members in texts}
    if len(records) < max(2, MIN_SHARE_OF_RECORDS * len(pieces.spans)) or len(records) < len(texts):
        return False
    lines = [_join_lines(pieces, members) for members in texts]
    counts, every = Counter(map(len, lines)), [line for each in lines for line in each]
    if len(counts) < 2 or max(counts) < MIN_PARAGRAPHS or sum(map(len, every)) < MIN_PARAGRAPH * len(every):
        return False
    if sum(line.endswith(_ENDS) for line in every) < MIN_SENTENCES * len(every):
        return False
    return not any(pieces.is_money(piece) for members in texts for piece in members) and not _have_parts(pieces, texts)


def _join_lines(pieces: Pieces, members: Sequence[int]) -> list[str]:
    """Join the pieces of each line."""
    return [" ".join(pieces.texts[piece] for piece in line) for _, line in groupby(members, pieces.lines.__getitem__)]


def _have_parts(pieces: Pieces, texts: Sequence[list[int]]) -> bool:
    """Tell whether most texts have an element of one kind that is a fact: a heading, a link, or one with a class."""
    counts = Counter(kind for members in texts for kind in {_part(pieces, piece) for piece in members})
    return any(2 * count > len(texts) for kind, count in counts.items() if kind)


def _part(pieces: Pieces, piece: int) -> str:
    """Name the kind of element that makes a piece a fact of its own; empty if nothing does."""
    document, node = pieces.document, pieces.owners[piece]
    tag, around = document.tag(node), document.tag(document.parents.item(node))
    if tag in HEADING_TAGS or (tag == "a" and around not in _PARAGRAPHS):
        return tag
    return document.attributes[node].get("class", "") if tag in _PARAGRAPHS or tag in INLINE_TAGS else ""


def _join_inside(pieces: Pieces, holders: Sequence[int]) -> Pieces:
    """Join all texts inside of each holder, of which outer ones come first; images stay."""
    nodes, stop = pieces.nodes, -1
    runs: dict[int, int] = {}
    joined: dict[int, list[int]] = {}
    for holder in holders:
        if holder < stop:
            continue
        stop = pieces.document.ends.item(holder)
        inside = range(bisect_left(nodes, holder), bisect_left(nodes, stop))
        texts = [piece for piece in inside if not pieces.is_image[piece]]
        joined[texts[0]] = texts
        runs[texts[0]] = holder
    dropped = {piece for texts in joined.values() for piece in texts[1:]}
    kept = [piece for piece in range(len(pieces)) if piece not in dropped]
    texts_of = (" ".join(pieces.texts[each] for each in joined.get(piece, (piece,))) for piece in kept)
    found = rebuild(pieces, zip(kept, texts_of, strict=True))
    for place, piece in enumerate(kept):
        if piece in runs:
            found.owners[place] = found.nodes[place] = runs[piece]
    return found
