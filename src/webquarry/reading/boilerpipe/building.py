"""A document to its blocks: text that no tag parts."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import find_inside
from webquarry.html.kinds import Kind
from webquarry.model import Document
from webquarry.reading.boilerpipe.blocks import Blocks, Label
from webquarry.reading.boilerpipe.tags import Role, find_roles
from webquarry.reading.boilerpipe.words import fill_lines, find_words


class BlocksOfTexts(NamedTuple):
    """The blocks of a document, and which of its texts are in them."""

    blocks: Blocks
    nodes: NDArray[np.int32]
    """All texts that a reader sees and that are not blank."""
    places: NDArray[np.int64]
    """For each of these the block that it is in; -1 for what is passed over."""


class _Runs(NamedTuple):
    """Pieces of text that neither a block nor a link parts."""

    texts: list[str]
    nodes: NDArray[np.int64]
    """The first text of each."""
    are_first: NDArray[np.bool_]
    """For each whether a block begins with it."""


def build_blocks(document: Document) -> BlocksOfTexts:
    """The blocks of a document, none decided yet."""
    roles, ends = find_roles(document), document.ends
    all_texts = np.flatnonzero(document.kinds == Kind.TEXT)
    texts = map(document.texts.__getitem__, all_texts.tolist())
    is_blank = np.array([not text or text.isspace() for text in texts], dtype=np.bool_)
    blanks, others = all_texts[is_blank], all_texts[~is_blank]
    nodes = others[~document.hidden[others]]
    passed = _inside(Role.IS_PASSED_OVER, roles, ends) | ~_inside(Role.IS_BODY, roles, ends)
    used = nodes[~passed[nodes]]

    tags_before = _count_tags((roles & Role.PARTS_BLOCKS) != 0, ends)[used]
    are_first = _changes(tags_before)
    runs = _find_runs(document, used, are_first, blanks, roles)
    places = np.full(len(document), -1, dtype=np.int64)
    places[used] = np.cumsum(are_first) - 1
    return BlocksOfTexts(_measure(document, runs, roles), nodes.astype(np.int32), places[nodes])


def _find_runs(
    document: Document,
    nodes: NDArray[np.int64],
    are_first: NDArray[np.bool_],
    blanks: NDArray[np.int64],
    roles: NDArray[np.int64],
) -> _Runs:
    """The runs of some texts, of which some begin a block."""
    spaces = _count_tags((roles & Role.PARTS_WORDS) != 0, document.ends)[nodes] + np.searchsorted(blanks, nodes)
    pieces = [
        f" {document.texts[node]}" if is_parted else document.texts[node]
        for node, is_parted in zip(nodes.tolist(), _changes(spaces).tolist(), strict=True)
    ]
    links = _count_tags((roles & Role.LINKS) != 0, document.ends)[nodes]
    starts = np.flatnonzero(are_first | _changes(links))
    texts = ["".join(pieces[start:stop]) for start, stop in _spans(starts, len(pieces))]
    return _Runs(texts, nodes[starts], are_first[starts])


def _measure(document: Document, runs: _Runs, roles: NDArray[np.int64]) -> Blocks:
    """The blocks of runs of text, with their numbers."""
    ends, firsts = document.ends, np.flatnonzero(runs.are_first)
    heads, offsets = runs.nodes[firsts], np.arange(len(firsts))
    words = find_words(runs.texts)
    blocks = (np.cumsum(runs.are_first) - 1)[words.places]  # of each word
    is_linked = _inside(Role.LINKS, roles, ends)[runs.nodes][words.places]
    lines = fill_lines(words.lengths, np.searchsorted(blocks, offsets), np.searchsorted(blocks, offsets, side="right"))
    is_heading, is_item = (_inside(role, roles, ends)[heads] for role in (Role.IS_HEADING, Role.IS_ITEM))
    is_level = (roles & Role.IS_LEVEL) != 0
    return Blocks(
        title=_title(document, ends),
        texts=tuple(" ".join(" ".join(runs.texts[a:b]).split()) for a, b in _spans(firsts, len(runs.texts))),
        words=np.bincount(blocks, minlength=len(firsts)),
        linked=np.bincount(blocks[is_linked], minlength=len(firsts)),
        line_words=lines.words,
        lines=lines.counts,
        starts=offsets,
        stops=offsets,
        levels=(np.cumsum(is_level) - _count_end_tags(is_level, ends))[heads],
        labels=is_heading * int(Label.HEADING) + is_item * int(Label.ITEM),
        content=np.zeros(len(firsts), dtype=np.bool_),
        homes=offsets,
    )


def _title(document: Document, ends: NDArray[np.int32]) -> str:
    """The title of the page, the last where there are several."""
    titles = np.flatnonzero(document.has_tag(["title"]) & ~find_inside(ends, document.has_tag(["body"])))
    found = ("".join(document.texts[node : ends[node]]).strip() for node in reversed(titles.tolist()))
    return next(filter(None, found), "")


def _inside(role: Role, roles: NDArray[np.int64], ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    return find_inside(ends, (roles & role) != 0)


def _count_tags(chosen: NDArray[np.bool_], ends: NDArray[np.int32]) -> NDArray[np.int64]:
    """For each node how many start and end tags of elements chosen stand before it, its own counted."""
    return np.cumsum(chosen) + _count_end_tags(chosen, ends)


def _count_end_tags(chosen: NDArray[np.bool_], ends: NDArray[np.int32]) -> NDArray[np.int64]:
    return np.cumsum(np.bincount(ends[chosen], minlength=len(chosen) + 1))[:-1]


def _changes(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each number whether it is not the one before; the first is new."""
    return np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]


def _spans(starts: NDArray[np.int64], size: int) -> list[tuple[int, int]]:
    return list(pairwise([*starts.tolist(), size]))
