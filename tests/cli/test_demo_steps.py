"""The demonstration."""

from __future__ import annotations

import pytest

from webquarry.cli import demo as finding, demo as telling
from webquarry.cli.demo import find_examples
from webquarry.errors import InputError


def test_the_example_pages_are_found():
    assert (find_examples() / finding.MESSY).is_file()


def test_missing_example_pages_are_told(monkeypatch):
    monkeypatch.setattr(finding, "MESSY", "gone.html")
    with pytest.raises(InputError, match=r"the example pages are missing.*reinstall"):
        find_examples()


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
    monkeypatch.setattr(telling, "which", lambda _: found)
    assert telling.name_program() == written
