"""Differences between pages and the wrapper that reads them: the result of checking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from webquarry.model.extraction import Extraction
from webquarry.model.nouns import html_table
from webquarry.model.page import Failure
from webquarry.model.wording import count, list_names, printable
from webquarry.model.wrapper import Wrapper

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
