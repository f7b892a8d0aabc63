"""The demonstration."""

from __future__ import annotations

import pytest

from webquarry import demo
from webquarry.errors import InputError


def test_the_example_pages_are_found():
    assert (demo.find_examples() / demo.MESSY).is_file()


def test_missing_example_pages_are_told(monkeypatch):
    monkeypatch.setattr(demo, "MESSY", "gone.html")
    with pytest.raises(InputError, match=r"the example pages are missing.*reinstall"):
        demo.find_examples()


@pytest.mark.parametrize(
    ("called", "found", "written"),
    [
        (".venv/bin/quarry", None, ".venv/bin/quarry"),
        ("/usr/local/bin/quarry", "/usr/local/bin/quarry", "quarry"),
        ("/anywhere/webquarry/__main__.py", None, "quarry"),
    ],
)
def test_commands_to_try_can_be_run_where_they_are_told(monkeypatch, called, found, written):
    monkeypatch.setattr("sys.argv", [called, "demo"])
    monkeypatch.setattr(demo, "which", lambda _: found)
    assert demo._program() == written
