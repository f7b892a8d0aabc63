"""Split a page into runs of text in one format, line by line, as its markup shows them.

Wrappers are made of these.  `mining/record_pieces.py` finds the lines of records, by the layout if there is one;
`reading/blocks.py` joins lines to paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from webquarry.html.columns import HEADING_TAGS
from webquarry.html.parsing import OUR_START
from webquarry.html.visibility import BLOCKS, CELLS, PREFORMATTED, is_hidden
from webquarry.model.document import Document
from webquarry.page.data_tables import is_data_table
from webquarry.page.landmarks import is_panel
from webquarry.page.trees import ANCHOR, BREAK, RULE, ColumnsTree, Leaf, Marks, MarkupTree, Tree, cell_places

_UNSPLIT = (*sorted(HEADING_TAGS), "caption", "legend", "summary")  # headings that are not split at a colon
HEADINGS = frozenset([*_UNSPLIT, "dt", "th"])  # blocks whose whole text is one heading
EMPHASES = frozenset("b strong i em u th".split())
_PLAIN_INSIDE = frozenset("a a-name abbr acronym b big em font i small span strong sub sup tt u".split())
"""Elements that, without a class, add nothing to an emphasis around them."""
_MAX_PLACED_CELLS = 4  # of a row whose cells differ by place: rows with more are data
_SHAPING = re.compile(
    r"(?:^|;)\s*(font-weight|font-size|font-style|color|text-decoration)\s*:\s*([^;!]+)", re.IGNORECASE
)
_APART = re.compile(r"display\s*:\s*block|position\s*:\s*absolute|float\s*:\s*(?:left|right)", re.IGNORECASE)
_HIDING = {"input": "type", "dialog": "open"}
SEPARATOR = " > "
MAX_LABEL_LENGTH = 60  # characters of a label in one text with its value, as in `Phone: 555`
_LABEL = re.compile(rf"(?=[^:]*[^\W\d_])[^\W_][^:.;!?\n]{{0,{MAX_LABEL_LENGTH}}}:(?=\s)")
_SPACES = " \t\r\n\f\xa0\u3000"
_EMPHASISED = re.compile(r"\b(?:b|strong|i|em|u|th|dt|a)\b")
_BREAKING = (BREAK, RULE)
_WORD = re.compile(r"[^\W_]")
_SPACE = re.compile(r"[\t\r\n\f][ \t\r\n\f]*| [ \t\r\n\f]+")  # all but single spaces
COLON = " :"
"""Ends the signature of a piece that ends with a colon."""
CAPITALS = " AA"
"""Ends the signature of a line of capitals that nothing else distinguishes from running text."""
FIRST_LEAVES = 16  # to read for the first piece of an element; four times as many until it is whole
MIN_CAPITALS = 4  # letters of such a line
RUN_IN = " :…"
"""Ends the signature of a label whose value follows in the same text."""
PART = " …"
"""Ends the signature of a heading within a text, which only its words tell from the rest."""

_OWN_MARKS = re.compile(r":\d+/\d+|\[[^\]]*\]")
_SELECTABLE = re.compile(r"[\w-]+(?:\.[A-Za-z_-][\w-]*)*", re.ASCII)

Element = tuple[Any, str, bool, bool, bool, str, Any]
"""The state of the text in an element; a plain tuple, because there are thousands on a page:

the nearest block, whose first text begins a line; the signature, tags and classes from the block inwards; whether it
is hidden; whether it is preformatted; whether it is in a heading or an emphasis; its own step; and the cell of a data
table that holds it."""
IN_TABLE = object()  # in a data table and not yet in a cell
_OUTERMOST: Element = (None, "", False, False, False, "", None)
_HIDDEN = 2


@dataclass(slots=True)
class Piece:
    """A run of text in one format, its white space collapsed."""

    node: Any  # the text that it begins in
    element: Any  # the element that holds that text
    text: str
    line: int  # the number of its line; pieces of one line are adjacent
    signature: str
    indent: int = 0  # spaces before it, where they are kept: in preformatted text, or as no-break spaces
    gap: str = " "  # separates it from the piece before it in its line
    rules: int = 0  # number of `hr` before it
    cell: Any = None  # the data table cell that holds it


def open_tree(document: Document) -> Tree[Any]:
    """Open the tree from which the document's formats are read fastest."""
    if document.tree is None and document.method == "html5" and not document.markup.startswith(OUR_START):
        tree = MarkupTree(document.markup)
        return ColumnsTree(document) if tree.is_deep else tree
    return ColumnsTree(document)


def read_pieces(
    tree: Tree[Any],
    classes: Collection[str] | None = None,
    hidden: Collection[str] = (),
    content: Sequence[str] = (),
) -> list[Piece]:
    """Read the pieces of a tree that its markup does not hide; only of the elements at `content`, if given."""
    elements = Elements(tree, classes, hidden)
    return gather_pieces(elements, tree.leaves(elements.follow(content)))


