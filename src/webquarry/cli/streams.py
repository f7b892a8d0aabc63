"""Standard streams that whoever started us has closed."""

from __future__ import annotations

import os
import sys


def stand_in_for_closed_streams() -> None:
    """Open what is closed so that using it fails as a file does, and no other file gets its number.

    Python has None in the place of such a stream, of which a run that needs none must not die either.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def drop_what_cannot_be_written() -> None:
    """Keep Python from trying once more at exit, which would complain again and change the exit code."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
