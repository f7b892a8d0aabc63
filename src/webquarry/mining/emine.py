"""eMine: the region of records by bounding rectangles.

The procedures of the paper ("eMine", sections 3.1 to 3.4) to the letter: the largest child of body (getMaxRect), in it
the last element in document order that covers more than half of it (getContainer), and of that one's children those
that are not lower than their average (Filter).  Each child that is kept is a record.

Where the paper leaves it open, it is settled so:

- Rectangles.  The width and height attributes of a table come first, each for itself; only numbers of pixels count,
  as percentages need a browser.  Everything else has its rendered box.  On a static document only tables have sizes.
- Step 3 of the overview takes the largest of all rectangles, section 3.2 the largest child of body: the latter, as
  the procedure is written so.  Of several largest the first.
- "All the children" of the largest rectangle in getContainer are all elements in it: "depth first listing".
- The text of 3.3 asks for the largest rectangle in it, the procedure keeps the last over half: the latter.  When
  none is over half, the largest rectangle is the container itself.
- Elements without a box (scripts, what is not displayed) have a rectangle of no size.  They too are "children of
  container" and lower the average; to leave them out would discard more records.
- Text has no tag and so no rectangle.  Text that stands in the container itself is in no record.
- Children as high as the average are kept, as the procedure asks for "less": a single child is, and equal ones are.
- A container none of whose children has a height leaves nothing to filter by, and is the only record.
- The procedures see one document: frames in it are not searched.

On which pages it fails: where the container is found too high, its one large child is the record; where records
differ in height, the lower half of them is lost; a grid of several records a row gives its rows.
"""

from __future__ import annotations

import re
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


@dataclass(frozen=True)
class Trace:
    """What each procedure of eMine found, and the comparisons of numbers that all of them made."""

    largest: int
    container: int
    kept: tuple[int, ...]
    discarded: tuple[int, ...]
    comparisons: int

    @property
    def steps(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The nodes of each step under its name, in the order of the paper's figures 5 to 7."""
        return (
            ("largest rectangle", (self.largest,)),
            ("container", (self.container,)),
            ("kept", self.kept),
            ("discarded", self.discarded),
        )


def mine_emine(document: Document) -> list[Region]:
    """The one region that eMine finds, or none when nothing on the page has a size."""
    trace = trace_emine(document)
    if trace is None:
        return []
    is_alone = trace.kept == (trace.container,)
    total = len(trace.kept) + len(trace.discarded)
    spans = tuple((node, int(document.ends[node])) for node in trace.kept)
    return [
        Region(
            document=document,
            node=int(document.parents[trace.container]) if is_alone else trace.container,
            spans=spans,
            fields=partial(align_fields, document, spans),
            kind="records",
            method="emine",
            role="main",
            score=1.0,  # the paper has none, and no second region to compare with
            reasons=(
                f"largest child of body: {document.xpath(trace.largest)}",
                f"last element over half of it: {document.xpath(trace.container)}",
                f"{len(trace.kept)} of {total} children not lower than their average",
            ),
        )
    ]


def trace_emine(document: Document) -> Trace | None:
    """What each step of eMine finds; None when nothing on the page has a size."""
    body = _find_body(document)
    if body is None:
        return None
    widths, heights = _measure(document)
    areas = widths * heights
    candidates = _children(document, body)
    largest = _get_max_rect(candidates, areas)
    if largest is None:
        return None
    listed = _elements(document, largest + 1, int(document.ends[largest]))
    container = _get_container(largest, listed, areas)
    children = _children(document, container)
    kept, discarded = _filter(children, heights)
    return Trace(
        largest=largest,
        container=container,
        kept=tuple(kept.tolist()) or (container,),
        discarded=tuple(discarded.tolist()),
        comparisons=len(candidates) + len(listed) + len(children),
    )


def _get_max_rect(children: Nodes, areas: Sides) -> int | None:
    """Procedure getMaxRect: the first child that no other exceeds."""
    if not len(children) or not areas[children].max() > 0:
        return None
    return int(children[areas[children].argmax()])


def _get_container(largest: int, listed: Nodes, areas: Sides) -> int:
    """Procedure getContainer: the last of the elements listed whose area is over half of the largest."""
    over_half = listed[areas[listed] > areas[largest] / 2]
    return int(over_half[-1]) if len(over_half) else largest


def _filter(children: Nodes, heights: Sides) -> tuple[Nodes, Nodes]:
    """Procedure Filter: the children that are not lower than the average, and those that are."""
    if not heights[children].any():
        return children[:0], children[:0]
    is_low = heights[children] < heights[children].mean()
    return children[~is_low], children[is_low]


def _find_body(document: Document) -> int | None:
    found = np.flatnonzero(document.has_tag(["body"]))
    return int(found[0]) if len(found) else None


def _children(document: Document, node: int) -> Nodes:
    elements = _elements(document, node + 1, int(document.ends[node]))
    is_child: NDArray[np.bool_] = document.parents[elements] == node
    return elements[is_child]


def _elements(document: Document, start: int, stop: int) -> Nodes:
    return start + np.flatnonzero(document.tags[start:stop] >= 0)


def _measure(document: Document) -> tuple[Sides, Sides]:
    """Widths and heights (section 3.1): the attributes of tables, then the layout; 0 where there is neither."""
    if document.layout is None:
        sides = np.zeros((len(document), 2))
    else:
        sides = np.nan_to_num(document.layout.boxes[:, 2:].astype(np.float64))
    for node in np.flatnonzero(document.has_tag(["table"])).tolist():
        for side, name in enumerate(("width", "height")):
            if said := _PIXELS.match(document.attributes[node].get(name, "")):
                sides[node, side] = float(said[1])
    return sides[:, 0], sides[:, 1]
