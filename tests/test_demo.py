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


def test_it_tells_where_the_results_are(tmp_path, capsys):
    assert demo.show(tmp_path / "results") == 0
    told = capsys.readouterr().out
    assert str(tmp_path / "results") in told
    assert "<TABLE" in told
    assert "<table" in told
