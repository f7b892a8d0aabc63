"""Map XPaths of the tree that an extraction was made on to nodes of the tree at hand.

First by path, which the text verifies where the extraction has it; then by text and order.  Scripts insert banners and
remove placeholders, so paths of the source lead elsewhere or nowhere: a text that occurs once on the page is certain,
one that occurs several times is searched for between its certain neighbours in the extraction.

It fails where a text was rewritten, and may confuse equal texts on a page where nothing around them is distinct.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any, NamedTuple

import lxml.etree
import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import Kind, find_inside
from webquarry.model.document import Document
from webquarry.model.report import Selection
from webquarry.values.text_value import fold

UNMAPPED = -1
"""The placeholder for the node of a row that has none."""
LENGTH_OF_BEGINNING = 20
"""Characters that identify a text that runs on into the next node."""
MAX_TWINS = 16
"""Stretches of equal text that are compared by their paths, on each side of the expected place: so that a page with one
word a thousand times does not take a million comparisons."""

Span = tuple[int, int]
"""Where a stretch of text begins and ends, in characters that are not white space."""
_START: Span = (0, 0)


@dataclass(frozen=True)
class Row:
    """One node of an extraction: the page, its place on it, and the text that was read there."""

    page: str
    xpath: str
    """Empty when the extraction does not have it; then the text is searched."""
    text: str | None = None
    """None when the extraction does not have it."""
    column: str | None = None
    """The column or section of the value."""
    left_out: str | None = None
    """Why it was not extracted, as far as the extraction says; None when it was."""


def select_rows(
    document: Document, rows: Sequence[Row], *, source: Document | None = None
) -> tuple[Selection, NDArray[np.intp]]:
    """Select the nodes of a page's rows, and give for each node the place of its row.

    Rows that have no node are listed in `unmapped`, except those that were left out.
    """
    nodes = map_rows(document, rows, source=source)
    is_mapped = nodes != UNMAPPED
    is_taken = np.array([row.left_out is None for row in rows], dtype=np.bool_)
    places = np.flatnonzero(is_taken & is_mapped)
    found = [(rows[place], int(nodes[place])) for place in places.tolist()]
    left_out = np.flatnonzero(~is_taken & is_mapped).tolist()
    selection = Selection(
        document,
        nodes[places],
        tuple(document.text(node) if row.text is None else row.text for row, node in found),
        tuple(row.column or "" for row, _ in found) if any(row.column for row in rows) else (),
        tuple(rows[place].xpath or f'"{rows[place].text}"' for place in np.flatnonzero(is_taken & ~is_mapped).tolist()),
        tuple((int(nodes[place]), rows[place].left_out or "") for place in left_out),
    )
    return selection, places


def map_rows(document: Document, rows: Sequence[Row], *, source: Document | None = None) -> NDArray[np.int32]:
    """Find for each row of a page its node, or `UNMAPPED`.

    An XPath that selects several nodes means the first with the text of the row, or the first.  `source` is the tree
    that the XPaths are of, such as that before scripts ran: it provides texts that rows lack.
    """
    if not rows:
        return np.zeros(0, dtype=np.int32)
    return _Mapper(document, rows, source).map()


class _Certain(NamedTuple):
    """A row whose text occurs once on the page."""

    row: int
    span: Span
    by_path: bool
    """Whether its XPath leads there too."""


class _Mapper:
    """The rows of a page and its text."""

    def __init__(self, document: Document, rows: Sequence[Row], source: Document | None) -> None:
        self._document = document
        self._rows = rows
        self._paths = Paths(document)
        self._keys = _find_keys(rows, source)
        self._found = [self._paths.find(row.xpath) for row in rows]
        self._open: set[int] = set()

    def map(self) -> NDArray[np.int32]:
        """Find the nodes of the certain rows, then those of the others between them."""
        nodes = [self._settle(row) for row in range(len(self._rows))]
        if self._open:
            self._fill(nodes)
        return np.array([UNMAPPED if node is None else node for node in nodes], dtype=np.int32)

    def _settle(self, row: int) -> int | None:
        """Find the node of a row that is certain; None if it has none, or is left open."""
        key, found = self._keys[row], self._found[row]
        if not key:
            return found[0] if found else None
        spans, verified = self._twins.get(key, []), self._verified(row)
        before, after = self._neighbours(row)
        trusted = all(each is None or each.by_path for each in (before, after))
        if verified is not None:
            if trusted or len(spans) == 1 or _is_between(self._text.span(verified), before, after):
                return verified
        elif (trusted or not spans) and (matching := self._matching(row)) is not None:
            return matching
        elif not spans:  # not a text of the page, such as a price as a number
            return found[0] if found and trusted else None
        if len(spans) == 1:
            return self._node(row, spans[0])
        self._open.add(row)
        return None

    def _fill(self, nodes: list[int | None]) -> None:
        """Put in the nodes of open rows, in the order of the extraction."""
        taken = {self._text.span(node) for node in nodes if node is not None}
        following, span = [], (self._text.size, self._text.size)
        for node in reversed(nodes):
            following.append(span)
            span = span if node is None else self._text.span(node)
        before = _START
        for row, (settled, after) in enumerate(zip(nodes, reversed(following), strict=True)):
            node = settled
            if row in self._open:
                span = self._choose(row, taken, before, after)
                taken.add(span)
                node = nodes[row] = self._node(row, span)
            before = before if node is None else self._text.span(node)

    @cached_property
    def _text(self) -> PageText:
        return PageText(self._document)

    @cached_property
    def _twins(self) -> dict[str, list[Span]]:
        return self._text.find_all(key for key in self._keys if key)

    @cached_property
    def _certain(self) -> list[_Certain]:
        """In the order of the extraction."""
        found = ((row, self._twins.get(key or "", ())) for row, key in enumerate(self._keys))
        return [_Certain(row, spans[0], self._matching(row) is not None) for row, spans in found if len(spans) == 1]

    def _verified(self, row: int) -> int | None:
        """Find the first node at the XPath of a row that has exactly its text."""
        return next((node for node in self._found[row] if self._text.key(node) == self._keys[row]), None)

    def _matching(self, row: int) -> int | None:
        """Find the first node at the XPath of a row that contains its text, or has it as an attribute.

        Its text may also be a part of the row's, or its beginning, if the row's occurs nowhere as it is: values of
        several nodes are matched by their first.
        """
        key = self._keys[row] or ""
        for node in self._found[row]:
            there = self._text.key(node)
            is_part = there and (there in key or key[:LENGTH_OF_BEGINNING] in there) and key not in self._twins
            if key in there or is_part or self._has_attribute(node, key):
                return node
        return None

    def _has_attribute(self, node: int, key: str) -> bool:
        """Tell whether an attribute has a value; that of a link may be relative."""
        values = [key_of(value).lstrip("./") for value in self._document.attributes[node].values()]
        return any(value and (key == value or key.endswith((f"/{value}", f"?{value.lstrip('?')}"))) for value in values)

    def _neighbours(self, row: int) -> tuple[_Certain | None, _Certain | None]:
        """Find the certain rows before and after a row."""
        place = bisect_left(self._certain, row, key=lambda each: each.row)
        after = self._certain[place] if place < len(self._certain) else None
        return self._certain[place - 1] if place else None, after

    def _choose(self, row: int, taken: set[Span], before: Span, after: Span) -> Span:
        """Choose among the stretches with the text of a row the one between its neighbours whose path is most alike.

        Of equals the one nearest to the neighbour before wins, for the first row the one nearest to that after: menus
        at the top repeat words of records.  No two rows get the same stretch unless there are more rows than stretches.
        """
        spans = self._twins[self._keys[row] or ""]
        near_to = before if before > _START or after[0] == self._text.size else after
        expected = bisect_right(spans, near_to)
        near = spans[max(0, expected - MAX_TWINS) : expected + MAX_TWINS]
        free = [span for span in near if span not in taken] or near
        between = [span for span in free if before <= span <= after] or free
        return max(between, key=lambda span: (self._likeness(row, span), -abs(span[0] - near_to[0])))

    def _likeness(self, row: int, span: Span) -> tuple[bool, list[int]]:
        """Measure how similar the path of a stretch is to that of a row.

        Best are the same names, with places as near as possible, from the root on: inserted elements shift the places
        of one level by one or two.
        """
        steps, others = _steps(self._rows[row].xpath), _steps(self._document.xpath(self._node(row, span)))
        if [name for name, _ in steps] == [name for name, _ in others]:
            return True, [-abs(place - other) for (_, place), (_, other) in zip(steps, others, strict=True)]
        return False, [_count_same(steps, others) + _count_same(steps[::-1], others[::-1])]

    def _node(self, row: int, span: Span) -> int:
        """Choose among the nodes of a stretch the one with the tag that the XPath names, or the innermost."""
        nodes = self._text.nodes(span)
        names = [name for name, _ in _steps(self._rows[row].xpath)]
        if names[-1:] == ["text()"]:
            return nodes[-1]
        named = [node for node in nodes if [self._document.tag(node)] == names[-1:]]
        elements = [node for node in nodes if self._document.kinds[node] == Kind.ELEMENT]
        return (named or elements or nodes)[-1]


def _find_keys(rows: Sequence[Row], source: Document | None) -> list[str | None]:
    """Return the text of each row as it is compared; None where it is unknown."""
    keys = [None if row.text is None else key_of(row.text) for row in rows]
    if source is None or None not in keys:
        return keys
    paths, text = Paths(source), PageText(source)
    for place, row in enumerate(rows):
        if keys[place] is None and (found := paths.find(row.xpath)):
            keys[place] = text.key(found[0])
    return keys


def _is_between(span: Span, before: _Certain | None, after: _Certain | None) -> bool:
    """Tell whether a stretch is between two; anything is if these do not follow each other on the page."""
    if before and after and before.span[0] > after.span[0]:
        return True
    return (before is None or before.span[0] <= span[0]) and (after is None or span[0] <= after.span[0])


def _steps(xpath: str) -> list[tuple[str, int]]:
    """Split a path into the name and the place of each step.

    >>> _steps("/html/body/P[2]/text()")
    [('html', 1), ('body', 1), ('p', 2), ('text()', 1)]
    """
    return [(name.lower(), int(place or 1)) for name, place in re.findall(r"/([^/\[\]]+)(?:\[(\d+)\])?", xpath)]


def _count_same(one: list[tuple[str, int]], other: list[tuple[str, int]]) -> int:
    """Count the steps before the first that differs."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


