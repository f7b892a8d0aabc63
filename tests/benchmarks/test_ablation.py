"""Rules that are switched off one by one."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.ablation import CASES, RULES_FILE, Case, Rule, find_reached, measure, read_rules
from benchmarks.switches import clear_caches, find_uses

from webquarry.mining.table_regions import mine_tables
from webquarry.page import landmarks
from webquarry.pipeline import mine_pages

RULE = Rule("page", "webquarry.page.landmarks", "_may_be_compound", "no")


def make_cases() -> list[Case]:
    return [
        (name, half, lambda names=names: (landmarks.roles_of(names), 1.0))
        for name, half, names in (("plain", "tune", "wide"), ("menu", "check", "topmenu"))
    ]


@pytest.mark.parametrize("rule", read_rules(RULES_FILE.read_text("utf-8")), ids=lambda rule: rule.title)
def test_every_rule_of_the_list_is_in_the_package(rule):
    assert hasattr(importlib.import_module(rule.module), rule.name)
    assert rule.stage in CASES


def check_counts() -> None:
    ((_, change),) = measure("page", make_cases(), [RULE])
    assert change.pages == {"tune": 0, "check": 1}


def check_reached() -> None:
    unused = Rule("page", "webquarry.page.landmarks", "is_advertisement", "no")
    reached = find_reached("page", make_cases(), [RULE, unused])
    assert [case[0] for case in reached[RULE]] == ["menu"]
    assert reached[unused] == []


def check_varying() -> None:
    varying = ("varying", "tune", lambda: (os.getpid(), 1.0))
    ((_, change),) = measure("page", [*make_cases(), varying], [RULE])
    assert change.pages == {"tune": 0, "check": 1}


def in_new_process(check: Callable[[], None]) -> None:
    """Run a check where no other test has started threads, which a forked copy of the process would lack."""
    root = Path(__file__).parents[2]
    program = f"from tests.benchmarks.test_ablation import {check.__name__} as check; check()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(root), os.getenv("PYTHONPATH")]))}
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, env=environment, text=True)
    assert done.returncode == 0, done.stderr


def test_counts_the_pages_that_change_without_a_rule_although_their_answers_were_cached():
    in_new_process(check_counts)


def test_finds_the_pages_that_a_rule_reaches():
    in_new_process(check_reached)


def test_leaves_out_a_page_whose_result_varies():
    in_new_process(check_varying)


def test_finds_a_function_in_modules_and_in_tables_of_methods():
    uses = find_uses(mine_tables)
    assert (vars(mine_pages), "mine_tables") in uses
    assert any("tables" in holder and key == "tables" for holder, key in uses)


def test_forgets_cached_answers():
    landmarks.roles_of("comment-list")
    clear_caches()
    assert "comment-list" not in landmarks._ROLES_BY_ATTRIBUTE
