"""Write the markup of a report: elements of HTML in which foreign text is always escaped, and charts in SVG.

Not with `turbohtml.build`: it takes no numbers, passes control characters and halves of surrogate pairs on, and takes
twice as long, so a wrapper would be as long as this.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from webquarry.model.report import Report
from webquarry.model.wording import count, whole
from webquarry.validating.deletion_curves import Curve

MAX_TEXT = 300
"""Characters of a text that are shown."""
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Html(str):
    """Markup; any other text is escaped."""

    __slots__ = ()


def text(words: str) -> Html:
    """Escape a text, unless it is markup.

    >>> text("a < b\\x00")
    'a &lt; b'
    """
    return words if isinstance(words, Html) else Html(escape(_CONTROLS.sub("", whole(words))))


def element(name: str, *content: str, **attributes: str | float | None) -> Html:
    """Write an element; `_` in names of attributes becomes `-`, and an attribute that is None is left out.

    >>> element("a", "1 < 2", href="#x", class_="n", aria_hidden=None)
    '<a href="#x" class="n">1 &lt; 2</a>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(_to_text(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{written}>{join(content)}</{name}>")


def _to_text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def join(parts: Iterable[str]) -> Html:
    """Join parts, escaping texts."""
    return Html("".join(map(text, parts)))


def crop(words: str) -> str:
    """Crop a text to what is shown."""
    return words if len(words) <= MAX_TEXT else f"{words[:MAX_TEXT]}…"


def foreign(words: str) -> Html:
    """Write a text of a page: cropped, and isolated from the direction of what is around it."""
    return element("bdi", crop(" ".join(words.split())))


def address(xpath: str) -> Html:
    """Write an XPath that may be broken after each step."""
    return element("code", Html(text(xpath).replace("/", "/<wbr>")))


def table(caption: str, heads: Iterable[str], rows: Iterable[Html], *, numbers: Collection[str] = ()) -> Html:
    """Write a table that scrolls by itself if it is too wide; `numbers` are the columns of numbers."""
    head = (element("th", each, scope="col", class_="number" if each in numbers else None) for each in heads)
    inside = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *head)),
        element("tbody", *rows),
    )
    return element("div", inside, class_="wide", tabindex="0", role="group", aria_label=caption)


def number_row(head: str, numbers: Iterable[str]) -> Html:
    """Write a table row of a name and numbers."""
    return element(
        "tr", element("th", head, scope="row"), *(element("td", number, class_="number") for number in numbers)
    )


def share(part: float, of: float) -> str:
    """Return a part in per cent.

    >>> share(1, 8), share(0, 0), share(1, 5000)
    ('12.5 %', '0 %', '0.02 %')
    """
    percent = 100 * part / of if of else 0
    return f"{percent:.3g} %" if percent < 99.5 else f"{percent:.0f} %"


WIDTH, LEFT, RIGHT = 760, 56, 16
"""CSS pixels; so are all sizes here."""

BINS = 40
MAX_RATIO_OF_BARS = 50
"""The ratio of the highest to the lowest bar above which heights are logarithmic."""
MIN_SPREAD = 0.1
"""Where nine tenths of the scores are in less of their range than this share, their axis is logarithmic."""
_BAR_TOP, _BAR_PLOT, _BAR_GAP = 26, 110, 40


def draw_histogram(report: Report) -> Html:
    """Draw the scores of what is kept and of what is dropped, with a table of the numbers."""
    return _draw_histogram(
        report.scores,
        report.drops,
        Split("kept", "dropped"),
        "How odd the values are",
        "Each bar counts values by their score: the further right, the more a value differs from the others. "
        "What looks right is above, and is kept; what looks wrong is below, and --drop drops it.",
    )


def draw_labelled_histogram(report: Report, content: NDArray[np.bool_]) -> Html:
    """Draw the scores of true and of false positives, as Figure 2 of Potvin and Villemaire does."""
    return _draw_histogram(
        report.scores,
        ~content,
        Split("content", "boilerplate"),
        "Content and boilerplate by score",
        f"Each bar counts nodes by their score ({report.method}): content, the true positives, is above, boilerplate, "
        "the false positives, below. Where odd nodes tend to be mistakes, the lower bars are further right.",
    )


class Split(NamedTuple):
    """The names of the two halves of a histogram, which are also their classes."""

    upper: str
    lower: str


