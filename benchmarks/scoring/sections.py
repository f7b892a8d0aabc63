"""Score the sections of a record against the true sections of a page.

Names are compared by their words, ignoring case; names with a leading underscore are skipped.  A true section is
placed if the record has something at its path, and right if the words there and below have an F1 of at least 0.9 with
the true ones.  A leaf of the record is spurious if no true path begins with its first two names.  A list is one leaf.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ALIKE = 0.9

Path = tuple[str, ...]
Truth = tuple[Path, str]
"""The path of a section on the page, and its text."""


@dataclass(frozen=True)
class SectionScore:
    """Numbers of one or many pages: true sections, placed and right ones; leaves of records, and spurious ones."""

    true: int
    placed: int
    right: int
    said: int
    spurious: int
    missed: tuple[Path, ...] = ()
    """The true sections that are not right."""

    @property
    def share_right(self) -> float:
        return self.right / self.true if self.true else 0.0

    @property
    def share_placed(self) -> float:
        return self.placed / self.true if self.true else 0.0

    @property
    def share_spurious(self) -> float:
        return self.spurious / self.said if self.said else 0.0


def score_sections(truths: Sequence[Truth], record: Mapping[str, Any]) -> SectionScore:
    """Score a page.

    >>> score_sections([(("Area", "total"), "9 sq km"), (("Area", "land"), "8")], {"area": {"Total:": "9 sq. km"}})
    SectionScore(true=2, placed=1, right=1, said=1, spurious=0, missed=(('Area', 'land'),))
    """
    texts, leaves = _index(record)
    paths = [tuple(map(plain_name, path)) for path, _ in truths]
    is_right = [path in texts and is_alike(value, texts[path]) for path, (_, value) in zip(paths, truths, strict=True)]
    known = {path[:length] for path in paths for length in (1, 2)}
    return SectionScore(
        true=len(truths),
        placed=sum(path in texts for path in paths),
        right=sum(is_right),
        said=len(leaves),
        spurious=sum(leaf[:2] not in known for leaf in leaves),
        missed=tuple(path for (path, _), right in zip(truths, is_right, strict=True) if not right),
    )


def sum_of_sections(scores: Iterable[SectionScore]) -> SectionScore:
    """Add up the scores of many pages."""
    known = list(scores)
    return SectionScore(
        true=sum(score.true for score in known),
        placed=sum(score.placed for score in known),
        right=sum(score.right for score in known),
        said=sum(score.said for score in known),
        spurious=sum(score.spurious for score in known),
        missed=tuple(path for score in known for path in score.missed),
    )


def plain_name(name: str) -> str:
    """Reduce a name to its words in lower case.

    >>> plain_name("Land_boundaries:")
    'land boundaries'
    """
    return " ".join(_words(name.replace("_", " ")))


def is_alike(one: str, other: str) -> bool:
    """True if the words of two texts have an F1 of at least 0.9."""
    bags = Counter(_words(one)), Counter(_words(other))
    total = sum(bag.total() for bag in bags)
    return total > 0 and 2 * (bags[0] & bags[1]).total() >= ALIKE * total


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _index(record: Mapping[str, Any]) -> tuple[dict[Path, str], list[Path]]:
    """Return the text at and below each path, and the paths of the leaves."""
    texts: dict[Path, str] = {}
    leaves: list[Path] = []

    def visit(node: Any, path: Path) -> str:
        if isinstance(node, dict):
            text = " ".join(f"{name} {visit(below, (*path, name))}" for name, below in _named(node).items())
        else:
            leaves.append(path)
            text = " ".join(_texts(node))
        texts[path] = text
        return text

    visit(dict(record), ())
    return texts, leaves


def _texts(node: Any) -> Iterator[str]:
    """Yield the names and texts below a node."""
    if isinstance(node, dict):
        for name, below in _named(node).items():
            yield name
            yield from _texts(below)
    elif isinstance(node, list):
        for below in node:
            yield from _texts(below)
    elif node is not None:
        yield str(node)


def _named(node: Mapping[str, Any]) -> dict[str, Any]:
    return {plain_name(name): below for name, below in node.items() if not name.startswith("_")}
