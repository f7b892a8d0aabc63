"""What a query gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webquarry.model.arrow_values import list_values, to_line
from webquarry.model.names import list_names
from webquarry.model.nouns import ROWS_SHOWN, html_table
from webquarry.model.page import Failure

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True)
class Answer:
    """The rows that a query gives, and what it took."""

    table: pa.Table
    failures: tuple[Failure, ...] = ()
    """Pages that could not be had or read: their rows are missing."""
    pages: Mapping[str, int] = field(default_factory=dict)
    """How many pages were fetched, by source; index pages are counted."""

    @property
    def is_partial(self) -> bool:
        """Whether rows may be missing, because pages are."""
        return bool(self.failures)

    def to_arrow(self) -> pa.Table:
        """The rows, as they are."""
        return self.table

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a data frame; nested columns are dictionaries and arrays."""
        frame: pd.DataFrame = self.table.to_pandas()
        return frame

    def _repr_html_(self) -> str:
        first = [list_values(column) for column in self.table.slice(0, ROWS_SHOWN).columns]
        rows = ([to_line(value) for value in row] for row in zip(*first, strict=True))
        names = self.table.column_names
        return html_table(names, rows, self._summary, [name == "_page" for name in names])

    @property
    def _summary(self) -> str:
        said = _count(self.table.num_rows, "row")
        if self.table.num_rows > ROWS_SHOWN:
            said += f"; {self.table.num_rows - ROWS_SHOWN:,} more are not shown"
        if self.is_partial:
            said += f"; partial, as {_count(len(self.failures), 'page')} could not be had or read"
        return said


@dataclass(frozen=True)
class Step:
    """How a source of a query is read."""

    source: str
    alias: str
    """What the query calls it."""
    key: str
    binding: str
    """Where its keys come from, in words."""
    pages: int | None
    """How many pages are to be fetched; None when that is known later."""
    at_most: int | None
    """How many it can be, where that is known."""
    index_pages: int
    """How many are fetched besides to learn which there are; of a source that is read twice in the first step."""
    sections: tuple[str, ...]
    """What is read of each page; nothing when the index tells all."""
    is_rendered: bool

    @property
    def called(self) -> str:
        """The source, and what the query calls it if that is something else."""
        return self.source if self.alias in ("", self.source) else f"{self.source} as {self.alias}"

    @property
    def count(self) -> str:
        """How many pages, in words."""
        pages = _count_pages(self.pages, self.at_most)
        if not self.index_pages:
            return pages
        return "its index" if self.pages == 0 else f"{pages} and its index"


@dataclass(frozen=True)
class Plan:
    """What a query would fetch and read, in order."""

    steps: tuple[Step, ...]

    @property
    def count(self) -> str:
        """How many pages in all, in words; a page that two steps need is counted in the first."""
        if not self.steps:
            return "no page"
        known = [step.pages for step in self.steps if step.pages is not None]
        bounds = [step.at_most if step.pages is None else step.pages for step in self.steps]
        indexes = sum(step.index_pages for step in self.steps)
        at_most = None if None in bounds else indexes + sum(bound or 0 for bound in bounds)
        return _count_pages(at_most if len(known) == len(bounds) else None, at_most)

    def to_text(self) -> str:
        """The steps for a person: a line for each, what it reads below it, and the pages in all.

        >>> Plan((Step("book", "b", "country", "country = 'France'", 1, 1, 0, ("geography.area",), False),)).to_text()
        "1. book as b: 1 page, static\\n   keys   country = 'France'\\n   reads  geography.area\\n1 page in all\\n"
        """
        lines = [line for number, step in enumerate(self.steps, start=1) for line in _outline(number, step)]
        return "".join(f"{line}\n" for line in [*lines, f"{self.count} in all"])

    def to_dict(self) -> dict[str, Any]:
        """The steps as plain values fit for JSON."""
        return {
            "steps": [
                {
                    "source": step.source,
                    "alias": step.alias,
                    "key": step.key or None,
                    "binding": step.binding,
                    "pages": step.pages,
                    "at_most": step.at_most,
                    "index_pages": step.index_pages,
                    "sections": list(step.sections),
                    "rendered": step.is_rendered,
                }
                for step in self.steps
            ]
        }

    def _repr_html_(self) -> str:
        heads = ("source", "pages", "keys", "reads", "how")
        rows = [(step.called, step.count, step.binding, _reads(step), _how(step)) for step in self.steps]
        return html_table(heads, rows, f"{self.count} in all", [False] * len(heads))


def _outline(number: int, step: Step) -> list[str]:
    head = f"{number}. {step.called}: {step.count}, {_how(step)}"
    told = {"keys": step.binding, "reads": _reads(step)}
    return [head, *(f"   {name:<5}  {text}" for name, text in told.items() if text)]


def _reads(step: Step) -> str:
    return list_names(step.sections) or "nothing: the index tells all"


def _how(step: Step) -> str:
    return "rendered" if step.is_rendered else "static"


def _count_pages(pages: int | None, at_most: int | None) -> str:
    if pages is not None:
        return _count(pages, "page") if pages else "no page"
    return "a number of pages known later" if at_most is None else f"at most {_count(at_most, 'page')}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
