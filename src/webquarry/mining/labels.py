"""Labels: what the page itself calls a value, before a colon, in a term or in a header cell of a row."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from webquarry.mining.pieces import Pieces
from webquarry.model import Document

LABELLED = 0.5
"""Of the texts of one key, those that must start with a label that recurs: `Alien: Covenant` is one title of many."""

_LABEL = re.compile(r"([^\W\d_][^:：]{0,39}?)\s*[:：](?!//)\s*")
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


def find_labels(document: Document, pieces: Pieces, keys: Sequence[Hashable]) -> Labels:
    """The labels of pieces.  Only those count that more records than one have."""
    said, stops = _read(document, pieces)
    holders: dict[tuple[Hashable, str], set[int]] = defaultdict(set)
    for piece, name in said.items():
        holders[keys[piece], name].add(pieces.records[piece])
    several = len(set(pieces.records)) > 1
    sure = {piece: name for piece, name in said.items() if not several or len(holders[keys[piece], name]) > 1}
    of_key, labelled = Counter(keys), Counter(keys[piece] for piece in sure)
    labels = Labels([None] * len(pieces), [False] * len(pieces), [0] * len(pieces))
    for piece, name in sure.items():
        if stops[piece] == len(pieces.texts[piece]):
            _put_whole(labels, pieces, piece, name, sure)
        elif labelled[keys[piece]] >= LABELLED * of_key[keys[piece]] and labels.names[piece] is None:
            labels.names[piece] = name
            labels.starts[piece] = stops[piece]
    return labels


def _read(document: Document, pieces: Pieces) -> tuple[dict[int, str], dict[int, int]]:
    """For each piece that starts with a label, or is one, the name and where it stops."""
    names, stops = {}, {}
    terms = {code for code, name in enumerate(document.tag_names) if name in _TERMS}
    tags = document.tags[pieces.owners].tolist()
    for piece, text in enumerate(pieces.texts):
        if tags[piece] in terms and text:
            names[piece], stops[piece] = text.rstrip(" :："), len(text)
        elif (":" in text or "：" in text) and (match := _LABEL.match(text)):
            names[piece], stops[piece] = match[1], match.end()
    return names, stops


def _put_whole(labels: Labels, pieces: Pieces, piece: int, name: str, sure: dict[int, str]) -> None:
    """Give a label to what follows it in its record, if that is no label itself."""
    following = piece + 1
    if following == len(pieces) or pieces.records[following] != pieces.records[piece]:
        return
    if following in sure or pieces.is_image[following]:
        return
    labels.names[piece] = labels.names[following] = name
    labels.is_label[piece] = True
