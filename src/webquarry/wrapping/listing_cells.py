"""Find the records of a listing on a page, and read the value of each field in each record."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from webquarry.html.columns import Kind
from webquarry.model.wrapper import FieldRule, ListingRule
from webquarry.wrapping.field_parts import take_part
from webquarry.wrapping.listing_signatures import EDGE, HOLDER, RUN, TEXT, Path, Step, View, read_signature

MIN_SHARE_OF_REGION = 0.3
"""Share of a region's signature that must match: pages of a site differ in their outer frames."""
_ID_WEIGHT = 2
"""Weight of an `id`, in class names: it is unique."""
LIST = "list"
"""The type of a field with all nodes of its signature."""
IMAGES = "images"
"""The type of a field with the addresses of all images of its signature, separated by spaces as mining writes them."""
PAIRS = "pairs"
"""The type of a field of an item with all labelled values that no other field has."""
ADDRESSES = ("link", "image", IMAGES)
COLONS = ":\uff1a"
MAX_BETWEEN_PARTS = 100
"""Characters between the parts of a value, beyond as many as the value has; spares long texts a comparison."""
_BETWEEN_PARTS = re.compile(r"[\s,;:|()\[\]·•]+")
_TERMS = frozenset(["dt", "th"])

Span = tuple[int, int]
"""A first node, and the number after the last."""
RuleKey = tuple[int, int]
"""A rule and an alternative of its signature, by number."""
Matches = dict[RuleKey, list[Span]]
"""The matches of each, in document order."""


def find_records(rule: ListingRule, view: View) -> list[Span]:
    """Find the records: the first node of each, and the number after its last.

    The region is the element that best matches its signature among those with records; equals are one region in
    several parts.
    """
    firsts = _choose(rule, view, _find_firsts(rule, view))
    if is_whole(rule):
        spans = [(first, view.ends[first]) for first in firsts]
    else:
        spans = [_span(view, first, firsts, rule.span) for first in firsts]
    return [
        span
        for span in spans
        if not has_path(read_signature(rule.excluded), view, span)
        and not (rule.excluded_texts and view.text(*span).startswith(rule.excluded_texts))
    ]


def has_path(paths: Sequence[Path], view: View, span: Span) -> bool:
    """Tell whether a record is an element that one of the paths names, or has one; paths start with the record."""
    if not paths:
        return False
    top = view.parents[span[0]]
    for path in paths:
        for node in range(*span):
            if view.tags[node] >= 0 and _climb(view, node, path) == top and view.fits(path, node):
                return True
    return False


def is_whole(rule: ListingRule) -> bool:
    """Tell whether each record is one element."""
    return rule.span == 1 and not any(path and path[-1].tag == TEXT for path in read_signature(rule.record))


def region_fit(path: Path, view: View, node: int) -> int:
    """Count how much of a region's signature a node and its ancestors match, from the inside outwards."""
    total = 0
    for step in reversed(path):
        if node <= 0 or view.name(node) != step.tag or (step.place and view.place(node) != step.place):
            break
        is_called = step.name and view.attributes[node].get("id") == step.name
        total += 1 + len(step.classes & view.classes(node)) + (_ID_WEIGHT if is_called else 0)
        node = view.parents[node]
    return total


def full_region_fit(path: Path) -> int:
    """Return the count of a full match."""
    return sum(1 + len(step.classes) + (_ID_WEIGHT if step.name else 0) for step in path)


def _find_firsts(rule: ListingRule, view: View) -> dict[int, list[int]]:
    """Find the elements that may be the region, with the first nodes of their records."""
    found: dict[int, list[int]] = defaultdict(list)
    holders = {path[-1].tag for path in read_signature(rule.region) if path}
    for path in read_signature(rule.record):
        if not path:
            continue
        for node in _nodes_of(view, path[-1].tag):
            holder = _climb(view, node, path)
            if holder is not None and view.name(holder) in holders and view.fits(path, node):
                found[holder].append(node)
    return found


def _nodes_of(view: View, tag: str) -> list[int]:
    document = view.document
    matches = document.kinds == Kind.TEXT if tag == TEXT else document.has_tag([tag])
    nodes: list[int] = np.flatnonzero(matches & ~document.hidden).tolist()
    return [node for node in nodes if tag != TEXT or not view.texts[node].isspace()]


def _climb(view: View, node: int, path: Path) -> int | None:
    """Find the element around the path that ends in a node; None if the tags differ."""
    for step in reversed(path):
        if node <= 0 or view.name(node) != step.tag:
            return None
        node = view.parents[node]
    return node


def _choose(rule: ListingRule, view: View, found: dict[int, list[int]]) -> list[int]:
    paths = read_signature(rule.region)
    fits = {holder: max(region_fit(path, view, holder) for path in paths) for holder in found}
    best = max(fits.values(), default=0)
    if best < MIN_SHARE_OF_REGION * max(map(full_region_fit, paths), default=0):
        return []
    firsts = sorted(node for holder, nodes in found.items() if fits[holder] == best for node in nodes)
    outer: list[int] = []
    for node in firsts:
        if not outer or node >= view.ends[outer[-1]]:
            outer.append(node)
    return outer


