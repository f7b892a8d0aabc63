"""Labels: what the page itself calls a value, before a colon, in a term or in a header cell of a row."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from webquarry.mining.fields.pieces import Pieces

LABELLED = 0.8
"""Of the records with texts of one key, those in which a label must recur: `Alien: Covenant` is one title of many."""
LISTED = 0.5
"""Of the texts of one key, of which records have several, those that must have some label that recurs."""

_LABEL = re.compile(r"([^\W\d_][^:\uff1a]{0,39}?)\s*[:\uff1a](?!//)\s*")
_TERMS = frozenset(["dt", "th"])


@dataclass(frozen=True)
class Labels:
    """Columns, one entry a piece."""

    names: list[str | None]
    """What it is called; of a label itself, what it calls others."""
    is_label: list[bool]
    """Whether it is nothing but a label of what follows."""
    starts: list[int]
    """Where in the text the value starts, after its label."""


def find_labels(pieces: Pieces, keys: Sequence[Hashable]) -> Labels:
    """The labels of pieces.  Only those count that more records than one have."""
    labels = Labels([None] * len(pieces), [False] * len(pieces), [0] * len(pieces))
    said, stops = _read(pieces)
    if not said:
        return labels
    holders: dict[tuple[Hashable, str], set[int]] = defaultdict(set)
    for piece, name in said.items():
        holders[keys[piece], name].add(pieces.records[piece])
    several = len(set(pieces.records)) > 1
    sure = {piece: name for piece, name in said.items() if not several or len(holders[keys[piece], name]) > 1}
    listed = _find_listed(pieces, keys, sure)
    records = {key: len({pieces.records[piece] for piece in members}) for key, members in _by_key(keys, sure).items()}
    for piece, name in sure.items():
        key = keys[piece]
        if stops[piece] == len(pieces.texts[piece]):
            _put_whole(labels, pieces, piece, name, sure)
        elif labels.names[piece] is None and (key in listed or len(holders[key, name]) >= LABELLED * records[key]):
            labels.names[piece] = name
            labels.starts[piece] = stops[piece]
    return labels


def _by_key(keys: Sequence[Hashable], wanted: Iterable[int]) -> dict[Hashable, list[int]]:
    """For each key of the wanted pieces all pieces of it."""
    members: dict[Hashable, list[int]] = {keys[piece]: [] for piece in wanted}
    if members:
        for piece, key in enumerate(keys):
            if key in members:
                members[key].append(piece)
    return members


def _find_listed(pieces: Pieces, keys: Sequence[Hashable], sure: dict[int, str]) -> set[Hashable]:
    """The keys of which records have several texts, most of them with labels."""
    listed = set()
    labelled = Counter(keys[piece] for piece in sure)
    for key, members in _by_key(keys, sure).items():
        records = len({pieces.records[piece] for piece in members})
        if len(members) > records and labelled[key] >= LISTED * len(members):
            listed.add(key)
    return listed


def _read(pieces: Pieces) -> tuple[dict[int, str], dict[int, int]]:
    """For each piece that starts with a label, or is one, the name and where it stops."""
    names, stops = {}, {}
    terms = _find_terms(pieces)
    for piece, text in enumerate(pieces.texts):
        if piece in terms:
            names[piece], stops[piece] = text.rstrip(" :\uff1a"), len(text)
        elif ":" in text or "\uff1a" in text:
            match = _LABEL.match(text)
            if match and (match.end() == len(text) or not text[0].islower()):  # labels in a text begin with a capital
                names[piece], stops[piece] = match[1], match.end()
    return names, stops


def _find_terms(pieces: Pieces) -> set[int]:
    document = pieces.document
    if _TERMS.isdisjoint(document.tag_names):
        return set()
    is_term = document.has_tag(_TERMS, np.array(pieces.owners, dtype=np.int64))
    return {piece for piece in np.flatnonzero(is_term).tolist() if pieces.texts[piece]}


def _put_whole(labels: Labels, pieces: Pieces, piece: int, name: str, sure: dict[int, str]) -> None:
    """Give a label to what follows it in its record, if that is no label itself."""
    following = piece + 1
    if following == len(pieces) or pieces.records[following] != pieces.records[piece]:
        return
    if following in sure or pieces.is_image[following] or not _is_beside(pieces, piece, following):
        return
    labels.names[piece] = labels.names[following] = name
    labels.is_label[piece] = True


def _is_beside(pieces: Pieces, piece: int, following: int) -> bool:
    """Whether what follows a header cell is in the same row: that of a column has its values below."""
    document, owner = pieces.document, pieces.owners[piece]
    return document.tag(owner) != "th" or bool(pieces.nodes[following] < document.ends[document.parents[owner]])
