"""Write the parts of a Markdown page: lists and quotes, code, tables and marked text.

Lists and quotes are indented and prefixed here, with an empty line wherever blocks could be read as one. turbohtml can
convert a whole tree at once, but leaves such lines out in lists, where a rule below a text would make it a heading,
and joins neighbouring lists; on 86 of 479 pages it gave something else, with `<strong>` tags and empty quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.html.columns import HEADING_TAGS, Kind, Tree
from webquarry.html.tables import Table, form_tables
from webquarry.html.visibility import BLOCKS

RULE = "---"
MAX_NESTING = 30
"""Lists and quotes in each other; each level is another indentation of all lines in it, and deeper ones go on in the
last."""


@dataclass(frozen=True)
class _Leaf:
    """Markdown block that holds no others."""

    markdown: str


@dataclass(frozen=True)
class _Quote:
    blocks: list[_Block] = field(default_factory=list)


@dataclass(frozen=True)
class _List:
    start: int | None
    """Number of the first item; None for bullets."""
    items: list[list[_Block]] = field(default_factory=list)

    @cached_property
    def is_tight(self) -> bool:
        """Tell whether each item is a text, perhaps with lists below it that need no empty line before them."""
        return all(
            all(isinstance(block, _List) and block.start in (None, 1) and block.is_tight for block in item[1:])
            for item in self.items
        )


_Block = _Leaf | _Quote | _List
_RULED = _Leaf(RULE)


class Blocks:
    """Blocks one below the other; what is in a list but in no item goes to the item before it."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._opened: list[_Quote | _List] = []

    @property
    def depth(self) -> int:
        """Number of open lists and quotes."""
        return len(self._opened)

    def put(self, markdown: str) -> None:
        """Add a block; a rule is left out where nothing but another rule is above it."""
        here = self._here()
        if markdown and (markdown != RULE or (here and here[-1] != _RULED)):
            here.append(_Leaf(markdown))

    def open_quote(self) -> None:
        """Begin a quote."""
        self._open(_Quote())

    def open_list(self, start: int | None = None) -> None:
        """Begin a list, numbered from a number or not at all."""
        self._open(_List(start))

    def open_item(self) -> None:
        """Begin an item, if a list is open."""
        if self._opened and isinstance(opened := self._opened[-1], _List):
            opened.items.append([])

    def close(self) -> None:
        """End the innermost list or quote."""
        self._opened.pop()

    def to_markdown(self) -> str:
        """Write all blocks."""
        return _join(self._blocks)

    def _open(self, block: _Quote | _List) -> None:
        if len(self._opened) >= MAX_NESTING:
            block = self._opened[-1]
        else:
            self._here().append(block)
        self._opened.append(block)

    def _here(self) -> list[_Block]:
        """Find where the next block goes."""
        if not self._opened:
            return self._blocks
        opened = self._opened[-1]
        if isinstance(opened, _Quote):
            return opened.blocks
        if not opened.items:
            opened.items.append([])
        return opened.items[-1]


def _join(blocks: Sequence[_Block], gap: str = "\n\n") -> str:
    written: list[str] = []
    mark = ""
    for block in blocks[:-1] if blocks and blocks[-1] == _RULED else blocks:  # a rule parts nothing at the end
        mark = _mark(block, mark) if isinstance(block, _List) else ""
        if text := _write(block, mark):
            written.append(text)
    return gap.join(written)


def _mark(block: _List, before: str) -> str:
    """Choose the bullet, or the mark after numbers: not that of a list directly before, which it would continue."""
    first, second = ("-", "*") if block.start is None else (".", ")")
    return second if before == first else first


def _write(block: _Block, mark: str) -> str:
    if isinstance(block, _Leaf):
        return block.markdown
    if isinstance(block, _Quote):
        return _indented(_join(block.blocks), "> ", "> ")
    items = [text for item in block.items if (text := _join(item, "\n" if block.is_tight else "\n\n"))]
    heads = [f"{mark} " if block.start is None else f"{block.start + place}{mark} " for place in range(len(items))]
    lines = [_indented(text, head, " " * len(head)) for text, head in zip(items, heads, strict=True)]
    return ("\n" if block.is_tight else "\n\n").join(lines)


