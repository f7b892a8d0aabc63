"""How cells look: by the layout of a rendered document, else as far as the markup tells."""

from __future__ import annotations

from collections.abc import Sequence

from webquarry.mining.tables.grid import Entry, Row
from webquarry.model import Document

_LOOKED_AT = 10  # rows: what stands out does so against the next ones
_BOLD = 600  # the least font weight that is shown bold where a font has only two
_TRANSPARENT = "rgba(0, 0, 0, 0)"

Look = tuple[bool, str]
"""Whether a cell is bold, and its background; nothing where it has none of its own."""
_PLAIN: Look = (False, "")


def stands_out(document: Document, first: Sequence[Entry], below: Sequence[Row]) -> bool:
    """Whether all of some entries are set in a way that hardly anything below them is."""
    looks = {_look(document, each) for each in first}
    if len(looks) != 1 or looks == {_PLAIN}:
        return False
    others = [_look(document, each) for row in below[:_LOOKED_AT] for each in row if each and each.text]
    return sum(look in looks for look in others) * 5 < len(others)


def _look(document: Document, entry: Entry) -> Look:
    node = entry.cell.node
    texts = document.texts
    inner = next((each for each in range(node + 1, int(document.ends[node])) if texts[each].strip()), node)
    holder = int(document.parents[inner]) if inner != node else node
    row = int(document.parents[node])
    if document.layout is None:
        return _is_bold(document, holder, node), _background(document, node) or _background(document, row)
    style = document.layout.style
    weight = style(holder, "font-weight")
    grounds = (style(each, "background-color") for each in (node, row))
    return weight.isdigit() and int(weight) >= _BOLD, next((each for each in grounds if each != _TRANSPARENT), "")


def _is_bold(document: Document, holder: int, cell: int) -> bool:
    """Whether the markup makes bold what an element within a cell holds."""
    row = int(document.parents[cell])
    if any("bold" in document.attributes[each].get("style", "") for each in (cell, row)):
        return True
    while holder > cell:
        if document.tag(holder) in ("b", "strong"):
            return True
        holder = int(document.parents[holder])
    return False


def _background(document: Document, node: int) -> str:
    attributes = document.attributes[node]
    if "bgcolor" in attributes:
        return attributes["bgcolor"]
    declared = (part.partition(":") for part in attributes.get("style", "").lower().split(";"))
    return next((value.strip() for name, _, value in declared if name.strip().startswith("background")), "")
