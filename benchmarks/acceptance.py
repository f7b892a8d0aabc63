"""Count how many outputs of a system strict XML readers accept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from xml.parsers import expat

import lxml.etree

from benchmarks.pool import work_through
from benchmarks.systems import load


def read_with_lxml(document: bytes) -> None:
    lxml.etree.fromstring(document, lxml.etree.XMLParser())


def read_with_expat(document: bytes) -> None:
    expat.ParserCreate().Parse(document, True)


def read_with_expat_namespaces(document: bytes) -> None:
    expat.ParserCreate(namespace_separator=" ").Parse(document, True)


READERS: dict[str, Callable[[bytes], None]] = {
    "lxml": read_with_lxml,
    "expat": read_with_expat,
    "expat with namespaces": read_with_expat_namespaces,
}


def find_objection(document: str) -> str | None:
    """Return the objection of the first reader that rejects the document, or None if all accept it.

    >>> find_objection("<p/>"), find_objection("<o:p/>")
    (None, 'lxml: Namespace prefix o on p is not defined, line 1, column 5 (<string>, line 1)')
    """
    try:
        encoded = document.encode()
    except UnicodeEncodeError as error:
        return f"UTF-8: {error.reason}"
    for name, read in READERS.items():
        try:
            read(encoded)
        except (lxml.etree.XMLSyntaxError, expat.ExpatError) as error:
            return f"{name}: {error}"
    return None


class Source(Protocol):
    """A page of a corpus, or a mutant of one."""

    @property
    def name(self) -> str: ...

    def markup(self) -> str: ...


@dataclass(frozen=True)
class Job:
    """A page and the systems to clean it with."""

    page: Source
    systems: tuple[str, ...]


@dataclass
class Acceptance:
    """The number of outputs of a system, and the page and objection for each rejected one."""

    total: int = 0
    objections: list[tuple[str, str]] = field(default_factory=list)

    @property
    def share(self) -> float:
        return 1 - len(self.objections) / self.total if self.total else 1.0


def make_jobs(pages: Sequence[Source], ours: Iterable[str], peers: Iterable[str], peers_see: set[int]) -> list[Job]:
    """Make jobs: all pages for our methods, those at the places `peers_see` also for the peers."""
    all_systems = (*ours, *peers)
    return [Job(page, all_systems if place in peers_see else tuple(ours)) for place, page in enumerate(pages)]


def judge(job: Job) -> dict[str, str | None]:
    """Return by system the first objection to its output, or None."""
    markup = job.page.markup()
    return {name: _objection(name, markup) for name in job.systems}


def measure_acceptance(jobs: Sequence[Job], label: str) -> dict[str, Acceptance]:
    """Measure the acceptance of each system over all its jobs."""
    scores: defaultdict[str, Acceptance] = defaultdict(Acceptance)
    for job, objections in zip(jobs, work_through(judge, jobs, label), strict=True):
        for name, objection in objections.items():
            scores[name].total += 1
            if objection is not None:
                scores[name].objections.append((job.page.name, objection))
    return dict(scores)


def _objection(name: str, markup: str) -> str | None:
    system = load(name)
    if system is None:
        return "not installed"
    try:
        written = system.clean(markup)
    except Exception as error:  # noqa: BLE001 - a system may raise anything
        return f"raises {error!r}"
    return find_objection(written)
