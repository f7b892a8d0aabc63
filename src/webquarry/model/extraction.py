"""The values that a wrapper finds on a page, and drift: how pages differ from what the wrapper expects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

from webquarry.model.names import split_key
from webquarry.model.nouns import html_table, html_tree, value_to_dict
from webquarry.model.page import Failure
from webquarry.model.wording import count, list_names, printable, shorten
from webquarry.model.wrapper import TEXT, Wrapper
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


MIN_SHARE_OF_DRIFT = 0.5
"""Share of pages that lack a section of every sample, or have a heading of none, from which on the template has
changed; fewer are just odd pages."""
NAMES_PER_PAGE = 8
"""Section names in the line of a page."""


@dataclass(frozen=True)
class PageDrift:
    """The number of values on a page, the sections that it lacks, and the headings that the wrapper does not know."""

    page: str
    values: int
    missing: tuple[str, ...]
    unknown: tuple[str, ...]

    @classmethod
    def of(cls, extraction: Extraction) -> PageDrift:
        """Take from an extraction what differs from its wrapper."""
        found = dict.fromkeys(extraction.missing), dict.fromkeys(extraction.unknown)
        return cls(extraction.page, len(extraction.values), tuple(found[0]), tuple(found[1]))

    def describe(self) -> str:
        """Say what differs, in one line."""
        said = count(self.values, "value")
        if self.missing:
            said += f"; not found: {list_names(self.missing, NAMES_PER_PAGE)}"
        if self.unknown:
            said += f"; not in the grammar: {list_names(self.unknown, NAMES_PER_PAGE)}"
        return said


@dataclass(frozen=True)
class Drift:
    """Differences between pages and what their wrapper expects."""

    source: str
    """The name of the wrapper's source."""
    pages: tuple[PageDrift, ...] = field(default=(), repr=False)
    failures: tuple[Failure, ...] = ()
    """Pages that could not be read."""

    @classmethod
    def of(cls, wrapper: Wrapper, results: Iterable[Extraction | Failure]) -> Drift:
        """Take from the extractions of pages what differs from their wrapper."""
        given = [each if isinstance(each, Failure) else PageDrift.of(each) for each in results]
        failures = tuple(each for each in given if isinstance(each, Failure))
        return cls(wrapper.source.name, tuple(each for each in given if isinstance(each, PageDrift)), failures)

    def __repr__(self) -> str:
        state = "the template seems to have changed" if self.is_serious else "as expected"
        return f"<Drift of {self.source}: {count(len(self.pages), 'page')}, {state}>"

    def _repr_html_(self) -> str:
        rows = [(page.page, page.describe()) for page in self.pages]
        return html_table(("page", "found"), rows, repr(self).strip("<>"), (True, False))

    @cached_property
    def missing(self) -> Counter[str]:
        """For each section of every sample that pages lack, the number of these pages."""
        return Counter(name for page in self.pages for name in page.missing)

    @cached_property
    def unknown(self) -> Counter[str]:
        """For each heading that is not in the grammar, the number of pages that have it."""
        return Counter(name for page in self.pages for name in page.unknown)

    def find_example(self, heading: str) -> str:
        """Find the first page that has a heading that is not in the grammar."""
        return next(page.page for page in self.pages if heading in page.unknown)

    @property
    def is_serious(self) -> bool:
        """True if the template seems to have changed."""
        empty = sum(not page.values for page in self.pages)
        counts = [empty, *self.missing.values(), *self.unknown.values()]
        return bool(self.pages) and max(counts) >= MIN_SHARE_OF_DRIFT * len(self.pages)

    def describe(self) -> Iterator[str]:
        """Say line by line what differs, most frequent first."""
        for what, counts in (("expected and not found", self.missing), ("not in the grammar", self.unknown)):
            if counts:
                yield f"{what}, number of pages of {len(self.pages)}:"
                ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
                yield from (f"{number:>7}  {printable(name)}" for name, number in ordered)
