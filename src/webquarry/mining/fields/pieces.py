"""Pieces: the texts and images of records, each of them a value or a part of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.fields.highlights import Standing, find_highlights
from webquarry.mining.fields.lines import find_gaps, find_inline
from webquarry.mining.fields.record_paths import find_tops, record_paths
from webquarry.mining.fields.wraps import find_wraps
from webquarry.mining.leaves import Leaves
from webquarry.model import Document

MOST_NESTED = 20
"""Highlights in each other that are seen through."""

Nodes = NDArray[np.int64]

_EDGE = " |·•,;/\\»«\u203a\u2039→—\u2013-"
"""What is not of a text where the line goes on with another."""
_SEPARATOR = re.compile(rf"[{re.escape(_EDGE)}:()\[\]<>]*")


@dataclass(frozen=True)
class Pieces:
    """The pieces of records of a document: columns, one entry a piece, in document order."""

    document: Document
    spans: Sequence[tuple[int, int]]
    """For each record its first node, and the number after its last."""
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
    pieces = Pieces(document, spans)
    records, chosen = _leaves_of(spans, leaves)
    if not len(chosen):
        return pieces
    nodes, is_image = leaves.nodes[chosen], leaves.is_image[chosen]
    texts = [document.texts[node] for node in nodes.tolist()]
    low = int(min(spans)[0])
    inline = find_inline(document, low, int(nodes.max()) + 1)
    gaps = find_gaps(document, inline, low, nodes)
    between_texts = np.zeros(len(nodes), dtype=np.bool_)
    between_texts[1:] = ~is_image[1:] & ~is_image[:-1] & (records[1:] == records[:-1])
    starts = gaps.breaks | ~between_texts
    owners, tops = leaves.owners[chosen], find_tops(document, spans)[records]
    if not starts.all():
        is_inline = inline[np.maximum(owners - low, 0)] & (owners >= low)
        standing = _stand(leaves, tops, owners, document.parents[owners].astype(np.int64))
        highlights = find_highlights(standing, _lines(starts), is_inline.tolist(), texts)
        owners = _skip_highlights(document, leaves, tops, owners, highlights)
    soft = gaps.soft & between_texts
    soft[1:] &= owners[1:] == owners[:-1]
    if soft.any():
        starts &= ~find_wraps(record_paths(leaves, tops, owners), starts, soft, texts)
    link = document.tag_names.index("a") if "a" in document.tag_names else -2
    run = _Run(
        records=records.tolist(),
        nodes=nodes.tolist(),
        owners=owners.tolist(),
        is_image=is_image.tolist(),
        is_link=(document.tags[owners] == link).tolist(),
        is_apart=(gaps.spaces | gaps.soft | _is_beside(document, owners)).tolist(),
        texts=texts,
    )
    for number, line in enumerate(_lines(starts)):
        _add_line(pieces, run, number, line)
    return pieces


@dataclass(frozen=True)
class _Run:
    """Columns, one entry a leaf."""

    records: list[int]
    nodes: list[int]
    owners: list[int]
    is_image: list[bool]
    is_link: list[bool]
    is_apart: list[bool]
    """Whether there is room between it and the one before."""
    texts: list[str]


def _leaves_of(spans: Sequence[tuple[int, int]], leaves: Leaves) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each leaf of the records its record and its place among all leaves."""
    bounds = leaves.starts[np.array(spans, dtype=np.int64).reshape(-1, 2)]
    counts = bounds[:, 1] - bounds[:, 0]
    offsets = np.repeat(bounds[:, 0] - np.cumsum(counts) + counts, counts)
    return np.repeat(np.arange(len(spans)), counts), offsets + np.arange(len(offsets))


def _lines(starts: NDArray[np.bool_]) -> list[range]:
    bounds = [*np.flatnonzero(starts).tolist(), len(starts)]
    return [range(first, stop) for first, stop in pairwise(bounds)]


def _stand(leaves: Leaves, tops: Nodes, owners: Nodes, outer: Nodes) -> Standing:
    paths, outer_paths = record_paths(leaves, tops, owners), record_paths(leaves, tops, outer)
    return Standing(owners.tolist(), outer.tolist(), paths.tolist(), outer_paths.tolist())


def _skip_highlights(
    document: Document, leaves: Leaves, tops: Nodes, owners: Nodes, highlights: frozenset[int]
) -> Nodes:
    """The elements that leaves stand in when highlights do not count."""
    codes = np.array(sorted(highlights), dtype=np.uint64)
    for _ in range(MOST_NESTED if highlights else 0):
        marked = np.isin(record_paths(leaves, tops, owners), codes) & (owners > tops)
        if not marked.any():
            break
        owners = np.where(marked, document.parents[owners], owners)
    return owners


def _is_beside(document: Document, owners: Nodes) -> NDArray[np.bool_]:
    """Whether each leaf stands in an element beside that of the one before: without a layout, room is taken to be left
    between them.  Raised letters go on with what they stand behind."""
    beside = np.zeros(len(owners), dtype=np.bool_)
    if document.layout is None:
        raised = [code for code, name in enumerate(document.tag_names) if name in ("sub", "sup")]
        before, after = owners[:-1], owners[1:]
        in_each_other = (document.parents[before] == after) | (document.parents[after] == before)
        beside[1:] = (before != after) & ~in_each_other & ~np.isin(document.tags[after], raised)
    return beside


def _add_line(pieces: Pieces, run: _Run, number: int, line: range) -> None:
    if len(line) == 1:
        first = line.start
        _add(pieces, run, first, number, (run.owners[first], run.nodes[first], " ".join(run.texts[first].split())))
        return
    for part in _parts(run, line):
        first, text = part.start, _text(run, part, line)
        if not text:
            continue
        if len(part) > 1:
            owner = _common(pieces.document, run.owners[first], run.owners[part.stop - 1])
            _add(pieces, run, first, number, (owner, owner, text))
        else:
            _add(pieces, run, first, number, (run.owners[first], run.nodes[first], text))


def _add(pieces: Pieces, run: _Run, leaf: int, line: int, stands: tuple[int, int, str]) -> None:
    owner, node, text = stands
    pieces.records.append(run.records[leaf])
    pieces.owners.append(owner)
    pieces.nodes.append(node)
    pieces.texts.append(text)
    pieces.lines.append(line)
    pieces.is_image.append(run.is_image[leaf])


def _parts(run: _Run, line: range) -> Iterator[range]:
    """A line parted into texts that stand in the same element or are written as one word."""
    first = line.start
    for leaf in line[1:]:
        if run.owners[leaf] == run.owners[leaf - 1]:
            continue
        if run.is_apart[leaf] or not _is_one_word(run, leaf):
            yield range(first, leaf)
            first = leaf
    yield range(first, line.stop)


def _is_one_word(run: _Run, leaf: int) -> bool:
    """Whether a leaf goes on with the word before it; a link is always whole."""
    if run.is_link[leaf] or run.is_link[leaf - 1]:
        return False
    return run.texts[leaf - 1][-1].isalnum() and run.texts[leaf][0].isalnum()


def _text(run: _Run, part: range, line: range) -> str:
    """What a part of a line says, without separators at its edges; nothing when they are all of it."""
    text = run.texts[part.start]
    if len(part) > 1:
        text = "".join(" " + run.texts[leaf] if run.is_apart[leaf] else run.texts[leaf] for leaf in part)
    text = " ".join(text.split())
    if len(part) == len(line):
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
