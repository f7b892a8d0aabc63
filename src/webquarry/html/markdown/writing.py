"""Texts with what holds them, block by block."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

import numpy as np
import turbohtml
from numpy.typing import NDArray

from webquarry.html.columns import Attributes
from webquarry.html.kinds import Kind
from webquarry.html.markdown.blocks import RULE, Blocks
from webquarry.html.markdown.choosing import Chosen, choose
from webquarry.html.markdown.code import find_language, read_code, write_code
from webquarry.html.markdown.grids import write_grid
from webquarry.html.markdown.runs import BREAK, MARKS, RANKS, Mark, Piece, paragraphs, to_html, trimmed
from webquarry.html.markdown.tree import Tree
from webquarry.html.resolving import Resolver, make_resolver
from webquarry.html.visibility import BLOCKS, CELLS, PREFORMATTED

_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_WHOLE = _HEADINGS | PREFORMATTED
_CONTAINERS = frozenset(["ul", "menu", "dir", "ol", "blockquote"])
_PARTING = BLOCKS | CELLS | PREFORMATTED | {"caption"}
_DEEPEST = 30
"""Lists and quotes in each other: deeper ones are written side by side, so that lines do not grow without end."""
_NUMBER = re.compile(r"[ \t\n\f\r]*\+?(\d{1,9})")


def to_markdown(tree: Tree, texts: NDArray[np.int32], boxes: NDArray[np.float32] | None = None) -> str:
    """Some texts of a page as Markdown, and the images and rules among them.

    `boxes` tells where a browser put each node, and so how large images are.
    """
    resolve = make_resolver(tree)
    return _Writer(_Page(tree, choose(tree, texts, resolve, boxes), resolve)).write_blocks()


class _Page:
    """What is known of a page, as lists: they are read node by node, and arrays are slow at that."""

    def __init__(self, tree: Tree, chosen: Chosen, resolve: Resolver) -> None:
        self.tree = tree
        self.chosen = chosen
        self.resolve = resolve
        self.is_written: list[bool] = chosen.nodes.tolist()
        self.ends: list[int] = tree.ends.tolist()
        names = (*tree.tag_names, "")
        codes = np.where(tree.namespaces == 0, tree.tags, -1)
        self.tags = [names[code] for code in codes.tolist()]
        """The names of elements of HTML; nothing for other nodes."""
        self.is_text: list[bool] = (tree.kinds == Kind.TEXT).tolist()


class _Writer:
    """Writes nodes one after the other: as blocks, or in a line, where blocks are parted by line breaks."""

    def __init__(self, page: _Page, marks: Sequence[Mark] = ()) -> None:
        self._page = page
        self._attributes = page.tree.attributes
        self._blocks: Blocks | None = None
        self._run: list[Piece] = []
        self._marks = tuple(marks)
        self._containers: list[int] = []

    def write_blocks(self) -> str:
        """The Markdown of all nodes."""
        self._blocks = Blocks()
        self._write(0, len(self._page.tags))
        self._part()
        return self._blocks.to_markdown()

    def write_line(self, node: int) -> str:
        """The HTML of what is in a node, as one paragraph."""
        self._write(node + 1, self._page.ends[node])
        return to_html(trimmed(self._run))

    def _write(self, start: int, stop: int) -> None:
        page, texts = self._page, self._page.tree.texts
        opened: list[int] = []
        node = start
        while node < stop:
            while opened and page.ends[opened[-1]] <= node:
                self._close(opened.pop())
            if not page.is_written[node]:
                self._pass_over(node)
                node = page.ends[node]
            elif page.is_text[node]:
                self._put(escape(texts[node], quote=False))
                node += 1
            elif self._blocks is not None and self._is_whole(node):
                self._part()
                self._put_whole(node, self._blocks)
                node = page.ends[node]
            else:
                self._open(node)
                opened.append(node)
                node += 1
        for each in reversed(opened):
            self._close(each)

    def _pass_over(self, node: int) -> None:
        """Leave a node out; one that is seen still parts its neighbours."""
        if not self._run or self._page.tree.hidden[node]:
            return
        if self._page.tags[node] in _PARTING:
            self._part()
        elif self._page.is_text[node]:
            self._put(" ")

    def _put(self, html: str) -> None:
        self._run.append(Piece(self._marks, html))

    def _part(self) -> None:
        """End a paragraph."""
        if not self._run:
            return
        if self._blocks is None:
            self._run.append(Piece((), BREAK))
            return
        for pieces in paragraphs(self._run):
            self._blocks.put(_convert(f"<p>{to_html(pieces)}</p>"))
        self._run.clear()

    def _is_whole(self, node: int) -> bool:
        """Whether an element is written with all that is in it."""
        return node in self._page.chosen.tables or self._page.tags[node] in _WHOLE

    def _put_whole(self, node: int, blocks: Blocks) -> None:
        tag = self._page.tags[node]
        if tag in _HEADINGS:
            if line := self._line(node):  # an empty one only parts its neighbours
                blocks.put(_convert(f"<{tag}>{line}</{tag}>"))
        elif tag in PREFORMATTED:
            if code := read_code(self._page.tree, node, self._page.chosen.nodes):
                blocks.put(_convert(write_code(code, find_language(self._page.tree, node))))
        else:
            table = self._page.chosen.tables[node]
            if table.caption:
                blocks.put(_convert(f"<p>{self._line(table.caption)}</p>"))
            blocks.put(_convert(write_grid(table, self._line)))

    def _line(self, node: int) -> str:
        return _Writer(self._page, self._marks).write_line(node)

    def _open(self, node: int) -> None:
        tag = self._page.tags[node]
        if tag == "br":
            self._run.append(Piece(tuple(mark for mark in self._marks if mark.tag != "code"), BREAK))
        elif tag == "img":
            self._put(self._image(node))
        elif tag in MARKS:
            self._mark(node, MARKS[tag])
        elif tag in _PARTING:
            self._part()
            if self._blocks is not None:
                self._open_block(node, tag, self._blocks)

    def _open_block(self, node: int, tag: str, blocks: Blocks) -> None:
        if tag == "hr":
            blocks.put(RULE)
        elif tag == "li":
            blocks.open_item()
        elif tag in _CONTAINERS and blocks.depth < _DEEPEST:
            self._containers.append(node)
            if tag == "blockquote":
                blocks.open_quote()
            else:
                blocks.open_list(_start_of(self._attributes[node]) if tag == "ol" else None)

    def _close(self, node: int) -> None:
        tag = self._page.tags[node]
        if tag in MARKS:
            self._marks = tuple(mark for mark in self._marks if mark.node != node)
        elif tag in _PARTING:
            self._part()
            if self._blocks is not None and self._containers and self._containers[-1] == node:
                self._blocks.close()
                self._containers.pop()

    def _mark(self, node: int, tag: str) -> None:
        address = self._page.resolve(self._attributes[node].get("href", "")) if tag == "a" else ""
        if address is not None and all(mark.tag != tag for mark in self._marks):
            self._marks = tuple(sorted([*self._marks, Mark(RANKS[tag], node, tag, address)]))

    def _image(self, node: int) -> str:
        alternative = " ".join(self._attributes[node].get("alt", "").split())
        return f'<img src="{escape(self._page.chosen.images[node])}" alt="{escape(alternative)}">'


def _start_of(attributes: Attributes) -> int:
    """The number that a list begins with."""
    match = _NUMBER.match(attributes.get("start", ""))
    return int(match[1]) if match else 1


def _convert(html: str) -> str:
    """A block that holds no others as Markdown."""
    return turbohtml.parse(html).to_markdown()
