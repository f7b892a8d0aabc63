"""What files and folders refuse, as errors of ours."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webquarry.errors import InputError


@contextmanager
def translated(output: Path | None, option: str = "-o") -> Iterator[None]:
    """Raise what goes wrong with a file as an error that names it and its option; a stream's own errors pass."""
    try:
        yield
    except OSError as error:
        if output is None:
            raise
        raise InputError(
            f"{output}: cannot be written: {error.strerror or error}; make room or name another file with {option}"
        ) from error


def check_place(output: Path, option: str = "-o") -> None:
    """Raise what keeps a file from being written there, as far as it can be known before; nothing is made."""
    if output.is_dir():
        raise InputError(f"{output}: is a folder; name a file with {option}")
    if output.exists() and not output.is_file():  # a device or a pipe needs no folder to be written to
        return
    above = next(folder for folder in output.resolve().parents if folder.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise InputError(
            f"{output}: cannot be written: {above} is no folder that may be written to; name another file with {option}"
        )
