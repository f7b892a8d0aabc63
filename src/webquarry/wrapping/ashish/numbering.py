"""Names that no two sections of one parent share."""

from __future__ import annotations


class Numbering:
    """Gives names as they are asked for; the time for each does not grow with how often it was."""

    def __init__(self) -> None:
        self._given: set[tuple[int, str]] = set()
        self._next: dict[tuple[int, str], int] = {}

    def distinct(self, parent: int, name: str) -> str:
        """The name, or with `_2` and so on when the parent has one of it.

        >>> numbering = Numbering()
        >>> [numbering.distinct(0, name) for name in ("note", "note", "note_2", "note")], numbering.distinct(1, "note")
        (['note', 'note_2', 'note_2_2', 'note_3'], 'note')
        """
        number, given = self._next.get((parent, name), 1), name
        while (parent, given) in self._given:
            number += 1
            given = f"{name}_{number}"
        self._next[parent, name] = number
        self._given.add((parent, given))
        return given
