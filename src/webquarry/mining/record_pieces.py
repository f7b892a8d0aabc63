"""Cut records into pieces: the texts and images that are values, or parts of values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from webquarry.html.tables import MAX_WIDTH, read_span
from webquarry.html.tag_paths import paths_below
from webquarry.html.visibility import CELLS
from webquarry.mining.record_lines import Flags, Positions, find_gaps, find_highlights, find_inline, find_wraps
from webquarry.model.document import Document
from webquarry.page.leaves import Leaves

MAX_AMOUNT_LENGTH = 100  # characters of a text that are searched for digits
MAX_NESTED_HIGHLIGHTS = 20
_EDGE = " |·•,;/\\»«\u203a\u2039→—\u2013-"  # separators between texts of a line
_DIGIT = re.compile(r"\d")
_SEPARATOR = re.compile(rf"[{re.escape(_EDGE)}:()\[\]<>]*")

Nodes = NDArray[np.int64]


@dataclass(frozen=True)
class Pieces:
    """The pieces of some records: columns with one entry a piece, in document order."""

    document: Document
    spans: Sequence[tuple[int, int]]  # for each record its first node, and the number after its last
    tops: Nodes  # for each record the element that tag paths begin at
    records: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)  # the element around the text, or the image itself
    nodes: list[int] = field(default_factory=list)  # the text or image itself; the owner if there are several texts
    texts: list[str] = field(default_factory=list)  # empty for images
    lines: list[int] = field(default_factory=list)  # the number of the line
    is_image: list[bool] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def has_digits(self) -> list[bool]:
        """Whether each text has digits, as far as it may be an amount."""
        search = _DIGIT.search
        return [search(text, 0, MAX_AMOUNT_LENGTH) is not None for text in self.texts]


def find_pieces(document: Document, spans: Sequence[tuple[int, int]], leaves: Leaves) -> Pieces:
    """Find the pieces of all records: texts with the words highlighted in them, without mere separators."""
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
        highlights = find_highlights(Positions(np.cumsum(starts), owners, outer, paths, is_inline), texts)
        owners = _skip_highlights(document, leaves, tops, owners, highlights)
    soft = gaps.soft & between_texts
    soft[1:] &= owners[1:] == owners[:-1]
    if soft.any():
        starts &= ~find_wraps(record_paths(leaves, tops, owners), starts, soft, texts)
    is_apart = gaps.spaces | gaps.soft | _is_beside(document, owners)
    columns = _LeafColumns(records, nodes, owners, is_image, is_apart.tolist(), starts, texts)
    return _make_pieces(document, spans, record_tops, columns)


@dataclass(frozen=True)
class _LeafColumns:
    """The leaves of records: columns with one entry a leaf."""

    records: Nodes
    nodes: Nodes
    owners: Nodes
    is_image: Flags
    is_apart: list[bool]  # there is room between it and the one before
    starts: Flags  # it starts a line
    texts: list[str]


def _leaves_of(bounds: Nodes, leaves: Leaves) -> tuple[Nodes, Nodes]:
    """Give for each leaf of the records its record and its place among all leaves."""
    firsts, stops = leaves.starts[bounds.T]
    counts = stops - firsts
    records = np.repeat(np.arange(len(bounds)), counts)
    return records, (firsts - np.cumsum(counts) + counts)[records] + np.arange(len(records))


def _skip_highlights(
    document: Document, leaves: Leaves, tops: Nodes, owners: Nodes, highlights: frozenset[int]
) -> Nodes:
    """Find the elements that hold leaves, highlights not counted."""
    for _ in range(MAX_NESTED_HIGHLIGHTS if highlights else 0):
        paths = record_paths(leaves, tops, owners)
        marked = np.zeros(len(owners), dtype=np.bool_)
        for highlight in highlights:
            marked |= paths == np.uint64(highlight)
        marked &= owners > tops
        if not marked.any():
            break
        owners = np.where(marked, document.parents[owners], owners)
    return owners


def _is_beside(document: Document, owners: Nodes) -> Flags:
    """Tell for each leaf whether its element is beside that of the leaf before it.

    Without a layout, this is taken to leave room between them; raised and lowered letters leave none.
    """
    beside = np.zeros(len(owners), dtype=np.bool_)
    if document.layout is None:
        before, after = owners[:-1], owners[1:]
        in_each_other = (document.parents[before] == after) | (document.parents[after] == before)
        beside[1:] = (before != after) & ~in_each_other & ~document.has_tag(["sub", "sup"], after)
    return beside


def _make_pieces(document: Document, spans: Sequence[tuple[int, int]], tops: Nodes, leaves: _LeafColumns) -> Pieces:
    firsts = np.flatnonzero(_find_parts(document, leaves))
    stops = np.append(firsts[1:], len(leaves.starts))
    opens = leaves.starts[firsts]
    closes = np.append(opens[1:], True)
    bounds = zip(firsts.tolist(), stops.tolist(), opens.tolist(), closes.tolist(), strict=True)
    texts = [
        " ".join(leaves.texts[first].split())
        if stop - first == opens + closes - 1
        else _text(leaves, first, stop, opens, closes)
        for first, stop, opens, closes in bounds
    ]
    kept = leaves.is_image[firsts] | np.array(texts, dtype=np.bool_)
    firsts, stops = firsts[kept], stops[kept]
    is_several = stops - firsts > 1
    owners, last_owners = leaves.owners[firsts], leaves.owners[stops - 1]
    for part in np.flatnonzero(owners != last_owners).tolist():
        owners[part] = _common(document, int(owners[part]), int(last_owners[part]))
    return Pieces(
        document,
        spans,
        tops,
        records=leaves.records[firsts].tolist(),
        owners=owners.tolist(),
        nodes=np.where(is_several, owners, leaves.nodes[firsts]).tolist(),
        texts=list(compress(texts, kept.tolist())),
        lines=np.cumsum(leaves.starts)[firsts].tolist(),
        is_image=leaves.is_image[firsts].tolist(),
    )


def _find_parts(document: Document, leaves: _LeafColumns) -> Flags:
    """Tell for each leaf whether it starts a part of a line: texts of one element or word go together.

    A link is always a part of its own.
    """
    parts = leaves.starts.copy()
    parts[1:] |= leaves.owners[1:] != leaves.owners[:-1]
    touches = parts & ~leaves.starts
    is_link = document.has_tag(["a"], leaves.owners)
    touches[1:] &= ~is_link[1:] & ~is_link[:-1]
    for leaf in np.flatnonzero(touches).tolist():
        parts[leaf] = leaves.is_apart[leaf] or not (
            leaves.texts[leaf - 1][-1].isalnum() and leaves.texts[leaf][0].isalnum()
        )
    return parts


def _text(leaves: _LeafColumns, first: int, stop: int, opens: bool, closes: bool) -> str:
    """Join the texts of a part of a line, without separators at inner edges; empty if there is nothing else.

    `opens` and `closes` tell whether the part begins and ends its line.
    """
    text = leaves.texts[first]
    if stop > first + 1:
        text = "".join(
            [" " + leaves.texts[leaf] if leaves.is_apart[leaf] else leaves.texts[leaf] for leaf in range(first, stop)]
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
    """Find the innermost element that holds both."""
    while not one <= other < document.ends[one]:
        one = int(document.parents[one])
    return one


def find_tops(document: Document, bounds: Nodes) -> Nodes:
    """Give for each record the element that paths begin at: itself, or what holds it if some are several elements.

    Records of one kind then have the same paths at any depth of the page.
    """
    tops = bounds[:, 0]
    is_whole = (document.ends[tops] == bounds[:, 1]) & (document.tags[tops] >= 0)
    return tops if is_whole.all() else np.maximum(document.parents[tops], 0).astype(np.int64)


def record_paths(leaves: Leaves, tops: Nodes, nodes: Nodes) -> NDArray[np.uint64]:
    """Number the tag paths of nodes below the tops of their records."""
    outer = leaves.paths[tops]
    if (outer == outer[0]).all():  # then whole paths do
        return leaves.paths[nodes]
    levels = np.maximum(leaves.depths[nodes] - leaves.depths[tops], 0)
    return paths_below(leaves.paths[nodes], outer, levels)


def find_keys(pieces: Pieces, leaves: Leaves) -> list[int]:
    """Number the keys of pieces: tag path below the record, cell in its row, and text or image."""
    paths = record_paths(leaves, pieces.tops[pieces.records], np.array(pieces.owners)).tolist()
    cells = find_cells(pieces)
    codes: dict[tuple[int, int, bool], int] = {}
    triples = zip(paths, cells, pieces.is_image, strict=True)
    return [codes.setdefault(triple, len(codes)) for triple in triples]


def find_cells(pieces: Pieces) -> list[int]:
    """Give for each piece the place of its cell, if the row is the record or in it; else -1.

    Cells that reach down from earlier rows are not counted.
    """
    document, spans = pieces.document, pieces.spans
    low, high = min(first for first, _ in spans), max(stop for _, stop in spans)
    cells = np.flatnonzero(document.has_tag(CELLS, slice(low, high))) + low
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


def places_in_rows(document: Document, cells: Nodes) -> list[int]:
    """Give for each cell its place in its row, in columns of the table."""
    filled: dict[int, int] = {}
    places = []
    for cell, row in zip(cells.tolist(), document.parents[cells].tolist(), strict=True):
        places.append(filled.get(row, 0))
        filled[row] = places[-1] + (read_span(document.attributes[cell].get("colspan", ""), MAX_WIDTH) or 1)
    return places
