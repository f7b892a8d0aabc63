"""Pieces: the texts and images of records, each of them a value or a part of one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from webquarry.html.tag_paths import paths_below
from webquarry.mining.record_lines import Standing, find_gaps, find_highlights, find_inline, find_wraps
from webquarry.model.document import Document
from webquarry.page.leaves import Leaves


# MERGED mining/fields/record_paths: Paths in records: tag paths from where a record begins, so that records
def find_tops(document: Document, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each record the element that paths begin at: itself, or what holds it if some are several elements.

    Given are for each record its first node, and the number after its last.
    """
    tops = bounds[:, 0]
    is_whole = (document.ends[tops] == bounds[:, 1]) & (document.tags[tops] >= 0)
    return tops if is_whole.all() else np.maximum(document.parents[tops], 0).astype(np.int64)


def record_paths(leaves: Leaves, tops: NDArray[np.int64], nodes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Numbers that are the same for nodes of the same tag path below the tops of their records."""
    outer = leaves.paths[tops]
    if (outer == outer[0]).all():  # then whole paths tell as much
        return leaves.paths[nodes]
    levels = np.maximum(leaves.depths[nodes] - leaves.depths[tops], 0)
    return paths_below(leaves.paths[nodes], outer, levels)


LONGEST_AMOUNT = 100
"""Characters."""
MOST_NESTED = 20
"""Highlights in each other that are seen through."""

Nodes = NDArray[np.int64]

_EDGE = " |·•,;/\\»«\u203a\u2039→—\u2013-"
"""What is not of a text where the line goes on with another."""
_DIGIT = re.compile(r"\d")
_SEPARATOR = re.compile(rf"[{re.escape(_EDGE)}:()\[\]<>]*")


@dataclass(frozen=True)
class Pieces:
    """The pieces of records of a document: columns, one entry a piece, in document order."""

    document: Document
    spans: Sequence[tuple[int, int]]
    """For each record its first node, and the number after its last."""
    tops: Nodes
    """For each record the element that tag paths begin at."""
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

    @cached_property
    def has_digits(self) -> list[bool]:
        """Whether the text of each has digits in it, as far as it may be an amount."""
        search = _DIGIT.search
        return [search(text, 0, LONGEST_AMOUNT) is not None for text in self.texts]


def find_pieces(document: Document, spans: Sequence[tuple[int, int]], leaves: Leaves) -> Pieces:
    """The pieces of all records: texts in one go with what is highlighted in them, without mere separators."""
    bounds = np.array(spans, dtype=np.int64).reshape(-1, 2)
    records, chosen = _leaves_of(bounds, leaves)
    if not len(chosen):
        return Pieces(document, spans, bounds[:, 0])
    nodes, is_image = leaves.nodes[chosen], leaves.is_image[chosen]
    written = document.texts
    texts = [written[node] for node in nodes.tolist()]
    low = int(bounds.min())
    inline = find_inline(document, low, int(nodes.max()) + 1)
    gaps = find_gaps(document, inline, low, nodes)
    between_texts = np.zeros(len(nodes), dtype=np.bool_)
    between_texts[1:] = ~is_image[1:] & ~is_image[:-1] & (records[1:] == records[:-1])
    starts = gaps.breaks | ~between_texts
    record_tops = find_tops(document, bounds)
    owners, tops = leaves.owners[chosen], record_tops[records]
    if not starts.all():
        is_inline = inline[np.maximum(owners - low, 0)] & (owners >= low)
        paths, outer = record_paths(leaves, tops, owners), document.parents[owners].astype(np.int64)
        highlights = find_highlights(Standing(np.cumsum(starts), owners, outer, paths, is_inline), texts)
        owners = _skip_highlights(document, leaves, tops, owners, highlights)
    soft = gaps.soft & between_texts
    soft[1:] &= owners[1:] == owners[:-1]
    if soft.any():
        starts &= ~find_wraps(record_paths(leaves, tops, owners), starts, soft, texts)
    is_apart = gaps.spaces | gaps.soft | _is_beside(document, owners)
    run = _Run(records, nodes, owners, is_image, is_apart.tolist(), starts, texts)
    return _make_pieces(document, spans, record_tops, run)


@dataclass(frozen=True)
class _Run:
    """Columns, one entry a leaf."""

    records: Nodes
    nodes: Nodes
    owners: Nodes
    is_image: NDArray[np.bool_]
    is_apart: list[bool]
    """Whether there is room between it and the one before."""
    starts: NDArray[np.bool_]
    """Whether it starts a line."""
    texts: list[str]


def _leaves_of(bounds: Nodes, leaves: Leaves) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each leaf of the records its record and its place among all leaves."""
    firsts, stops = leaves.starts[bounds.T]
    counts = stops - firsts
    records = np.repeat(np.arange(len(bounds)), counts)
    return records, (firsts - np.cumsum(counts) + counts)[records] + np.arange(len(records))


def _skip_highlights(
    document: Document, leaves: Leaves, tops: Nodes, owners: Nodes, highlights: frozenset[int]
) -> Nodes:
    """The elements that leaves stand in when highlights do not count."""
    for _ in range(MOST_NESTED if highlights else 0):
        paths = record_paths(leaves, tops, owners)
        marked = np.zeros(len(owners), dtype=np.bool_)
        for highlight in highlights:
            marked |= paths == np.uint64(highlight)
        marked &= owners > tops
        if not marked.any():
            break
        owners = np.where(marked, document.parents[owners], owners)
    return owners


def _is_beside(document: Document, owners: Nodes) -> NDArray[np.bool_]:
    """Whether each leaf stands in an element beside that of the one before: without a layout, room is taken to be left
    between them.  Raised letters go on with what they stand behind."""
    beside = np.zeros(len(owners), dtype=np.bool_)
    if document.layout is None:
        before, after = owners[:-1], owners[1:]
        in_each_other = (document.parents[before] == after) | (document.parents[after] == before)
        beside[1:] = (before != after) & ~in_each_other & ~document.has_tag(["sub", "sup"], after)
    return beside


def _make_pieces(document: Document, spans: Sequence[tuple[int, int]], tops: Nodes, run: _Run) -> Pieces:
    firsts = np.flatnonzero(_find_parts(document, run))
    stops = np.append(firsts[1:], len(run.starts))
    opens = run.starts[firsts]
    closes = np.append(opens[1:], True)
    bounds = zip(firsts.tolist(), stops.tolist(), opens.tolist(), closes.tolist(), strict=True)
    texts = [
        " ".join(run.texts[first].split())
        if stop - first == opens + closes - 1
        else _text(run, first, stop, opens, closes)
        for first, stop, opens, closes in bounds
    ]
    kept = run.is_image[firsts] | np.array(texts, dtype=np.bool_)
    firsts, stops = firsts[kept], stops[kept]
    is_several = stops - firsts > 1
    owners, last_owners = run.owners[firsts], run.owners[stops - 1]
    for part in np.flatnonzero(owners != last_owners).tolist():
        owners[part] = _common(document, int(owners[part]), int(last_owners[part]))
    return Pieces(
        document,
        spans,
        tops,
        records=run.records[firsts].tolist(),
        owners=owners.tolist(),
        nodes=np.where(is_several, owners, run.nodes[firsts]).tolist(),
        texts=list(compress(texts, kept.tolist())),
        lines=np.cumsum(run.starts)[firsts].tolist(),
        is_image=run.is_image[firsts].tolist(),
    )


def _find_parts(document: Document, run: _Run) -> NDArray[np.bool_]:
    """For each leaf whether it starts a part of a line: texts of one element, or written as one word, go together.

    A link is always whole.
    """
    parts = run.starts.copy()
    parts[1:] |= run.owners[1:] != run.owners[:-1]
    touches = parts & ~run.starts
    is_link = document.has_tag(["a"], run.owners)
    touches[1:] &= ~is_link[1:] & ~is_link[:-1]
    for leaf in np.flatnonzero(touches).tolist():
        parts[leaf] = run.is_apart[leaf] or not (run.texts[leaf - 1][-1].isalnum() and run.texts[leaf][0].isalnum())
    return parts


def _text(run: _Run, first: int, stop: int, opens: bool, closes: bool) -> str:
    """What a part of a line says, without separators at its edges; nothing when they are all of it.

    A part that opens and closes a line is the whole of it.
    """
    text = run.texts[first]
    if stop > first + 1:
        text = "".join(
            [" " + run.texts[leaf] if run.is_apart[leaf] else run.texts[leaf] for leaf in range(first, stop)]
        )
    text = " ".join(text.split())
    if opens and closes:
        return text
    if _SEPARATOR.fullmatch(text):
        return ""
    if not opens:
        text = text.lstrip(_EDGE)
    return text if closes else text.rstrip(_EDGE)


def _common(document: Document, one: int, other: int) -> int:
    """The innermost element that holds both."""
    while not one <= other < document.ends[one]:
        one = int(document.parents[one])
    return one


# MERGED mining/fields/keys: Keys: what pieces of different records have in common when they are values of on
WIDEST_CELL = 1000
"""Columns that a cell may span, as in the HTML standard."""


def find_keys(pieces: Pieces, leaves: Leaves) -> list[int]:
    """For each piece a number that tells its tag path below the record, its cell in a row, and text from image."""
    paths = record_paths(leaves, pieces.tops[pieces.records], np.array(pieces.owners)).tolist()
    cells = find_cells(pieces)
    codes: dict[tuple[int, int, bool], int] = {}
    triples = zip(paths, cells, pieces.is_image, strict=True)
    return [codes.setdefault(triple, len(codes)) for triple in triples]


def find_cells(pieces: Pieces) -> list[int]:
    """For each piece the place of its cell in its row, if the row is in the record or is it; else -1.

    Cells that reach down from earlier rows are not counted.
    """
    document, spans = pieces.document, pieces.spans
    low, high = min(first for first, _ in spans), max(stop for _, stop in spans)
    cells = np.flatnonzero(document.has_tag(["td", "th"], slice(low, high))) + low
    if not len(cells):
        return [-1] * len(pieces)
    owners = np.array(pieces.owners, dtype=np.int64)
    firsts = np.array(spans, dtype=np.int64)[pieces.records, 0]
    places = np.array(places_in_rows(document, cells), dtype=np.int64)
    last = np.maximum(np.searchsorted(cells, owners, side="right") - 1, 0)
    cell = cells[last]
    holds = (cell <= owners) & (owners < document.ends[cell]) & (document.parents[cell] >= firsts)
    found: list[int] = np.where(holds, places[last], -1).tolist()
    return found


def places_in_rows(document: Document, cells: NDArray[np.int64]) -> list[int]:
    """For each cell its place in its row, wide cells counted as often as they are wide."""
    filled: dict[int, int] = {}
    places = []
    for cell, row in zip(cells.tolist(), document.parents[cells].tolist(), strict=True):
        places.append(filled.get(row, 0))
        width = document.attributes[cell].get("colspan", "")
        wide = int(width) if width.isdecimal() and len(width) <= 4 else 1
        filled[row] = places[-1] + min(max(wide, 1), WIDEST_CELL)
    return places
