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
