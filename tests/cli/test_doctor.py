"""`quarry doctor`."""

from __future__ import annotations

import re


def test_the_doctor_tells_versions_browser_and_cache(quarry, tmp_path):
    done = quarry("doctor")
    assert (done.returncode, done.stderr) == (0, b"")
    told = done.stdout.decode()
    for word in ("webquarry", "turbohtml", "lxml", "numpy", "browser", "cache"):
        assert re.search(rf"^{word} ", told, re.MULTILINE)
    assert str(tmp_path / "cache") in told


def test_the_doctor_empties_the_cache(quarry, server, tmp_path):
    quarry("clean", server.url + "/page", "--allow-private", "--cache", tmp_path / "pages")
    assert list((tmp_path / "pages").iterdir())
    done = quarry("doctor", "--clear-cache", "--cache", tmp_path / "pages")
    assert re.fullmatch(r"cache: \S+ k?M?B freed\n", done.stdout.decode())
    assert not list((tmp_path / "pages").iterdir())
