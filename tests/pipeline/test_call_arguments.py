"""Options are named keywords: typed, documented, the same wherever they are taken, and suggested for a wrong one."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import webquarry as wq
from webquarry.fetching.policy import FetchOptions, Policy
from webquarry.pipeline.render_pages import RenderOptions
from webquarry.rendering.renderer import BrowserOptions, Renderer

FETCHING = (wq.fetch, wq.fetch_all, wq.mine_following)
RENDERING = (
    wq.render,
    wq.render_all,
    wq.render_pictured,
    wq.mine_pictured,
    wq.table,
    wq.wrap_pictured,
    wq.extract_all,
    wq.check,
    wq.connect,
    wq.validate_extractions,
    wq.picture_pages,
)


def test_the_options_of_fetching_are_the_fields_of_the_policy_with_their_types():
    assert FetchOptions.__annotations__.keys() == Policy.__annotations__.keys()
    types = {name: each.__forward_arg__ for name, each in FetchOptions.__annotations__.items()}
    assert types == Policy.__annotations__


def test_the_options_of_rendering_are_the_parameters_of_the_renderer():
    own = inspect.signature(Renderer).parameters
    assert {*BrowserOptions.__annotations__, "timeout", "load"} == own.keys()
    assert {name: each.__forward_arg__ for name, each in BrowserOptions.__annotations__.items()} == {
        name: own[name].annotation for name in BrowserOptions.__annotations__
    }


@pytest.mark.parametrize("function", FETCHING + RENDERING)
def test_signatures_show_every_option_with_its_type_and_default(function):
    shown = inspect.signature(function).parameters
    options = FetchOptions if function in FETCHING else RenderOptions
    assert options.__annotations__.keys() <= shown.keys()
    assert shown["retries"].default == Policy().retries
    assert shown["retries"].annotation == "int"
    assert not any(each.kind is inspect.Parameter.VAR_KEYWORD for each in shown.values())


@pytest.mark.parametrize("function", FETCHING + RENDERING)
def test_docstrings_have_a_line_for_every_option(function):
    said = inspect.getdoc(function)
    options = FetchOptions if function in FETCHING else RenderOptions
    shown = dict(re.findall(r"^    (\w+): (.+)$", said.partition("\nOptions:\n")[2], re.MULTILINE))
    own = re.findall(r"^(\w+): ", said, re.MULTILINE)
    assert options.__annotations__.keys() <= {*shown, *own}
    assert shown["retries"].startswith("Further attempts after a broken connection")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: wq.fetch("x.html", ofline=True), "fetch has no option 'ofline'; did you mean 'offline'?"),
        (lambda: wq.render_all([], scipts=True), "render_all has no option 'scipts'; did you mean 'scripts'?"),
        (lambda: wq.table("x.html", widht=100), "table has no option 'widht'; did you mean 'width'?"),
        (lambda: wq.connect([], zebra=1), "connect has no option 'zebra'; choose from allow_private, backoff, "),
        (lambda: wq.validate([], methd="vote"), "validate has no option 'methd'; did you mean 'method'?"),
    ],
)
def test_a_wrong_option_says_which_there_are(call, said):
    with pytest.raises(TypeError) as error:
        call()
    assert str(error.value).startswith(said)


def test_type_checkers_know_the_options(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import webquarry as wq\n"
        "wq.fetch('x.html', offline=True, retries=2)\n"
        "wq.render(wq.fetch('x.html'), scripts=True, wait_for='.price')\n"
        "wq.table('x.html', render=False)['price'].pop()\n"
        "wq.fetch('x.html', ofline=True)\n"
        "wq.render(wq.fetch('x.html'), width='wide')\n"
    )
    top = Path(__file__).parents[2]  # with the cache of the check of all types, which runs before
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", "--hide-error-context", program],
        cwd=top,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert re.findall(r"program.py:(\d): error: .*(ofline|width)", found) == [("5", "ofline"), ("6", "width")], found
    assert found.count("error:") == 2
