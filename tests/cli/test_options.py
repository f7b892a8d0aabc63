"""The options that commands share."""

from __future__ import annotations

from inspect import signature

import pytest

from webquarry.cli.options import fetching, rendering, shares
from webquarry.cli.program import UsageFault
from webquarry.fetching.policy import Policy
from webquarry.rendering.renderer import Renderer


def colours(*, red: bool = False, blue: bool = False) -> dict:
    return {"red": red, "blue": blue}


def sizes(*, width: int = 1) -> dict:
    return {"width": width}


@shares(paint=colours, measure=sizes)
def show(name: str, *, paint: dict, measure: dict) -> int:
    """Show it."""
    return len(name) + measure["width"] + 100 * paint["red"] + 1000 * paint["blue"]


def test_a_command_has_the_options_of_all_that_it_shares():
    assert list(signature(show).parameters) == ["name", "red", "blue", "width"]
    assert signature(show).parameters["width"].default == 1


def test_shared_options_stand_where_the_command_has_their_place():
    @shares(paint=colours)
    def draw(name: str, *, paint: dict, depth: int = 0) -> int:
        return len(name) + depth + sum(paint.values())

    assert list(signature(draw).parameters) == ["name", "red", "blue", "depth"]


def test_it_is_called_with_what_the_options_stand_for():
    assert show(name="abc", red=False, blue=True, width=20) == 1023


def test_its_name_and_help_stay():
    assert (show.__name__, show.__doc__) == ("show", "Show it.")


def test_the_knobs_of_fetching_and_rendering_are_those_that_the_stages_know():
    from dataclasses import fields

    assert fetching().keys() <= {field.name for field in fields(Policy)}
    assert rendering().keys() <= signature(Renderer).parameters.keys()
    assert Policy(**fetching()) == Policy()


@pytest.mark.parametrize("given", ["Ünï: ö", "X: a\rb", "Content-Length: 5", "X Y: z"])
def test_a_header_that_cannot_be_sent_is_refused(given):
    from typer import BadParameter

    with pytest.raises(BadParameter, match="header"):
        fetching(header=[given])


@pytest.mark.parametrize("given", ["nonsense", ": value", ""])
def test_a_header_without_a_name_is_refused(given):
    from typer import BadParameter

    with pytest.raises(BadParameter, match="Name: value"):
        fetching(header=[given])


def test_tables_go_to_the_same_places_by_the_same_options(quarry):
    said = set()
    for command in ("mine", "extract", "sql", "validate"):
        shown = quarry(command, "--help").stdout.decode()
        said.add(" ".join(shown[shown.index("--format") : shown.index("The database table")].split()))
    assert len(said) == 1


def test_wishes_that_exclude_each_other_are_refused():
    with pytest.raises(UsageFault, match="cannot be used together"):
        fetching(offline=True, refresh=True)
    with pytest.raises(UsageFault, match="--wait-for needs --scripts"):
        rendering(wait_for="p")
