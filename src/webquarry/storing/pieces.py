"""Results that are written piece by piece, to a file or to a stream."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from webquarry.storing.faults import translated
from webquarry.storing.files import WholeFile


def write_pieces(pieces: Iterable[bytes], output: Path | None, stream: BinaryIO) -> None:
    """Write to the file, which is replaced whole, or without one to the stream."""
    if output is None:
        stream.writelines(pieces)
        stream.flush()
        return
    with translated(output), closing(WholeFile(output)) as file:
        for piece in pieces:
            file.write(piece)
        file.finish()
