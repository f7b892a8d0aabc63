"""What is found on this machine."""

from __future__ import annotations

from webquarry.cli.doctor import PACKAGES, doctor


def test_says_how_to_get_a_browser_where_there_is_none(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("WEBQUARRY_BROWSER", raising=False)
    assert doctor(tmp_path, clear=False) == 0
    assert "apt-get install chromium-headless-shell" in capsys.readouterr().out


def test_a_missing_package_is_named_with_the_command_that_gets_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("webquarry.cli.doctor.PACKAGES", (*PACKAGES, "no-such-package-of-ours"))
    assert doctor(tmp_path, clear=False) == 1
    assert "pip install no-such-package-of-ours" in capsys.readouterr().err