_ATTRIBUTE = re.compile(r"/(?:@|attribute::)[\w:.-]+$")
_BY_ID = re.compile(r"""(?://\*\[@id=(["'])(?P<a>[^"']*)\1\]|id\((["'])(?P<b>[^"']*)\3\))(?P<rest>/[^/].*)?""")
_ROOTLESS = re.compile(r"(?:html|body)(?=[/\[]|$)", re.IGNORECASE)
_PREFIX = re.compile(r"/(?:\{[^}]*\}|[A-Za-z_][\w.-]*:(?!:))")
_WITHOUT_BODY = re.compile(r"(/table(?:\[\d+\])?)(?=/tr\b)")
_BODY = re.compile(r"/tbody(?:\[\d+\])?(?=/)")
_QUOTED_OR_NAME = re.compile(r"""("[^"]*"|'[^']*')|(?<![@\w-])[A-Z][A-Z0-9]*(?![\w(:-])""")


class Paths:
    """The nodes of one document by XPaths as other systems write them.

    Their trees differ from a browser's in small ways: names in upper case or with a prefix, no `tbody` where the markup
    has none, an index on every step.  Anything but a plain path is evaluated by lxml.
    """

    def __init__(self, document: Document) -> None:
        self._document = document

    def find(self, xpath: str) -> list[int]:
        """Find the nodes of an XPath, in document order; for an attribute its element.

        >>> document = Document("<table id=t><tr><td>One<td>Two")
        >>> [document.xpath(*Paths(document).find(each)) for each in ("/HTML[1]/BODY/TABLE/TR/TD[2]", "//*[@id='t']")]
        ['/html/body/table/tbody/tr/td[2]', '/html/body/table']
        """
        path = _ATTRIBUTE.sub("", xpath.strip())
        if _ROOTLESS.match(path):
            path = "/html" * path[:4].lower().startswith("body") + "/" + path
        for variant in dict.fromkeys(_variants(self._from_root(path))):
            node = self._document.node(variant) if variant.startswith("/") else None
            if node:  # 0 is the document itself
                return [node]
        return [] if _is_plain(path) else list(dict.fromkeys(self._evaluate(path)))

    def _from_root(self, path: str) -> str:
        """Replace an id at the beginning, as browsers write it, by the path from the root: this avoids lxml."""
        by_id = _BY_ID.fullmatch(path)
        element = self._ids.get(by_id["a"] or by_id["b"] or "") if by_id else None
        return path if by_id is None or element is None else self._document.xpath(element) + (by_id["rest"] or "")

    @cached_property
    def _ids(self) -> dict[str, int]:
        """The first element of each id."""
        pairs = [(own["id"], node) for node, own in enumerate(self._document.attributes) if own and "id" in own]
        return dict(reversed(pairs))

    @cached_property
    def _tree(self) -> Any:
        return self._document.to_lxml()

    def _evaluate(self, path: str) -> Iterator[int]:
        """Find the nodes with lxml; none if the path is invalid or selects no nodes."""
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
        """Yield the node of an element or text of the lxml tree."""
        is_text = isinstance(found, str)
        element = found.getparent() if is_text else found
        if element is None or isinstance(element, tuple):  # an attribute of a namespace
            return
        node = self._document.node(element.getroottree().getpath(element))
        if node is None:
            return
        if is_text and not getattr(found, "is_attribute", False):
            node = int(self._document.ends[node]) if getattr(found, "is_tail", False) else node + 1
            if node >= len(self._document) or self._document.kinds[node] != Kind.TEXT:
                return
        yield node


