"""What deletion does to precision, recall and F1, from the oddest node on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from webquarry.validating.page.chart import LEFT, RIGHT, WIDTH, Scale, draw, horizontal_axis, vertical_axis
from webquarry.validating.page.markup import Html, element, join, table

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
