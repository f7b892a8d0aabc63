"""Outlines of pages, found and wanted, and the correction steps between the two.

A token of the paper is a heading on the page.  The headings of rows, which are values, are called by one name for each
depth, so that a repeated section has one rule.  Labels that may stand in any section, such as notes, are neither
wanted nor unwanted: the truth of a fact book does not tell them, and no method is held to account for them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.scoring.correction_steps import Path, count_steps, match_names
from benchmarks.scoring.sections import Truth
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import snake_case
from webquarry.model.wrapper import HEADING, TEXT
from webquarry.wrapping.ashish import find_headings, paths, raw_text

Rows = Mapping[str, int]
"""The headings that are values, in snake case, with their depths."""


@dataclass(frozen=True)
class PageTruth:
    """What stands on a page."""

    sections: Sequence[Truth]
    """Also a section's own text beside the sections in it, as `_text`."""
    rows: Rows = field(default_factory=dict)
    free: Collection[str] = ()
    """In snake case the labels that may stand in any section."""

    @property
    def scored(self) -> list[Truth]:
        """The sections that a record has under their own names."""
        return [(path, text) for path, text in self.sections if path[-1] != TEXT]

    def outline(self) -> list[Path]:
        """The paths of all sections, each behind those that it is in."""
        return self.plain(_outline(path for path, _ in self.sections))

    def plain(self, outline: Iterable[Path]) -> list[Path]:
        """The outline with rows called by their depth, and without labels that may stand anywhere."""
        return [tuple(map(self._rename, path)) for path in outline if snake_case(path[-1]) not in self.free]

    def _rename(self, name: str) -> str:
        depth = self.rows.get(snake_case(name))
        return name if depth is None else f"row {depth}"


@dataclass(frozen=True)
class Steps:
    """From a page as it was structured to the right structure."""

    tokens: int
    """As the paper counts: each heading added or deleted, and each rule corrected."""
    actions: int
    """As we count: a heading added or dropped wherever it stands is one action, and so is a rule corrected."""


def steps_of_ours(extraction: Extraction, truth: PageTruth) -> Steps:
    """The steps that are left once the wrapper has read the page."""
    found, wanted = truth.plain(found_outline(extraction)), truth.outline()
    return _count(found, wanted, count_steps(found, wanted).rules)


def steps_of_ashish(document: Document, truth: PageTruth) -> Steps:
    """The steps by the paper's own way, which nests anew once the tokens are right."""
    headings = [each for each in find_headings(raw_text(document)) if snake_case(each.text) not in truth.free]

    def nest(kept: Sequence[int]) -> list[Path]:
        return truth.plain(paths([headings[number] for number in kept]))

    found, wanted = truth.plain(paths(headings)), truth.outline()
    return _count(found, wanted, count_steps(found, wanted, nest=nest).rules)


def found_outline(extraction: Extraction) -> list[Path]:
    """The paths of the sections that were read, by the headings of the page.

    Its title is no section, and what is kept as `_other` is none that was learnt.
    """
    return _outline(names for names, _ in name_values(extraction) if names and not names[0].startswith("_"))


def read_record(extraction: Extraction) -> dict[str, Any]:
    """The texts nested by the headings of the page: rows under theirs, and a table as one text."""
    record: dict[str, Any] = {}
    for names, text in name_values(extraction):
        here = record
        for name in names[:-1]:
            inner = here.setdefault(name, {})
            if not isinstance(inner, dict):  # text of a row that has sections too
                inner = here[name] = {TEXT: inner}
            here = inner
        if names and not isinstance(here.get(names[-1]), dict):
            here[names[-1]] = text
    return record


def name_values(extraction: Extraction) -> Iterator[tuple[Path, str]]:
    """The values with the headings that lead to them.

    The heading of a row is in the place of its section's name and number, and its text is the row's own.  A table is
    one text: its header, and then its cells.
    """
    rows = {value.path[:-1]: value.text for value in extraction.values if value.path[-1] == HEADING}
    texts: dict[Path, str] = {}
    headers: dict[Path, dict[str, None]] = {}
    for value in extraction.values:
        if not value.headings or value.path[-1] == HEADING:
            continue
        names, column = _named(value, rows)
        if column is not None:
            headers.setdefault(names, {}).setdefault(column)
        texts[names] = f"{texts[names]} {value.text}" if names in texts else value.text
    for names, text in texts.items():
        yield names, " ".join([*headers.get(names, ()), text])


def _named(value: SectionValue, rows: Mapping[tuple[str | int, ...], str]) -> tuple[Path, str | None]:
    """The headings that lead to a value, and of a cell of a table its column."""
    names: list[str] = []
    for place, name in enumerate(value.headings):
        if isinstance(name, str):
            names.append(name)
        elif (row := rows.get(value.path[: place + 1])) is not None:
            names[-1] = row
        else:
            return tuple(names), " ".join(map(str, value.headings[place + 1 :]))
    is_of_row = value.path[-1] == TEXT and value.path[:-1] in rows
    return tuple(names[:-1] if is_of_row else names), None


def _count(found: Sequence[Path], wanted: Sequence[Path], rules: int) -> Steps:
    said, true = ([snake_case(path[-1]) for path in each] for each in (found, wanted))
    pairs = match_names(said, true)
    kept, placed = {number for number, _ in pairs}, {place for _, place in pairs}
    deleted = [name for number, name in enumerate(said) if number not in kept]
    added = [name for place, name in enumerate(true) if place not in placed]
    return Steps(len(deleted) + len(added) + rules, len(set(deleted)) + len(set(added)) + rules)


def _outline(found: Iterable[Path]) -> list[Path]:
    """Each path once, behind those that it begins with."""
    known: dict[Path, None] = {}
    for path in found:
        for length in range(1, len(path) + (path[-1] != TEXT)):
            known.setdefault(path[:length])
    return list(known)