def read_first_piece(tree: Tree[Any], elements: Elements, element: Any) -> Piece | None:
    """Read the first piece of an element, which may hold a whole page; None if it has no text."""
    count = FIRST_LEAVES
    while True:
        leaves = tree.leaves([element], count)
        pieces = gather_pieces(elements, leaves)
        if len(pieces) > 1 or len(leaves) < count:  # later texts do not change the first of several pieces
            return pieces[0] if pieces else None
        count *= 4


def gather_pieces(elements: Elements, leaves: Sequence[Leaf]) -> list[Piece]:
    """Join leaves to pieces, leaving out hidden ones."""
    lines, known = _Lines(), elements.known
    for node, text, parent, is_spaced in leaves:
        if text in _BREAKING:
            lines.end(is_rule=text == RULE)
            continue
        block, signature, is_hidden, is_preformatted, _, _, cell = known.get(parent) or elements(parent)
        if is_spaced:
            lines.gap = " "
        if is_hidden:
            continue
        if block != lines.block:
            lines.block = block
            lines.end()
        lines.cell = None if cell is IN_TABLE else cell
        if is_preformatted:
            _add_lines(lines, node, parent, text, signature)
        else:
            lines.add(node, parent, text, signature)
    _mark_capitals(lines.pieces)
    return lines.pieces


def _mark_capitals(pieces: Sequence[Piece]) -> None:
    before = -1
    for place, piece in enumerate(pieces):
        line = piece.line
        if line != before and piece.text.isupper() and (place + 1 == len(pieces) or pieces[place + 1].line != line):
            is_plain = not piece.signature.startswith(_UNSPLIT) and _EMPHASISED.search(piece.signature) is None
            if is_plain and sum(map(str.isalpha, piece.text)) >= MIN_CAPITALS and piece.text[-1] != ":":
                piece.signature += CAPITALS
        before = line


def _add_lines(lines: _Lines, node: Any, parent: Any, text: str, signature: str) -> None:
    """Add preformatted text, each of its lines as a line of its own."""
    for number, line in enumerate(text.split("\n")):
        if number:
            lines.end()
        if line and not line.isspace():
            lines.add(node, parent, line.expandtabs(), signature, is_kept=True)


