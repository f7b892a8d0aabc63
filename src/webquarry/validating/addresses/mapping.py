"""Addresses of the tree that an extraction was made on, mapped to the nodes of the tree at hand.

First by path, which the text verifies where the extraction tells it; then by text and order.  Scripts put banners in
and take placeholders out, so that paths of the source lead elsewhere or nowhere: a text that stands once on the page
is sure, one that stands there several times is looked for between its sure neighbours in the extraction.

It fails where a text was rewritten, and may take a twin for a text of a page on which nothing around it is distinct.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from webquarry.html.kinds import Kind
from webquarry.model.document import Document
from webquarry.model.selection import Selection
from webquarry.validating.addresses.paths import Paths
from webquarry.validating.addresses.rows import Row
from webquarry.validating.addresses.spans import Span, Spans, key_of

_STEP = re.compile(r"/([^/\[\]]+)(?:\[(\d+)\])?")

UNMAPPED = -1
BEGINNING = 20
"""Characters by which a text that runs on into the next node is known."""
MAX_TWINS = 16
"""Stretches of the same text that are compared by their paths, on each side of where the text is expected: so that a
page of one word a thousand times takes no million comparisons."""


def select_rows(
    document: Document, rows: Sequence[Row], *, source: Document | None = None
) -> tuple[Selection, NDArray[np.intp]]:
    """What the rows of one page stand for on its document, and for each node of it the place of its row.

    Rows that stand for no node are told in `unmapped`, except those that were left out.
    """
    nodes = map_rows(document, rows, source=source)
    is_mapped = nodes != UNMAPPED
    is_taken = np.array([row.left_out is None for row in rows], dtype=np.bool_)
    places = np.flatnonzero(is_taken & is_mapped)
    found = [(rows[place], int(nodes[place])) for place in places.tolist()]
    selection = Selection(
        document,
        nodes[places],
        tuple(document.text(node) if row.text is None else row.text for row, node in found),
        tuple(row.column or "" for row, _ in found) if any(row.column for row in rows) else (),
        tuple(rows[place].xpath for place in np.flatnonzero(is_taken & ~is_mapped).tolist()),
        tuple(
            (int(nodes[place]), rows[place].left_out or "") for place in np.flatnonzero(~is_taken & is_mapped).tolist()
        ),
    )
    return selection, places


def map_rows(document: Document, rows: Sequence[Row], *, source: Document | None = None) -> NDArray[np.int32]:
    """For each row of a page the node that it stands for, or `UNMAPPED`.

    Of an address that stands for several nodes it is the first with the text of the row, or the first.  `source` is
    the tree that the addresses are of, such as that before scripts ran: it tells the texts that rows lack.
    """
    if not rows:
        return np.zeros(0, dtype=np.int32)
    return _Mapper(document, rows, source).map()


@dataclass(frozen=True)
class _Sure:
    """A row whose place is known: its text stands once on the page."""

    row: int
    span: Span
    by_path: bool
    """Whether its address leads there too."""


class _Mapper:
    """The rows of a page and its text."""

    def __init__(self, document: Document, rows: Sequence[Row], source: Document | None) -> None:
        self._document = document
        self._rows = rows
        self._paths = Paths(document)
        self._keys = _tell_keys(rows, source)
        self._found = [self._paths.find(row.xpath) for row in rows]
        self._open: set[int] = set()

    def map(self) -> NDArray[np.int32]:
        """The nodes of all rows: those that are sure, then the others between them."""
        nodes = [self._settle(row) for row in range(len(self._rows))]
        if self._open:
            self._fill(nodes)
        return np.array([UNMAPPED if node is None else node for node in nodes], dtype=np.int32)

    def _fill(self, nodes: list[int | None]) -> None:
        """Put in the nodes of rows that stand open, in the order of the extraction."""
        taken = {self._spans.span(node) for node in nodes if node is not None}
        following = self._following(nodes)
        before = (0, 0)
        for row, settled in enumerate(nodes):
            node = settled
            if row in self._open:
                span = self._choose(row, taken, before, following[row])
                taken.add(span)
                node = nodes[row] = self._node(row, span)
            before = before if node is None else self._spans.span(node)

    @cached_property
    def _spans(self) -> Spans:
        return Spans(self._document)

    @cached_property
    def _twins(self) -> dict[str, list[Span]]:
        return self._spans.find_all(key for key in self._keys if key)

    @cached_property
    def _sure(self) -> list[_Sure]:
        """In the order of the extraction."""
        sure = []
        for row, key in enumerate(self._keys):
            spans = self._twins.get(key or "", ())
            if len(spans) == 1:
                sure.append(_Sure(row, spans[0], self._telling(row) is not None))
        return sure

    def _settle(self, row: int) -> int | None:
        """The node of a row that is sure; None for one that has none, or that stands open."""
        key, found = self._keys[row], self._found[row]
        if not key:
            return found[0] if found else None
        spans, verified = self._twins.get(key, []), self._verified(row)
        before, after = self._neighbours(row)
        trusted = all(each is None or each.by_path for each in (before, after))
        if verified is not None:
            if trusted or len(spans) == 1 or _is_between(self._spans.span(verified), before, after):
                return verified
        elif (trusted or not spans) and (telling := self._telling(row)) is not None:
            return telling
        elif not spans:  # no text of the page, such as a price as a number
            return found[0] if found and trusted else None
        if len(spans) == 1:
            return self._node(row, spans[0])
        self._open.add(row)
        return None

    def _following(self, nodes: list[int | None]) -> list[Span]:
        """For each row where the next one stands that is settled."""
        following, span = [], (self._spans.size, self._spans.size)
        for node in reversed(nodes):
            following.append(span)
            span = span if node is None else self._spans.span(node)
        return following[::-1]

    def _verified(self, row: int) -> int | None:
        """The first node at the address of a row that has its text."""
        return next((node for node in self._found[row] if self._spans.key(node) == self._keys[row]), None)

    def _telling(self, row: int) -> int | None:
        """The first node at the address of a row that has its text in its own, or as an attribute.

        Its text may also be a part of the row's, or its beginning, where that stands nowhere as it is: values of
        several nodes are told by their first.
        """
        key = self._keys[row] or ""
        for node in self._found[row]:
            there = self._spans.key(node)
            is_part = there and (there in key or key[:BEGINNING] in there) and key not in self._twins
            if key in there or is_part or self._has_value(node, key):
                return node
        return None

    def _has_value(self, node: int, key: str) -> bool:
        """Whether an attribute says it; that of an address may be relative."""
        values = [key_of(value).lstrip("./") for value in self._document.attributes[node].values()]
        return any(value and (key == value or key.endswith((f"/{value}", f"?{value.lstrip('?')}"))) for value in values)

    def _neighbours(self, row: int) -> tuple[_Sure | None, _Sure | None]:
        """The sure rows before and after a row."""
        place = bisect_left(self._sure, row, key=lambda each: each.row)
        return (
            self._sure[place - 1] if place else None,
            self._sure[place] if place < len(self._sure) else None,
        )

    def _choose(self, row: int, taken: set[Span], before: Span, after: Span) -> Span:
        """Of stretches with the text of a row that between its neighbours whose path is most like its own.

        No two rows get the same one unless there are more rows than stretches.
        """
        spans = self._twins[self._keys[row] or ""]
        expected = bisect_right(spans, before)
        near = spans[max(0, expected - MAX_TWINS) : expected + MAX_TWINS]
        free = [span for span in near if span not in taken] or near
        between = [span for span in free if before <= span <= after] or free
        return max(between, key=lambda span: (self._likeness(row, span), -abs(span[0] - before[0])))

    def _likeness(self, row: int, span: Span) -> tuple[bool, list[int]]:
        """How like a path is to that of a row, to be compared.

        Best are the same names, with places as near as can be, from the root on: what is put in shifts the places
        of one level by one or two.
        """
        steps, others = _steps(self._rows[row].xpath), _steps(self._document.xpath(self._node(row, span)))
        if [name for name, _ in steps] == [name for name, _ in others]:
            return True, [-abs(place - other) for (_, place), (_, other) in zip(steps, others, strict=True)]
        return False, [_count_same(steps, others) + _count_same(steps[::-1], others[::-1])]

    def _node(self, row: int, span: Span) -> int:
        """Of the nodes that stand for a stretch that of the kind that the address names, or the innermost."""
        nodes = self._spans.nodes(span)
        names = [name for name, _ in _steps(self._rows[row].xpath)]
        if names[-1:] == ["text()"]:
            return nodes[-1]
        named = [node for node in nodes if [self._document.tag(node)] == names[-1:]]
        elements = [node for node in nodes if self._document.kinds[node] == Kind.ELEMENT]
        return (named or elements or nodes)[-1]


def _tell_keys(rows: Sequence[Row], source: Document | None) -> list[str | None]:
    """The text of each row as it is compared; None where nothing tells it."""
    keys = [None if row.text is None else key_of(row.text) for row in rows]
    if source is None or None not in keys:
        return keys
    paths, spans = Paths(source), Spans(source)
    for place, row in enumerate(rows):
        if keys[place] is None and (found := paths.find(row.xpath)):
            keys[place] = spans.key(found[0])
    return keys


def _is_between(span: Span, before: _Sure | None, after: _Sure | None) -> bool:
    """Whether a stretch stands between two; where these do not follow each other on the page, all does."""
    if before and after and before.span[0] > after.span[0]:
        return True
    return (before is None or before.span[0] <= span[0]) and (after is None or span[0] <= after.span[0])


def _steps(xpath: str) -> list[tuple[str, int]]:
    """The name and the place of each step.

    >>> _steps("/html/body/P[2]/text()")
    [('html', 1), ('body', 1), ('p', 2), ('text()', 1)]
    """
    return [(name.lower(), int(place or 1)) for name, place in _STEP.findall(xpath)]


def _count_same(one: list[tuple[str, int]], other: list[tuple[str, int]]) -> int:
    """How many steps are the same before the first that differs."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
