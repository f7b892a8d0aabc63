"""Write some texts of a page as Markdown, with their structure and the images among them.

The tree around the texts is walked. A paragraph, a heading, a table or a piece of code becomes plain HTML that
turbohtml converts; `markdown_blocks` puts them into lists and quotes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import turbohtml
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, Attributes, Kind, Tree
from webquarry.html.markdown_blocks import (
    BREAK,
    MARKS,
    RANKS,
    RULE,
    Blocks,
    Mark,
    Piece,
    count_between,
    find_grids,
    find_language,
    paragraphs,
    plain_spaces,
    read_code,
    to_html,
    trimmed,
    write_code,
    write_grid,
)
from webquarry.html.tables import Table
from webquarry.html.urls import IMAGE_ATTRIBUTES, Resolver, largest, make_resolver
from webquarry.html.visibility import BLOCKS, CELLS, PREFORMATTED, RAISED, begins_value

_WHOLE = HEADING_TAGS | PREFORMATTED
_CONTAINERS = frozenset(["ul", "menu", "dir", "ol", "blockquote"])
_PARTING = BLOCKS | CELLS | PREFORMATTED | {"caption"}
_MAX_DEPTH = 30
"""Nested lists and quotes; deeper ones are written side by side, so that lines do not grow without end."""
_NUMBER = re.compile(r"[ \t\n\f\r]*\+?(\d{1,9})")


def to_markdown(tree: Tree, texts: NDArray[np.int32], boxes: NDArray[np.float32] | None = None) -> str:
    """Write some texts of a page as Markdown, with the images and rules among them.

    `boxes` are those of a browser for each node; they tell the size of images.
    """
    resolve = make_resolver(tree)
    return _Writer(_Page(tree, choose(tree, texts, resolve, boxes), resolve)).write_blocks()


class _Page:
    """Columns of a page as lists: they are read node by node, and arrays are slow at that."""

    def __init__(self, tree: Tree, chosen: Chosen, resolve: Resolver) -> None:
        self.tree = tree
        self.chosen = chosen
        self.resolve = resolve
        self.is_written: list[bool] = chosen.nodes.tolist()
        self.ends: list[int] = tree.ends.tolist()
        names = (*tree.tag_names, "")
        codes = np.where(tree.namespaces == 0, tree.tags, -1)
        self.tags = [names[code] for code in codes.tolist()]
        """Names of HTML elements; nothing for other nodes."""
        self.is_text: list[bool] = (tree.kinds == Kind.TEXT).tolist()


class _Writer:
    """Writer of nodes: as blocks, or in one line, where line breaks separate blocks."""

    def __init__(self, page: _Page, marks: Sequence[Mark] = ()) -> None:
        self._page = page
        self._attributes = page.tree.attributes
        self._blocks: Blocks | None = None
        self._run: list[Piece] = []
        self._marks = tuple(marks)
        self._containers: list[int] = []
        self._last = -1  # the text that was written last

    def write_blocks(self) -> str:
        """Write all nodes as Markdown."""
        self._blocks = Blocks()
        self._write(0, len(self._page.tags))
        self._end_paragraph()
        return self._blocks.to_markdown()

    def write_line(self, node: int) -> str:
        """Write the content of a node as the HTML of one paragraph."""
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
                if self._run and self._is_other_value(node):
                    self._run.append(Piece((), " "))
                self._put(escape(plain_spaces(texts[node]), quote=False))
                self._last = node
                node += 1
            elif self._blocks is not None and self._is_whole(node):
                self._end_paragraph()
                self._put_whole(node, self._blocks)
                node = page.ends[node]
            else:
                self._open(node)
                opened.append(node)
                node += 1
        for each in reversed(opened):
            self._close(each)

    def _is_other_value(self, node: int) -> bool:
        """Tell whether a text touches the one before it in an element beside it, and is a value of its own."""
        tree, last = self._page.tree, self._last
        if last < 0 or not begins_value(tree.texts[last], tree.texts[node]):
            return False
        outer, inner = int(tree.parents[last]), int(tree.parents[node])
        is_beside = self._page.ends[outer] <= node and inner > last and self._page.tags[inner] not in RAISED
        return is_beside and not any(tree.texts[last + 1 : node])

    def _pass_over(self, node: int) -> None:
        """Leave a node out; a visible one still separates its neighbours."""
        if not self._run or self._page.tree.hidden[node]:
            return
        if self._page.tags[node] in _PARTING:
            self._end_paragraph()
        elif self._page.is_text[node]:
            self._put(" ")

    def _put(self, html: str) -> None:
        self._run.append(Piece(self._marks, html))

    def _end_paragraph(self) -> None:
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
        """Tell whether an element is written with all that is in it."""
        return node in self._page.chosen.tables or self._page.tags[node] in _WHOLE

    def _put_whole(self, node: int, blocks: Blocks) -> None:
        tag = self._page.tags[node]
        if tag in HEADING_TAGS:
            if line := self._line(node):  # an empty one only separates its neighbours
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
            self._end_paragraph()
            if self._blocks is not None:
                self._open_block(node, tag, self._blocks)

    def _open_block(self, node: int, tag: str, blocks: Blocks) -> None:
        if tag == "hr":
            blocks.put(RULE)
        elif tag == "li":
            blocks.open_item()
        elif tag in _CONTAINERS and blocks.depth < _MAX_DEPTH:
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
            self._end_paragraph()
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
    """Read the number that a list begins with."""
    match = _NUMBER.match(attributes.get("start", ""))
    return int(match[1]) if match else 1


def _convert(html: str) -> str:
    """Convert a block that holds no others."""
    markdown = turbohtml.parse(html).to_markdown()
    return _TAGGED.sub(_use_signs, markdown) if "</" in markdown and "`" not in markdown else markdown


_SIGNS = {"strong": "**", "em": "*"}
_TAGGED = re.compile(r"<(strong|em)>([^\s<>*_](?:[^<>*_]*[^\s<>*_])?)</\1>")
"""Emphasis that turbohtml writes as tags: it does so wherever signs may fail, as beside quotation marks."""


def _use_signs(tagged: re.Match[str]) -> str:
    """Write emphasis by signs where Markdown reads them: at its punctuation no letter may be beside them.

    >>> [_TAGGED.sub(_use_signs, text) for text in ("<em>“Go”</em>, he said", "re<em>(do)</em>ing")]
    ['*“Go”*, he said', 're<em>(do)</em>ing']
    """
    text, sign, whole = tagged[2], _SIGNS[tagged[1]], tagged.string
    before, after = whole[: tagged.start()][-1:], whole[tagged.end() :][:1]
    is_free = before not in ("*", "_", "\\") and after not in ("*", "_")
    opens = text[0].isalnum() or not before.isalnum()
    closes = text[-1].isalnum() or not after.isalnum()
    return f"{sign}{text}{sign}" if is_free and opens and closes else tagged[0]


class Chosen(NamedTuple):
    """Parts of a page that are written."""

    nodes: NDArray[np.bool_]
    """Whether each node is a leaf that is written, or holds one."""
    images: dict[int, str]
    """URLs of images by node."""
    tables: dict[int, Table]


def choose(tree: Tree, texts: NDArray[np.int32], resolve: Resolver, boxes: NDArray[np.float32] | None) -> Chosen:
    """Choose some texts, their ancestors, and the images, breaks, rules and spaces among them."""
    texts = np.sort(texts)
    is_text = (tree.kinds == Kind.TEXT) & ~tree.hidden
    is_blank = (tree.kinds == Kind.TEXT) & np.array([not text or text.isspace() for text in tree.texts])
    counts = np.concatenate(([0], np.cumsum(is_text & ~is_blank)))
    images = find_images(tree, texts, np.flatnonzero(is_text & ~is_blank), resolve, boxes)
    leaves = np.union1d(texts, np.array(list(images), dtype=np.int64))
    nodes = np.zeros(len(tree.kinds), dtype=np.bool_)
    _add(nodes, leaves, tree.parents)
    parting = np.flatnonzero(is_blank | tree.has_tag(["br", "hr"]))
    _add(nodes, _between(tree, texts, parting, nodes, counts[tree.ends] == counts[:-1]), tree.parents)
    return Chosen(nodes, images, find_grids(tree, leaves))


def _add(nodes: NDArray[np.bool_], leaves: NDArray[np.int64], parents: NDArray[np.int32]) -> None:
    """Choose leaves and their ancestors."""
    while len(leaves := leaves[leaves >= 0]) and len(leaves := np.unique(leaves[~nodes[leaves]])):
        nodes[leaves] = True
        leaves = parents[leaves].astype(np.int64)


def _between(
    tree: Tree,
    texts: NDArray[np.int32],
    parting: NDArray[np.int64],
    nodes: NDArray[np.bool_],
    is_empty: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Find what separates chosen texts: it is beside them, or in elements without text beside them."""
    if not len(texts):
        return parting[:0]
    parting = parting[(parting > texts[0]) & (parting < texts[-1])]
    parting = parting[~tree.hidden[tree.parents[parting]]]
    holders = tree.parents[parting]
    while len(places := np.flatnonzero(~nodes[holders] & is_empty[holders] & (holders > 0))):
        holders[places] = tree.parents[holders[places]]
    return parting[nodes[holders]]


