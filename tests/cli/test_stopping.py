"""Signals, in our own process."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Iterator

import pytest

from webquarry.cli import program as stopping
from webquarry.cli.program import Stopper


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
