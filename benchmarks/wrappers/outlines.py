"""Count the correction steps between the outline found on a page and the true one.

A token of the paper is a heading on the page.  Headings of rows are values, so they get one name for each depth, and
a repeated section has one rule.  Labels that may occur in any section, such as notes, are ignored: the truth of the
fact books does not list them.
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
from webquarry.wrapping.ashish import find_sections, paths

Rows = Mapping[str, int]
"""The depths of headings that are values, by name in snake case."""


@dataclass(frozen=True)
class PageTruth:
    """The true sections of a page."""

    sections: Sequence[Truth]
    """A section's own text beside its subsections is included as `_text`."""
    rows: Rows = field(default_factory=dict)
    free: Collection[str] = ()
    """Labels that may occur in any section, in snake case."""

    @property
    def scored(self) -> list[Truth]:
        """The sections that have a name in a record."""
        return [(path, text) for path, text in self.sections if path[-1] != TEXT]

    def outline(self) -> list[Path]:
        """List the paths of all sections, parents first."""
        return self.plain(_outline(path for path, _ in self.sections))

    def plain(self, outline: Iterable[Path]) -> list[Path]:
        """Name rows by their depth, and drop labels that may occur anywhere."""
        return [tuple(map(self._rename, path)) for path in outline if snake_case(path[-1]) not in self.free]

    def _rename(self, name: str) -> str:
        depth = self.rows.get(snake_case(name))
        return name if depth is None else f"row {depth}"


@dataclass(frozen=True)
class Steps:
    """The correction steps from the structure found to the true one."""

    tokens: int
    """Counted like the paper: each heading added or deleted, and each rule corrected."""
    actions: int
    """Our count: adding or dropping a heading everywhere is one action, and so is correcting a rule."""


def steps_of_ours(extraction: Extraction, truth: PageTruth) -> Steps:
    """Count the steps left after our wrapper has read the page."""
    found, wanted = truth.plain(found_outline(extraction)), truth.outline()
    return _count(found, wanted, count_steps(found, wanted).rules)


def steps_of_ashish(document: Document, truth: PageTruth) -> Steps:
    """Count the steps of the paper's method, which computes the nesting again once the tokens are right."""
    _, found_headings = find_sections(document)
    headings = [each for each in found_headings if snake_case(each.text) not in truth.free]

    def nest(kept: Sequence[int]) -> list[Path]:
        return truth.plain(paths([headings[number] for number in kept]))

    found, wanted = truth.plain(paths(headings)), truth.outline()
    return _count(found, wanted, count_steps(found, wanted, nest=nest).rules)


def found_outline(extraction: Extraction) -> list[Path]:
    """List the paths of the sections that were read, by the headings of the page.

    The title of the page and sections under `_other`, which were not learnt, are left out.
    """
    return _outline(names for names, _ in name_values(extraction) if names and not names[0].startswith("_"))


def read_record(extraction: Extraction) -> dict[str, Any]:
    """Nest the texts by the headings of the page: rows under their own, and a table as one text."""
    record: dict[str, Any] = {}
    for names, text in name_values(extraction):
        here = record
        for name in names[:-1]:
            inner = here.setdefault(name, {})
            if not isinstance(inner, dict):  # the text of a row that also has sections
                inner = here[name] = {TEXT: inner}
            here = inner
        if names and not isinstance(here.get(names[-1]), dict):
            here[names[-1]] = text
    return record


def name_values(extraction: Extraction) -> Iterator[tuple[Path, str]]:
    """Yield the values with the headings that lead to them.

    The heading of a row replaces the name and number of its section, and the row's text comes under it.  A table is
    one text: its header, then its cells.
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
    """Return the headings that lead to a value, and the column if it is a table cell."""
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
    """List each path once, after all its prefixes."""
    known: dict[Path, None] = {}
    for path in found:
        for length in range(1, len(path) + (path[-1] != TEXT)):
            known.setdefault(path[:length])
    return list(known)
