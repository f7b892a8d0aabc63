from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from webquarry.errors import BrowserError
from webquarry.rendering.browser import Browser, BrowserProcess

USE_AND_END = """
import os, sys
from webquarry.model.page import Page
from webquarry.rendering.renderer import Renderer
renderer = Renderer(browser=sys.argv[1])
renderer.render(Page("stdin:", b""), "<p>x")
print(renderer._browser._process.folder, renderer._browser._process.pid, flush=True)
exec(sys.argv[2])
"""


def is_alive(group: int) -> bool:
    """Whether any process of the group runs; the dead that nobody has waited for do not count."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    listed = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    states = (line.split() for line in listed.splitlines())
    return any(int(its_group) == group and not state.startswith("Z") for its_group, state in states)


def wait_until_gone(folder: Path, pid: int) -> bool:
    deadline = time.monotonic() + 60
    while (folder.exists() or is_alive(pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not folder.exists() and not is_alive(pid)


@pytest.mark.parametrize("ending", ["raise RuntimeError", "os.kill(os.getpid(), 15)", "os.kill(os.getpid(), 9)"])
def test_nothing_is_left_however_we_end(browser, ending):
    run = subprocess.run(
        [sys.executable, "-c", USE_AND_END, browser, ending], capture_output=True, text=True, check=False
    )
    folder, pid = run.stdout.split()
    assert wait_until_gone(Path(folder), int(pid))


def test_nothing_is_left_when_the_browser_is_collected(browser):
    started = Browser(Path(browser))
    folder, pid = started._process.folder, started._process.pid
    assert folder.exists()
    del started
    gc.collect()
    assert wait_until_gone(folder, pid)


def test_nothing_is_left_of_a_browser_that_was_killed(browser):
    started = Browser(Path(browser))
    folder, pid = started._process.folder, started._process.pid
    os.killpg(pid, signal.SIGKILL)
    started.close()
    assert wait_until_gone(folder, pid)


def test_a_program_that_is_no_browser_is_told(tmp_path):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(BrowserError, match="does not start as a browser"):
        Browser(program)


@pytest.mark.parametrize(("user", "expected"), [(0, False), (1000, True)])
def test_the_sandbox_is_off_for_root_alone(tmp_path, monkeypatch, user, expected):
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\n')
    program.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    process = BrowserProcess(program)
    os.read(process.reader, 1)  # the end of the program
    process.kill()
    os.close(process.reader)
    os.close(process.writer)
    arguments = (tmp_path / "arguments").read_text()
    assert ("--no-sandbox" not in arguments) is expected
    assert "--host-resolver-rules=MAP * ~NOTFOUND" in arguments
