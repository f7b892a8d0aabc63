"""The results of a run, and the floors that its figures must reach.

Floors are in floors.json; lowering one needs a reason in the commit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.acceptance import Acceptance
from benchmarks.findings import Finding
from benchmarks.growth import FACTOR, Growth
from benchmarks.lost_words import DOCUMENT_TEXT, Losses
from benchmarks.speed import Speeds
from benchmarks.trees import TreeScore

_FILE = Path(__file__).with_name("floors.json")


@dataclass(frozen=True)
class Check:
    """A figure and its target; the figure is None if it was not measured."""

    name: str
    figure: float | None
    at_least: float | None = None
    at_most: float | None = None

    @property
    def holds(self) -> bool:
        """True if the figure reaches its target or was not measured."""
        if self.figure is None:
            return True
        if self.at_least is not None and self.figure < self.at_least:
            return False
        return self.at_most is None or self.figure <= self.at_most

    @property
    def target(self) -> str:
        return f"at least {self.at_least:g}" if self.at_least is not None else f"at most {self.at_most:g}"


def check_figures(figures: Mapping[str, float]) -> list[Check]:
    """Compare the figures of a run with all floors; a figure without a floor is an error.

    >>> [check.holds for check in check_figures({"html5, tree cases right": 0.9}) if check.figure is not None]
    [False]
    """
    floors: dict[str, dict[str, float]] = json.loads(_FILE.read_text("utf-8"))
    if unknown := figures.keys() - floors.keys():
        raise ValueError(f"no floor in {_FILE.name} for {', '.join(sorted(unknown))}")
    return [Check(name, figures.get(name), **bound) for name, bound in floors.items()]


HTML5, CLEANDOM = "webquarry_html5", "webquarry_cleandom"
GROUPS = ("pages", "snippets", "mutants")
"""The groups of pages that acceptance is measured on, one by one."""

_TITLES = {HTML5: "html5", CLEANDOM: "cleandom", DOCUMENT_TEXT: "Document.text()"}


@dataclass
class Results:
    """Measurements by system; those of parts that did not run are empty."""

    accepted: dict[str, dict[str, Acceptance]] = field(default_factory=dict)
    """By group, then by system."""
    trees: dict[str, TreeScore] = field(default_factory=dict)
    losses: dict[str, Losses] = field(default_factory=dict)
    peer_deep_losses: dict[str, Losses] = field(default_factory=dict)
    deep_losses: dict[str, Losses] = field(default_factory=dict)
    speeds: Speeds | None = None
    growths: list[Growth] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    """Of all stages but cleaning, which has the fields above."""
    failures: list[str] = field(default_factory=list)
    """One line for each part that raised."""

    def add(self, other: Results) -> None:
        """Add the results of another part."""
        self.accepted |= other.accepted
        self.trees |= other.trees
        self.losses |= other.losses
        self.peer_deep_losses |= other.peer_deep_losses
        self.deep_losses |= other.deep_losses
        self.speeds = other.speeds or self.speeds
        self.growths += other.growths
        self.findings += other.findings
        self.failures += other.failures

    @property
    def has_cleaning(self) -> bool:
        return bool(self.accepted or self.trees or self.losses or self.speeds or self.growths)

    def figures(self) -> dict[str, float]:
        """Return the figures that have floors, all of webquarry itself."""
        found: dict[str, float] = {}
        for group, scores in self.accepted.items():
            for name in (HTML5, CLEANDOM):
                found[f"{_TITLES[name]}, outputs accepted: {group}"] = scores[name].share
        if HTML5 in self.trees:
            found["html5, tree cases right"] = self.trees[HTML5].exact or 0.0
        for name in (HTML5, CLEANDOM, DOCUMENT_TEXT):
            if name in self.losses:
                found[f"{_TITLES[name]}, pages without a lost word"] = self.losses[name].share_kept
                found[f"{_TITLES[name]}, deep pages without a lost word"] = self.deep_losses[name].share_kept
        for finding in self.findings:
            found |= finding.figures
        return found | self._speed_figures() | self._growth_figures()

    def complaints(self) -> list[str]:
        """List where webquarry did badly, one line each."""
        found = [*self.failures]
        for scores in self.accepted.values():
            for name in (HTML5, CLEANDOM):
                found += [f"{_TITLES[name]} refused: {page}: {why}" for page, why in scores[name].objections]
        for name in (HTML5, CLEANDOM, DOCUMENT_TEXT):
            for losses in (self.losses, self.peer_deep_losses, self.deep_losses):
                if name in losses:
                    found += [f"{_TITLES[name]} lost: {page}: {words}" for page, words in losses[name].pages]
        if HTML5 in self.trees:
            found += [f"html5 tree differs: {markup}" for markup in self.trees[HTML5].failures]
        return found + [line for finding in self.findings for line in finding.complaints]

    def _speed_figures(self) -> dict[str, float]:
        if self.speeds is None:
            return {}
        return {
            "html5, speed to turbohtml's XHTML": self.speeds.ratio(HTML5, "turbohtml"),
            "html5, speed to lxml's HTML": self.speeds.ratio(HTML5, "lxml_html"),
            "cleandom, speed to turbohtml's XHTML": self.speeds.ratio(CLEANDOM, "turbohtml"),
            "columns, time to turbohtml's parse": self.speeds.ratio("parse", "columns"),
        }

    def _growth_figures(self) -> dict[str, float]:
        worst: dict[str, float] = {}
        for growth in self.growths:
            name = f"{growth.operation}, time for {FACTOR} times the input"
            worst[name] = max(growth.factor, worst.get(name, 0.0))
        return worst
