"""Text files that a person keeps, such as wrappers."""

from __future__ import annotations

from pathlib import Path

from webquarry.errors import InputError
from webquarry.storing.faults import translated
from webquarry.storing.files import write_whole


def read_text(path: Path) -> str:
    """The text of a file in UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; check the path") from error
    except IsADirectoryError as error:
        raise InputError(f"{path}: is a folder; name a file") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}: line {line} is not in UTF-8; save the file in UTF-8") from error


def write_text(path: Path, text: str) -> None:
    """Replace the file whole."""
    with translated(path):
        write_whole(path, text.encode())
