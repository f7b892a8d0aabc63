"""What is wrong with a wrapper file, gathered so that all of it is told at once."""

from __future__ import annotations

from functools import cached_property

from webquarry.errors import WrapperError
from webquarry.wrapping.files.lines import Path, Place, find_places


class Faults:
    """The mistakes of a file, each with its line; the text is only looked through once there is one."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._text = text
        self._found: list[tuple[int, str]] = []

    def note(self, path: Path, text: str) -> None:
        """Note what is wrong with what stands at a path, or would stand there."""
        self.note_line(self._place(path).line, text)

    def note_line(self, line: int, text: str) -> None:
        """Note what is wrong with a line."""
        self._found.append((line, text))

    def note_within(self, path: Path, inner: int, text: str) -> None:
        """Note what is wrong with a line, from 0, of the text at a path."""
        place = self._place(path)
        first = place.inner_line
        self.note_line(place.line if first is None else first + inner, text)

    def raise_any(self) -> None:
        """Raise what was noted."""
        if self._found:
            raise self.error()

    def error(self) -> WrapperError:
        """What was noted, in the order of the lines."""
        where = f"{self._name}:" if self._name else "line "
        in_order = sorted(self._found, key=lambda fault: fault[0])
        return WrapperError([f"{where}{line}: {text}" for line, text in in_order])

    @cached_property
    def _places(self) -> dict[Path, Place]:
        return find_places(self._text)

    def _place(self, path: Path) -> Place:
        while path:
            if path in self._places:
                return self._places[path]
            path = path[:-1]
        return Place(1)