def _draw_histogram(
    scores: NDArray[np.float64], is_lower: NDArray[np.bool_], names: Split, title: str, meaning: str
) -> Html:
    known = np.isfinite(scores)
    scores, is_lower = scores[known], is_lower[known]
    if not len(scores) or scores.min() == scores.max():
        return element("p", "All nodes have the same score." if len(scores) else "There are no scores to show.")
    edges, is_log = _find_edges(scores)
    upper, lower = (
        np.histogram(np.clip(scores[which], edges[0], edges[-1]), edges)[0] for which in (~is_lower, is_lower)
    )
    rows = [
        number_row(f"{edges[place]:.4g} to {edges[place + 1]:.4g}", [f"{upper[place]:,}", f"{lower[place]:,}"])
        for place in np.flatnonzero(upper + lower).tolist()
    ]
    folded = table(f"Nodes by score: {title}", ["score", *names], rows, numbers=names)
    details = element("details", element("summary", "The same in numbers"), folded)
    bars = _draw_bars({names.upper: upper, names.lower: lower}, edges, is_log=is_log)
    return join([_draw_chart(title, meaning, *bars), details])


def _find_edges(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], bool]:
    """Find the edges of the bars, and whether they are logarithmic."""
    low, high = float(scores.min()), float(scores.max())
    positive = scores[scores > 0]
    is_log = low >= 0 and np.quantile(scores, 0.9) - low < MIN_SPREAD * (high - low) and positive.min() < high
    if is_log:
        return np.geomspace(max(float(positive.min()), high * 1e-6), high, BINS + 1), True
    return np.linspace(low, high, BINS + 1), False


def _draw_bars(
    halves: Mapping[str, NDArray[np.intp]], edges: NDArray[np.float64], *, is_log: bool
) -> tuple[str, float, list[Html]]:
    """Draw the bars of both halves; give a description, the height and the parts of the chart."""
    both = np.concatenate(list(halves.values()))
    tallest = int(both.max())
    has_log_heights = tallest > MAX_RATIO_OF_BARS * int(both[both > 0].min())
    across = Scale(float(edges[0]), float(edges[-1]), LEFT, WIDTH - RIGHT, is_log)
    parts = []
    for place, (name, counts) in enumerate(halves.items()):
        bottom = _BAR_TOP + _BAR_PLOT + place * (_BAR_PLOT + _BAR_GAP)
        up = Scale(0.5 if has_log_heights else 0, tallest, bottom, bottom - _BAR_PLOT, has_log_heights)
        heading = f"{name}: {count(int(counts.sum()), 'node')}"
        parts += [
            _draw_vertical_axis(up, [(each, short(each)) for each in up.ticks(4) if each == int(each)], "number"),
            element("text", heading, x=LEFT, y=bottom - _BAR_PLOT - 9, class_="label"),
            *_draw_bars_of(name, counts, edges, across, up),
        ]
    bottom = _BAR_TOP + 2 * _BAR_PLOT + _BAR_GAP
    label = "score" + (", logarithmic" if is_log else "") + ("; nodes logarithmic" if has_log_heights else "")
    parts.append(_draw_horizontal_axis(across, bottom, label, [(each, short(each)) for each in across.ticks(8)]))
    counted = ", ".join(f"{int(counts.sum()):,} nodes {name}" for name, counts in halves.items())
    return f"{counted}; scores from {edges[0]:.4g} to {edges[-1]:.4g}", bottom + 46, parts


def _draw_bars_of(
    name: str, counts: NDArray[np.intp], edges: NDArray[np.float64], across: Scale, up: Scale
) -> Iterator[Html]:
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


MAX_POINTS = 400
"""The limit of points on a line; more cannot be distinguished."""
_CURVE_TOP, _CURVE_PLOT, _LABEL_HEIGHT = 34, 240, 15
_LINE_CLASSES = ("first", "second", "third")


@dataclass(frozen=True)
class Deletion:
    """Measures along deletion, at each point after one more node is gone; the first is before any is."""

    deleted: Sequence[float]
    """The share of the extracted bytes that is gone."""
    measures: Mapping[str, Sequence[float]]
    """Up to three, such as precision, recall and F1, or the score of the node that goes next; each from 0 to 1."""
    stops: Mapping[str, int] = field(default_factory=dict)
    """Points that have a name, such as `stop` and `best F1`."""

    def at(self, point: int) -> str:
        """Say the measures at a point in words."""
        return ", ".join(f"{measure} {values[point]:.3f}" for measure, values in self.measures.items())


