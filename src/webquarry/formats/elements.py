"""What an element makes of the text in it, as far as its markup tells: its block, its signature, whether it is seen."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from webquarry.formats.data_tables import is_data_table
from webquarry.formats.trees import Tree
from webquarry.html.visibility import BLOCKS, CELLS, PREFORMATTED, is_hidden

HEADINGS = frozenset("h1 h2 h3 h4 h5 h6 dt th caption legend summary".split())
"""Blocks whose whole text is one heading."""
EMPHASES = frozenset("b strong i em u th".split())
_PLAIN_INSIDE = frozenset("a abbr acronym b big em font i small span strong sub sup tt u".split())
"""Elements that, without a class, add nothing to what emphasises them."""
_MOST_CELLS = 4
"""Of a row whose cells are told apart by their place: rows with more are data."""
_SHAPING = re.compile(
    r"(?:^|;)\s*(font-weight|font-size|font-style|color|text-decoration)\s*:\s*([^;!]+)", re.IGNORECASE
)
SEPARATOR = " > "


class Element(NamedTuple):
    """What holds for the text in an element."""

    block: Any
    """The node of the nearest block, whose first text begins a line."""
    signature: str
    """Tags and classes from the block inwards."""
    is_hidden: bool
    is_preformatted: bool
    is_emphasis: bool
    """Whether it stands in a heading or in an emphasis."""
    cell: Any = None
    """The cell of a data table that it stands in."""
    matched: int = 0
    """How many of the steps that lead to the content lead to here; -1 in the content."""


class Elements:
    """The elements of a tree, each looked at once."""

    def __init__(
        self,
        tree: Tree[Any],
        classes: Collection[str] | None = None,
        hidden: Collection[str] = (),
        content: Sequence[str] = (),
    ) -> None:
        """Of classes only those given count, if any are given; elements of hidden steps are not seen.

        `content` are the steps from the outermost element to the one that holds the content.
        """
        self._tree = tree
        self._content = tuple(content)
        self._classes, self._hidden = classes, frozenset(hidden)
        self._known: dict[Any, Element] = {}
        self._steps: dict[tuple[str, str, str], str] = {}

    def __call__(self, node: Any) -> Element:
        """What holds for the text in the element of this node."""
        found = self._known.get(node)
        if found is not None:
            return found
        waiting = [node]  # no recursion: pages may be nested thousands deep
        while (parent := self._tree.parent(waiting[-1])) is not None and parent not in self._known:
            waiting.append(parent)
        found = _OUTERMOST if parent is None else self._known[parent]
        while waiting:
            element = waiting.pop()
            found = self._known[element] = self._derive(element, found, parent)
            parent = element
        return found

    def step(self, node: Any) -> str:
        """An element's own part of signatures: its tag, the classes that count, and what shapes its text."""
        tree = self._tree
        tag = tree.tag(node)
        key = (tag, tree.attribute(node, "class") or "", _shape(tree, node, tag))
        step = self._steps.get(key)
        if step is None:
            step = self._steps[key] = self._write_step(*key)
        if tag in CELLS:
            place, count = tree.cells(node)
            if 1 < count <= _MOST_CELLS:
                return f"{step}:{place}/{count}"
        return step

    def _write_step(self, tag: str, class_attribute: str, shape: str) -> str:
        classes = sorted({name for name in class_attribute.split() if self._classes is None or name in self._classes})
        return "".join([tag, *(f".{name}" for name in classes), f"[{shape}]" if shape else ""])

    def _derive(self, node: Any, holder: Element, parent: Any) -> Element:
        tag, step = self._tree.tag(node), self.step(node)
        matched = self._match(holder.matched, step, is_outermost=parent is None)
        hidden = holder.is_hidden or self._is_hidden(node, tag, step, parent)
        preformatted = holder.is_preformatted or tag in PREFORMATTED
        cell = self._find_cell(node, tag, holder)
        if tag in BLOCKS or tag in CELLS:
            return Element(node, step, hidden, preformatted, tag in HEADINGS, cell, matched)
        if holder.is_emphasis and step in _PLAIN_INSIDE:
            return holder._replace(is_hidden=hidden, matched=matched)
        signature = holder.signature + SEPARATOR + step
        return Element(
            holder.block, signature, hidden, preformatted, holder.is_emphasis or tag in EMPHASES, cell, matched
        )

    def _find_cell(self, node: Any, tag: str, holder: Element) -> Any:
        """The cell of a data table that holds the element; a data table in a cell is text of that cell."""
        if holder.cell is not None:
            return node if holder.cell is _IN_TABLE and tag in CELLS else holder.cell
        return _IN_TABLE if tag == "table" and is_data_table(self._tree, node) else None

    def _match(self, matched: int, step: str, *, is_outermost: bool) -> int:
        if matched < 0 or not self._content:
            return matched
        if (matched == 0 and not is_outermost) or step != self._content[matched]:
            return 0
        return -1 if matched + 1 == len(self._content) else matched + 1

    def _is_hidden(self, node: Any, tag: str, step: str, parent: Any) -> bool:
        if is_hidden(tag, self._tree.attributes(node)):
            return True
        if not self._hidden:
            return False
        return step in self._hidden or (parent is not None and self.step(parent) + SEPARATOR + step in self._hidden)


_IN_TABLE = object()  # in a data table and not yet in a cell
_OUTERMOST = Element(block=None, signature="", is_hidden=False, is_preformatted=False, is_emphasis=False)


def _shape(tree: Tree[Any], node: Any, tag: str) -> str:
    """What the element's own markup says of size, weight, slant and colour."""
    said = []
    if tag == "font":
        said = [f"{name}={value}" for name in ("size", "color") if (value := tree.attribute(node, name))]
    style = tree.attribute(node, "style")
    if style:
        said += [f"{name.lower()}:{value.strip().lower()}" for name, value in _SHAPING.findall(style)]
    return " ".join(said)
