"""Mine records by bounding rectangles, as eMine does.

Follows the procedures of the paper ("eMine", sections 3.1 to 3.4) to the letter: the largest child of body
(getMaxRect), in it the last element in document order that covers more than half of it (getContainer), and of its
children those that are not lower than their average (Filter).  Each child that is kept is a record.

Choices where the paper leaves room:

- Rectangles: the width and height attributes of a table come first, each for itself; only pixels count, as percentages
  need a browser.  All else has its rendered box, rounded to whole pixels: the paper's browser gave no others, and rows
  that differ by a sixteenth of a pixel would be "less than the average".  On a static document only tables have sizes.
- Step 3 of the overview takes the largest of all rectangles, section 3.2 the largest child of body: we follow the
  latter, as the procedure does.  Of several largest the first.
- "All the children" of the largest rectangle in getContainer are all elements in it: "depth first listing".
- The text of 3.3 asks for the largest rectangle, the procedure keeps the last over half: we follow the procedure.  If
  none is over half, the largest rectangle is the container itself.
- Elements without a box (scripts, what is not displayed) have a rectangle of size zero.  As "children of container"
  they lower the average; without them more records would be discarded.
- Text has no tag and so no rectangle.  Text directly in the container is in no record.
- Children of average height are kept, as the procedure asks for "less".
- A container whose children all lack a height is the only record, as there is nothing to filter by.
- Frames are not searched.

Fails where the container is found too high (its one large child is the record), where records differ in height (the
lower half is lost), and on grids (their rows are the records).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from webquarry.mining.alignment import align_fields
from webquarry.model.document import Document
from webquarry.model.region import Region

_PIXELS = re.compile(r"\s*\+?(\d{1,6}(?:\.\d*)?)\s*(?:px)?\s*\Z", re.ASCII)

Sides = NDArray[np.float64]
Nodes = NDArray[np.int64]


MAX_LINES = 40
"""Rectangles of a step that an explanation lists; the last ones of a long list."""


@dataclass(frozen=True, eq=False)
class Trace:
    """The result of each procedure of eMine, with the rectangles that it compared."""

    largest: int
    container: int
    kept: tuple[int, ...]
    discarded: tuple[int, ...]
    candidates: Nodes
    """The children of body."""
    listed: Nodes
    """The elements in the largest rectangle."""
    over_half: Nodes
    """Those of them whose area is over half of the largest."""
    children: Nodes
    """Of the container."""
    sides: Sides
    """Width and height of each node of the document, in whole pixels."""

    @property
    def comparisons(self) -> int:
        """The number of comparisons: one for each rectangle that a procedure looks at."""
        return len(self.candidates) + len(self.listed) + len(self.children)

    @property
    def average(self) -> float:
        """The average height of the container's children."""
        return float(self.sides[self.children, 1].mean()) if len(self.children) else 0.0

    def area(self, node: int) -> float:
        """Return the area of a node's rectangle."""
        return float(self.sides[node].prod())

    @property
    def steps(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The nodes of each step by its name, in the order of the paper's figures 5 to 7."""
        return (
            ("largest rectangle", (self.largest,)),
            ("container", (self.container,)),
            ("kept", self.kept),
            ("discarded", self.discarded),
        )


def mine_emine(document: Document) -> list[Region]:
    """Find the one region of eMine; none if nothing on the page has a size."""
    trace = trace_emine(document)
    if trace is None:
        return []
    is_alone = trace.kept == (trace.container,)
    total = len(trace.kept) + len(trace.discarded)
    spans = tuple((node, document.ends.item(node)) for node in trace.kept)
    return [
        Region(
            document=document,
            node=document.parents.item(trace.container) if is_alone else trace.container,
            spans=spans,
            fields=partial(align_fields, document, spans),
            kind="records",
            method="emine",
            role="main",
            score=1.0,  # the paper has no score, and no second region
            reasons=(
                f"largest child of body: {document.xpath(trace.largest)}",
                f"last element over half of it: {document.xpath(trace.container)}",
                f"{len(trace.kept)} of {total} children not lower than their average",
            ),
        )
    ]


def trace_emine(document: Document) -> Trace | None:
    """Run the steps of eMine; None if nothing on the page has a size."""
    bodies = np.flatnonzero(document.has_tag(["body"]))
    if not len(bodies):
        return None
    sides = _measure(document)
    areas = sides.prod(axis=1)
    candidates = _children(document, int(bodies[0]))
    largest = _get_max_rect(candidates, areas)
    if largest is None:
        return None
    listed = _elements(document, largest + 1, document.ends.item(largest))
    over_half = listed[areas[listed] > areas[largest] / 2]
    container = int(over_half[-1]) if len(over_half) else largest  # getContainer: the last one
    children = _children(document, container)
    kept, discarded = _filter(children, sides[:, 1])
    return Trace(
        largest=largest,
        container=container,
        kept=tuple(kept.tolist()) or (container,),
        discarded=tuple(discarded.tolist()),
        candidates=candidates,
        listed=listed,
        over_half=over_half,
        children=children,
        sides=sides,
    )


def explain_emine(document: Document) -> list[str]:
    """Describe the steps of eMine on a page, with areas, heights, their average and the number of comparisons."""
    trace = trace_emine(document)
    if trace is None:
        return ["eMine: nothing on the page has a size"]
    kept = set(trace.kept)
    numbers = len(trace.candidates), len(trace.listed), len(trace.children)
    half = f"{len(trace.over_half):,} over half its area ({trace.area(trace.largest) / 2:,.0f})"
    return [
        f"getMaxRect: {numbers[0]:,} children of body, the largest is {document.xpath(trace.largest)}",
        *_describe(document, trace, trace.candidates, lambda node: "largest" if node == trace.largest else ""),
        f"getContainer: {numbers[1]:,} elements in it, {half}; the last is {document.xpath(trace.container)}",
        *_describe(document, trace, trace.over_half, lambda node: "container" if node == trace.container else ""),
        f"Filter: {numbers[2]:,} children of the container, average height {trace.average:.2f}"
        + (", so the container is the only record" if trace.kept == (trace.container,) else ""),
        *_describe(document, trace, trace.children, lambda node: "kept" if node in kept else "discarded"),
        f"comparisons of numbers: {' + '.join(map(str, numbers))} = {trace.comparisons:,}",
    ]


def _describe(document: Document, trace: Trace, nodes: Nodes, fate: Callable[[int], str]) -> Iterator[str]:
    """Yield a line for each rectangle: its size, its area, what became of it and its address."""
    if len(nodes) > MAX_LINES:
        yield f"  {len(nodes) - MAX_LINES:,} more before these"
    for node in nodes[-MAX_LINES:].tolist():
        width, height = trace.sides[node].tolist()
        yield f"  {width:>6.0f} x {height:<6.0f} = {width * height:>12,.0f}  {fate(node):<9}  {document.xpath(node)}"


def _get_max_rect(children: Nodes, areas: Sides) -> int | None:
    """Run getMaxRect: find the first child that no other exceeds."""
    if not len(children) or not areas[children].max() > 0:
        return None
    return int(children[areas[children].argmax()])


def _filter(children: Nodes, heights: Sides) -> tuple[Nodes, Nodes]:
    """Run Filter: split children into those not lower than the average, and the others."""
    if not heights[children].any():
        return children[:0], children[:0]
    is_low = heights[children] < heights[children].mean()
    return children[~is_low], children[is_low]


def _children(document: Document, node: int) -> Nodes:
    elements = _elements(document, node + 1, document.ends.item(node))
    is_child: NDArray[np.bool_] = document.parents[elements] == node
    return elements[is_child]


def _elements(document: Document, start: int, stop: int) -> Nodes:
    return start + np.flatnonzero(document.tags[start:stop] >= 0)


def _measure(document: Document) -> Sides:
    """Find widths and heights in whole pixels (section 3.1): the attributes of tables, then the layout; else 0."""
    if document.layout is None:
        sides = np.zeros((len(document), 2))
    else:
        sides = np.nan_to_num(document.layout.boxes[:, 2:].astype(np.float64))
    for node in np.flatnonzero(document.has_tag(["table"])).tolist():
        for side, name in enumerate(("width", "height")):
            if pixels := _PIXELS.match(document.attributes[node].get(name, "")):
                sides[node, side] = float(pixels[1])
    whole: Sides = np.floor(sides + 0.5)
    return whole
