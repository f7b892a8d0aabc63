"""Read the detail pages of five sites and the true values of their attributes, and score fields against them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path

import webquarry as wq
from benchmarks.scoring.sections import plain_name
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction
from webquarry.model.page import Page

LEARNT = 10
"""The number of pages to learn from; the others are read."""
_NONE = "<NULL>"


@dataclass(frozen=True)
class Site:
    """A site; `files` hold its attributes."""

    name: str
    paths: tuple[Path, ...]
    files: tuple[Path, ...]

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        return tuple(wq.clean(Page(path.resolve().as_uri(), path.read_bytes())) for path in self.paths)

    @property
    def samples(self) -> tuple[Document, ...]:
        return self.documents[:LEARNT]

    @property
    def others(self) -> tuple[Document, ...]:
        return self.documents[LEARNT:]

    @cached_property
    def attributes(self) -> dict[str, list[list[str]]]:
        """The true values of each page by attribute; empty if a page has none."""
        names = (file.stem.removeprefix(f"{self.name}-") for file in self.files)
        return dict(zip(names, (self._read(file) for file in self.files), strict=True))

    def _read(self, file: Path) -> list[list[str]]:
        lines = [line.split("\t") for line in file.read_text("utf-8-sig").splitlines()[2:]]
        values = {number: [unescape(each) for each in found if each != _NONE] for number, _, *found in lines}
        return [values.get(path.stem, []) for path in self.paths]


@dataclass(frozen=True)
class AttributeScore:
    """On the pages with an attribute, how often the best field equals it."""

    attribute: str
    field: str
    pages: int
    equal: int
    inside: int
    """Pages on which some field contains the value, alone or among other words."""

    @property
    def is_found(self) -> bool:
        return self.equal == self.pages

    @property
    def share(self) -> float:
        return self.equal / self.pages


def find_sites(root: Path) -> list[Site]:
    """List the sites that the corpora have."""
    truths = sorted((root / "swde" / "groundtruth").glob("*.txt"))
    names = dict.fromkeys(file.stem.rpartition("-")[0] for file in truths)
    return [
        Site(
            name,
            tuple(sorted((root / "swde" / name).glob("*.htm"))),
            tuple(file for file in truths if file.stem.startswith(f"{name}-")),
        )
        for name in names
    ]


def score_site(site: Site, extractions: Sequence[Extraction]) -> list[AttributeScore]:
    """Find the best field for each attribute, given the extractions of the pages that were not learnt from."""
    pages = [_fields(extraction) for extraction in extractions]
    found = {name: values[LEARNT:] for name, values in site.attributes.items()}
    return [_score(name, values, pages) for name, values in found.items() if any(values)]


def _fields(extraction: Extraction) -> dict[str, str]:
    """Return the words of each field by path; paths of repeated sections include their numbers."""
    return {".".join(map(str, value.path)): plain_name(value.text) for value in extraction.values}


def _score(name: str, truths: Sequence[Sequence[str]], pages: Sequence[Mapping[str, str]]) -> AttributeScore:
    equal: Counter[str] = Counter()
    total = inside = 0
    for values, fields in zip(truths, pages, strict=True):
        wanted = {plain_name(value) for value in values} - {""}
        if wanted:
            total += 1
            inside += any(f" {value} " in f" {text} " for value in wanted for text in fields.values())
            equal.update(_equal_fields(values, wanted, fields))
    field, number = max(equal.items(), key=lambda item: item[1], default=("", 0))
    return AttributeScore(name, field, total, number, inside)


def _equal_fields(values: Sequence[str], wanted: set[str], fields: Mapping[str, str]) -> Iterator[str]:
    """Yield the fields that have the words of one value, or of all values in any order."""
    together = sorted(plain_name(" ".join(values)).split())
    by_text: dict[str, list[str]] = defaultdict(list)
    for field, text in fields.items():
        by_text[text].append(field)
    for text, names in by_text.items():
        if text in wanted or sorted(text.split()) == together:
            yield from names
