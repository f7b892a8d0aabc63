"""Signals, in our own process."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from webquarry.cli import stopping
from webquarry.cli.stopping import Stopper


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    before = {name: signal.getsignal(getattr(signal, name)) for name in stopping.SIGNALS}
    yield
    for name, handler in before.items():
        signal.signal(getattr(signal, name), handler)


def test_a_second_ctrl_c_does_not_break_off_what_the_first_one_began(monkeypatch):
    monkeypatch.setattr(stopping, "PATIENCE", math.inf)
    stopper = Stopper()
    stopper.listen()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGINT)
    assert stopper.exit_code == 128 + signal.SIGTERM


def test_a_later_ctrl_c_is_heard_again(monkeypatch):
    monkeypatch.setattr(stopping, "PATIENCE", 0.0)
    Stopper().listen()
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def test_a_signal_that_is_to_be_ignored_stays_so():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    Stopper().listen()
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_a_signal_waits_until_what_is_held_is_done():
    stopper = Stopper()
    stopper.listen()
    done = []

    def write() -> None:
        with stopper.hold():
            os.kill(os.getpid(), signal.SIGTERM)
            done.append("written")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert done == ["written"]
    assert stopper.exit_code == 128 + signal.SIGTERM
    with stopper.hold():
        done.append("nothing waits")


SENDS_A_SIGNAL = """
import os, runpy, signal, sys

class Sender:
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.{signal})

sys.meta_path.insert(0, Sender())
sys.argv = ["quarry", "mine", "--static", {page!r}]
runpy.run_module("webquarry", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
@pytest.mark.parametrize("module", ["webquarry.cli.program", "typer.main", "webquarry.cli.mine", "turbohtml._html"])
def test_a_signal_while_modules_load_gives_its_code_and_one_line(tmp_path, module, name, code):
    page = tmp_path / "page.html"
    page.write_text("<ul><li>a 1<li>b 2<li>c 3</ul>")
    program = SENDS_A_SIGNAL.format(module=module, signal=name, page=str(page))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (code, b"quarry: stopped\n")


def test_a_signal_before_messages_are_formatted_is_told_in_the_same_words():
    program = """
import os, signal, sys, webquarry.__main__ as start
from webquarry.cli import program
program.show_logs = lambda: os.kill(os.getpid(), signal.SIGTERM)
sys.argv = ["quarry", "doctor"]
start.run()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (143, b"quarry: stopped\n")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_before_it_can_be_handled_ends_the_command_without_a_traceback(name):
    program = SENDS_A_SIGNAL.format(module="webquarry.cli.stopping", signal=name, page="page.html")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (-getattr(signal, name), b"")
