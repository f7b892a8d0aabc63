"""What a wrapper finds on a page."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Any

from webquarry.model import nouns as notebook
from webquarry.model.wrapper import TEXT
from webquarry.values.text_value import Value

Path = tuple[str | int, ...]
"""The way to a value, from the outermost section inwards."""


@dataclass(frozen=True)
class SectionValue:
    """A value of a page, and where it stands."""

    path: Path
    """Names in snake case from the outermost section inwards; of a repeated section its number, from 0, follows."""
    headings: Path
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
    key: str | None = None
    """What tells the page apart from the others of its source, such as the name of its country."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def record(self) -> dict[str, Any]:
        """The texts, nested as the sections are, under the names that the page gives them."""
        return nest((value.headings, value.text) for value in self.values if value.headings)

    def to_dict(self) -> dict[str, Any]:
        """The record with its typed values and nodes, as plain values fit for JSON."""
        paths = [_dotted(value.path) for value in self.values]
        named = list(zip(paths, self.values, strict=True))
        return {
            "page": self.page,
            "document": self.document,
            "source": self.source,
            **({} if self.key is None else {"key": self.key}),
            "record": self.record,
            "typed": {path: _plain(value.typed) for path, value in named if value.typed is not None},
            "nodes": {path: value.node for path, value in named},
        }

    def _repr_html_(self) -> str:
        count = f"{len(self.values):,} value{'s' * (len(self.values) != 1)} of {self.page}"
        return notebook.tree(self.record, count)


def nest(values: Iterable[tuple[Path, str]]) -> dict[str, Any]:
    """Texts by their paths, as objects in objects; a number in a path is a place in an array.

    A text where sections stand is `_text` among them, and a second text of the same path gets a number.

    >>> nest([(("Area", "total"), "9 km"), (("Area",), "small"), (("Borders", 0, "_heading"), "Elm")])
    {'Area': {'total': '9 km', '_text': 'small'}, 'Borders': [{'_heading': 'Elm'}]}
    """
    root: dict[str, Any] = {}
    above: Path = ()
    here: Any = root
    for path, text in values:
        if path[:-1] != above:  # most values stand beside the one before
            above, here = path[:-1], _reach(root, path)
        _put(here, path[-1], text)
    return root


def _reach(root: dict[str, Any], path: Path) -> Any:
    """The object or array that holds what is at the path."""
    here: Any = root
    for name, following in pairwise(path):
        here = _enter(here, name, [] if isinstance(following, int) else {})
    return here


def _put(here: Any, last: str | int, text: str) -> None:
    if isinstance(here, list):
        if isinstance(last, str) or last >= len(here):
            here.append(text)
            return
        here, last = _enter(here, last, {}), TEXT
    elif isinstance(here.get(str(last)), dict):
        here, last = here[str(last)], TEXT
    if isinstance(here, list):
        here.append(text)
    else:
        here[_free(here, str(last))] = text


def _enter(here: Any, name: str | int, empty: Any) -> Any:
    """What stands under the name, made when nothing does."""
    if isinstance(here, list):
        if isinstance(name, str):
            here.append({})
            return _enter(here[-1], name, empty)
        while len(here) <= name:
            here.append(type(empty)())
    else:
        name = str(name)
        here.setdefault(name, empty)
    if isinstance(here[name], str):
        here[name] = {TEXT: here[name]}
    return here[name]


def _free(record: dict[str, Any], name: str) -> str:
    number, candidate = 2, name
    while candidate in record:
        candidate = f"{name}_{number}"
        number += 1
    return candidate


@lru_cache(maxsize=4096)  # the pages of a source have the same paths
def _dotted(path: Path) -> str:
    """The path with dots between.

    >>> _dotted(("geography", "borders", 0, "length"))
    'geography.borders[0].length'
    """
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def _plain(typed: Value | tuple[Value | str, ...]) -> Any:
    if isinstance(typed, tuple):
        return [part if isinstance(part, str) else _plain(part) for part in typed]
    said = typed.value
    if isinstance(said, date):
        return {"value": said.isoformat(), "unit": typed.unit}
    return {"value": said if math.isfinite(said) else None, "unit": typed.unit}  # JSON has no infinity