class Line(NamedTuple):
    """A line of a chart, with circles at some of its points."""

    name: str
    deleted: NDArray[np.float64]
    values: NDArray[np.float64]
    circles: Sequence[int]


def draw_curve(deletion: Deletion) -> Html:
    """Draw the measures with the stops marked, with a table of the numbers there."""
    if not len(deletion.deleted) or not all(map(len, deletion.measures.values())):
        return element("p", "There is nothing to delete.")
    deleted = np.array(deletion.deleted, dtype=np.float64)
    lines = [
        Line(name, deleted, np.array(values, dtype=np.float64), [*deletion.stops.values()])
        for name, values in deletion.measures.items()
    ]
    low = min(float(line.values.min()) for line in lines)
    across, up = _find_scales(max(1e-9, float(deleted.max())), int(low * 10) / 10, 1.0)
    parts = []
    for number, (name, point) in enumerate(deletion.stops.items()):
        x = across(deletion.deleted[point])
        parts.append(element("line", x1=x, x2=x, y1=_CURVE_TOP - 4, y2=up.start, class_="stop"))
        parts.append(element("text", name, x=x + 4, y=_CURVE_TOP - 8 - 14 * (number % 2), class_="label"))
    at_stops = " ".join(f"At {name}: {deletion.at(point)}." for name, point in deletion.stops.items())
    description = f"{', '.join(deletion.measures)} by bytes deleted. {at_stops}"
    texts = ("What deleting the oddest first does", _explain(deletion), description)
    chart = _draw_lines(texts, lines, (across, up), parts)
    numbers = ["nodes deleted", "bytes deleted", *deletion.measures]
    rows = [
        number_row(
            name,
            [
                f"{point:,}",
                f"{100 * deleted[point]:.1f} %",
                *(f"{values[point]:.4f}" for values in deletion.measures.values()),
            ],
        )
        for name, point in {"all nodes": 0, **deletion.stops}.items()
    ]
    return join([chart, table("At the stops", ["", *numbers], rows, numbers=numbers)])


def draw_methods(curves: Mapping[str, Curve], recall: float) -> Html:
    """Draw F1 along deletion by several methods, as Figure 3 of Potvin and Villemaire does, for an assumed recall."""
    assumed = {name: curve.assume(recall) for name, curve in curves.items()}
    best = {name: curve.best for name, curve in assumed.items()}
    furthest = max(float(assumed[name].deleted[stop]) for name, stop in best.items())
    end = max(0.05, min(1.0, 2 * furthest))
    seen = {name: curve.deleted <= end for name, curve in assumed.items()}
    lines = [Line(name, each.deleted[seen[name]], each.f1[seen[name]], [best[name]]) for name, each in assumed.items()]
    low, high = (pick(float(pick(line.values)) for line in lines) for pick in (min, max))
    scales = _find_scales(end, math.floor(low * 20) / 20, min(1.0, math.ceil(high * 20) / 20))
    said = "; ".join(
        f"{name} {assumed[name].f1[0]:.4f} to {assumed[name].f1[stop]:.4f} at {assumed[name].deleted[stop]:.1%}"
        for name, stop in best.items()
    )
    meaning = (
        "The oddest nodes go first. Each line is the F1 of what is left, by one method; the circle is where it is "
        f"highest: {said}."
    )
    return _draw_lines((f"F1 along deletion, recall {recall:g} assumed", meaning, said), lines, scales)


def _find_scales(end: float, low: float, high: float) -> tuple[Scale, Scale]:
    """Make the scales of a chart of lines, from no deletion to `end`, and from the lowest to the highest value."""
    return (
        Scale(0, end, LEFT, WIDTH - RIGHT - 70),
        Scale(max(0.0, low), high, _CURVE_TOP + _CURVE_PLOT, _CURVE_TOP),
    )


def _explain(deletion: Deletion) -> str:
    """Say what the curves of deletion mean."""
    if list(deletion.measures) == ["score"]:
        return (
            "From left to right more and more text is deleted, the oddest first. The line is the score of what would "
            "go next, as a share of the highest: where it is flat, nothing stands out any more."
        )
    return (
        "From left to right more and more text is deleted, the oddest first. The lines are the share of what is left "
        "that is content (precision), the share of the content that is left (recall), and their mean (F1)."
    )


