"""Rows of numbers that lead to the pages of a listing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webquarry.html.kinds import Kind
from webquarry.mining.listings.anchors import Anchor, is_named
from webquarry.model import Document

LONGEST_NUMBER = 4
"""Digits of the number of a page."""
CALENDAR = 20
"""Numbers in one place that are the days of a month."""
LARGEST_ITEM = 20
"""Nodes of what holds the number of one page."""

_CURRENT_NAME = re.compile(r"(^|[-_])(current|active|selected|aktiv|actual|on)($|[-_])", re.IGNORECASE)
_BRACKETS = "[](){}| \t\n\u00a0"


@dataclass(frozen=True)
class Number:
    """A number that stands alone: the text, and the link that it is, if it is one."""

    node: int
    value: int
    anchor: Anchor | None


def find_runs(document: Document, anchors: Sequence[Anchor]) -> list[list[Number]]:
    """Rows of numbers that rise, with nothing but marks between them: what the numbers of pages look like."""
    runs: list[list[Number]] = [[]]
    places = iter(anchors)
    anchor = next(places, None)
    for node in (document.kinds == Kind.TEXT).nonzero()[0].tolist():
        text = document.texts[node].strip(_BRACKETS)
        if document.hidden[node] or not any(map(str.isalnum, text)):
            continue
        while anchor is not None and document.ends[anchor.node] <= node:
            anchor = next(places, None)
        if not (text.isdecimal() and len(text) <= LONGEST_NUMBER):
            runs.append([])
            continue
        number = Number(node, int(text), anchor if anchor is not None and anchor.node < node else None)
        if runs[-1] and number.value <= runs[-1][-1].value:
            runs.append([])
        runs[-1].append(number)
    return [run for run in runs if 2 <= len(run) < CALENDAR and any(number.anchor for number in run)]


def find_current(document: Document, run: Sequence[Number], here: str) -> int | None:
    """The number of this page: marked as such, or no link, or a link to here, or the one in a style of its own."""
    tests: tuple[Callable[[Number], bool], ...] = (
        lambda number: _is_marked(document, number),
        lambda number: number.anchor is None,
        lambda number: number.anchor is not None and number.anchor.address == here,
    )
    for test in tests:
        found = [number.value for number in run if test(number)]
        if len(found) == 1:
            return found[0]
    return _odd_style(document, run)


def _is_marked(document: Document, number: Number) -> bool:
    node = int(document.parents[number.node])
    for _ in range(3):
        current = document.attributes[node].get("aria-current")
        if (current and current != "false") or is_named(document, node, _CURRENT_NAME, "class", "id"):
            return True
        node = max(0, int(document.parents[node]))
        if document.ends[node] - node > LARGEST_ITEM or _count_numbers(document, node) > 1:
            return False  # it holds the numbers of other pages too
    return False


def _count_numbers(document: Document, node: int) -> int:
    return sum(document.texts[inner].strip().isdecimal() for inner in range(node, int(document.ends[node])))


def _odd_style(document: Document, run: Sequence[Number]) -> int | None:
    """The value of the one number that looks unlike all others."""
    layout = document.layout
    if layout is None or len(run) < 3:
        return None
    names = [name for name in ("font-weight", "color", "background-color") if name in layout.properties]
    looks = [tuple(layout.style(int(document.parents[number.node]), name) for name in names) for number in run]
    odd = [number.value for number, look in zip(run, looks, strict=True) if looks.count(look) == 1]
    return odd[0] if len(odd) == 1 and len(set(looks)) == 2 else None