_MIN_IMAGE_SIZE = 33  # CSS pixels: icons, and avatars beside names, are 16 to 32 wide
_PLACEHOLDER = re.compile(
    r"/(?:blank|clear|pixel|placeholder|spacer|transparent|1x1)[^/?#]*\.(?:gif|png|svg)\b", re.IGNORECASE
)
"""Images that stand in for others until they are loaded, or that only take room."""
_PAGE_TAGS = ("html", "body")


def find_images(
    tree: Tree,
    kept: NDArray[np.int32],
    texts: NDArray[np.int64],
    resolve: Resolver,
    boxes: NDArray[np.float32] | None,
) -> dict[int, str]:
    """Map the images that belong to the kept texts to their URLs.

    An image belongs to them if it is between two of them, or in the smallest element that holds all, and the smallest
    element around it that holds any of the visible `texts` holds a kept one.
    """
    found = np.flatnonzero(tree.has_tag(["img"]) & ~tree.hidden)
    if not len(kept) or not len(found):
        return {}
    first, last = _span(tree, kept)
    images: dict[int, str] = {}
    known: dict[int, bool] = {}
    seen: set[str] = set()  # `noscript` repeats images
    for node in found[(found >= first) & (found < last)].tolist():
        address = _address(tree, node, resolve)
        if not address or address in seen or _is_small(tree, node, boxes):
            continue
        if _belongs(tree, node, texts, kept, known):
            images[node] = address
            seen.add(address)
    return images


