"""What an element makes of the text in it, as far as its markup tells: its block, its signature, whether it is seen."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from webquarry.formats.data_tables import is_data_table
from webquarry.formats.trees import ANCHOR, Marks, Tree, cell_places
from webquarry.html.visibility import BLOCKS, CELLS, PREFORMATTED, is_hidden

HEADINGS = frozenset("h1 h2 h3 h4 h5 h6 dt th caption legend summary".split())
"""Blocks whose whole text is one heading."""
EMPHASES = frozenset("b strong i em u th".split())
_PLAIN_INSIDE = frozenset("a a-name abbr acronym b big em font i small span strong sub sup tt u".split())
"""Elements that, without a class, add nothing to what emphasises them."""
_MOST_CELLS = 4
"""Of a row whose cells are told apart by their place: rows with more are data."""
_SHAPING = re.compile(
    r"(?:^|;)\s*(font-weight|font-size|font-style|color|text-decoration)\s*:\s*([^;!]+)", re.IGNORECASE
)
_APART = re.compile(r"display\s*:\s*block|position\s*:\s*absolute|float\s*:\s*(?:left|right)", re.IGNORECASE)
_HIDING = {"input": "type", "dialog": "open"}
SEPARATOR = " > "


Element = tuple[Any, str, bool, bool, bool, str, Any]
"""What holds for the text in an element; a plain tuple, because there are thousands on a page:

the node of the nearest block, whose first text begins a line; its signature, tags and classes from the block inwards;
whether it is hidden; whether it is preformatted; whether it stands in a heading or in an emphasis; its own step; and
the cell of a data table that it stands in."""


class Sort(NamedTuple):
    """What elements with the same markup have in common."""

    step: str
    is_block: bool
    is_cell: bool
    is_hidden: bool
    is_preformatted: bool
    is_heading: bool
    is_emphasis: bool
    adds_nothing: bool
    """To an emphasis that it stands in."""


class Elements:
    """The elements of a tree, each looked at once."""

    def __init__(
        self,
        tree: Tree[Any],
        classes: Collection[str] | None = None,
        hidden: Collection[str] = (),
        sorts: dict[Marks, Sort] | None = None,
    ) -> None:
        """Of classes only those given count, if any are given; elements of hidden steps are not seen.

        `sorts` is kept from page to page by those who read many with the same classes.
        """
        self._tree = tree
        self._classes, self._hidden = classes, frozenset(hidden)
        self._has_hidden_pairs = any(SEPARATOR in step for step in hidden)
        self._known: dict[Any, Element] = {}
        self._sorts: dict[Marks, Sort] = {} if sorts is None else sorts
        self._places: dict[Any, dict[Any, str]] = {}

    def __call__(self, node: Any) -> Element:
        """What holds for the text in the element of this node."""
        known = self._known
        found = known.get(node)
        if found is not None:
            return found
        waiting = [node]  # no recursion: pages may be nested thousands deep
        find_parent = self._tree.parent
        while (parent := find_parent(waiting[-1])) is not None and parent not in known:
            waiting.append(parent)
        found = _OUTERMOST if parent is None else known[parent]
        while waiting:
            element = waiting.pop()
            if not found[_HIDDEN]:
                found = self._derive(element, found)
            known[element] = found
        return found

    def step(self, node: Any) -> str:
        """An element's own part of signatures: its tag, the classes that count, and what shapes its text."""
        sort = self._look_at(self._tree.marks(node))
        return self._with_place(node, sort.step) if sort.is_cell else sort.step

    def follow(self, steps: Sequence[str]) -> list[Any]:
        """The elements that steps lead to from the outermost one."""
        found: list[Any] = [None]
        for step in steps:
            found = [child for holder in found for child in self._tree.children(holder) if self.step(child) == step]
        return [node for node in found if node is not None]

    def _look_at(self, marks: Marks) -> Sort:
        tag, classes, _, _, _ = marks
        shape = _shape(marks)
        names = {name for name in (classes or "").split() if self._classes is None or name in self._classes}
        parts = [tag, *(f".{name}" for name in sorted(names)), f"[{shape}]" if shape else ""]
        step = ANCHOR if tag == ANCHOR else "".join(parts)
        sort = self._sorts[marks] = Sort(
            step,
            is_block=tag in BLOCKS or tag in CELLS or _APART.search(marks[2] or "") is not None,
            is_cell=tag in CELLS,
            is_hidden=_is_hidden(marks),
            is_preformatted=tag in PREFORMATTED,
            is_heading=tag in HEADINGS,
            is_emphasis=tag in EMPHASES,
            adds_nothing=step in _PLAIN_INSIDE,
        )
        return sort

    def _derive(self, node: Any, holder: Element) -> Element:
        marks = self._tree.marks(node)
        sort = self._sorts.get(marks) or self._look_at(marks)
        step, is_block, is_cell, hidden, preformatted, is_heading, is_emphasis, adds_nothing = sort
        block, around, _, holder_is_preformatted, holder_is_emphasis, holder_step, cell = holder
        if holder_step == ANCHOR:
            around = around.removesuffix(SEPARATOR + ANCHOR)
        if is_cell:
            step = self._with_place(node, step)
        if self._hidden and not hidden:
            hidden = step in self._hidden or (self._has_hidden_pairs and holder_step + SEPARATOR + step in self._hidden)
        preformatted = preformatted or holder_is_preformatted
        if is_block:
            if cell is not None or step.startswith("table"):
                cell = self._find_cell(node, cell, is_cell=is_cell)
            return node, step, hidden, preformatted, is_heading, step, cell
        signature = around if holder_is_emphasis and adds_nothing else around + SEPARATOR + step
        return block, signature, hidden, preformatted, holder_is_emphasis or is_emphasis, step, cell

    def _with_place(self, cell: Any, step: str) -> str:
        row = self._tree.parent(cell)
        places = self._places.get(row)
        if places is None:
            cells = cell_places(self._tree, row)
            is_told = 1 < len(cells) <= _MOST_CELLS
            places = {child: f":{place + 1}/{len(cells)}" for child, place in cells.items()} if is_told else {}
            self._places[row] = places
        return step + places.get(cell, "")

    def _find_cell(self, node: Any, around: Any, *, is_cell: bool) -> Any:
        """The cell of a data table that holds a block; a data table in a cell is text of that cell."""
        if around is not None:
            return node if around is IN_TABLE and is_cell else around
        return IN_TABLE if is_data_table(self._tree, node) else None


IN_TABLE = object()  # in a data table and not yet in a cell
_OUTERMOST: Element = (None, "", False, False, False, "", None)
_HIDDEN = 2


def _is_hidden(marks: Marks) -> bool:
    tag, _, style, hidden, odd = marks
    said = {"style": style, "hidden": hidden}
    if tag in _HIDING:
        said[_HIDING[tag]] = odd[0]
    return is_hidden(tag, {name: value for name, value in said.items() if value is not None})


def _shape(marks: Marks) -> str:
    """What the element's own markup says of size, weight, slant and colour."""
    tag, _, style, _, odd = marks
    said = []
    if tag == "font":
        said = [f"{name}={value}" for name, value in zip(("size", "color"), odd, strict=True) if value]
    if style:
        said += [f"{name.lower()}:{value.strip().lower()}" for name, value in _SHAPING.findall(style)]
    return " ".join(said)
