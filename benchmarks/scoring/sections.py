"""How many true sections of a page are in a record, at their places and with their texts.

Names are compared by their words alone, without case; those that begin with an underscore are passed over.  A true
section is placed when the record has something at its path, and right when the words of that, with all below it, have
an F1 of at least 0.9 with the true ones.  A leaf of the record is spurious when no true path begins with its first two
names.  A list is one leaf.
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
"""The path of a section as on the page, and its text."""


@dataclass(frozen=True)
class SectionScore:
    """Of one page or of many: true sections, those placed and right; leaves of records, and those spurious."""

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
    """The score of a page.

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
    """The scores of many pages as one, over all sections together."""
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
    """The words of a name.

    >>> plain_name("Land_boundaries:")
    'land boundaries'
    """
    return " ".join(_words(name.replace("_", " ")))


def is_alike(one: str, other: str) -> bool:
    """Whether the words of two texts have an F1 of at least 0.9."""
    bags = Counter(_words(one)), Counter(_words(other))
    total = sum(bag.total() for bag in bags)
    return total > 0 and 2 * (bags[0] & bags[1]).total() >= ALIKE * total


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _index(record: Mapping[str, Any]) -> tuple[dict[Path, str], list[Path]]:
    """The text at each path with all below it, and the paths of the leaves."""
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
    """The names and texts of what a list holds, or of a text itself."""
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
