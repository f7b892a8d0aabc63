"""How the scores are spread: those of what is kept and of what is dropped, one above the other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from webquarry.model import Report
from webquarry.validating.page.chart import LEFT, RIGHT, WIDTH, Scale, draw, horizontal_axis, short, vertical_axis
from webquarry.validating.page.markup import Html, count, element, join, table

BINS = 40
SKEW = 50
"""How many times as high as the lowest bar the highest may be before heights are drawn by their logarithms."""
TAIL = 0.1
"""Of the span of the scores: where nine tenths of them stand in so little of it, they are spread by logarithms."""
_PLOT = 110
_GAP = 40
_TOP = 26


def draw_histogram(report: Report) -> Html:
    """A chart of all scores, and its numbers in a table."""
    scores = np.concatenate([np.zeros(0), *(page.scores for page in report.pages)])
    drops = np.concatenate([np.zeros(0, dtype=np.bool_), *(page.drops for page in report.pages)])
    known = np.isfinite(scores)
    scores, drops = scores[known], drops[known]
    if not len(scores) or scores.min() == scores.max():
        return element("p", "All nodes have the same score." if len(scores) else "There are no scores to show.")
    edges, is_log = _edges(scores)
    kept, dropped = (np.histogram(np.clip(scores[which], edges[0], edges[-1]), edges)[0] for which in (~drops, drops))
    return join([_draw(kept, dropped, edges, is_log=is_log), _tell(kept, dropped, edges)])


def _edges(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool]:
    """Where bars begin and end, and whether by logarithms."""
    low, high = float(scores.min()), float(scores.max())
    positive = scores[scores > 0]
    is_log = low >= 0 and np.quantile(scores, 0.9) - low < TAIL * (high - low) and positive.min() < high
    if is_log:
        return np.geomspace(max(float(positive.min()), high * 1e-6), high, BINS + 1), True
    return np.linspace(low, high, BINS + 1), False


def _draw(kept: NDArray[np.intp], dropped: NDArray[np.intp], edges: NDArray[np.float64], *, is_log: bool) -> Html:
    both = np.concatenate([kept, dropped])
    tallest = int(both.max())
    by_logarithm = tallest > SKEW * int(both[both > 0].min())
    across = Scale(float(edges[0]), float(edges[-1]), LEFT, WIDTH - RIGHT, is_log)
    parts = []
    for place, (name, counts) in enumerate((("kept", kept), ("dropped", dropped))):
        bottom = _TOP + _PLOT + place * (_PLOT + _GAP)
        up = Scale(0.5 if by_logarithm else 0, tallest, bottom, bottom - _PLOT, by_logarithm)
        parts.append(vertical_axis(up, [(each, short(each)) for each in up.ticks(4) if each == int(each)]))
        heading = f"{name}: {count(int(counts.sum()), 'node')}"
        parts += [
            element("text", heading, x=LEFT, y=bottom - _PLOT - 9, class_="label"),
            *_bars(across, up, edges, counts, name),
        ]
    bottom = _TOP + 2 * _PLOT + _GAP
    label = "score" + (", by logarithms" if is_log else "") + ("; nodes by logarithms" if by_logarithm else "")
    parts.append(horizontal_axis(across, bottom, label, [(each, short(each)) for each in across.ticks(8)]))
    counted = f"{int(kept.sum()):,} nodes are kept, {int(dropped.sum()):,} dropped"
    return draw("Scores of all nodes", f"{counted}; scores from {edges[0]:.4g} to {edges[-1]:.4g}", bottom + 46, *parts)


def _bars(across: Scale, up: Scale, edges: NDArray[np.float64], counts: NDArray[np.intp], name: str) -> Iterator[Html]:
    for place in np.flatnonzero(counts).tolist():
        number, (low, high) = int(counts[place]), edges[place : place + 2].tolist()
        left, right, top = across(low), across(high), up(number)
        yield element(
            "rect",
            element("title", f"{name}, score {low:.4g} to {high:.4g}: {count(number, 'node')}"),
            x=left + 0.5,
            y=top,
            width=max(1.0, right - left - 1),
            height=max(1.0, up.start - top),
            class_=name,
        )


def _tell(kept: NDArray[np.intp], dropped: NDArray[np.intp], edges: NDArray[np.float64]) -> Html:
    rows = [
        element(
            "tr",
            element("th", f"{edges[place]:.4g} to {edges[place + 1]:.4g}", scope="row"),
            element("td", f"{int(kept[place]):,}", class_="number"),
            element("td", f"{int(dropped[place]):,}", class_="number"),
        )
        for place in np.flatnonzero(kept + dropped).tolist()
    ]
    numbers = ["kept", "dropped"]
    summary = element("summary", "The same in numbers")
    return element("details", summary, table("Nodes by score", ["score", *numbers], rows, numbers=numbers))
