"""Tell which texts of a line are one value to a reader, although they are in elements of their own.

The sign, the whole and the cents of a price are often three elements; a range has a dash between two prices, and words
such as `from` and `/ month` beside them.  Fails where a price and its sign are not on one line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.struck_texts import StruckTexts
from webquarry.model.document import Document
from webquarry.page.looks import to_number
from webquarry.values.money_spans import find_money
from webquarry.values.units import unit_of

MAX_LENGTH = 40  # characters of a text that may be part of an amount
MIN_COMMON_HEIGHT = 0.5  # share of the lower of two boxes, for them to be on one line
MAX_GAP = 0.6  # of the height of a line, between boxes that are read as one value
SMALL_LETTERS = 0.8  # size of letters, to those before them, from which raised cents are told
_DIGIT = re.compile(r"\d")
_CENTS = re.compile(r"\s*\d\d\s*")
_CENTS_CLASS = re.compile(r"cent(?:s|avos|imes|esimi)?\b|fraction|decimal", re.IGNORECASE)
_BAR = "|"  # keeps what is before it and after it apart
_NUMBER = re.compile(r"\s*\d{1,3}(?:(?:[., ]?\d{3})*(?:[.,]\d{1,2})?)\s*")
_AFTER_NUMBER = re.compile(r"\s*(?:[%°+]|/\s?\d{1,3})\s*")

Nodes = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Joins(NamedTuple):
    """What a reader joins: columns with one entry a leaf."""

    continues: Flags  # it continues the value of the leaf before it
    cents: list[int]  # leaves with the cents of an amount, before which no mark is written


def find_joins(document: Document, owners: Nodes, texts: Sequence[str], flows: Flags, spaces: Flags) -> Joins:
    """Find the leaves that continue a value.

    `flows` tells of each leaf whether it may follow the one before it in a line, `spaces` whether there is room
    between the two.
    """
    continues = np.zeros(len(owners), dtype=np.bool_)
    cents: list[int] = []
    beside = flows.copy()
    beside[:-1] |= flows[1:]
    lined = np.flatnonzero(beside)  # only texts that share their line with another matter
    is_short = np.zeros(len(owners), dtype=np.bool_)
    is_short[lined] = [len(texts[leaf]) <= MAX_LENGTH for leaf in lined.tolist()]
    numbers = [leaf for leaf in np.flatnonzero(is_short).tolist() if _DIGIT.search(texts[leaf]) is not None]
    if not numbers:
        return Joins(continues, cents)
    flows = flows & is_short
    flows[1:] &= is_short[:-1]
    line_of = np.cumsum(~flows)
    line_parts = _Line(document, owners, texts, spaces, StruckTexts(document))
    bounds = np.flatnonzero(np.concatenate([~flows, [True]]))
    for line in np.unique(line_of[numbers]).tolist():
        first, stop = int(bounds[line - 1]), int(bounds[line])
        if stop - first > 1:
            cents += _join_line(line_parts, range(first, stop), continues)
    return Joins(continues, cents)


def flows_by_layout(document: Document, nodes: Nodes) -> Flags:
    """Tell for each leaf whether its box follows that of the leaf before it on one line; never without a layout."""
    flows = np.zeros(len(nodes), dtype=np.bool_)
    if document.layout is None or len(nodes) < 2:
        return flows
    x, y, width, height = document.layout.boxes[nodes].astype(np.float64).T
    low, high = np.maximum(y[1:], y[:-1]), np.minimum(y[1:] + height[1:], y[:-1] + height[:-1])
    least, most = np.minimum(height[1:], height[:-1]), np.maximum(height[1:], height[:-1])
    gap = np.maximum(x[1:] - x[:-1] - width[:-1], x[:-1] - x[1:] - width[1:])  # to the right, or to the left in Arabic
    flows[1:] = (high - low >= MIN_COMMON_HEIGHT * least) & (np.abs(gap) <= MAX_GAP * most)
    return flows


class _Line(NamedTuple):
    document: Document
    owners: Nodes
    texts: Sequence[str]
    spaces: Flags
    struck: StruckTexts


def _join_line(line: _Line, leaves: range, continues: Flags) -> list[int]:
    """Join the leaves of one line that an amount of money reaches across; give back those with its cents."""
    cents: list[int] = []
    parts: list[str] = []
    starts: list[int] = []
    stops: list[int] = []
    length = 0
    for leaf in leaves:
        if leaf > leaves[0]:
            if _is_cents(line, leaf):
                cents.append(leaf)
                parts.append(".")
            elif _is_amount_of_its_own(line, leaf):
                parts.append(_BAR)
            else:
                parts.append(" " if line.spaces[leaf] else "")
            length += len(parts[-1])
        own = line.texts[leaf]
        starts.append(length + len(own) - len(own.lstrip()))
        stops.append(length + len(own.rstrip()))
        parts.append(own)
        length += len(own)
    spans = find_money("".join(parts).replace("\n", " ").replace("\t", " "))
    ends = [stop for _, stop in spans]
    for place in range(1, len(leaves)):
        leaf = leaves[place]
        span = bisect_right(ends, starts[place])  # the first that ends after the leaf has begun
        is_inside = span < len(spans) and spans[span][0] < stops[place - 1]
        if (is_inside or _continues_number(line, leaf)) and _are_struck_alike(line, leaf):
            continues[leaf] = True
    return [leaf for leaf in cents if continues[leaf]]


def _are_struck_alike(line: _Line, leaf: int) -> bool:
    owners = int(line.owners[leaf - 1]), int(line.owners[leaf])
    return line.struck.is_struck(owners[0]) == line.struck.is_struck(owners[1])


def _continues_number(line: _Line, leaf: int) -> bool:
    """Tell whether a text belongs to the number before it: a sign that touches it, or its unit."""
    before, text = line.texts[leaf - 1], line.texts[leaf]
    if not before.rstrip()[-1:].isdigit():
        return False
    if not line.spaces[leaf] and _AFTER_NUMBER.fullmatch(text):
        return True
    if line.document.tag(int(line.owners[leaf])) == "a" or _NUMBER.fullmatch(before) is None:
        return False
    return unit_of(next(iter(text.split()), ""), attached=False) != ""


def _is_amount_of_its_own(line: _Line, leaf: int) -> bool:
    """Tell whether a number and an amount meet here: the sign of the amount does not belong to the number too."""
    before, text = line.texts[leaf - 1].rstrip(), line.texts[leaf].lstrip()
    if before[-1:].isdigit():
        return bool(find_money(text)) and not find_money(before)
    return text[:1].isdigit() and bool(find_money(before)) and not find_money(text)


def _is_cents(line: _Line, leaf: int) -> bool:
    """Tell whether a leaf has the cents of the number before it, told by smaller letters instead of a mark."""
    if not _CENTS.fullmatch(line.texts[leaf]) or not line.texts[leaf - 1].rstrip()[-1:].isdigit():
        return False
    document, owner = line.document, int(line.owners[leaf])
    if document.tag(owner) == "sup" or _CENTS_CLASS.search(document.attributes[owner].get("class", "")):
        return True
    if document.layout is None or line.spaces[leaf]:
        return False
    sizes = [to_number(document.layout.style(int(line.owners[each]), "font-size"), 0.0) for each in (leaf - 1, leaf)]
    return 0 < sizes[1] <= SMALL_LETTERS * sizes[0]
