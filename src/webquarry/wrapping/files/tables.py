"""A table of a wrapper file, whose mistakes are noted while it is asked for its values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Any

from webquarry.wrapping.files.faults import Faults
from webquarry.wrapping.files.lines import Path

_KINDS = {
    bool: "true or false",
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a table",
    datetime: "a time",
    date: "a date",
    time: "a time",
}
_EXAMPLES = {str: '"..."', int: "1"}


class Table:
    """Gives values of the right type; a default stands for one that is missing or wrong."""

    def __init__(self, values: dict[str, Any], path: Path, faults: Faults) -> None:
        self._values = values
        self._path = path
        self._faults = faults
        self._asked: list[str] = []

    def has(self, key: str) -> bool:
        """Whether there is something for a key."""
        return key in self._values

    def pass_over(self, key: str) -> None:
        """Take a key for known, whatever its value."""
        self._asked.append(key)

    def fault(self, key: str, text: str) -> None:
        """Note what is wrong with the value of a key."""
        self._faults.note((*self._path, key), text)

    def fault_within(self, key: str, inner: int, text: str) -> None:
        """Note what is wrong with a line, from 0, of the text of a key."""
        self._faults.note_within((*self._path, key), inner, text)

    def text(self, key: str, default: str | None = "", *, of: Sequence[str] = ()) -> str:
        """The text of a key: one of those that are known, when they are given; without a default it must be there."""
        value = self._value(key, str, default)
        if value is None:
            return ""
        if of and value not in of:
            self.fault(key, f"`{key}` cannot be {shown(value)}; it is one of {', '.join(of)}{did_you_mean(value, of)}")
        return str(value)

    def number(self, key: str, default: int | None) -> int:
        """The whole number of a key; without a default it must be there."""
        value = self._value(key, int, default)
        return 0 if value is None else int(value)

    def truth(self, key: str) -> bool:
        """Whether a key is true; without it, it is not."""
        return bool(self._value(key, bool, False))

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts in the list of a key."""
        values = self._value(key, list, [])
        wrong = next((value for value in values if not isinstance(value, str)), None)
        if wrong is not None:
            self.fault(key, f"`{key}` must be a list of texts in quotes, and holds {_kind(wrong)}")
        return tuple(value for value in values if isinstance(value, str))

    def table(self, key: str) -> Table:
        """The table of a key; an empty one without it."""
        return Table(self._value(key, dict, {}), (*self._path, key), self._faults)

    def tables(self, key: str) -> list[Table]:
        """The tables that stand under a key in double brackets."""
        self.pass_over(key)
        values = self._values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            self.fault(key, f"`{key}` must be one table or more; write [[{'.'.join(self._names(key))}]] above each")
            return []
        return [Table(value, (*self._path, key, number), self._faults) for number, value in enumerate(values)]

    def close(self) -> None:
        """Note all keys that nobody has asked for."""
        for key in self._values:
            if key not in self._asked:
                hint = did_you_mean(key, self._asked) or f"; there can be {', '.join(self._asked)}"
                self.fault(key, f"`{key}` is not known {self._where()}{hint}")

    def leaves(self) -> Iterator[tuple[tuple[str, ...], Table]]:
        """All keys that hold no table, with the names that lead there; each with the table that it is in."""
        tables: list[tuple[tuple[str, ...], Table]] = [((), self)]
        while tables:
            names, table = tables.pop()
            for key, value in table._values.items():
                if isinstance(value, dict):
                    tables.append(((*names, key), table.table(key)))
                else:
                    yield (*names, key), table

    def _names(self, *keys: str) -> list[str]:
        return [part for part in (*self._path, *keys) if isinstance(part, str)]

    def _where(self) -> str:
        return f"in [{'.'.join(self._names())}]" if self._path else "at the top"

    def _value(self, key: str, kind: type, default: Any) -> Any:
        self._asked.append(key)
        if key not in self._values:
            if default is None:
                self.fault(key, f"`{key}` is missing {self._where()}; write {key} = {_EXAMPLES[kind]}")
            return default
        value = self._values[key]
        if type(value) is kind:  # true is a whole number to Python
            return value
        self.fault(key, f"`{key}` must be {_KINDS[kind]}, not {_kind(value)}")
        return default


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """A question after the known word that is nearest; nothing when none is near."""
    near = get_close_matches(word, known, n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def shown(value: str) -> str:
    """A text of the file fit for a line: in quotes, and not too long."""
    return repr(value if len(value) <= 60 else f"{value[:60]}…")


def _kind(value: object) -> str:
    return shown(value) if isinstance(value, str) else _KINDS[type(value)]
