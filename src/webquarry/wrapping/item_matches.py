"""Find what the signatures of all rules name on a page, in one walk over its texts.

A signature starts anywhere on the page: `div.summary > p.price` is a `p.price` directly in a `div.summary`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from webquarry.model.wrapper import FieldRule
from webquarry.page.text_runs import Elements
from webquarry.page.trees import ANCHOR, BREAK, RULE, Tree
from webquarry.wrapping.field_signatures import (
    TEXT_NODE,
    Branch,
    PathStep,
    RuleKey,
    StepPath,
    Texts,
    plain_names,
    read_signature,
)

_BREAKING = (BREAK, RULE)
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


_Branches = tuple[Branch, ...]
_Steps = list[tuple[Branch, PathStep]]
"""Branches, each with the step that leads there."""
_State = tuple[_Branches, Match | None, Any]
"""The branches that an element is on, the innermost match around its text, and the nearest block."""
_UNSEEN: _State = ((), Match(None), None)
"""The state of elements that are not shown; known by its identity."""


class ItemMatcher:
    """Finds the matches of all rules on pages; made once for many pages."""

    def __init__(self, rules: Sequence[FieldRule], hidden: Sequence[str] = ()) -> None:
        """Take rules, and signatures of elements that are not shown."""
        self._root = Branch()
        for signature in hidden:
            for path in read_signature(signature):
                self._root.plant(_HIDDEN, path)
        self.named_tags: set[str] = set()
        """Tags of elements that rules read without a text in them."""
        known: dict[StepPath, RuleKey] = {}
        self.keys: list[list[RuleKey]] = []
        """For each rule the keys of the alternatives of its signature; equal ones of several rules share a key."""
        for number, rule in enumerate(rules):
            keys: list[RuleKey] = []
            for place, path in enumerate(read_signature(rule.signature)):
                if path not in known:
                    known[path] = (number, place)
                    self._root.plant(known[path], path)
                keys.append(known[path])
                if rule.attribute and path:
                    self.named_tags.add(path[-1].tag)
            self.keys.append(keys)
        self.moves: dict[tuple[_Branches, str, str | None], dict[int, _Steps]] = {}
        """Known answers of `move`."""

    def move(self, branches: _Branches, tag: str, classes: str | None) -> dict[int, _Steps]:
        """List the branches that an element may be on, by the place among siblings that it must have; 0 for any."""
        key = (branches, tag, classes)
        if key not in self.moves:
            names = plain_names(classes) if classes else frozenset[str]()
            moves = self.moves[key] = {}
            for branch in (*branches, self._root):
                for step, inner in branch.below.get(tag, ()):
                    if step.classes <= names and not (step.is_bare and classes):
                        moves.setdefault(step.place, []).append((inner, step))
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
            for _, inner in branch.below.get(TEXT_NODE, ()):
                self._add((claim.key for claim in inner.ends), Match(parent, number, number + 1))

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
        steps = moves.get(0, ())
        if len(moves) > bool(steps):
            steps = [*steps, *moves.get(self._place(element), ())]
        here = tuple(branch for branch, step in steps if self._fits(step, element))
        keys = [claim.key for branch in here for claim in branch.ends]
        if _HIDDEN in keys:
            return _UNSEEN
        if keys:
            around = Match(element, around=around)
            self._add(keys, around)
            self._elements_found.append(around)
        return tuple(branch for branch in here if branch.below), around, block

    def _fits(self, step: PathStep, element: Any) -> bool:
        tree = self._tree
        if step.name and tree.attribute(element, "id") != step.name:
            return False
        return not step.prop or tree.attribute(element, "itemprop") == step.prop
