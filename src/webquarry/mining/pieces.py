"""Pieces: the texts and images of records, each of them a value or a part of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.highlights import find_highlights
from webquarry.mining.leaves import Leaves
from webquarry.mining.lines import Gaps, find_gaps, find_inline
from webquarry.mining.wraps import find_wraps
from webquarry.model import Document

_SEPARATOR = re.compile(r"[\s|·•,;:/\\()\[\]<>»«›‹→—–-]*")
_EDGE = " \t\n\r\f|·•,;/»«›‹→—–-"
"""What is not of a text where the line goes on with another."""


@dataclass(frozen=True)
class Pieces:
    """Columns, one entry a piece, in document order."""

    records: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    """The element that each stands in, or the image itself."""
    nodes: list[int] = field(default_factory=list)
    """The text or image itself; the owner of a piece that is several texts."""
    texts: list[str] = field(default_factory=list)
    """Nothing for images."""
    lines: list[int] = field(default_factory=list)
    """The number of the line that each stands in."""
    is_image: list[bool] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.nodes)


def find_pieces(document: Document, spans: Sequence[tuple[int, int]], leaves: Leaves) -> Pieces:
    """The pieces of all records: texts in one go with what is highlighted in them, without mere separators."""
    pieces = Pieces()
    records, chosen = _leaves_of(spans, leaves)
    if not len(chosen):
        return pieces
    nodes, is_image = leaves.nodes[chosen], leaves.is_image[chosen]
    texts = [document.texts[node] for node in nodes.tolist()]
    inline = find_inline(document)
    gaps = find_gaps(document, inline, nodes)
    starts = gaps.breaks | is_image | np.roll(is_image, 1) | (np.diff(records, prepend=-1) > 0)
    owners = _skip_highlights(document, leaves, leaves.owners[chosen], inline, starts, texts)
    starts &= ~find_wraps(leaves.paths[owners], owners, records, gaps.soft & ~is_image & ~np.roll(is_image, 1), texts)
    _add_pieces(pieces, document, _Run(records, nodes, owners, is_image, texts, gaps), _lines(starts))
    return pieces


@dataclass(frozen=True)
class _Run:
    records: NDArray[np.int64]
    nodes: NDArray[np.int32]
    owners: NDArray[np.int32]
    is_image: NDArray[np.bool_]
    texts: list[str]
    gaps: Gaps


def _leaves_of(spans: Sequence[tuple[int, int]], leaves: Leaves) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each leaf of the records its record and its place among all leaves."""
    bounds = leaves.starts[np.array(spans, dtype=np.int64).reshape(-1, 2)]
    counts = bounds[:, 1] - bounds[:, 0]
    offsets = np.repeat(bounds[:, 0] - np.cumsum(counts) + counts, counts)
    return np.repeat(np.arange(len(spans)), counts), offsets + np.arange(len(offsets))


def _lines(starts: NDArray[np.bool_]) -> list[range]:
    bounds = [*np.flatnonzero(starts).tolist(), len(starts)]
    return [range(first, stop) for first, stop in zip(bounds, bounds[1:], strict=False)]


def _skip_highlights(
    document: Document,
    leaves: Leaves,
    owners: NDArray[np.int32],
    inline: NDArray[np.bool_],
    starts: NDArray[np.bool_],
    texts: Sequence[str],
) -> NDArray[np.int32]:
    """The elements that leaves stand in when highlights do not count."""
    if starts.all():
        return owners
    outer = document.parents[owners]
    paths, outer_paths = leaves.paths[owners].tolist(), leaves.paths[outer].tolist()
    found = find_highlights(_lines(starts), owners.tolist(), outer.tolist(), paths, outer_paths, inline[owners].tolist(), texts)
    codes = np.array(sorted(found), dtype=np.int64)
    while (marked := np.isin(leaves.paths[owners], codes)).any():
        owners = np.where(marked, document.parents[owners], owners)
    return owners


def _add_pieces(pieces: Pieces, document: Document, run: _Run, lines: list[range]) -> None:
    records, nodes, owners = run.records.tolist(), run.nodes.tolist(), run.owners.tolist()
    is_image, spaces = run.is_image.tolist(), run.gaps.spaces.tolist()
    soft = run.gaps.soft.tolist()
    for number, line in enumerate(lines):
        for part in _parts(line, owners, run.texts, spaces, soft):
            text = _text(part, line, run.texts, spaces, soft)
            if not text and not is_image[part[0]]:
                continue
            owner = owners[part[0]] if len(part) == 1 else _common(document, owners[part[0]], owners[part[-1]])
            pieces.records.append(records[part[0]])
            pieces.owners.append(owner)
            pieces.nodes.append(nodes[part[0]] if len(part) == 1 else owner)
            pieces.texts.append(text)
            pieces.lines.append(number)
            pieces.is_image.append(is_image[part[0]])


def _parts(
    line: range, owners: Sequence[int], texts: Sequence[str], spaces: Sequence[bool], soft: Sequence[bool]
) -> Iterator[range]:
    """A line parted into texts that stand in the same element or are written as one word."""
    first = line.start
    for leaf in line[1:]:
        if owners[leaf] == owners[leaf - 1]:
            continue
        one_word = texts[leaf - 1][-1].isalnum() and texts[leaf][0].isalnum() and not spaces[leaf] and not soft[leaf]
        if not one_word:
            yield range(first, leaf)
            first = leaf
    yield range(first, line.stop)


def _text(part: range, line: range, texts: Sequence[str], spaces: Sequence[bool], soft: Sequence[bool]) -> str:
    if len(part) == 1:
        text = texts[part.start]
    else:
        text = "".join(" " + texts[leaf] if spaces[leaf] or soft[leaf] else texts[leaf] for leaf in part)
    text = " ".join(text.split())
    if part == line:
        return text
    if _SEPARATOR.fullmatch(text):
        return ""
    if part.start > line.start:
        text = text.lstrip(_EDGE)
    return text if part.stop == line.stop else text.rstrip(_EDGE)


def _common(document: Document, one: int, other: int) -> int:
    """The innermost element that holds both."""
    while not one <= other < document.ends[one]:
        one = int(document.parents[one])
    return one
