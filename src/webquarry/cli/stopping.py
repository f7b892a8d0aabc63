"""How a run is stopped from outside: by Ctrl-C, by `kill` and `timeout`, or with its terminal."""

from __future__ import annotations

import signal
import time
from types import FrameType

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # by name: not every system has all
PATIENCE = 5.0
"""Seconds in which further signals change nothing: they would break off the putting away of files and browsers."""


class Stopper:
    """Turns signals into `KeyboardInterrupt`, and knows the exit code that shells expect after them."""

    def __init__(self) -> None:
        self.exit_code = 128 + signal.SIGINT
        self._asked: float | None = None

    @property
    def was_asked(self) -> bool:
        """Whether a signal came."""
        return self._asked is not None

    def listen(self) -> None:
        """Heed the signals, except those that whoever started us wants ignored, as `nohup` does."""
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._stop)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._asked is not None and now - self._asked < PATIENCE:
            return
        self._asked = now
        self.exit_code = 128 + number
        raise KeyboardInterrupt
