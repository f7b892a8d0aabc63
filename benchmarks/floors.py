"""The figures that a run must reach; a lowered one needs a reason in the commit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_FILE = Path(__file__).with_name("floors.json")


@dataclass(frozen=True)
class Check:
    """A figure beside its target; a figure that was not measured is None."""

    name: str
    figure: float | None
    at_least: float | None = None
    at_most: float | None = None

    @property
    def holds(self) -> bool:
        """True when the figure reaches its target, or was not measured."""
        if self.figure is None:
            return True
        if self.at_least is not None and self.figure < self.at_least:
            return False
        return self.at_most is None or self.figure <= self.at_most

    @property
    def target(self) -> str:
        return f"at least {self.at_least:g}" if self.at_least is not None else f"at most {self.at_most:g}"


def check_figures(figures: Mapping[str, float]) -> list[Check]:
    """Each target with the figure of this run.

    >>> [check.holds for check in check_figures({"html5, tree cases right": 0.9}) if check.figure is not None]
    [False]
    """
    floors: dict[str, dict[str, float]] = json.loads(_FILE.read_text("utf-8"))
    if unknown := figures.keys() - floors.keys():
        raise ValueError(f"no floor in {_FILE.name} for {', '.join(sorted(unknown))}")
    return [Check(name, figures.get(name), **bound) for name, bound in floors.items()]
