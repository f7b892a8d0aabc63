"""Stop a run by a signal, but never in the middle of writing a result."""

from __future__ import annotations

import atexit
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""Sent by Ctrl-C, by `kill` and `timeout`, and when the terminal closes; not every system has all of them."""
PATIENCE = 5.0
"""Seconds in which further signals are ignored: they would interrupt the cleaning up of files and browsers."""


def exit_on_signals() -> None:
    """End the process at once when a signal comes: before a run and after it, nothing has to be cleaned up."""
    _handle(_exit)


def _handle(handler: Callable[[int, FrameType | None], None]) -> None:
    """Handle the signals, except those that the parent process ignores, as with `nohup`."""
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _exit(number: int, _frame: FrameType | None) -> NoReturn:
    with suppress(OSError):
        os.write(2, b"quarry: stopped\n")
    os._exit(128 + number)


class Stopper:
    """Turns signals into `KeyboardInterrupt`, and knows the exit code that shells expect after them."""

    def __init__(self) -> None:
        self.exit_code = 128 + signal.SIGINT
        self.message = "stopped"
        """The last message of a stopped run; a command that keeps a partial result says so here."""
        self._asked: float | None = None
        self._holds = 0
        self._is_pending = False

    @property
    def was_asked(self) -> bool:
        """True if a signal came."""
        return self._asked is not None

    def listen(self) -> None:
        """Handle the signals of a new run."""
        self.__init__()  # type: ignore[misc]
        _handle(self._stop)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Let a signal wait until what is inside is done."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
        if self._is_pending and not self._holds:
            self._is_pending = False
            raise KeyboardInterrupt

    def leave(self) -> None:
        """End the process with the exit code if a signal came.

        Python itself would end it by SIGINT, whatever the code, if the interrupt passed through certain C code, such as
        that which loads modules.
        """
        if self.was_asked:
            atexit._run_exitfuncs()
            os._exit(self.exit_code)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._asked is not None and now - self._asked < PATIENCE:
            return
        self._asked = now
        self.exit_code = 128 + number
        if self._holds:
            self._is_pending = True
            return
        raise KeyboardInterrupt


STOPPER = Stopper()
"""The only instance, because signals belong to the process."""
