from __future__ import annotations

from pathlib import Path

import pytest

from webquarry.errors import BrowserError
from webquarry.rendering.browser import find_browser, require_browser


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.delenv("WEBQUARRY_BROWSER", raising=False)
    return tmp_path


def install(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    path.chmod(0o755)
    return path


def test_finds_none_where_there_is_none():
    assert find_browser() is None


def test_says_how_to_get_one():
    with pytest.raises(BrowserError, match="apt-get install chromium-headless-shell"):
        require_browser()


def test_prefers_a_headless_shell_on_the_path(machine):
    install(machine / "bin" / "google-chrome")
    install(machine / "bin" / "chromium")
    shell = install(machine / "bin" / "chromium-headless-shell")
    assert find_browser() == shell


def test_prefers_the_newest_of_playwright_to_the_path(machine):
    install(machine / "bin" / "chromium-headless-shell")
    install(machine / "playwright/chromium_headless_shell-1180/chrome-linux/headless_shell")
    newest = install(machine / "playwright/chromium_headless_shell-1194/chrome-linux/headless_shell")
    install(machine / "playwright/chromium-1194/chrome-linux/chrome")
    assert find_browser() == newest


def test_prefers_what_the_environment_names(machine, monkeypatch):
    install(machine / "playwright/chromium-1194/chrome-linux/chrome")
    mine = install(machine / "mine")
    monkeypatch.setenv("WEBQUARRY_BROWSER", str(mine))
    assert find_browser() == mine


@pytest.mark.parametrize("named", ["./mine", "mine", Path("mine")])
def test_a_program_in_the_current_folder_can_be_named(machine, monkeypatch, named):
    mine = install(machine / "mine")
    monkeypatch.chdir(machine)
    assert find_browser(named) == mine


def test_prefers_what_the_caller_names(machine, monkeypatch):
    monkeypatch.setenv("WEBQUARRY_BROWSER", str(install(machine / "other")))
    mine = install(machine / "mine")
    assert find_browser(mine) == mine


def test_a_named_browser_must_be_there(machine):
    with pytest.raises(BrowserError, match="there is no such program"):
        find_browser(machine / "missing")
