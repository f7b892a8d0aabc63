"""The ground of a chart: a plot with axes, ticks and a grid, in SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from webquarry.validating.page.markup import Html, element, join

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
