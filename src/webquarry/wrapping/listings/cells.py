"""Cells: the value of each field in each record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from webquarry.model import FieldRule
from webquarry.wrapping.listings.finding import Span
from webquarry.wrapping.listings.matching import Found
from webquarry.wrapping.listings.signatures import read_signature
from webquarry.wrapping.listings.views import EDGE, View

LIST = "list"
"""The type of a field that is all nodes of its signature."""
ADDRESSES = ("link", "image")
COLONS = ":\uff1a"
_TERMS = frozenset(["dt", "th"])


class Cell(NamedTuple):
    """A value, and the node that it stands in."""

    text: str
    node: int
    parts: tuple[str, ...] = ()
    """Of a list."""


def read_cell(rule: FieldRule, number: int, found: Found, view: View, first: int) -> Cell | None:
    """The value of the field of that number in the record that begins with a node; None when it has none.

    The first alternative of the signature that gives one decides.
    """
    for place in range(len(read_signature(rule.signature))):
        spans = found.get((number, place))
        if spans and (cell := pick_cell(rule, read_all(rule, spans, view, first))):
            return cell
    return None


def read_all(rule: FieldRule, spans: Sequence[Span], view: View, first: int) -> list[Cell]:
    """The values of what the signature of a field names."""
    said = ((span[0], _read(rule, span, view, first)) for span in spans)
    return [Cell(text, node) for node, text in said if text]


def pick_cell(rule: FieldRule, cells: Sequence[Cell]) -> Cell | None:
    """That of the field's place, or all of a list."""
    if rule.type == LIST and cells:
        texts = tuple(cell.text for cell in cells)
        return Cell(join(texts), cells[0].node, texts)
    if -len(cells) <= rule.place < len(cells):
        return cells[rule.place]
    return None


def join(texts: Sequence[str]) -> str:
    """Texts of one record as one value, parted by commas or else semicolons."""
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def is_same(one: str | None, other: str | None) -> bool:
    """Whether two values are the same but for spaces, and separators around them.

    A layout leaves room where markup has none, and knows better which texts share a line.
    """
    if one is None or other is None:
        return one is other
    return one == other or "".join(one.strip(EDGE).split()) == "".join(other.strip(EDGE).split())


def _read(rule: FieldRule, span: Span, view: View, first: int) -> str | None:
    node = span[0]
    if rule.type in ADDRESSES:
        return view.address(node, rule.attribute)
    if rule.attribute:
        return " ".join(view.attributes[node].get(rule.attribute, "").split())
    text = view.text(*span)
    if not rule.heading:
        return text
    if text == rule.heading:
        return text  # a fixed text is what it is called
    if text.startswith(rule.heading):
        rest = text[len(rule.heading) :].lstrip()
        if rest[:1] in COLONS:
            return rest.lstrip(COLONS + " ")
    return text if label_before(view, node, first) == rule.heading else None


def label_before(view: View, node: int, first: int) -> str:
    """The label that stands right before a node in its record: a text with a colon, a term or a header cell."""
    for before in range(node - 1, first - 1, -1):
        if view.is_text[before] and not view.unread[before] and not view.texts[before].isspace():
            text = " ".join(view.texts[before].split())
            is_label = text[-1] in COLONS or view.name(view.parents[before]) in _TERMS
            return text.rstrip(COLONS + " ") if is_label else ""
    return ""