def _span(view: View, first: int, firsts: list[int], most: int) -> Span:
    """Delimit a record: its siblings up to the next record, at most `most`."""
    place = bisect_right(firsts, first)
    limit = min(view.ends[view.parents[first]], firsts[place] if place < len(firsts) else len(view.tags))
    node, stop, count = first, first, 0
    while node < limit and (count < most or not most):
        if is_counted_sibling(view, node):
            count, stop = count + 1, view.ends[node]
        node = view.ends[node]
    return first, stop


def is_counted_sibling(view: View, node: int) -> bool:
    """Tell whether a sibling counts towards the span of a record."""
    return view.tags[node] >= 0 or (view.is_text[node] and not view.texts[node].isspace())


@dataclass
class _Branch:
    """A node of the tree of all signatures: steps that continue here, and rules that end here."""

    below: dict[str, list[tuple[Step, _Branch]]] = field(default_factory=dict)
    """Steps by tag."""
    ends: list[tuple[RuleKey, bool, int]] = field(default_factory=list)
    """Rule and alternative, whether it is for an attribute, and the number of class names on the path."""

    def grow(self, step: Step) -> _Branch:
        """Return the branch of a step."""
        steps = self.below.setdefault(step.tag, [])
        for known, branch in steps:
            if known == step:
                return branch
        steps.append((step, _Branch()))
        return steps[-1][1]


class Matcher:
    """Finds the nodes that the signatures of all rules name, in one walk over a record."""

    def __init__(self, rules: Sequence[FieldRule]) -> None:
        learnt = [number for number, rule in enumerate(rules) if not rule.by_example]
        alone = [[number] for number, rule in enumerate(rules) if rule.by_example]
        self._roots = [
            _plant(
                ((number, place), path, bool(rules[number].attribute))
                for number in numbers
                for place, path in enumerate(read_signature(rules[number].signature))
            )
            for numbers in (learnt, *alone)
        ]
        self._holders = [
            (number, place)
            for number, rule in enumerate(rules)
            for place, path in enumerate(read_signature(rule.signature))
            if path and path[0].tag == HOLDER
        ]

    def find(self, view: View, first: int, stop: int, *, is_whole: bool) -> Matches:
        """Find the nodes between two; with `is_whole`, paths start within the one element that the record is.

        A node that several rules match goes to the most specific: a rule for `span` leaves `span.old` to the rule for
        that.  Rules that were added by an example take no part in that.
        """
        found: Matches = {}
        for root in self._roots:
            found |= _walk(root, view, first, stop, is_whole=is_whole)
        if self._holders and (link := _holder(view, first)):
            found |= {each: [(link, view.ends[link])] for each in self._holders}
        return found


def mark_unread(signatures: Sequence[str], view: View, spans: Iterable[Span], *, is_whole: bool) -> None:
    """Mark the nodes of records that signatures name as unread."""
    paths = [path for text in signatures for path in read_signature(text)]
    root = _plant(((0, place), path, False) for place, path in enumerate(paths))
    for first, stop in spans if paths else ():
        for found in _walk(root, view, first, stop, is_whole=is_whole).values():
            for node, _ in found:
                view.unread[node] = True


def _plant(paths: Iterable[tuple[RuleKey, Path, bool]]) -> _Branch:
    root = _Branch()
    for key, path, is_attribute in paths:
        branch = root
        for step in path:
            branch = branch.grow(step)
        branch.ends.append((key, is_attribute, sum(len(step.classes) for step in path)))
    return root


def _walk(root: _Branch, view: View, first: int, stop: int, *, is_whole: bool) -> Matches:
    found: Matches = {}
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


def _claim(branches: Sequence[_Branch], span: Span, found: Matches) -> None:
    """Give a match to the rules that end there with most class names, for texts and attributes separately."""
    claims = [claim for branch in branches for claim in branch.ends]
    if len(claims) == 1:
        found.setdefault(claims[0][0], []).append(span)
        return
    for kind in (False, True) if claims else ():
        most = max((count for _, is_attribute, count in claims if is_attribute is kind), default=0)
        for key, is_attribute, count in claims:
            if is_attribute is kind and count == most:
                found.setdefault(key, []).append(span)


def _claim_runs(branches: Sequence[_Branch], view: View, node: int, found: Matches) -> None:
    ending = [inner for branch in branches for _, inner in branch.below.get(RUN, ())]
    if ending:
        for span in find_runs(view, node, {tag for branch in branches for tag in branch.below}):
            _claim(ending, span, found)


