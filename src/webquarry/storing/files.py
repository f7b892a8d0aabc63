"""Files that are replaced whole."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that whoever looks sees the old one or the new one, never a part."""
    file = WholeFile(path)
    try:
        file.write(content)
        file.finish()
    finally:
        file.close()


class WholeFile:
    """A file that is written piece by piece and is seen when it is finished; closed before, it leaves nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path = path.resolve()  # a link stays one, and the file that it leads to is replaced
        path.parent.mkdir(parents=True, exist_ok=True)
        self._temporary: Path | None = None
        self._file: BinaryIO
        if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
            self._file = path.open("wb")
            return
        handle, name = tempfile.mkstemp(prefix=".quarry-", dir=path.parent)
        self._temporary = Path(name)
        self._file = os.fdopen(handle, "wb")

    def write(self, content: bytes) -> None:
        """Add a piece."""
        self._file.write(content)

    def finish(self) -> None:
        """Let the file be seen."""
        self._file.close()
        if self._temporary is not None:
            mode = self._path.stat().st_mode & 0o777 if self._path.exists() else 0o666 & ~_umask()
            self._temporary.chmod(mode)
            self._temporary.replace(self._path)
            self._temporary = None

    def close(self) -> None:
        """Leave nothing of a file that is not finished."""
        with suppress(OSError):  # what could not be written is not to be tried again
            self._file.close()
        if self._temporary is not None:
            with suppress(OSError):
                self._temporary.unlink()
            self._temporary = None


def _umask() -> int:
    """The mask for new files; asking for it means setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
