"""Correct a wrapper of the paper's method as a user who knows the sections of its sample page.

Tokens come first: wrong ones are dropped and missing ones added where they belong.  Then sections in wrong places are
moved, outer ones first.  A correction that is refused is left out.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress

from benchmarks.scoring.correction_steps import Path
from benchmarks.wrappers.outlines import PageTruth
from webquarry.errors import InputError
from webquarry.model.document import Document
from webquarry.model.wrapper import OTHER, TEXT, Wrapper
from webquarry.wrapping.ashish import trace_ashish
from webquarry.wrapping.corrections import Correction, correct
from webquarry.wrapping.heading_names import heading_name

MAX_ROUNDS = 4
"""Rounds of corrections: dropping a heading can uncover others, and moves can wait for other moves."""


def correct_page(wrapper: Wrapper, document: Document, truth: PageTruth) -> Wrapper:
    """Correct a wrapper until it finds the true sections of a page, or no correction helps."""
    wanted = list(_wanted(truth))
    for _ in range(MAX_ROUNDS):
        before = wrapper
        for step in (_drop, _add, _move):
            for action in step(wrapper, document, truth, wanted):
                with suppress(InputError):
                    wrapper = correct(wrapper, action, [document])
        if wrapper.steps == before.steps:
            return wrapper
    return wrapper


def _wanted(truth: PageTruth) -> Iterator[Path]:
    """List the headings of the true sections in page order, outer ones first."""
    known: set[Path] = set()
    for path, _ in truth.sections:
        for length in range(1, len(path) + (path[-1] != TEXT)):
            if path[:length] not in known:
                known.add(path[:length])
                yield path[:length]


def _compare(
    wrapper: Wrapper, document: Document, truth: PageTruth, wanted: Sequence[Path]
) -> tuple[list[tuple[str, Path]], dict[int, int]]:
    """List the headings found with their paths, and pair them with the wanted ones, by name and in order."""
    found = [
        (heading_name(each.match.text), each.path)
        for each in trace_ashish(wrapper, document)
        if heading_name(each.match.text) not in truth.free
    ]
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for place, path in enumerate(wanted):
        waiting[heading_name(path[-1])].append(place)
    return found, {number: waiting[name].popleft() for number, (name, _) in enumerate(found) if waiting[name]}


def _drop(wrapper: Wrapper, document: Document, truth: PageTruth, wanted: Sequence[Path]) -> Iterator[Correction]:
    found, pairs = _compare(wrapper, document, truth, wanted)
    kept = {found[number][0] for number in pairs}
    for name in dict.fromkeys(name for name, _ in found if name not in kept):
        yield Correction("drop", name)
    for number, (name, path) in enumerate(found):
        if number not in pairs and name in kept and path[0] != OTHER:
            yield Correction("drop", ".".join(path))


def _add(wrapper: Wrapper, document: Document, truth: PageTruth, wanted: Sequence[Path]) -> Iterator[Correction]:
    _, pairs = _compare(wrapper, document, truth, wanted)
    for place, path in enumerate(wanted):
        if place not in pairs.values():
            yield Correction("add", path[-1], to=_dotted(path[:-1]))


def _move(wrapper: Wrapper, document: Document, truth: PageTruth, wanted: Sequence[Path]) -> Iterator[Correction]:
    found, pairs = _compare(wrapper, document, truth, wanted)
    for number, place in pairs.items():
        path, parent = found[number][1], tuple(map(heading_name, wanted[place][:-1]))
        if path[0] != OTHER and path[:-1] != parent:
            yield Correction("move", ".".join(path), _dotted(parent) or wrapper.source.name)


def _dotted(path: Path) -> str:
    return ".".join(map(heading_name, path))
