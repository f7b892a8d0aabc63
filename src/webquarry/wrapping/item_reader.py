"""Read the fields of a detail page, and the sections in it, by its wrapper of kind `item`.

The wrapper has the fields of the page in `listing.fields`, as the wrapper of a listing has those of its records; the
page is the one record.  A signature starts anywhere on the page: `div.summary > p.price` is a `p.price` directly in a
`div.summary`.  All are looked for in one walk.  For a field with a `heading`, the value is the text of the element
behind that label, before it, or the text of the element that follows the label.  Fields of type `list` and `images`
hold all matches, in a list: the whole is a typed value, its parts are the record's.  Fields of type `pairs` hold the
labelled values that no other field has, by label; with the place -1, labels are behind their values.  Sections of the
grammar are read as in wrappers of kind `sections`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from webquarry.html.urls import Resolver, largest, make_resolver
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import OTHER, FieldRule, Wrapper
from webquarry.page.text_runs import Elements, Sort, open_tree
from webquarry.page.trees import ANCHOR, BREAK, RULE, Marks, MarkupTree, Tree
from webquarry.wrapping.field_signatures import (
    TEXT_NODE,
    Branch,
    Path,
    RuleKey,
    Step,
    Texts,
    plain_names,
    read_signature,
)
from webquarry.wrapping.field_values import (
    ADDRESSES,
    COLONS,
    IMAGES,
    LIST,
    PAIRS,
    TYPED,
    Cell,
    fold_cells,
    join,
    pick_cells,
    read_type,
)
from webquarry.wrapping.section_reader import Reader

EDGE = " \t|·•,;:»«\u203a\u2039/\u2192"
"""Separators that do not belong to a value at whose ends they are."""
MAX_LABEL_LENGTH = 60
"""Characters of the label of a pair."""
ALTERNATIVE = " | "
"""Separates the labels that a field may have, such as `Category | Categories`."""
ENDS_COMPARED = 40
"""Characters of a text that are compared with those of a label, before the label is looked for."""
_LONGER_LABEL = re.compile(r"(?: [^\W\d_]+){1,3}[:\uff1a]")
"""Words behind a label that are part of another label."""
MAX_LABEL_TEXTS = 4
"""Texts that a label before a value may be in."""


class ItemReader:
    """Reads detail pages of a source; made once for many pages."""

    def __init__(self, wrapper: Wrapper, only: Collection[str] = ()) -> None:
        """Limit reading to the fields and sections at the dotted paths `only`; all without any."""
        self._wrapper = wrapper
        every = wrapper.listing.fields if wrapper.listing else ()
        names = distinct(snake_case(rule.name) for rule in every)
        wanted = {path.split(".")[0] for path in only}
        kept = [(field, name) for field, name in zip(every, names, strict=True) if not only or name in wanted]
        self._fields, self._names = [field for field, _ in kept], [name for _, name in kept]
        self._rules = [rule for field in self._fields for rule in field.walk()]
        self._matcher = ItemMatcher(self._rules, wrapper.listing.unseen if wrapper.listing else ())
        self._sorts: dict[Marks, Sort] = {}
        below = [path for path in only if path.split(".")[0] not in self._names]
        has_sections = bool(wrapper.tokens) and (bool(below) or not only)
        self._sections = Reader(wrapper, below) if has_sections else None
        self._locale = wrapper.source.locale

    def read(self, document: Document) -> Extraction:
        """Extract the fields of a page."""
        tree = open_tree(document)
        values: list[SectionValue] = []
        lacking = []
        for rule, name, cells in zip(self._fields, self._names, self.read_cells(document, tree), strict=True):
            values += self._values(rule, name, cells, tree)
            if not cells and not rule.is_optional:
                lacking.append(name)
        fields = Extraction(document.url, document.kind, self._wrapper.source.name, tuple(values), tuple(lacking))
        if self._sections is None:
            return fields
        sections = self._sections.read(document, tree)
        return replace(
            fields,
            values=(*values, *_without_known(sections.values, {value.text for value in values})),
            missing=(*lacking, *sections.missing),
            unknown=sections.unknown,
        )

    def read_cells(self, document: Document, tree: Tree[Any]) -> list[list[Cell]]:
        """Read the values of each field."""
        elements = Elements(tree, frozenset(), (), self._sorts, shows_panels=True)
        read = read_matches(self._rules, self._matcher, document, tree, elements)
        picked = [pick_cells(rule, each) for rule, each in zip(self._rules, read, strict=True)]
        return fold_cells(self._fields, _leave_known_pairs(self._rules, picked))

    def _values(self, rule: FieldRule, name: str, cells: Sequence[Cell], tree: Tree[Any]) -> Iterator[SectionValue]:
        labels = distinct(snake_case(cell.label) for cell in cells) if rule.type == PAIRS else []
        if cells and rule.type in (LIST, IMAGES):  # the whole list is a value too, for those who want a column of it
            parts = tuple(cell.text for cell in cells)
            yield SectionValue((name,), (), join(parts), tree.xpath(cells[0].node), parts)
        for place, cell in enumerate(cells):
            path: tuple[str | int, ...] = (name,)
            headings: tuple[str | int, ...] = (rule.name,)
            if rule.type == PAIRS:
                path, headings = (name, labels[place]), (rule.name, cell.label)
            elif rule.type in (LIST, IMAGES):
                path, headings = (name, place), (rule.name, place)
            typed = read_type(rule.type, [cell.text], self._locale)[0] if rule.type in TYPED else None
            yield SectionValue(path, headings, cell.text, tree.xpath(cell.node), typed)


def _without_known(values: Iterable[SectionValue], known: Collection[str]) -> Iterator[SectionValue]:
    """Leave out values of unknown headings that fields have."""
    for value in values:
        if value.path[0] != OTHER or " ".join(value.text.split()) not in known:
            yield value


def read_matches(
    rules: Sequence[FieldRule],
    matcher: ItemMatcher,
    document: Document,
    tree: Tree[Any],
    elements: Elements,
    *,
    most: int | None = None,
) -> list[list[Cell]]:
    """Read all matches of each rule on a page, or the first so many."""
    page = _Page(document, tree, *matcher.find(tree, elements))
    return [page.read(keys, rule, most) for keys, rule in zip(matcher.keys, rules, strict=True)]


class _Page:
    """The matches on a page."""

    def __init__(self, document: Document, tree: Tree[Any], texts: Texts, found: dict[RuleKey, list[Match]]) -> None:
        self._document, self._tree, self._texts, self._found = document, tree, texts, found
        self._resolve: Resolver | None = None
        self._labelled_matches: dict[RuleKey, _LabelledMatches] = {}

    def read(self, keys: Iterable[RuleKey], rule: FieldRule, most: int | None = None) -> list[Cell]:
        """Read matches of a rule; the first alternative of its signature with any decides."""
        for key in keys:
            cells: list[Cell] = []
            for match in self._likely_matches(key, rule, most):
                cell = self._cell(rule, match)
                if (
                    cell is None
                    and rule.type == LIST
                    and cells
                    and self._tree.parent(cells[-1].node) == self._tree.parent(match.node)
                ):
                    cell = self._cell(replace(rule, heading=""), match)
                if cell is not None:
                    cells.append(cell)
            if cells:
                return cells
        return []

    def _likely_matches(self, key: RuleKey, rule: FieldRule, most: int | None) -> Sequence[Match]:
        """List the matches of a signature that a rule may read, the first so many."""
        matches = self._found.get(key, [])
        if not rule.heading or rule.attribute or rule.type in (LIST, PAIRS):
            return matches[:most]
        labelled = self._labelled_matches.get(key)
        if labelled is None:
            labelled = self._labelled_matches[key] = _LabelledMatches(matches[:most], self._texts)
        return labelled.find(rule.heading.split(ALTERNATIVE))

    def _cell(self, rule: FieldRule, match: Match) -> Cell | None:
        if rule.attribute:
            text = self._attribute(rule, match.node)
            return Cell(text, match.node) if text else None
        if match.start < 0:
            return None
        text = self._texts.join(match.start, match.stop)
        if rule.type == PAIRS:
            return self._pair(match, is_last=rule.place < 0)
        if rule.heading:
            return self._labelled(rule, match, text)
        text = text.strip(EDGE)
        return Cell(text, match.node) if text else None

    def _labelled(self, rule: FieldRule, match: Match, text: str) -> Cell | None:
        for heading in rule.heading.split(ALTERNATIVE):
            if self._is_behind(match.start, heading) and not text.casefold().startswith(_fold_known(heading)):
                rest: str | None = text.strip(EDGE)  # `One size` behind `Size`
            else:
                rest = take_label(self._texts, match.start, match.stop, heading)
            if rest:
                return Cell(rest, match.node)
        return None

    def _is_behind(self, start: int, heading: str) -> bool:
        """Tell whether a label is directly before a text."""
        label, last = fold_label(heading), fold_label(self._texts.texts[start - 1]) if start else ""
        if label == last or not last or not label.endswith(last):
            return bool(last) and label == last
        sizes = range(2, min(start, MAX_LABEL_TEXTS) + 1)
        return any(is_label(self._texts.join(start - size, start), heading) for size in sizes)

    def _pair(self, match: Match, *, is_last: bool) -> Cell | None:
        at = match.stop - 1 if is_last else match.start
        label = self._texts.join(at, at + 1)
        if match.stop == match.start + 1 or ":" in label[:-1]:
            label = label.partition(":")[0] if ":" in label else ""
        value = None
        if 0 < len(label) <= MAX_LABEL_LENGTH:
            value = take_label(self._texts, match.start, match.stop, label)
        return Cell(value, match.node, label.strip(EDGE)) if value else None

    def _attribute(self, rule: FieldRule, node: Any) -> str | None:
        if rule.type in ADDRESSES:
            if self._resolve is None:
                self._resolve = make_resolver(
                    self._document, self._tree if isinstance(self._tree, MarkupTree) else None
                )
            return read_address(self._tree, node, rule.attribute, self._resolve)
        for name in rule.attribute.split():
            written = self._tree.attribute(node, name)
            if written:
                return " ".join(written.split())
        return None


class _LabelledMatches:
    """Matches by how their texts start and stop, and by the text before them.

    A page may have thousands of labels, so a rule looks only at the matches that may have its own.
    """

    def __init__(self, matches: Sequence[Match], texts: Texts) -> None:
        self._matches = [match for match in matches if match.start >= 0]
        ends = [_read_ends(texts, match.start, match.stop) for match in self._matches]
        self._starts = [start.casefold() for start, _ in ends]
        self._stops = [stop.casefold() for _, stop in ends]
        self._behind: dict[str, list[int]] = {}
        for place, match in enumerate(self._matches):
            if match.start and (before := fold_label(texts.texts[match.start - 1])):
                self._behind.setdefault(before, []).append(place)
        self._by_length: dict[int, tuple[dict[str, list[int]], dict[str, list[int]]]] = {}

    def find(self, headings: Iterable[str]) -> list[Match]:
        """Find the matches that may have one of the labels in or before them, in document order."""
        places: set[int] = set()
        for label in map(_fold_known, headings):
            if not label:
                return self._matches
            size = min(len(label), ENDS_COMPARED)
            starts, stops = self._ends(size)
            places.update(starts.get(label[:size], ()), stops.get(label[-size:], ()))
            places.update(*(self._behind.get(label[start:], ()) for start in range(len(label))))
        return [self._matches[place] for place in sorted(places)]

    def _ends(self, size: int) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """Return the places of matches by their first and by their last letters, so many."""
        if size not in self._by_length:
            starts: dict[str, list[int]] = {}
            stops: dict[str, list[int]] = {}
            for place, (start, stop) in enumerate(zip(self._starts, self._stops, strict=True)):
                starts.setdefault(start[:size], []).append(place)
                stops.setdefault(stop[-size:], []).append(place)
            self._by_length[size] = starts, stops
        return self._by_length[size]


def _read_ends(texts: Texts, start: int, stop: int) -> tuple[str, str]:
    """Return the first and the last letters of some texts, without separators at their ends.

    They are in the first and the last few texts: elements that nest deeply hold all texts of a page again and again.
    """
    if stop - start > 2 * ENDS_COMPARED:
        first = texts.join(start, start + ENDS_COMPARED).lstrip(EDGE + COLONS)
        last = texts.join(stop - ENDS_COMPARED, stop).rstrip(EDGE + COLONS)
        if min(len(first), len(last)) >= ENDS_COMPARED:
            return first[:ENDS_COMPARED], last[-ENDS_COMPARED:]
    text = texts.join(start, stop).strip(EDGE + COLONS)
    return text[:ENDS_COMPARED], text[-ENDS_COMPARED:]


def read_address(tree: Tree[Any], node: Any, names: str, resolve: Resolver) -> str | None:
    """Read the address of a link or picture from the first attribute that has one, else from the sources beside it.

    An address that a script completes, such as `shoe_{width}x.jpg`, counts if there is no other.
    """
    parent = tree.parent(node)
    is_in_picture = parent is not None and tree.tag(parent) == "picture"
    sources = [each for each in tree.children(parent) if each != node] if is_in_picture else []
    written = [value for each in (node, *sources) for name in names.split() if (value := tree.attribute(each, name))]
    addresses = (resolve(largest(each)) for each in sorted(written, key=lambda each: "{" in each))
    return next((address for address in addresses if address is not None), None)


def _leave_known_pairs(rules: Sequence[FieldRule], cells: list[list[Cell]]) -> list[list[Cell]]:
    """Remove pairs that fields of their own have; their labels may be in several texts."""
    if not any(rule.type == PAIRS for rule in rules):
        return cells
    labels = (heading for rule in rules for heading in rule.heading.split(ALTERNATIVE))
    known = set(filter(None, map(squeeze, labels)))
    return [
        [cell for cell in each if not _is_known(cell, known)] if rule.type == PAIRS else each
        for rule, each in zip(rules, cells, strict=True)
    ]


def _is_known(cell: Cell, known: Collection[str]) -> bool:
    """Tell whether a pair has one of the labels, of which its own may be the beginning."""
    label = squeeze(cell.label)
    if label in known:
        return True
    text = label + squeeze(cell.text)
    return any(each.startswith(label) and text.startswith(each) for each in known)


def squeeze(text: str) -> str:
    """Leave out of a text all but letters and digits, and case."""
    return "".join(mark for mark in text.casefold() if mark.isalnum())


def fold_label(text: str) -> str:
    """Fold a label to compare it: without case, and without colon and separators at its ends."""
    return text.strip(EDGE + COLONS).casefold()


def fold_value(text: str) -> str:
    """Fold a value to compare it: without case, spaces and punctuation at its ends."""
    return " ".join(fold_label(text).split())


_fold_known = lru_cache(maxsize=10_000)(fold_label)
"""For the labels of rules, which are compared with many texts."""


def is_label(text: str, heading: str) -> bool:
    """Tell whether a text is a label."""
    return fold_label(text) == fold_label(heading)


def take_label(texts: Texts, start: int, stop: int, label: str) -> str | None:
    """Return what some texts of a page say without a label before or behind it; None if they have no such label."""
    for size in range(1, min(stop - start, MAX_LABEL_TEXTS)):
        if is_label(texts.join(start, start + size), label):
            return texts.join(start + size, stop).lstrip(EDGE + COLONS).rstrip(EDGE) or None
        if is_label(texts.join(stop - size, stop), label):
            return texts.join(start, stop - size).strip(EDGE + COLONS) or None
    return without_label(texts.join(start, stop), label)


def without_label(text: str, label: str) -> str | None:
    """Remove a label before or behind a value; None if the text has no such label, or nothing else.

    >>> without_label("SKU: A-17", "SKU"), without_label("3 Beds", "Beds"), without_label("Skunk", "SKU")
    ('A-17', '3', None)
    >>> without_label("Office hours: 9 to 5", "Office") is None
    True
    """
    label = label.strip(EDGE + COLONS)
    if not label or len(text) <= len(label):
        return None
    folded, wanted = text.casefold(), label.casefold()
    if len(folded) != len(text):  # letters that fold to several
        folded, wanted = text, label
    if folded.startswith(wanted) and not (text[len(label)].isalnum() and label[-1].isalnum()):
        rest = text[len(label) :]
        return None if _LONGER_LABEL.match(rest) else rest.lstrip(EDGE + COLONS).rstrip(EDGE) or None
    if folded.endswith(wanted) and not (text[-len(label) - 1].isalnum() and label[0].isalnum()):
        return text[: -len(label)].strip(EDGE + COLONS) or None
    return None


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
_Steps = list[tuple[Branch, Step]]
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
        known: dict[Path, RuleKey] = {}
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

    def _fits(self, step: Step, element: Any) -> bool:
        tree = self._tree
        if step.name and tree.attribute(element, "id") != step.name:
            return False
        return not step.prop or tree.attribute(element, "itemprop") == step.prop
