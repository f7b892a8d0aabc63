"""Blocks in lists and quotes.

What stands in them is indented and prefixed here, with an empty line wherever blocks could be read as one; turbohtml
leaves such lines out in lists, where a rule below a text would make it a heading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

RULE = "---"


@dataclass(frozen=True)
class _Leaf:
    """A block that holds no others, in Markdown."""

    markdown: str


@dataclass(frozen=True)
class _Quote:
    blocks: list[_Block] = field(default_factory=list)


@dataclass(frozen=True)
class _List:
    start: int | None
    """The number of the first item; None when items have none."""
    items: list[list[_Block]] = field(default_factory=list)

    @property
    def is_tight(self) -> bool:
        """Whether each item is a text, and perhaps lists below it that can do without an empty line before them."""
        return all(
            all(isinstance(block, _List) and block.start in (None, 1) and block.is_tight for block in item[1:])
            for item in self.items
        )


_Block = _Leaf | _Quote | _List


class Blocks:
    """Blocks one below the other; what stands in a list but in no item goes to the item before it."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._opened: list[_Quote | _List] = []

    @property
    def depth(self) -> int:
        """How many lists and quotes are open."""
        return len(self._opened)

    def put(self, markdown: str) -> None:
        """Add a block; a rule is none where there is nothing above it."""
        here = self._here()
        if markdown and (here or markdown != RULE):
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
        """End the list or quote that was begun last."""
        self._opened.pop()

    def to_markdown(self) -> str:
        """All blocks."""
        return _join(self._blocks)

    def _open(self, block: _Quote | _List) -> None:
        self._here().append(block)
        self._opened.append(block)

    def _here(self) -> list[_Block]:
        """Where the next block goes."""
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
    for block in blocks:
        mark = _mark(block, mark) if isinstance(block, _List) else ""
        if text := _write(block, mark):
            written.append(text)
    return gap.join(written)


def _mark(block: _List, before: str) -> str:
    """What stands before or behind the number of items: not that of a list before it, which it would go on."""
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
    """The lines of a text behind what they are indented with.

    >>> _indented("a\\n\\nb", "- ", "  ")
    '- a\\n\\n  b'
    """
    head, *rest = text.split("\n") if text else [""]
    lines = [first + head, *((others + line).rstrip(" ") if not line else others + line for line in rest)]
    return "\n".join(lines) if text else ""