def _draw_lines(
    texts: tuple[str, str, str], lines: Sequence[Line], scales: tuple[Scale, Scale], marks: Sequence[Html] = ()
) -> Html:
    """Draw a chart of lines over the share of the text that is deleted; `texts` are those of `_draw_chart`."""
    across, up = scales
    bottom = up.start
    shares = [(each, f"{100 * each:.4g} %") for each in across.ticks(8)]
    parts = [
        _draw_vertical_axis(up, [(each, f"{each:.3g}") for each in up.ticks()], "share"),
        _draw_horizontal_axis(across, bottom, "text that is deleted", shares),
        *marks,
    ]
    labels: list[float] = []
    for look, line in zip(_LINE_CLASSES, lines, strict=False):
        spread = np.linspace(0, len(line.deleted) - 1, MAX_POINTS).round().astype(np.intp).tolist()
        points = [(across(line.deleted[each]), up(line.values[each])) for each in sorted({*spread, *line.circles})]
        parts.append(element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=look))
        for each in line.circles:
            x, y = across(line.deleted[each]), up(line.values[each])
            parts.append(element("circle", cx=x, cy=y, r=3.5, class_=look))
        y = points[-1][1]
        while any(abs(y - each) < _LABEL_HEIGHT for each in labels):
            y -= _LABEL_HEIGHT
        labels.append(y)
        parts.append(element("text", line.name, x=points[-1][0] + 8, y=y + 4, class_=f"label {look}"))
    return _draw_chart(*texts, bottom + 46, parts)


@dataclass(frozen=True)
class Scale:
    """A linear or logarithmic axis: values to places on it."""

    low: float
    high: float
    start: float
    stop: float
    is_log: bool = False

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        low, high, value = (self._linear(each) for each in (self.low, self.high, value))
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + min(1.0, max(0.0, share)) * (self.stop - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Choose round values to write at the axis."""
        if not self.is_log:
            return nice_ticks(self.low, self.high, most)
        powers = range(math.floor(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
        step = max(1, math.ceil(len(powers) / most))
        return [10.0**power for power in powers[::step] if 10.0**power >= self.low]

    def _linear(self, value: float) -> float:
        return math.log10(max(value, self.low)) if self.is_log else value


def nice_ticks(low: float, high: float, most: int) -> list[float]:
    """Choose a few round values between two.

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
    """Write a number as short as it can be read.

    >>> short(0.25), short(1200), short(0.00001), short(3e9)
    ('0.25', '1,200', '1e-05', '3e+09')
    """
    return f"{value:,.6g}" if 1e-4 <= abs(value) < 1e6 or value == 0 else f"{value:.3g}"


def _draw_horizontal_axis(scale: Scale, y: float, label: str, ticks: Iterable[tuple[float, str]]) -> Html:
    marks = [
        element("text", written, x=scale(value), y=y + 18, text_anchor="middle", class_="tick")
        for value, written in ticks
    ]
    middle = (scale.start + scale.stop) / 2
    line = element("line", x1=scale.start, x2=scale.stop, y1=y, y2=y, class_="axis")
    return join([line, *marks, element("text", label, x=middle, y=y + 38, text_anchor="middle", class_="label")])


def _draw_vertical_axis(scale: Scale, ticks: Iterable[tuple[float, str]], label: str) -> Html:
    """Draw lines across a plot, with their values at its left below the label."""
    middle = (scale.start + scale.stop) / 2
    turned = f"rotate(-90 12 {middle:g})"
    parts = [element("text", label, x=12, y=middle, text_anchor="middle", class_="label", transform=turned)]
    for value, written in ticks:
        y = scale(value)
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid"))
        parts.append(element("text", written, x=LEFT - 8, y=y + 4, text_anchor="end", class_="tick"))
    return join(parts)


def _draw_chart(title: str, meaning: str, description: str, height: float, parts: Iterable[Html]) -> Html:
    """Draw a chart below its title and a sentence that says what it means; `description` is for those who listen."""
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
    inside = element("div", chart, class_="wide", tabindex="0", role="group", aria_label=title)
    return join([element("h3", title), element("p", meaning, class_="soft"), inside])
