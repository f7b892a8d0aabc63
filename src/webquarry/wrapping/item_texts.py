"""Find the elements of a page that the signatures of an item's fields name, with their texts, in one walk.

A signature starts anywhere on the page: `div.summary > p.price` is a `p.price` directly in a `div.summary`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from webquarry.html.visibility import begins_value
from webquarry.model.wrapper import FieldRule
from webquarry.page.text_runs import Elements
from webquarry.page.trees import ANCHOR, BREAK, RULE, Tree
from webquarry.wrapping.listing_signatures import TEXT_NODE, Path, Step, plain_names, read_signature

EDGE = " \t|·•,;:»«\u203a\u2039/\u2192"
"""Separators that do not belong to a value at whose ends they are."""
MANY_TEXTS = 64
"""Texts of an element; those of an element with fewer are joined by themselves."""
_BREAKING = (BREAK, RULE)

RuleKey = tuple[int, int]
"""A rule and an alternative of its signature, by number."""
_HIDDEN: RuleKey = (-1, -1)


@dataclass(slots=True, eq=False)
class Match:
    """An element or text that a signature names, and the numbers of the texts in it."""

    node: Any
    """The element, or the element around the text."""
    start: int = -1
    stop: int = -1
    around: Match | None = None
    """The innermost match around an element."""


@dataclass(eq=False)
class Texts:
    """The visible texts of a page in order, and whether there is space before each."""

    texts: list[str] = field(default_factory=list)
    gaps: list[bool] = field(default_factory=list)
    _joined: dict[tuple[int, int], str] = field(default_factory=dict)
    _line: str = ""
    _starts: list[int] = field(default_factory=list)
    """All texts on one line, and where in it each starts; made when many texts are joined."""

    def add(self, text: str, *, gap: bool) -> None:
        """Add the next text."""
        self.texts.append(text)
        self.gaps.append(gap)

    def begins_value(self, text: str) -> bool:
        """Tell whether the next text is a value of its own, though nothing separates it from the last one."""
        return bool(self.texts) and begins_value(self.texts[-1], text)

    def is_apart(self, place: int) -> bool:
        """Tell whether there is space before a text."""
        return (
            self.gaps[place] or self.texts[place][:1].isspace() or (place > 0 and self.texts[place - 1][-1:].isspace())
        )

    def join(self, start: int, stop: int) -> str:
        """Join the texts from one number to before another on one line."""
        if stop == start + 1:
            return " ".join(self.texts[start].split())
        if (start, stop) not in self._joined:
            self._joined[start, stop] = (self._cut if stop - start > MANY_TEXTS else self._join)(start, stop)
        return self._joined[start, stop]

    def _cut(self, start: int, stop: int) -> str:
        """Cut texts out of the line of all of them: elements in each other may all have most texts of a page."""
        if len(self._starts) != len(self.texts) + 1:
            self._line, self._starts = self._write_line()
        return self._line[self._starts[start] : self._starts[stop]].strip(" ")

    def _write_line(self) -> tuple[str, list[int]]:
        parts: list[str] = []
        starts, length, is_spaced = [], 0, False
        for text, gap in zip(self.texts, self.gaps, strict=True):
            starts.append(length)
            said = " ".join(text.split())
            is_spaced |= gap or text[:1].isspace()
            if not said:
                continue
            part = f" {said}" if is_spaced else said
            parts.append(part)
            length += len(part)
            is_spaced = text[-1].isspace()
        return "".join(parts), [*starts, length]

    def _join(self, start: int, stop: int) -> str:
        parts = []
        for place in range(start, stop):
            if self.gaps[place]:
                parts.append(" ")
            parts.append(self.texts[place])
        return " ".join("".join(parts).split())


@dataclass(eq=False, slots=True)
class _Branch:
    """A node of the tree of all signatures: steps that continue here, and rules that end here."""

    below: list[tuple[Step, _Branch]] = field(default_factory=list)
    ends: list[RuleKey] = field(default_factory=list)

    def grow(self, step: Step) -> _Branch:
        """Return the branch of a step."""
        for known, branch in self.below:
            if known == step:
                return branch
        self.below.append((step, _Branch()))
        return self.below[-1][1]


_Branches = tuple[_Branch, ...]
_State = tuple[_Branches, Match | None, Any]
"""The branches that an element is on, the innermost match around its text, and the nearest block."""
_UNSEEN: _State = ((), Match(None), None)
"""The state of elements that are not shown; known by its identity."""


class ItemMatcher:
    """Finds the matches of all rules on pages; made once for many pages."""

    def __init__(self, rules: Sequence[FieldRule], hidden: Sequence[str] = ()) -> None:
        """Take rules, and signatures of elements that are not shown."""
        self._root = _Branch()
        for signature in hidden:
            for path in read_signature(signature):
                self._plant(_HIDDEN, path)
        self.named_tags: set[str] = set()
        """Tags of elements that rules read without a text in them."""
        for number, rule in enumerate(rules):
            for place, path in enumerate(read_signature(rule.signature)):
                self._plant((number, place), path)
                if rule.attribute and path:
                    self.named_tags.add(path[-1].tag)
        self.moves: dict[tuple[_Branches, str, str | None], list[tuple[_Branch, Step | None]]] = {}
        """Known answers of `move`."""

    def _plant(self, key: RuleKey, path: Path) -> None:
        branch = self._root
        for step in path:
            branch = branch.grow(step)
        if path:
            branch.ends.append(key)

    def move(self, branches: _Branches, tag: str, classes: str | None) -> list[tuple[_Branch, Step | None]]:
        """List the branches that an element may be on, each with the step whose other conditions it must meet."""
        key = (branches, tag, classes)
        if key not in self.moves:
            names = plain_names(classes) if classes else frozenset[str]()
            self.moves[key] = [
                (inner, step if step.name or step.place or step.prop else None)
                for branch in (*branches, self._root)
                for step, inner in branch.below
                if step.tag == tag and step.classes <= names and not (step.is_bare and classes)
            ]
        return self.moves[key]

    def find(self, tree: Tree[Any], elements: Elements) -> tuple[Texts, dict[RuleKey, list[Match]]]:
        """Find the matches on a page, in document order."""
        return _Walk(self, tree, elements).run()


class SiblingPlaces:
    """Numbers the elements of a page among siblings of their tag, from 1; those of a parent at once."""

    def __init__(self, tree: Tree[Any]) -> None:
        self._tree = tree
        self._places: dict[Any, dict[Any, int]] = {}

    def __call__(self, element: Any) -> int:
        """Return the number of an element."""
        parent = self._tree.parent(element)
        places = self._places.get(parent)
        if places is None:
            counts: dict[str, int] = {}
            places = self._places[parent] = {}
            for child in self._tree.children(parent):
                tag = self._tree.tag(child)
                counts[tag] = places[child] = counts.get(tag, 0) + 1
        return places[element]


class _Walk:
    """One walk over the texts of a page."""

    def __init__(self, matcher: ItemMatcher, tree: Tree[Any], elements: Elements) -> None:
        self._matcher, self._tree, self._elements = matcher, tree, elements
        self._known: dict[Any, _State] = {}
        self._moves = matcher.moves  # asked for thousands of elements
        self._place = SiblingPlaces(tree)
        self._found: dict[RuleKey, list[Match]] = {}
        self._elements_found: list[Match] = []

    def run(self) -> tuple[Texts, dict[RuleKey, list[Match]]]:
        texts = Texts()
        last_block: Any = None
        gap = False
        for _, text, parent, is_spaced in self._tree.leaves(self._tree.named("body")[:1]):
            gap |= is_spaced
            if text in _BREAKING:
                gap = True
                continue
            state = self._known.get(parent) or self._look_at(parent)
            if state is _UNSEEN:
                continue
            texts.add(text, gap=gap or state[2] is not last_block or texts.begins_value(text))
            last_block, gap = state[2], False
            if state[0] or state[1] is not None:
                self._match(parent, state, len(texts.texts) - 1)
        for tag in self._matcher.named_tags:
            for element in self._tree.named(tag):
                self._look_at(element)
        self._give_outwards()
        return texts, self._found

    def _give_outwards(self) -> None:
        """Give the texts of matches to the matches around them; inner ones were found after outer ones."""
        for match in reversed(self._elements_found):
            outer = match.around
            if outer is not None and match.start >= 0:
                outer.start = min(outer.start, match.start) if outer.start >= 0 else match.start
                outer.stop = max(outer.stop, match.stop)

    def _match(self, parent: Any, state: _State, number: int) -> None:
        """Give a text to the innermost match around it."""
        branches, match, _ = state
        if match is not None:
            if match.start < 0:
                match.start = number
            match.stop = number + 1
        for branch in branches:
            for step, inner in branch.below:
                if step.tag == TEXT_NODE:
                    self._add(inner.ends, Match(parent, number, number + 1))

    def _add(self, keys: Iterable[RuleKey], match: Match) -> None:
        for key in keys:
            self._found.setdefault(key, []).append(match)

    def _look_at(self, element: Any) -> _State:
        """Follow the signatures from the outermost element to this one."""
        known = self._known
        found = known.get(element)
        if found is not None:
            return found
        waiting = [element]
        find_parent = self._tree.parent
        while (parent := find_parent(waiting[-1])) is not None and parent not in known:
            waiting.append(parent)
        found = ((), None, None) if parent is None else known[parent]
        while waiting:
            element = waiting.pop()
            found = known[element] = found if found is _UNSEEN else self._step(element, *found)
        return found

    def _step(self, element: Any, branches: _Branches, around: Match | None, block: Any) -> _State:
        marks = self._tree.marks(element)
        _, is_block, _, is_hidden, *_ = self._elements.sort(marks)
        if is_hidden and not self._elements.is_folded(element):
            return _UNSEEN
        if is_block:
            block = element
        tag = "a" if marks[0] == ANCHOR else marks[0]
        moves = self._moves.get((branches, tag, marks[1]))
        if moves is None:
            moves = self._matcher.move(branches, tag, marks[1])
        if not moves:
            return (), around, block
        here = tuple(branch for branch, step in moves if step is None or self._fits(step, element))
        keys = [key for branch in here for key in branch.ends]
        if _HIDDEN in keys:
            return _UNSEEN
        if keys:
            around = Match(element, around=around)
            self._add(keys, around)
            self._elements_found.append(around)
        return tuple(branch for branch in here if branch.below), around, block

    def _fits(self, step: Step, element: Any) -> bool:
        tree = self._tree
        if step.name and tree.attribute(element, "id") != step.name:
            return False
        if step.prop and tree.attribute(element, "itemprop") != step.prop:
            return False
        return not step.place or self._place(element) == step.place
