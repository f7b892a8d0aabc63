"""A document as plain lists, which are quick to look up node by node, and what its texts and addresses say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from webquarry.html.resolving import Resolver, largest, make_resolver
from webquarry.html.tables import MAX_WIDTH, read_span
from webquarry.model import Document, Kind
from webquarry.wrapping.listings.signatures import TEXT, Path, Step, is_plain, plain_names

CELLS = frozenset(["td", "th"])
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rp rt ruby s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
EDGE = " |·•,;/\\»«\u203a\u2039→—\u2013-"
"""What is not of a text where the line goes on with another."""


class View:
    """A document, and which of its nodes are not read."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tags: list[int] = document.tags.tolist()
        self.parents: list[int] = document.parents.tolist()
        self.ends: list[int] = document.ends.tolist()
        self.texts = document.texts
        self.attributes = document.attributes
        names = document.tag_names
        self.names = [*names, ""]  # other nodes have the tag -1
        self.is_inline = [*(name in _INLINE for name in names), True]
        self.unread: list[bool] = document.hidden.tolist()
        kinds = document.kinds
        self.is_text: list[bool] = (kinds == Kind.TEXT).tolist()
        self._classes: dict[str, frozenset[str]] = {}
        self._places: dict[int, int] = {}

    @cached_property
    def resolve(self) -> Resolver:
        """From addresses as written to absolute ones."""
        return make_resolver(self.document)

    def name(self, node: int) -> str:
        """The tag of a node, or `text()`; nothing for others."""
        return TEXT if self.is_text[node] else self.names[self.tags[node]]

    def classes(self, node: int) -> frozenset[str]:
        """The class names of an element."""
        written = self.attributes[node].get("class", "") if self.attributes[node] else ""
        if written not in self._classes:
            self._classes[written] = plain_names(written)
        return self._classes[written]

    def children(self, node: int) -> Iterable[int]:
        """The nodes right within a node."""
        child, stop = node + 1, self.ends[node]
        while child < stop:
            yield child
            child = self.ends[child]

    def place(self, node: int) -> int:
        """The place of a node among siblings of its tag, from 1; of a cell that of its column."""
        if node not in self._places:
            self._count(self.parents[node])
        return self._places[node]

    def _count(self, parent: int) -> None:
        """Put down the places of all children of an element at once: a list may have thousands."""
        counts = Counter[str]()
        column = 1
        for child in self.children(parent):
            name = self.name(child)
            counts[name] += 1
            self._places[child] = column if name in CELLS else counts[name]
            if name in CELLS:
                column += read_span(self.attributes[child].get("colspan", "1"), MAX_WIDTH) or 1

    def path(self, node: int, top: int, *, placed: bool = False) -> Path | None:
        """The steps from below `top` to a node, those of cells always with their places; None if a tag is too odd."""
        steps: list[Step] = []
        while node > top:
            name = self.name(node)
            if not is_plain(name):
                return None
            place = self.place(node) if placed or name in CELLS else 0
            steps.append(Step(name, self.classes(node), place=place))
            node = self.parents[node]
        return tuple(reversed(steps)) if node == top else None

    def fits(self, path: Path, node: int) -> bool:
        """Whether a node, whose tags are those of the path, is called as the path says."""
        for step in reversed(path):
            if not self.fits_step(step, node):
                return False
            node = self.parents[node]
        return True

    def fits_step(self, step: Step, node: int) -> bool:
        """Whether a node of the step's tag is called as the step says."""
        if step.classes and not step.classes <= self.classes(node):
            return False
        if step.place and step.place != self.place(node):
            return False
        return not step.name or self.attributes[node].get("id") == step.name

    def text(self, first: int, stop: int | None = None) -> str:
        """What a node, or all from it to before another, says in one line.

        Left out are the separators by which the line goes on beside it, or which stand apart from it.
        """
        stop = self.ends[first] if stop is None else stop
        text = " ".join(self._written(first, stop).split())
        if text and text[0] in EDGE and (text[1:2] == " " or self._goes_on(first, range(first - 1, 0, -1))):
            text = text.lstrip(EDGE)
        if text and text[-1] in EDGE and (text[-2:-1] == " " or self._goes_on(first, range(stop, len(self.tags)))):
            text = text.rstrip(EDGE)
        return text

    def _written(self, node: int, stop: int) -> str:
        if stop == node + 2 and self.is_text[node + 1]:
            return self.texts[node + 1]
        parts: list[str] = []
        breaks: set[int] = set()
        while node < stop:
            if node in breaks:
                parts.append(" ")
            if self.unread[node]:
                node = self.ends[node]
                continue
            if self.is_text[node]:
                parts.append(self.texts[node])
            elif not self.is_inline[self.tags[node]]:
                parts.append(" ")
                breaks.add(self.ends[node])
            node += 1
        return "".join(parts)

    def _goes_on(self, first: int, beside: Iterable[int]) -> bool:
        """Whether the nearest text among the nodes before or behind a run shares its line, as far as tags tell."""
        if not self.is_inline[self.tags[first]]:
            return False
        for node in beside:
            if not self.is_inline[self.tags[node]]:
                return False
            if self.is_text[node] and not self.unread[node] and not self.texts[node].isspace():
                earlier, later = min(first, node), max(first, node)
                return all(self.is_inline[self.tags[each]] for each in self._closed(earlier, later))
        return False

    def _closed(self, node: int, before: int) -> Iterator[int]:
        """The elements around a node that end before another."""
        node = self.parents[node]
        while node > 0 and self.ends[node] <= before:
            yield node
            node = self.parents[node]

    def address(self, node: int, names: str) -> str | None:
        """The absolute address that the first of the named attributes leads to; None when none does."""
        own = self.attributes[node]
        for name in names.split():
            if name in own and (found := self.resolve(largest(own[name]))) is not None:
                return found
        return None
