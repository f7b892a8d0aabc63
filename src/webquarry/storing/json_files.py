"""JSON: for each page an object, with the error in that of a page that failed."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from webquarry.model import Failure
from webquarry.storing.json_texts import to_json
from webquarry.storing.pieces import Pieces
from webquarry.storing.results import Storable


class JsonLines:
    """A line a page; on a stream each as soon as it is there."""

    opening, between, closing = "", "", ""

    def __init__(self, output: Path | None, stream: BinaryIO) -> None:
        self._pieces = Pieces(output, stream)
        self._any = False
        self._write(self.opening)

    def add(self, result: Storable) -> None:
        """Write the result of a page."""
        plain = {"page": result.page, "error": result.error} if isinstance(result, Failure) else result.to_dict()
        text = to_json(plain)
        self._write((self.between if self._any else "") + text + "\n")
        self._any = True

    def finish(self) -> str | None:
        """Let the file be seen."""
        self._write(self.closing)
        self._pieces.finish()
        return None

    def close(self) -> None:
        """Leave nothing of a file that is not finished."""
        self._pieces.close()

    def _write(self, text: str) -> None:
        self._pieces.write(text.encode())


class JsonArray(JsonLines):
    """One array, with an element a page, each on a line of its own."""

    opening, between, closing = "[\n", ",", "]\n"
