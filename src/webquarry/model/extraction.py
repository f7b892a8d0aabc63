"""The values that a wrapper finds on a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from webquarry.model.names import split_key
from webquarry.model.nouns import html_tree, value_to_dict
from webquarry.model.wording import count, shorten
from webquarry.model.wrapper import TEXT
from webquarry.values.text_value import Value

Path = tuple[str | int, ...]
"""The path of a value, from the outermost section inwards."""


@dataclass(frozen=True)
class SectionValue:
    """A value of a page, and its place."""

    path: Path
    """Names in snake case from the outermost section inwards; after a repeated section comes its number, from 0."""
    headings: Path
    """The same with names as on the page; empty if the record has the value in parts."""
    text: str
    node: str
    """The XPath of the smallest element that holds just this value, or else of the node where it begins."""
    typed: Value | tuple[Value | str, ...] | None = None
    """The text as a number, date, boolean or list."""


@dataclass(frozen=True)
class Extraction:
    """The values that a wrapper finds on a page, in order."""

    page: str
    document: str
    """The kind of tree that the XPaths refer to: static, rendered or scripts."""
    source: str
    values: tuple[SectionValue, ...] = ()
    missing: tuple[str, ...] = ()
    """Paths of sections that every sample has and this page lacks."""
    unknown: tuple[str, ...] = ()
    """Headings of the page that are not in the grammar."""
    key: str | None = None
    """Identifies the page within its source, such as the name of a country."""

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<Extraction of {shorten(self.page)}: {count(len(self.values), 'value')} of {self.source}>"

    @property
    def record(self) -> dict[str, Any]:
        """The texts nested as the sections are, under their names on the page."""
        return nest((value.headings, value.text) for value in self.values if value.headings)

    def to_dict(self) -> dict[str, Any]:
        """Convert the record with its typed values and nodes to plain values for JSON."""
        paths = [_dotted(value.path) for value in self.values]
        named = list(zip(paths, self.values, strict=True))
        return {
            "page": self.page,
            "document": self.document,
            "source": self.source,
            **({} if self.key is None else {"key": _plain_key(self.key)}),
            "record": self.record,
            "typed": {path: _plain(value.typed) for path, value in named if value.typed is not None},
            "nodes": {path: value.node for path, value in named},
        }

    def _repr_html_(self) -> str:
        return html_tree(self.record, f"{count(len(self.values), 'value')} of {self.page}")


def _plain_key(key: str) -> str | list[str]:
    """Write a key of several parts as a list."""
    parts = split_key(key)
    return parts if len(parts) > 1 else key


def nest(values: Iterable[tuple[Path, str]]) -> dict[str, Any]:
    """Nest texts by their paths as objects in objects; a number in a path is an index into an array.

    A text beside sub-sections is named `_text`, and a second text at the same path gets a number.

    >>> nest([(("Area", "total"), "9 km"), (("Area",), "small"), (("Borders", 0, "_heading"), "Elm")])
    {'Area': {'total': '9 km', '_text': 'small'}, 'Borders': [{'_heading': 'Elm'}]}
    """
    root: dict[str, Any] = {}
    above: Path = ()
    here: Any = root
    for path, text in values:
        if path[:-1] != above:  # most values have the parent of the one before
            above, here = path[:-1], _reach(root, path)
        _put(here, path[-1], text)
    return root


def _reach(root: dict[str, Any], path: Path) -> Any:
    """Find or make the object or array that holds the end of the path."""
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
    """Find or make the object or array under a name."""
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
    """Join a path with dots.

    >>> _dotted(("geography", "borders", 0, "length"))
    'geography.borders[0].length'
    """
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def _plain(typed: Value | tuple[Value | str, ...]) -> Any:
    if isinstance(typed, tuple):
        return [part if isinstance(part, str) else value_to_dict(part) for part in typed]
    return value_to_dict(typed)