def find_runs(view: View, node: int, apart: Collection[str] = ()) -> Iterator[Span]:
    """Find the runs of text directly within an element; elements with the tags `apart` end them."""
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
    """Find the innermost link around a record; 0 without one."""
    node = view.parents[first]
    while node > 0 and view.name(node) != "a":
        node = view.parents[node]
    return max(node, 0)


class Cell(NamedTuple):
    """A value and its node."""

    text: str
    node: int
    parts: tuple[str, ...] = ()
    """The items of a list."""


def read_cell(rule: FieldRule, number: int, found: Matches, view: View, first: int) -> Cell | None:
    """Read the field of a number in the record that starts at a node.

    The first alternative of the signature with a value decides.
    """
    for place in range(len(read_signature(rule.signature))):
        spans = found.get((number, place))
        if spans and (cell := pick_cell(rule, read_all(rule, spans, view, first))):
            return cell
    return None


def read_all(rule: FieldRule, spans: Sequence[Span], view: View, first: int) -> list[Cell]:
    """Read the values at all matches of a field's signature."""
    said = ((span[0], _read(rule, span, view, first)) for span in spans)
    return [Cell(text, node) for node, text in said if text]


def pick_cell(rule: FieldRule, cells: Sequence[Cell]) -> Cell | None:
    """Pick the value at the field's place, or all values for a list or images."""
    if rule.type == LIST and cells:
        texts = tuple(cell.text for cell in cells)
        return Cell(join(texts), cells[0].node, texts)
    if rule.type == IMAGES and cells:
        return Cell(" ".join(dict.fromkeys(cell.text for cell in cells)), cells[0].node)
    if -len(cells) <= rule.place < len(cells):
        return cells[rule.place]
    return None


def fold_cells(fields: Sequence[FieldRule], cells: Iterable[Cell | None]) -> tuple[Cell | None, ...]:
    """Give each field one cell, from those of all rules inside it."""
    left = iter(cells)
    return tuple(_fold_cell(field, left) for field in fields)


def _fold_cell(field: FieldRule, cells: Iterator[Cell | None]) -> Cell | None:
    own = next(cells)
    if own and field.cuts:
        text = take_part(own.text, field.cuts)
        own = Cell(text, own.node) if text else None
    instead = [_fold_cell(rule, cells) for rule in field.instead]
    parts = [own or next(filter(None, instead), None), *(_fold_cell(rule, cells) for rule in field.more)]
    found = [part for part in parts if part]
    if len(found) < 2:
        return found[0] if found else None
    if field.type == LIST:
        texts = tuple(text for part in found for text in part.parts or (part.text,))
        return Cell(join(texts), found[0].node, texts)
    return Cell(" ".join(part.text for part in found), found[0].node)


def join(texts: Sequence[str]) -> str:
    """Join texts of one record by commas, or by semicolons if a text has a comma."""
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def is_same(one: str | None, other: str | None) -> bool:
    """Tell whether two values are the same except for spaces, and separators at their ends.

    A layout has space where markup has none, and knows better which texts share a line.
    """
    if one is None or other is None:
        return one is other
    return one == other or "".join(one.strip(EDGE).split()) == "".join(other.strip(EDGE).split())


def is_similar(one: str | None, other: str | None) -> bool:
    """Tell whether two values differ only in spaces, brackets and separators, which mining puts between parts.

    >>> is_similar("Old price $79", "Old price, $79"), is_similar("(38 KB)", "38 KB"), is_similar("1.5", "15")
    (True, True, False)
    """
    if one is None or other is None or abs(len(one) - len(other)) > MAX_BETWEEN_PARTS + min(len(one), len(other)):
        return False
    return one == other or _BETWEEN_PARTS.sub("", one) == _BETWEEN_PARTS.sub("", other)


def _read(rule: FieldRule, span: Span, view: View, first: int) -> str | None:
    node = span[0]
    if rule.type in ADDRESSES:
        return (view.address if rule.type == "link" else view.image_address)(node, rule.attribute)
    if rule.attribute:
        return " ".join(view.attributes[node].get(rule.attribute, "").split())
    text = view.text(*span)
    if not rule.heading:
        return text
    if text == rule.heading:
        return text  # a fixed text is what it is called
    if text.startswith(rule.heading):
        rest = text[len(rule.heading) :].lstrip()
        if rest[:1] in COLONS:
            return rest.lstrip(COLONS + " ")
    return text if label_before(view, node, first) == rule.heading else None


def label_before(view: View, node: int, first: int) -> str:
    """Return the label directly before a node in its record: a text with a colon, a term or a header cell."""
    for before in range(node - 1, first - 1, -1):
        if view.is_text[before] and not view.unread[before] and not view.texts[before].isspace():
            text = " ".join(view.texts[before].split())
            is_label = text[-1] in COLONS or view.name(view.parents[before]) in _TERMS
            return text.rstrip(COLONS + " ") if is_label else ""
    return ""