def _span(tree: Tree, kept: NDArray[np.int32]) -> tuple[int, int]:
    """Find the smallest element that holds all kept texts; if that is the page, the first and the last text."""
    first, last = int(kept[0]), int(kept[-1])
    holder = int(tree.parents[first])
    while holder > 0 and tree.ends[holder] <= last:
        holder = int(tree.parents[holder])
    if holder <= 0 or tree.tag_names[tree.tags[holder]] in _PAGE_TAGS:
        return first, last
    return holder, int(tree.ends[holder])


def _belongs(tree: Tree, node: int, texts: NDArray[np.int64], kept: NDArray[np.int32], known: dict[int, bool]) -> bool:
    """Tell whether the smallest element around a node with any text holds a kept one; `known` caches answers."""
    path = []
    while node > 0 and node not in known:
        path.append(node)
        end = int(tree.ends[node])
        if count_between(texts, node, end):
            known[node] = bool(count_between(kept, node, end))
            break
        node = int(tree.parents[node])
    answer = known.get(node, False)
    known.update(dict.fromkeys(path, answer))
    return answer


def _address(tree: Tree, node: int, resolve: Resolver) -> str:
    own = tree.attributes[node]
    written = (own[name] for name in IMAGE_ATTRIBUTES if own.get(name, "").strip())
    addresses = (resolve(largest(each)) for each in written)
    return next((address for address in addresses if address and not _PLACEHOLDER.search(address)), "")


def _is_small(tree: Tree, node: int, boxes: NDArray[np.float32] | None) -> bool:
    if boxes is not None and not np.isnan(boxes[node, 2]):
        return bool(boxes[node, 2:].max() < _MIN_IMAGE_SIZE)
    own = tree.attributes[node]
    sizes = [own[name].strip().removesuffix("px") for name in ("width", "height") if name in own]
    return any(size.isdecimal() and len(size) < 3 and int(size) < _MIN_IMAGE_SIZE for size in sizes)
