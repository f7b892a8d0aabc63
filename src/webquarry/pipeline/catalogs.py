"""Catalogs: what the files of a folder are to a query.

Wrapper files are sources, `.sql` files are views, `.csv` and `.parquet` files are tables and `.duckdb` files databases,
each under the name of its file in snake case.  Of two with one name a wrapper counts first, then a view, then Parquet.
Files are looked at by their names, and read when a query names them.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from webquarry.errors import InputError, WebquarryError
from webquarry.model import Wrapper
from webquarry.model.naming import list_names, snake_case
from webquarry.pipeline.sources import load_wrapper

Part = Path | Wrapper
"""A file of a catalog, or a wrapper at hand."""
Given = str | Path | Wrapper | Iterable[str | Path | Wrapper]
"""A folder, a file or a wrapper, or several of them."""

_KINDS = {".toml": "wrappers", ".sql": "views", ".parquet": "files", ".csv": "files", ".duckdb": "databases"}
"""What files are by their endings; of those with one name the first counts."""
_ORDER = tuple(_KINDS)
_SOURCE = re.compile(rb"^[ \t]*(\[[ \t]*source[ \t]*\]|source[ \t]*[.=])", re.MULTILINE)
"""What a wrapper has and settings of other programs have not."""

P = TypeVar("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Parts:
    """What there is in a catalog, by the names of tables."""

    wrappers: dict[str, Part] = field(default_factory=dict)
    views: dict[str, Part] = field(default_factory=dict)
    files: dict[str, Part] = field(default_factory=dict)
    databases: dict[str, Part] = field(default_factory=dict)
    hidden: dict[str, list[Part]] = field(default_factory=dict)
    """What another of the same name stands before."""


class Lazy(Mapping[str, T], Generic[P, T]):
    """What is loaded when it is asked for; the case of names does not count."""

    def __init__(self, places: Mapping[str, P], load: Callable[[str, P], T]) -> None:
        self._places = {name.lower(): place for name, place in places.items()}
        self._load = load
        self._loaded: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        name = name.lower()
        if name not in self._loaded:
            self._loaded[name] = self._load(name, self._places[name])
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def items(self) -> ItemsView[str, T]:
        """All that can be loaded; what cannot is a warning, as long as it is not asked for by its name."""
        return _Sound(self)


class _Sound(ItemsView[str, T]):
    def __init__(self, mapping: Mapping[str, T]) -> None:
        super().__init__(mapping)
        self._all = mapping

    def __iter__(self) -> Iterator[tuple[str, T]]:
        for name in self._all:
            try:
                loaded = self._all[name]
            except WebquarryError as error:
                first, *others = str(error).splitlines()
                _log.warning("%s is left out: %s%s", name, first, f" and {len(others)} more" if others else "")
                continue
            yield name, loaded


def find_parts(given: Given) -> Parts:
    """What a folder holds, or what is named one by one; raises for what is not there."""
    several = [given] if isinstance(given, str | Path | Wrapper) else list(given)
    found = [part for each in several for part in _expand(each)]
    parts = Parts()
    for name, kind, part in sorted(found, key=_rank):
        named: dict[str, Part] = getattr(parts, kind)
        taken = named if kind == "databases" else {**parts.wrappers, **parts.views, **parts.files}
        if name in taken:
            parts.hidden.setdefault(name, []).append(part)
        else:
            named[name] = part
    return parts


def open_wrapper(part: Part) -> Wrapper:
    """The wrapper that a part of a catalog is; raises with all of its mistakes."""
    return part if isinstance(part, Wrapper) else load_wrapper(part)


def read_view(part: Part) -> str:
    """The SELECT of a view."""
    from webquarry.storing.texts import read_text  # noqa: PLC0415 - slow to import

    return read_text(Path(str(part))).strip().removesuffix(";")


def tell_hidden(parts: Parts, name: str, chosen: Part) -> None:
    """Warn that others have the name of what a query reads."""
    if parts.hidden.get(name):
        others = list_names([describe(each) for each in parts.hidden[name]])
        _log.warning("%s is %s; the same name have %s", name, describe(chosen), others)


def describe(part: Part) -> str:
    """A part by its file, or as what it is."""
    return f"the wrapper {part.source.name}" if isinstance(part, Wrapper) else str(part)


def _expand(named: str | Path | Wrapper) -> Iterator[tuple[str, str, Part]]:
    """The name, the kind and the place of each part."""
    if isinstance(named, Wrapper):
        yield snake_case(named.source.name), "wrappers", named
        return
    if not isinstance(named, str | Path):
        raise TypeError(f"a catalog is made of folders, files and wrappers, not of a {type(named).__name__}")
    path = Path(named)
    if path.is_dir():
        yield from _list_folder(path)
    elif not path.is_file():
        raise InputError(f"{path}: there is no such folder or file; a catalog is a folder of wrapper files")
    elif path.suffix.lower() not in _KINDS:
        raise InputError(f"{path}: this cannot be a table; a catalog is made of files that end in {', '.join(_KINDS)}")
    else:
        yield snake_case(path.stem), _KINDS[path.suffix.lower()], path


def _list_folder(folder: Path) -> Iterator[tuple[str, str, Part]]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in _KINDS)
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({error.strerror or error})") from error
    for path in paths:
        if not path.name.startswith(".") and path.is_file() and (path.suffix.lower() != ".toml" or _is_wrapper(path)):
            yield snake_case(path.stem), _KINDS[path.suffix.lower()], path


def _is_wrapper(path: Path) -> bool:
    """Whether a TOML file means to be a wrapper, right or wrong; it is not parsed, which takes much longer."""
    try:
        return _SOURCE.search(path.read_bytes()) is not None
    except OSError:
        return True  # that it cannot be read is told when a query names it


def _rank(found: tuple[str, str, Part]) -> int:
    _, _, part = found
    return _ORDER.index(part.suffix.lower()) if isinstance(part, Path) else 0