class _Lines:
    """The lines of a page read so far."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.block: Any = None
        self.cell: Any = None
        self.gap = ""  # between the last piece and the next one of its line
        self._line = 0
        self._is_new = True  # whether the next piece begins a line
        self._indent = 0
        self._rules = 0

    def end(self, *, is_rule: bool = False) -> None:
        """End the line: the next piece begins a new one."""
        self._is_new = True
        self._indent = 0
        self._rules += is_rule

    def add(self, node: Any, element: Any, text: str, signature: str, *, is_kept: bool = False) -> None:
        """Add a text to the current line, or begin a new one with it; `is_kept` keeps its spaces."""
        stripped = text.strip(_SPACES)
        if not stripped:
            self.gap = " "
            self._indent += _count_no_break(text)
            return
        gap = self.gap if text[0] == stripped[0] else " "
        self.gap = "" if text[-1] == stripped[-1] else " "
        indent = self._indent
        if self._is_new and text[0] != stripped[0]:
            indent += len(text) - len(text.lstrip(" ")) if is_kept else _count_no_break(text)
        if not stripped.isprintable() or "  " in stripped:
            stripped = _SPACE.sub(" ", stripped)
        if self._is_new:
            self._start(node, element, stripped, signature, indent)
            return
        last = self.pieces[-1]
        if last.signature == signature or not (stripped[0].isalnum() or _WORD.search(stripped)):
            last.text += gap + stripped
            if stripped[-1] == ":":
                last.signature = _with_colon(last.signature)
            return
        if stripped[0] == ":":  # the colon of the label before it
            last.text += ":"
            last.signature = _with_colon(last.signature)
            stripped = stripped[1:].lstrip()
        self._append(node, element, stripped, signature, gap=gap)

    def _start(self, node: Any, element: Any, text: str, signature: str, indent: int) -> None:
        self._line += 1
        self._is_new = False
        label = None
        if self.cell is None and ":" in text and not signature.startswith(_UNSPLIT):
            label = _LABEL.match(text)
        if label is None:
            self._append(node, element, text, signature, indent=indent)
            return
        self._append(node, element, label.group(), signature, indent=indent, mark=RUN_IN)
        self._append(node, element, text[label.end() :].lstrip(), signature)

    def _append(
        self, node: Any, element: Any, text: str, signature: str, *, indent: int = 0, gap: str = " ", mark: str = ""
    ) -> None:
        signature += mark or (COLON if text[-1] == ":" else "")
        self.pieces.append(Piece(node, element, text, self._line, signature, indent, gap, self._rules, self.cell))


def _count_no_break(text: str) -> int:
    """Count the spaces at the start of a text from the first no-break space to the last: others collapse."""
    return len(_SPACE.sub(" ", text[: len(text) - len(text.lstrip(_SPACES))]).strip(" "))


def without_colon(signature: str) -> str:
    """Remove the mark of a colon from a signature.

    >>> without_colon("p > b :"), without_colon("p :…")
    ('p > b', 'p')
    """
    return signature.removesuffix(RUN_IN).removesuffix(COLON)


def _with_colon(signature: str) -> str:
    return signature if signature.endswith((COLON, RUN_IN)) else signature + COLON


def to_selector(signatures: Collection[str]) -> str:
    """Make a CSS selector that matches at least all elements with one of the signatures; empty if there is none.

    With it, turbohtml finds elements faster than any Python code.

    >>> to_selector(["td.label:1/2 > b[color:red] :"])
    'td.label > b'
    """
    selectors = []
    for signature in sorted(signatures):
        steps = _OWN_MARKS.sub("", without_colon(signature.removesuffix(CAPITALS))).split(SEPARATOR)
        if not all(map(_SELECTABLE.fullmatch, steps)):
            return ""
        selectors.append(SEPARATOR.join(steps))
    return ", ".join(selectors)


class Sort(NamedTuple):
    """The properties that elements with the same markup share."""

    step: str
    is_block: bool
    is_cell: bool
    is_hidden: bool
    is_preformatted: bool
    is_heading: bool
    is_emphasis: bool
    adds_nothing: bool  # to an emphasis around it


class Elements:
    """The states of the elements of a tree, each derived once."""

    def __init__(
        self,
        tree: Tree[Any],
        classes: Collection[str] | None = None,
        hidden: Collection[str] = (),
        sorts: dict[Marks, Sort] | None = None,
        *,
        shows_panels: bool = False,
    ) -> None:
        """Count only the given classes, or all if None; treat elements of `hidden` steps as invisible.

        Pass the same `sorts` to read many pages with the same classes.  Panels of tabs and accordions may count as
        visible though their markup hides them.
        """
        self._tree = tree
        self._classes, self._hidden = classes, frozenset(hidden)
        self._has_hidden_pairs = any(SEPARATOR in step for step in hidden)
        self.known: dict[Any, Element] = {}
        """The states derived so far."""
        self._sorts: dict[Marks, Sort] = {} if sorts is None else sorts
        self._places: dict[Any, dict[Any, str]] = {}
        self._shows_panels = shows_panels

    def __call__(self, node: Any) -> Element:
        """Return the state of the text in an element."""
        known, find_parent = self.known, self._tree.parent
        found = known.get(node)
        if found is not None:
            return found
        waiting = []  # no recursion: pages may be nested thousands deep
        here = node
        while found is None:
            waiting.append(here)
            here = find_parent(here)
            found = _OUTERMOST if here is None else known.get(here)
        while waiting:
            here = waiting.pop()
            if not found[_HIDDEN]:
                found = self._derive(here, found)
            known[here] = found
        return found

    def sort(self, marks: Marks) -> Sort:
        """Return the properties of elements with some markup."""
        return self._sorts.get(marks) or self._look_at(marks)

    def is_folded(self, node: Any) -> bool:
        """Tell whether an element that its markup hides is a panel that counts as visible."""
        return self._shows_panels and is_panel(
            {name: self._tree.attribute(node, name) or "" for name in ("class", "id", "role")}
        )

    def step(self, node: Any) -> str:
        """Return an element's part of signatures: tag, classes that count, and declared text styles."""
        sort = self.sort(self._tree.marks(node))
        return self._with_place(node, sort.step) if sort.is_cell else sort.step

    def follow(self, steps: Sequence[str]) -> list[Any]:
        """Find the elements that steps lead to from the outermost one."""
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
        hidden = hidden and not self.is_folded(node)
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
            has_places = 1 < len(cells) <= _MAX_PLACED_CELLS
            places = {child: f":{place + 1}/{len(cells)}" for child, place in cells.items()} if has_places else {}
            self._places[row] = places
        return step + places.get(cell, "")

    def _find_cell(self, node: Any, around: Any, *, is_cell: bool) -> Any:
        """Find the data table cell that holds a block; a data table in a cell is text of that cell."""
        if around is not None:
            return node if around is IN_TABLE and is_cell else around
        return IN_TABLE if is_data_table(self._tree, node) else None


def _is_hidden(marks: Marks) -> bool:
    tag, _, style, hidden, odd = marks
    attributes = {"style": style, "hidden": hidden}
    if tag in _HIDING:
        attributes[_HIDING[tag]] = odd[0]
    return is_hidden(tag, {name: value for name, value in attributes.items() if value is not None})


def _shape(marks: Marks) -> str:
    """List size, weight, slant and colour that the element's own markup declares."""
    tag, _, style, _, odd = marks
    styles = []
    if tag == "font":
        styles = [f"{name}={value}" for name, value in zip(("size", "color"), odd, strict=True) if value]
    if style:
        styles += [f"{name.lower()}:{value.strip().lower()}" for name, value in _SHAPING.findall(style)]
    return " ".join(styles)
