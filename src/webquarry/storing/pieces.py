"""Results that are written piece by piece, to a file or to a stream."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from webquarry.storing.faults import translated
from webquarry.storing.files import WholeFile


class Pieces:
    """A file that is seen when it is finished, or without one a stream, on which each piece is seen at once."""

    def __init__(self, output: Path | None, stream: BinaryIO) -> None:
        self._output, self._stream = output, stream
        with translated(output):
            self._file = None if output is None else WholeFile(output)

    def write(self, content: bytes) -> None:
        """Add a piece."""
        if self._file is None:
            self._stream.write(content)
            self._stream.flush()
            return
        with translated(self._output):
            self._file.write(content)

    def finish(self) -> None:
        """Let the file be seen."""
        if self._file is not None:
            with translated(self._output):
                self._file.finish()

    def close(self) -> None:
        """Leave nothing of a file that is not finished."""
        if self._file is not None:
            self._file.close()


def write_pieces(pieces: Iterable[bytes], output: Path | None, stream: BinaryIO) -> None:
    """Write to the file, which is replaced whole, or without one to the stream."""
    with closing(Pieces(output, stream)) as place:
        for piece in pieces:
            place.write(piece)
        place.finish()
