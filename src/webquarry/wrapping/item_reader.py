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

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from webquarry.html.urls import Resolver, largest, make_resolver
from webquarry.model.document import Document
from webquarry.model.extraction import Extraction, SectionValue
from webquarry.model.names import distinct, snake_case
from webquarry.model.wrapper import OTHER, FieldRule, Wrapper
from webquarry.page.text_runs import Elements, Sort, open_tree
from webquarry.page.trees import Marks, MarkupTree, Tree
from webquarry.wrapping.field_signatures import RuleKey, Texts
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
from webquarry.wrapping.item_matches import ItemMatcher, Match
from webquarry.wrapping.label_texts import (
    ALTERNATIVE,
    EDGE,
    MAX_LABEL_LENGTH,
    MAX_LABEL_TEXTS,
    fold_known_label,
    fold_label,
    is_label,
    squeeze,
    take_label,
)
from webquarry.wrapping.section_reader import Reader

ENDS_COMPARED = 40
"""Characters of a text that are compared with those of a label, before the label is looked for."""


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
            if self._is_behind(match.start, heading) and not text.casefold().startswith(fold_known_label(heading)):
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
        for label in map(fold_known_label, headings):
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
