"""Matching: the nodes of a record that signatures name, found in one walk over it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from webquarry.model import FieldRule
from webquarry.wrapping.listings.finding import Span
from webquarry.wrapping.listings.signatures import HOLDER, RUN, TEXT, Path, Step, read_signature
from webquarry.wrapping.listings.views import View

Key = tuple[int, int]
"""A rule and an alternative of its signature, by number."""
Found = dict[Key, list[Span]]
"""What each names, in document order: its first node, and the number after its last."""


@dataclass
class _Branch:
    """Where paths that say the same so far go on, and which end here."""

    below: dict[str, list[tuple[Step, _Branch]]] = field(default_factory=dict)
    """By tag."""
    ends: list[tuple[Key, bool, int]] = field(default_factory=list)
    """Rule and alternative, whether an attribute is meant, and how many class names the path has."""

    def grow(self, step: Step) -> _Branch:
        """The branch that a step leads to."""
        steps = self.below.setdefault(step.tag, [])
        for known, branch in steps:
            if known == step:
                return branch
        steps.append((step, _Branch()))
        return steps[-1][1]


class Matcher:
    """The signatures of rules, made ready to be looked for."""

    def __init__(self, rules: Sequence[FieldRule]) -> None:
        self._root = _plant(
            ((number, place), path, bool(rule.attribute))
            for number, rule in enumerate(rules)
            for place, path in enumerate(read_signature(rule.signature))
        )
        self._holders = [
            (number, place)
            for number, rule in enumerate(rules)
            for place, path in enumerate(read_signature(rule.signature))
            if path and path[0].tag == HOLDER
        ]

    def find(self, view: View, first: int, stop: int, *, is_whole: bool) -> Found:
        """The nodes of the record from one node to before another; `is_whole` when paths begin within its one element.

        Where several rules name a node, it is of those that say most of it: a rule for `span` leaves `span.old` to the
        rule for that.
        """
        found = _walk(self._root, view, first, stop, is_whole=is_whole)
        if self._holders and (link := _holder(view, first)):
            found |= {each: [(link, view.ends[link])] for each in self._holders}
        return found


def pass_over(signatures: Sequence[str], view: View, spans: Iterable[Span], *, is_whole: bool) -> None:
    """Mark what signatures name in records as not to be read."""
    paths = [path for text in signatures for path in read_signature(text)]
    root = _plant(((0, place), path, False) for place, path in enumerate(paths))
    for first, stop in spans if paths else ():
        for found in _walk(root, view, first, stop, is_whole=is_whole).values():
            for node, _ in found:
                view.unread[node] = True


def _plant(paths: Iterable[tuple[Key, Path, bool]]) -> _Branch:
    root = _Branch()
    for key, path, is_attribute in paths:
        branch = root
        for step in path:
            branch = branch.grow(step)
        branch.ends.append((key, is_attribute, sum(len(step.classes) for step in path)))
    return root


def _walk(root: _Branch, view: View, first: int, stop: int, *, is_whole: bool) -> Found:
    found: Found = {}
    here = [root]
    if is_whole:
        _claim(here, (first, stop), found)
        _claim_runs(here, view, first, found)
    around = [(stop, here)]
    node = first + is_whole
    ends, unread, name, fits = view.ends, view.unread, view.name, view.fits_step
    while node < stop:
        while node >= around[-1][0]:
            around.pop()
        if not unread[node]:
            tag = name(node)
            here = [inner for branch in around[-1][1] for step, inner in branch.below.get(tag, ()) if fits(step, node)]
            if here and not (tag == TEXT and view.texts[node].isspace()):
                _claim(here, (node, ends[node]), found)
                if any(branch.below for branch in here):
                    _claim_runs(here, view, node, found)
                    around.append((ends[node], here))
                    node += 1
                    continue
        node = ends[node]
    return found


def _claim(branches: Sequence[_Branch], span: Span, found: Found) -> None:
    """Give what was found to the rules that end there and say most, for texts and for attributes apart."""
    claims = [claim for branch in branches for claim in branch.ends]
    if len(claims) == 1:
        found.setdefault(claims[0][0], []).append(span)
        return
    for kind in (False, True) if claims else ():
        most = max((count for _, is_attribute, count in claims if is_attribute is kind), default=0)
        for key, is_attribute, count in claims:
            if is_attribute is kind and count == most:
                found.setdefault(key, []).append(span)


def _claim_runs(branches: Sequence[_Branch], view: View, node: int, found: Found) -> None:
    ending = [inner for branch in branches for _, inner in branch.below.get(RUN, ())]
    if ending:
        for span in find_runs(view, node, {tag for branch in branches for tag in branch.below}):
            _claim(ending, span, found)


def find_runs(view: View, node: int, apart: Collection[str] = ()) -> Iterator[Span]:
    """The runs of text right within an element; elements of the tags that stand apart end them."""
    first = last = -1
    for child in view.children(node):
        name = view.name(child)
        is_blank = view.is_text[child] and view.texts[child].isspace()
        if view.unread[child] or is_blank or not name or (first >= 0 and name == "br"):
            continue
        goes_on = view.is_text[child] or (view.is_inline[view.tags[child]] and name != "a" and name not in apart)
        if goes_on:
            first, last = (child if first < 0 else first), child
        elif first >= 0:
            yield first, view.ends[last]
            first = -1
    if first >= 0:
        yield first, view.ends[last]


def _holder(view: View, first: int) -> int:
    """The innermost link that holds a record; 0 without one."""
    node = view.parents[first]
    while node > 0 and view.name(node) != "a":
        node = view.parents[node]
    return max(node, 0)
