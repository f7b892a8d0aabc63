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


@pytest.mark.parametrize("there", [["thesis.txt"], ["report.html"], [telling.MARK, "clean", "thesis.txt"]])
def test_a_folder_with_other_things_in_it_is_refused(quarry, work, there):
    (work / "results").mkdir()
    for name in there:
        (work / "results" / name).write_text("mine")
    done = quarry("demo", "results")
    assert (done.returncode, done.stdout) == (1, b"")
    assert "results: has other things in it, such as " in done.stderr.decode()
    assert sorted(path.name for path in (work / "results").iterdir()) == sorted(there)


def test_a_folder_of_an_earlier_demo_is_used_again(tmp_path):
    for _ in range(2):
        telling.open_folder(tmp_path / "results")
        (tmp_path / "results" / "clean").mkdir(exist_ok=True)
    assert (tmp_path / "results" / telling.MARK).is_file()