def _indented(text: str, first: str, others: str) -> str:
    """Indent the lines of a text.

    >>> _indented("a\\n\\nb", "- ", "  ")
    '- a\\n\\n  b'
    """
    head, *rest = text.split("\n") if text else [""]
    lines = [first + head, *((others + line).rstrip(" ") if not line else others + line for line in rest)]
    return "\n".join(lines) if text else ""


_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?-|brush:\s*|highlight-source-|highlight-text-)([\w+#.-]+)")
_STATED_IN = ("data-lang", "data-language")
_MAX_ANCESTORS = 2  # elements around code whose classes can tell its language


def write_code(text: str, language: str) -> str:
    """Write preformatted text as HTML."""
    name = f' class="language-{escape(language)}"' if language else ""
    # The parser drops a line break directly behind the tag, which may be the text's own.
    return f"<pre>\n<code{name}>{escape(plain_spaces(text), quote=False)}</code></pre>"


_SPACES = str.maketrans(
    dict.fromkeys("\xa0\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f", " ") | dict.fromkeys("\xad\u200b")
)
"""Spaces that Markdown would need character references for, and marks of where a word may be divided."""


def plain_spaces(text: str) -> str:
    """Replace spaces that are only for typesetting by plain ones.

    >>> plain_spaces("10\xa0km, wa\xadter")
    '10 km, water'
    """
    return text if text.isascii() else text.translate(_SPACES)


def read_code(tree: Tree, node: int, chosen: NDArray[np.bool_]) -> str:
    """Read the chosen texts of a preformatted element; blocks in it are lines of their own."""
    parts: list[str] = []
    is_separate = False
    ends: list[int] = []  # of open blocks
    for inner in range(node + 1, int(tree.ends[node])):
        while ends and ends[-1] <= inner:
            ends.pop()
            is_separate = True
        if not chosen[inner]:
            continue
        tag = tree.tag_names[tree.tags[inner]] if tree.tags[inner] >= 0 else ""
        if tag == "br":
            parts.append("\n")
        elif tag in BLOCKS:
            ends.append(int(tree.ends[inner]))
            is_separate = True
        elif tree.kinds[inner] == Kind.TEXT:
            if is_separate and parts and not parts[-1].endswith("\n"):
                parts.append("\n")
            parts.append(tree.texts[inner])
            is_separate = False
    code = "".join(parts).strip("\n")
    return "" if code.isspace() else code


def find_language(tree: Tree, node: int) -> str:
    """Find the language that a preformatted element, its first child or an ancestor states; nothing for none."""
    inside = node + 1 if node + 1 < tree.ends[node] else node
    places = [inside, node]
    for _ in range(_MAX_ANCESTORS):
        places.append(max(0, int(tree.parents[places[-1]])))
    for place in places:
        own = tree.attributes[place]
        stated = next((own[name] for name in _STATED_IN if own.get(name)), "")
        match = _LANGUAGE.search(own.get("class", "")) if not stated else None
        if stated or match:
            return (stated or (match[1] if match else "")).strip().lower()
    return ""


_NEVER_IN_CELLS = HEADING_TAGS | {"blockquote", "listing", "pre", "table", "xmp"}
"""Elements that no cell of Markdown can hold; a table with such cells lays out the page."""
_MAX_COLUMNS = 100  # wider tables are written cell by cell, as nobody can read their lines


def find_grids(tree: Tree, leaves: NDArray[np.int64]) -> dict[int, Table]:
    """Find tables that Markdown can hold, by node: two columns and rows or more, and nothing but texts."""
    if "table" not in tree.tag_names:
        return {}
    blocks = np.flatnonzero(tree.has_tag(_NEVER_IN_CELLS))
    return {table.node: table for table in form_tables(tree) if _is_grid(table, tree, leaves, blocks)}


def write_grid(table: Table, write_cell: Callable[[int], str]) -> str:
    """Write a table as HTML without spans: the text of a cell goes to the first slot that it covers.

    Rows and columns without any text are left out.
    """
    rows = [{cell.column: write_cell(cell.node) for cell in cells} for cells in table.cells]
    columns = sorted({column for row in rows for column, html in row.items() if html})
    parts = ["<table>"]
    for number, row in enumerate(row for row in rows if any(row.values())):
        tag = "th" if number == 0 else "td"
        parts += ["<tr>", *(f"<{tag}>{row.get(column, '')}</{tag}>" for column in columns), "</tr>"]
    return "".join([*parts, "</table>"])


def _is_grid(table: Table, tree: Tree, leaves: NDArray[np.int64], blocks: NDArray[np.int64]) -> bool:
    node, end = table.node, int(tree.ends[table.node])
    if tree.attributes[node].get("role", "").strip().lower() in ("presentation", "none"):
        return False
    if count_between(blocks, node + 1, end):
        return False
    first, last = np.searchsorted(leaves, (node + 1, end))
    inside = leaves[first:last]
    filled = {
        (cell.row, cell.column): count
        for cells in table.cells
        for cell in cells
        if (count := count_between(inside, cell.node, int(tree.ends[cell.node])))
    }
    columns = {column for _, column in filled}
    captioned = count_between(inside, table.caption, int(tree.ends[table.caption])) if table.caption else 0
    is_whole = sum(filled.values()) + captioned == len(inside)
    return is_whole and len({row for row, _ in filled}) > 1 and 1 < len(columns) <= _MAX_COLUMNS


def count_between(nodes: NDArray[Any], start: int, stop: int) -> int:
    """Count the sorted nodes from one node to before another."""
    first, last = np.searchsorted(nodes, (start, stop))
    return int(last - first)


BREAK = "<br>"


class Mark(NamedTuple):
    """Inline element around texts, such as a link or emphasis; marks are nested in the order of `rank`."""

    rank: int
    node: int
    tag: str
    address: str = ""

    @property
    def start(self) -> str:
        """Start tag."""
        return f'<{self.tag} href="{escape(self.address)}">' if self.address else f"<{self.tag}>"


MARKS = {
    "a": "a",
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("i", "em"), "em"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
}
"""Elements that Markdown has a mark for, by the names of their like."""
RANKS = {tag: rank for rank, tag in enumerate(dict.fromkeys(MARKS.values()))}


class Piece(NamedTuple):
    """Text, image or line break as HTML, with the marks around it, the outermost first."""

    marks: tuple[Mark, ...]
    html: str

    @property
    def is_blank(self) -> bool:
        """Tell whether nothing of it is visible."""
        return not self.html or self.html.isspace()


def trimmed(pieces: Sequence[Piece]) -> list[Piece]:
    """Remove breaks at the ends of a paragraph, and all but one where several follow each other."""
    kept: list[Piece] = []
    gap: list[Piece] = []
    for piece in pieces:
        if piece.html == BREAK or piece.is_blank:
            gap.append(piece)
            continue
        if kept:
            kept += next(([each] for each in gap if each.html == BREAK), gap)
        kept.append(piece)
        gap = []
    return kept


def paragraphs(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Divide pieces into paragraphs at empty lines: two breaks with nothing between them."""
    start = breaks = 0
    for place, piece in enumerate(pieces):
        if piece.html == BREAK:
            breaks += 1
        elif not piece.is_blank:
            if breaks > 1 and (paragraph := trimmed(pieces[start:place])):
                yield paragraph
                start = place
            breaks = 0
    if paragraph := trimmed(pieces[start:]):
        yield paragraph


def to_html(pieces: Sequence[Piece]) -> str:
    """Write pieces as HTML, each mark opened once for adjacent pieces.

    >>> strong = Mark(1, 7, "strong")
    >>> to_html([Piece((), "a "), Piece((strong,), "b"), Piece((strong, Mark(2, 9, "em")), "c")])
    'a <strong>b<em>c</em></strong>'
    """
    parts: list[str] = []
    opened: tuple[Mark, ...] = ()
    for marks, group in groupby(pieces, key=lambda piece: piece.marks):
        shared = _shared(opened, marks)
        parts += [f"</{mark.tag}>" for mark in reversed(opened[shared:])]
        parts += [mark.start for mark in marks[shared:]]
        parts += [piece.html for piece in group]
        opened = marks
    return "".join([*parts, *(f"</{mark.tag}>" for mark in reversed(opened))])


def _shared(first: tuple[Mark, ...], second: tuple[Mark, ...]) -> int:
    """Count the marks that two texts share, from the outermost inwards."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(first), len(second)))
