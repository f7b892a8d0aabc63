"""Addresses of the tree that an extraction was made on, mapped to the nodes of the tree at hand.

First by path, which the text verifies where the extraction tells it; then by text and order.  Scripts put banners in
and take placeholders out, so that paths of the source lead elsewhere or nowhere: a text that stands once on the page
is sure, one that stands there several times is looked for between its sure neighbours in the extraction.

It fails where a text was rewritten, and may take a twin for a text of a page on which nothing around it is distinct.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

import lxml.etree
import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind, find_inside
from webquarry.model.document import Document
from webquarry.model.report import Selection
from webquarry.values.text_value import fold

# MERGED validating/addresses/paths: Addresses as other systems write them, and the nodes that they stand for
# MERGED
# MERGED Trees of other parsers differ from a browser's in small ways that an address shows: names in upper c
# MERGED prefix, no `tbody` where the markup has none, an index on every step.  What is no plain path is eval
_ATTRIBUTE = re.compile(r"/(?:@|attribute::)[\w:.-]+$")
_BY_ID = re.compile(r"""(?://\*\[@id=(["'])(?P<a>[^"']*)\1\]|id\((["'])(?P<b>[^"']*)\3\))(?P<rest>/[^/].*)?""")
_ROOTLESS = re.compile(r"(?:html|body)(?=[/\[]|$)", re.IGNORECASE)
_PREFIX = re.compile(r"/(?:\{[^}]*\}|[A-Za-z_][\w.-]*:(?!:))")
_WITHOUT_BODY = re.compile(r"(/table(?:\[\d+\])?)(?=/tr\b)")
_BODY = re.compile(r"/tbody(?:\[\d+\])?(?=/)")
_QUOTED_OR_NAME = re.compile(r"""("[^"]*"|'[^']*')|(?<![@\w-])[A-Z][A-Z0-9]*(?![\w(:-])""")


class Paths:
    """The nodes of one document by the addresses that other systems have for them."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def find(self, xpath: str) -> list[int]:
        """The nodes that an address stands for, in the order of the page; of an attribute its element.

        >>> document = Document("<table id=t><tr><td>One<td>Two")
        >>> [document.xpath(*Paths(document).find(each)) for each in ("/HTML[1]/BODY/TABLE/TR/TD[2]", "//*[@id='t']")]
        ['/html/body/table/tbody/tr/td[2]', '/html/body/table']
        """
        path = _ATTRIBUTE.sub("", xpath.strip())
        if _ROOTLESS.match(path):
            path = "/html" * path[:4].lower().startswith("body") + "/" + path
        for variant in dict.fromkeys(_variants(self._from_root(path))):
            node = self._document.node(variant) if variant.startswith("/") else None
            if node:  # the document itself is no node of an extraction
                return [node]
        return [] if _is_plain(path) else list(dict.fromkeys(self._evaluate(path)))

    def _from_root(self, path: str) -> str:
        """The path, from the root on where it begins at an id: so browsers write addresses, and so lxml is spared."""
        by_id = _BY_ID.fullmatch(path)
        holder = self._ids.get(by_id["a"] or by_id["b"] or "") if by_id else None
        return path if by_id is None or holder is None else self._document.xpath(holder) + (by_id["rest"] or "")

    @cached_property
    def _ids(self) -> dict[str, int]:
        """The first element of each id."""
        pairs = [(own["id"], node) for node, own in enumerate(self._document.attributes) if own and "id" in own]
        return dict(reversed(pairs))

    @cached_property
    def _tree(self) -> Any:
        return self._document.to_lxml()

    def _evaluate(self, path: str) -> Iterator[int]:
        """What lxml finds; nothing where the path is none, or gives no nodes."""

        path = re.sub(r"^id\((.*?)\)", r"//*[@id=\1]", path)
        for variant in dict.fromkeys((path, _lower_names(path))):
            try:
                found = self._tree.xpath(variant)
            except lxml.etree.XPathError:
                continue
            if isinstance(found, list) and found:
                for each in found:
                    yield from self._number(each)
                return

    def _number(self, found: Any) -> Iterator[int]:
        """The node of an element or text of the tree."""
        is_text = isinstance(found, str)
        holder = found.getparent() if is_text else found
        if holder is None or isinstance(holder, tuple):  # an attribute of a namespace
            return
        node = self._document.node(holder.getroottree().getpath(holder))
        if node is None:
            return
        if is_text and not getattr(found, "is_attribute", False):
            node = int(self._document.ends[node]) if getattr(found, "is_tail", False) else node + 1
            if node >= len(self._document) or self._document.kinds[node] != Kind.TEXT:
                return
        yield node


def _is_plain(path: str) -> bool:
    """Whether a path has nothing but names and places, from the root on."""
    return re.fullmatch(r"(?:/(?:[\w.:{}-]+|text\(\)|\*)(?:\[\d+\])?)+/?", path) is not None


def _variants(path: str) -> Iterator[str]:
    """The path as it stands, then as a browser's tree would have it."""
    yield path
    if not _is_plain(path):
        return
    plain = _PREFIX.sub("/", path)
    yield plain
    plain = plain.lower()
    yield plain
    yield _WITHOUT_BODY.sub(r"\1/tbody", plain)
    yield _BODY.sub("", plain)


def _lower_names(path: str) -> str:
    """The path with names of elements in lower case; what stands between quotes is kept.

    >>> _lower_names("//DIV[@ID='A']/P[2]")
    "//div[@ID='A']/p[2]"
    """
    return _QUOTED_OR_NAME.sub(lambda match: match[1] or match[0].lower(), path)


# MERGED validating/addresses/spans: The text of a page without white space, and which nodes stand for which
# MERGED
# MERGED Systems differ in the spaces that they see between words, never in the words: texts are compared wit
UNTOLD = frozenset("script style template noscript".split())
"""Elements whose text no extraction has as text of what is around them."""

Span = tuple[int, int]
"""Where a stretch of text begins and ends, in characters that are not white space."""


def key_of(text: str) -> str:
    """The text as it is compared: plain characters, no case, no white space.

    >>> key_of("It\\u2019s  Nine\\n") == key_of("it's nine")
    True
    """
    return "".join(fold(text).split()).casefold()


class Spans:
    """Where each node of a document stands in its text."""

    def __init__(self, document: Document) -> None:
        self._document = document
        told = (document.kinds == Kind.TEXT) & ~find_inside(document.ends, document.has_tag(UNTOLD))
        self._texts = np.flatnonzero(told)
        keys = [key_of(document.texts[node]) for node in self._texts.tolist()]
        self._whole = "".join(keys)
        before = np.zeros(len(document) + 1, dtype=np.int64)
        before[self._texts + 1] = list(map(len, keys))
        self._starts = np.cumsum(before)  # characters before each node, and one more

    @property
    def size(self) -> int:
        """The length of the whole text."""
        return len(self._whole)

    def span(self, node: int) -> Span:
        """The stretch of a node."""
        return int(self._starts[node]), int(self._starts[self._document.ends[node]])

    def key(self, node: int) -> str:
        """The text of a node, as it is compared."""
        start, stop = self.span(node)
        return self._whole[start:stop]

    def first_node(self, span: Span) -> int:
        """The text with which a stretch begins."""
        return int(np.searchsorted(self._starts, span[0], side="right")) - 1

    def nodes(self, span: Span) -> list[int]:
        """All nodes that stand for a stretch and nothing else, from the outermost inwards."""
        node = self.first_node(span)
        found = []
        while node > 0 and self._starts[node] == span[0]:
            if self.span(node) == span:
                found.append(node)
            if self._starts[self._document.ends[node]] > span[1]:
                break
            node = int(self._document.parents[node])
        return found[::-1]

    def find_all(self, keys: Iterable[str]) -> dict[str, list[Span]]:
        """For each key the stretches that are it and that a node stands for, in the order of the page.

        Only nodes as long as one of the keys are looked at, so that it takes little more than one pass.
        """
        wanted = set(keys) - {""}
        found: defaultdict[str, dict[Span, None]] = defaultdict(dict)
        sizes = np.fromiter({len(key) for key in wanted}, dtype=np.int64)
        for start, stop in self._distinct[np.isin(self._distinct[:, 1] - self._distinct[:, 0], sizes)].tolist():
            key = self._whole[start:stop]
            if key in wanted:
                found[key][start, stop] = None
        return {key: list(spans) for key, spans in found.items()}

    @cached_property
    def _distinct(self) -> NDArray[np.int64]:
        """The stretches of all nodes that have text, each once, in order."""
        pairs = np.stack((self._starts[:-1], self._starts[self._document.ends]), axis=1)
        distinct: NDArray[np.int64] = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
        return distinct


# MERGED validating/addresses/rows: What an extraction says of one node.
@dataclass(frozen=True)
class Row:
    """A node that a system looked at: the page, where on it, and what was read there."""

    page: str
    xpath: str
    text: str | None = None
    """None when the extraction does not tell."""
    column: str | None = None
    """The column or section that it is a value of."""
    left_out: str | None = None
    """Why it was not extracted, as far as the extraction tells; None when it was."""


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
