"""The page on the papers names only commands, options and benchmarks that are there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from benchmarks.__main__ import PARTS
from typer.main import get_command

from webquarry.cli.program import app
from webquarry.pipeline.mine_pages import EXPLAINERS, MINERS
from webquarry.pipeline.validate_results import JUDGES

TEXT = (Path(__file__).parent.parent.parent / "docs" / "papers.md").read_text("utf-8")
CALLS = sorted(
    set(re.findall(r"`quarry ([^`]+)`", TEXT)) | set(re.findall(r"^ {4}quarry (.+(?:\n {8}.+)*)$", TEXT, re.MULTILINE))
)


@pytest.mark.parametrize("call", CALLS)
def test_commands_have_the_options_that_the_page_gives_them(call):
    name, *words = shlex.split(call)
    options = {each for option in get_command(app).get_command(None, name).params for each in option.opts}
    assert {word for word in words if word.startswith("-")} <= options


def test_the_page_shows_each_new_way_into_the_papers():
    assert len(CALLS) > 15
    for option in (
        "--trace",
        "--explain",
        "--paper-tables",
        "--nesting",
        "--clean",
        "--stop",
        "--matrix",
        "--labels-by",
    ):
        assert option in TEXT


def test_benchmarks_that_the_page_names_are_there():
    named = {part for parts in re.findall(r"`python -m benchmarks ([a-z0-9_ ]+)`", TEXT) for part in parts.split()}
    assert named
    assert named <= PARTS.keys()


def test_methods_of_the_papers_are_there_under_their_names():
    assert {"emine", "mdr"} <= EXPLAINERS.keys() <= MINERS.keys()
    assert {"knn", "kth-nn", "hbos", "hbos-joined", "hbos-dynamic"} <= JUDGES.keys()
