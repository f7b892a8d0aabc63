"""What is found on this machine."""

from __future__ import annotations

from webquarry.doctor import BROWSERS, PACKAGES, examine, find_browser


def make_program(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_a_browser_of_playwright_is_used_first(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "browsers"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    installed = make_program(tmp_path / "bin" / "chromium")
    assert find_browser() == installed
    make_program(tmp_path / "browsers" / "chromium_headless_shell-1" / "chrome-linux" / "headless_shell")
    newest = make_program(tmp_path / "browsers" / "chromium_headless_shell-2" / "chrome-linux" / "headless_shell")
    assert find_browser() == newest


def test_the_light_browser_is_preferred(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in BROWSERS:
        make_program(tmp_path / name)
    assert find_browser() == tmp_path / "chromium-headless-shell"


def test_a_machine_without_a_browser_is_told_how_to_get_one(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() is None
    assert examine(tmp_path, clear=False) == 0
    assert "apt-get install chromium-headless-shell" in capsys.readouterr().out


def test_a_missing_package_is_named_with_the_command_that_gets_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("webquarry.doctor.PACKAGES", (*PACKAGES, "no-such-package-of-ours"))
    assert examine(tmp_path, clear=False) == 1
    assert "pip install no-such-package-of-ours" in capsys.readouterr().err
