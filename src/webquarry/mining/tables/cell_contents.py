"""What a reader sees in each cell of a table, read in one walk over the tables of a document.

Left out are footnote marks, and keys to sort by: what is not displayed, and what says by its class that style sheets
hide it.  A footnote mark is a raised text, or a link within the page, that stands in brackets or has no letter; a
raised link within the page always is one.  So the 2 of km² stays, and so does a bracketed link to elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np

from webquarry.html.tables import Table
from webquarry.model import Document, Kind

_BREAKS = frozenset(
    "address article aside blockquote br center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 "
    "h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre section summary table ul".split()
)
_BLOCKS = frozenset(
    "article aside blockquote dl fieldset figure form h1 h2 h3 h4 h5 h6 hr iframe nav ol section ul".split()
)
_CONTROLS = frozenset("button input meter progress select textarea".split())
_IMAGES = frozenset("img picture svg".split())
_HIDING_CLASSES = re.compile(
    r"(?:^|\s)(?:sort[-_]?(?:key|value)|sr-only|visually-?hidden|screen-reader(?:-text|-only)?|element-invisible)(?:$|\s)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[.*\]|\(\w{1,3}\)")
_WITHOUT_LETTER = re.compile(r"[\W_]+")
_NUMBER_OR_LETTER = re.compile(r"\d{1,3}|[^\W\d_]|[ivx]{1,5}", re.IGNORECASE)
_LONGEST_MARK = 32  # nodes, and characters: what is longer is text


class Content:
    """What stands in one cell, not counting the tables in it."""

    __slots__ = ("blocks", "breaks", "controls", "links", "parts", "size", "tables")

    def __init__(self) -> None:
        self.parts: list[str] = []  # pieces of text as they come, "" where a table stands between them
        self.tables: list[int] = []  # those right within
        self.size = 0  # characters of text, without white space that stands alone
        self.links = 0  # characters of links
        self.blocks = 0  # elements that structure a page rather than a value: headings, lists, forms
        self.breaks = 0  # line breaks behind a text
        self.controls = 0

    def text(self, text_of: Callable[[int], str]) -> str:
        """The text in one line; `text_of` gives that of a table within."""
        if not self.tables:
            return " ".join("".join(self.parts).split())
        tables = iter(self.tables)
        return " ".join("".join(part or f" {text_of(next(tables))} " for part in self.parts).split())


def read_contents(document: Document, tables: Iterable[Table]) -> dict[int, Content]:
    """What stands in each cell, by the node of the cell."""
    contents = {cell.node: Content() for table in tables for row in table.cells for cell in row}
    walk = _Walk(document, contents)
    stop = 0
    for table in tables:
        if table.node >= stop:
            stop = int(document.ends[table.node])
            walk.read(table.node, stop)
    return contents


class _Walk:
    """Goes over nodes in document order and gives what it finds to the innermost cell.

    A handler takes a node and says where to go on.
    """

    def __init__(self, document: Document, contents: dict[int, Content]) -> None:
        self._contents = contents
        self._texts, self._attributes = document.texts, document.attributes
        self._ends: list[int] = document.ends.tolist()
        self._tags: list[int] = document.tags.tolist()
        self._skipped = _skipped(document)
        by_name = self._handlers()
        self._by_tag = [*map(by_name.get, document.tag_names), self._write]  # text has the tag -1
        self._raised = document.tag_names.index("sup") if "sup" in document.tag_names else None
        self._content = Content()  # for what stands between cells
        self._open: list[tuple[int, Content | None]] = []
        self._link_end = 0

    def read(self, start: int, stop: int) -> None:
        """Read the outermost table that goes from one node to before another."""
        ends, skipped = self._ends, self._skipped
        handlers = list(map(self._by_tag.__getitem__, self._tags[start:stop]))
        self._open = [(stop, None)]
        node = start
        while node < stop:
            if skipped[node]:
                node = ends[node]
                continue
            if node >= self._open[-1][0]:
                self._close(node)
            handler = handlers[node - start]
            node = handler(node) if handler else node + 1
        self._close(stop)

    def _handlers(self) -> dict[str, Callable[[int], int]]:
        return {
            **dict.fromkeys(_BREAKS, self._break),
            **dict.fromkeys(_BLOCKS, self._break_off),
            **dict.fromkeys(_CONTROLS, self._count_control),
            **dict.fromkeys(_IMAGES, self._pass_over),
            **dict.fromkeys(["td", "th"], self._open_cell),
            **dict.fromkeys("abbr b i small span strong".split(), self._pass_over_hidden),
            "a": self._link,
            "sup": self._raise,
            "table": self._nest,
        }

    def _close(self, node: int) -> None:
        """Leave the cells, and the elements with lines of their own, that end before a node."""
        while self._open and node >= self._open[-1][0]:
            around = self._open.pop()[1]
            if around is None:
                self._content.parts.append(" ")
            else:
                self._content = around

    def _write(self, node: int) -> int:
        text, content = self._texts[node], self._content
        content.parts.append(text or " ")  # "" is the place of a table
        if not text.isspace():
            content.size += len(text)
            if node < self._link_end:
                content.links += len(text)
        return node + 1

    def _open_cell(self, node: int) -> int:
        if node in self._contents:
            self._open.append((self._ends[node], self._content))
            self._content = self._contents[node]
        return node + 1

    def _break(self, node: int) -> int:
        self._content.parts.append(" ")
        self._content.breaks += self._content.size > 0
        self._open.append((self._ends[node], None))
        return node + 1

    def _break_off(self, node: int) -> int:
        self._content.blocks += 1
        return self._break(node)

    def _nest(self, node: int) -> int:
        self._content.parts.append("")
        self._content.tables.append(node)
        return node + 1

    def _count_control(self, node: int) -> int:
        self._content.controls += 1
        return self._ends[node]

    def _pass_over(self, node: int) -> int:
        return self._ends[node]

    def _pass_over_hidden(self, node: int) -> int:
        attributes = self._attributes[node]
        if attributes and "class" in attributes and _HIDING_CLASSES.search(attributes["class"]):
            return self._ends[node]
        return node + 1

    def _link(self, node: int) -> int:
        target = self._attributes[node].get("href")
        if target is None:
            return node + 1
        if target.startswith("#") and self._is_mark(node, raised=False):
            return self._ends[node]
        self._link_end = max(self._link_end, self._ends[node])
        return self._pass_over_hidden(node)

    def _raise(self, node: int) -> int:
        return self._ends[node] if self._is_mark(node, raised=True) else node + 1

    def _is_mark(self, node: int, *, raised: bool) -> bool:
        """Whether a raised text, or a link within the page, is a footnote mark."""
        stop = self._ends[node]
        if stop - node > _LONGEST_MARK:
            return False
        inner = range(node, stop)
        text = "".join(self._texts[each] for each in inner if not self._skipped[each]).strip()
        if len(text) > _LONGEST_MARK or not text:
            return False
        if _BRACKETED.fullmatch(text) or _WITHOUT_LETTER.fullmatch(text):
            return True
        links = not raised or any(self._attributes[each].get("href", "").startswith("#") for each in inner)
        raised = raised or any(self._tags[each] == self._raised for each in inner)
        return links and raised and _NUMBER_OR_LETTER.fullmatch(text) is not None


def _skipped(document: Document) -> list[bool]:
    """For each node whether nothing of it is read.

    White space in shown elements is read although, where a line was broken at it, it has no box.
    """
    skipped = document.hidden | ~np.isin(document.kinds, (Kind.ELEMENT, Kind.TEXT))
    if document.layout is not None:
        boxless = np.flatnonzero(document.hidden & (document.kinds == Kind.TEXT) & ~document.hidden[document.parents])
        for node in boxless.tolist():
            skipped[node] = not document.texts[node].isspace()
    unread: list[bool] = skipped.tolist()
    return unread
