"""What a wrapper finds on a page."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from webquarry.values import Value


@dataclass(frozen=True)
class SectionValue:
    """A value of a page, and where it stands."""

    path: tuple[str | int, ...]
    """Names in snake case from the outermost section inwards; of a repeated section its number, from 0, follows."""
    headings: tuple[str | int, ...]
    """The same, as the page writes the names; none when the record has the value in parts."""
    text: str
    node: str
    """The address of the smallest element that holds the value and nothing else, or else of where it begins."""
    typed: Value | tuple[Value | str, ...] | None = None
    """What the text says as a number, date, truth or list."""


@dataclass(frozen=True)
class Extraction:
    """The values that a wrapper finds on a page, in their order."""

    page: str
    document: str
    """Which tree the addresses are on: static, rendered or scripts."""
    source: str
    values: tuple[SectionValue, ...] = ()
    missing: tuple[str, ...] = ()
    """Paths of the sections that every sample has and this page has not."""
    unknown: tuple[str, ...] = ()
    """Headings that stand on the page and not in the grammar."""

    @property
    def record(self) -> dict[str, Any]:
        """The texts, nested as the sections are, under the names that the page gives them."""
        root: dict[str, Any] = {}
        for value in self.values:
            if value.headings:
                _put(root, value.headings, value.text)
        return root

    def to_dict(self) -> dict[str, Any]:
        """The record with its typed values and nodes, as plain values fit for JSON."""
        typed = {_dotted(value.path): _plain(value.typed) for value in self.values if value.typed is not None}
        nodes = {_dotted(value.path): value.node for value in self.values}
        return {
            "page": self.page,
            "document": self.document,
            "source": self.source,
            "record": self.record,
            "typed": typed,
            "nodes": nodes,
        }


def _put(record: dict[str, Any], path: tuple[str | int, ...], text: str) -> None:
    here: Any = record
    for name, following in pairwise(path):
        inside: Any = [] if isinstance(following, int) else {}
        if isinstance(name, int):
            while len(here) <= name:
                here.append(inside)
            here = here[name]
        else:
            here = here.setdefault(name, inside)
    last = path[-1]
    if isinstance(last, int):
        here.append(text)
    else:
        here[last] = text


def _dotted(path: tuple[str | int, ...]) -> str:
    """The path with dots between.

    >>> _dotted(("geography", "borders", 0, "length"))
    'geography.borders[0].length'
    """
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def _plain(typed: Value | tuple[Value | str, ...]) -> Any:
    if isinstance(typed, tuple):
        return [part if isinstance(part, str) else _plain(part) for part in typed]
    value = typed.value if isinstance(typed.value, int | float) else typed.value.isoformat()
    return {"value": value, "unit": typed.unit}
