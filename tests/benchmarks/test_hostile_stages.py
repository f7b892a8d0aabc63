"""Hostile pages through the stages: how costs are measured, and a few that took gigabytes or hours."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.hostile_stages import ALL_FAMILIES, Cost, Trial

TOP = Path(__file__).parents[2]
COSTS = """
import json, sys
from functools import partial
from benchmarks.hostile_stages import ALL_FAMILIES, make_stages, measure

stages = make_stages()
cases = json.loads(sys.argv[1])
costs = [measure(partial(stages[stage], ALL_FAMILIES[family].fill, size)) for stage, family, size in cases]
print(json.dumps([(cost.seconds, cost.memory, cost.fault) for cost in costs]))
"""
CASES = [
    ["clean html5", "bodies with attributes", 200_000],
    ["mine visual", "roots with attributes", 200_000],
    ["wrap sections format", "formatting of many colours re-opened, with words", 200_000],
    ["extract sections", "formatting of many colours re-opened, with words", 100_000],
    ["read blocks", "nested lists, with words", 100_000],
    ["validate regions", "nested span, with words", 100_000],
    ["wrap records format", "nested span, with words", 100_000],
    ["wrap records format", "formatting in tables, with words", 200_000],
    ["wrap item format", "items", 60_000],
    ["wrap item format", "items, with words", 600_000],
    ["clean cleandom", "elements with prefixes", 100_000],
    ["read blocks", "preformatted text", 400_000],
]
MANY_BYTES = 300 * 2**20
"""What no page of 0.2 MB may take; each of these took more, or many times the seconds that end a process."""


def test_pages_that_once_took_gigabytes_take_little():
    command = [sys.executable, "-c", COSTS, json.dumps(CASES)]
    done = subprocess.run(command, capture_output=True, check=True, cwd=TOP, timeout=300)
    costs = json.loads(done.stdout)
    assert {case[1]: cost for case, cost in zip(CASES, costs, strict=True) if cost[2] or cost[1] > MANY_BYTES} == {}


def test_growth_counts_only_times_that_say_something():
    costs = (Cost(0.001, 0), Cost(0.2, 0), Cost(1.0, 2**20))
    assert Trial("mine", "x", costs).factor == 4.0
    assert Trial("mine", "x", costs[:2]).factor < 1


@pytest.mark.parametrize(
    "name", ["nested div, closed", "attributes of one element", "references", "comments of dashes"]
)
def test_pages_have_the_wanted_length(name):
    assert 0.8 < len(ALL_FAMILIES[name].fill(10_000)) / 10_000 < 1.3