def _is_plain(path: str) -> bool:
    """Tell whether a path has nothing but names and places, from the root on."""
    return re.fullmatch(r"(?:/(?:[\w.:{}-]+|text\(\)|\*)(?:\[\d+\])?)+/?", path) is not None


def _variants(path: str) -> Iterator[str]:
    """Yield the path as it is, then as a browser's tree would have it."""
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
    """Lower the names of elements, but nothing between quotes.

    >>> _lower_names("//DIV[@ID='A']/P[2]")
    "//div[@ID='A']/p[2]"
    """
    return _QUOTED_OR_NAME.sub(lambda match: match[1] or match[0].lower(), path)


UNREAD_TAGS = frozenset("script style template noscript".split())
"""Elements whose text no extraction has as text of what is around them."""


def key_of(text: str) -> str:
    """Return a text as it is compared: plain characters, no case, no white space.

    Systems differ in the spaces that they see between words, never in the words.

    >>> key_of("It\\u2019s  Nine\\n") == key_of("it's nine")
    True
    """
    return "".join(fold(text).split()).casefold()


class PageText:
    """The text of a document without white space, and the span of each node in it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        is_read = (document.kinds == Kind.TEXT) & ~find_inside(document.ends, document.has_tag(UNREAD_TAGS))
        texts = np.flatnonzero(is_read)
        keys = [key_of(document.texts[node]) for node in texts.tolist()]
        self._whole = "".join(keys)
        before = np.zeros(len(document) + 1, dtype=np.int64)
        before[texts + 1] = list(map(len, keys))
        self._starts = np.cumsum(before)  # characters before each node, and one more

    @property
    def size(self) -> int:
        """The length of the whole text."""
        return len(self._whole)

    def span(self, node: int) -> Span:
        """Return the stretch of a node."""
        return int(self._starts[node]), int(self._starts[self._document.ends[node]])

    def key(self, node: int) -> str:
        """Return the text of a node, as it is compared."""
        start, stop = self.span(node)
        return self._whole[start:stop]

    def nodes(self, span: Span) -> list[int]:
        """Find all nodes with exactly this stretch, from the outermost inwards."""
        node = int(np.searchsorted(self._starts, span[0], side="right")) - 1  # the text that it begins with
        found = []
        while node > 0 and self._starts[node] == span[0]:
            if self.span(node) == span:
                found.append(node)
            if self._starts[self._document.ends[node]] > span[1]:
                break
            node = int(self._document.parents[node])
        return found[::-1]

    def find_all(self, keys: Iterable[str]) -> dict[str, list[Span]]:
        """Find for each key the stretches of nodes that are equal to it, in document order.

        Only nodes as long as one of the keys are compared, so that it takes little more than one pass.
        """
        wanted = set(keys) - {""}
        pairs = np.stack((self._starts[:-1], self._starts[self._document.ends]), axis=1)
        spans = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
        sizes = np.fromiter({len(key) for key in wanted}, dtype=np.int64)
        found: defaultdict[str, list[Span]] = defaultdict(list)
        for start, stop in spans[np.isin(spans[:, 1] - spans[:, 0], sizes)].tolist():
            key = self._whole[start:stop]
            if key in wanted:
                found[key].append((start, stop))
        return dict(found)
