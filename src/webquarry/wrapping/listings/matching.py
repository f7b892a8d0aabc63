"""Matching: the nodes of a record that signatures name, found in one walk over it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from webquarry.model import FieldRule
from webquarry.wrapping.listings.finding import Span
from webquarry.wrapping.listings.signatures import HOLDER, RUN, Path, read_signature
from webquarry.wrapping.listings.views import View

Key = tuple[int, int]
"""A rule and an alternative of its signature, by number."""
Found = dict[Key, list[Span]]
"""What each names, in document order: its first node, and the number after its last."""


@dataclass
class _Branch:
    """Where paths of the same tags so far go on, and which end here."""

    below: dict[str, _Branch] = field(default_factory=dict)
    ends: list[tuple[Key, Path, bool, int]] = field(default_factory=list)
    """Rule and alternative, the path, whether an attribute is meant, and how many class names the path has."""


class Matcher:
    """The signatures of rules, made ready to be looked for."""

    def __init__(self, rules: Sequence[FieldRule], ignored: Sequence[str] = ()) -> None:
        self._root = _plant(
            ((number, place), path, bool(rule.attribute))
            for number, rule in enumerate(rules)
            for place, path in enumerate(read_signature(rule.signature))
        )
        self._unread = _plant(
            ((0, place), path, False) for place, text in enumerate(ignored) for path in read_signature(text)
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
        if self._unread.below:
            for spans in _walk(self._unread, view, first, stop, is_whole=is_whole).values():
                for node, _ in spans:
                    view.unread[node] = True
        found = _walk(self._root, view, first, stop, is_whole=is_whole)
        if self._holders and (link := _holder(view, first)):
            found |= {each: [(link, view.ends[link])] for each in self._holders}
        return found


def _plant(paths: Iterable[tuple[Key, Path, bool]]) -> _Branch:
    root = _Branch()
    for key, path, is_attribute in paths:
        branch = root
        for step in path:
            branch = branch.below.setdefault(step.tag, _Branch())
        branch.ends.append((key, path, is_attribute, sum(len(step.classes) for step in path)))
    return root


def _walk(root: _Branch, view: View, first: int, stop: int, *, is_whole: bool) -> Found:
    found: Found = {}
    if is_whole and root.ends:
        _claim(root, view, (first, stop), found)
    if is_whole and RUN in root.below:
        _claim_runs(root, view, first, found)
    open_branches = [(stop, root)]
    node = first + is_whole
    ends, unread = view.ends, view.unread
    while node < stop:
        while node >= open_branches[-1][0]:
            open_branches.pop()
        branch = None if unread[node] else open_branches[-1][1].below.get(view.name(node))
        if branch is None:
            node = ends[node]
            continue
        if branch.ends:
            _claim(branch, view, (node, ends[node]), found)
        if RUN in branch.below:
            _claim_runs(branch, view, node, found)
        if branch.below:
            open_branches.append((ends[node], branch))
            node += 1
        else:
            node = ends[node]
    return found


def _claim_runs(branch: _Branch, view: View, node: int, found: Found) -> None:
    for span in find_runs(view, node, branch.below):
        _claim(branch.below[RUN], view, span, found)


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


def _claim(branch: _Branch, view: View, span: Span, found: Found) -> None:
    node = span[0]
    if view.is_text[node] and view.texts[node].isspace():
        return
    fitting = [each for each in branch.ends if _fits(view, each[1], node)]
    for kind in (False, True):
        most = max((count for _, _, is_attribute, count in fitting if is_attribute is kind), default=0)
        for key, _, is_attribute, count in fitting:
            if is_attribute is kind and count == most:
                found.setdefault(key, []).append(span)


def _fits(view: View, path: Path, node: int) -> bool:
    return view.fits(path[:-1], view.parents[node]) if path and path[-1].tag == RUN else view.fits(path, node)


def _holder(view: View, first: int) -> int:
    """The innermost link that holds a record; 0 without one."""
    node = view.parents[first]
    while node > 0 and view.name(node) != "a":
        node = view.parents[node]
    return max(node, 0)
