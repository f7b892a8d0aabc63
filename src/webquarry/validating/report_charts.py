"""The ground of a chart: a plot with axes, ticks and a grid, in SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webquarry.model.report import Report
from webquarry.validating.report_markup import Html, count, element, join, table

WIDTH = 760
LEFT, RIGHT = 56, 16
"""CSS pixels; so are all sizes here."""


@dataclass(frozen=True)
class Scale:
    """Values to places on an axis, evenly or by their logarithms."""

    low: float
    high: float
    start: float
    stop: float
    is_log: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value."""
        low, high, value = (self._even(each) for each in (self.low, self.high, value))
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + min(1.0, max(0.0, share)) * (self.stop - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Round values to write at the axis."""
        if not self.is_log:
            return nice_ticks(self.low, self.high, most)
        powers = range(math.floor(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
        step = max(1, math.ceil(len(powers) / most))
        return [10.0**power for power in powers[::step] if 10.0**power >= self.low]

    def _even(self, value: float) -> float:
        return math.log10(max(value, self.low)) if self.is_log else value


def nice_ticks(low: float, high: float, most: int) -> list[float]:
    """Round values from one to another, as many at most.

    >>> nice_ticks(0, 1, 6), nice_ticks(3, 47, 5)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [20.0, 40.0])
    """
    if not high > low:
        return [low]
    rough = (high - low) / (most - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 12) for number in range(first, math.floor(high / step + 1e-9) + 1)]


def short(value: float) -> str:
    """A number as short as it can be read.

    >>> short(0.25), short(1200), short(0.00001), short(3e9)
    ('0.25', '1,200', '1e-05', '3e+09')
    """
    return f"{value:,.6g}" if 1e-4 <= abs(value) < 1e6 or value == 0 else f"{value:.3g}"


def horizontal_axis(scale: Scale, y: float, label: str, ticks: Iterable[tuple[float, str]]) -> Html:
    """An axis below a plot."""
    marks = [
        element("text", written, x=scale(value), y=y + 18, text_anchor="middle", class_="tick")
        for value, written in ticks
    ]
    middle = (scale.start + scale.stop) / 2
    line = element("line", x1=scale.start, x2=scale.stop, y1=y, y2=y, class_="axis")
    return join([line, *marks, element("text", label, x=middle, y=y + 38, text_anchor="middle", class_="label")])


def vertical_axis(scale: Scale, ticks: Iterable[tuple[float, str]]) -> Html:
    """Lines across a plot, with their values at its left."""
    parts = []
    for value, written in ticks:
        y = scale(value)
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid"))
        parts.append(element("text", written, x=LEFT - 8, y=y + 4, text_anchor="end", class_="tick"))
    return join(parts)


def draw(title: str, description: str, height: float, *parts: str) -> Html:
    """A chart, which tells in words what it shows."""
    chart = element(
        "svg",
        element("title", title),
        element("desc", description),
        *parts,
        viewBox=f"0 0 {WIDTH} {height:g}",
        role="img",
        aria_label=f"{title}. {description}",
        class_="chart",
    )
    return element("div", chart, class_="wide", tabindex="0", role="group", aria_label=title)


# MERGED validating/page/curve: What deletion does to precision, recall and F1, from the oddest node on.
MAX_POINTS = 400
"""Of a line; more cannot be told apart on it."""
_TOP, _PLOT = 34, 240
_LINES = ("first", "second", "third")
"""How lines are drawn, by colour and by dashes."""


@dataclass(frozen=True)
class Deletion:
    """Measures along deletion, at each point after one more node is gone; the first is before any is."""

    deleted: Sequence[float]
    """The share of the extracted bytes that is gone."""
    measures: Mapping[str, Sequence[float]]
    """Up to three, such as precision, recall and F1, or the score of the node that goes next; each from 0 to 1."""
    stops: Mapping[str, int] = field(default_factory=dict)
    """Points that have a name, such as `stop` and `best F1`."""


def draw_curve(deletion: Deletion) -> Html:
    """A chart of the measures with the stops marked, and a table of what they are there."""
    if not len(deletion.deleted):
        return element("p", "There is nothing to delete.")
    low = min((min(values) for values in deletion.measures.values() if len(values)), default=0.0)
    across = Scale(0, max(1e-9, float(max(deletion.deleted))), LEFT, WIDTH - RIGHT - 70)
    up = Scale(max(0.0, int(low * 10) / 10), 1, _TOP + _PLOT, _TOP)
    parts = [vertical_axis(up, [(each, f"{each:.2g}") for each in up.ticks()])]
    parts.append(
        horizontal_axis(
            across, _TOP + _PLOT, "bytes deleted", [(each, f"{100 * each:.4g} %") for each in across.ticks(8)]
        )
    )
    for number, (name, point) in enumerate(deletion.stops.items()):
        x = across(deletion.deleted[point])
        parts.append(element("line", x1=x, x2=x, y1=_TOP - 4, y2=_TOP + _PLOT, class_="stop"))
        parts.append(element("text", name, x=x + 4, y=_TOP - 8 - 14 * (number % 2), class_="label"))
    parts += _lines(deletion, across, up)
    told = [_describe(deletion, name, point) for name, point in deletion.stops.items()]
    description = f"{', '.join(deletion.measures)} by bytes deleted. {' '.join(told)}"
    return join([draw("Deletion curve", description, _TOP + _PLOT + 46, *parts), _tell(deletion)])


def _lines(deletion: Deletion, across: Scale, up: Scale) -> list[Html]:
    points = sorted({*_spread(len(deletion.deleted)), *deletion.stops.values()})
    parts: list[Html] = []
    ends: list[float] = []
    for look, (name, values) in zip(_LINES, deletion.measures.items(), strict=False):
        path = " ".join(f"{across(deletion.deleted[each]):.1f},{up(values[each]):.1f}" for each in points)
        parts.append(element("polyline", points=path, class_=look))
        parts += [
            element("circle", cx=across(deletion.deleted[each]), cy=up(values[each]), r=3.5, class_=look)
            for each in deletion.stops.values()
        ]
        ends.append(_free(up(values[points[-1]]), ends))
        parts.append(element("text", name, x=across(deletion.deleted[-1]) + 8, y=ends[-1] + 4, class_=f"label {look}"))
    return parts


def _free(y: float, taken: Sequence[float]) -> float:
    """A place for a label near to its line, and off the others."""
    while any(abs(y - each) < 15 for each in taken):
        y -= 15
    return y


def _spread(length: int) -> list[int]:
    """Points from the first to the last, as many as can be told apart."""
    if length <= MAX_POINTS:
        return list(range(length))
    return [round(number * (length - 1) / (MAX_POINTS - 1)) for number in range(MAX_POINTS)]


def _describe(deletion: Deletion, name: str, point: int) -> str:
    told = ", ".join(f"{measure} {values[point]:.3f}" for measure, values in deletion.measures.items())
    return f"At {name}: {told}."


def _tell(deletion: Deletion) -> Html:
    points = {"all nodes": 0, **deletion.stops}
    rows = [
        element(
            "tr",
            element("th", name, scope="row"),
            element("td", f"{point:,}", class_="number"),
            element("td", f"{100 * deletion.deleted[point]:.1f} %", class_="number"),
            *(element("td", f"{values[point]:.4f}", class_="number") for values in deletion.measures.values()),
        )
        for name, point in points.items()
    ]
    numbers = ["nodes deleted", "bytes deleted", *deletion.measures]
    return table("At the stops", ["", *numbers], rows, numbers=numbers)


# MERGED validating/page/histogram: How the scores are spread: those of what is kept and of what is dropped,
BINS = 40
SKEW = 50
"""How many times as high as the lowest bar the highest may be before heights are drawn by their logarithms."""
TAIL = 0.1
"""Of the span of the scores: where nine tenths of them stand in so little of it, they are spread by logarithms."""
_PLOT_HISTOGRAM = 110
_GAP = 40
_TOP_HISTOGRAM = 26


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
    return join([_draw(kept, dropped, edges, is_log=is_log), _tell_histogram(kept, dropped, edges)])


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
        bottom = _TOP_HISTOGRAM + _PLOT_HISTOGRAM + place * (_PLOT_HISTOGRAM + _GAP)
        up = Scale(0.5 if by_logarithm else 0, tallest, bottom, bottom - _PLOT_HISTOGRAM, by_logarithm)
        parts.append(vertical_axis(up, [(each, short(each)) for each in up.ticks(4) if each == int(each)]))
        heading = f"{name}: {count(int(counts.sum()), 'node')}"
        parts += [
            element("text", heading, x=LEFT, y=bottom - _PLOT_HISTOGRAM - 9, class_="label"),
            *_bars(across, up, edges, counts, name),
        ]
    bottom = _TOP_HISTOGRAM + 2 * _PLOT_HISTOGRAM + _GAP
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


def _tell_histogram(kept: NDArray[np.intp], dropped: NDArray[np.intp], edges: NDArray[np.float64]) -> Html:
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
